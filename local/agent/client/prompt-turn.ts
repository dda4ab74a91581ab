/**
 * One prompt from its admission until the session rests. What the session stores meanwhile is told in order and without
 * a gap; what it and its tasks ask is told once. Nothing is missed between the two streams and the prompt: both are open
 * before it is sent.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { PermissionRequest, QuestionRequest } from '../core/session/event.ts'
import type { AssistantMessage, Message, ModelRef, SessionRecord } from '../core/session/message.ts'
import { clientPauseMs } from '../limits.ts'
import type { AgentClient, ClientFailure, ToldEvent } from './agent-client.ts'

export type Asked =
  | { readonly kind: 'permission'; readonly request: PermissionRequest }
  | { readonly kind: 'question'; readonly request: QuestionRequest }

export interface TurnListener {
  /** Stored events of the session itself. */
  stored(event: ToldEvent): void | Promise<void>
  /** Whatever else is told of the session and of its tasks, such as what a command says while it runs. */
  told?(event: ToldEvent): void
  asked(asked: Asked): void
  /** It needs no answer any more. */
  settled?(requestID: string): void
}

export interface PromptBody {
  readonly prompt: { readonly text: string; readonly files?: readonly object[] }
  readonly agent?: string
  readonly model?: ModelRef
}

interface Page {
  readonly data: readonly Message[]
  readonly seq: number
}

/** The last answer, undefined where the model was not reached. */
export async function promptTurn(
  client: AgentClient,
  session: Pick<SessionRecord, 'id' | 'location'>,
  body: PromptBody,
  listener: TurnListener,
  /** Withdraws the prompt, or ends its turn where that has begun; what it said until then is told all the same. */
  interrupt: AbortSignal,
): Promise<Result<AssistantMessage | undefined, ClientFailure>> {
  const path = `/api/session/${session.id}`
  const newest = () => client.ask<Page>('GET', `${path}/message?limit=1`)
  const before = await newest()
  if (!before.ok) return before
  const over = new AbortController()
  const asks = new FamilyAsks(client, session, listener)
  const log = new StoredLog(client, session.id, before.value.seq, listener)
  const following = [asks.follow(over.signal), log.follow(over.signal)]
  let id = ''
  // The turn that runs may be of somebody else's prompt.
  const stop = async () => {
    const withdrawn = await client.ask('DELETE', `${path}/prompt/${id}`)
    if (!withdrawn.ok) await client.ask('POST', `${path}/interrupt`)
  }
  try {
    await asks.isOpen
    const sent = await client.ask<{ readonly data: { readonly id: string } }>('POST', `${path}/prompt`, body)
    if (!sent.ok) return sent
    id = sent.value.data.id
    interrupt.addEventListener('abort', stop)
    if (interrupt.aborted) void stop()
    const rested = await Promise.race([untilRested(client, path, newest), log.untilWithdrawn(id)])
    if (!rested.ok) return rested
    const after = await newest()
    if (!after.ok) return after
    await log.until(after.value.seq)
    // A session that works on nothing rests before that is told.
    if (log.hasWithdrawn(id)) return withdrawn
    const [last] = after.value.data
    return succeed(last?.type === 'assistant' ? last : undefined)
  } catch (error) {
    return failWith({ code: 'offline', message: error instanceof Error ? error.message : String(error) })
  } finally {
    interrupt.removeEventListener('abort', stop)
    over.abort()
    await Promise.allSettled(following)
  }
}

/** A long wait may be cut by what lies between: it is asked again for as long as the server answers at all. */
async function untilRested(client: AgentClient, path: string, newest: () => Promise<Result<Page, ClientFailure>>) {
  const wait = () => client.ask<undefined>('POST', `${path}/wait`)
  let rested = await wait()
  while (!rested.ok && rested.failure.code === 'offline' && (await newest()).ok) rested = await wait()
  return rested
}

/** What a session that is shown stores after `seq`, and what it and its tasks ask, until the signal fires. */
export async function followSession(
  client: AgentClient,
  session: Pick<SessionRecord, 'id' | 'location'>,
  seq: number,
  listener: TurnListener,
  signal: AbortSignal,
): Promise<void> {
  const asks = new FamilyAsks(client, session, listener, true)
  const log = new StoredLog(client, session.id, seq, listener)
  await Promise.all([asks.follow(signal), log.follow(signal)])
}

/** Opens a stream again and again: one that breaks off, or whose reader was too slow, is taken up anew. */
async function keepOpen(signal: AbortSignal, once: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    try {
      await once()
    } catch {
      // It is over, or it is tried again.
    }
    if (!signal.aborted) await pause(clientPauseMs, undefined, { signal }).catch(() => undefined)
  }
}

const withdrawn = failWith<ClientFailure>({ code: 'withdrawn', message: 'The prompt was withdrawn' })

class StoredLog {
  readonly #client: AgentClient
  readonly #id: string
  readonly #listener: TurnListener
  #seq: number
  #waiting: { readonly seq: number; readonly resolve: () => void } | undefined
  readonly #withdrawn = new Set<string>()
  readonly #untilWithdrawn = new Map<string, (told: typeof withdrawn) => void>()

  constructor(client: AgentClient, id: string, seq: number, listener: TurnListener) {
    this.#client = client
    this.#id = id
    this.#seq = seq
    this.#listener = listener
  }

  follow(signal: AbortSignal): Promise<void> {
    return keepOpen(signal, async () => {
      const path = `/api/session/${this.#id}/event?after=${this.#id}:${this.#seq}`
      for await (const event of this.#client.events(path, signal)) {
        if (event.durable === undefined) return
        await this.#listener.stored(event)
        this.#seq = event.durable.seq
        if (event.type === 'session.next.prompt.withdrawn') this.#endWaitFor(String(event.data['messageID']))
        if (this.#waiting !== undefined && this.#seq >= this.#waiting.seq) this.#waiting.resolve()
      }
    })
  }

  hasWithdrawn(id: string): boolean {
    return this.#withdrawn.has(id)
  }

  /** Forever, where it is not. */
  untilWithdrawn(id: string): Promise<typeof withdrawn> {
    return new Promise((resolve) => {
      this.#untilWithdrawn.set(id, resolve)
      if (this.hasWithdrawn(id)) resolve(withdrawn)
    })
  }

  #endWaitFor(id: string): void {
    this.#withdrawn.add(id)
    this.#untilWithdrawn.get(id)?.(withdrawn)
  }

  until(seq: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting = { seq, resolve }
      if (this.#seq >= seq) resolve()
    })
  }
}

/** What a session and the tasks below it ask. */
class FamilyAsks {
  readonly #client: AgentClient
  readonly #directory: string
  readonly #listener: TurnListener
  readonly #family: Set<string>
  /** Asked before, or told already. */
  readonly #known = new Set<string>()
  readonly #opened = Promise.withResolvers<void>()
  #isFirst: boolean

  constructor(
    client: AgentClient,
    session: Pick<SessionRecord, 'id' | 'location'>,
    listener: TurnListener,
    /** What waited before is told as well. */
    tellsWaiting = false,
  ) {
    this.#client = client
    this.#isFirst = !tellsWaiting
    this.#directory = encodeURIComponent(session.location.directory)
    this.#family = new Set([session.id])
    this.#listener = listener
  }

  get isOpen(): Promise<void> {
    return this.#opened.promise
  }

  follow(signal: AbortSignal): Promise<void> {
    return keepOpen(signal, async () => {
      for await (const event of this.#client.events('/api/event', signal)) {
        if (event.type === 'server.connected') await this.#look()
        else this.#take(event)
      }
    })
  }

  #take(event: ToldEvent): void {
    const { data } = event
    if (event.type === 'session.created') {
      const { id, parentID } = data['info'] as SessionRecord
      if (parentID !== undefined && this.#family.has(parentID)) this.#family.add(id)
    } else if (event.type === 'permission.v2.asked') {
      this.#ask({ kind: 'permission', request: data as unknown as PermissionRequest })
    } else if (event.type === 'question.v2.asked') {
      this.#ask({ kind: 'question', request: data as unknown as QuestionRequest })
    } else if (/^(?:permission|question)\.v2\.(?:replied|rejected)$/.test(event.type)) {
      this.#listener.settled?.(String(data['requestID']))
    } else if (event.durable === undefined && this.#family.has(String(data['sessionID']))) this.#listener.told?.(event)
  }

  #ask(asked: Asked): void {
    const { id, sessionID } = asked.request
    if (this.#known.has(id) || !this.#family.has(sessionID)) return
    this.#known.add(id)
    this.#listener.asked(asked)
  }

  /** What was asked while nobody listened. What waited before the prompt is not this prompt's. */
  async #look(): Promise<void> {
    const read = <T>(what: string) =>
      this.#client.ask<{ data: readonly T[] }>('GET', `/api/${what}/request?directory=${this.#directory}`)
    const [permissions, questions] = await Promise.all([
      read<PermissionRequest>('permission'),
      read<QuestionRequest>('question'),
    ])
    const found: Asked[] = [
      ...(permissions.ok ? permissions.value.data : []).map((request) => ({ kind: 'permission' as const, request })),
      ...(questions.ok ? questions.value.data : []).map((request) => ({ kind: 'question' as const, request })),
    ]
    for (const asked of found) {
      if (this.#isFirst) this.#known.add(asked.request.id)
      else this.#ask(asked)
    }
    this.#isFirst = false
    this.#opened.resolve()
  }
}
