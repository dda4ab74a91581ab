/**
 * Asks an agent server by its own interface, wherever it is: over a socket, or in this very process. What speaks for a
 * person, a command line or an editor, is written against this and knows no other way in.
 */
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { ServerSentDecoder } from '#shared/sse/server-sent-decode.ts'
import { subscriberBytesMax } from '../limits.ts'

export interface ClientFailure {
  /** The server's code, or `offline` when no answer came. */
  readonly code: string
  readonly message: string
}

/** What a stream tells; `durable` is absent where nothing was stored. */
export interface ToldEvent {
  readonly id: string
  readonly type: string
  readonly durable?: { readonly aggregateID: string; readonly seq: number }
  readonly data: Readonly<Record<string, unknown>>
}

export type Answer = (request: Request) => Response | Promise<Response>

export class AgentClient {
  readonly #base: string
  readonly #answer: Answer
  readonly #headers: Readonly<Record<string, string>>

  constructor(base: string, answer: Answer, headers: Readonly<Record<string, string>> = {}) {
    this.#base = base
    this.#answer = answer
    this.#headers = headers
  }

  async ask<T>(method: string, path: string, body?: unknown): Promise<Result<T, ClientFailure>> {
    try {
      const response = await this.#send(path, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      })
      if (response.status === 204) return succeed(undefined as T)
      const text = await response.text()
      if (response.ok) return succeed(JSON.parse(text) as T)
      return failWith(failureIn(text, response.status))
    } catch (error) {
      return failWith({ code: 'offline', message: error instanceof Error ? error.message : String(error) })
    }
  }

  /** Ends when the server ends the stream; throws when it breaks off or the signal says so. */
  async *events(path: string, signal: AbortSignal): AsyncGenerator<ToldEvent> {
    const response = await this.#send(path, { signal })
    if (!response.ok || response.body === null)
      throw new Error(failureIn(await response.text(), response.status).message)
    const decoder = new ServerSentDecoder(subscriberBytesMax)
    const reader = response.body.getReader()
    const leave = () => void reader.cancel().catch(() => undefined)
    signal.addEventListener('abort', leave)
    try {
      for (;;) {
        signal.throwIfAborted()
        const { done, value } = await reader.read()
        if (done) return
        const events = decoder.push(value)
        if (!events.ok) throw new Error('the server told too much at once')
        for (const { data } of events.value) yield JSON.parse(data) as ToldEvent
      }
    } finally {
      signal.removeEventListener('abort', leave)
      leave()
    }
  }

  async #send(path: string, init: RequestInit): Promise<Response> {
    const headers = { ...this.#headers, ...(init.headers as Record<string, string> | undefined) }
    return this.#answer(new Request(`${this.#base}${path}`, { ...init, headers }))
  }
}

function failureIn(text: string, status: number): ClientFailure {
  try {
    const { error } = JSON.parse(text) as { readonly error: ClientFailure }
    return { code: error.code, message: error.message }
  } catch {
    return { code: 'unreadable', message: `the server answered with status ${status}` }
  }
}
