/** What a session's messages and events come to for a reader. Pure. */
import type { SessionEventType, StampedEvent } from '../../core/session/event.ts'
import type {
  AssistantMessage,
  Message,
  Prompt,
  SessionRecord,
  TokenCounts,
  ToolPart,
} from '../../core/session/message.ts'
import type { Delivery } from '../../core/vocabulary.ts'
import type { StreamEvent } from '../api/frames.ts'
import type { WaitingPrompt } from '../api/routes.ts'

/** An event as it is stored, from one of the stream; the stream leaves out what stands in its envelope. */
export function stamped(event: StreamEvent, nowMs: number): StampedEvent {
  const timestamp = event.data['timestamp']
  return {
    type: event.type,
    data: event.data,
    sessionID: event.durable?.aggregateID ?? '',
    timestamp: typeof timestamp === 'number' ? timestamp : nowMs,
  } as unknown as StampedEvent
}

/** Prompts that were accepted and not taken in yet, oldest first, by the events about them. */
export function queueOf(events: readonly StreamEvent[], known: readonly Queued[] = []): readonly Queued[] {
  const waiting = new Map(known.map((one) => [one.id, one]))
  for (const { type, data } of events) {
    const id = String(data['messageID'])
    if (type === 'session.next.prompt.admitted') {
      const { text, files = [] } = data['prompt'] as Prompt
      waiting.set(id, { id, text, files: files.length, delivery: data['delivery'] as Delivery })
    } else if (leavesQueue.has(type)) waiting.delete(id)
  }
  return waiting.size === known.length && known.every(({ id }) => waiting.has(id)) ? known : [...waiting.values()]
}

const leavesQueue: ReadonlySet<string> = new Set<SessionEventType>([
  'session.next.prompted',
  'session.next.synthetic',
  'session.next.prompt.withdrawn',
])

export type Queued = Pick<WaitingPrompt, 'id' | 'text' | 'files' | 'delivery'>

function toolsOf(messages: readonly Message[]): readonly ToolPart[] {
  return messages.flatMap((message) =>
    message.type === 'assistant' ? message.content.filter((part) => part.type === 'tool') : [],
  )
}

export interface Todo {
  readonly content: string
  readonly status: 'pending' | 'in_progress' | 'completed' | 'cancelled'
}

/** The list as it was written last. */
export function todosOf(messages: readonly Message[]): readonly Todo[] {
  const last = toolsOf(messages).findLast(({ name, state }) => name === 'todowrite' && state.status === 'completed')
  const todos = last?.state.status === 'completed' ? last.state.structured['todos'] : undefined
  return Array.isArray(todos) ? (todos as Todo[]) : []
}

/** How much the model was last given, and said: what the next step begins with. */
export function contextTokens(messages: readonly Message[]): number {
  const last = messages.findLast(
    (message): message is AssistantMessage => message.type === 'assistant' && message.tokens !== undefined,
  )
  return last?.tokens === undefined ? 0 : totalTokens(last.tokens)
}

export function totalTokens({ input, output, reasoning, cache }: TokenCounts): number {
  return input + output + reasoning + cache.read + cache.write
}

/** The part of what was sent that a provider had kept; undefined where nothing was sent. */
export function cachedShare({ input, cache }: TokenCounts): number | undefined {
  const sent = input + cache.read + cache.write
  return sent === 0 ? undefined : cache.read / sent
}

export interface Project {
  readonly directory: string
  readonly name: string
  readonly sessions: readonly SessionRecord[]
}

/** Sessions of people by folder, the folder with the newest change first; what a task began is under its parent. */
export function projectsOf(sessions: readonly SessionRecord[]): readonly Project[] {
  const own = sessions.filter(({ parentID }) => parentID === undefined)
  return [...Map.groupBy(own, ({ location }) => location.directory)].map(([directory, found]) => ({
    directory,
    name: nameOf(directory),
    sessions: found,
  }))
}

/** What each session cost together with the tasks below it, as far as they are listed. */
export function costsWithTasks(sessions: readonly SessionRecord[]): ReadonlyMap<string, number> {
  const byId = new Map(sessions.map((session) => [session.id, session]))
  const costs = new Map<string, number>()
  for (const session of sessions) {
    for (let one: SessionRecord | undefined = session; one !== undefined; one = byId.get(one.parentID ?? ''))
      costs.set(one.id, (costs.get(one.id) ?? 0) + session.cost)
  }
  return costs
}

export function nameOf(directory: string): string {
  return directory.split(/[\\/]/).findLast((part) => part !== '') ?? directory
}
