/**
 * How the record and the messages of a session follow from its events. Stored projections are written with the event,
 * and running the log from its start gives the same rows: both go through these two functions.
 */
import { titleOf } from '../title.ts'
import type { StampedEvent } from './event.ts'
import {
  type AssistantMessage,
  type AssistantPart,
  addTokens,
  type Message,
  type SessionRecord,
  type TokenCounts,
  type ToolPart,
} from './message.ts'

export type MessageChange =
  | { readonly kind: 'put'; readonly message: Message }
  /** A committed revert takes this message and everything after it. */
  | { readonly kind: 'drop_from'; readonly messageId: string }
  | { readonly kind: 'none' }

const none: MessageChange = { kind: 'none' }

function put(message: Message): MessageChange {
  return { kind: 'put', message }
}

export function projectMessage(event: StampedEvent, find: (messageId: string) => Message | undefined): MessageChange {
  const created = { created: event.timestamp }
  switch (event.type) {
    case 'session.next.prompted':
      return put({ id: event.data.messageID, time: created, type: 'user', ...event.data.prompt })
    case 'session.next.synthetic':
      return put({
        id: event.data.messageID,
        time: created,
        type: 'synthetic',
        sessionID: event.sessionID,
        text: event.data.text,
      })
    case 'session.next.context.updated':
      return put({ id: event.data.messageID, time: created, type: 'system', text: event.data.text })
    case 'session.next.agent.switched':
      return put({ id: event.data.messageID, time: created, type: 'agent-switched', agent: event.data.agent })
    case 'session.next.model.switched':
      return put({ id: event.data.messageID, time: created, type: 'model-switched', model: event.data.model })
    case 'session.next.compaction.ended':
      return put({
        id: event.data.messageID,
        time: created,
        type: 'compaction',
        reason: event.data.reason,
        summary: event.data.text,
        recent: event.data.recent,
      })
    case 'session.next.revert.committed':
      return { kind: 'drop_from', messageId: event.data.messageID }
    case 'session.next.step.started':
      return put({
        id: event.data.assistantMessageID,
        time: created,
        type: 'assistant',
        agent: event.data.agent,
        model: event.data.model,
        content: [],
        ...(event.data.snapshot === undefined ? {} : { snapshot: { start: event.data.snapshot } }),
      })
    default:
      break
  }
  if (!('assistantMessageID' in event.data)) return none
  const message = find(event.data.assistantMessageID)
  if (message?.type !== 'assistant') return none
  return put(projectStep(event, message))
}

function projectStep(event: StampedEvent, message: AssistantMessage): AssistantMessage {
  switch (event.type) {
    case 'session.next.text.started':
      return withPart(message, { type: 'text', id: event.data.textID, text: '' })
    case 'session.next.text.delta':
      return changePart(message, 'text', event.data.textID, (part) => ({ ...part, text: part.text + event.data.delta }))
    case 'session.next.text.ended':
      return changePart(message, 'text', event.data.textID, (part) => ({ ...part, text: event.data.text }))
    case 'session.next.reasoning.started':
      return withPart(message, {
        type: 'reasoning',
        id: event.data.reasoningID,
        text: '',
        time: { created: event.timestamp },
      })
    case 'session.next.reasoning.delta':
      return changePart(message, 'reasoning', event.data.reasoningID, (part) => ({
        ...part,
        text: part.text + event.data.delta,
      }))
    case 'session.next.reasoning.ended':
      return changePart(message, 'reasoning', event.data.reasoningID, (part) => ({
        ...part,
        text: event.data.text,
        ...(event.data.provider === undefined ? {} : { provider: event.data.provider }),
        time: { created: part.time?.created ?? event.timestamp, completed: event.timestamp },
      }))
    case 'session.next.tool.input.started':
      return withPart(message, {
        type: 'tool',
        id: event.data.callID,
        name: event.data.name,
        state: { status: 'pending', input: '' },
        time: { created: event.timestamp },
      })
    case 'session.next.tool.input.ended':
      return changePart(message, 'tool', event.data.callID, (part) => ({
        ...part,
        state: { status: 'pending', input: event.data.text },
      }))
    case 'session.next.tool.called':
      return changePart(message, 'tool', event.data.callID, (part) => ({
        ...part,
        provider: event.data.provider,
        state: { status: 'running', input: event.data.input, structured: {}, content: [] },
        time: { ...part.time, ran: event.timestamp },
      }))
    case 'session.next.tool.success':
      return changePart(message, 'tool', event.data.callID, (part) => ({
        ...part,
        state: {
          status: 'completed',
          input: inputOf(part),
          structured: event.data.structured,
          content: event.data.content,
          ...(event.data.outputPaths === undefined ? {} : { outputPaths: event.data.outputPaths }),
        },
        time: settledTime(part, event.timestamp, event.data.workedMs),
      }))
    case 'session.next.tool.failed':
      return changePart(message, 'tool', event.data.callID, (part) => ({
        ...part,
        state: { status: 'error', input: inputOf(part), structured: {}, content: [], error: event.data.error },
        time: settledTime(part, event.timestamp, event.data.workedMs),
      }))
    case 'session.next.step.ended':
      return {
        ...message,
        finish: event.data.finish,
        cost: event.data.cost,
        tokens: event.data.tokens,
        time: { ...message.time, completed: event.timestamp },
        ...(event.data.snapshot === undefined && event.data.files === undefined
          ? {}
          : { snapshot: { ...message.snapshot, end: event.data.snapshot, files: event.data.files } }),
      }
    case 'session.next.step.failed':
      return {
        ...message,
        finish: 'error',
        error: event.data.error,
        time: { ...message.time, completed: event.timestamp },
      }
    default:
      return message
  }
}

/** A call that waited is told as if it had begun that much later. */
function settledTime({ time }: ToolPart, completed: number, workedMs: number | undefined): ToolPart['time'] {
  return { ...time, ...(workedMs === undefined ? {} : { ran: completed - workedMs }), completed }
}

/** The same as projecting each of them, at the cost of one for each text. */
export function addTexts(message: AssistantMessage, events: readonly TextEvent[]): AssistantMessage {
  const more = new Map<string, string>()
  for (const event of events) {
    const id = textIdOf(event)
    if (!isTextEnd(event)) more.set(id, (more.get(id) ?? '') + event.data.delta)
  }
  const content = message.content.map((part) => {
    const added = part.type === 'tool' ? undefined : more.get(part.id)
    return part.type === 'tool' || added === undefined ? part : { ...part, text: part.text + added }
  })
  return events
    .filter(isTextEnd)
    .reduce<AssistantMessage>((grown, end) => projectStep(end, grown), { ...message, content })
}

const endTypes = ['session.next.text.ended', 'session.next.reasoning.ended'] as const
/** What a text of a step that runs grows by, and its end, need no projection of their own: readers add them. */
const textEventTypes = ['session.next.text.delta', 'session.next.reasoning.delta', ...endTypes] as const

export type TextEnd = Extract<StampedEvent, { type: (typeof endTypes)[number] }>
export type TextBeginning = Extract<
  StampedEvent,
  { type: 'session.next.text.started' | 'session.next.reasoning.started' }
>
export type TextEvent = Extract<StampedEvent, { type: (typeof textEventTypes)[number] }>

export function isTextEvent(event: StampedEvent): event is TextEvent {
  return textEventTypes.some((type) => type === event.type)
}

/** After it the message is all that is read of the step. */
export function isStepEnd({ type }: StampedEvent): boolean {
  return type === 'session.next.step.ended' || type === 'session.next.step.failed'
}

function isTextEnd(event: TextEvent): event is TextEnd {
  return endTypes.some((type) => type === event.type)
}

export function textIdOf({ data }: TextEvent | TextBeginning): string {
  return 'textID' in data ? data.textID : data.reasoningID
}

function withPart(message: AssistantMessage, part: AssistantPart): AssistantMessage {
  return { ...message, content: [...message.content, part] }
}

function changePart<T extends AssistantPart['type']>(
  message: AssistantMessage,
  type: T,
  id: string,
  change: (part: Extract<AssistantPart, { type: T }>) => AssistantPart,
): AssistantMessage {
  const content = message.content.map((part) =>
    part.type === type && part.id === id ? change(part as Extract<AssistantPart, { type: T }>) : part,
  )
  return { ...message, content }
}

function inputOf(part: ToolPart) {
  return part.state.status === 'pending' ? {} : part.state.input
}

export function projectRecord(event: StampedEvent, record: SessionRecord | undefined): SessionRecord | undefined {
  if (event.type === 'session.created') return event.data.info
  if (record === undefined) return undefined
  const touched = { ...record, time: { ...record.time, updated: event.timestamp } }
  switch (event.type) {
    case 'session.next.agent.switched':
      return { ...touched, agent: event.data.agent }
    case 'session.next.model.switched':
      return { ...touched, model: event.data.model }
    case 'session.next.step.ended':
      return { ...touched, cost: record.cost + event.data.cost, tokens: addTokens(record.tokens, event.data.tokens) }
    case 'session.next.prompted':
      return {
        ...touched,
        title: record.title.startsWith(untitledPrefix)
          ? (titleOf(event.data.prompt.text) ?? record.title)
          : record.title,
      }
    case 'session.next.titled':
      return { ...withSpent(touched, event.data), title: event.data.title }
    case 'session.next.compaction.ended':
      return withSpent(touched, event.data)
    case 'session.next.revert.staged':
      return { ...touched, revert: event.data.revert }
    case 'session.next.revert.cleared':
    case 'session.next.revert.committed': {
      const { revert: _dropped, ...rest } = touched
      return rest
    }
    case 'session.next.changed':
      return { ...touched, changes: event.data.changes }
    case 'session.next.archived':
      return { ...record, time: { ...record.time, archived: event.data.archived } }
    case 'session.next.prompt.admitted': {
      // What is worked with again is no longer put away.
      const { archived: _dropped, ...time } = touched.time
      return { ...touched, time }
    }
    case 'session.memory.policy.changed': {
      const { useMemories, generation, reason, source, revision } = event.data
      return { ...touched, memory: { useMemories, generation, reason, source, time: event.timestamp, revision } }
    }
    case 'session.next.text.delta':
    case 'session.next.reasoning.delta':
      return record
    default:
      return touched
  }
}

/** What a model took that wrote beside the steps. */
function withSpent(
  record: SessionRecord,
  { cost = 0, tokens }: { readonly cost?: number | undefined; readonly tokens?: TokenCounts | undefined },
): SessionRecord {
  return {
    ...record,
    cost: record.cost + cost,
    tokens: tokens === undefined ? record.tokens : addTokens(record.tokens, tokens),
  }
}

export const untitledPrefix = 'New session - '
