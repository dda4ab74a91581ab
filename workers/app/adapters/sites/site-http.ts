import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { isPublicName } from '../../core/public-name.ts'
import { ownUserAgent, type SiteSettings } from '../../core/site.ts'
import type { SiteFault, SitePart } from '../../core/site-fault.ts'
import { refusalBytesMax, siteRedirectsMax } from '../../limits.ts'
import { isCertificateTrouble, readBytes, redirectStatuses } from '../outside-answer.ts'
import type { CookieJar } from './cookie-jar.ts'
import { saidRefusal } from './said-refusal.ts'
import { OutgoingFailure, type SiteRuntime } from './site-driver.ts'

export const formType = 'application/x-www-form-urlencoded'

export interface SiteCall {
  /** Relative to the site's address, or an absolute address on the site's own host. */
  readonly path: string
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly bytesMax?: number
  /** Sent to the site's own host alone, and told what its answers set. */
  readonly jar?: CookieJar
  /** Other hosts with public names may be asked too, without cookies; a definition's own address has them. */
  readonly abroad?: true
  /** The way leads past the form to sign in. */
  readonly signsIn?: true
}

export interface SiteAnswer {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly headers: Headers
  /** Where the answer came from, after redirects. */
  readonly url: URL
}

/**
 * One site's door: every call has its turn, its pause after the one before, its time limit and its bound on the answer.
 * Credentials only ever go to the host the owner configured, and never from https to http.
 */
export class SiteHttp {
  readonly #settings: SiteSettings
  readonly #runtime: SiteRuntime
  #lastTurn: Promise<void> = Promise.resolve()
  #waiting = 0
  #lastCallAtMs: number | undefined
  /** As the last page said: parts of a page that are fetched by themselves do not say it again. */
  #encoding: string | undefined
  /** Of the last answer: pages of a site are about as long as one another. */
  #bytes = 0

  constructor(settings: SiteSettings, runtime: SiteRuntime) {
    this.#settings = settings
    this.#runtime = runtime
  }

  /** Whatever the outside does wrong is a fault, never a rejection. */
  async call(call: SiteCall, visit: AbortSignal): Promise<Result<SiteAnswer, SiteFault>> {
    if (this.#waiting >= this.#runtime.bounds.queueMax) return failWith({ kind: 'busy' })
    this.#waiting += 1
    const turn = this.#lastTurn.then(() => this.#callInTurn(call, visit))
    const leave = () => {
      this.#waiting -= 1
    }
    this.#lastTurn = turn.then(leave, leave)
    // Who waits behind a slow call goes when the visit is over; the turn is then given up unused.
    const over = Promise.withResolvers<Result<never, SiteFault>>()
    const end = () => over.resolve(failWith({ kind: 'timeout' }))
    if (visit.aborted) end()
    visit.addEventListener('abort', end, { once: true })
    try {
      return await Promise.race([turn, over.promise])
    } finally {
      // A visit's limit outlives it: what listens to it would keep the answer until then.
      visit.removeEventListener('abort', end)
    }
  }

  async text(call: SiteCall, visit: AbortSignal): Promise<Result<SiteAnswer & { readonly text: string }, SiteFault>> {
    const answer = await this.call(call, visit)
    if (!answer.ok) return answer
    const { bytes, headers } = answer.value
    const declared = declaredEncoding(bytes, headers)
    this.#encoding = declared ?? this.#encoding
    return succeed({ ...answer.value, text: decodeText(bytes, this.#encoding) })
  }

  /** Only what a JSON answer says; a page in its place is an expired login or something broken. */
  async json(call: SiteCall, visit: AbortSignal): Promise<Result<unknown, SiteFault>> {
    const answer = await this.text({ ...call, headers: { accept: 'application/json', ...call.headers } }, visit)
    if (!answer.ok) return answer
    try {
      return succeed(JSON.parse(answer.value.text))
    } catch {
      return failWith(saidInstead('json', answer.value))
    }
  }

  async #callInTurn(call: SiteCall, visit: AbortSignal): Promise<Result<SiteAnswer, SiteFault>> {
    const timeLimit = AbortSignal.timeout(this.#runtime.bounds.callMs)
    try {
      await this.#pause(visit)
      visit.throwIfAborted()
      const signal = AbortSignal.any([visit, timeLimit])
      this.#lastCallAtMs = this.#runtime.nowMs()
      return await this.#follow(call, signal)
    } catch (error) {
      if (visit.aborted || timeLimit.aborted) return failWith({ kind: 'timeout' })
      if (error instanceof OutgoingFailure) return failWith({ kind: error.kind })
      return failWith({ kind: isCertificateTrouble(error, this.#settings.baseUrl) ? 'certificate' : 'unreachable' })
    }
  }

  async #pause(visit: AbortSignal): Promise<void> {
    if (this.#lastCallAtMs === undefined) return
    const elapsedMs = this.#runtime.nowMs() - this.#lastCallAtMs
    const pauseMs = this.#settings.profile.requestIntervalMs - Math.max(0, elapsedMs)
    if (pauseMs > 0) await this.#runtime.wait(pauseMs, visit)
  }

  async #follow(call: SiteCall, signal: AbortSignal): Promise<Result<SiteAnswer, SiteFault>> {
    const home = new URL(`${this.#settings.baseUrl}/`)
    const first = new URL(call.path, home)
    let url = first
    let method = call.method ?? 'GET'
    for (let redirects = 0; ; redirects += 1) {
      const isHome = isOwnPlace(url, home)
      if (!isHome && !(call.abroad && isPublicPlace(url))) return failWith({ kind: 'redirected' })
      const isMeant = isHome || url.host === first.host
      if (!isMeant && method !== 'GET') return failWith({ kind: 'redirected' })
      const cookies = isHome ? (call.jar?.header() ?? '') : ''
      const response = await this.#runtime.fetch(
        url.href,
        {
          method,
          headers: {
            'user-agent': this.#settings.profile.userAgent ?? ownUserAgent,
            accept: '*/*',
            ...(isHome ? this.#settings.profile.headers : {}),
            ...(cookies === '' ? {} : { cookie: cookies }),
            // What opens the account at one host is none of another's business.
            ...(isMeant ? call.headers : {}),
          },
          redirect: 'manual',
          signal,
          ...(call.body === undefined || method === 'GET' ? {} : { body: call.body }),
        },
        this.#settings.credentials.proxy,
      )
      if (isHome) call.jar?.note(response.headers)
      const location = response.headers.get('location')
      if (!redirectStatuses.has(response.status) || location === null) {
        return await this.#read(response, url, call.bytesMax ?? this.#runtime.bounds.answerBytesMax, signal)
      }
      await response.body?.cancel()
      if (redirects >= siteRedirectsMax || !URL.canParse(location, url.href)) return failWith({ kind: 'redirected' })
      const next = new URL(location, url)
      if (url.protocol === 'https:' && next.protocol !== 'https:') return failWith({ kind: 'redirected' })
      url = next
      if (isLoginAddress(url) && !call.signsIn) return failWith({ kind: 'login_expired' })
      if (response.status <= 303) method = 'GET'
    }
  }

  async #read(
    response: Response,
    url: URL,
    bytesMax: number,
    signal: AbortSignal,
  ): Promise<Result<SiteAnswer, SiteFault>> {
    const { status, headers } = response
    const bytes = await readBytes(response, bytesMax, signal, this.#bytes)
    if (bytes === undefined) return failWith({ kind: 'too_large' })
    this.#bytes = bytes.byteLength
    if (status >= 200 && status < 300) return succeed({ bytes, headers, url })
    if (status === 429) return failWith({ kind: 'rate_limited' })
    const text = decodeText(bytes.subarray(0, refusalBytesMax), declaredEncoding(bytes, headers))
    if (headers.get('cf-mitigated') === 'challenge' || isChallenge(text)) return failWith({ kind: 'challenge' })
    const said = saidRefusal(text)
    if (said !== undefined) return failWith(said)
    if (status === 401 || (status === 403 && readsAsLogin(url, text))) return failWith({ kind: 'login_expired' })
    // Whom a site knows it may still not let in; most say no more, and another sign-in is no cure for that.
    return failWith(status === 403 ? { kind: 'refused' } : { kind: 'status', status })
  }
}

/** The configured host and port; https is never given up. */
function isOwnPlace(url: URL, home: URL): boolean {
  if (url.username !== '' || url.password !== '') return false
  if (url.host === home.host && url.protocol === home.protocol) return true
  // A site that moved to https keeps its name.
  return url.hostname === home.hostname && home.protocol === 'http:' && url.protocol === 'https:' && url.port === ''
}

function isPublicPlace(url: URL): boolean {
  return /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && isPublicName(url.hostname)
}

function isLoginAddress(url: URL): boolean {
  return /\/(?:take)?login(?:\.php)?\/?$/i.test(url.pathname)
}

/** A sign-in form in place of what was asked for. */
export function readsAsLogin(url: URL, text: string): boolean {
  if (isLoginAddress(url)) return true
  // Pages of somebody who is signed in say so near their beginning, and are not searched to their end.
  return !/logout|userdetails\.php/i.test(text) && /<input\b[^>]{0,200}type\s{0,3}=\s{0,3}["']?password/i.test(text)
}

export function isChallenge(text: string): boolean {
  return /cf-chl-|challenge-platform|<title>(?:Just a moment|DDoS-Guard)/i.test(text.slice(0, refusalBytesMax))
}

/** What a text tells that came in place of another part: a check, a form to sign in, why nobody is let in, or nothing. */
export function saidInstead(part: SitePart, { url, text }: { readonly url: URL; readonly text: string }): SiteFault {
  if (isChallenge(text)) return { kind: 'challenge' }
  if (readsAsLogin(url, text)) return { kind: 'login_expired' }
  return saidRefusal(text) ?? { kind: 'broken', part }
}

/** The header's word, then the page's own. */
function declaredEncoding(bytes: Uint8Array, headers: Headers): string | undefined {
  return (
    encodingIn(headers.get('content-type') ?? '') ??
    encodingIn(new TextDecoder('latin1').decode(bytes.subarray(0, 2048)))
  )
}

function encodingIn(text: string): string | undefined {
  return /charset\s{0,3}=\s{0,3}["']?([\w.:-]{1,40})/i.exec(text)?.[1]
}

/** An unknown name is read as UTF-8, with marks for what is not. */
function decodeText(bytes: Uint8Array, encoding = 'utf-8'): string {
  try {
    return new TextDecoder(encoding).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}
