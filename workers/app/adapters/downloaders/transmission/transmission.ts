import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { toBase64 } from '../../../core/bytes.ts'
import type { DownloaderSettings, InfoHashes, TorrentUpload } from '../../../core/downloader.ts'
import type { DownloaderFault } from '../../../core/downloader-fault.ts'
import type { Torrent } from '../../../core/torrent.ts'
import type { TorrentChanges } from '../../../core/torrent-catalogue.ts'
import { isTrackerChange, type TorrentChange, type TorrentDetails } from '../../../core/torrent-details.ts'
import { wholeAmount } from '../../../core/torrent-numbers.ts'
import { fromTransmission } from '../../../core/transmission-torrent.ts'
import type { TorrentAction } from '../../../core/vocabulary.ts'
import { transmissionDeltaMs, transmissionResyncMs } from '../../../limits.ts'
import { AskedTrackers } from '../asked-trackers.ts'
import type { DownloaderDriver, DownloaderReading, DriverRuntime } from '../downloader-driver.ts'
import { freeSpaceUp } from '../nearest-folder.ts'
import { type Session, TransmissionCalls } from './calls.ts'
import { changeTorrents } from './changes.ts'
import { detailFields, firstTrackers, readTransmissionDetails } from './details.ts'
import { fieldsOf, freeSpace, readTorrentList, sessionFacts, sessionStatistics, type TorrentList } from './shapes.ts'

const notThisKind: DownloaderFault = { kind: 'not_this_kind' }
const recentlyActive = { legacy: 'recently-active', json_rpc: 'recently_active' } as const
/** Asked by name: a session also holds folders and addresses that nobody here needs to know. */
const aboutFields = { legacy: ['version', 'download-dir'], json_rpc: ['version', 'download_dir'] } as const
const downloadFolder = { legacy: 'download-dir', json_rpc: 'download_dir' } as const
const deleteLocalData = { legacy: 'delete-local-data', json_rpc: 'delete_local_data' } as const

/** Transmission's RPC, in whichever dialect its daemon offers. */
export class TransmissionDriver implements DownloaderDriver {
  readonly #calls: TransmissionCalls
  readonly #nowMs: () => number
  readonly #trackers = new AskedTrackers()
  /** Hash by the daemon's own number, which only lasts as long as its session. */
  #hashById = new Map<number, string>()
  #about: { readonly session: Session; readonly version: string; readonly downloadDir: string } | undefined
  /** When the last read and the last whole one began, and in which session. Undefined asks for everything. */
  #lastRead: { readonly session: Session; readonly atMs: number; readonly fullAtMs: number } | undefined

  constructor(settings: DownloaderSettings, runtime: DriverRuntime) {
    this.#calls = new TransmissionCalls(settings, runtime)
    this.#nowMs = runtime.nowMs
  }

  async read(signal: AbortSignal): Promise<Result<DownloaderReading, DownloaderFault>> {
    const before = this.#lastRead
    // Set again only when the answer was taken over whole: after any failure the next read starts afresh.
    this.#lastRead = undefined
    const startedAtMs = this.#nowMs()
    const isDelta =
      before !== undefined &&
      startedAtMs - before.atMs < transmissionDeltaMs &&
      startedAtMs - before.fullAtMs < transmissionResyncMs
    if (!isDelta) this.#about = undefined
    const delta = isDelta ? await this.#listTorrents(true, signal) : undefined
    if (delta !== undefined && !delta.ok) return delta
    // Another session means other numbers, so what was reported as changed does not fit what is known.
    const isUsable = delta !== undefined && before !== undefined && this.#calls.session === before.session
    const list = isUsable ? delta : await this.#listTorrents(false, signal)
    if (!list.ok) return list
    const session = this.#calls.session
    if (session === undefined) return failWith({ kind: 'interrupted' })
    const told = await this.#readStatus(session, signal)
    if (!told.ok) return told
    await this.#learnTrackers(list.value, !isUsable, signal)
    const changes = this.#takeOver(isUsable, list.value)
    // A daemon that starts answers before it has loaded its torrents, and does not report those it loads as changed.
    if (isUsable && told.value.torrentCount !== this.#hashById.size) return this.read(signal)
    this.#lastRead = {
      session,
      atMs: startedAtMs,
      fullAtMs: isUsable ? before.fullAtMs : startedAtMs,
    }
    return succeed({ changes, status: told.value.status })
  }

  async act(
    action: TorrentAction,
    infoHashes: InfoHashes,
    signal: AbortSignal,
  ): Promise<Result<void, DownloaderFault>> {
    const isRemoval = action === 'delete' || action === 'delete_with_files'
    const sent = await this.#calls.call(
      isRemoval ? 'remove' : action,
      (dialect) => ({
        ids: infoHashes,
        ...(isRemoval ? { [deleteLocalData[dialect]]: action === 'delete_with_files' } : {}),
      }),
      signal,
    )
    return sent.ok ? succeed(undefined) : sent
  }

  /** Has no categories: the first label stands for it. A duplicate is a success to it too. */
  async add(upload: TorrentUpload, signal: AbortSignal): Promise<Result<void, DownloaderFault>> {
    const content =
      typeof upload.content === 'string' ? { filename: upload.content } : { metainfo: toBase64(upload.content) }
    const sent = await this.#calls.call(
      'add',
      (dialect) => ({
        ...content,
        paused: upload.isPaused === true,
        ...(upload.savePath === '' ? {} : { [downloadFolder[dialect]]: upload.savePath }),
      }),
      signal,
    )
    if (!sent.ok) return sent
    const labels = [...new Set([upload.category, ...upload.tags])].filter((label) => label !== '')
    // Set afterwards: 3.00 ignores labels of a new torrent. It was taken up whether or not they stick.
    if (labels.length > 0) await this.#calls.call('change', () => ({ ids: [upload.infoHashes[0]], labels }), signal)
    return succeed(undefined)
  }

  async details(infoHash: string, signal: AbortSignal): Promise<Result<TorrentDetails | undefined, DownloaderFault>> {
    const answer = await this.#calls.call(
      'listTorrents',
      (dialect) => ({ ids: [infoHash], fields: detailFields(dialect) }),
      signal,
    )
    if (!answer.ok) return answer
    const details = readTransmissionDetails(answer.value.result, answer.value.session.dialect)
    if (details === 'gone') return succeed(undefined)
    return details === undefined ? failWith(notThisKind) : succeed(details)
  }

  change(
    change: TorrentChange,
    torrents: readonly [Torrent, ...Torrent[]],
    signal: AbortSignal,
  ): Promise<Result<void, DownloaderFault>> {
    if (isTrackerChange(change)) this.#trackers.forget(torrents.map(({ infoHash }) => infoHash))
    return changeTorrents(this.#calls, change, torrents, signal)
  }

  async #listTorrents(isDelta: boolean, signal: AbortSignal): Promise<Result<TorrentList, DownloaderFault>> {
    const answer = await this.#calls.call(
      'listTorrents',
      (dialect) => ({
        fields: fieldsOf(dialect),
        // Half the bytes where the daemon knows it; older ones ignore the wish and answer objects.
        format: 'table',
        ...(isDelta ? { ids: recentlyActive[dialect] } : {}),
      }),
      signal,
    )
    if (!answer.ok) return answer
    const list = readTorrentList(answer.value.result, answer.value.session.dialect)
    return list === undefined ? failWith(notThisKind) : succeed(list)
  }

  #learnTrackers(list: TorrentList, areAll: boolean, signal: AbortSignal): Promise<void> {
    const hashes = list.torrents.map(({ hash }) => hash)
    return this.#trackers.learn(hashes, areAll, this.#nowMs(), async (ids) => {
      const answer = await this.#calls.call(
        'listTorrents',
        (dialect) => ({ ids, fields: [dialect === 'legacy' ? 'hashString' : 'hash_string', 'trackers'] }),
        signal,
      )
      return answer.ok ? succeed(firstTrackers(answer.value.result)) : answer
    })
  }

  #takeOver(isDelta: boolean, list: TorrentList): TorrentChanges {
    const torrents = list.torrents.map((fields) => fromTransmission(fields, this.#trackers.of(fields.hash)))
    if (!isDelta) this.#hashById = new Map()
    const removed = list.removed.flatMap((id) => this.#hashById.get(id) ?? [])
    for (const id of list.removed) this.#hashById.delete(id)
    for (const { id, hash } of list.torrents) this.#hashById.set(id, hash)
    return isDelta ? { kind: 'delta', changed: torrents, removed } : { kind: 'full', torrents }
  }

  async #readStatus(
    session: Session,
    signal: AbortSignal,
  ): Promise<Result<{ status: DownloaderReading['status']; torrentCount: number }, DownloaderFault>> {
    const { dialect } = session
    if (this.#about?.session !== session) {
      const answer = await this.#calls.call('readSession', (dialect) => ({ fields: aboutFields[dialect] }), signal)
      if (!answer.ok) return answer
      const facts = sessionFacts[dialect].safeParse(answer.value.result)
      if (!facts.success) return failWith(notThisKind)
      this.#about = { session, ...facts.data }
    }
    const { version, downloadDir } = this.#about
    const [statistics, freeSpaceBytes] = await Promise.all([
      this.#calls.call('readStatistics', () => ({}), signal),
      this.#freeSpaceAt(downloadDir, signal),
    ])
    if (!statistics.ok) return statistics
    const figures = sessionStatistics[dialect].safeParse(statistics.value.result)
    if (!figures.success) return failWith(notThisKind)
    return succeed({
      torrentCount: figures.data.torrentCount,
      status: {
        version: version.split(' ', 1)[0] ?? version,
        uploadBytesPerSecond: wholeAmount(figures.data.up),
        downloadBytesPerSecond: wholeAmount(figures.data.down),
        uploadedBytes: wholeAmount(figures.data.uploadedBytes),
        downloadedBytes: wholeAmount(figures.data.downloadedBytes),
        ...(freeSpaceBytes === undefined ? {} : { freeSpaceBytes }),
      },
    })
  }

  freeSpaceIn(folder: string, signal: AbortSignal): Promise<number | undefined> {
    return freeSpaceUp(folder, (place) => this.#freeSpaceAt(place, signal))
  }

  /** The folder can be unreadable while everything else works: then the free space is simply not known. */
  async #freeSpaceAt(folder: string, signal: AbortSignal): Promise<number | undefined> {
    const space = await this.#calls.call('readFreeSpace', () => ({ path: folder }), signal)
    const free = space.ok ? freeSpace[space.value.session.dialect].safeParse(space.value.result) : undefined
    return free?.success === true && free.data >= 0 ? wholeAmount(free.data) : undefined
  }
}
