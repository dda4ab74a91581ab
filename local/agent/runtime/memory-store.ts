/** Notes and what sessions were given of them, in the sessions' database. Rows follow from events, as messages do. */
import { numberOf, type SyncSql, textOf } from '#shared/sql/sync-sql.ts'
import { memoryScope, type Note } from '../core/memory.ts'
import type { StampedEvent } from '../core/session/event.ts'
import type { SessionRecord } from '../core/session/message.ts'

export const memorySchema = [
  `CREATE TABLE memory (
     id TEXT PRIMARY KEY, scope TEXT NOT NULL, session_id TEXT NOT NULL, seq INTEGER NOT NULL, message_id TEXT NOT NULL,
     call_id TEXT NOT NULL, text TEXT NOT NULL, created_ms INTEGER NOT NULL
   ) WITHOUT ROWID`,
  'CREATE INDEX memory_by_scope ON memory (scope, id)',
  'CREATE INDEX memory_by_session ON memory (session_id, seq)',
  `CREATE TABLE memory_retrieval (
     session_id TEXT PRIMARY KEY, selected TEXT NOT NULL, candidate_count INTEGER NOT NULL, time_ms INTEGER NOT NULL
   ) WITHOUT ROWID`,
] as const

export interface LearnedNote extends Note {
  readonly sessionId: string
  readonly messageId: string
  readonly callId: string
  readonly createdMs: number
}

export interface Retrieval {
  readonly selectedIds: readonly string[]
  readonly candidateCount: number
  readonly timeMs: number
}

/** What an event does to the notes, in its own transaction. */
export function projectMemory(sql: SyncSql, event: StampedEvent, seq: number, record: SessionRecord | undefined): void {
  switch (event.type) {
    case 'session.memory.learned':
      if (record === undefined) throw new Error(`session ${event.sessionID} has no record`)
      sql.run(
        'INSERT INTO memory (id, scope, session_id, seq, message_id, call_id, text, created_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
        event.data.memoryID,
        memoryScope(record),
        event.sessionID,
        seq,
        event.data.messageID,
        event.data.callID,
        event.data.text,
        event.timestamp,
      )
      break
    case 'session.memory.forgotten':
      dropNote(sql, event.data.memoryID)
      break
    case 'session.memory.retrieved':
      sql.run(
        `INSERT INTO memory_retrieval (session_id, selected, candidate_count, time_ms) VALUES (?, ?, ?, ?)
         ON CONFLICT (session_id) DO UPDATE SET
           selected = excluded.selected, candidate_count = excluded.candidate_count, time_ms = excluded.time_ms`,
        event.sessionID,
        JSON.stringify(event.data.selectedIDs),
        event.data.candidateCount,
        event.timestamp,
      )
      break
    default:
  }
}

/** Of a committed revert: what was learned in the messages that are gone is gone as well. */
export function dropMemoryFrom(sql: SyncSql, sessionId: string, seq: number): void {
  sql.run('DELETE FROM memory WHERE session_id = ? AND seq >= ?', sessionId, seq)
}

export function dropNote(sql: SyncSql, id: string): void {
  sql.run('DELETE FROM memory WHERE id = ?', id)
}

/** The session that learned a note. */
export function noteSession(sql: SyncSql, id: string): string | undefined {
  const [row] = sql.all('SELECT session_id FROM memory WHERE id = ?', id)
  return row === undefined ? undefined : textOf(row, 'session_id')
}

/** Notes of a project, newest first. */
export function notesOf(sql: SyncSql, scope: string): LearnedNote[] {
  return sql.all('SELECT * FROM memory WHERE scope = ? ORDER BY id DESC', scope).map(toNote)
}

/** What a session learned, in order. */
export function learnedBy(
  sql: SyncSql,
  sessionId: string,
  page: { readonly offset: number; readonly limit: number },
): { readonly notes: LearnedNote[]; readonly total: number } {
  const [count] = sql.all('SELECT COUNT(*) AS count FROM memory WHERE session_id = ?', sessionId)
  const rows = sql.all(
    'SELECT * FROM memory WHERE session_id = ? ORDER BY seq LIMIT ? OFFSET ?',
    sessionId,
    page.limit,
    page.offset,
  )
  return { notes: rows.map(toNote), total: count === undefined ? 0 : numberOf(count, 'count') }
}

export function retrievalOf(sql: SyncSql, sessionId: string): Retrieval | undefined {
  const [row] = sql.all('SELECT * FROM memory_retrieval WHERE session_id = ?', sessionId)
  return row === undefined
    ? undefined
    : {
        selectedIds: JSON.parse(textOf(row, 'selected')) as string[],
        candidateCount: numberOf(row, 'candidate_count'),
        timeMs: numberOf(row, 'time_ms'),
      }
}

function toNote(row: Parameters<typeof textOf>[0]): LearnedNote {
  return {
    id: textOf(row, 'id'),
    text: textOf(row, 'text'),
    sessionId: textOf(row, 'session_id'),
    messageId: textOf(row, 'message_id'),
    callId: textOf(row, 'call_id'),
    createdMs: numberOf(row, 'created_ms'),
  }
}
