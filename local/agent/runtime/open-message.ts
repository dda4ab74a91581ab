/**
 * The text of a step that runs. Its pieces are in the log alone until something else happens to the step: rewriting the
 * message for each of them would cost the square of the answer. Whoever reads it meanwhile gets it with the pieces.
 */
import { numberOf, type SqlRow, type SyncSql, textOf } from '#shared/sql/sync-sql.ts'
import type { Message } from '../core/session/message.ts'
import { addPieces, type TextPiece } from '../core/session/project.ts'

/** What a query has to select of `message`, for the two functions below. Of a step that is over nothing more is looked at. */
export const messageColumns = 'id, seq, data, CASE WHEN is_open = 1 THEN projected_seq END AS open_after'

/** The message as JSON, as it is now. */
export function messageText(sql: SyncSql, sessionId: string, row: SqlRow): string {
  const message = withPieces(sql, sessionId, row)
  return message === undefined ? textOf(row, 'data') : JSON.stringify(message)
}

export function messageOf(sql: SyncSql, sessionId: string, row: SqlRow): Message {
  return withPieces(sql, sessionId, row) ?? (JSON.parse(textOf(row, 'data')) as Message)
}

/** Undefined where the row is all there is. */
function withPieces(sql: SyncSql, sessionId: string, row: SqlRow): Message | undefined {
  if (row['open_after'] === null) return undefined
  const messageId = textOf(row, 'id')
  const pieces = sql
    .all(
      `SELECT data FROM event WHERE aggregate_id = ? AND seq > ?
         AND type IN ('session.next.text.delta', 'session.next.reasoning.delta') ORDER BY seq`,
      sessionId,
      numberOf(row, 'open_after'),
    )
    .map((event) => JSON.parse(textOf(event, 'data')) as TextPiece)
    .filter((piece) => piece.assistantMessageID === messageId)
  if (pieces.length === 0) return undefined
  const message = JSON.parse(textOf(row, 'data')) as Message
  return message.type === 'assistant' ? addPieces(message, pieces) : undefined
}
