import { and, asc, count, eq, ne, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { type ChannelSettings, fieldsOf, type GivenChannel, placeOf, settleChannel } from '../../core/channel.ts'
import { isServiceType, serviceOf } from '../../core/channel-services/services.ts'
import { channelReason } from '../../core/reason/of-fault.ts'
import { readReason } from '../../core/reason/stored-reason.ts'
import { type EventType, eventTypes, type OwnerLanguage } from '../../core/vocabulary.ts'
import { channelsMax } from '../../limits.ts'
import type { ChannelChange, ChannelRecord, ChannelRefusal, Channels } from '../../ports/messages.ts'
import type { SecretBox } from '../../ports/secrets.ts'
import type { OwnerLocaleReader } from '../../ports/settings.ts'
import { openChannel, sealChannel } from '../channel-secrets.ts'
import { type ChannelSending, sendToChannel } from '../send-to-channel.ts'
import { bringJobForward, serviceJob } from './job-list.ts'
import { chatBots, pairedChats } from './schema/chats.ts'
import { channels, deliveries } from './schema/messages.ts'

type Row = typeof channels.$inferSelect

const testMessages = {
  zh: { title: '测试通知', text: '这是一条测试通知，收到它说明渠道可以使用。' },
  en: { title: 'Test message', text: 'This is a test message. Since it arrived, the channel works.' },
} as const satisfies Record<OwnerLanguage, object>

export function createChannels(
  db: DrizzleD1Database,
  deps: {
    readonly clock: Clock
    readonly locale: OwnerLocaleReader
    readonly secrets: SecretBox
    readonly sending: ChannelSending
    readonly wake: () => Promise<void>
    /** A bot that may hear something: its settings changed. */
    readonly botChanged: (channelId: number) => Promise<void>
    /** It is about to be removed: its platform is told while its token is still there. */
    readonly botLeaves: (channelId: number) => Promise<void>
  },
): Channels {
  const withId = (id: number) => eq(channels.id, id)

  async function byId(id: number): Promise<Row | undefined> {
    const [row] = await db.select().from(channels).where(withId(id))
    return row
  }

  async function isNameTaken(name: string, exceptId: number): Promise<boolean> {
    const rows = await db
      .select({ id: channels.id })
      .from(channels)
      .where(and(eq(channels.name, name), ne(channels.id, exceptId)))
    return rows.length > 0
  }

  /** What the change makes of the stored settings, which are opened only where some of them stay. */
  async function settle(change: GivenChannel, row: Row | undefined): Promise<Result<ChannelSettings, ChannelRefusal>> {
    const given = settleChannel(change, undefined)
    if (row === undefined || (given.ok && row.kind === change.kind && isComplete(change, row)))
      return given.ok ? given : failWith({ kind: 'settings', reason: given.failure })
    const stored = await openChannel(deps.secrets, row.id, row.sealedSecrets)
    // What cannot be opened any more is left to no one: what was given stands by itself, where it is enough.
    if (!stored.ok) return given.ok ? given : failWith({ kind: 'secrets' })
    const settled = settleChannel(change, stored.value)
    return settled.ok ? settled : failWith({ kind: 'settings', reason: settled.failure })
  }

  async function columnsOf(id: number, change: ChannelChange, settings: ChannelSettings) {
    return {
      name: change.name,
      kind: settings.kind,
      place: placeOf(settings),
      chatId: settings.kind === 'bot' ? settings.chatId : '',
      headerName: settings.kind === 'webhook' ? settings.headerName : '',
      signed: settings.kind === 'webhook' && settings.signingKey !== undefined,
      fields: fieldsOf(settings),
      sealedSecrets: await sealChannel(deps.secrets, id, settings),
      enabled: change.enabled,
      events: `,${change.events.join(',')},`,
      updatedAtUnix: unixSeconds(deps.clock),
    }
  }

  /** What waits is tried with the new settings at once, and what the channel wants to know is looked at. */
  async function begin(id: number): Promise<void> {
    const nowUnix = unixSeconds(deps.clock)
    await db.update(deliveries).set({ dueAtUnix: nowUnix }).where(eq(deliveries.channelId, id))
    await bringJobForward(db, serviceJob('notices'), nowUnix)
    await bringJobForward(db, serviceJob('downloaders'), nowUnix)
    await deps.wake()
  }

  async function stored(row: Row | undefined): Promise<Result<ChannelRecord, ChannelRefusal>> {
    if (row === undefined) return failWith({ kind: 'not_found' })
    await begin(row.id)
    if (row.kind === 'bot') await deps.botChanged(row.id)
    return succeed(toRecord(row, 0))
  }

  return {
    async list() {
      const waiting = db
        .select({ channelId: deliveries.channelId, count: count().as('waiting') })
        .from(deliveries)
        .groupBy(deliveries.channelId)
        .as('waiting_by_channel')
      const rows = await db
        .select({ row: channels, waiting: waiting.count })
        .from(channels)
        .leftJoin(waiting, eq(waiting.channelId, channels.id))
        .orderBy(asc(channels.id))
      return rows.map(({ row, waiting: many }) => toRecord(row, many ?? 0))
    },

    async add(change) {
      const [totals] = await db
        .select({
          count: count(),
          newest: sql<number>`coalesce((select seq from sqlite_sequence where name = 'channels'), 0)`,
        })
        .from(channels)
      if ((totals?.count ?? 0) >= channelsMax) return failWith({ kind: 'too_many' })
      if (await isNameTaken(change.name, 0)) return failWith({ kind: 'name_taken' })
      const settings = await settle(change, undefined)
      if (!settings.ok) return settings
      if ((await deps.secrets.state()) !== 'ready') return failWith({ kind: 'secrets' })
      // The row's id is part of what the seal authenticates, so it is chosen before the row exists.
      const id = (totals?.newest ?? 0) + 1
      const columns = await columnsOf(id, change, settings.value)
      const [row] = await db
        .insert(channels)
        .values({ id, ...columns, createdAtUnix: columns.updatedAtUnix })
        .returning()
      return stored(row)
    },

    async update(id, change) {
      const present = await byId(id)
      if (present === undefined) return failWith({ kind: 'not_found' })
      if (await isNameTaken(change.name, id)) return failWith({ kind: 'name_taken' })
      const settings = await settle(change, present)
      if (!settings.ok) return settings
      if ((await deps.secrets.state()) !== 'ready') return failWith({ kind: 'secrets' })
      const [row] = await db
        .update(channels)
        .set({ ...(await columnsOf(id, change, settings.value)), lost: 0 })
        .where(withId(id))
        .returning()
      return stored(row)
    },

    async remove(id) {
      if ((await byId(id))?.kind === 'bot') await deps.botLeaves(id)
      const [, , , removed] = await db.batch([
        db.delete(deliveries).where(eq(deliveries.channelId, id)),
        db.delete(chatBots).where(eq(chatBots.channelId, id)),
        db.delete(pairedChats).where(eq(pairedChats.channelId, id)),
        db.delete(channels).where(withId(id)).returning({ id: channels.id }),
      ])
      return removed.length > 0
    },

    async test(change, id) {
      const row = id === undefined ? undefined : await byId(id)
      if (id !== undefined && row === undefined) return failWith({ kind: 'not_found' })
      const settings = await settle(change, row)
      if (!settings.ok) return settings
      const { language } = await deps.locale.read()
      const nowUnix = unixSeconds(deps.clock)
      const message = { id: 0, type: 'test', ...testMessages[language], atUnix: nowUnix } as const
      const sent = await sendToChannel(settings.value, message, deps.sending, nowUnix)
      return succeed(sent.ok ? {} : { reason: channelReason(sent.failure) })
    },

    pushKey: async () => (await deps.sending.pushKey())?.publicKey,
  }
}

/** Nothing of what is stored stays. */
function isComplete(change: GivenChannel, { signed }: Row): boolean {
  if (isServiceType(change.kind))
    return serviceOf(change.kind).fields.every(({ name }) => change.fields?.[name] !== undefined)
  return change.kind === 'webhook'
    ? change.address !== undefined &&
        (change.headerName === '' || change.headerValue !== undefined) &&
        (change.signingKey !== undefined || !signed)
    : change.kind === 'browser'
      ? change.address !== undefined && change.keys !== undefined
      : change.address !== undefined && change.token !== undefined
}

function toRecord(row: Row, waiting: number): ChannelRecord {
  const { id, name, kind, place, chatId, headerName, signed, fields, enabled, lost, lastAtUnix, lastOk } = row
  const lastReason = readReason(row.lastError)
  return {
    id,
    name,
    kind,
    place,
    chatId,
    headerName,
    signed,
    fields,
    enabled,
    events: eventsOf(row.events),
    waiting,
    lost,
    ...(lastAtUnix === null ? {} : { lastAtUnix }),
    ...(lastOk === null ? {} : { lastOk }),
    ...(lastReason === undefined ? {} : { lastReason }),
  }
}

/** In the order of the vocabulary. */
function eventsOf(text: string): EventType[] {
  return eventTypes.filter((type) => text.includes(`,${type},`))
}
