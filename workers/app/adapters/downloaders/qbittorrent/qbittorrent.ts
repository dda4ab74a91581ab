import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { DownloaderSettings, InfoHashes, TorrentUpload } from '../../../core/downloader.ts'
import type { DownloaderFault } from '../../../core/downloader-fault.ts'
import { fromQbittorrent, isTracker, type QbittorrentFields, refusalOf } from '../../../core/qbittorrent-torrent.ts'
import type { Torrent } from '../../../core/torrent.ts'
import type { TorrentChanges } from '../../../core/torrent-catalogue.ts'
import { type TorrentChange, type TorrentDetails, trackerHost } from '../../../core/torrent-details.ts'
import { wholeAmount } from '../../../core/torrent-numbers.ts'
import type { TorrentAction } from '../../../core/vocabulary.ts'
import { qbittorrentSpaceLookMs, trackerLookMs, trackerLooksPerRead } from '../../../limits.ts'
import type { DownloaderDriver, DownloaderReading, DriverRuntime } from '../downloader-driver.ts'
import { callDownloader, type DownloaderAnswer, isForeignStatus, parseJson } from '../downloader-http.ts'
import { filePriorityNumbers, readDetails, rowList } from './details.ts'
import { addCounts, mainData, programVersion, type ServerState, trackerList, webApiVersion } from './shapes.ts'

/** A sign-in that was accepted, and what the program behind it is. */
interface Session {
  readonly headers: Readonly<Record<string, string>>
  readonly version: string
  readonly startedAtMs: number
  /** API 2.11 renamed pause and resume to stop and start. */
  readonly verbs: { readonly pause: string; readonly resume: string }
}

const oldVerbs = { pause: 'pause', resume: 'resume' }
const newVerbs = { pause: 'stop', resume: 'start' }
const notThisKind: DownloaderFault = { kind: 'not_this_kind' }

/** qBittorrent's WebUI API, version 2, from 4.1 to 5.2. */
export class QbittorrentDriver implements DownloaderDriver {
  readonly #settings: DownloaderSettings
  readonly #runtime: DriverRuntime
  #session: Session | undefined
  /** Number of the last answer that was taken over; 0 asks for everything. */
  #answerId = 0
  #fields = new Map<string, QbittorrentFields>()
  #serverState: ServerState = {}
  /** What a torrent's trackers said when they were looked at; only of torrents that could have a word from them. */
  readonly #trackerLooks = new Map<string, { readonly atMs: number; readonly words: string | undefined }>()

  constructor(settings: DownloaderSettings, runtime: DriverRuntime) {
    this.#settings = settings
    this.#runtime = runtime
  }

  async read(signal: AbortSignal): Promise<Result<DownloaderReading, DownloaderFault>> {
    const asked = this.#answerId
    // Set again only when the answer was taken over whole: after any failure the next read starts afresh.
    this.#answerId = 0
    const answer = await this.#request(() => ({ path: `sync/maindata?rid=${asked}` }), signal)
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

  /**
   * Looks at the trackers of a few torrents that get nothing, longest unseen first: before 5.2 the list does not say what
   * a tracker refused, and no version says in which words.
   */
  async #withTrackers(changes: TorrentChanges, session: Session, signal: AbortSignal): Promise<TorrentChanges> {
    const nowMs = this.#runtime.nowMs()
    const seen = await Promise.all(
      this.#dueLooks(nowMs).map(async (infoHash) => {
        // Not asked twice: a torrent that went meanwhile is answered 404, and says nothing about the sign-in.
        const answer = await this.#send(`torrents/trackers?hash=${infoHash}`, session.headers, undefined, signal)
        const isTold = answer.ok && answer.value.status === 200
        const trackers = isTold ? trackerList.safeParse(parseJson(answer.value.text)) : undefined
        const words = trackers?.success === true ? refusalOf(trackers.data) : undefined
        const isNew = words !== this.#trackerLooks.get(infoHash)?.words
        this.#trackerLooks.set(infoHash, { atMs: nowMs, words })
        return isNew ? [infoHash] : []
      }),
    )
    const told = new Set(seen.flat())
    // What says what it said before has not changed: the lists that are kept in order stay as they are.
    if (told.size === 0) return changes
    const shown = changes.kind === 'full' ? changes.torrents : changes.changed
    const torrents = [
      ...shown.filter(({ infoHash }) => !told.has(infoHash)),
      ...[...told].map((infoHash) => this.#torrent(infoHash, this.#fields.get(infoHash) ?? {})),
    ]
    return changes.kind === 'full' ? { kind: 'full', torrents } : { ...changes, changed: torrents }
  }

  /** Those that get nothing first, then the longest unseen, in one pass: a list may have twenty thousand. */
  #dueLooks(nowMs: number): string[] {
    const due: { readonly infoHash: string; readonly rank: number }[] = []
    for (const [infoHash, fields] of this.#fields) {
      const againMs = lookAgainMs(fields)
      const seen = this.#trackerLooks.get(infoHash)
      if (againMs === undefined) {
        if (seen !== undefined) this.#trackerLooks.delete(infoHash)
        continue
      }
      if (seen !== undefined && nowMs - seen.atMs < againMs) continue
      // Times are positive, so whatever gets nothing stands before whatever seeds.
      const rank = (seen?.atMs ?? 0) - (isStalled(fields) ? Number.MAX_SAFE_INTEGER : 0)
      const last = due.at(-1)
      if (due.length === trackerLooksPerRead && last !== undefined && rank >= last.rank) continue
      const place = due.findIndex((one) => rank < one.rank)
      due.splice(place === -1 ? due.length : place, 0, { infoHash, rank })
      if (due.length > trackerLooksPerRead) due.pop()
    }
    return due.map(({ infoHash }) => infoHash)
  }

  #torrent(infoHash: string, fields: QbittorrentFields) {
    return fromQbittorrent(infoHash, fields, this.#trackerLooks.get(infoHash)?.words)
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
    const sent = await this.#request(
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
    const sent = await this.#request(({ verbs }) => {
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

  async details(infoHash: string, signal: AbortSignal): Promise<Result<TorrentDetails | undefined, DownloaderFault>> {
    const about = await this.#request(
      () => ({ path: `torrents/properties?hash=${infoHash}`, mayBeMissing: true }),
      signal,
    )
    if (!about.ok) return about
    if (about.value.status === 404) return succeed(undefined)
    if (about.value.status !== 200) return failWith(faultOfStatus(about.value.status))
    const { headers } = about.value.session
    const [files, trackers, peers, pieces, row] = await Promise.all(
      [
        `torrents/files?hash=${infoHash}`,
        `torrents/trackers?hash=${infoHash}`,
        `sync/torrentPeers?hash=${infoHash}`,
        `torrents/pieceStates?hash=${infoHash}`,
        `torrents/info?hashes=${infoHash}`,
      ].map(async (path) => {
        const answer = await this.#send(path, headers, undefined, signal)
        return answer.ok && answer.value.status === 200 ? parseJson(answer.value.text) : undefined
      }),
    )
    const details = readDetails({ about: parseJson(about.value.text), files, trackers, peers, pieces, row })
    return details === undefined ? failWith(notThisKind) : succeed(details)
  }

  async change(
    change: TorrentChange,
    torrents: readonly [Torrent, ...Torrent[]],
    signal: AbortSignal,
  ): Promise<Result<void, DownloaderFault>> {
    const ids = torrents.map(({ infoHash }) => infoHash)
    switch (change.kind) {
      case 'sequential':
      case 'first_last':
        return this.#toggle(change.kind, change.on, ids, signal)
      case 'rename_file':
        return this.#renameFile(torrents[0].infoHash, change.index, change.path, signal)
      case 'change_tracker':
      case 'remove_tracker':
        for (const infoHash of ids) {
          const told = await this.#changeTracker(infoHash, change, signal)
          if (!told.ok) return told
        }
        return succeed(undefined)
      case 'add_tracker':
        for (const hash of ids) {
          const told = await this.#post('torrents/addTrackers', { hash, urls: change.address }, signal)
          if (!told.ok) return told
        }
        return succeed(undefined)
      default:
        return this.#changeAll(change, ids.join('|'), signal)
    }
  }

  async #changeAll(change: PlainChange, hashes: string, signal: AbortSignal): Promise<Result<void, DownloaderFault>> {
    // That there is one of this name already is no fault.
    if (change.kind === 'category' && change.category !== '')
      await this.#post('torrents/createCategory', { category: change.category }, signal)
    for (const { path, form } of callsFor(change, hashes)) {
      const sent = await this.#post(path, form, signal)
      if (!sent.ok) return sent
    }
    return succeed(undefined)
  }

  /** It only turns them round, so those that are as wanted are left out. */
  async #toggle(
    kind: 'sequential' | 'first_last',
    on: boolean,
    ids: readonly string[],
    signal: AbortSignal,
  ): Promise<Result<void, DownloaderFault>> {
    const rows = await this.#json(`torrents/info?hashes=${ids.join('|')}`, signal)
    if (!rows.ok) return rows
    const known = rowList.safeParse(rows.value)
    if (!known.success) return failWith(notThisKind)
    const name = kind === 'sequential' ? 'seq_dl' : 'f_l_piece_prio'
    const others = known.data.flatMap((row) => (row[name] === on ? [] : [row.hash]))
    if (others.length === 0) return succeed(undefined)
    const verb = kind === 'sequential' ? 'toggleSequentialDownload' : 'toggleFirstLastPiecePrio'
    return this.#post(`torrents/${verb}`, { hashes: others.join('|') }, signal)
  }

  async #renameFile(
    hash: string,
    index: number,
    newPath: string,
    signal: AbortSignal,
  ): Promise<Result<void, DownloaderFault>> {
    const details = await this.details(hash, signal)
    if (!details.ok) return details
    const oldPath = details.value?.files.find((file) => file.index === index)?.path
    if (oldPath === undefined) return failWith({ kind: 'rejected' })
    return this.#post('torrents/renameFile', { hash, oldPath, newPath }, signal)
  }

  async #changeTracker(
    hash: string,
    change: Extract<TorrentChange, { kind: 'change_tracker' | 'remove_tracker' }>,
    signal: AbortSignal,
  ): Promise<Result<void, DownloaderFault>> {
    const told = await this.#json(`torrents/trackers?hash=${hash}`, signal)
    if (!told.ok) return told
    const trackers = trackerList.safeParse(told.value)
    if (!trackers.success) return failWith(notThisKind)
    const meant = trackers.data.filter((one) => isTracker(one) && trackerHost(one.url) === change.host)
    const urls = meant.map(({ url }) => url)
    if (urls.length === 0) return failWith({ kind: 'rejected' })
    if (change.kind === 'remove_tracker')
      return this.#post('torrents/removeTrackers', { hash, urls: urls.join('|') }, signal)
    for (const origUrl of urls) {
      const sent = await this.#post('torrents/editTracker', { hash, origUrl, newUrl: change.address }, signal)
      if (!sent.ok) return sent
    }
    return succeed(undefined)
  }

  async #json(path: string, signal: AbortSignal): Promise<Result<unknown, DownloaderFault>> {
    const answer = await this.#request(() => ({ path, mayBeMissing: true }), signal)
    if (!answer.ok) return answer
    const { status, text } = answer.value
    if (status === 404) return failWith({ kind: 'rejected' })
    return status === 200 ? succeed(parseJson(text)) : failWith(faultOfStatus(status))
  }

  /** 409: it cannot make a folder, or do that here; 403, also of a sign-in that was just accepted: it may not write there. */
  async #post(
    name: string,
    form: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Result<void, DownloaderFault>> {
    const sent = await this.#request(() => ({ path: name, form, mayBeForbidden: true }), signal)
    if (!sent.ok) return sent
    const { status } = sent.value
    if (status === 403 || status === 409) return failWith({ kind: 'rejected' })
    return status === 200 || status === 204 ? succeed(undefined) : failWith(faultOfStatus(status))
  }

  #takeOver(
    isFull: boolean,
    torrents: Readonly<Record<string, QbittorrentFields>>,
    removed: readonly string[],
  ): TorrentChanges {
    if (isFull) {
      this.#fields = new Map()
      for (const infoHash of this.#trackerLooks.keys())
        if (!Object.hasOwn(torrents, infoHash)) this.#trackerLooks.delete(infoHash)
    }
    // First what went: a torrent that was removed and added again is in both lists.
    for (const infoHash of removed) {
      this.#fields.delete(infoHash)
      this.#trackerLooks.delete(infoHash)
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
    const isLooking = free_space_on_disk === 0 && this.#runtime.nowMs() - startedAtMs < qbittorrentSpaceLookMs
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

  /**
   * Sends a call with the sign-in there is, and once more with a new one when that is not accepted any more. The call is
   * built for the session, because a daemon that was upgraded meanwhile speaks another dialect.
   */
  async #request(
    build: (session: Session) => {
      readonly path: string
      readonly form?: Readonly<Record<string, string>> | FormData
      /** 403 is an answer to the call where it is not one to the sign-in. */
      readonly mayBeForbidden?: boolean
      /** So is 404 of a call that names a torrent. */
      readonly mayBeMissing?: boolean
    },
    signal: AbortSignal,
  ): Promise<Result<DownloaderAnswer & { readonly session: Session }, DownloaderFault>> {
    for (let attempt = 0; ; attempt++) {
      const isFresh = this.#session === undefined
      const session = this.#session === undefined ? await this.#signIn(signal) : succeed(this.#session)
      if (!session.ok) return session
      this.#session = session.value
      const { path, form, mayBeForbidden = false, mayBeMissing = false } = build(session.value)
      const answer = await this.#send(path, session.value.headers, form, signal)
      if (!answer.ok) return answer
      const { status } = answer.value
      const isRefused = status === 401 || status === 403 || (status === 404 && !isFresh && !mayBeMissing)
      const isForbidden = mayBeForbidden && isFresh && status === 403
      if (!isRefused || isForbidden) return succeed({ ...answer.value, session: session.value })
      this.#session = undefined
      if (isFresh || attempt > 0) return failWith(faultOfStatus(status))
    }
  }

  async #signIn(signal: AbortSignal): Promise<Result<Session, DownloaderFault>> {
    const { username, password } = this.#settings
    const headers = username === '' ? succeed(apiKeyHeaders(password)) : await this.#passwordHeaders(signal)
    if (!headers.ok) return headers
    const api = await this.#send('app/webapiVersion', headers.value, undefined, signal)
    if (!api.ok) return api
    if (api.value.status === 401 || api.value.status === 403) return failWith({ kind: 'credentials' })
    if (api.value.status !== 200) return failWith(faultOfStatus(api.value.status))
    const apiVersion = webApiVersion.safeParse(api.value.text.trim())
    const program = await this.#send('app/version', headers.value, undefined, signal)
    if (!program.ok) return program
    const version = programVersion.safeParse(program.value.text.trim())
    if (!apiVersion.success || !version.success) return failWith(notThisKind)
    const [major = 0, minor = 0] = apiVersion.data.split('.').map(Number)
    return succeed({
      headers: headers.value,
      version: version.data.replace(/^v/, ''),
      startedAtMs: this.#runtime.nowMs(),
      verbs: major > 2 || (major === 2 && minor >= 11) ? newVerbs : oldVerbs,
    })
  }

  /** Older versions answer `Ok.` or `Fails.` with 200, newer ones 204 or 401. The cookie's name differs too. */
  async #passwordHeaders(signal: AbortSignal): Promise<Result<Record<string, string>, DownloaderFault>> {
    const { username, password } = this.#settings
    const answer = await this.#send('auth/login', {}, { username, password }, signal)
    if (!answer.ok) return answer
    const { status, text, headers } = answer.value
    // qBittorrent never asks for HTTP authentication; what does is another program, or a proxy in front of it.
    if (status === 401 && headers.has('www-authenticate')) return failWith(notThisKind)
    if (status === 401 || (status === 200 && text.trim() === 'Fails.')) return failWith({ kind: 'credentials' })
    if (status === 403) return failWith({ kind: 'banned' })
    if (status === 200 && text.trim() !== 'Ok.') return failWith(notThisKind)
    if (status !== 200 && status !== 204) return failWith(faultOfStatus(status))
    const cookies = headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0]?.trim() ?? '')
    return succeed(cookies.length === 0 ? {} : { cookie: cookies.join('; ') })
  }

  async #sendForm(
    address: string,
    headers: Readonly<Record<string, string>>,
    form: FormData,
    signal: AbortSignal,
  ): Promise<Result<DownloaderAnswer, DownloaderFault>> {
    const { type, body } = await encoded(form)
    const withType = { ...headers, 'content-type': type }
    return callDownloader(this.#runtime, { address, method: 'POST', headers: withType, body }, signal)
  }

  #send(
    path: string,
    headers: Readonly<Record<string, string>>,
    form: Readonly<Record<string, string>> | FormData | undefined,
    signal: AbortSignal,
  ): Promise<Result<DownloaderAnswer, DownloaderFault>> {
    const address = `${this.#settings.baseUrl}/api/v2/${path}`
    if (form === undefined) return callDownloader(this.#runtime, { address, method: 'GET', headers }, signal)
    if (form instanceof FormData) return this.#sendForm(address, headers, form, signal)
    return callDownloader(
      this.#runtime,
      {
        address,
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(form).toString(),
      },
      signal,
    )
  }
}

/** What it takes for several torrents at once, as it is. */
type PlainChange = Exclude<
  TorrentChange,
  { kind: 'sequential' | 'first_last' | 'rename_file' | 'add_tracker' | 'change_tracker' | 'remove_tracker' }
>

/** What is called for a change, in order. */
function callsFor(
  change: PlainChange,
  hashes: string,
): readonly { readonly path: string; readonly form: Readonly<Record<string, string>> }[] {
  switch (change.kind) {
    case 'recheck':
    case 'reannounce':
      return [{ path: `torrents/${change.kind}`, form: { hashes } }]
    case 'move':
      return [{ path: 'torrents/setLocation', form: { hashes, location: change.folder } }]
    case 'category':
      return [{ path: 'torrents/setCategory', form: { hashes, category: change.category } }]
    case 'tags':
      return [
        // Without a name all of them.
        { path: 'torrents/removeTags', form: { hashes, tags: '' } },
        ...(change.tags.length === 0
          ? []
          : [{ path: 'torrents/addTags', form: { hashes, tags: change.tags.join(',') } }]),
      ]
    case 'limits':
      return [
        { path: 'torrents/setUploadLimit', form: { hashes, limit: String(change.upload) } },
        { path: 'torrents/setDownloadLimit', form: { hashes, limit: String(change.download) } },
      ]
    case 'super_seeding':
      return [{ path: 'torrents/setSuperSeeding', form: { hashes, value: String(change.on) } }]
    case 'rename':
      return [{ path: 'torrents/rename', form: { hash: hashes, name: change.name } }]
    case 'queue':
      return [{ path: `torrents/${queueVerbs[change.place]}`, form: { hashes } }]
    case 'files':
      return [
        {
          path: 'torrents/filePrio',
          form: { hash: hashes, id: change.indexes.join('|'), priority: String(filePriorityNumbers[change.priority]) },
        },
      ]
  }
}

const queueVerbs = { top: 'topPrio', up: 'increasePrio', down: 'decreasePrio', bottom: 'bottomPrio' } as const

function isStalled(fields: QbittorrentFields | undefined): boolean {
  return fields?.state === 'stalledDL' || fields?.has_tracker_error === true
}

/** After how long a torrent's trackers are looked at again. Undefined where nothing asks for it. */
function lookAgainMs(fields: QbittorrentFields): number | undefined {
  if (isStalled(fields)) return trackerLookMs.stalled
  // Who has the flag needs no look to know that all is well.
  return fields.state === 'stalledUP' && fields.has_tracker_error === undefined ? trackerLookMs.seeding : undefined
}

/** The bytes of a form with files, ended as qBittorrent reads it, and their type with the boundary. */
async function encoded(form: FormData): Promise<{ readonly type: string; readonly body: Uint8Array<ArrayBuffer> }> {
  const written = new Response(form)
  const bytes = new Uint8Array(await written.arrayBuffer())
  const end = new TextEncoder().encode('\r\n')
  // workerd leaves the line end behind the last boundary out; then qBittorrent takes the boundary for a part of the last
  // field (base/http/requestparser.cpp at release-4.5.2 and release-5.2.3).
  const isEnded = bytes.at(-2) === end[0] && bytes.at(-1) === end[1]
  const body = new Uint8Array(bytes.length + (isEnded ? 0 : end.length))
  body.set(bytes)
  if (!isEnded) body.set(end, bytes.length)
  return { type: written.headers.get('content-type') ?? '', body }
}

function apiKeyHeaders(apiKey: string): Record<string, string> {
  return apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }
}

function faultOfStatus(status: number): DownloaderFault {
  if (status === 401 || status === 403) return { kind: 'credentials' }
  return isForeignStatus(status) ? notThisKind : { kind: 'status', status }
}
