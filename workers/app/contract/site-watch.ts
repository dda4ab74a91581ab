/** What a member watches at one site: the way to the next level, and how the account came to where it is. */
import * as z from '#shared/schema/deferred.ts'
import { seedingStates } from '../core/hit-and-run.ts'
import { doubtRules, figureNames } from '../core/site-figures.ts'
import { levelConditions } from '../core/site-levels.ts'
import { historyDaysDefault, snapshotDays } from '../limits.ts'
import { wholeNumber } from './paging.ts'
import { declareRoute } from './route.ts'
import { siteParameter } from './sites.ts'

export const wireLevelCondition = z
  .object({
    condition: z.enum(levelConditions),
    /** Bytes, points, days or a ratio. Left out where it is no amount. */
    need: z.number().optional(),
    /** Left out where the site does not tell it, or it is not to be believed. */
    have: z.number().optional(),
    /** Left out where nobody can say. */
    met: z.boolean().optional(),
    /** Of what is not met: when it will be at today's pace. Left out where that is not known. */
    at: z.int().optional(),
  })
  .meta({ id: 'LevelCondition' })
export type WireLevelCondition = z.infer<typeof wireLevelCondition>

const wireSiteStanding = z
  .object({
    /** As the site shows it. */
    shown: z.string().optional(),
    /** Whether the conditions of this site's levels are known. */
    known: z.boolean(),
    /** The level of that name. Left out where there is none. */
    level: z.string().optional(),
    next: z
      .object({
        name: z.string(),
        conditions: z.array(wireLevelCondition),
        /** One of these lists has to hold besides. Left out for none. */
        any_of: z.array(z.array(wireLevelCondition)).optional(),
        /** When all of it will hold at today's pace. */
        at: z.int().optional(),
      })
      .optional(),
    /** How many days of history the pace was taken from. */
    pace_days: z.int(),
  })
  .meta({ id: 'SiteStanding' })
export type WireSiteStanding = z.infer<typeof wireSiteStanding>

export const getSiteStanding = declareRoute('read', 'get', '/sites/{site}/level', {
  operationId: 'getSiteStanding',
  feature: 'sites',
  summary: 'Level at a site, and the way to the next one',
  description:
    'What the next level asks, what the account has of it, and when each condition will be met at the pace of the last days.',
  params: siteParameter,
  answers: { 200: wireSiteStanding },
  failures: ['not_found'],
})

/** One figure of the account: its value where the site tells it, where it was read, and why it is not to be believed. */
export const wireReadFigure = z
  .object({
    figure: z.enum(figureNames),
    value: z.union([z.number(), z.string()]).optional(),
    /** Page of the site or call of its interface, head of the row, and words or field beside the figure. */
    page: z.string().optional(),
    row: z.string().optional(),
    label: z.string().optional(),
    doubt: z.enum(doubtRules).optional(),
    /** What was known before it became doubtful. */
    before: z.number().optional(),
    /** When the owner said what is right, and what the page said then: it holds until the page says something else. */
    said_at: z.int().optional(),
    read: z.number().optional(),
  })
  .meta({ id: 'ReadFigure' })
export type WireReadFigure = z.infer<typeof wireReadFigure>

export const listSiteFigures = declareRoute('read', 'get', '/sites/{site}/figures', {
  operationId: 'listSiteFigures',
  feature: 'sites',
  summary: 'Where the figures of an account were read',
  description:
    'Every figure there is, as last read: its value, the page, row and label it was read at, and why it is doubtful. One that the site does not tell has no value. Empty before the account was read.',
  params: siteParameter,
  answers: { 200: z.object({ items: z.array(wireReadFigure), read_at: z.int().optional() }) },
  failures: ['not_found'],
})

const wireSiteDay = z
  .object({
    day: z.string(),
    uploaded: z.int().optional(),
    downloaded: z.int().optional(),
    ratio: z.number().optional(),
    bonus: z.number().optional(),
    seeding: z.int().optional(),
    seeding_size: z.int().optional(),
    seeding_points: z.number().optional(),
  })
  .meta({ id: 'SiteDay' })
export type WireSiteDay = z.infer<typeof wireSiteDay>

/** The account's figures at the end of each day, oldest first; a day on which nothing was known is left out. */
export const getSiteHistory = declareRoute('read', 'get', '/sites/{site}/history', {
  operationId: 'getSiteHistory',
  feature: 'sites',
  summary: 'Figures of an account, day by day',
  description:
    "The account's figures at the end of each day, oldest first. Days on which nothing was known are left out.",
  params: siteParameter,
  query: z.object({ days: wholeNumber(1, snapshotDays).prefault(String(historyDaysDefault)) }),
  answers: { 200: z.object({ items: z.array(wireSiteDay) }) },
  failures: ['not_found'],
})

const wireSeedingDuty = z
  .object({
    torrent_id: z.string(),
    title: z.string(),
    size: z.int(),
    /** Whether the site's lists marked it. */
    marked: z.boolean(),
    downloader: z.string(),
    /** What actions on torrents know it by. */
    downloader_id: z.int(),
    task_id: z.string(),
    /** `missing`: its downloader does not have it. `standing`: it has it, and does not seed. */
    state: z.enum(seedingStates),
    /** Seconds; left out before a downloader told. */
    seeded: z.int().optional(),
    /** Uploaded bytes, and by the size. */
    given: z.int().optional(),
    ratio: z.number().optional(),
    /** Seconds by the time alone. */
    left: z.int().optional(),
    free_at: z.int().optional(),
    /** When its downloader was last asked with success. */
    looked_at: z.int().optional(),
  })
  .meta({ id: 'SeedingDuty' })
export type WireSeedingDuty = z.infer<typeof wireSeedingDuty>

/** What was pushed of the site and has to be seeded, the newest first. Kept while a downloader is away. */
export const listSeedingDuties = declareRoute('read', 'get', '/sites/{site}/hit-and-runs', {
  operationId: 'listSeedingDuties',
  feature: 'sites',
  summary: 'Torrents that have to be seeded for a site',
  description:
    'What was pushed from the site and has to be seeded, newest first, with how much is left. Kept while a downloader is away.',
  params: siteParameter,
  answers: {
    200: z.object({
      /** What the site asks, as far as it is known. With the ratio nothing has to be seeded longer. */
      rule: z.object({ seed_hours: z.number().optional(), ratio: z.number().optional() }).optional(),
      items: z.array(wireSeedingDuty),
    }),
  },
  failures: ['not_found'],
})
