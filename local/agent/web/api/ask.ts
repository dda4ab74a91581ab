/** The only place that asks the server for something; what it tells by itself comes through `follow.ts`. */

import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { WireRefusal } from '../../contract/error.ts'
import type { FileDiff } from '../../core/session/message.ts'

export interface ApiFailure {
  /** The server's code, or `offline` when no answer came, or `unreadable` when it was not one of ours. */
  readonly code: string
  /** The server's own words, which are English. */
  readonly message: string
  /** The same as a kind and its facts; a server of another version may have kinds that are not known here. */
  readonly why?: WireRefusal
  /** Of a conflict: what others did to the files, which would have been lost. */
  readonly files?: readonly FileDiff[]
}

export type Answer<T> = Result<T, ApiFailure>

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export async function ask<T>(method: Method, path: string, body?: unknown, signal?: AbortSignal): Promise<Answer<T>> {
  let response: Response
  try {
    response = await fetch(path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      ...(signal === undefined ? {} : { signal }),
    })
  } catch {
    return failWith({ code: 'offline', message: '' })
  }
  if (response.status === 204) return succeed(undefined as T)
  const answer: unknown = await response.json().catch(() => undefined)
  if (response.ok) {
    return answer === undefined ? failWith({ code: 'unreadable', message: '' }) : succeed(answer as T)
  }
  return failWith(failureIn(answer, response.status))
}

/** A file as text. */
export async function askText(path: string): Promise<Answer<string>> {
  try {
    const response = await fetch(path)
    if (response.ok) return succeed(await response.text())
    return failWith(failureIn(await response.json().catch(() => undefined), response.status))
  } catch {
    return failWith({ code: 'offline', message: '' })
  }
}

function failureIn(answer: unknown, status: number): ApiFailure {
  const { error, files, why } = (answer ?? {}) as {
    readonly error?: { readonly code?: unknown; readonly message?: unknown }
    readonly files?: readonly FileDiff[]
    readonly why?: WireRefusal
  }
  return {
    ...(files === undefined ? {} : { files }),
    ...(why === undefined ? {} : { why }),
    code: typeof error?.code === 'string' ? error.code : status === 401 ? 'unauthorized' : 'unreadable',
    message: typeof error?.message === 'string' ? error.message : '',
  }
}
