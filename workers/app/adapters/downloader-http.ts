import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { DownloaderFault } from '../core/downloader-fault.ts'
import type { DriverRuntime } from './downloader-driver.ts'

export interface DownloaderCall {
  readonly address: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface DownloaderAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/**
 * One call with its time limit and its bound on the answer. Redirects are not followed: they could carry the password to
 * another host. Whatever the outside does wrong is a fault, never a rejection.
 */
export async function callDownloader(
  runtime: Pick<DriverRuntime, 'fetch' | 'bounds'>,
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
    const text = await readBounded(response, runtime.bounds.answerBytesMax, signal)
    if (text === undefined) return failWith({ kind: 'too_large' })
    return succeed({ status: response.status, headers: response.headers, text })
  } catch (error) {
    return failWith(signal.aborted ? { kind: 'timeout' } : faultOf(error, call.address))
  }
}

/** Undefined when the answer is longer than allowed. */
async function readBounded(response: Response, bytesMax: number, signal: AbortSignal): Promise<string | undefined> {
  if (response.body === null) return ''
  const reader = response.body.getReader()
  const abort = () => void reader.cancel().catch(() => {})
  signal.addEventListener('abort', abort)
  const decoder = new TextDecoder()
  const pieces: string[] = []
  let bytes = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      bytes += value.byteLength
      if (bytes > bytesMax) {
        await reader.cancel()
        return undefined
      }
      pieces.push(decoder.decode(value, { stream: true }))
    }
  } finally {
    signal.removeEventListener('abort', abort)
  }
  // A cancelled reader ends as if the answer were complete: a cut answer is never read as a whole one.
  signal.throwIfAborted()
  pieces.push(decoder.decode())
  return pieces.join('')
}

const certificatePattern = /certificate|\bcert_|\bTLS\b|\bSSL\b|self.signed|ERR_TLS|ERR_SSL|UNABLE_TO_VERIFY/i

/**
 * The local runtime says `internal error` both for a certificate it does not trust and for a name it cannot resolve, and
 * `Network connection lost` for a closed port: on a secure address the first is taken for a matter of the certificate,
 * whose text names the other cause too.
 */
function faultOf(error: unknown, address: string): DownloaderFault {
  const text = textOf(error)
  const isSecure = address.toLowerCase().startsWith('https:')
  const isCertificate = certificatePattern.test(text) || (isSecure && text.includes('internal error'))
  return { kind: isCertificate ? 'certificate' : 'unreachable' }
}

/** The runtime's own words, with those of the causes, to tell a bad certificate from a closed port. Never shown. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return `${error.name} ${code} ${error.message} ${textOf(error.cause)}`
}

/** Answers that say: whatever listens there, it is not the program that was configured. */
export function isForeignStatus(status: number): boolean {
  return status === 404 || status === 405 || status === 501
}
