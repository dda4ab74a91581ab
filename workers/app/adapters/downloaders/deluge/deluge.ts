import { z } from 'zod'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { toBase64 } from '../../../core/bytes.ts'
import { fromDeluge } from '../../../core/deluge-torrent.ts'
import type { DownloaderSettings, InfoHashes, TorrentUpload } from '../../../core/downloader.ts'
import type { DownloaderFault } from '../../../core/downloader-fault.ts'
import type { Torrent } from '../../../core/torrent.ts'
import { type TorrentChange, type TorrentDetails, trackerHost } from '../../../core/torrent-details.ts'
import { wholeAmount } from '../../../core/torrent-numbers.ts'
import type { TorrentAction } from '../../../core/vocabulary.ts'
import { delugeDaemonsMax } from '../../../limits.ts'
import type { DownloaderDriver, DownloaderReading, DriverRuntime } from '../downloader-driver.ts'
import { callDownloader, isForeignStatus, parseJson } from '../downloader-http.ts'
import { freeSpaceUp } from '../nearest-folder.ts'
import { SeenTorrents } from '../seen-torrents.ts'
import {
  type DelugeDetails,
  delugeDetailFields,
  delugeDetails,
  delugeLimit,
  delugePriorities,
  readDelugeDetails,
} from './details.ts'

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
const answerShape = z.object({
  result: z.unknown(),
  error: z.object({ code: z.int(), message: z.string() }).nullable(),
})
const daemonList = z.array(z.tuple([z.string()]).rest(z.unknown()))

/** Of its JSON-RPC: not signed in; no such method, also while no daemon is connected. Others are the call's own fault. */
const notAuthenticated = 1
const unknownMethod = 2
const notThisKind: DownloaderFault = { kind: 'not_this_kind' }
/** Its Label plugin: in lower case, and nothing else. */
const labelPattern = /^[a-z0-9_-]+$/

type Called = Result<unknown, DownloaderFault>

/** Deluge 2 by the JSON-RPC of its web page, which hands calls on to a daemon. The user name is not asked for. */
export class DelugeDriver implements DownloaderDriver {
  readonly #settings: DownloaderSettings
  readonly #runtime: DriverRuntime
  readonly #address: string
  #cookie: string | undefined
  #version: string | undefined
  readonly #seen = new SeenTorrents()

  constructor(settings: DownloaderSettings, runtime: DriverRuntime) {
    this.#settings = settings
    this.#runtime = runtime
    this.#address = `${settings.baseUrl.replace(/\/json$/, '')}/json`
  }

  async read(signal: AbortSignal): Promise<Result<DownloaderReading, DownloaderFault>> {
    const listed = await this.#call('core.get_torrents_status', [{}, fieldNames], signal)
    if (!listed.ok) return this.#lost(listed)
    const list = torrentList.safeParse(listed.value)
    if (!list.success) return this.#lost(failWith(notThisKind))
    const torrents = Object.entries(list.data).map(([infoHash, fields]) => fromDeluge(infoHash, fields))
    const [speeds, free, version] = await Promise.all([
      this.#call('core.get_session_status', [Object.keys(sessionStatus.shape)], signal),
      this.#freeSpaceAt('', signal),
      this.#version === undefined ? this.#call('daemon.get_version', [], signal) : succeed(this.#version),
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
        return this.#tell(`core.${action}_torrents`, [infoHashes], signal)
      case 'delete':
      case 'delete_with_files':
        return this.#tell('core.remove_torrents', [infoHashes, action === 'delete_with_files'], signal)
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
        ? await this.#call('core.add_torrent_magnet', [upload.content, options], signal)
        : await this.#call('core.add_torrent_file', ['upload.torrent', toBase64(upload.content), options], signal)
    if (!sent.ok) return sent
    // None of a torrent that it could not make anything of.
    if (typeof sent.value !== 'string') return failWith({ kind: 'rejected' })
    // It was taken up whether or not the label sticks.
    if (upload.category !== '') await this.#label([sent.value], upload.category, signal)
    return succeed(undefined)
  }

  async details(infoHash: string, signal: AbortSignal): Promise<Result<TorrentDetails | undefined, DownloaderFault>> {
    const told = await this.#inFull(infoHash, signal)
    if (!told.ok || told.value === undefined) return told.ok ? succeed(undefined) : told
    return succeed(readDelugeDetails(told.value))
  }

  async #inFull(infoHash: string, signal: AbortSignal): Promise<Result<DelugeDetails | undefined, DownloaderFault>> {
    const answer = await this.#call('core.get_torrent_status', [infoHash, delugeDetailFields], signal)
    // It has no fault of its own for a torrent that is not there.
    if (!answer.ok) return answer.failure.kind === 'rejected' ? succeed(undefined) : answer
    const told = delugeDetails.safeParse(answer.value)
    if (told.success) return succeed(told.data)
    return Object.keys(answer.value ?? {}).length === 0 ? succeed(undefined) : failWith(notThisKind)
  }

  async change(
    change: TorrentChange,
    torrents: readonly [Torrent, ...Torrent[]],
    signal: AbortSignal,
  ): Promise<Result<void, DownloaderFault>> {
    const ids = torrents.map(({ infoHash }) => infoHash)
    const set = (options: object) => this.#tell('core.set_torrent_options', [ids, options], signal)
    switch (change.kind) {
      case 'recheck':
      case 'reannounce':
        return this.#tell(`core.force_${change.kind}`, [ids], signal)
      case 'queue':
        return this.#tell(`core.queue_${change.place}`, [ids], signal)
      case 'move':
        return this.#tell('core.move_storage', [ids, change.folder], signal)
      case 'limits':
        return set({ max_upload_speed: delugeLimit(change.upload), max_download_speed: delugeLimit(change.download) })
      case 'category':
        return this.#label(ids, change.category, signal)
      case 'tags':
        return failWith({ kind: 'unsupported', skill: 'tags' })
      case 'super_seeding':
        return set({ super_seeding: change.on })
      case 'sequential':
        return set({ sequential_download: change.on })
      case 'first_last':
        return set({ prioritize_first_last_pieces: change.on })
      case 'rename':
        return set({ name: change.name })
      case 'rename_file':
        return this.#tell('core.rename_files', [ids[0], [[change.index, change.path]]], signal)
      case 'files':
        return this.#eachInFull(ids, signal, (id, { file_priorities }) =>
          this.#tell(
            'core.set_torrent_options',
            [
              [id],
              {
                file_priorities: file_priorities.map((now, index) =>
                  change.indexes.includes(index) ? delugePriorities[change.priority] : now,
                ),
              },
            ],
            signal,
          ),
        )
      case 'add_tracker':
      case 'change_tracker':
      case 'remove_tracker':
        return this.#eachInFull(ids, signal, (id, { trackers }) => {
          const kept = trackers.map(({ url, tier }) => ({ url, tier }))
          const wanted = trackersAfter(kept, change)
          if (wanted === undefined) return Promise.resolve(failWith({ kind: 'rejected' } as const))
          return this.#tell('core.set_torrent_trackers', [id, wanted], signal)
        })
    }
  }

  /** What is a whole list to it is read first and sent back changed. */
  async #eachInFull(
    ids: readonly string[],
    signal: AbortSignal,
    write: (id: string, told: DelugeDetails) => Promise<Result<void, DownloaderFault>>,
  ): Promise<Result<void, DownloaderFault>> {
    for (const id of ids) {
      const told = await this.#inFull(id, signal)
      if (!told.ok) return told
      if (told.value === undefined) continue
      const written = await write(id, told.value)
      if (!written.ok) return written
    }
    return succeed(undefined)
  }

  async #label(ids: readonly string[], category: string, signal: AbortSignal): Promise<Result<void, DownloaderFault>> {
    const label = category.toLowerCase()
    if (label !== '' && !labelPattern.test(label)) return failWith({ kind: 'label_letters' })
    const known = await this.#call('label.get_labels', [], signal, 'labels_off')
    if (!known.ok) return known
    const labels = Array.isArray(known.value) ? known.value : []
    if (label !== '' && !labels.includes(label)) {
      const added = await this.#tell('label.add', [label], signal)
      if (!added.ok) return added
    }
    for (const id of ids) {
      const set = await this.#tell('label.set_torrent', [id, label], signal)
      if (!set.ok) return set
    }
    return succeed(undefined)
  }

  freeSpaceIn(folder: string, signal: AbortSignal): Promise<number | undefined> {
    return freeSpaceUp(folder, (place) => this.#freeSpaceAt(place, signal))
  }

  /** Of its default folder where none is named; -1 for one that is not there. */
  async #freeSpaceAt(folder: string, signal: AbortSignal): Promise<number | undefined> {
    const space = await this.#call('core.get_free_space', folder === '' ? [] : [folder], signal)
    return space.ok && typeof space.value === 'number' && space.value >= 0 ? wholeAmount(space.value) : undefined
  }

  async #tell(method: string, params: readonly unknown[], signal: AbortSignal): Promise<Result<void, DownloaderFault>> {
    const sent = await this.#call(method, params, signal)
    return sent.ok ? succeed(undefined) : sent
  }

  /** Signs in, and connects the page to its daemon, where that is wanting; `unknownAs` names a method that may be missing. */
  async #call(
    method: string,
    params: readonly unknown[],
    signal: AbortSignal,
    unknownAs?: 'labels_off',
  ): Promise<Called> {
    for (let attempt = 0; ; attempt++) {
      if (this.#cookie === undefined) {
        const signedIn = await this.#signIn(signal)
        if (!signedIn.ok) return signedIn
      }
      const answer = await this.#post(method, params, signal)
      if (!answer.ok) return answer
      const { error, result } = answer.value.told
      if (error === null) return succeed(result)
      const isLost = error.code === notAuthenticated || error.code === unknownMethod
      if (!isLost) return failWith({ kind: 'rejected' })
      if (attempt > 0) return failWith(error.code === notAuthenticated ? { kind: 'credentials' } : notThisKind)
      if (error.code === notAuthenticated) this.#cookie = undefined
      else {
        const connected = await this.#connect(signal)
        if (!connected.ok) return connected
        if (connected.value === 'was_connected')
          return failWith(unknownAs === undefined ? notThisKind : { kind: unknownAs })
      }
    }
  }

  async #signIn(signal: AbortSignal): Promise<Result<void, DownloaderFault>> {
    const answer = await this.#post('auth.login', [this.#settings.password], signal)
    if (!answer.ok) return answer
    const { told, cookie } = answer.value
    if (told.error !== null) return failWith(notThisKind)
    if (told.result !== true) return failWith(told.result === false ? { kind: 'credentials' } : notThisKind)
    if (cookie === undefined) return failWith(notThisKind)
    this.#cookie = cookie
    const connected = await this.#connect(signal)
    return connected.ok ? succeed(undefined) : connected
  }

  /** Its page talks to one daemon at a time and may have been left without; then the first that answers is taken. */
  async #connect(signal: AbortSignal): Promise<Result<'connected' | 'was_connected', DownloaderFault>> {
    const ask = async (method: string, params: readonly unknown[]): Promise<Called> => {
      const answer = await this.#post(method, params, signal)
      if (!answer.ok) return answer
      return answer.value.told.error === null ? succeed(answer.value.told.result) : succeed(undefined)
    }
    const before = await ask('web.connected', [])
    if (!before.ok) return before
    if (before.value === true) return succeed('was_connected')
    const hosts = await ask('web.get_hosts', [])
    if (!hosts.ok) return hosts
    const daemons = daemonList.safeParse(hosts.value)
    if (!daemons.success) return failWith(notThisKind)
    for (const [id] of daemons.data.slice(0, delugeDaemonsMax)) {
      const connecting = await ask('web.connect', [id])
      if (!connecting.ok) return connecting
      const after = await ask('web.connected', [])
      if (!after.ok) return after
      if (after.value === true) return succeed('connected')
    }
    return failWith({ kind: 'no_daemon' })
  }

  async #post(
    method: string,
    params: readonly unknown[],
    signal: AbortSignal,
  ): Promise<
    Result<{ readonly told: z.infer<typeof answerShape>; readonly cookie: string | undefined }, DownloaderFault>
  > {
    const answer = await callDownloader(
      this.#runtime,
      {
        address: this.#address,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(this.#cookie === undefined ? {} : { cookie: this.#cookie }),
        },
        body: JSON.stringify({ method, params, id: 1 }),
      },
      signal,
    )
    if (!answer.ok) return answer
    const { status, headers, text } = answer.value
    if (status === 401 || status === 403) return failWith({ kind: 'credentials' })
    if (isForeignStatus(status) || status === 400) return failWith(notThisKind)
    if (status !== 200) return failWith({ kind: 'status', status })
    const told = answerShape.safeParse(parseJson(text))
    if (!told.success) return failWith(notThisKind)
    return succeed({ told: told.data, cookie: /^_session_id=[0-9a-f]+/.exec(headers.get('set-cookie') ?? '')?.[0] })
  }
}

interface TieredTracker {
  readonly url: string
  readonly tier: number
}

/** Undefined where no tracker has that host. */
function trackersAfter(
  trackers: readonly TieredTracker[],
  change: Extract<TorrentChange, { kind: 'add_tracker' | 'change_tracker' | 'remove_tracker' }>,
): TieredTracker[] | undefined {
  if (change.kind === 'add_tracker') {
    if (trackers.some(({ url }) => url === change.address)) return [...trackers]
    return [...trackers, { url: change.address, tier: Math.max(-1, ...trackers.map(({ tier }) => tier)) + 1 }]
  }
  const isMeant = ({ url }: TieredTracker) => trackerHost(url) === change.host
  if (!trackers.some(isMeant)) return undefined
  if (change.kind === 'remove_tracker') return trackers.filter((tracker) => !isMeant(tracker))
  return trackers.map((tracker) => (isMeant(tracker) ? { ...tracker, url: change.address } : tracker))
}
