import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import {
  addChannel,
  type ChannelBody,
  changeChannel,
  listChannels,
  removeChannel,
  type TestChannelBody,
  testChannel,
  type WireChannel,
} from '../../contract/console-channels.ts'
import type { GivenChannel } from '../../core/channel.ts'
import { type Failure, failure } from '../../core/failure.ts'
import { templateEventOf } from '../../core/template-events.ts'
import { noticeTypes } from '../../core/vocabulary.ts'
import { channelsMax } from '../../limits.ts'
import type { AppDeps, ChannelChange, ChannelRecord, ChannelRefusal } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'

const refusals = {
  not_found: failure('not_found', '没有这个通知渠道'),
  name_taken: failure('invalid_argument', '字段 name 不正确：已有同名的通知渠道'),
  too_many: failure('invalid_argument', `最多只能有 ${channelsMax} 个通知渠道`),
  secrets: failure('unavailable', '主密钥丢失或已更换，无法读取或保存地址和令牌'),
} as const

export function consoleChannelRoutes({ channels }: Pick<AppDeps, 'channels'>): BoundRoute[] {
  return [
    bind(listChannels, async () =>
      succeed({
        body: {
          items: (await channels.list()).map(toWireChannel),
          events: noticeTypes.map((type) => ({ type, name: templateEventOf(type).name })),
        },
      }),
    ),
    bind(addChannel, async ({ body }) => answerStored(await channels.add(toChange(body)))),
    bind(changeChannel, async ({ params, body }) => answerStored(await channels.update(params.id, toChange(body)))),
    bind(removeChannel, async ({ params }) =>
      (await channels.remove(params.id)) ? succeed({ body: { ok: true as const } }) : failWith(refusals.not_found),
    ),
    bind(testChannel, async ({ body }) => {
      const tried = await channels.test(toGiven(body), body.id)
      if (!tried.ok) return failWith(toFailure(tried.failure))
      const { error } = tried.value
      return succeed({ body: error === undefined ? { delivered: true } : { delivered: false, error } })
    }),
  ]
}

function toGiven(body: ChannelBody | TestChannelBody): GivenChannel {
  return {
    kind: body.type,
    ...(body.address === undefined ? {} : { address: body.address }),
    ...(body.header_name === undefined ? {} : { headerName: body.header_name }),
    ...(body.header_value === undefined ? {} : { headerValue: body.header_value }),
    ...(body.chat_id === undefined ? {} : { chatId: body.chat_id }),
    ...(body.token === undefined ? {} : { token: body.token }),
  }
}

function toChange(body: ChannelBody): ChannelChange {
  const { name, enabled, events } = body
  return { ...toGiven(body), name, enabled, events: noticeTypes.filter((type) => events.includes(type)) }
}

function answerStored(stored: Result<ChannelRecord, ChannelRefusal>): Result<{ body: WireChannel }, Failure> {
  return stored.ok ? succeed({ body: toWireChannel(stored.value) }) : failWith(toFailure(stored.failure))
}

function toFailure(refusal: ChannelRefusal): Failure {
  return refusal.kind === 'settings' ? failure('invalid_argument', refusal.message) : refusals[refusal.kind]
}

function toWireChannel(record: ChannelRecord): WireChannel {
  const { id, name, kind, place, chatId, headerName, enabled, events, waiting, lost } = record
  return {
    id,
    name,
    type: kind,
    place,
    ...(chatId === '' ? {} : { chat_id: chatId }),
    ...(headerName === '' ? {} : { header_name: headerName }),
    enabled,
    events: [...events],
    waiting,
    lost,
    ...(record.lastAtUnix === undefined ? {} : { last_at: record.lastAtUnix }),
    ...(record.lastOk === undefined ? {} : { last_ok: record.lastOk }),
    ...(record.lastError === undefined ? {} : { last_error: record.lastError }),
  }
}
