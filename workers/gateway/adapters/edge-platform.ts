import { recordOf } from '#shared/kernel/json-record.ts'
import { webSignal } from '../core/cancellation.ts'
import { hexOf } from '../core/hex.ts'
import type { Digests, Outgoing, Random, Timers } from '../ports.ts'

// What every web-standard runtime offers; a host with something faster brings its own.

/**
 * Outgoing requests by a function of fetch's shape. Redirects are never followed by themselves. What the edge's runtime
 * calls retryable may be a kept connection that the other side closed as the request came: an idempotent one is sent once
 * more (RFC 9110, 9.2.2).
 */
export function outgoingBy(send: (url: string, init: RequestInit) => Promise<Response>): Outgoing {
  return async (request) => {
    const ask = () =>
      send(request.url, {
        method: request.method,
        headers: request.headers,
        redirect: 'manual',
        signal: webSignal(request.signal),
        ...(request.body === undefined ? {} : { body: request.body }),
      })
    const answer = await ask().catch((error: unknown) => {
      if (request.method === 'POST' || recordOf(error)?.['retryable'] !== true) throw error
      return ask()
    })
    return {
      status: answer.status,
      header: (name) => answer.headers.get(name) ?? undefined,
      body: answer.body ?? noBytes,
    }
  }
}

export const fetchOutgoing = outgoingBy((url, init) => fetch(url, init))

const noBytes: AsyncIterable<Uint8Array> = { async *[Symbol.asyncIterator]() {} }

const encoder = new TextEncoder()
/** A signing key serves for a day, so it is imported once. */
const importedKeys = new WeakMap<Uint8Array, ReturnType<typeof crypto.subtle.importKey>>()

export const webDigests: Digests = {
  async sha256Hex(data) {
    const bytes = typeof data === 'string' ? encoder.encode(data) : data
    return hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
  },
  async hmacSha256(key, bytes) {
    let imported = importedKeys.get(key)
    if (imported === undefined) {
      imported = crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
      importedKeys.set(key, imported)
    }
    return new Uint8Array(await crypto.subtle.sign('HMAC', await imported, bytes))
  },
  async hmacSha256Hex(key, text) {
    return hexOf(await webDigests.hmacSha256(key, encoder.encode(text)))
  },
}

/** Drawn in one go: asking the platform costs more than the bytes do. */
const drawn = new Uint8Array(1_024)
let drawnDigits = ''

export const webRandom: Random = {
  hex(bytes) {
    if (drawnDigits.length < 2 * bytes) drawnDigits = hexOf(crypto.getRandomValues(drawn))
    const digits = drawnDigits.slice(0, 2 * bytes)
    drawnDigits = drawnDigits.slice(2 * bytes)
    return digits
  },
  fraction: () => Math.random(),
}

export const webTimers: Timers = {
  sleep(ms, signal) {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve()
      const wake = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      const timer = setTimeout(wake, ms)
      signal.addEventListener('abort', wake, { once: true })
    })
  },
  every(ms, task) {
    const timer = setInterval(task, ms)
    return () => clearInterval(timer)
  },
  watch: (ms, task) => webTimers.every(ms, task),
}

/** The platform's own log. */
export function writeLine(line: string): void {
  // biome-ignore lint/suspicious/noConsole: the console is where the edge collects log lines
  console.log(line)
}
