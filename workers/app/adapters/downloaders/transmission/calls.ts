/** Calls of Transmission's RPC: the legacy dialect of every version so far, and JSON-RPC 2.0 where it is offered. */
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { DownloaderSettings } from '../../../core/downloader.ts'
import type { DownloaderFault } from '../../../core/downloader-fault.ts'
import type { DriverRuntime } from '../downloader-driver.ts'
import { basicAuthorization, callDownloader, isForeignStatus } from '../downloader-http.ts'
import { snakeOf } from './details.ts'
import { type Dialect, jsonRpcAnswer, legacyAnswer } from './shapes.ts'

/** A handshake: the id every call carries, and the dialect the daemon speaks. Another id means another run of it. */
export interface Session {
  readonly id: string
  readonly dialect: Dialect
}

const notThisKind: DownloaderFault = { kind: 'not_this_kind' }

/** Methods by dialect: the older one writes them with dashes, the newer one with underscores. */
const methods = {
  listTorrents: { legacy: 'torrent-get', json_rpc: 'torrent_get' },
  readSession: { legacy: 'session-get', json_rpc: 'session_get' },
  readStatistics: { legacy: 'session-stats', json_rpc: 'session_stats' },
  readFreeSpace: { legacy: 'free-space', json_rpc: 'free_space' },
  pause: { legacy: 'torrent-stop', json_rpc: 'torrent_stop' },
  resume: { legacy: 'torrent-start', json_rpc: 'torrent_start' },
  remove: { legacy: 'torrent-remove', json_rpc: 'torrent_remove' },
  add: { legacy: 'torrent-add', json_rpc: 'torrent_add' },
  change: { legacy: 'torrent-set', json_rpc: 'torrent_set' },
  recheck: { legacy: 'torrent-verify', json_rpc: 'torrent_verify' },
  reannounce: { legacy: 'torrent-reannounce', json_rpc: 'torrent_reannounce' },
  queue_top: { legacy: 'queue-move-top', json_rpc: 'queue_move_top' },
  queue_up: { legacy: 'queue-move-up', json_rpc: 'queue_move_up' },
  queue_down: { legacy: 'queue-move-down', json_rpc: 'queue_move_down' },
  queue_bottom: { legacy: 'queue-move-bottom', json_rpc: 'queue_move_bottom' },
  rename: { legacy: 'torrent-rename-path', json_rpc: 'torrent_rename_path' },
  move: { legacy: 'torrent-set-location', json_rpc: 'torrent_set_location' },
} as const
/** First version of the protocol, as its handshake names it, that speaks JSON-RPC. */
const jsonRpcMajor = 6

export class TransmissionCalls {
  readonly #settings: DownloaderSettings
  readonly #runtime: DriverRuntime
  readonly #address: string
  #session: Session | undefined

  constructor(settings: DownloaderSettings, runtime: DriverRuntime) {
    this.#settings = settings
    this.#runtime = runtime
    this.#address = settings.baseUrl.endsWith('/rpc') ? settings.baseUrl : `${settings.baseUrl}/transmission/rpc`
  }

  /** The one of the last call. */
  get session(): Session | undefined {
    return this.#session
  }

  /** Sends a call; a 409 brings a new session, in whose dialect the call is then sent once more. */
  async call(
    method: keyof typeof methods,
    build: (dialect: Dialect) => Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<Result<{ readonly result: unknown; readonly session: Session }, DownloaderFault>> {
    for (let attempt = 0; ; attempt++) {
      const session = this.#session
      const dialect = session?.dialect ?? 'legacy'
      const body =
        dialect === 'legacy'
          ? { method: methods[method].legacy, arguments: build(dialect) }
          : { jsonrpc: '2.0', method: methods[method].json_rpc, params: build(dialect), id: 1 }
      const answer = await callDownloader(
        this.#runtime,
        {
          address: this.#address,
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            ...basicAuthorization(this.#settings.username, this.#settings.password),
            ...(session === undefined ? {} : { 'x-transmission-session-id': session.id }),
          },
          body: JSON.stringify(body),
        },
        signal,
      )
      if (!answer.ok) return answer
      const { status, headers, text } = answer.value
      if (status === 409) {
        const id = headers.get('x-transmission-session-id')
        if (id === null || attempt > 1) return failWith(notThisKind)
        this.#session = { id, dialect: dialectOf(headers.get('x-transmission-rpc-version')) }
        continue
      }
      if (status !== 200 || session === undefined) return failWith(faultOfStatus(status))
      const result = readResult(text, dialect)
      return result.ok ? succeed({ result: result.value, session }) : result
    }
  }

  /** `parameters` are named as in the older dialect. */
  async tell(
    method: keyof typeof methods,
    parameters: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<Result<void, DownloaderFault>> {
    const sent = await this.call(
      method,
      (dialect) =>
        dialect === 'legacy'
          ? parameters
          : Object.fromEntries(Object.entries(parameters).map(([name, value]) => [snakeOf(name), value])),
      signal,
    )
    return sent.ok ? succeed(undefined) : sent
  }
}

function dialectOf(protocolVersion: string | null): Dialect {
  const major = Number.parseInt(protocolVersion ?? '', 10)
  return major >= jsonRpcMajor ? 'json_rpc' : 'legacy'
}

/** A first call without a session is always answered 409; what answers 200, or cannot read it, is something else. */
function faultOfStatus(status: number): DownloaderFault {
  if (status === 401) return { kind: 'credentials' }
  if (status === 403) return { kind: 'banned' }
  if (status === 421) return { kind: 'host_refused' }
  return status === 200 || status === 400 || isForeignStatus(status) ? notThisKind : { kind: 'status', status }
}

function readResult(text: string, dialect: Dialect): Result<unknown, DownloaderFault> {
  let answer: unknown
  try {
    answer = JSON.parse(text)
  } catch {
    return failWith(notThisKind)
  }
  if (dialect === 'legacy') {
    const parsed = legacyAnswer.safeParse(answer)
    if (!parsed.success) return failWith(notThisKind)
    return parsed.data.result === 'success' ? succeed(parsed.data.arguments) : failWith({ kind: 'rejected' })
  }
  const parsed = jsonRpcAnswer.safeParse(answer)
  if (!parsed.success) return failWith(notThisKind)
  return 'result' in parsed.data ? succeed(parsed.data.result) : failWith({ kind: 'rejected' })
}
