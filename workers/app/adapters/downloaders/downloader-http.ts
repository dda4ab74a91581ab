import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { DownloaderFault } from '../../core/downloader-fault.ts'
import { isCertificateTrouble, readBounded, readBytes } from '../outside-answer.ts'
import type { DriverRuntime } from './downloader-driver.ts'

export interface DownloaderCall {
  readonly address: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer>
  /** What comes is no text. */
  readonly isFile?: boolean
}

export interface DownloaderAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Of a call for a file, whose text is empty. */
  readonly bytes: Uint8Array
}

export interface CallRuntime extends Pick<DriverRuntime, 'fetch'> {
  readonly bounds: Pick<DriverRuntime['bounds'], 'callMs' | 'answerBytesMax'>
}

/**
 * One call with its time limit and its bound on the answer. Redirects are not followed: they could carry the password to
 * another host. Whatever the outside does wrong is a fault, never a rejection.
 */
export async function callDownloader(
  runtime: CallRuntime,
  call: DownloaderCall,
  operation: AbortSignal,
): Promise<Result<DownloaderAnswer, DownloaderFault>> {
  const signal = AbortSignal.any([operation, AbortSignal.timeout(runtime.bounds.callMs)])
  try {
    const response = await runtime.fetch(call.address, {
      method: call.method,
      headers: call.headers,
      redirect: 'manual',
      signal,
      ...(call.body === undefined ? {} : { body: call.body }),
    })
    const { status, headers } = response
    const { answerBytesMax } = runtime.bounds
    if (call.isFile === true && status === 200) {
      const bytes = await readBytes(response, answerBytesMax, signal)
      return bytes === undefined ? failWith({ kind: 'too_large' }) : succeed({ status, headers, text: '', bytes })
    }
    const text = await readText(response, answerBytesMax, signal)
    return text === undefined ? failWith({ kind: 'too_large' }) : succeed({ status, headers, text, bytes: noBytes })
  } catch (error) {
    return failWith(
      signal.aborted
        ? { kind: 'timeout' }
        : { kind: isCertificateTrouble(error, call.address) ? 'certificate' : 'unreachable' },
    )
  }
}

const noBytes = new Uint8Array()

/** Undefined when the answer is longer than allowed. Decoded as it comes, so that a long list is not held twice. */
async function readText(response: Response, bytesMax: number, signal: AbortSignal): Promise<string | undefined> {
  const decoder = new TextDecoder()
  const pieces: string[] = []
  const isWhole = await readBounded(response, bytesMax, signal, (piece) => {
    pieces.push(decoder.decode(piece, { stream: true }))
  })
  return isWhole ? pieces.join('') + decoder.decode() : undefined
}

/** Answers that say: whatever listens there, it is not the program that was configured. */
export function isForeignStatus(status: number): boolean {
  return status === 404 || status === 405 || status === 501
}

/** The sign-in that goes with each call. None where neither name nor password is set. */
export function basicAuthorization(username: string, password: string): Readonly<Record<string, string>> {
  if (username === '' && password === '') return {}
  const bytes = new TextEncoder().encode(`${username}:${password}`)
  return { authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` }
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
