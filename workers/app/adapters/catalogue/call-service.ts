import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { ServiceFault } from '../../core/service-fault.ts'
import { retryAfterSecondsDefault, retryAfterSecondsMax, serviceRedirectsMax } from '../../limits.ts'
import { isCertificateTrouble, readBytes, redirectStatuses } from '../outside-answer.ts'
import { OutgoingFailure, type SiteRuntime } from '../sites/site-driver.ts'

export type ServiceRuntime = Pick<SiteRuntime, 'fetch' | 'nowMs' | 'wait'>

export interface ServiceCall {
  readonly address: string
  readonly headers?: Readonly<Record<string, string>>
  /** What is sent; left out for a read. Where it is sent on to, nothing follows it. */
  readonly form?: URLSearchParams
  readonly proxy: string | undefined
  readonly bytesMax: number
  readonly limitMs: number
  /** The service says in JSON why it refuses: that is read like an answer, whatever its status. */
  readonly isRefusedInJson?: boolean
  /** Of the answer that is read. */
  readonly onHeaders?: (headers: Headers) => void
}

/**
 * One call of a service that the owner set up, with its time limit and its bound on the answer. A redirect is followed
 * where it stays on the very origin that was set up and nowhere else: the service chooses no address we would not have
 * called by ourselves. Whatever the outside does wrong is a fault, never a rejection.
 */
export async function callService(
  runtime: Pick<ServiceRuntime, 'fetch'>,
  call: ServiceCall,
): Promise<Result<Uint8Array<ArrayBuffer>, ServiceFault>> {
  const signal = AbortSignal.timeout(call.limitMs)
  try {
    return await follow(runtime, call, signal)
  } catch (error) {
    if (signal.aborted) return failWith({ kind: 'timeout' })
    if (error instanceof OutgoingFailure) return failWith({ kind: error.kind })
    return failWith({ kind: isCertificateTrouble(error, call.address) ? 'certificate' : 'unreachable' })
  }
}

async function follow(
  runtime: Pick<ServiceRuntime, 'fetch'>,
  { address, headers, form, proxy, bytesMax, isRefusedInJson = false, onHeaders }: ServiceCall,
  signal: AbortSignal,
): Promise<Result<Uint8Array<ArrayBuffer>, ServiceFault>> {
  const home = new URL(address)
  let url = home
  for (let redirects = 0; ; redirects += 1) {
    const response = await runtime.fetch(
      url.href,
      {
        ...(form === undefined ? {} : { method: 'POST', body: form }),
        headers: { 'user-agent': 'wharf', ...headers },
        redirect: 'manual',
        signal,
      },
      proxy,
    )
    const location = response.headers.get('location')
    if (!redirectStatuses.has(response.status) || location === null) {
      onHeaders?.(response.headers)
      return read(response, bytesMax, isRefusedInJson, signal)
    }
    await response.body?.cancel()
    if (form !== undefined || redirects >= serviceRedirectsMax || !URL.canParse(location, url.href))
      return failWith({ kind: 'redirected' })
    url = new URL(location, url)
    if (url.origin !== home.origin || url.username !== '' || url.password !== '')
      return failWith({ kind: 'redirected' })
  }
}

async function read(
  response: Response,
  bytesMax: number,
  isRefusedInJson: boolean,
  signal: AbortSignal,
): Promise<Result<Uint8Array<ArrayBuffer>, ServiceFault>> {
  const { ok, status, headers } = response
  if (ok || (isRefusedInJson && headers.get('content-type')?.startsWith('application/json') === true)) {
    const bytes = await readBytes(response, bytesMax, signal)
    return bytes === undefined ? failWith({ kind: 'too_large' }) : succeed(bytes)
  }
  await response.body?.cancel()
  if (status === 429 || (status === 403 && headers.get('x-ratelimit-remaining') === '0'))
    return failWith({ kind: 'rate_limited', retryAfterSeconds: secondsIn(headers.get('retry-after')) })
  if (status === 401 || status === 403) return failWith({ kind: 'refused' })
  return failWith(status === 404 ? { kind: 'not_found' } : { kind: 'status', status })
}

/** A date in its place is as good as none: it is rare, and the clock it is by is not ours. */
function secondsIn(retryAfter: string | null): number {
  const seconds = retryAfter !== null && /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) : retryAfterSecondsDefault
  return Math.min(Math.max(seconds, 1), retryAfterSecondsMax)
}

/** Undefined for what is no JSON. */
export function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}
