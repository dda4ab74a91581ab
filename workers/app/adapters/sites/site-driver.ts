import type { Result } from '#shared/kernel/result.ts'
import type {
  PiecesAnswer,
  SearchHit,
  SignInOutcome,
  SiteFixture,
  SiteMessage,
  SiteQuery,
  SiteReading,
  SiteVisit,
} from '../../core/site.ts'
import type { SiteFault } from '../../core/site-fault.ts'
import type { OutgoingFault } from '../../core/site-proxy.ts'

/** Speaks one site's protocol. Holds nothing between calls but what its settings say, and what opens its doors; `signal` ends a visit. */
export interface SiteDriver {
  /** The cheapest call that only works with good credentials. */
  probe(signal: AbortSignal): Promise<Result<SiteVisit, SiteFault>>
  read(signal: AbortSignal): Promise<Result<SiteReading, SiteFault>>
  search(query: SiteQuery, signal: AbortSignal): Promise<Result<SearchHit[], SiteFault>>
  /** The pages the account is read from, with nothing in them that tells whose it is. Not for a site without pages. */
  fixture?(signal: AbortSignal): Promise<Result<SiteFixture, SiteFault>>
  /** What is unread. Not for a site that does not show its messages to programs. */
  messages?(signal: AbortSignal): Promise<Result<SiteMessage[], SiteFault>>
  /** Where the owner's own feed is, key and all. Not for a site that tells it to nobody but its members' browsers. */
  feedAddress?(signal: AbortSignal): Promise<Result<string, SiteFault>>
  /** Which torrents have these pieces (SHA-1 over all of their hashes, in hex). Not for a site that keeps no such list. */
  findByPieces?(hashes: readonly string[], signal: AbortSignal): Promise<PiecesAnswer>
  signIn(signal: AbortSignal): Promise<Result<SignInOutcome, SiteFault>>
  /** The torrent file. `downloadKey` is what the search that found it left behind. */
  download(
    torrentId: string,
    downloadKey: string | undefined,
    signal: AbortSignal,
  ): Promise<Result<Uint8Array, SiteFault>>
}

/** Time limits and sizes; limits.ts holds the ones in use. */
interface SiteBounds {
  readonly callMs: number
  readonly answerBytesMax: number
  readonly queueMax: number
}

/** What drivers need of their runtime. */
export interface SiteRuntime {
  readonly bounds: SiteBounds
  /** With a proxy, what keeps it from working is an `OutgoingFailure`. */
  readonly fetch: (address: string, init: RequestInit, proxy?: string) => Promise<Response>
  readonly nowMs: () => number
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
}

export class OutgoingFailure extends Error {
  readonly kind: OutgoingFault | 'proxy_unsupported'

  constructor(kind: OutgoingFault | 'proxy_unsupported') {
    super(kind)
    this.kind = kind
  }
}
