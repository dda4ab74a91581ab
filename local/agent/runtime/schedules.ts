/** Prompts that begin by themselves, at a time or every so often. They are kept over restarts; whose time went by is told. */
import type { Clock } from '#shared/kernel/clock.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { numberOf, type SqlRow, type SyncSql, textOf } from '#shared/sql/sync-sql.ts'
import type { WireSchedule } from '../contract/schedule.ts'
import { type Failure, failure, sessionNotFound } from '../core/failure.ts'
import { present } from '../core/fields.ts'
import { firstTime, whatIsDue } from '../core/schedule.ts'
import type { FailureCode } from '../core/vocabulary.ts'
import { scheduleAheadMsMax, scheduleGraceMs, schedulesMax } from '../limits.ts'
import type { Locations, Logger, ScheduleInput, Schedules, Sessions } from '../ports.ts'
import type { Identifiers } from './identifiers.ts'

export const scheduleSchema = [
  `CREATE TABLE schedule (
     id TEXT PRIMARY KEY, directory TEXT NOT NULL, session_id TEXT, text TEXT NOT NULL, agent TEXT, every_ms INTEGER,
     next_ms INTEGER, missed INTEGER NOT NULL, last_ms INTEGER, last_session_id TEXT, problem TEXT,
     created_ms INTEGER NOT NULL
   ) WITHOUT ROWID`,
  'CREATE INDEX schedule_by_next ON schedule (next_ms)',
]

/** Of one that did not begin: what a page says of it in its own language. */
export const scheduleProblemSchema = ['ALTER TABLE schedule ADD COLUMN problem_code TEXT']

export interface ScheduledPromptsDeps {
  readonly sql: SyncSql
  readonly clock: Clock
  readonly ids: Identifiers
  readonly sessions: Pick<Sessions, 'create' | 'admit' | 'read'>
  readonly locations: Locations
  readonly logger: Logger
  readonly notify: (type: string, data: Readonly<Record<string, unknown>>) => void
  readonly lookMs: number
}

const minuteMs = 60_000

export class ScheduledPrompts implements Schedules {
  readonly #deps: ScheduledPromptsDeps
  readonly #running = new Set<Promise<void>>()
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(deps: ScheduledPromptsDeps) {
    this.#deps = deps
  }

  /** Whether something comes for which the server has to stay. */
  get isWaiting(): boolean {
    return this.#timer !== undefined && this.#count('next_ms IS NOT NULL') > 0
  }

  list(): readonly WireSchedule[] {
    return this.#deps.sql.all('SELECT * FROM schedule ORDER BY id').map(toWire)
  }

  create(directory: string, input: ScheduleInput): Result<WireSchedule, Failure> {
    const { sql, clock, ids, sessions } = this.#deps
    if (input.sessionID !== undefined && !sessions.read(input.sessionID).ok)
      return failWith(sessionNotFound(input.sessionID))
    const nowMs = clock.nowMs()
    const everyMs = input.everyMinutes === undefined ? undefined : input.everyMinutes * minuteMs
    const nextMs = firstTime({ at: input.at, everyMs }, nowMs, scheduleAheadMsMax)
    if (typeof nextMs === 'string') return failWith(failure('invalid_request', { kind: refusals[nextMs] }))
    if (this.#count('1') >= schedulesMax)
      return failWith(failure('conflict', { kind: 'schedules', most: schedulesMax }))
    const id = ids.make('schedule')
    sql.run(
      `INSERT INTO schedule (id, directory, session_id, text, agent, every_ms, next_ms, missed, created_ms)
       VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?)`,
      ...[id, directory, input.sessionID ?? null, input.text, input.agent ?? null, everyMs ?? null, nextMs, nowMs],
    )
    this.#deps.notify('schedule.changed', { scheduleID: id })
    return succeed(toWire(sql.all('SELECT * FROM schedule WHERE id = ?', id)[0] as SqlRow))
  }

  remove(id: string): Result<void, Failure> {
    const { sql, notify } = this.#deps
    if (sql.all('SELECT id FROM schedule WHERE id = ?', id).length === 0)
      return failWith(failure('not_found', { kind: 'no_schedule' }, { kind: 'resource', resource: id }))
    sql.run('DELETE FROM schedule WHERE id = ?', id)
    notify('schedule.changed', { scheduleID: id })
    return succeed(undefined)
  }

  start(): void {
    this.#look()
    this.#timer = setInterval(() => this.#look(), this.#deps.lookMs)
    this.#timer.unref()
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#timer = undefined
    await Promise.all(this.#running)
  }

  #look(): void {
    const { sql, clock, logger, notify } = this.#deps
    try {
      const nowMs = clock.nowMs()
      for (const row of sql.all('SELECT * FROM schedule WHERE next_ms <= ?', nowMs)) {
        const id = textOf(row, 'id')
        const due = whatIsDue(
          { nextMs: optional(row, 'next_ms'), everyMs: optional(row, 'every_ms') },
          nowMs,
          scheduleGraceMs,
        )
        // Taken before it runs, and only if no other server of the folder took it: twice would be worse than not at all.
        const isTaken = sql.transaction(() => {
          const before = sql.all('SELECT next_ms FROM schedule WHERE id = ?', id)[0]
          if (before?.['next_ms'] !== row['next_ms']) return false
          sql.run(
            'UPDATE schedule SET next_ms = ?, missed = missed + ? WHERE id = ?',
            due.nextMs ?? null,
            due.missed,
            id,
          )
          return true
        })
        if (!isTaken) continue
        notify('schedule.changed', { scheduleID: id })
        if (due.missed > 0) logger.error('schedule_missed', { schedule: id, times: due.missed })
        if (due.runs) this.#begin(row)
      }
    } catch (cause) {
      logger.error('schedule_failed', { cause })
    }
  }

  #begin(row: SqlRow): void {
    const work = this.#run(row)
      .catch((cause: unknown) => this.#deps.logger.error('schedule_failed', { cause }))
      .finally(() => this.#running.delete(work))
    this.#running.add(work)
  }

  async #run(row: SqlRow): Promise<void> {
    const { sql, clock, notify } = this.#deps
    const id = textOf(row, 'id')
    const begun = await this.#prompt(row)
    const [session, problem, code] = begun.ok
      ? [begun.value, null, null]
      : [null, begun.failure.message, begun.failure.code]
    sql.run(
      'UPDATE schedule SET last_ms = ?, last_session_id = ?, problem = ?, problem_code = ? WHERE id = ?',
      ...[clock.nowMs(), session, problem, code, id],
    )
    notify('schedule.changed', { scheduleID: id })
  }

  async #prompt(row: SqlRow): Promise<Result<string, Failure>> {
    const { sessions, locations } = this.#deps
    const agent = optionalText(row, 'agent')
    let session = optionalText(row, 'session_id')
    if (session === undefined) {
      const location = await locations.resolve(textOf(row, 'directory'))
      if (!location.ok) return location
      const created = await sessions.create({ location: location.value, ...(agent === undefined ? {} : { agent }) })
      if (!created.ok) return created
      session = (JSON.parse(created.value) as { readonly id: string }).id
    }
    const admitted = await sessions.admit(session, { prompt: { text: textOf(row, 'text') }, delivery: 'queue' })
    return admitted.ok ? succeed(session) : admitted
  }

  #count(condition: string): number {
    return numberOf(
      this.#deps.sql.all(`SELECT count(*) AS count FROM schedule WHERE ${condition}`)[0] as SqlRow,
      'count',
    )
  }
}

const refusals = {
  neither: 'schedule_untimed',
  past: 'schedule_past',
  far: 'schedule_far',
} as const

function optional(row: SqlRow, column: string): number | undefined {
  return row[column] === null ? undefined : numberOf(row, column)
}

function optionalText(row: SqlRow, column: string): string | undefined {
  return row[column] === null ? undefined : textOf(row, column)
}

function toWire(row: SqlRow): WireSchedule {
  const last = optional(row, 'last_ms')
  const everyMs = optional(row, 'every_ms')
  const given = {
    sessionID: optionalText(row, 'session_id'),
    agent: optionalText(row, 'agent'),
    everyMinutes: everyMs === undefined ? undefined : everyMs / minuteMs,
    next: optional(row, 'next_ms'),
  }
  const ended = {
    sessionID: optionalText(row, 'last_session_id'),
    problem: optionalText(row, 'problem'),
    code: optionalText(row, 'problem_code') as FailureCode | undefined,
  }
  return {
    id: textOf(row, 'id'),
    directory: textOf(row, 'directory'),
    text: textOf(row, 'text'),
    missed: numberOf(row, 'missed'),
    ...present(given),
    ...(last === undefined ? {} : { last: { time: last, ...present(ended) } }),
    time: { created: numberOf(row, 'created_ms') },
  }
}
