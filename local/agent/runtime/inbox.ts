/**
 * The durable inbox of a session: admission writes the event and the row, promotion turns the row into a message, and
 * withdrawal ends it before that. A row stays: what is sent again with its id is known.
 */
import type { Clock } from '#shared/kernel/clock.ts'
import type { Prompt } from '../core/session/message.ts'
import type { Delivery } from '../core/vocabulary.ts'
import type { Identifiers } from './identifiers.ts'
import type { InboxRow, Transaction } from './session-store.ts'

export interface NewInput {
  readonly id?: string | undefined
  readonly text: string
  readonly files?: Prompt['files']
  readonly agents?: Prompt['agents']
  readonly delivery?: Delivery
  /** Canonical text of the request, for telling a retry from another prompt with the same id. */
  readonly request?: string
  readonly isSynthetic?: boolean
  /** False for input that waits for another prompt, or for nobody: a start does not set it going. */
  readonly isDriven?: boolean
}

export function admitInput(
  { append, record, sql }: Transaction,
  deps: { readonly ids: Identifiers; readonly clock: Clock },
  input: NewInput,
): { readonly id: string; readonly prompt: Prompt; readonly admittedSeq: number; readonly createdMs: number } {
  const id = input.id ?? deps.ids.make('message')
  const createdMs = deps.clock.nowMs()
  const delivery = input.delivery ?? 'steer'
  const prompt: Prompt = {
    text: input.text,
    ...(input.files === undefined ? {} : { files: input.files }),
    ...(input.agents === undefined ? {} : { agents: input.agents }),
  }
  const event = append({ type: 'session.next.prompt.admitted', data: { messageID: id, prompt, delivery } })
  sql.run(
    `INSERT INTO session_input (session_id, id, admitted_seq, delivery, prompt, request, created_ms, is_synthetic,
       is_driven)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    record().id,
    id,
    event.seq,
    delivery,
    JSON.stringify(prompt),
    input.request ?? '',
    createdMs,
    input.isSynthetic === true ? 1 : 0,
    input.isDriven === false ? 0 : 1,
  )
  return { id, prompt, admittedSeq: event.seq, createdMs }
}

/** Turns a waiting input into a message of the session. */
export function promoteInput({ append, sql }: Transaction, input: InboxRow): void {
  const event = input.isSynthetic
    ? append({ type: 'session.next.synthetic', data: { messageID: input.id, text: input.prompt.text } })
    : append({
        type: 'session.next.prompted',
        data: { messageID: input.id, prompt: input.prompt, delivery: input.delivery },
      })
  sql.run(
    'UPDATE session_input SET promoted_seq = ? WHERE session_id = ? AND id = ?',
    event.seq,
    input.sessionId,
    input.id,
  )
}

/** Ends a waiting input. */
export function withdrawInput({ append, sql }: Transaction, input: InboxRow): void {
  const event = append({ type: 'session.next.prompt.withdrawn', data: { messageID: input.id } })
  sql.run(
    'UPDATE session_input SET withdrawn_seq = ? WHERE session_id = ? AND id = ?',
    event.seq,
    input.sessionId,
    input.id,
  )
}
