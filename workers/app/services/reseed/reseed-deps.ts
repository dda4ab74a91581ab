import type { Clock } from '#shared/kernel/clock.ts'
import type { Result } from '#shared/kernel/result.ts'
import type { PushRecordStore } from '../../adapters/d1/push-records.ts'
import type { ReseedStore } from '../../adapters/d1/reseeds.ts'
import type { DownloaderTarget } from '../../core/downloader.ts'
import type { ServiceFault } from '../../core/service-fault.ts'
import type { Torrent } from '../../core/torrent.ts'
import type { DownloaderFleet, DownloaderStore } from '../../ports/downloaders.ts'
import type { ReseedService } from '../../ports/reseed-service.ts'
import type { OwnerSettings } from '../../ports/settings.ts'
import type { SiteFleet, SiteStore } from '../../ports/sites.ts'

export interface ReseedDeps {
  readonly clock: Clock
  readonly settings: Pick<OwnerSettings, 'read' | 'write' | 'openSecret'>
  readonly store: ReseedStore
  readonly records: Pick<PushRecordStore, 'begin' | 'succeeded'>
  readonly downloaders: Pick<DownloaderStore, 'targets'>
  readonly fleet: Pick<DownloaderFleet, 'select' | 'find' | 'details' | 'exportFile' | 'add' | 'change' | 'act'>
  readonly sites: Pick<SiteStore, 'list' | 'find'>
  readonly siteFleet: Pick<SiteFleet, 'search' | 'mayFindByPieces' | 'findByPieces' | 'download'>
  readonly service: ReseedService
  /** To services on the internet. */
  proxy(): Promise<Result<string | undefined, ServiceFault>>
  /** Records of pushes are followed from now on. */
  follow(): Promise<void>
}

/** What a disk holds. */
export interface Held {
  readonly target: DownloaderTarget
  readonly torrent: Torrent
  /** The same for all that this downloader shows of it. */
  readonly content: string
}
