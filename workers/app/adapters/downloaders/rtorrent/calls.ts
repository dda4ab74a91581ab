/** Calls of rTorrent's XML-RPC, one by one or several in one message. */
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { DownloaderSettings } from '../../../core/downloader.ts'
import type { DownloaderFault } from '../../../core/downloader-fault.ts'
import { faultOf, readAnswer, writeCall, type XmlRpcArgument, type XmlRpcValue } from '../../../core/xml-rpc.ts'
import type { DriverRuntime } from '../downloader-driver.ts'
import { basicAuthorization, callDownloader, isForeignStatus } from '../downloader-http.ts'

export type RtorrentCall = readonly [method: string, ...params: XmlRpcArgument[]]

/** Its command failed, or its torrent is not there: about the call, not about the program. */
const rejected: DownloaderFault = { kind: 'rejected' }
const notThisKind: DownloaderFault = { kind: 'not_this_kind' }
/** Of a web server in front: nobody is behind it, or it keeps still. */
const badGateway = 502
const gatewayTimeout = 504

export class RtorrentCalls {
  readonly #settings: DownloaderSettings
  readonly #runtime: DriverRuntime
  readonly #address: string

  constructor(settings: DownloaderSettings, runtime: DriverRuntime) {
    this.#settings = settings
    this.#runtime = runtime
    const hasPath = new URL(settings.baseUrl).pathname !== '/'
    this.#address = hasPath ? settings.baseUrl : `${settings.baseUrl}/RPC2`
  }

  async one(signal: AbortSignal, [method, ...params]: RtorrentCall): Promise<Result<XmlRpcValue, DownloaderFault>> {
    const { username, password } = this.#settings
    const answer = await callDownloader(
      this.#runtime,
      {
        address: this.#address,
        method: 'POST',
        headers: {
          'content-type': 'text/xml',
          ...basicAuthorization(username, password),
        },
        body: writeCall(method, params),
      },
      signal,
    )
    if (!answer.ok) return answer
    const { status, text } = answer.value
    if (status === 401 || status === 403) return failWith({ kind: 'credentials' })
    if (status === badGateway) return failWith({ kind: 'unreachable' })
    if (status === gatewayTimeout) return failWith({ kind: 'timeout' })
    if (isForeignStatus(status) || status === 400) return failWith(notThisKind)
    if (status !== 200) return failWith({ kind: 'status', status })
    const told = readAnswer(text)
    if (told.ok) return told
    return failWith(told.failure.kind === 'fault' ? rejected : notThisKind)
  }

  /** Every call is made, whatever became of the one before it. */
  async all(
    signal: AbortSignal,
    calls: readonly RtorrentCall[],
  ): Promise<Result<Result<XmlRpcValue, DownloaderFault>[], DownloaderFault>> {
    const sent = calls.map(([methodName, ...params]) => ({ methodName, params }))
    const answer = await this.one(signal, ['system.multicall', sent])
    if (!answer.ok) return answer
    if (!Array.isArray(answer.value) || answer.value.length !== calls.length) return failWith(notThisKind)
    return succeed(
      answer.value.map((told: XmlRpcValue) => {
        if (Array.isArray(told)) return succeed(told[0] as XmlRpcValue)
        return failWith(faultOf(told).kind === 'fault' ? rejected : notThisKind)
      }),
    )
  }

  /** Fails with the first call that did. */
  async each(signal: AbortSignal, calls: readonly RtorrentCall[]): Promise<Result<void, DownloaderFault>> {
    const answers = await this.all(signal, calls)
    if (!answers.ok) return answers
    for (const answer of answers.value) if (!answer.ok) return answer
    return succeed(undefined)
  }
}
