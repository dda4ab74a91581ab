/** What was said in a conversation, and the events that tell its readers of it. */
import { appendEvent, newestSeq, readEvents } from '#shared/event-log/event-log.ts'
import { numberOf, type SqlRow, type SyncSql, textOf } from '#shared/sql/sync-sql.ts'
import { numberEvent, writeEvent } from '../../contract/assistant-wire.ts'
import type { ConversationEvent, Message, MessagePart, ToolCall } from '../../core/assistant/conversation.ts'
import { eventsKeptMax, eventsPageMax, messagesKeptMax } from '../../limits.ts'
import type { Identifiers } from '../../ports/runtime.ts'

/** All events of an object are of its one conversation. */
const log = 'conversation'

export class ConversationLog {
  readonly #sql: SyncSql
  readonly #identifiers: Identifiers

  constructor(sql: SyncSql, identifiers: Identifiers) {
    this.#sql = sql
    this.#identifiers = identifiers
  }

  /** The number of the newest event, as readers count them. */
  newest(): number {
    return newestSeq(this.#sql, log) + 1
  }

  /** The latest ones, oldest first. */
  messages(countMax: number): Message[] {
    return this.#sql.all('SELECT * FROM message ORDER BY number DESC LIMIT ?', countMax).map(toMessage).reverse()
  }

  messagesOf(runId: string): Message[] {
    return this.#sql.all('SELECT * FROM message WHERE run_id = ? ORDER BY number', runId).map(toMessage)
  }

  /** A page of events as JSON text. Who read before `restartSeq` reads the conversation again. */
  page(
    after: number,
    { restartSeq, isRunning: running }: { readonly restartSeq: number; readonly isRunning: boolean },
  ): { readonly text: string; readonly isEmpty: boolean } {
    const newest = this.newest()
    const oldest = Math.max(1, newest - eventsKeptMax + 1)
    const reset = after > newest || after < oldest - 1 || after < restartSeq
    // Of the log's own numbers, which are one less.
    const range = { after: after - 1, upTo: newest - 1, limit: eventsPageMax }
    const events = reset ? [] : readEvents(this.#sql, log, range)
    const last = reset ? newest : after + events.length
    const written = events.map(({ seq, data }) => numberEvent(seq + 1, data)).join(',')
    return {
      text: `{"events":[${written}],"reset":${reset},"last":${last},"running":${running}}`,
      isEmpty: events.length === 0 && !reset,
    }
  }

  append(event: ConversationEvent, nowMs: number): void {
    const { seq } = appendEvent(this.#sql, log, {
      id: this.#identifiers.next(),
      type: event.type,
      version: 1,
      data: writeEvent(event, nowMs),
    })
    this.#sql.run('DELETE FROM event WHERE aggregate_id = ? AND seq <= ?', log, seq - eventsKeptMax)
  }

  say(runId: string, part: MessagePart, nowMs: number): Message {
    const message: Message = { id: this.#identifiers.next(), runId, createdAtMs: nowMs, ...part }
    this.#sql.run(
      'INSERT INTO message (id, run_id, part, created_at_ms) VALUES (?, ?, ?, ?)',
      message.id,
      runId,
      JSON.stringify(part),
      nowMs,
    )
    this.append({ type: 'message', message }, nowMs)
    return message
  }

  sayResult(
    runId: string,
    { id, name }: Pick<ToolCall, 'id' | 'name'>,
    content: string,
    isError: boolean,
    nowMs: number,
  ) {
    this.say(runId, { role: 'tool', content, toolName: name, toolCallId: id, isError }, nowMs)
  }

  isAnswered(runId: string, callId: string): boolean {
    return this.#sql
      .all('SELECT part FROM message WHERE run_id = ?', runId)
      .some((row) => (JSON.parse(textOf(row, 'part')) as { toolCallId?: string }).toolCallId === callId)
  }

  trim(): void {
    this.#sql.run('DELETE FROM message WHERE number <= (SELECT MAX(number) FROM message) - ?', messagesKeptMax)
  }
}

function toMessage(row: SqlRow): Message {
  const part: MessagePart = JSON.parse(textOf(row, 'part'))
  return {
    id: textOf(row, 'id'),
    runId: textOf(row, 'run_id'),
    createdAtMs: numberOf(row, 'created_at_ms'),
    ...part,
  }
}
