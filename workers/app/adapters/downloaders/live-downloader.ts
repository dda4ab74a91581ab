import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type {
  ActionOutcome,
  AddOutcome,
  DownloaderSettings,
  DownloaderStatus,
  MoveOutcome,
  TorrentFilter,
  TorrentGroups,
  TorrentQuery,
  TorrentSelection,
  TorrentUpload,
} from '../../core/downloader.ts'
import type { DownloaderFault } from '../../core/downloader-fault.ts'
import { isSameFolder } from '../../core/folder.ts'
import { type DiskSpace, stopForSpace } from '../../core/push-plan.ts'
import { downloaderReason } from '../../core/reason/of-fault.ts'
import type { Reason } from '../../core/reason/reason.ts'
import type { Torrent } from '../../core/torrent.ts'
import { isSettled, unknownTorrent } from '../../core/torrent-action-plan.ts'
import { TorrentCatalogue } from '../../core/torrent-catalogue.ts'
import type { TorrentChange, TorrentDetails } from '../../core/torrent-details.ts'
import { isOfVersion2 } from '../../core/torrent-file.ts'
import type { ListPart, SortKey } from '../../core/torrent-listing.ts'
import type { RunTarget } from '../../core/torrent-run.ts'
import type { DownloaderKind, TorrentAction } from '../../core/vocabulary.ts'
import {
  actionSettleMs,
  actionSettlePollMs,
  addSettleMs,
  credentialRetryMs,
  freeSpaceSettleMs,
  glanceMs,
  lastKnownMs,
  moveSettleMs,
  torrentFileBounds,
  unseenUploadMs,
} from '../../limits.ts'
import { withTimeout } from '../with-timeout.ts'
import { DelugeDriver } from './deluge/deluge.ts'
import type { DownloaderDriver, DriverRuntime } from './downloader-driver.ts'
import { QbittorrentDriver } from './qbittorrent/qbittorrent.ts'
import { RtorrentDriver } from './rtorrent/rtorrent.ts'
import { TransmissionDriver } from './transmission/transmission.ts'

/** What one read left behind: good for every reader until it is too old or something was written. */
interface Snapshot {
  readonly status: DownloaderStatus
  readonly startedAtMs: number
  readonly writes: number
}

export function createDriver(settings: DownloaderSettings, runtime: DriverRuntime): DownloaderDriver {
  switch (settings.kind) {
    case 'qbittorrent':
      return new QbittorrentDriver(settings, runtime)
    case 'transmission':
      return new TransmissionDriver(settings, runtime)
    case 'deluge':
      return new DelugeDriver(settings, runtime)
    case 'rtorrent':
      return new RtorrentDriver(settings, runtime)
  }
}

/**
 * One downloader while it is in use: its last state, no older than the bound, and one operation on it at a time. What
 * was read before a write is never shown after it. Of one that keeps still, lists show what was known, with its time.
 */
export class LiveDownloader {
  readonly #kind: DownloaderKind
  readonly #driver: DownloaderDriver
  readonly #runtime: DriverRuntime
  readonly #catalogue = new TorrentCatalogue()
  #snapshot: Snapshot | undefined
  /** Grows with each write, so that a read that began before it can be told from one that began after. */
  #writes = 0
  /** When the last read began that was answered. */
  #answeredAtMs: number | undefined
  #reading: { readonly writes: number; readonly outcome: Promise<Result<Snapshot, DownloaderFault>> } | undefined
  #lastOperation: Promise<unknown> = Promise.resolve()
  #refusals = { count: 0, atMs: 0 }
  /** How it answered last: it never did, it did, or it keeps still. */
  #pace: keyof typeof glanceMs = 'new'
  #lastAdd: Promise<unknown> = Promise.resolve()
  /** Sent and not seen since: their space is taken although no list shows it. */
  #unseen: { readonly infoHashes: readonly string[]; readonly bytes: number; readonly atMs: number }[] = []

  constructor(kind: DownloaderKind, driver: DownloaderDriver, runtime: DriverRuntime) {
    this.#kind = kind
    this.#driver = driver
    this.#runtime = runtime
  }

  /** For who decides by it. */
  async status(): Promise<Result<DownloaderStatus, DownloaderFault>> {
    return statusOf(await this.#read())
  }

  /** For who shows it among others. */
  async shownStatus(): Promise<Result<DownloaderStatus, DownloaderFault>> {
    return statusOf(await this.#glance())
  }

  async select(query: TorrentQuery, part: ListPart): Promise<Result<TorrentSelection, DownloaderFault>> {
    const snapshot = await this.#glance()
    if (snapshot.ok) return succeed(this.#catalogue.select(query, part))
    const atUnix = this.#lastKnownAt(snapshot.failure)
    if (atUnix === undefined) return snapshot
    const late = { atUnix, reason: downloaderReason(snapshot.failure, this.#kind) }
    return succeed({ ...this.#catalogue.select(query, part), late })
  }

  async sortKeys(query: TorrentQuery, upTo: number): Promise<Result<SortKey[], DownloaderFault>> {
    const snapshot = await this.#glance()
    const isKnown = snapshot.ok || this.#lastKnownAt(snapshot.failure) !== undefined
    return isKnown ? succeed(this.#catalogue.sortKeys(query, upTo)) : snapshot
  }

  /** When it answered last, where the list of then is better than none: it keeps still, and did not long ago. */
  #lastKnownAt({ kind }: DownloaderFault): number | undefined {
    const atMs = this.#answeredAtMs
    if (atMs === undefined || (kind !== 'timeout' && kind !== 'unreachable')) return undefined
    return this.#runtime.nowMs() - atMs < lastKnownMs ? Math.floor(atMs / 1000) : undefined
  }

  async groups(filter: TorrentFilter): Promise<Result<TorrentGroups, DownloaderFault>> {
    const snapshot = await this.#glance()
    const isKnown = snapshot.ok || this.#lastKnownAt(snapshot.failure) !== undefined
    return isKnown ? succeed(this.#catalogue.groups(filter)) : snapshot
  }

  async matching(filter: TorrentFilter): Promise<Result<RunTarget[], DownloaderFault>> {
    const snapshot = await this.#glance()
    return snapshot.ok ? succeed(this.#catalogue.matching(filter)) : snapshot
  }

  async called(names: readonly string[]): Promise<Result<string[], DownloaderFault>> {
    const snapshot = await this.#glance()
    const isKnown = snapshot.ok || this.#lastKnownAt(snapshot.failure) !== undefined
    return isKnown ? succeed(this.#catalogue.called(names)) : snapshot
  }

  async act(action: TorrentAction, infoHashes: readonly string[]): Promise<Result<ActionOutcome[], DownloaderFault>> {
    return this.#onKnown(
      infoHashes,
      ([{ infoHash }, ...others], signal) =>
        this.#driver.act(action, [infoHash, ...others.map((torrent) => torrent.infoHash)], signal),
      (known) => this.#settle(action, known),
    )
  }

  /** As an action; what was accepted shows in later reads. */
  async change(
    change: TorrentChange,
    infoHashes: readonly string[],
  ): Promise<Result<ActionOutcome[], DownloaderFault>> {
    return this.#onKnown(infoHashes, (torrents, signal) => this.#driver.change(change, torrents, signal))
  }

  /**
   * One outcome for each hash. Looks first: downloaders answer success for a torrent they do not have. `settle` gives back
   * those that do not show it yet.
   */
  async #onKnown(
    infoHashes: readonly string[],
    operate: (
      torrents: readonly [Torrent, ...Torrent[]],
      signal: AbortSignal,
    ) => Promise<Result<void, DownloaderFault>>,
    settle?: (infoHashes: readonly string[]) => Promise<ReadonlySet<string>>,
  ): Promise<Result<ActionOutcome[], DownloaderFault>> {
    this.#writes++
    const before = await this.#read()
    if (!before.ok) return before
    const [first, ...others] = infoHashes.flatMap((infoHash) => this.#catalogue.find(infoHash) ?? [])
    if (first === undefined) return succeed(infoHashes.map(unknown))
    const accepted = await this.#operate((signal) => operate([first, ...others], signal))
    this.#writes++
    if (!accepted.ok) return accepted
    const titles = new Map([first, ...others].map(({ infoHash, title }) => [infoHash, title]))
    const unsettled = await settle?.([...titles.keys()])
    return succeed(
      infoHashes.map((infoHash) => {
        const title = titles.get(infoHash)
        if (title === undefined) return unknown(infoHash)
        return { infoHash, title, success: true, ...(unsettled?.has(infoHash) ? { reason: acceptedNotSettled } : {}) }
      }),
    )
  }

  /** Undefined when there is no such torrent. */
  async details(infoHash: string): Promise<Result<TorrentDetails | undefined, DownloaderFault>> {
    const snapshot = await this.#read()
    if (!snapshot.ok) return snapshot
    if (this.#catalogue.find(infoHash) === undefined) return succeed(undefined)
    return this.#operate((signal) => this.#driver.details(infoHash, signal))
  }

  /** Undefined when there is no such torrent. */
  async exportFile(infoHash: string): Promise<Result<Uint8Array | undefined, DownloaderFault>> {
    const snapshot = await this.#read()
    if (!snapshot.ok) return snapshot
    if (this.#catalogue.find(infoHash) === undefined) return succeed(undefined)
    return this.#operate(
      async (signal) =>
        (await this.#driver.exportFile?.(infoHash, signal)) ?? failWith({ kind: 'unsupported', skill: 'export' }),
    )
  }

  /** Those of the named torrents that are there. */
  async find(infoHashes: readonly string[]): Promise<Result<Torrent[], DownloaderFault>> {
    const snapshot = await this.#read()
    return snapshot.ok ? succeed(infoHashes.flatMap((infoHash) => this.#catalogue.find(infoHash) ?? [])) : snapshot
  }

  /** What an `add` into that folder would go by. */
  async space(savePath: string, minFreeBytes: number): Promise<Result<DiskSpace, DownloaderFault>> {
    const snapshot = await this.#read()
    if (!snapshot.ok) return snapshot
    const freeBytes = await this.#freeSpaceFor({ savePath }, snapshot.value.status)
    return succeed({ freeBytes, pendingBytes: this.#pendingBytes(), minFreeBytes })
  }

  /** Looks first: what is there, or has its files in hand at the moment, is not asked to move again. */
  async move(infoHashes: readonly string[], folder: string): Promise<Result<MoveOutcome, DownloaderFault>> {
    this.#writes++
    const before = await this.#moveSeen(infoHashes, folder)
    if (!before.ok || before.value.kind !== 'moving' || before.value.torrent.state === 'checking') return before
    const { torrent } = before.value
    const accepted = await this.#operate((signal) => this.#driver.change({ kind: 'move', folder }, [torrent], signal))
    this.#writes++
    if (!accepted.ok) return accepted
    const deadlineMs = this.#runtime.nowMs() + moveSettleMs
    for (;;) {
      const seen = await this.#moveSeen(infoHashes, folder)
      if (!seen.ok || seen.value.kind !== 'moving' || this.#runtime.nowMs() >= deadlineMs) return seen
      this.#writes++
      await this.#runtime.wait(actionSettlePollMs)
    }
  }

  async #moveSeen(infoHashes: readonly string[], folder: string): Promise<Result<MoveOutcome, DownloaderFault>> {
    const found = await this.find(infoHashes)
    if (!found.ok) return found
    const [torrent] = found.value
    if (torrent === undefined) return succeed({ kind: 'gone' })
    const isThere = isSameFolder(torrent.savePath, folder) && torrent.state !== 'checking'
    return succeed({ kind: isThere ? 'moved' : 'moving', torrent })
  }

  /** One after another, from the look at the free space until the torrent shows: no two count on the same space. */
  add(upload: TorrentUpload, minFreeBytes: number): Promise<AddOutcome> {
    const run = this.#lastAdd.then(() => this.#addAlone(upload, minFreeBytes))
    this.#lastAdd = run.catch(() => undefined)
    return run
  }

  async #addAlone(upload: TorrentUpload, minFreeBytes: number): Promise<AddOutcome> {
    this.#writes++
    const before = await this.#read()
    if (!before.ok) return this.#refused(before.failure, upload, false)
    const present = this.#shownAs(upload.infoHashes)
    if (present !== undefined) return { kind: 'present', infoHash: present }
    const freeBytes = await this.#freeSpaceFor(upload, before.value.status)
    const stop = stopForSpace({ freeBytes, pendingBytes: this.#pendingBytes(), minFreeBytes }, upload.sizeBytes)
    if (stop !== undefined) return { kind: 'stopped', reason: stop }
    const accepted = await this.#operate((signal) => this.#driver.add(upload, signal))
    this.#writes++
    // Who is told `rejected` is not done: the daemon says the same about a torrent it has.
    const shown = await this.#waitFor(upload.infoHashes, accepted.ok ? addSettleMs : 0)
    const isElsewhere = !accepted.ok && accepted.failure.kind === 'rejected'
    if (shown !== undefined) return { kind: isElsewhere ? 'present' : 'added', infoHash: shown }
    if (!accepted.ok && accepted.failure.kind !== 'timeout' && accepted.failure.kind !== 'unreachable')
      return this.#refused(accepted.failure, upload, false)
    this.#unseen.push({
      infoHashes: upload.infoHashes,
      bytes: upload.sizeBytes ?? 0,
      atMs: this.#runtime.nowMs(),
    })
    return accepted.ok
      ? { kind: 'refused', reason: { kind: 'push.not_listed' }, mayHaveArrived: true }
      : this.#refused(accepted.failure, upload, true)
  }

  /**
   * Where it will be written, if the downloader can tell other folders from its default one. A program that was signed
   * in to a moment ago may still be looking.
   */
  async #freeSpaceFor(
    { savePath }: Pick<TorrentUpload, 'savePath'>,
    status: DownloaderStatus,
  ): Promise<number | undefined> {
    if (savePath !== '' && this.#driver.freeSpaceIn !== undefined)
      return this.#operate(async (signal) => this.#driver.freeSpaceIn?.(savePath, signal))
    const deadlineMs = this.#runtime.nowMs() + freeSpaceSettleMs
    let { freeSpaceBytes } = status
    while (freeSpaceBytes === undefined && this.#runtime.nowMs() < deadlineMs) {
      await this.#runtime.wait(actionSettlePollMs)
      this.#writes++
      const seen = await this.#read()
      freeSpaceBytes = seen.ok ? seen.value.status.freeSpaceBytes : undefined
    }
    return freeSpaceBytes
  }

  #refused(fault: DownloaderFault, { content }: TorrentUpload, mayHaveArrived: boolean): AddOutcome {
    const reason: Reason =
      fault.kind !== 'rejected'
        ? downloaderReason(fault, this.#kind)
        : { kind: isOfVersion2(content, torrentFileBounds) ? 'push.version_unread' : 'push.file_refused' }
    return { kind: 'refused', reason, mayHaveArrived }
  }

  #shownAs(infoHashes: readonly string[]): string | undefined {
    return infoHashes.find((infoHash) => this.#catalogue.find(infoHash) !== undefined)
  }

  async #waitFor(infoHashes: readonly string[], limitMs: number): Promise<string | undefined> {
    const deadlineMs = this.#runtime.nowMs() + limitMs
    for (;;) {
      const seen = await this.#read()
      const shown = seen.ok ? this.#shownAs(infoHashes) : undefined
      if (shown !== undefined || this.#runtime.nowMs() >= deadlineMs) return shown
      this.#writes++
      await this.#runtime.wait(actionSettlePollMs)
    }
  }

  #pendingBytes(): number {
    const nowMs = this.#runtime.nowMs()
    this.#unseen = this.#unseen.filter(
      ({ infoHashes, atMs }) => this.#shownAs(infoHashes) === undefined && nowMs - atMs < unseenUploadMs,
    )
    return this.#catalogue.pendingBytes() + this.#unseen.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /** Waits, within bounds, until reads show what was written; gives back the torrents that do not yet. */
  async #settle(action: TorrentAction, infoHashes: readonly string[]): Promise<ReadonlySet<string>> {
    const deadlineMs = this.#runtime.nowMs() + actionSettleMs
    for (;;) {
      const seen = await this.#read()
      const unsettled = seen.ok
        ? infoHashes.filter((infoHash) => !isSettled(action, this.#catalogue.find(infoHash)?.state))
        : infoHashes
      if (unsettled.length === 0) return new Set()
      this.#writes++
      if (!seen.ok || this.#runtime.nowMs() >= deadlineMs) return new Set(unsettled)
      await this.#runtime.wait(actionSettlePollMs)
    }
  }

  /**
   * For who shows a list of several: what it waits for is bounded by how the downloader was before. The read goes on, so
   * that one which answers again is shown by the next list.
   */
  async #glance(): Promise<Result<Snapshot, DownloaderFault>> {
    const reading = this.#read()
    const waitMs = glanceMs[this.#pace]
    if (waitMs === undefined) return reading
    const seen = await withTimeout(waitMs, reading)
    if (seen !== undefined) return seen
    this.#pace = 'silent'
    return failWith({ kind: 'timeout' })
  }

  /** The state after every write so far: the kept one, the read under way, or a new one. */
  #read(): Promise<Result<Snapshot, DownloaderFault>> {
    const kept = this.#snapshot
    if (kept !== undefined && kept.writes === this.#writes) {
      const ageMs = this.#runtime.nowMs() - kept.startedAtMs
      if (ageMs >= 0 && ageMs < this.#runtime.bounds.stalenessMs) return Promise.resolve(succeed(kept))
    }
    if (this.#reading?.writes === this.#writes) return this.#reading.outcome
    const writes = this.#writes
    const reading = { writes, outcome: this.#readAnew(writes) }
    this.#reading = reading
    const done = () => {
      if (this.#reading === reading) this.#reading = undefined
    }
    reading.outcome.then(done, done)
    return reading.outcome
  }

  async #readAnew(writes: number): Promise<Result<Snapshot, DownloaderFault>> {
    const refused = this.#waitAfterRefusal()
    if (refused !== undefined) return failWith(refused)
    let startedAtMs = 0
    const reading = await this.#operate((signal) => {
      startedAtMs = this.#runtime.nowMs()
      return this.#driver.read(signal)
    })
    this.#noteRefusal(reading.ok ? undefined : reading.failure)
    if (reading.ok) this.#pace = 'known'
    else if (reading.failure.kind === 'timeout') this.#pace = 'silent'
    if (!reading.ok) {
      this.#snapshot = undefined
      return reading
    }
    this.#catalogue.apply(reading.value.changes)
    this.#answeredAtMs = startedAtMs
    this.#snapshot = { status: reading.value.status, startedAtMs, writes }
    return succeed(this.#snapshot)
  }

  /** Drivers keep their place in the daemon's reports, so operations queue; each has its own time limit. */
  #operate<T>(operation: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const run = this.#lastOperation.then(() => operation(AbortSignal.timeout(this.#runtime.bounds.operationMs)))
    this.#lastOperation = run.catch(() => undefined)
    return run
  }

  #waitAfterRefusal(): DownloaderFault | undefined {
    const { count, atMs } = this.#refusals
    if (count === 0) return undefined
    const waitMs = credentialRetryMs[Math.min(count, credentialRetryMs.length) - 1] ?? 0
    return this.#runtime.nowMs() - atMs < waitMs ? { kind: 'credentials' } : undefined
  }

  #noteRefusal(fault: DownloaderFault | undefined): void {
    if (fault === undefined) this.#refusals = { count: 0, atMs: 0 }
    if (fault?.kind !== 'credentials') return
    this.#refusals = { count: this.#refusals.count + 1, atMs: this.#runtime.nowMs() }
  }
}

function statusOf(read: Result<Snapshot, DownloaderFault>): Result<DownloaderStatus, DownloaderFault> {
  return read.ok ? succeed(read.value.status) : read
}

const acceptedNotSettled: Reason = { kind: 'accepted_not_settled' }

function unknown(infoHash: string): ActionOutcome {
  return { infoHash, success: false, reason: unknownTorrent }
}
