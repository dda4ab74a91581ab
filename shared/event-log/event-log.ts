/**
 * An append-only log per aggregate. Sequence numbers start at 0, have no gaps and are never used twice: the next one
 * is kept in a row of its own, in the transaction of the append.
 */
import { numberOf, type SqlRow, type SyncSql, textOf } from '../sql/sync-sql.ts'

export const eventLogSchema = [
  `CREATE TABLE event_sequence (aggregate_id TEXT PRIMARY KEY, next_seq INTEGER NOT NULL) WITHOUT ROWID`,
  `CREATE TABLE event (
     aggregate_id TEXT NOT NULL, seq INTEGER NOT NULL, id TEXT NOT NULL, type TEXT NOT NULL,
     version INTEGER NOT NULL, data TEXT NOT NULL, PRIMARY KEY (aggregate_id, seq)
   ) WITHOUT ROWID`,
] as const

export interface NewEvent {
  readonly id: string
  readonly type: string
  readonly version: number
  /** The payload as JSON text, stored and sent as it is. */
  readonly data: string
}

export interface LoggedEvent extends NewEvent {
  readonly aggregateId: string
  readonly seq: number
}

/** Appends one event. The caller holds the transaction, together with the projections that follow from the event. */
export function appendEvent(sql: SyncSql, aggregateId: string, event: NewEvent): LoggedEvent {
  const [row] = sql.all(
    `INSERT INTO event_sequence (aggregate_id, next_seq) VALUES (?, 1)
     ON CONFLICT (aggregate_id) DO UPDATE SET next_seq = next_seq + 1 RETURNING next_seq - 1 AS seq`,
    aggregateId,
  )
  if (row === undefined) throw new Error('the sequence row was not written')
  const seq = numberOf(row, 'seq')
  sql.run(
    'INSERT INTO event (aggregate_id, seq, id, type, version, data) VALUES (?, ?, ?, ?, ?, ?)',
    aggregateId,
    seq,
    event.id,
    event.type,
    event.version,
    event.data,
  )
  return { ...event, aggregateId, seq }
}

/** Sequence number of the newest event, or -1 for an aggregate without events. */
export function newestSeq(sql: SyncSql, aggregateId: string): number {
  const [row] = sql.all('SELECT next_seq - 1 AS seq FROM event_sequence WHERE aggregate_id = ?', aggregateId)
  return row === undefined ? -1 : numberOf(row, 'seq')
}

/** At most `limit` events with `after < seq <= upTo`, in order. */
export function readEvents(
  sql: SyncSql,
  aggregateId: string,
  range: { readonly after: number; readonly upTo: number; readonly limit: number },
): LoggedEvent[] {
  return sql
    .all(
      'SELECT * FROM event WHERE aggregate_id = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?',
      aggregateId,
      range.after,
      range.upTo,
      range.limit,
    )
    .map(toLoggedEvent)
}

function toLoggedEvent(row: SqlRow): LoggedEvent {
  return {
    aggregateId: textOf(row, 'aggregate_id'),
    seq: numberOf(row, 'seq'),
    id: textOf(row, 'id'),
    type: textOf(row, 'type'),
    version: numberOf(row, 'version'),
    data: textOf(row, 'data'),
  }
}
