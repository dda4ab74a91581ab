import type { Result } from '#shared/kernel/result.ts'
import type { Reason } from '../core/reason/reason.ts'
import type { ReseedState, ReseedWay } from '../core/reseed/reseed.ts'

interface ReseedSettings {
  readonly enabled: boolean
  /** By name. */
  readonly sites: readonly string[]
  readonly asksPerDay: number
}

export interface Reseed {
  readonly id: number
  readonly downloader: string
  readonly infoHash: string
  readonly title: string
  readonly sizeBytes: number
  readonly site: string
  readonly way: ReseedWay
  readonly state: ReseedState
  readonly torrentId: string
  readonly otherTitle: string
  readonly reason?: Reason
  readonly askedAtUnix: number
  readonly sinceUnix: number
}

/** What was taken of a site in the last 24 hours, and what was found there by each way of looking. */
export interface ReseedSite {
  readonly site: string
  readonly asks: number
  readonly ways: readonly { readonly way: ReseedWay; readonly found: number }[]
}

/** The service that knows by info hash what other sites have. */
export interface ReseedServiceState {
  /** Empty for the usual one. */
  readonly address: string
  readonly hasToken: boolean
  /** Of the owner's those that it knows, by name. */
  readonly sites: readonly string[]
  /** 0 for never. */
  readonly askedAtUnix: number
  /** Why it gave nothing when it was last asked. */
  readonly reason?: Reason
}

export interface Reseeds {
  settings(): Promise<ReseedSettings>
  change(settings: ReseedSettings): Promise<void>
  service(): Promise<ReseedServiceState>
  /** Without a token the stored one stays; an empty one is none. */
  changeService(wanted: {
    readonly address: string
    readonly token: string | undefined
  }): Promise<Result<void, 'moves' | 'secrets'>>
  /** Under way first, then the newest. */
  list(): Promise<Reseed[]>
  /** Those that were asked. */
  found(): Promise<ReseedSite[]>
}
