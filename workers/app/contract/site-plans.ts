/** Ways to the next level of a site: simulated first, carried out after one yes. */
import * as z from '#shared/schema/deferred.ts'
import { paceSources, planGaps } from '../core/site-plan.ts'
import { sitePlanStates, sitePlanStepStates } from '../core/vocabulary.ts'
import { wholeNumber } from './paging.ts'
import { withReason } from './reason.ts'
import { declareRoute, emptyBody } from './route.ts'
import { wireLevelCondition } from './site-watch.ts'
import { siteParameter } from './sites.ts'

const wirePlanCondition = wireLevelCondition
  .extend({
    /** Of what grows: by so much a day, and where that comes from. */
    per_day: z.number().optional(),
    pace_from: z.enum(paceSources).optional(),
    /** When it will be met with the plan. */
    planned_at: z.int().optional(),
    /** What the plan adds to it at once, or to each day. */
    adds: z.number().optional(),
    adds_per_day: z.number().optional(),
  })
  .meta({ id: 'PlanCondition' })
export type WirePlanCondition = z.infer<typeof wirePlanCondition>

const wirePlanStep = z
  .object({
    /** `seed`: it lies whole in a downloader and is started. `push`: it is free at the site and is downloaded. */
    kind: z.enum(['seed', 'push']),
    title: z.string(),
    size: z.int(),
    downloader: z.string().optional(),
    info_hash: z.string().optional(),
    torrent_id: z.string().optional(),
    free_until: z.int().optional(),
    /** What it brings a day, by what the account's seeding gives now. Left out where that is not told. */
    bonus_per_day: z.number().optional(),
    points_per_day: z.number().optional(),
    state: z.enum(sitePlanStepStates),
    error: z.string().optional(),
    ...withReason,
  })
  .meta({ id: 'PlanStep' })
export type WirePlanStep = z.infer<typeof wirePlanStep>

const wireSitePlan = z
  .object({
    id: z.int(),
    state: z.enum(sitePlanStates),
    /** The level it leads to. */
    level: z.string(),
    /** When the level is there as things went when it was made, and with the plan. Left out where nobody can say. */
    at: z.int().optional(),
    planned_at: z.int().optional(),
    conditions: z.array(wirePlanCondition),
    /** One of these lists has to hold besides. Left out for none. */
    any_of: z.array(z.array(wirePlanCondition)).optional(),
    steps: z.array(wirePlanStep),
    /** What of the site is seeded already; no rule ends it while the plan runs. */
    keeps: z.object({ count: z.int(), size: z.int() }),
    /** What would help and counts for nothing, because nobody tells it. */
    gaps: z.array(z.enum(planGaps)),
    /** Downloaders, and the site's list, that could not be read. */
    unread: z.array(z.object({ name: z.string(), error: z.string(), ...withReason })),
    /** How many days of history the pace was taken from, and when the account was read. */
    pace_days: z.int(),
    read_at: z.int(),
    made_at: z.int(),
    begun_at: z.int().optional(),
    ended_at: z.int().optional(),
  })
  .meta({ id: 'SitePlan' })
export type WireSitePlan = z.infer<typeof wireSitePlan>

const planParameters = siteParameter.extend({ plan_id: wholeNumber(1, Number.MAX_SAFE_INTEGER) })

export const readSitePlan = declareRoute('read', 'get', '/sites/{site}/plan', {
  operationId: 'readSitePlan',
  feature: 'sites',
  summary: 'The plan for the next level of a site',
  description:
    'The one that runs, with how far each step is, or else the newest. Empty where there is none, or the last one was made too long ago to be carried out.',
  params: siteParameter,
  answers: { 200: z.object({ plan: wireSitePlan.optional() }) },
  failures: ['not_found'],
})

export const makeSitePlan = declareRoute('read', 'post', '/sites/{site}/plan', {
  operationId: 'makeSitePlan',
  feature: 'sites',
  summary: 'Simulate a plan for the next level of a site',
  description:
    "From what the next level asks, the account's own pace, what lies whole in the downloaders without being seeded, and what the site gives away for free: the fewest torrents that bring the level soonest, and the day. Nothing is started or pushed. It takes the place of a plan that waits for a yes. Without a plan, `reason` says why there is none.",
  params: siteParameter,
  body: emptyBody,
  answers: { 200: z.object({ plan: wireSitePlan.optional(), error: z.string().optional(), ...withReason }) },
  failures: ['not_found'],
})

export const carryOutSitePlan = declareRoute('operate', 'post', '/sites/{site}/plan/{plan_id}/carry-out', {
  operationId: 'carryOutSitePlan',
  feature: 'sites',
  summary: 'Carry out a plan for the next level of a site',
  description:
    'Exactly the steps that were shown: what lies in the downloaders is started, what is still free is pushed through the gates of every push. While it runs, rules about the ends of torrents leave those of the site alone. A plan waits an hour for this; one that runs already is answered as it is.',
  params: planParameters,
  body: emptyBody,
  answers: { 200: wireSitePlan },
  failures: ['not_found', 'busy_conflict'],
})

export const stopSitePlan = declareRoute('operate', 'post', '/sites/{site}/plan/{plan_id}/stop', {
  operationId: 'stopSitePlan',
  feature: 'sites',
  summary: 'Stop a plan for the next level of a site',
  description: 'Nothing further is started or pushed. What is seeded goes on. A plan that is over stays as it is.',
  params: planParameters,
  body: emptyBody,
  answers: { 200: wireSitePlan },
  failures: ['not_found'],
})
