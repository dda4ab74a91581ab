/** Asks the service: one answer, or why there is none. */
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { Reason } from '../../core/reason/reason.ts'
import { basePath } from '../home.ts'
import type { ApiFailure } from '../model/failure-words.ts'
import { sessionEnded } from '../session.ts'

export type { ApiFailure }

export type Answer<T> = Result<T, ApiFailure>

interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
  /** Where the server itself waits for others for longer than usual. */
  readonly patienceMs?: number
  /** How what comes is read where it is no JSON; undefined for what cannot be used. */
  readonly read?: (response: Response) => Promise<unknown>
}

/** A server that says nothing for this long counts as not reached. Downloaders have ten seconds of their own. */
const patienceMs = 30_000

/** A search may take half a minute by its contract; signing in at a site, testing one and pushing a minute. */
export const searchPatienceMs = 45_000

export const sitePatienceMs = 75_000

/** A search of two keywords, and a push of each torrent that is chosen. */
export const subscriptionSearchPatienceMs = 300_000

/** Events are waited for by the server for 25 s. */
export const eventsPatienceMs = 40_000

function retryAfter(response: Response): { retryAfterSeconds?: number } {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? { retryAfterSeconds: Math.ceil(seconds) } : {}
}

export async function call<T>(request: Call): Promise<Answer<T>> {
  const timeout = AbortSignal.timeout(request.patienceMs ?? patienceMs)
  let response: Response
  let parsed: unknown
  try {
    response = await fetch(request.path, {
      method: request.method,
      credentials: 'same-origin',
      cache: 'no-store',
      redirect: 'error',
      signal: request.signal === undefined ? timeout : AbortSignal.any([timeout, request.signal]),
      ...(request.body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(request.body) }),
    })
    parsed = await (response.ok && request.read !== undefined
      ? request.read(response)
      : response.json().catch(() => undefined))
  } catch {
    return failWith({ code: 'offline', status: 0 })
  }
  if (response.ok && parsed !== undefined) return succeed(parsed as T)
  if (response.status === 401) sessionEnded()
  const { error, reason } = (parsed ?? {}) as { error?: unknown; reason?: Reason }
  return failWith({
    code: typeof error === 'string' ? error : 'unreadable',
    status: response.status,
    ...(reason === undefined ? {} : { reason }),
    ...retryAfter(response),
  })
}

export const own = `${basePath}/api/console/v1`

export const app = `${basePath}/api/app/v1`

export interface Done {
  readonly ok: true
}

export type Items<T> = Promise<Answer<{ readonly items: readonly T[] }>>

/** Rows that are listed, added, changed and removed at one address. */
export function rowsAt<Row, Body, List = { readonly items: readonly Row[] }>(path: string) {
  return {
    list: (signal?: AbortSignal): Promise<Answer<List>> => call({ method: 'GET', path, signal }),
    add: (body: Body): Promise<Answer<Row>> => call({ method: 'POST', path, body }),
    change: (id: number, body: Body): Promise<Answer<Row>> => call({ method: 'PUT', path: `${path}/${id}`, body }),
    remove: (id: number): Promise<Answer<Done>> => call({ method: 'DELETE', path: `${path}/${id}` }),
  }
}
