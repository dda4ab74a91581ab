import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { toBase64 } from '../../../core/bytes.ts'
import type { DownloaderSettings, InfoHashes, TorrentUpload } from '../../../core/downloader.ts'
import type { DownloaderFault } from '../../../core/downloader-fault.ts'
import type { Torrent } from '../../../core/torrent.ts'
import type { TorrentChanges } from '../../../core/torrent-catalogue.ts'
import { folderIn, type TorrentChange, type TorrentDetails, trackerHost } from '../../../core/torrent-details.ts'
import { wholeAmount } from '../../../core/torrent-numbers.ts'
import { fromTransmission } from '../../../core/transmission-torrent.ts'
import type { TorrentAction } from '../../../core/vocabulary.ts'
import { transmissionDeltaMs, transmissionResyncMs } from '../../../limits.ts'
import type { DownloaderDriver, DownloaderReading, DriverRuntime } from '../downloader-driver.ts'
import { basicAuthorization, callDownloader, isForeignStatus } from '../downloader-http.ts'
import { freeSpaceUp } from '../nearest-folder.ts'
import { detailFields, filesOf, limitsOf, readTransmissionDetails, snakeOf, trackerNumbers } from './details.ts'
import {
  type Dialect,
  fieldsOf,
  freeSpace,
  jsonRpcAnswer,
  legacyAnswer,
  readTorrentList,
  sessionFacts,
  sessionStatistics,
  type TorrentList,
} from './shapes.ts'

/** A handshake: the id every call carries, and the dialect the daemon speaks. Another id means another run of it. */
interface Session {
  readonly id: string
  readonly dialect: Dialect
}

const notThisKind: DownloaderFault = { kind: 'not_this_kind' }

/** Methods by dialect: the older one writes them with dashes, the newer one with underscores. */
const methods = {
  listTorrents: { legacy: 'torrent-get', json_rpc: 'torrent_get' },
  readSession: { legacy: 'session-get', json_rpc: 'session_get' },
  readStatistics: { legacy: 'session-stats', json_rpc: 'session_stats' },
  readFreeSpace: { legacy: 'free-space', json_rpc: 'free_space' },
  pause: { legacy: 'torrent-stop', json_rpc: 'torrent_stop' },
  resume: { legacy: 'torrent-start', json_rpc: 'torrent_start' },
  remove: { legacy: 'torrent-remove', json_rpc: 'torrent_remove' },
  add: { legacy: 'torrent-add', json_rpc: 'torrent_add' },
  change: { legacy: 'torrent-set', json_rpc: 'torrent_set' },
  recheck: { legacy: 'torrent-verify', json_rpc: 'torrent_verify' },
  reannounce: { legacy: 'torrent-reannounce', json_rpc: 'torrent_reannounce' },
  queue_top: { legacy: 'queue-move-top', json_rpc: 'queue_move_top' },
  queue_up: { legacy: 'queue-move-up', json_rpc: 'queue_move_up' },
  queue_down: { legacy: 'queue-move-down', json_rpc: 'queue_move_down' },
  queue_bottom: { legacy: 'queue-move-bottom', json_rpc: 'queue_move_bottom' },
  rename: { legacy: 'torrent-rename-path', json_rpc: 'torrent_rename_path' },
  move: { legacy: 'torrent-set-location', json_rpc: 'torrent_set_location' },
} as const
const recentlyActive = { legacy: 'recently-active', json_rpc: 'recently_active' } as const
/** Asked by name: a session also holds folders and addresses that nobody here needs to know. */
const aboutFields = { legacy: ['version', 'download-dir'], json_rpc: ['version', 'download_dir'] } as const
const downloadFolder = { legacy: 'download-dir', json_rpc: 'download_dir' } as const
const deleteLocalData = { legacy: 'delete-local-data', json_rpc: 'delete_local_data' } as const
/** First version of the protocol, as its handshake names it, that speaks JSON-RPC. */
const jsonRpcMajor = 6

/** Transmission's RPC: the legacy dialect of every version so far, and JSON-RPC 2.0 where the handshake offers it. */
export class TransmissionDriver implements DownloaderDriver {
  readonly #settings: DownloaderSettings
  readonly #runtime: DriverRuntime
  readonly #address: string
  #session: Session | undefined
  /** Hash by the daemon's own number, which only lasts as long as its session. */
  #hashById = new Map<number, string>()
  #about: { readonly session: Session; readonly version: string; readonly downloadDir: string } | undefined
  /** When the last read and the last whole one began, and in which session. Undefined asks for everything. */
  #lastRead: { readonly session: Session; readonly atMs: number; readonly fullAtMs: number } | undefined

  constructor(settings: DownloaderSettings, runtime: DriverRuntime) {
    this.#settings = settings
    this.#runtime = runtime
    this.#address = settings.baseUrl.endsWith('/rpc') ? settings.baseUrl : `${settings.baseUrl}/transmission/rpc`
  }

  async read(signal: AbortSignal): Promise<Result<DownloaderReading, DownloaderFault>> {
    const before = this.#lastRead
    // Set again only when the answer was taken over whole: after any failure the next read starts afresh.
    this.#lastRead = undefined
    const startedAtMs = this.#runtime.nowMs()
    const isDelta =
      before !== undefined &&
      startedAtMs - before.atMs < transmissionDeltaMs &&
      startedAtMs - before.fullAtMs < transmissionResyncMs
    if (!isDelta) this.#about = undefined
    const delta = isDelta ? await this.#listTorrents(true, signal) : undefined
    if (delta !== undefined && !delta.ok) return delta
    // Another session means other numbers, so what was reported as changed does not fit what is known.
    const isUsable = delta !== undefined && before !== undefined && this.#session === before.session
    const list = isUsable ? delta : await this.#listTorrents(false, signal)
    if (!list.ok) return list
    const session = this.#session
    if (session === undefined) return failWith({ kind: 'interrupted' })
    const told = await this.#readStatus(session, signal)
    if (!told.ok) return told
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
    const sent = await this.#call(
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
    const sent = await this.#call(
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
    if (labels.length > 0) await this.#call('change', () => ({ ids: [upload.infoHashes[0]], labels }), signal)
    return succeed(undefined)
  }

  async details(infoHash: string, signal: AbortSignal): Promise<Result<TorrentDetails | undefined, DownloaderFault>> {
    const answer = await this.#call(
      'listTorrents',
      (dialect) => ({ ids: [infoHash], fields: detailFields(dialect) }),
      signal,
    )
    if (!answer.ok) return answer
    const details = readTransmissionDetails(answer.value.result, answer.value.session.dialect)
    if (details === 'gone') return succeed(undefined)
    return details === undefined ? failWith(notThisKind) : succeed(details)
  }

  async change(
    change: TorrentChange,
    torrents: readonly [Torrent, ...Torrent[]],
    signal: AbortSignal,
  ): Promise<Result<void, DownloaderFault>> {
    const ids = torrents.map(({ infoHash }) => infoHash)
    switch (change.kind) {
      case 'recheck':
      case 'reannounce':
        return this.#tell(change.kind, { ids }, signal)
      case 'queue':
        return this.#tell(`queue_${change.place}`, { ids }, signal)
      case 'move':
        return this.#tell('move', { ids, location: change.folder, move: true }, signal)
      case 'limits':
        return this.#tell('change', { ids, ...limitsOf(change.upload, change.download) }, signal)
      case 'files':
        return this.#tell('change', { ids, ...filesOf(change.indexes, change.priority) }, signal)
      case 'rename':
        // It has one name for both: what it is shown under is what its files lie in.
        return this.#tell('rename', { ids, path: torrents[0].title, name: change.name }, signal)
      case 'rename_file':
        return this.#renameFile(torrents[0].infoHash, change.index, change.path, signal)
      case 'add_tracker':
        return this.#tell('change', { ids, trackerAdd: [change.address] }, signal)
      case 'change_tracker':
      case 'remove_tracker':
        for (const infoHash of ids) {
          const told = await this.#changeTracker(infoHash, change, signal)
          if (!told.ok) return told
        }
        return succeed(undefined)
      case 'sequential':
        // Older ones accept what they do not know.
        return this.#session?.dialect === 'json_rpc'
          ? this.#tell('change', { ids, sequentialDownload: change.on }, signal)
          : failWith({ kind: 'unsupported', skill: 'sequential' })
      case 'super_seeding':
      case 'first_last':
        return failWith({ kind: 'unsupported', skill: change.kind })
      case 'category':
      case 'tags':
        // Labels are one list, of which the first stands for the category: what is not changed is sent again.
        for (const { infoHash, category, tags } of torrents) {
          const others = change.kind === 'tags' ? change.tags : tags.split(',')
          const labels = [change.kind === 'category' ? change.category : category, ...others]
          const known = [...new Set(labels)].filter((label) => label !== '')
          const sent = await this.#tell('change', { ids: [infoHash], labels: known }, signal)
          if (!sent.ok) return sent
        }
        return succeed(undefined)
    }
  }

  /** Inside the folder it is in: it has no way to another one. */
  async #renameFile(
    infoHash: string,
    index: number,
    wanted: string,
    signal: AbortSignal,
  ): Promise<Result<void, DownloaderFault>> {
    const details = await this.details(infoHash, signal)
    if (!details.ok) return details
    const path = details.value?.files.find((file) => file.index === index)?.path
    if (path === undefined || folderIn(path) !== folderIn(wanted)) return failWith({ kind: 'rejected' })
    return this.#tell('rename', { ids: [infoHash], path, name: wanted.slice(folderIn(wanted).length) }, signal)
  }

  /** It numbers a torrent's trackers. */
  async #changeTracker(
    infoHash: string,
    change: Extract<TorrentChange, { kind: 'change_tracker' | 'remove_tracker' }>,
    signal: AbortSignal,
  ): Promise<Result<void, DownloaderFault>> {
    const answer = await this.#call(
      'listTorrents',
      (dialect) => ({ ids: [infoHash], fields: [dialect === 'legacy' ? 'trackerStats' : 'tracker_stats'] }),
      signal,
    )
    if (!answer.ok) return answer
    const meant = trackerNumbers(answer.value.result).flatMap(({ id, announce }) =>
      trackerHost(announce) === change.host ? [id] : [],
    )
    if (meant.length === 0) return failWith({ kind: 'rejected' })
    return this.#tell(
      'change',
      {
        ids: [infoHash],
        ...(change.kind === 'remove_tracker'
          ? { trackerRemove: meant }
          : { trackerReplace: meant.flatMap((id) => [id, change.address]) }),
      },
      signal,
    )
  }

  /** `parameters` are named as in the older dialect. */
  async #tell(
    method: keyof typeof methods,
    parameters: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<Result<void, DownloaderFault>> {
    const sent = await this.#call(
      method,
      (dialect) =>
        dialect === 'legacy'
          ? parameters
          : Object.fromEntries(Object.entries(parameters).map(([name, value]) => [snakeOf(name), value])),
      signal,
    )
    return sent.ok ? succeed(undefined) : sent
  }

  async #listTorrents(isDelta: boolean, signal: AbortSignal): Promise<Result<TorrentList, DownloaderFault>> {
    const answer = await this.#call(
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

  #takeOver(isDelta: boolean, list: TorrentList): TorrentChanges {
    const torrents = list.torrents.map(fromTransmission)
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
      const answer = await this.#call('readSession', (dialect) => ({ fields: aboutFields[dialect] }), signal)
      if (!answer.ok) return answer
      const facts = sessionFacts[dialect].safeParse(answer.value.result)
      if (!facts.success) return failWith(notThisKind)
      this.#about = { session, ...facts.data }
    }
    const { version, downloadDir } = this.#about
    const [statistics, freeSpaceBytes] = await Promise.all([
      this.#call('readStatistics', () => ({}), signal),
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
    const space = await this.#call('readFreeSpace', () => ({ path: folder }), signal)
    const free = space.ok ? freeSpace[space.value.session.dialect].safeParse(space.value.result) : undefined
    return free?.success === true && free.data >= 0 ? wholeAmount(free.data) : undefined
  }

  /** Sends a call; a 409 brings a new session, in whose dialect the call is then sent once more. */
  async #call(
    method: keyof typeof methods,
    build: (dialect: Dialect) => Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<Result<{ readonly result: unknown; readonly session: Session }, DownloaderFault>> {
    for (let attempt = 0; ; attempt++) {
      const session = this.#session
      const dialect = session?.dialect ?? 'legacy'
      const body =
        dialect === 'legacy'
          ? { method: methods[method].legacy, arguments: build(dialect) }
          : { jsonrpc: '2.0', method: methods[method].json_rpc, params: build(dialect), id: 1 }
      const answer = await callDownloader(
        this.#runtime,
        {
          address: this.#address,
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            ...basicAuthorization(this.#settings.username, this.#settings.password),
            ...(session === undefined ? {} : { 'x-transmission-session-id': session.id }),
          },
          body: JSON.stringify(body),
        },
        signal,
      )
      if (!answer.ok) return answer
      const { status, headers, text } = answer.value
      if (status === 409) {
        const id = headers.get('x-transmission-session-id')
        if (id === null || attempt > 1) return failWith(notThisKind)
        this.#session = { id, dialect: dialectOf(headers.get('x-transmission-rpc-version')) }
        continue
      }
      if (status !== 200 || session === undefined) return failWith(faultOfStatus(status))
      const result = readResult(text, dialect)
      return result.ok ? succeed({ result: result.value, session }) : result
    }
  }
}

function dialectOf(protocolVersion: string | null): Dialect {
  const major = Number.parseInt(protocolVersion ?? '', 10)
  return major >= jsonRpcMajor ? 'json_rpc' : 'legacy'
}

/** A first call without a session is always answered 409; what answers 200, or cannot read it, is something else. */
function faultOfStatus(status: number): DownloaderFault {
  if (status === 401) return { kind: 'credentials' }
  if (status === 403) return { kind: 'banned' }
  if (status === 421) return { kind: 'host_refused' }
  return status === 200 || status === 400 || isForeignStatus(status) ? notThisKind : { kind: 'status', status }
}

function readResult(text: string, dialect: Dialect): Result<unknown, DownloaderFault> {
  let answer: unknown
  try {
    answer = JSON.parse(text)
  } catch {
    return failWith(notThisKind)
  }
  if (dialect === 'legacy') {
    const parsed = legacyAnswer.safeParse(answer)
    if (!parsed.success) return failWith(notThisKind)
    return parsed.data.result === 'success' ? succeed(parsed.data.arguments) : failWith({ kind: 'rejected' })
  }
  const parsed = jsonRpcAnswer.safeParse(answer)
  if (!parsed.success) return failWith(notThisKind)
  return 'result' in parsed.data ? succeed(parsed.data.result) : failWith({ kind: 'rejected' })
}
