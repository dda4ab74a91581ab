/**
 * Asks which torrents of a site have the same pieces, as its software lets other programs ask since 1.8.5. Source:
 * xiaomlove/nexusphp at a514ed57 (`routes/api.php`, `TorrentController::queryByPiecesHash`, `AuthServiceProvider`): it is
 * opened by the pass key and not by the cookie, and tells of each hash the number of one torrent.
 */
import { z } from 'zod'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { PiecesAnswer } from '../../../core/site.ts'
import type { SiteFault } from '../../../core/site-fault.ts'
import { formType, type SiteCall, type SiteHttp } from '../site-http.ts'

const passKeyCharacters = 32

const told = z.object({
  ret: z.literal(0),
  // PHP writes a list without anything in it as a list.
  data: z.union([z.array(z.unknown()).length(0), z.record(z.string(), z.union([z.int(), z.string()]))]),
})
const torrentNumber = /^[1-9][0-9]{0,17}$/

export class PiecesLookup {
  readonly #http: SiteHttp
  readonly #feedAddress: (signal: AbortSignal) => Promise<Result<string, SiteFault>>
  /** Stands in the address of the owner's feed, and is never written down. */
  #passKey: string | undefined

  constructor(http: SiteHttp, feedAddress: (signal: AbortSignal) => Promise<Result<string, SiteFault>>) {
    this.#http = http
    this.#feedAddress = feedAddress
  }

  async ask(
    { path, headers }: Pick<SiteCall, 'path' | 'headers'>,
    hashes: readonly string[],
    signal: AbortSignal,
  ): Promise<PiecesAnswer> {
    let asks = 1
    if (this.#passKey === undefined) {
      const address = await this.#feedAddress(signal)
      if (!address.ok) return { asks, torrents: failWith(isAbsent(address.failure) ? unsupported : address.failure) }
      const passKey = new URL(address.value).searchParams.get('passkey')
      if (passKey?.length !== passKeyCharacters) return { asks, torrents: failWith(unsupported) }
      this.#passKey = passKey
      asks += 1
    }
    const body = new URLSearchParams({ passkey: this.#passKey })
    for (const hash of hashes) body.append('pieces_hash[]', hash)
    const answer = await this.#http.json(
      { path, method: 'POST', headers: { ...headers, 'content-type': formType }, body: body.toString() },
      signal,
    )
    const torrents = answer.ok ? torrentsIn(answer.value, hashes) : answer
    if (torrents.ok) return { asks, torrents }
    const { failure } = torrents
    // Also where the key was changed: it is learned anew when the site is next asked this way.
    if (failure.kind !== 'login_expired' && !isAbsent(failure)) return { asks, torrents }
    this.#passKey = undefined
    return { asks, torrents: failWith(unsupported) }
  }
}

const unsupported: SiteFault = { kind: 'unsupported' }

/** There is no such door: a page that is not there, or another one in its place. */
function isAbsent(fault: SiteFault): boolean {
  if (fault.kind === 'status') return fault.status === 404 || fault.status === 405
  return fault.kind === 'no_feed' || fault.kind === 'broken' || fault.kind === 'redirected'
}

function torrentsIn(answer: unknown, hashes: readonly string[]): Result<ReadonlyMap<string, string>, SiteFault> {
  const read = told.safeParse(answer)
  if (!read.success) return failWith({ kind: 'broken', part: 'json' })
  const numbers = new Map(Object.entries(read.data.data).map(([hash, number]) => [hash.toLowerCase(), String(number)]))
  const torrents = new Map<string, string>()
  for (const hash of hashes) {
    const number = numbers.get(hash)
    if (number !== undefined && torrentNumber.test(number)) torrents.set(hash, number)
  }
  return succeed(torrents)
}
