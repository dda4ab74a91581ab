/** The console's endpoints for what the owner settles for the service as a whole. Secrets are write-only. */
import { z } from '@hono/zod-openapi'
import { serviceAddressCharactersMax, serviceKeyCharactersMax } from '../limits.ts'
import { declareRoute, type RouteDeclaration } from './route.ts'

/** http or https, with an optional path; empty for the usual one. */
const serviceAddress = z.string().trim().max(serviceAddressCharactersMax)

/** What goes into a header or a query: one printable word. */
const serviceKey = z
  .string()
  .trim()
  .max(serviceKeyCharactersMax)
  .regex(/^[\x21-\x7e]*$/)

const wireMetadataSettings = z.object({
  api_address: z.string(),
  image_address: z.string(),
  has_api_key: z.boolean(),
})
export type WireMetadataSettings = z.infer<typeof wireMetadataSettings>

export const getMetadataSettings = declareRoute({
  operationId: 'getMetadataSettings',
  method: 'get',
  path: '/settings/metadata',
  permission: 'session',
  summary: '影视资料来源的设置',
  answers: { 200: wireMetadataSettings },
})

const metadataSettingsBody = z.strictObject({
  api_address: serviceAddress,
  image_address: serviceAddress,
  /** Left out: the stored one stays; empty: none. Has to be typed again when `api_address` leads to another place. */
  api_key: serviceKey.optional(),
})
export type MetadataSettingsBody = z.output<typeof metadataSettingsBody>

export const changeMetadataSettings = declareRoute({
  operationId: 'changeMetadataSettings',
  method: 'put',
  path: '/settings/metadata',
  permission: 'session',
  summary: '修改影视资料来源的设置',
  body: metadataSettingsBody,
  answers: { 200: wireMetadataSettings },
})

export const consoleSettingDeclarations: readonly RouteDeclaration[] = [getMetadataSettings, changeMetadataSettings]
