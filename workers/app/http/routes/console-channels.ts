import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import {
  addChannel,
  type ChannelBody,
  changeChannel,
  listChannels,
  readPushKey,
  removeChannel,
  type TestChannelBody,
  testChannel,
  type WireChannel,
  type WireChannelService,
} from '../../contract/console-channels.ts'
import type { GivenChannel } from '../../core/channel.ts'
import { channelServices } from '../../core/channel-services/services.ts'
import { type Failure, failure, wrongField } from '../../core/failure.ts'
import type { Say } from '../../core/reason/say.ts'
import { templateEventOf } from '../../core/template-events.ts'
import { eventTypes } from '../../core/vocabulary.ts'
import { channelsMax } from '../../limits.ts'
import type { ChannelChange, ChannelRecord, ChannelRefusal } from '../../ports/messages.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'
import { explained } from '../explained.ts'
import { removeNamed } from '../remove-named.ts'

const refusals = {
  not_found: failure('not_found', { kind: 'none', what: 'channel' }),
  name_taken: wrongField('name', { kind: 'name_taken', what: 'channel' }),
  too_many: failure('invalid_argument', { kind: 'too_many', what: 'channel', limit: channelsMax }),
  secrets: failure('unavailable', { kind: 'cannot_seal', what: 'channel' }),
} as const

export function consoleChannelRoutes({ channels }: Pick<AppDeps, 'channels'>): BoundRoute[] {
  return [
    bind(listChannels, async ({ say }) =>
      succeed({
        body: {
          items: (await channels.list()).map((channel) => toWireChannel(channel, say)),
          events: eventTypes.map((type) => ({ type, name: templateEventOf(type).name })),
          services: wireChannelServices(),
        },
      }),
    ),
    bind(readPushKey, async () => {
      const key = await channels.pushKey()
      return key === undefined ? failWith(refusals.secrets) : succeed({ body: { public_key: key } })
    }),
    bind(addChannel, async ({ body, say }) => answerStored(await channels.add(toChange(body)), say)),
    bind(changeChannel, async ({ params, body, say }) =>
      answerStored(await channels.update(params.id, toChange(body)), say),
    ),
    bind(removeChannel, ({ params }) => removeNamed(channels, params.id, refusals.not_found)),
    bind(testChannel, async ({ body, say }) => {
      const tried = await channels.test(givenChannel(body), body.id)
      if (!tried.ok) return failWith(toFailure(tried.failure))
      const { reason } = tried.value
      return succeed({
        body: reason === undefined ? { delivered: true } : { delivered: false, ...explained(say, reason) },
      })
    }),
  ]
}

export function givenChannel(body: ChannelBody | TestChannelBody): GivenChannel {
  return {
    kind: body.type,
    ...(body.address === undefined ? {} : { address: body.address }),
    ...(body.header_name === undefined ? {} : { headerName: body.header_name }),
    ...(body.header_value === undefined ? {} : { headerValue: body.header_value }),
    ...(body.signing_key === undefined ? {} : { signingKey: body.signing_key }),
    ...(body.chat_id === undefined ? {} : { chatId: body.chat_id }),
    ...(body.token === undefined ? {} : { token: body.token }),
    ...(body.fields === undefined ? {} : { fields: body.fields }),
    ...(body.p256dh === undefined && body.auth === undefined
      ? {}
      : { keys: { p256dh: body.p256dh ?? '', auth: body.auth ?? '' } }),
  }
}

function toChange(body: ChannelBody): ChannelChange {
  const { name, enabled, events } = body
  return { ...givenChannel(body), name, enabled, events: eventTypes.filter((type) => events.includes(type)) }
}

function answerStored(stored: Result<ChannelRecord, ChannelRefusal>, say: Say): Result<{ body: WireChannel }, Failure> {
  return stored.ok ? succeed({ body: toWireChannel(stored.value, say) }) : failWith(toFailure(stored.failure))
}

function toFailure(refusal: ChannelRefusal): Failure {
  return refusal.kind === 'settings' ? failure('invalid_argument', refusal.reason) : refusals[refusal.kind]
}

function toWireChannel(record: ChannelRecord, say: Say): WireChannel {
  const { id, name, kind, place, chatId, headerName, signed, fields, enabled, events, waiting, lost } = record
  return {
    id,
    name,
    type: kind,
    place,
    ...(chatId === '' ? {} : { chat_id: chatId }),
    ...(headerName === '' ? {} : { header_name: headerName }),
    ...(signed ? { signed } : {}),
    ...(Object.keys(fields).length === 0 ? {} : { fields: { ...fields } }),
    enabled,
    events: [...events],
    waiting,
    lost,
    ...(record.lastAtUnix === undefined ? {} : { last_at: record.lastAtUnix }),
    ...(record.lastOk === undefined ? {} : { last_ok: record.lastOk }),
    ...(record.lastReason === undefined ? {} : { last_error: say(record.lastReason), reason: record.lastReason }),
  }
}

export function wireChannelServices(): WireChannelService[] {
  return channelServices.map(({ type, name, fields }) => ({
    type,
    name,
    fields: fields.map(({ charactersMax, ...field }) => ({ ...field, max_characters: charactersMax })),
  }))
}
