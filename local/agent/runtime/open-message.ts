/**
 * The texts of a step that runs. What they say is in the log alone until the step ends: writing it into the message with each
 * piece would cost the square of the answer, and with each call of a tool the whole of it once more. The row has their places.
 * Whoever reads it meanwhile gets it with them.
 */
import { numberOf, type SqlRow, type SyncSql, textOf } from '#shared/sql/sync-sql.ts'
import type { Message } from '../core/session/message.ts'
import { addTexts, isTextEvent, type TextBeginning, type TextEvent, textIdOf } from '../core/session/project.ts'

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
  const message = JSON.parse(textOf(row, 'data')) as Message
  if (message.type !== 'assistant') return undefined
  const after = numberOf(row, 'open_after')
  const read = (types: string, from: number) =>
    sql
      .all(
        `SELECT seq, type, data FROM event WHERE aggregate_id = ? AND seq > ? AND type IN (${types}) ORDER BY seq`,
        sessionId,
        from,
      )
      .map((found) => ({ seq: numberOf(found, 'seq'), event: eventOf(found) }))
      .filter(({ event }) => event.data.assistantMessageID === message.id)
  const beginnings = new Map<string, number>()
  const ends: TextEvent[] = []
  for (const { seq, event } of read(bounds, after)) {
    if (isTextEvent(event)) ends.push(event)
    else beginnings.set(textIdOf(event), seq)
  }
  // An end has its text whole, so pieces are read of the texts that grow: mostly of one, from its beginning on.
  const ended = new Set(ends.map(textIdOf))
  const growing = message.content.filter(({ type, id }) => type !== 'tool' && !ended.has(id))
  const from = Math.min(...growing.map(({ id }) => beginnings.get(id) ?? after))
  const pieces = growing.length === 0 ? [] : read(growth, from).map(({ event }) => event as TextEvent)
  return addTexts(message, [...pieces.filter((piece) => !ended.has(textIdOf(piece))), ...ends])
}

const bounds = `'session.next.text.started', 'session.next.reasoning.started', 'session.next.text.ended', 'session.next.reasoning.ended'`
const growth = `'session.next.text.delta', 'session.next.reasoning.delta'`

function eventOf(row: SqlRow): TextEvent | TextBeginning {
  const data = JSON.parse(textOf(row, 'data'))
  return { type: textOf(row, 'type'), timestamp: data.timestamp, data } as TextEvent | TextBeginning
}
