import { count, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { failWith, succeed } from '#shared/kernel/result.ts'
import type { EventFacts } from '../../core/event-values.ts'
import type { Reason } from '../../core/reason/reason.ts'
import { storeReason } from '../../core/reason/stored-reason.ts'
import type { EventType } from '../../core/vocabulary.ts'
import { messagesPerHourMax } from '../../limits.ts'
import type { OwnerMessages } from '../../ports/messages.ts'
import { broughtForward, selectJob, serviceJob } from './job-list.ts'
import { jobs } from './schema/jobs.ts'
import { channels, outboxEvents } from './schema/messages.ts'

/** Something that happened, of which the owner may want to be told. */
export interface NewEvent {
  readonly type: EventType
  /** Of what may be told once only. */
  readonly key?: string
  readonly facts: EventFacts
}

type Statement = BatchItem<'sqlite'>

/**
 * Statements for the batch that writes what they tell, so that a crash loses neither or both. They write nothing while no
 * channel wants to know. Whoever may be outside the scheduler wakes it afterwards.
 */
export function recordEvent(
  db: DrizzleD1Database,
  event: NewEvent,
  nowUnix: number,
  where = sql`true`,
): readonly [Statement, Statement] {
  const { type, key = null, facts } = event
  return [
    db
      .insert(outboxEvents)
      .select(
        sql`select null, ${type}, ${key}, ${JSON.stringify(facts)}, ${nowUnix}, null where ${isWanted(type)} and ${where}`,
      )
      .onConflictDoNothing(),
    planDelivery(db, nowUnix),
  ]
}

/** The same of push records, with what stands in them, for those of the ids that meet the condition. */
export function recordPushEvents(
  db: DrizzleD1Database,
  type: Extract<EventType, `push.${string}`>,
  records: {
    readonly ids: readonly number[]
    readonly where: ReturnType<typeof sql>
    readonly reason?: Reason | undefined
  },
  nowUnix: number,
): readonly [Statement, Statement] {
  const { ids, where } = records
  const reason = records.reason === undefined ? JSON.stringify('') : storeReason(records.reason)
  return [
    db.insert(outboxEvents).select(sql`
      select null, ${type}, null, json_object(
          'site', coalesce((select nullif(display_name, '') from sites where name = site), site),
          'title', title, 'size', size_bytes, 'downloader', downloader, 'reason', json(${reason})
        ), ${nowUnix}, null
      from push_records
      where id in (select value from json_each(${JSON.stringify(ids)})) and (${where}) and ${isWanted(type)}`),
    planDelivery(db, nowUnix),
  ]
}

function planDelivery(db: DrizzleD1Database, nowUnix: number): Statement {
  return db
    .insert(jobs)
    .select(
      selectJob(serviceJob('notices'), nowUnix, sql`where exists (select 1 from notices where spread_at_unix is null)`),
    )
    .onConflictDoUpdate(broughtForward)
}

/** Of an open channel that wants to know. */
export function wants(type: EventType) {
  return sql`enabled = 1 and instr(events, ${`,${type},`}) > 0`
}

function isWanted(type: EventType) {
  return sql`exists (select 1 from channels where ${wants(type)})`
}

/** For what is told before it is noted that it is so. */
export interface Events {
  record(event: NewEvent): Promise<void>
  /** Has the scheduler pass on what is waiting. */
  planDelivery(): Promise<void>
}

const hourSeconds = 3600

/** Counted by what is kept of the last hour, so that nothing is kept for it. */
export function createOwnerMessages(
  db: DrizzleD1Database,
  { clock, wake }: { readonly clock: Clock; readonly wake: () => Promise<void> },
): OwnerMessages {
  return {
    async tell({ title, text, link }) {
      const nowUnix = unixSeconds(clock)
      const type: EventType = 'message.sent'
      const ofHour = sql`from notices where type = ${type} and at_unix > ${nowUnix - hourSeconds}`
      const [written, [told], [oldest]] = await db.batch([
        db
          .insert(outboxEvents)
          .select(
            sql`select null, ${type}, null, ${JSON.stringify({ heading: title, text, link })}, ${nowUnix}, null
              where ${isWanted(type)} and (select count(*) ${ofHour}) < ${messagesPerHourMax}`,
          )
          .returning({ id: outboxEvents.id }),
        db.select({ count: count() }).from(channels).where(wants(type)),
        db.select({ atUnix: sql<number | null>`(select min(at_unix) ${ofHour})` }).from(sql`(select 1)`),
        planDelivery(db, nowUnix),
      ])
      const wanted = told?.count ?? 0
      if (written.length === 0 && wanted > 0)
        return failWith({ retryAfterSeconds: (oldest?.atUnix ?? nowUnix) + hourSeconds - nowUnix })
      if (wanted > 0) await wake()
      return succeed(wanted)
    },
  }
}

export function createEvents(db: DrizzleD1Database, clock: Clock): Events {
  return {
    async record(event) {
      await db.batch([...recordEvent(db, event, unixSeconds(clock))])
    },
    async planDelivery() {
      await planDelivery(db, unixSeconds(clock))
    },
  }
}
