import * as z from '#shared/schema/deferred.ts'
import { doubtRules, figureNames } from '../core/site-figures.ts'
import { loginTiers, signInStatuses } from '../core/vocabulary.ts'
import { siteNameCharactersMax } from '../limits.ts'
import { withReason } from './reason.ts'
import { declareRoute, emptyBody } from './route.ts'

const wireAttendance = z
  .object({
    supported: z.boolean(),
    enabled: z.boolean(),
    day: z.string(),
    status: z.enum(signInStatuses).optional(),
    message: z.string().optional(),
    ...withReason,
    last_attempt_at: z.int().optional(),
  })
  .meta({ id: 'Attendance' })
export type WireAttendance = z.infer<typeof wireAttendance>

const wireSiteUser = z
  .object({
    username: z.string(),
    level: z.string().optional(),
    uploaded: z.int(),
    downloaded: z.int(),
    ratio: z.number(),
    bonus: z.number(),
    bonus_per_hour: z.number().optional(),
    seeding: z.int(),
    leeching: z.int(),
    seeding_size: z.int().optional(),
    unread_messages: z.int(),
    hnr_unsatisfied: z.int().optional(),
    /** Figures the site did not tell: a zero in their place says nothing. Left out for none. */
    unknown: z.array(z.enum(figureNames)).optional(),
    /** Figures that are not to be believed, and why: they are in no sum. Left out for none. */
    doubtful: z.array(z.object({ figure: z.enum(figureNames), rule: z.enum(doubtRules) })).optional(),
    updated_at: z.int(),
  })
  .meta({ id: 'SiteUser' })
export type WireSiteUser = z.infer<typeof wireSiteUser>

const wireSite = z
  .object({
    name: z.string(),
    display_name: z.string(),
    enabled: z.boolean(),
    login: z.object({
      tier: z.enum(loginTiers),
      days_remaining: z.int(),
      last_active_at: z.int().optional(),
      last_probe_at: z.int().optional(),
      last_probe_status: z.string().optional(),
    }),
    attendance: wireAttendance,
    user: wireSiteUser.optional(),
  })
  .meta({ id: 'Site' })
export type WireSite = z.infer<typeof wireSite>

export const listSites = declareRoute('read', 'get', '/sites', {
  operationId: 'listSites',
  feature: 'sites',
  summary: 'Sites with their accounts',
  description:
    "Every site that is set up, with how near its account is to being closed for inactivity, the sign-in of today, and the account's figures as last read. A zero named in `unknown` means that the site did not tell the figure.",
  answers: { 200: z.object({ items: z.array(wireSite), user_error: z.string().optional(), ...withReason }) },
})

/** Upper case is taken as lower case; anything that could be part of a path is refused. */
export const siteParameter = z.object({
  site: z
    .string()
    .max(siteNameCharactersMax)
    .regex(/^[^/\\]+$/)
    .transform((name) => name.toLowerCase())
    .meta({ type: 'string', maxLength: siteNameCharactersMax }),
})

export const attendSite = declareRoute('operate', 'post', '/sites/{site}/attend', {
  operationId: 'attendSite',
  feature: 'attendance',
  summary: 'Sign in at a site now',
  description: 'Does the daily sign-in at once instead of waiting for its hour, and answers what came of it.',
  params: siteParameter,
  body: emptyBody,
  answers: { 200: wireAttendance },
  failures: ['not_found', 'busy_conflict', 'attend_failed'],
})

export const getFavicon = declareRoute('read', 'get', '/favicon/{site}', {
  operationId: 'getFavicon',
  tag: 'sites',
  summary: 'Icon of a site',
  description:
    'The picture as the site serves it, kept by this service. Send `If-None-Match` to be told 304 while it is the same.',
  params: siteParameter,
  answers: { 200: 'image', 304: 'image' },
  failures: ['not_found'],
})
