import { DurableObject } from 'cloudflare:workers'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { LiveDownloader } from '../adapters/downloaders/live-downloader.ts'
import type {
  ActionOutcome,
  AddOutcome,
  DownloaderStatus,
  DownloaderTarget,
  MoveOutcome,
  TorrentFilter,
  TorrentGroups,
  TorrentQuery,
  TorrentSelection,
  TorrentUpload,
} from '../core/downloader.ts'
import type { DownloaderFault } from '../core/downloader-fault.ts'
import { gibBytes } from '../core/gib-bytes.ts'
import type { DiskSpace } from '../core/push-plan.ts'
import { downloaderReason } from '../core/reason/of-fault.ts'
import type { Reason } from '../core/reason/reason.ts'
import type { Torrent } from '../core/torrent.ts'
import type { TorrentChange, TorrentDetails } from '../core/torrent-details.ts'
import type { ListPart, SortKey } from '../core/torrent-listing.ts'
import type { RunTarget } from '../core/torrent-run.ts'
import type { TorrentAction } from '../core/vocabulary.ts'

export interface DownloaderParts {
  /** Fails where the password cannot be opened. */
  connect(target: DownloaderTarget): Promise<Result<LiveDownloader, DownloaderFault>>
}

/**
 * The last state of one downloader, and the only door to it. Everything is in memory: what is lost with the object is
 * read again. Sign-ins never leave it.
 */
export abstract class DownloaderHost extends DurableObject<Cloudflare.Env> {
  readonly #parts = this.compose()
  #current: { readonly revision: number; readonly live: Promise<Result<LiveDownloader, DownloaderFault>> } | undefined

  protected abstract compose(): DownloaderParts

  status(target: DownloaderTarget): Promise<Result<DownloaderStatus, Reason>> {
    return this.#with(target, (live) => live.status())
  }

  shownStatus(target: DownloaderTarget): Promise<Result<DownloaderStatus, Reason>> {
    return this.#with(target, (live) => live.shownStatus())
  }

  select(target: DownloaderTarget, query: TorrentQuery, part: ListPart): Promise<Result<TorrentSelection, Reason>> {
    return this.#with(target, (live) => live.select(query, part))
  }

  sortKeys(target: DownloaderTarget, query: TorrentQuery, upTo: number): Promise<Result<SortKey[], Reason>> {
    return this.#with(target, (live) => live.sortKeys(query, upTo))
  }

  groups(target: DownloaderTarget, filter: TorrentFilter): Promise<Result<TorrentGroups, Reason>> {
    return this.#with(target, (live) => live.groups(filter))
  }

  matching(target: DownloaderTarget, filter: TorrentFilter): Promise<Result<RunTarget[], Reason>> {
    return this.#with(target, (live) => live.matching(filter))
  }

  called(target: DownloaderTarget, names: readonly string[]): Promise<Result<string[], Reason>> {
    return this.#with(target, (live) => live.called(names))
  }

  act(
    target: DownloaderTarget,
    action: TorrentAction,
    infoHashes: readonly string[],
  ): Promise<Result<ActionOutcome[], Reason>> {
    return this.#with(target, (live) => live.act(action, infoHashes))
  }

  details(target: DownloaderTarget, infoHash: string): Promise<Result<TorrentDetails | undefined, Reason>> {
    return this.#with(target, (live) => live.details(infoHash))
  }

  exportFile(target: DownloaderTarget, infoHash: string): Promise<Result<Uint8Array | undefined, Reason>> {
    return this.#with(target, (live) => live.exportFile(infoHash))
  }

  change(
    target: DownloaderTarget,
    change: TorrentChange,
    infoHashes: readonly string[],
  ): Promise<Result<ActionOutcome[], Reason>> {
    return this.#with(target, (live) => live.change(change, infoHashes))
  }

  find(target: DownloaderTarget, infoHashes: readonly string[]): Promise<Result<Torrent[], Reason>> {
    return this.#with(target, (live) => live.find(infoHashes))
  }

  space(target: DownloaderTarget, savePath: string): Promise<Result<DiskSpace, Reason>> {
    return this.#with(target, (live) => live.space(savePath, target.minFreeGib * gibBytes))
  }

  add(target: DownloaderTarget, upload: TorrentUpload): Promise<Result<AddOutcome, Reason>> {
    return this.#with(target, async (live) => succeed(await live.add(upload, target.minFreeGib * gibBytes)))
  }

  move(target: DownloaderTarget, infoHashes: readonly string[], folder: string): Promise<Result<MoveOutcome, Reason>> {
    return this.#with(target, (live) => live.move(infoHashes, folder))
  }

  async #with<T>(
    target: DownloaderTarget,
    use: (live: LiveDownloader) => Promise<Result<T, DownloaderFault>>,
  ): Promise<Result<T, Reason>> {
    const live = await this.#liveFor(target)
    const outcome = live.ok ? await use(live.value) : live
    return outcome.ok ? outcome : failWith(downloaderReason(outcome.failure, target.kind))
  }

  /** Changed settings begin afresh: the old sign-in and the old list belong to another place. */
  async #liveFor(target: DownloaderTarget): Promise<Result<LiveDownloader, DownloaderFault>> {
    if (this.#current?.revision !== target.revision) {
      this.#current = { revision: target.revision, live: this.#parts.connect(target) }
    }
    const { live } = this.#current
    const outcome = await live
    // A password that could not be opened is tried again with the next call: the owner may have put the key back.
    if (!outcome.ok && this.#current?.live === live) this.#current = undefined
    return outcome
  }
}
