import { and, asc, eq, isNull, lt, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { type ChannelFault, isRefusal } from '../../core/channel-fault.ts'
import { channelReason } from '../../core/reason/of-fault.ts'
import { storeReason } from '../../core/reason/stored-reason.ts'
import {
  deliveriesMax,
  deliveryRefusalsMax,
  deliveryRetrySeconds,
  deliverySeconds,
  eventKeptSeconds,
  eventsPerRun,
  outboxEventsMax,
} from '../../limits.ts'
import type { TemplateTexts } from '../../ports/messages.ts'
import { wants } from './events.ts'
import { channels, deliveries, outboxEvents } from './schema/messages.ts'

export type StoredEvent = typeof outboxEvents.$inferSelect
type Delivery = typeof deliveries.$inferSelect
type Channel = typeof channels.$inferSelect

/** What happened, until there is a message of it for each channel that wants to know; and messages, until they are taken. */
export interface Outbox {
  /** Of which there are no messages yet, the oldest first and so many of them. */
  unaddressed(): Promise<StoredEvent[]>
  /** One message for each channel that wants to know. */
  address(event: StoredEvent, texts: TemplateTexts, nowUnix: number): Promise<void>
  /** Of what was addressed, forgets what is old or too much beside the newest. */
  forget(newest: number, nowUnix: number): Promise<void>
  /** What is no news any more, and what is too much for a channel that takes nothing. */
  giveUp(nowUnix: number): Promise<void>
  openChannels(): Promise<Pick<Channel, 'id' | 'name' | 'sealedSecrets'>[]>
  oldest(channelId: number): Promise<Delivery | undefined>
  taken(message: Delivery, nowUnix: number): Promise<void>
  /** Later again, or never where the channel keeps refusing it. */
  failed(message: Delivery, fault: ChannelFault, nowUnix: number): Promise<void>
  /** When there is something to do again. Of each open channel the oldest message decides. */
  nextDue(nowUnix: number): Promise<number | undefined>
}

export function createOutbox(db: DrizzleD1Database): Outbox {
  return {
    async unaddressed() {
      return db
        .select()
        .from(outboxEvents)
        .where(isNull(outboxEvents.addressedAtUnix))
        .orderBy(asc(outboxEvents.id))
        .limit(eventsPerRun)
    },

    async address({ id, type, atUnix }, { title, text }, nowUnix) {
      await db.batch([
        db
          .insert(deliveries)
          .select(
            sql`select null, ${id}, id, ${type}, ${title}, ${text}, ${atUnix}, ${nowUnix}, 0 from channels where ${wants(type)}`,
          )
          .onConflictDoNothing(),
        db.update(outboxEvents).set({ addressedAtUnix: nowUnix }).where(eq(outboxEvents.id, id)),
      ])
    },

    async forget(newest, nowUnix) {
      await db.run(sql`
        delete from notices where spread_at_unix is not null
          and (at_unix < ${nowUnix - eventKeptSeconds} or id <= ${newest - outboxEventsMax})`)
    },

    async giveUp(nowUnix) {
      const isOld = lt(deliveries.atUnix, nowUnix - deliverySeconds)
      const places = sql`row_number() over (partition by channel_id order by id desc)`
      const isTooMany = sql`${deliveries.id} in (select id from (select id, ${places} as place from deliveries) where place > ${deliveriesMax})`
      for (const isOver of [isOld, isTooMany]) {
        const [one] = await db.select({ id: deliveries.id }).from(deliveries).where(isOver).limit(1)
        if (one === undefined) continue
        await db.batch([
          db.update(channels).set({
            lost: sql`lost + (select count(*) from deliveries where channel_id = channels.id and ${isOver})`,
          }),
          db.delete(deliveries).where(isOver),
        ])
      }
    },

    async openChannels() {
      return db.select().from(channels).where(eq(channels.enabled, true))
    },

    async oldest(channelId) {
      const [row] = await db
        .select()
        .from(deliveries)
        .where(eq(deliveries.channelId, channelId))
        .orderBy(asc(deliveries.id))
        .limit(1)
      return row
    },

    async taken({ id, channelId }, nowUnix) {
      await db.batch([
        db.delete(deliveries).where(eq(deliveries.id, id)),
        db
          .update(channels)
          .set({ lastAtUnix: nowUnix, lastOk: true, lastError: null })
          .where(eq(channels.id, channelId)),
      ])
    },

    async failed(message, fault, nowUnix) {
      const attempts = message.attempts + 1
      const isHopeless = isRefusal(fault) && attempts >= deliveryRefusalsMax
      const pauseSeconds = deliveryRetrySeconds[attempts - 1] ?? deliveryRetrySeconds.at(-1) ?? 0
      const withId = eq(deliveries.id, message.id)
      await db.batch([
        isHopeless
          ? db.delete(deliveries).where(withId)
          : db
              .update(deliveries)
              .set({ attempts, dueAtUnix: nowUnix + pauseSeconds })
              .where(withId),
        db
          .update(channels)
          .set({
            lastAtUnix: nowUnix,
            lastOk: false,
            lastError: storeReason(channelReason(fault)),
            ...(isHopeless ? { lost: sql`${channels.lost} + 1` } : {}),
          })
          .where(eq(channels.id, message.channelId)),
      ])
    },

    async nextDue(nowUnix) {
      const [untold] = await db
        .select({ id: outboxEvents.id })
        .from(outboxEvents)
        .where(isNull(outboxEvents.addressedAtUnix))
        .limit(1)
      if (untold !== undefined) return nowUnix
      const isOldest = sql`${deliveries.id} in (select min(id) from deliveries group by channel_id)`
      const [due] = await db
        .select({ atUnix: sql<number | null>`min(${deliveries.dueAtUnix})` })
        .from(deliveries)
        .innerJoin(channels, eq(channels.id, deliveries.channelId))
        .where(and(eq(channels.enabled, true), isOldest))
      return due?.atUnix ?? undefined
    },
  }
}
