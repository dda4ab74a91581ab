/** The console's endpoints for seeding on other sites what the disks hold. */
import * as z from '#shared/schema/deferred.ts'
import { reseedStates, reseedWays } from '../core/reseed/reseed.ts'
import {
  reseedAsksMax,
  serviceAddressCharactersMax,
  serviceKeyCharactersMax,
  siteNameCharactersMax,
  sitesMax,
} from '../limits.ts'
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

const address = z.string().trim().max(serviceAddressCharactersMax)
const wireReseedService = z.object({
  /** Over TLS alone; empty for the usual one. */
  address,
  has_token: z.boolean(),
  /** Of the owner's those that it knows, by name. */
  sites: z.array(z.string()),
  /** Left out before the first answer. */
  asked_at: z.int().optional(),
  /** Why it gave nothing when it was last asked. */
  error: z.string().optional(),
  ...withReason,
})
export type WireReseedService = z.infer<typeof wireReseedService>

const reseedServiceBody = z.strictObject({
  address,
  /** Left out: the stored one stays; empty: none, and it is not asked. Has to be typed again when `address` leads to another place. */
  token: z
    .string()
    .trim()
    .max(serviceKeyCharactersMax)
    .regex(/^[\x21-\x7e]*$/)
    .optional(),
})
export type ReseedServiceBody = z.output<typeof reseedServiceBody>

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
      service: wireReseedService,
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

/** It learns the info hash of what the downloaders hold, and which sites the owner has. */
export const changeReseedService = declareRoute('session', 'put', '/settings/reseed-service', {
  operationId: 'changeReseedService',
  summary: '修改辅种服务的设置',
  body: reseedServiceBody,
  answers: { 200: wireReseedService },
})

export const consoleReseedDeclarations: readonly RouteDeclaration[] = [listReseeds, changeReseed, changeReseedService]
