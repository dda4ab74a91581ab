/** Where notices are sent, as the owner set it up. The address is the owner's choice, so private ones are allowed. */
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { ServiceValues } from './channel-services/service.ts'
import { isServiceType, type ServiceType, serviceOf, serviceTypes } from './channel-services/services.ts'
import { placeOfService, type ShownFields, settleService, shownFields } from './channel-services/settle-service.ts'
import { parseAddressWithQuery, parseDownloaderAddress } from './downloader-address.ts'
import type { Reason } from './reason/reason.ts'
import { type ChannelKind, channelKinds, type EventType } from './vocabulary.ts'

/** Kinds with a shape of their own, and services of one shape. */
export const channelTypes = [...channelKinds, ...serviceTypes] as const
export type ChannelType = ChannelKind | ServiceType

export type ChannelSettings =
  | {
      readonly kind: 'webhook'
      readonly address: string
      readonly headerName: string
      readonly headerValue: string
      /** As the receiver has it, `whsec_` and Base64; left out where messages are not signed. */
      readonly signingKey?: string
    }
  | { readonly kind: 'bot'; readonly baseUrl: string; readonly token: string; readonly chatId: string }
  | ({ readonly kind: 'browser'; readonly address: string } & PushSubscriptionKeys)
  | { readonly kind: ServiceType; readonly values: ServiceValues }

/** What a browser gives a sender beside its address: a point of P-256 and a secret, as Base64url. */
export interface PushSubscriptionKeys {
  readonly p256dh: string
  readonly auth: string
}

/** What is sent. */
export interface ChannelMessage {
  /** The same for every attempt and every channel, so that a receiver knows one that came twice. */
  readonly id: number
  readonly type: EventType | 'test'
  readonly title: string
  readonly text: string
  readonly atUnix: number
}

/** As the owner wrote it; undefined keeps the stored one. */
export interface GivenChannel {
  readonly kind: ChannelType
  readonly address?: string
  readonly headerName?: string
  readonly headerValue?: string
  /** Empty: messages are not signed any more. */
  readonly signingKey?: string
  readonly chatId?: string
  readonly token?: string
  readonly keys?: PushSubscriptionKeys
  /** Of a service, by name. */
  readonly fields?: ServiceValues
}

const botAddressDefault = 'https://api.telegram.org'

/** What of the channel may be shown: never a path or a query, which of a webhook are often the key. */
export function placeOf(settings: ChannelSettings): string {
  if ('values' in settings) return placeOfService(serviceOf(settings.kind), settings.values)
  return settings.kind === 'bot' ? settings.baseUrl : new URL(settings.address).origin
}

/** What is shown again of what was filled in for a service. */
export function fieldsOf(settings: ChannelSettings): ShownFields {
  return 'values' in settings ? shownFields(serviceOf(settings.kind), settings.values) : {}
}

/**
 * Joins what is given with what is stored. A stored secret goes only to the place it was stored for. Fails with
 * what is wrong.
 */
export function settleChannel(
  given: GivenChannel,
  stored: ChannelSettings | undefined,
): Result<ChannelSettings, Reason> {
  if (stored !== undefined && stored.kind !== given.kind) return failWith(wrong('type', { kind: 'rule.kind_stays' }))
  if (isServiceType(given.kind)) return settleOfService(given, given.kind, stored)
  if (given.fields !== undefined) return failWith({ kind: 'field.unknown', fields: ['fields'] })
  if (given.keys !== undefined && given.kind !== 'browser')
    return failWith({ kind: 'field.only_for', fields: ['p256dh', 'auth'], type: 'browser' })
  if (given.kind === 'browser') return settleBrowser(given, stored?.kind === 'browser' ? stored : undefined)
  return given.kind === 'webhook'
    ? settleWebhook(given, stored?.kind === 'webhook' ? stored : undefined)
    : settleBot(given, stored?.kind === 'bot' ? stored : undefined)
}

/** Fields of the kinds that have a shape of their own. */
const ownFields = {
  address: 'address',
  headerName: 'header_name',
  headerValue: 'header_value',
  signingKey: 'signing_key',
  chatId: 'chat_id',
  token: 'token',
  keys: 'p256dh',
} as const

function settleOfService(
  given: GivenChannel,
  kind: ServiceType,
  stored: ChannelSettings | undefined,
): Result<ChannelSettings, Reason> {
  const other = (Object.keys(ownFields) as (keyof typeof ownFields)[]).find((name) => given[name] !== undefined)
  if (other !== undefined) return failWith({ kind: 'field.unknown', fields: [ownFields[other]] })
  const before = stored !== undefined && 'values' in stored ? stored.values : undefined
  const values = settleService(serviceOf(kind), given.fields ?? {}, before)
  return values.ok ? succeed({ kind, values: values.value }) : values
}

function settleWebhook(
  given: GivenChannel,
  stored: Extract<ChannelSettings, { kind: 'webhook' }> | undefined,
): Result<ChannelSettings, Reason> {
  if (given.token !== undefined || given.chatId !== undefined)
    return failWith({ kind: 'field.only_for', fields: ['token', 'chat_id'], type: 'bot' })
  const address = given.address === undefined ? succeed(stored?.address ?? '') : parseAddressWithQuery(given.address)
  if (!address.ok) return failWith(wrong('address', address.failure))
  if (address.value === '') return failWith(missing('address'))
  // It never leaves, so it stays wherever the messages go.
  const signingKey = given.signingKey ?? stored?.signingKey ?? ''
  const signing = signingKey === '' ? {} : { signingKey }
  const headerName = given.headerName ?? stored?.headerName ?? ''
  if (headerName === '') {
    if ((given.headerValue ?? '') !== '') return failWith(missing('header_name'))
    return succeed({ kind: 'webhook', address: address.value, headerName: '', headerValue: '', ...signing })
  }
  const isSamePlace = stored !== undefined && new URL(stored.address).origin === new URL(address.value).origin
  const kept = isSamePlace && stored.headerName !== '' ? stored.headerValue : undefined
  const headerValue = given.headerValue ?? kept
  if (headerValue === undefined || headerValue === '') return failWith({ kind: 'field.fill_in', field: 'header_value' })
  return succeed({ kind: 'webhook', address: address.value, headerName, headerValue, ...signing })
}

function settleBot(
  given: GivenChannel,
  stored: Extract<ChannelSettings, { kind: 'bot' }> | undefined,
): Result<ChannelSettings, Reason> {
  if (given.headerName !== undefined || given.headerValue !== undefined || given.signingKey !== undefined)
    return failWith({ kind: 'field.only_for', fields: ['header_name', 'header_value', 'signing_key'], type: 'webhook' })
  const written = given.address ?? stored?.baseUrl ?? ''
  const baseUrl = parseDownloaderAddress(written === '' ? botAddressDefault : written)
  if (!baseUrl.ok) return failWith(wrong('address', baseUrl.failure))
  const chatId = given.chatId ?? stored?.chatId ?? ''
  if (chatId === '') return failWith(missing('chat_id'))
  const token = given.token ?? (stored?.baseUrl === baseUrl.value ? stored.token : undefined)
  if (token === undefined) return failWith({ kind: 'field.fill_in', field: 'token' })
  return succeed({ kind: 'bot', baseUrl: baseUrl.value, token, chatId })
}

/** A subscription is one thing: another address comes with the keys that belong to it. */
function settleBrowser(
  given: GivenChannel,
  stored: Extract<ChannelSettings, { kind: 'browser' }> | undefined,
): Result<ChannelSettings, Reason> {
  if (given.token !== undefined || given.chatId !== undefined)
    return failWith({ kind: 'field.only_for', fields: ['token', 'chat_id'], type: 'bot' })
  if (given.headerName !== undefined || given.headerValue !== undefined || given.signingKey !== undefined)
    return failWith({ kind: 'field.only_for', fields: ['header_name', 'header_value', 'signing_key'], type: 'webhook' })
  if (given.address === undefined && given.keys === undefined && stored !== undefined) return succeed(stored)
  if (given.address === undefined) return failWith(missing('address'))
  if (given.keys === undefined) return failWith(missing('p256dh'))
  const address = parseAddressWithQuery(given.address)
  if (!address.ok) return failWith(wrong('address', address.failure))
  const { p256dh, auth } = given.keys
  if (p256dh === '') return failWith(missing('p256dh'))
  if (auth === '') return failWith(missing('auth'))
  return succeed({ kind: 'browser', address: address.value, p256dh, auth })
}

function wrong(field: string, rule: Reason): Reason {
  return { kind: 'field.wrong', field, part: 'field', rule }
}

function missing(field: string): Reason {
  return { kind: 'field.missing', field, part: 'field' }
}
