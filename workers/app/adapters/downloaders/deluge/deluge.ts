import { z } from 'zod'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { toBase64 } from '../../../core/bytes.ts'
import { fromDeluge } from '../../../core/deluge-torrent.ts'
import type { DownloaderSettings, InfoHashes, TorrentUpload } from '../../../core/downloader.ts'
import type { DownloaderFault } from '../../../core/downloader-fault.ts'
import type { Torrent } from '../../../core/torrent.ts'
import { isTrackerChange, type TorrentChange, type TorrentDetails } from '../../../core/torrent-details.ts'
import { wholeAmount } from '../../../core/torrent-numbers.ts'
import type { TorrentAction } from '../../../core/vocabulary.ts'
import { AskedTrackers } from '../asked-trackers.ts'
import type { DownloaderDriver, DownloaderReading, DriverRuntime } from '../downloader-driver.ts'
import { freeSpaceUp } from '../nearest-folder.ts'
import { SeenTorrents } from '../seen-torrents.ts'
import { DelugeCalls } from './calls.ts'
import { changeTorrents, labelTorrents, readInFull } from './changes.ts'
import { firstTrackers, readDelugeDetails } from './details.ts'

const number = z.number()
const torrentFields = z.object({
  name: z.string(),
  state: z.string(),
  message: z.string().default(''),
  progress: number,
  total_wanted: number,
  num_files: number,
  ratio: number,
  num_seeds: number,
  num_peers: number,
  upload_payload_rate: number,
  download_payload_rate: number,
  total_uploaded: number,
  all_time_download: number,
  eta: number,
  time_added: number,
  completed_time: number,
  seeding_time: number,
  is_finished: z.boolean(),
  tracker_status: z.string(),
  save_path: z.string(),
  label: z.string().optional(),
})
const torrentList = z.record(z.string().regex(/^[0-9a-f]{40}$/), torrentFields)
const fieldNames = Object.keys(torrentFields.shape)
const sessionStatus = z.object({ payload_upload_rate: number, payload_download_rate: number })
const notThisKind: DownloaderFault = { kind: 'not_this_kind' }

/** Deluge 2 by the JSON-RPC of its web page, which hands calls on to a daemon. The user name is not asked for. */
export class DelugeDriver implements DownloaderDriver {
  readonly #calls: DelugeCalls
  #version: string | undefined
  readonly #seen = new SeenTorrents()
  readonly #trackers = new AskedTrackers()
  readonly #nowMs: () => number

  constructor(settings: DownloaderSettings, runtime: DriverRuntime) {
    this.#calls = new DelugeCalls(settings, runtime)
    this.#nowMs = runtime.nowMs
  }

  async read(signal: AbortSignal): Promise<Result<DownloaderReading, DownloaderFault>> {
    const listed = await this.#calls.call('core.get_torrents_status', [{}, fieldNames], signal)
    if (!listed.ok) return this.#lost(listed)
    const list = torrentList.safeParse(listed.value)
    if (!list.success) return this.#lost(failWith(notThisKind))
    await this.#trackers.learn(Object.keys(list.data), true, this.#nowMs(), async (id) => {
      const told = await this.#calls.call('core.get_torrents_status', [{ id }, ['trackers']], signal)
      return told.ok ? succeed(firstTrackers(told.value)) : told
    })
    const torrents = Object.entries(list.data).map(([infoHash, fields]) =>
      fromDeluge(infoHash, fields, this.#trackers.of(infoHash)),
    )
    const [speeds, free, version] = await Promise.all([
      this.#calls.call('core.get_session_status', [Object.keys(sessionStatus.shape)], signal),
      this.#freeSpaceAt('', signal),
      this.#version === undefined ? this.#calls.call('daemon.get_version', [], signal) : succeed(this.#version),
    ])
    if (!speeds.ok) return this.#lost(speeds)
    if (!version.ok) return this.#lost(version)
    const figures = sessionStatus.safeParse(speeds.value)
    if (!figures.success || typeof version.value !== 'string') return this.#lost(failWith(notThisKind))
    this.#version = version.value
    return succeed({
      changes: this.#seen.takeOver(torrents),
      status: {
        version: this.#version,
        uploadBytesPerSecond: wholeAmount(figures.data.payload_upload_rate),
        downloadBytesPerSecond: wholeAmount(figures.data.payload_download_rate),
        // It keeps no totals beyond a run but those of its torrents.
        uploadedBytes: torrents.reduce((sum, torrent) => sum + torrent.uploadedBytes, 0),
        downloadedBytes: torrents.reduce((sum, torrent) => sum + torrent.downloadedBytes, 0),
        ...(free === undefined ? {} : { freeSpaceBytes: free }),
      },
    })
  }

  #lost(failed: Result<never, DownloaderFault>): Result<never, DownloaderFault> {
    this.#seen.forget()
    this.#version = undefined
    return failed
  }

  act(action: TorrentAction, infoHashes: InfoHashes, signal: AbortSignal): Promise<Result<void, DownloaderFault>> {
    switch (action) {
      case 'pause':
      case 'resume':
        return this.#calls.tell(`core.${action}_torrents`, [infoHashes], signal)
      case 'delete':
      case 'delete_with_files':
        return this.#calls.tell('core.remove_torrents', [infoHashes, action === 'delete_with_files'], signal)
    }
  }

  /** Has one label for a category and none for tags. What it has already, it refuses as what it cannot read. */
  async add(upload: TorrentUpload, signal: AbortSignal): Promise<Result<void, DownloaderFault>> {
    const options = {
      add_paused: upload.isPaused === true,
      ...(upload.savePath === '' ? {} : { download_location: upload.savePath }),
    }
    const sent =
      typeof upload.content === 'string'
        ? await this.#calls.call('core.add_torrent_magnet', [upload.content, options], signal)
        : await this.#calls.call('core.add_torrent_file', ['upload.torrent', toBase64(upload.content), options], signal)
    if (!sent.ok) return sent
    // None of a torrent that it could not make anything of.
    if (typeof sent.value !== 'string') return failWith({ kind: 'rejected' })
    // It was taken up whether or not the label sticks.
    if (upload.category !== '') await labelTorrents(this.#calls, [sent.value], upload.category, signal)
    return succeed(undefined)
  }

  async details(infoHash: string, signal: AbortSignal): Promise<Result<TorrentDetails | undefined, DownloaderFault>> {
    const told = await readInFull(this.#calls, infoHash, signal)
    if (!told.ok || told.value === undefined) return told.ok ? succeed(undefined) : told
    return succeed(readDelugeDetails(told.value))
  }

  change(
    change: TorrentChange,
    torrents: readonly [Torrent, ...Torrent[]],
    signal: AbortSignal,
  ): Promise<Result<void, DownloaderFault>> {
    if (isTrackerChange(change)) this.#trackers.forget(torrents.map(({ infoHash }) => infoHash))
    return changeTorrents(this.#calls, change, torrents, signal)
  }

  freeSpaceIn(folder: string, signal: AbortSignal): Promise<number | undefined> {
    return freeSpaceUp(folder, (place) => this.#freeSpaceAt(place, signal))
  }

  /** Of its default folder where none is named; -1 for one that is not there. */
  async #freeSpaceAt(folder: string, signal: AbortSignal): Promise<number | undefined> {
    const space = await this.#calls.call('core.get_free_space', folder === '' ? [] : [folder], signal)
    return space.ok && typeof space.value === 'number' && space.value >= 0 ? wholeAmount(space.value) : undefined
  }
}
