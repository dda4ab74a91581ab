/**
 * A conversation as far as the page knows it: one reading of it, and the events after that. Events count by their
 * number, so it does not matter how they were cut into pages or how often one came.
 */
import type {
  WireConfirmation,
  WireConversationDetail,
  WireEvent,
  WireEventPage,
  WireMessage,
} from '../../contract/assistant.ts'

/** As many as a reading gives; a test compares it with the server's. */
export const messagesShownMax = 200
/** Decisions that came while the page was open. A reading tells only of those that wait. */
const settledKeptMax = 50

export interface Transcript {
  readonly title: string
  readonly running: boolean
  readonly messages: readonly WireMessage[]
  /** Those that wait and those that were decided while the page was open. */
  readonly confirmations: readonly WireConfirmation[]
  /** What of the answer is written and not stored yet. */
  readonly partial: string
  readonly lastSeq: number
}

export function beginTranscript(read: WireConversationDetail, before?: Transcript): Transcript {
  const settled = before?.confirmations.filter(({ status }) => status !== 'pending') ?? []
  return {
    title: read.title,
    running: read.running,
    messages: read.messages.slice(-messagesShownMax),
    confirmations: read.confirmations.reduce(withConfirmation, settled),
    partial: read.partial ?? '',
    lastSeq: read.last_seq,
  }
}

/** A decision is final: what is told of the request later, or read of it late, does not undo it. */
function withConfirmation(known: readonly WireConfirmation[], next: WireConfirmation): readonly WireConfirmation[] {
  const before = known.find(({ id }) => id === next.id)
  if (before === undefined) return [...known, next].slice(-settledKeptMax)
  if (before.status !== 'pending') return known
  return known.map((one) => (one === before ? next : one))
}

function takeEvent(before: Transcript, event: WireEvent): Transcript {
  switch (event.type) {
    case 'run_started':
      return { ...before, running: true }
    case 'delta':
      return { ...before, partial: event.replace === true ? event.text : before.partial + event.text }
    case 'message': {
      const messages = [...before.messages, event.message].slice(-messagesShownMax)
      // What was being written is this message now.
      return { ...before, messages, partial: event.message.role === 'assistant' ? '' : before.partial }
    }
    case 'confirmation':
      return { ...before, confirmations: withConfirmation(before.confirmations, event.confirmation) }
    case 'run_finished':
      return { ...before, running: false, partial: '' }
    default:
      // A call that starts shows by its message; kinds that later versions add are none of ours.
      return before
  }
}

/** Undefined: the page does not follow on what is known, so the conversation has to be read again. */
export function takePage(before: Transcript, page: WireEventPage): Transcript | undefined {
  if (page.reset) return undefined
  let known = before
  for (const event of page.events.toSorted((a, b) => a.seq - b.seq)) {
    if (event.seq <= known.lastSeq) continue
    if (event.seq > known.lastSeq + 1) return undefined
    known = { ...takeEvent(known, event), lastSeq: event.seq }
  }
  return page.last > known.lastSeq ? undefined : known
}

export type ToolState = 'runs' | 'done' | 'failed' | 'ended'

export interface ToolLine {
  readonly kind: 'tool'
  readonly id: string
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly state: ToolState
  readonly result: string | undefined
  readonly confirmation: WireConfirmation | undefined
}

export type Line =
  | { readonly kind: 'answer'; readonly id: string; readonly text: string }
  | { readonly kind: 'notice'; readonly id: string; readonly text: string }
  | ToolLine

/** One thing the owner said and what came of it. The first has no words of theirs where older messages are left out. */
export interface Turn {
  readonly id: string
  readonly mine: WireMessage | undefined
  readonly lines: readonly Line[]
}

function callKey(runId: string, callId: string): string {
  return `${runId} ${callId}`
}

export function turnsOf(transcript: Transcript): Turn[] {
  const results = new Map<string, WireMessage>()
  for (const message of transcript.messages)
    if (message.role === 'tool' && message.tool_call_id !== undefined)
      results.set(callKey(message.run_id, message.tool_call_id), message)
  const asked = new Map(transcript.confirmations.map((one) => [callKey(one.run_id, one.tool_call_id), one]))
  const lastRun = transcript.messages.at(-1)?.run_id

  function toolLine(runId: string, call: NonNullable<WireMessage['tool_calls']>[number]): ToolLine {
    const key = callKey(runId, call.id)
    const result = results.get(key)
    const confirmation = asked.get(key)
    const isAtWork = transcript.running && runId === lastRun
    return {
      kind: 'tool',
      id: key,
      tool: call.name,
      arguments: call.arguments,
      state: result !== undefined ? (result.is_error === true ? 'failed' : 'done') : isAtWork ? 'runs' : 'ended',
      result: result?.content,
      confirmation,
    }
  }

  const turns: { readonly id: string; readonly mine: WireMessage | undefined; readonly lines: Line[] }[] = []
  function current(id: string): Line[] {
    const last = turns.at(-1)
    if (last !== undefined) return last.lines
    const lines: Line[] = []
    turns.push({ id, mine: undefined, lines })
    return lines
  }
  for (const message of transcript.messages) {
    const { id } = message
    if (message.role === 'user') turns.push({ id, mine: message, lines: [] })
    else if (message.role === 'notice') current(id).push({ kind: 'notice', id, text: message.content })
    else if (message.role === 'assistant') {
      if (message.content !== '') current(id).push({ kind: 'answer', id, text: message.content })
      for (const call of message.tool_calls ?? []) current(id).push(toolLine(message.run_id, call))
    }
  }
  const shown = new Set(turns.flatMap(({ lines }) => lines.map(({ id }) => id)))
  for (const confirmation of waitingOf(transcript)) {
    const { run_id, tool_call_id, tool } = confirmation
    // Its message is among those left out; the question itself never is.
    if (!shown.has(callKey(run_id, tool_call_id)))
      current(confirmation.id).push(
        toolLine(run_id, { id: tool_call_id, name: tool, arguments: confirmation.arguments, write: true }),
      )
  }
  return turns
}

export function waitingOf(transcript: Transcript): readonly WireConfirmation[] {
  return transcript.confirmations.filter(({ status }) => status === 'pending')
}

/** A message on its way: without an id until the server took it. */
export interface Outgoing {
  readonly text: string
  /** The last message there was when it was sent. */
  readonly after: string | undefined
  readonly id: string | undefined
}

/** Whether it stands among the messages: an event may be quicker than the answer to the sending. */
export function hasArrived({ messages }: Transcript, { text, after, id }: Outgoing): boolean {
  if (id !== undefined) return messages.some((one) => one.id === id)
  const since = messages.slice(messages.findIndex((one) => one.id === after) + 1)
  return since.some(({ role, content }) => role === 'user' && content === text)
}
