import type { Reason } from '../core/reason/reason.ts'
import type { ReseedState } from '../core/reseed/reseed.ts'

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
  readonly state: ReseedState
  readonly torrentId: string
  readonly otherTitle: string
  readonly reason?: Reason
  readonly askedAtUnix: number
  readonly sinceUnix: number
}

export interface Reseeds {
  settings(): Promise<ReseedSettings>
  change(settings: ReseedSettings): Promise<void>
  /** Under way first, then the newest. */
  list(): Promise<Reseed[]>
  /** Of each site that was asked in the last 24 hours. */
  asksToday(): Promise<ReadonlyMap<string, number>>
}
