/** Calls of qBittorrent's WebUI API, version 2, with the sign-in they need. */
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { DownloaderSettings } from '../../../core/downloader.ts'
import type { DownloaderFault } from '../../../core/downloader-fault.ts'
import type { DriverRuntime } from '../downloader-driver.ts'
import { callDownloader, type DownloaderAnswer, isForeignStatus, parseJson } from '../downloader-http.ts'
import { programVersion, webApiVersion } from './shapes.ts'

/** A sign-in that was accepted, and what the program behind it is. */
export interface Session {
  readonly headers: Readonly<Record<string, string>>
  readonly version: string
  readonly startedAtMs: number
  /** API 2.11 renamed pause and resume to stop and start. */
  readonly verbs: { readonly pause: string; readonly resume: string }
}

type QbittorrentAnswer = DownloaderAnswer & { readonly session: Session }

const oldVerbs = { pause: 'pause', resume: 'resume' }
const newVerbs = { pause: 'stop', resume: 'start' }
const notThisKind: DownloaderFault = { kind: 'not_this_kind' }

export class QbittorrentCalls {
  readonly #settings: DownloaderSettings
  readonly #runtime: DriverRuntime
  #session: Session | undefined

  constructor(settings: DownloaderSettings, runtime: DriverRuntime) {
    this.#settings = settings
    this.#runtime = runtime
  }

  /**
   * Sends a call with the sign-in there is, and once more with a new one when that is not accepted any more. The call is
   * built for the session, because a daemon that was upgraded meanwhile speaks another dialect.
   */
  async request(
    build: (session: Session) => {
      readonly path: string
      readonly form?: Readonly<Record<string, string>> | FormData
      /** 403 is an answer to the call where it is not one to the sign-in. */
      readonly mayBeForbidden?: boolean
      /** So is 404 of a call that names a torrent. */
      readonly mayBeMissing?: boolean
      readonly isFile?: boolean
    },
    signal: AbortSignal,
  ): Promise<Result<QbittorrentAnswer, DownloaderFault>> {
    for (let attempt = 0; ; attempt++) {
      const isFresh = this.#session === undefined
      const session = this.#session === undefined ? await this.#signIn(signal) : succeed(this.#session)
      if (!session.ok) return session
      this.#session = session.value
      const { path, form, mayBeForbidden = false, mayBeMissing = false, isFile } = build(session.value)
      const answer = await this.#send(path, session.value.headers, form, signal, isFile)
      if (!answer.ok) return answer
      const { status } = answer.value
      const isRefused = status === 401 || status === 403 || (status === 404 && !isFresh && !mayBeMissing)
      const isForbidden = mayBeForbidden && isFresh && status === 403
      if (!isRefused || isForbidden) return succeed({ ...answer.value, session: session.value })
      this.#session = undefined
      if (isFresh || attempt > 0) return failWith(faultOfStatus(status))
    }
  }

  async json(path: string, signal: AbortSignal): Promise<Result<unknown, DownloaderFault>> {
    const answer = await this.request(() => ({ path, mayBeMissing: true }), signal)
    if (!answer.ok) return answer
    const { status, text } = answer.value
    if (status === 404) return failWith({ kind: 'rejected' })
    return status === 200 ? succeed(parseJson(text)) : failWith(faultOfStatus(status))
  }

  /** 409: it cannot make a folder, or do that here; 403, also of a sign-in that was just accepted: it may not write there. */
  async post(
    name: string,
    form: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Result<void, DownloaderFault>> {
    const sent = await this.request(() => ({ path: name, form, mayBeForbidden: true }), signal)
    if (!sent.ok) return sent
    const { status } = sent.value
    if (status === 403 || status === 409) return failWith({ kind: 'rejected' })
    return status === 200 || status === 204 ? succeed(undefined) : failWith(faultOfStatus(status))
  }

  /**
   * Asked once, with a sign-in that was just accepted: of a torrent that went meanwhile it says 404, and nothing about the
   * sign-in. Undefined for whatever is no answer.
   */
  async glance(path: string, { headers }: Session, signal: AbortSignal): Promise<unknown> {
    const answer = await this.#send(path, headers, undefined, signal)
    return answer.ok && answer.value.status === 200 ? parseJson(answer.value.text) : undefined
  }

  async #signIn(signal: AbortSignal): Promise<Result<Session, DownloaderFault>> {
    const { username, password } = this.#settings
    const headers = username === '' ? succeed(apiKeyHeaders(password)) : await this.#passwordHeaders(signal)
    if (!headers.ok) return headers
    const api = await this.#send('app/webapiVersion', headers.value, undefined, signal)
    if (!api.ok) return api
    if (api.value.status === 401 || api.value.status === 403) return failWith({ kind: 'credentials' })
    if (api.value.status !== 200) return failWith(faultOfStatus(api.value.status))
    const apiVersion = webApiVersion.safeParse(api.value.text.trim())
    const program = await this.#send('app/version', headers.value, undefined, signal)
    if (!program.ok) return program
    const version = programVersion.safeParse(program.value.text.trim())
    if (!apiVersion.success || !version.success) return failWith(notThisKind)
    const [major = 0, minor = 0] = apiVersion.data.split('.').map(Number)
    return succeed({
      headers: headers.value,
      version: version.data.replace(/^v/, ''),
      startedAtMs: this.#runtime.nowMs(),
      verbs: major > 2 || (major === 2 && minor >= 11) ? newVerbs : oldVerbs,
    })
  }

  /** Older versions answer `Ok.` or `Fails.` with 200, newer ones 204 or 401. The cookie's name differs too. */
  async #passwordHeaders(signal: AbortSignal): Promise<Result<Record<string, string>, DownloaderFault>> {
    const { username, password } = this.#settings
    const answer = await this.#send('auth/login', {}, { username, password }, signal)
    if (!answer.ok) return answer
    const { status, text, headers } = answer.value
    // qBittorrent never asks for HTTP authentication; what does is another program, or a proxy in front of it.
    if (status === 401 && headers.has('www-authenticate')) return failWith(notThisKind)
    if (status === 401 || (status === 200 && text.trim() === 'Fails.')) return failWith({ kind: 'credentials' })
    if (status === 403) return failWith({ kind: 'banned' })
    if (status === 200 && text.trim() !== 'Ok.') return failWith(notThisKind)
    if (status !== 200 && status !== 204) return failWith(faultOfStatus(status))
    const cookies = headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0]?.trim() ?? '')
    return succeed(cookies.length === 0 ? {} : { cookie: cookies.join('; ') })
  }

  async #sendForm(
    address: string,
    headers: Readonly<Record<string, string>>,
    form: FormData,
    signal: AbortSignal,
  ): Promise<Result<DownloaderAnswer, DownloaderFault>> {
    const { type, body } = await encoded(form)
    const withType = { ...headers, 'content-type': type }
    return callDownloader(this.#runtime, { address, method: 'POST', headers: withType, body }, signal)
  }

  #send(
    path: string,
    headers: Readonly<Record<string, string>>,
    form: Readonly<Record<string, string>> | FormData | undefined,
    signal: AbortSignal,
    isFile = false,
  ): Promise<Result<DownloaderAnswer, DownloaderFault>> {
    const address = `${this.#settings.baseUrl}/api/v2/${path}`
    if (form === undefined) return callDownloader(this.#runtime, { address, method: 'GET', headers, isFile }, signal)
    if (form instanceof FormData) return this.#sendForm(address, headers, form, signal)
    return callDownloader(
      this.#runtime,
      {
        address,
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(form).toString(),
      },
      signal,
    )
  }
}

/** The bytes of a form with files, ended as qBittorrent reads it, and their type with the boundary. */
async function encoded(form: FormData): Promise<{ readonly type: string; readonly body: Uint8Array<ArrayBuffer> }> {
  const written = new Response(form)
  const bytes = new Uint8Array(await written.arrayBuffer())
  const end = new TextEncoder().encode('\r\n')
  // workerd leaves the line end behind the last boundary out; then qBittorrent takes the boundary for a part of the last
  // field (base/http/requestparser.cpp at release-4.5.2 and release-5.2.3).
  const isEnded = bytes.at(-2) === end[0] && bytes.at(-1) === end[1]
  const body = new Uint8Array(bytes.length + (isEnded ? 0 : end.length))
  body.set(bytes)
  if (!isEnded) body.set(end, bytes.length)
  return { type: written.headers.get('content-type') ?? '', body }
}

function apiKeyHeaders(apiKey: string): Record<string, string> {
  return apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }
}

export function faultOfStatus(status: number): DownloaderFault {
  if (status === 401 || status === 403) return { kind: 'credentials' }
  return isForeignStatus(status) ? notThisKind : { kind: 'status', status }
}
