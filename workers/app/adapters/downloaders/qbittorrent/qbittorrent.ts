import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { DownloaderSettings, InfoHashes, TorrentUpload } from '../../../core/downloader.ts'
import type { DownloaderFault } from '../../../core/downloader-fault.ts'
import { fromQbittorrent, type QbittorrentFields } from '../../../core/qbittorrent-torrent.ts'
import type { Torrent } from '../../../core/torrent.ts'
import type { TorrentChanges } from '../../../core/torrent-catalogue.ts'
import type { TorrentChange, TorrentDetails } from '../../../core/torrent-details.ts'
import { wholeAmount } from '../../../core/torrent-numbers.ts'
import type { TorrentAction } from '../../../core/vocabulary.ts'
import { qbittorrentSpaceLookMs } from '../../../limits.ts'
import type { DownloaderDriver, DownloaderReading, DriverRuntime } from '../downloader-driver.ts'
import { parseJson } from '../downloader-http.ts'
import { faultOfStatus, QbittorrentCalls, type Session } from './calls.ts'
import { changeTorrents } from './changes.ts'
import { readDetails } from './details.ts'
import { addCounts, mainData, type ServerState } from './shapes.ts'
import { TrackerLooks } from './tracker-looks.ts'

const notThisKind: DownloaderFault = { kind: 'not_this_kind' }

/** qBittorrent's WebUI API, version 2, from 4.1 to 5.2. */
export class QbittorrentDriver implements DownloaderDriver {
  readonly #calls: QbittorrentCalls
  readonly #nowMs: () => number
  /** Number of the last answer that was taken over; 0 asks for everything. */
  #answerId = 0
  #fields = new Map<string, QbittorrentFields>()
  #serverState: ServerState = {}
  readonly #trackerLooks = new TrackerLooks()

  constructor(settings: DownloaderSettings, runtime: DriverRuntime) {
    this.#calls = new QbittorrentCalls(settings, runtime)
    this.#nowMs = runtime.nowMs
  }

  async read(signal: AbortSignal): Promise<Result<DownloaderReading, DownloaderFault>> {
    const asked = this.#answerId
    // Set again only when the answer was taken over whole: after any failure the next read starts afresh.
    this.#answerId = 0
    const answer = await this.#calls.request(() => ({ path: `sync/maindata?rid=${asked}` }), signal)
    if (!answer.ok) return answer
    const { status, text, session } = answer.value
    if (status !== 200) return failWith(faultOfStatus(status))
    const parsed = mainData.safeParse(parseJson(text))
    if (!parsed.success) return failWith(notThisKind)
    const data = parsed.data
    const isFull = data.full_update === true || asked === 0
    // A part of something that was never seen whole: the place in the reports is lost, so everything is read again.
    if (!isFull && !this.#knowsAll(data.torrents ?? {})) return this.read(signal)
    const changes = this.#takeOver(isFull, data.torrents ?? {}, data.torrents_removed ?? [])
    this.#serverState = isFull ? (data.server_state ?? {}) : { ...this.#serverState, ...data.server_state }
    this.#answerId = data.rid
    return succeed({ changes: await this.#withTrackers(changes, session, signal), status: this.#status(session) })
  }

  async #withTrackers(changes: TorrentChanges, session: Session, signal: AbortSignal): Promise<TorrentChanges> {
    const told = await this.#trackerLooks.look(this.#fields, this.#nowMs(), (infoHash) =>
      this.#calls.glance(`torrents/trackers?hash=${infoHash}`, session, signal),
    )
    // What says what it said before has not changed: the lists that are kept in order stay as they are.
    if (told.size === 0) return changes
    const shown = changes.kind === 'full' ? changes.torrents : changes.changed
    const torrents = [
      ...shown.filter(({ infoHash }) => !told.has(infoHash)),
      ...[...told].map((infoHash) => this.#torrent(infoHash, this.#fields.get(infoHash) ?? {})),
    ]
    return changes.kind === 'full' ? { kind: 'full', torrents } : { ...changes, changed: torrents }
  }

  #torrent(infoHash: string, fields: QbittorrentFields) {
    return fromQbittorrent(infoHash, fields, this.#trackerLooks.wordsOf(infoHash))
  }

  async act(
    action: TorrentAction,
    infoHashes: InfoHashes,
    signal: AbortSignal,
  ): Promise<Result<void, DownloaderFault>> {
    const form: Record<string, string> = { hashes: infoHashes.join('|') }
    if (action === 'delete' || action === 'delete_with_files') {
      form['deleteFiles'] = String(action === 'delete_with_files')
    }
    const sent = await this.#calls.request(
      ({ verbs }) => ({
        path: `torrents/${action === 'pause' || action === 'resume' ? verbs[action] : 'delete'}`,
        form,
      }),
      signal,
    )
    if (!sent.ok) return sent
    const { status } = sent.value
    return status === 200 || status === 204 ? succeed(undefined) : failWith(faultOfStatus(status))
  }

  /**
   * Answers `Ok.` or `Fails.` with 200, newer versions counts, and 409 or 415 for what they do not take. `Fails.` also
   * means that the torrent is there already: the reader finds out.
   */
  async add(upload: TorrentUpload, signal: AbortSignal): Promise<Result<void, DownloaderFault>> {
    const sent = await this.#calls.request(({ verbs }) => {
      const form = new FormData()
      const isMagnet = typeof upload.content === 'string'
      if (typeof upload.content === 'string') form.append('urls', upload.content)
      else form.append('torrents', new Blob([new Uint8Array(upload.content)]), 'upload.torrent')
      if (upload.category !== '') form.append('category', upload.category)
      if (upload.tags.length > 0) form.append('tags', upload.tags.join(','))
      if (upload.savePath !== '') {
        form.append('savepath', upload.savePath)
        // Otherwise the category's folder wins.
        form.append('autoTMM', 'false')
      }
      // Said outright: a preference of the program could leave it waiting.
      const isPaused = upload.isPaused === true
      // Stopped outright it would never learn what a magnet link's files are.
      form.append(verbs.pause === 'stop' ? 'stopped' : 'paused', String(isPaused && !isMagnet))
      if (isPaused && isMagnet) form.append('stopCondition', 'MetadataReceived')
      return { path: 'torrents/add', form }
    }, signal)
    if (!sent.ok) return sent
    const { status, text } = sent.value
    if (status === 409 || status === 415) return failWith({ kind: 'rejected' })
    if (status !== 200 && status !== 202 && status !== 204) return failWith(faultOfStatus(status))
    const counts = addCounts.safeParse(parseJson(text))
    const isRefused = text.trim() === 'Fails.' || (counts.success && counts.data.failure_count > 0)
    return isRefused ? failWith({ kind: 'rejected' }) : succeed(undefined)
  }

  /** Since 4.5.0; 404 also says that the call is unknown, and 409 that there is no file of one without metadata. */
  async exportFile(infoHash: string, signal: AbortSignal): Promise<Result<Uint8Array | undefined, DownloaderFault>> {
    const sent = await this.#calls.request(
      () => ({ path: `torrents/export?hash=${infoHash}`, mayBeMissing: true, isFile: true }),
      signal,
    )
    if (!sent.ok) return sent
    const { status, file } = sent.value
    if (status === 404 || status === 409) return failWith({ kind: 'unsupported', skill: 'export' })
    return status === 200 ? succeed(file) : failWith(faultOfStatus(status))
  }

  async details(infoHash: string, signal: AbortSignal): Promise<Result<TorrentDetails | undefined, DownloaderFault>> {
    const about = await this.#calls.request(
      () => ({ path: `torrents/properties?hash=${infoHash}`, mayBeMissing: true }),
      signal,
    )
    if (!about.ok) return about
    if (about.value.status === 404) return succeed(undefined)
    if (about.value.status !== 200) return failWith(faultOfStatus(about.value.status))
    const { session } = about.value
    const [files, trackers, peers, pieces, row] = await Promise.all(
      [
        `torrents/files?hash=${infoHash}`,
        `torrents/trackers?hash=${infoHash}`,
        `sync/torrentPeers?hash=${infoHash}`,
        `torrents/pieceStates?hash=${infoHash}`,
        `torrents/info?hashes=${infoHash}`,
      ].map((path) => this.#calls.glance(path, session, signal)),
    )
    const details = readDetails({ about: parseJson(about.value.text), files, trackers, peers, pieces, row })
    return details === undefined ? failWith(notThisKind) : succeed(details)
  }

  change(
    change: TorrentChange,
    torrents: readonly [Torrent, ...Torrent[]],
    signal: AbortSignal,
  ): Promise<Result<void, DownloaderFault>> {
    return changeTorrents(this.#calls, change, torrents, signal)
  }

  #takeOver(
    isFull: boolean,
    torrents: Readonly<Record<string, QbittorrentFields>>,
    removed: readonly string[],
  ): TorrentChanges {
    if (isFull) {
      this.#fields = new Map()
      this.#trackerLooks.keepOnly((infoHash) => Object.hasOwn(torrents, infoHash))
    }
    // First what went: a torrent that was removed and added again is in both lists.
    for (const infoHash of removed) {
      this.#fields.delete(infoHash)
      this.#trackerLooks.forget(infoHash)
    }
    const changed = Object.entries(torrents).map(([infoHash, fields]) => {
      const merged = { ...this.#fields.get(infoHash), ...fields }
      this.#fields.set(infoHash, merged)
      return this.#torrent(infoHash, merged)
    })
    return isFull ? { kind: 'full', torrents: changed } : { kind: 'delta', changed, removed }
  }

  #knowsAll(torrents: Readonly<Record<string, QbittorrentFields>>): boolean {
    return Object.entries(torrents).every(([infoHash, { name }]) => name !== undefined || this.#fields.has(infoHash))
  }

  #status({ version, startedAtMs }: Session): DownloaderReading['status'] {
    const { up_info_speed, dl_info_speed, alltime_ul, alltime_dl, free_space_on_disk } = this.#serverState
    // A disk that is full says 0 too, and goes on saying it.
    const isLooking = free_space_on_disk === 0 && this.#nowMs() - startedAtMs < qbittorrentSpaceLookMs
    return {
      version,
      uploadBytesPerSecond: wholeAmount(up_info_speed),
      downloadBytesPerSecond: wholeAmount(dl_info_speed),
      uploadedBytes: wholeAmount(alltime_ul),
      downloadedBytes: wholeAmount(alltime_dl),
      ...(free_space_on_disk === undefined || free_space_on_disk < 0 || isLooking
        ? {}
        : { freeSpaceBytes: wholeAmount(free_space_on_disk) }),
    }
  }
}
