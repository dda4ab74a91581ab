/** The console's endpoints for what the owner settles for the service as a whole. Secrets are write-only. */

import * as z from '#shared/schema/deferred.ts'
import { assistantEndpoints, freeEndActions, ownerLanguages, unknownEnds } from '../core/vocabulary.ts'
import {
  modelNameCharactersMax,
  repositoryCharactersMax,
  serviceAddressCharactersMax,
  serviceKeyCharactersMax,
  timeZoneCharactersMax,
} from '../limits.ts'
import { withReason } from './reason.ts'
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

export const getMetadataSettings = declareRoute('session', 'get', '/settings/metadata', {
  operationId: 'getMetadataSettings',
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

export const changeMetadataSettings = declareRoute('session', 'put', '/settings/metadata', {
  operationId: 'changeMetadataSettings',
  summary: '修改影视资料来源的设置',
  body: metadataSettingsBody,
  answers: { 200: wireMetadataSettings },
})

/** Always 200: what was found out is in the answer. */
export const testMetadataKey = declareRoute('session', 'post', '/settings/metadata/test', {
  operationId: 'testMetadataKey',
  isTrial: true,
  summary: '测试影视资料服务的密钥',
  /** Without a key the stored one is tried. */
  body: metadataSettingsBody.omit({ image_address: true }),
  answers: {
    200: z.object({
      works: z.boolean(),
      /** Why not, in Chinese, fit to show. */
      error: z.string().optional(),
      ...withReason,
    }),
  },
})

const wireLocaleSettings = z.object({
  /** A name of the IANA table, by whose clock days begin and sign-ins happen. */
  time_zone: z.string(),
  /** False while it is the deployment's. */
  chosen: z.boolean(),
  /** In which the service speaks to its owner: in messages, default names and titles. */
  language: z.enum(ownerLanguages),
})
export type WireLocaleSettings = z.infer<typeof wireLocaleSettings>

export const getLocaleSettings = declareRoute('session', 'get', '/settings/locale', {
  operationId: 'getLocaleSettings',
  summary: '时区和语言',
  answers: { 200: wireLocaleSettings },
})

export const changeLocaleSettings = declareRoute('session', 'put', '/settings/locale', {
  operationId: 'changeLocaleSettings',
  summary: '修改时区和语言',
  body: z.strictObject({
    /** Empty: the deployment's. */
    time_zone: z.string().trim().max(timeZoneCharactersMax),
    /** Left out: it stays as it is. */
    language: z.enum(ownerLanguages).optional(),
  }),
  answers: { 200: wireLocaleSettings },
})

const freeEndSettings = {
  /** Of a torrent that cannot be complete before its free period ends. */
  action: z.enum(freeEndActions),
  /** What the end is where the site does not tell it, for pushes by hand; brush tasks and profiles say it themselves. */
  unknown_end: z.enum(unknownEnds),
}
const wireFreeEndSettings = z.object(freeEndSettings)
export type WireFreeEndSettings = z.infer<typeof wireFreeEndSettings>

export const getFreeEndSettings = declareRoute('session', 'get', '/settings/free-end', {
  operationId: 'getFreeEndSettings',
  summary: '免费期限的设置',
  answers: { 200: wireFreeEndSettings },
})

export const changeFreeEndSettings = declareRoute('session', 'put', '/settings/free-end', {
  operationId: 'changeFreeEndSettings',
  summary: '修改免费期限的设置',
  body: z.strictObject(freeEndSettings),
  answers: { 200: wireFreeEndSettings },
})

const updateSettings = {
  /** `owner/name`; empty: no list is looked at. */
  repository: z
    .string()
    .trim()
    .max(repositoryCharactersMax)
    .regex(/^(?:[A-Za-z0-9][A-Za-z0-9-]*\/(?!\.{1,2}$)[A-Za-z0-9._-]+)?$/),
  api_address: serviceAddress,
}
const wireUpdateSettings = z.object(updateSettings)
export type WireUpdateSettings = z.infer<typeof wireUpdateSettings>

export const getUpdateSettings = declareRoute('session', 'get', '/settings/updates', {
  operationId: 'getUpdateSettings',
  summary: '更新检查的设置',
  answers: { 200: wireUpdateSettings },
})

export const changeUpdateSettings = declareRoute('session', 'put', '/settings/updates', {
  operationId: 'changeUpdateSettings',
  summary: '修改更新检查的设置',
  body: z.strictObject(updateSettings),
  answers: { 200: wireUpdateSettings },
})

const wireProxySettings = z.object({
  /** What may be shown of the address; left out for none. */
  proxy_host: z.string().optional(),
  /** Only on one's own machine. */
  available: z.boolean(),
})
export type WireProxySettings = z.infer<typeof wireProxySettings>

/** The proxy to the metadata provider, its images and the release list. Sites have their own. */
export const getProxySettings = declareRoute('session', 'get', '/settings/proxy', {
  operationId: 'getProxySettings',
  summary: '访问外部服务的代理',
  answers: { 200: wireProxySettings },
})

export const changeProxySettings = declareRoute('session', 'put', '/settings/proxy', {
  operationId: 'changeProxySettings',
  summary: '修改访问外部服务的代理',
  /** `http(s)://[user:password@]host[:port]`; empty: none. */
  body: z.strictObject({ proxy: z.string().trim().max(serviceAddressCharactersMax) }),
  answers: { 200: wireProxySettings },
})

const wireAssistantSettings = z.object({
  enabled: z.boolean(),
  endpoint: z.enum(assistantEndpoints),
  /** Of the service; empty for this installation's own gateway. */
  address: z.string(),
  model: z.string(),
  has_api_key: z.boolean(),
})
export type WireAssistantSettings = z.infer<typeof wireAssistantSettings>

export const getAssistantSettings = declareRoute('session', 'get', '/settings/assistant', {
  operationId: 'getAssistantSettings',
  summary: '助手的设置',
  answers: { 200: wireAssistantSettings },
})

/** One printable line, as the service names the model. */
const modelName = z
  .string()
  .trim()
  .max(modelNameCharactersMax)
  .regex(/^[^\p{Cc}]*$/u)

/** Who answers, and with which model. */
const assistantModel = {
  endpoint: z.enum(assistantEndpoints),
  /** Base address of a service that speaks chat completions, such as `https://…/v1`. Needed where the endpoint is one. */
  address: serviceAddress.optional(),
  model: modelName,
  /** Left out: the stored one stays; empty: none. Has to be typed again when `address` leads to another place. */
  api_key: serviceKey.optional(),
}

const assistantSettingsBody = z.strictObject({ enabled: z.boolean(), ...assistantModel })
export type AssistantSettingsBody = z.output<typeof assistantSettingsBody>

export const changeAssistantSettings = declareRoute('session', 'put', '/settings/assistant', {
  operationId: 'changeAssistantSettings',
  summary: '修改助手的设置',
  body: assistantSettingsBody,
  answers: { 200: wireAssistantSettings },
})

const wireModelTrial = z.object({
  works: z.boolean(),
  /** Why not, in Chinese, fit to show. */
  error: z.string().optional(),
  ...withReason,
  /** Whether the model called the tool it was asked to call; without that the assistant can only talk. */
  calls_tools: z.boolean().optional(),
  /** Which models are there, in the service's order; left out where it tells none. */
  models: z.array(z.string()).optional(),
})
export type WireModelTrial = z.infer<typeof wireModelTrial>

/**
 * Always 200: what was found out is in the answer. Without a model none is tried, and the answer is what the service
 * lists. Without a key the stored one is tried, for its own address only.
 */
export const testAssistant = declareRoute('session', 'post', '/settings/assistant/test', {
  operationId: 'testAssistant',
  isTrial: true,
  summary: '试一试模型',
  body: z.strictObject(assistantModel),
  answers: { 200: wireModelTrial },
})

export const consoleSettingDeclarations: readonly RouteDeclaration[] = [
  getLocaleSettings,
  changeLocaleSettings,
  getFreeEndSettings,
  changeFreeEndSettings,
  getMetadataSettings,
  changeMetadataSettings,
  testMetadataKey,
  getUpdateSettings,
  changeUpdateSettings,
  getProxySettings,
  changeProxySettings,
  getAssistantSettings,
  changeAssistantSettings,
  testAssistant,
]
