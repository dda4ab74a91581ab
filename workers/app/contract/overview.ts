import * as z from '#shared/schema/deferred.ts'
import { withReason } from './reason.ts'
import { declareRoute } from './route.ts'

const wireOverview = z
  .object({
    totals: z.object({
      uploaded: z.int(),
      downloaded: z.int(),
      ratio: z.number(),
      seeding: z.int(),
      leeching: z.int(),
      bonus: z.number(),
      bonus_per_hour: z.number(),
      seeding_size: z.int(),
      site_count: z.int(),
      unread_messages: z.int(),
    }),
    today: z.object({
      from: z.string(),
      to: z.string(),
      uploaded: z.int(),
      downloaded: z.int(),
      bonus: z.number(),
      sites: z.array(
        z.object({
          site: z.string(),
          uploaded: z.int(),
          downloaded: z.int(),
          bonus: z.number(),
          /** What the site did not tell today. Left out for none. */
          unknown: z.array(z.enum(['uploaded', 'downloaded', 'bonus'])).optional(),
        }),
      ),
      error: z.string().optional(),
      ...withReason,
    }),
    updated_at: z.int(),
  })
  .meta({ id: 'Overview' })
export type WireOverview = z.infer<typeof wireOverview>

export const getOverview = declareRoute('read', 'get', '/overview', {
  operationId: 'getOverview',
  feature: 'overview',
  summary: 'Totals of all sites and the changes of today',
  description:
    'Sums over every enabled site, and the difference to the end of yesterday by site. A figure that a site did not tell is in no sum; `unknown` names it.',
  answers: { 200: wireOverview },
})
