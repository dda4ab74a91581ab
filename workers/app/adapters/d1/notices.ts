import { sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import type { NoticeFacts } from '../../core/notice-values.ts'
import type { Reason } from '../../core/reason/reason.ts'
import { storeReason } from '../../core/reason/stored-reason.ts'
import type { NoticeType } from '../../core/vocabulary.ts'
import { broughtForward, selectJob, serviceJob } from './job-list.ts'
import { jobs } from './schema/jobs.ts'
import { notices } from './schema/messages.ts'

/** Something that the owner may want to be told. */
export interface Notice {
  readonly type: NoticeType
  /** Of what may be told once only. */
  readonly key?: string
  readonly facts: NoticeFacts
}

type Statement = BatchItem<'sqlite'>

/**
 * Statements for the batch that writes what they tell, so that a crash loses neither or both. They write nothing while no
 * channel wants to know. Whoever may be outside the scheduler wakes it afterwards.
 */
export function tell(db: DrizzleD1Database, notice: Notice, nowUnix: number): readonly [Statement, Statement] {
  const { type, key = null, facts } = notice
  return [
    db
      .insert(notices)
      .select(sql`select null, ${type}, ${key}, ${JSON.stringify(facts)}, ${nowUnix}, null where ${isWanted(type)}`)
      .onConflictDoNothing(),
    planNotices(db, nowUnix),
  ]
}

/** The same of push records, with what stands in them, for those of the ids that meet the condition. */
export function tellOfPushes(
  db: DrizzleD1Database,
  type: Extract<NoticeType, `push.${string}`>,
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
    db.insert(notices).select(sql`
      select null, ${type}, null, json_object(
          'site', coalesce((select nullif(display_name, '') from sites where name = site), site),
          'title', title, 'size', size_bytes, 'downloader', downloader, 'reason', json(${reason})
        ), ${nowUnix}, null
      from push_records
      where id in (select value from json_each(${JSON.stringify(ids)})) and (${where}) and ${isWanted(type)}`),
    planNotices(db, nowUnix),
  ]
}

/** Has the scheduler pass on what is waiting. */
export function planNotices(db: DrizzleD1Database, nowUnix: number): Statement {
  return db
    .insert(jobs)
    .select(
      selectJob(serviceJob('notices'), nowUnix, sql`where exists (select 1 from notices where spread_at_unix is null)`),
    )
    .onConflictDoUpdate(broughtForward)
}

/** Of an open channel that wants to know. */
export function wants(type: NoticeType) {
  return sql`enabled = 1 and instr(events, ${`,${type},`}) > 0`
}

function isWanted(type: NoticeType) {
  return sql`exists (select 1 from channels where ${wants(type)})`
}
