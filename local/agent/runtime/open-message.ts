/**
 * The texts of a step that runs. Their pieces and ends are in the log alone until something else happens to the step:
 * rewriting the message for each of them would cost the square of the answer, and at its end the whole of it once more.
 * Whoever reads it meanwhile gets it with them.
 */
import { numberOf, type SqlRow, type SyncSql, textOf } from '#shared/sql/sync-sql.ts'
import type { StampedEvent } from '../core/session/event.ts'
import type { Message } from '../core/session/message.ts'
import { addTexts, isTextEnd, isTextEvent, type TextEvent, textIdOf } from '../core/session/project.ts'

/** What a query has to select of `message`, for the two functions below. Of a step that is over nothing more is looked at. */
export const messageColumns = 'id, seq, data, CASE WHEN is_open = 1 THEN projected_seq END AS open_after'

/** The message as JSON, as it is now. */
export function messageText(sql: SyncSql, sessionId: string, row: SqlRow): string {
  const message = withTexts(sql, sessionId, row)
  return message === undefined ? textOf(row, 'data') : JSON.stringify(message)
}

export function messageOf(sql: SyncSql, sessionId: string, row: SqlRow): Message {
  return withTexts(sql, sessionId, row) ?? (JSON.parse(textOf(row, 'data')) as Message)
}

/** Undefined where the row is all there is. */
function withTexts(sql: SyncSql, sessionId: string, row: SqlRow): Message | undefined {
  if (row['open_after'] === null) return undefined
  const messageId = textOf(row, 'id')
  const after = numberOf(row, 'open_after')
  const ofMessage = (rows: readonly SqlRow[]) =>
    rows
      .map((row): StampedEvent => {
        const data = JSON.parse(textOf(row, 'data'))
        return { type: textOf(row, 'type'), timestamp: data.timestamp, data } as StampedEvent
      })
      .filter((event): event is TextEvent => isTextEvent(event) && event.data.assistantMessageID === messageId)
  const ends = ofMessage(
    sql.all(
      `SELECT type, data FROM event WHERE aggregate_id = ? AND seq > ?
         AND type IN ('session.next.text.ended', 'session.next.reasoning.ended') ORDER BY seq`,
      sessionId,
      after,
    ),
  )
  // An end has its text whole. Who a piece belongs to stands before what it says, in which every quote is escaped.
  const ended = ends.filter(isTextEnd).map((end) => `ID":${JSON.stringify(textIdOf(end))}`)
  const pieces = ofMessage(
    sql.all(
      `SELECT type, data FROM event WHERE aggregate_id = ?1 AND seq > ?2
         AND type IN ('session.next.text.delta', 'session.next.reasoning.delta')
         AND NOT EXISTS (SELECT 1 FROM json_each(?3) WHERE instr(substr(event.data, 1, ${headCharacters}), value) > 0)
       ORDER BY seq`,
      sessionId,
      after,
      JSON.stringify(ended),
    ),
  )
  if (ends.length + pieces.length === 0) return undefined
  const message = JSON.parse(textOf(row, 'data')) as Message
  return message.type === 'assistant' ? addTexts(message, [...pieces, ...ends]) : undefined
}

/** Time, message and text of a piece. */
const headCharacters = 200
