/** Calls of Deluge's JSON-RPC: those of its web page, and those that the page hands on to a daemon. */
import { z } from 'zod'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { DownloaderSettings } from '../../../core/downloader.ts'
import type { DownloaderFault } from '../../../core/downloader-fault.ts'
import { delugeDaemonsMax } from '../../../limits.ts'
import type { DriverRuntime } from '../downloader-driver.ts'
import { callDownloader, isForeignStatus, parseJson } from '../downloader-http.ts'

const answerShape = z.object({
  result: z.unknown(),
  error: z.object({ code: z.int(), message: z.string() }).nullable(),
})
const daemonList = z.array(z.tuple([z.string()]).rest(z.unknown()))

/** Of its JSON-RPC: not signed in; no such method, also while no daemon is connected. Others are the call's own fault. */
const notAuthenticated = 1
const unknownMethod = 2
const notThisKind: DownloaderFault = { kind: 'not_this_kind' }

type Called = Result<unknown, DownloaderFault>

export class DelugeCalls {
  readonly #settings: DownloaderSettings
  readonly #runtime: DriverRuntime
  readonly #address: string
  #cookie: string | undefined

  constructor(settings: DownloaderSettings, runtime: DriverRuntime) {
    this.#settings = settings
    this.#runtime = runtime
    this.#address = `${settings.baseUrl.replace(/\/json$/, '')}/json`
  }

  async tell(method: string, params: readonly unknown[], signal: AbortSignal): Promise<Result<void, DownloaderFault>> {
    const sent = await this.call(method, params, signal)
    return sent.ok ? succeed(undefined) : sent
  }

  /** Signs in, and connects the page to its daemon, where that is wanting; `unknownAs` names a method that may be missing. */
  async call(
    method: string,
    params: readonly unknown[],
    signal: AbortSignal,
    unknownAs?: 'labels_off',
  ): Promise<Called> {
    for (let attempt = 0; ; attempt++) {
      if (this.#cookie === undefined) {
        const signedIn = await this.#signIn(signal)
        if (!signedIn.ok) return signedIn
      }
      const answer = await this.#post(method, params, signal)
      if (!answer.ok) return answer
      const { error, result } = answer.value.told
      if (error === null) return succeed(result)
      const isLost = error.code === notAuthenticated || error.code === unknownMethod
      if (!isLost) return failWith({ kind: 'rejected' })
      if (attempt > 0) return failWith(error.code === notAuthenticated ? { kind: 'credentials' } : notThisKind)
      if (error.code === notAuthenticated) this.#cookie = undefined
      else {
        const connected = await this.#connect(signal)
        if (!connected.ok) return connected
        if (connected.value === 'was_connected')
          return failWith(unknownAs === undefined ? notThisKind : { kind: unknownAs })
      }
    }
  }

  async #signIn(signal: AbortSignal): Promise<Result<void, DownloaderFault>> {
    const answer = await this.#post('auth.login', [this.#settings.password], signal)
    if (!answer.ok) return answer
    const { told, cookie } = answer.value
    if (told.error !== null) return failWith(notThisKind)
    if (told.result !== true) return failWith(told.result === false ? { kind: 'credentials' } : notThisKind)
    if (cookie === undefined) return failWith(notThisKind)
    this.#cookie = cookie
    const connected = await this.#connect(signal)
    return connected.ok ? succeed(undefined) : connected
  }

  /** Its page talks to one daemon at a time and may have been left without; then the first that answers is taken. */
  async #connect(signal: AbortSignal): Promise<Result<'connected' | 'was_connected', DownloaderFault>> {
    const ask = async (method: string, params: readonly unknown[]): Promise<Called> => {
      const answer = await this.#post(method, params, signal)
      if (!answer.ok) return answer
      return answer.value.told.error === null ? succeed(answer.value.told.result) : succeed(undefined)
    }
    const before = await ask('web.connected', [])
    if (!before.ok) return before
    if (before.value === true) return succeed('was_connected')
    const hosts = await ask('web.get_hosts', [])
    if (!hosts.ok) return hosts
    const daemons = daemonList.safeParse(hosts.value)
    if (!daemons.success) return failWith(notThisKind)
    for (const [id] of daemons.data.slice(0, delugeDaemonsMax)) {
      const connecting = await ask('web.connect', [id])
      if (!connecting.ok) return connecting
      const after = await ask('web.connected', [])
      if (!after.ok) return after
      if (after.value === true) return succeed('connected')
    }
    return failWith({ kind: 'no_daemon' })
  }

  async #post(
    method: string,
    params: readonly unknown[],
    signal: AbortSignal,
  ): Promise<
    Result<{ readonly told: z.infer<typeof answerShape>; readonly cookie: string | undefined }, DownloaderFault>
  > {
    const answer = await callDownloader(
      this.#runtime,
      {
        address: this.#address,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(this.#cookie === undefined ? {} : { cookie: this.#cookie }),
        },
        body: JSON.stringify({ method, params, id: 1 }),
      },
      signal,
    )
    if (!answer.ok) return answer
    const { status, headers, text } = answer.value
    if (status === 401 || status === 403) return failWith({ kind: 'credentials' })
    if (isForeignStatus(status) || status === 400) return failWith(notThisKind)
    if (status !== 200) return failWith({ kind: 'status', status })
    const told = answerShape.safeParse(parseJson(text))
    if (!told.success) return failWith(notThisKind)
    return succeed({ told: told.data, cookie: /^_session_id=[0-9a-f]+/.exec(headers.get('set-cookie') ?? '')?.[0] })
  }
}
