/** The console's endpoints for seeding on other sites what the disks hold. */
import { z } from '@hono/zod-openapi'
import { reseedStates, reseedWays } from '../core/reseed/reseed.ts'
import { reseedAsksMax, siteNameCharactersMax, sitesMax } from '../limits.ts'
import { withReason } from './reason.ts'
import { declareRoute, type RouteDeclaration } from './route.ts'

const settings = {
  enabled: z.boolean(),
  /** By name: on these it is looked for what the downloaders hold. */
  sites: z.array(z.string().min(1).max(siteNameCharactersMax)).max(sitesMax),
  /** Of each site in 24 hours: lookups, searches and files. */
  asks_per_day: z.int().min(2).max(reseedAsksMax),
}
const reseedBody = z.strictObject(settings)
export type ReseedBody = z.output<typeof reseedBody>

const wireReseed = z.object({
  id: z.int(),
  downloader: z.string(),
  info_hash: z.string(),
  title: z.string(),
  size: z.int(),
  site: z.string(),
  way: z.enum(reseedWays),
  state: z.enum(reseedStates),
  /** At the other site; left out while nothing fits. */
  torrent_id: z.string().optional(),
  other_title: z.string().optional(),
  asked_at: z.int(),
  since: z.int(),
  error: z.string().optional(),
  ...withReason,
})
export type WireReseed = z.infer<typeof wireReseed>

/** Under way first, then the newest. */
export const listReseeds = declareRoute('session', 'get', '/reseeds', {
  operationId: 'listReseeds',
  summary: '辅种：设置与结果',
  answers: {
    200: z.object({
      ...settings,
      asked: z.array(
        z.object({
          site: z.string(),
          /** In the last 24 hours. */
          asks: z.int(),
          /** How it was asked, and what was found so. */
          ways: z.array(z.object({ way: z.enum(reseedWays), found: z.int() })),
        }),
      ),
      items: z.array(wireReseed),
    }),
  },
})

export const changeReseed = declareRoute('session', 'put', '/settings/reseed', {
  operationId: 'changeReseed',
  summary: '修改辅种设置',
  body: reseedBody,
  answers: { 200: z.object(settings) },
})

export const consoleReseedDeclarations: readonly RouteDeclaration[] = [listReseeds, changeReseed]
