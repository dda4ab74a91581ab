/** The console's endpoints for notification channels: for the signed-in browser only. */

import * as z from '#shared/schema/deferred.ts'
import { channelTypes } from '../core/channel.ts'
import { fieldShapes } from '../core/channel-services/service.ts'
import { serviceTypes } from '../core/channel-services/services.ts'
import { eventTypes } from '../core/vocabulary.ts'
import {
  channelAddressCharactersMax,
  channelChatCharactersMax,
  channelFieldsMax,
  channelHeaderCharactersMax,
  channelNameCharactersMax,
  channelSecretCharactersMax,
  pushPointCharacters,
  pushSecretCharacters,
  signingKeyBytesMax,
  signingKeyBytesMin,
  signingKeyCharactersMax,
} from '../limits.ts'
import { ofFile } from './of-file.ts'
import { wholeNumber } from './paging.ts'
import { withReason } from './reason.ts'
import { declareRoute, emptyBody, type RouteDeclaration } from './route.ts'

const wireChannel = z.object({
  id: z.int(),
  name: z.string(),
  type: z.enum(channelTypes),
  /** Scheme and host of a webhook; the base address of a bot or of a service. The rest of it, token and header value are write-only. */
  place: z.string(),
  chat_id: z.string().optional(),
  header_name: z.string().optional(),
  /** Messages carry a signature; the key is write-only. */
  signed: z.literal(true).optional(),
  /** Of a service; null is a secret that is stored, which is write-only. */
  fields: z.record(z.string(), z.string().nullable()).optional(),
  enabled: z.boolean(),
  events: z.array(z.enum(eventTypes)),
  /** Messages it has not taken yet. */
  waiting: z.int(),
  /** Messages given up since the settings were saved. */
  lost: z.int(),
  last_at: z.int().optional(),
  last_ok: z.boolean().optional(),
  /** Why the last attempt failed, in Chinese, fit to show. */
  last_error: z.string().optional(),
  ...withReason,
  ...ofFile,
})
export type WireChannel = z.infer<typeof wireChannel>

const inBoth = z.object({ zh: z.string(), en: z.string() })

/** A service that takes messages, and what it asks the owner for: its form is drawn from it. */
const wireChannelService = z.object({
  type: z.enum(serviceTypes),
  name: inBoth,
  fields: z.array(
    z.object({
      name: z.string(),
      label: inBoth,
      hint: inBoth.optional(),
      shape: z.enum(fieldShapes),
      secret: z.literal(true).optional(),
      optional: z.literal(true).optional(),
      /** Stands for what is left empty. */
      default: z.string().optional(),
      max_characters: z.int(),
    }),
  ),
})
export type WireChannelService = z.infer<typeof wireChannelService>

export const listChannels = declareRoute('session', 'get', '/channels', {
  operationId: 'listChannels',
  summary: '通知渠道',
  answers: {
    200: z.object({
      items: z.array(wireChannel),
      /** What a channel may be told of. */
      events: z.array(z.object({ type: z.enum(eventTypes), name: z.string() })),
      services: z.array(wireChannelService),
    }),
  },
})

/** Names that belong to the message itself, or to the connection. */
const ownHeaders =
  /^(?:content-.*|host|connection|transfer-encoding|upgrade|te|trailer|expect|keep-alive|proxy-.*|cf-.*)$/i

/** Of Base64 with its padding. */
function isSigningKeyLength(base64: string): boolean {
  const bytes = (base64.length / 4) * 3 - (/=*$/.exec(base64)?.[0].length ?? 0)
  return bytes >= signingKeyBytesMin && bytes <= signingKeyBytesMax
}

/** What is left out stays as it is stored; a webhook's empty header name takes the header away. */
const place = {
  type: z.enum(channelTypes),
  address: z.string().trim().max(channelAddressCharactersMax).optional(),
  header_name: z
    .string()
    .max(channelHeaderCharactersMax)
    .regex(/^[A-Za-z0-9-]*$/)
    .refine((name) => !ownHeaders.test(name))
    .optional(),
  header_value: z
    .string()
    .min(1)
    .max(channelSecretCharactersMax)
    .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/)
    .optional(),
  /** `whsec_` and 24 to 64 bytes in Base64, as the receiver has it; empty takes it away. */
  signing_key: z
    .string()
    .max(signingKeyCharactersMax)
    .regex(/^(?:whsec_(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)?)?$/)
    .refine((key) => key === '' || isSigningKeyLength(key.slice('whsec_'.length)))
    .optional(),
  chat_id: z.string().trim().min(1).max(channelChatCharactersMax).optional(),
  token: z
    .string()
    .min(1)
    .max(channelSecretCharactersMax)
    .regex(/^[\x21-\x7e]+$/)
    .optional(),
  /** Of a service: its own alone. An empty one is taken away. */
  fields: z
    .record(z.string(), z.string().max(channelAddressCharactersMax))
    .refine((fields) => Object.keys(fields).length <= channelFieldsMax)
    .optional(),
  /** Of a browser, with its address: what `PushSubscription.toJSON()` calls so. */
  p256dh: z
    .string()
    .length(pushPointCharacters)
    .regex(/^B[A-Za-z0-9_-]+$/)
    .optional(),
  auth: z
    .string()
    .length(pushSecretCharacters)
    .regex(/^[A-Za-z0-9_-]+$/)
    .optional(),
}

export const channelBody = z.strictObject({
  name: z.string().trim().min(1).max(channelNameCharactersMax),
  enabled: z.boolean(),
  events: z.array(z.enum(eventTypes)).min(1).max(eventTypes.length),
  ...place,
})
export type ChannelBody = z.output<typeof channelBody>

const channelId = z.object({ id: wholeNumber(1, Number.MAX_SAFE_INTEGER) })

export const addChannel = declareRoute('session', 'post', '/channels', {
  operationId: 'addChannel',
  summary: '添加通知渠道',
  body: channelBody,
  answers: { 200: wireChannel },
})

export const changeChannel = declareRoute('session', 'put', '/channels/{id}', {
  operationId: 'changeChannel',
  summary: '修改通知渠道',
  params: channelId,
  body: channelBody,
  answers: { 200: wireChannel },
})

export const removeChannel = declareRoute('session', 'delete', '/channels/{id}', {
  operationId: 'removeChannel',
  summary: '删除通知渠道和等待发送的消息',
  params: channelId,
  body: emptyBody,
  answers: { 200: z.object({ ok: z.literal(true) }) },
})

const testChannelBody = z.strictObject({
  ...place,
  /** What is left out is taken from this channel. */
  id: z.int().min(1).optional(),
})
export type TestChannelBody = z.output<typeof testChannelBody>

/** Always 200 once the settings make sense: what was found out is in the answer. */
export const testChannel = declareRoute('session', 'post', '/channels/test', {
  operationId: 'testChannel',
  isTrial: true,
  summary: '发送测试通知',
  body: testChannelBody,
  answers: { 200: z.object({ delivered: z.boolean(), error: z.string().optional(), ...withReason }) },
})

/** A browser subscribes with it; it is made when it is first asked for. */
export const readPushKey = declareRoute('session', 'get', '/channels/push-key', {
  operationId: 'readPushKey',
  summary: '浏览器推送的公钥',
  answers: { 200: z.object({ public_key: z.string() }) },
  failures: ['unavailable'],
})

export const consoleChannelDeclarations: readonly RouteDeclaration[] = [
  listChannels,
  readPushKey,
  addChannel,
  changeChannel,
  removeChannel,
  testChannel,
]
