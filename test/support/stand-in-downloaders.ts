/**
 * Small servers that speak the dialects no daemon of the test machine speaks, with the fields of recorded answers
 * (test/fixtures/downloaders). They keep state, so they pass the same suite as the real ones, and carry many torrents
 * for measurements.
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { DownloaderSettings } from '../../workers/app/core/downloader.ts'
import { type Bdecoded, bdecode } from './bencode.ts'
import type { DownloaderUnderTest } from './downloader-under-test.ts'
import { freePort } from './free-port.ts'
import { endServer, listenToKept } from './loopback.ts'
import type { MadeTorrent } from './make-torrent.ts'
import { recorded } from './recorded-answers.ts'

type Fields = Record<string, unknown>

interface Sent {
  readonly url: URL
  readonly method: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
  readonly bytes: Buffer<ArrayBuffer>
}

interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** The HTTP side of a stand-in: one port for its whole life, so that it can be stopped and come back. */
class StandInServer {
  readonly port: number
  readonly #answer: (sent: Sent) => Answer | Promise<Answer>
  #server: Server | undefined
  #frozen: { readonly thawed: Promise<void>; readonly thaw: () => void } | undefined

  constructor(port: number, answer: (sent: Sent) => Answer | Promise<Answer>) {
    this.port = port
    this.#answer = answer
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.port}`
  }

  async start(): Promise<void> {
    const server = createServer(async (request, response) => {
      const pieces: Buffer[] = []
      for await (const piece of request) pieces.push(piece as Buffer)
      await this.#frozen?.thawed
      const bytes = Buffer.concat(pieces)
      const answer = await this.#answer({
        url: new URL(request.url ?? '/', this.baseUrl),
        method: request.method ?? '',
        headers: request.headers,
        body: bytes.toString(),
        bytes,
      })
      response.writeHead(answer.status, { ...answer.headers })
      response.end(answer.body)
    })
    await listenToKept(server, this.port)
    this.#server = server
  }

  async stop(): Promise<void> {
    const server = this.#server
    if (server === undefined) return
    this.#server = undefined
    await endServer(server)
  }

  freeze(): void {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#frozen = { thawed: promise, thaw: resolve }
  }

  thaw(): void {
    this.#frozen?.thaw()
    this.#frozen = undefined
  }
}

const username = 'owner'
const password = 'stand-in password + 密码'
const apiKey = 'qbt_StandInKey0123456789'
const json = { 'content-type': 'application/json' }
const text = { 'content-type': 'text/plain; charset=UTF-8' }

/** Everything that happened to the torrents, so that a reader can be told what it missed. */
class ChangeLog {
  readonly #entries: { readonly hash: string; readonly fields: Fields | undefined }[] = []

  get length(): number {
    return this.#entries.length
  }

  note(hash: string, fields: Fields | undefined): void {
    this.#entries.push({ hash, fields })
  }

  since(start: number): { readonly changed: Map<string, Fields>; readonly removed: string[] } {
    const changed = new Map<string, Fields>()
    const removed = new Set<string>()
    for (const { hash, fields } of this.#entries.slice(start)) {
      if (fields === undefined) {
        changed.delete(hash)
        removed.add(hash)
      } else {
        changed.set(hash, { ...changed.get(hash), ...fields })
        removed.delete(hash)
      }
    }
    return { changed, removed: [...removed] }
  }
}

/** What a test may tell a stand-in to do. */
export interface StandInOrders {
  /** -1: it cannot tell. */
  freeBytes: number
  /** Whether what is added is taken up, refused, or taken up without ever showing. */
  adding: 'accept' | 'refuse' | 'hide'
  /** Whether changes of torrents are made at once, or wait until they are let go. */
  changes?: 'go' | 'hold'
  /** Whether files are moved where it is asked for, not at all, or the call is refused. */
  moving?: 'go' | 'hold' | 'refuse'
}

/** What every torrent has: src/webui/api/torrentscontroller.cpp, getStickyTrackers, of qBittorrent at release-5.1.0. */
const stickyTrackers = ['** [DHT] **', '** [PeX] **', '** [LSD] **'].map((url) => ({
  url,
  tier: -1,
  msg: 'This torrent is private',
  status: 0,
  num_peers: 0,
  num_downloaded: 0,
  num_seeds: 0,
  num_leeches: 0,
}))

const usualOrders: StandInOrders = { freeBytes: 78_000_000_000, adding: 'accept' }

/** What a torrent file holds, as a downloader reads it. */
function contentOf(file: Buffer): Content {
  const info = (bdecode(file).value as Map<string, Bdecoded>).get('info')
  if (!(info instanceof Map)) throw new Error('no info')
  // Files of tests are written in order and without repeated keys: encoded again they are the same.
  const start = file.indexOf('4:info') + '4:info'.length
  const bytes = file.subarray(start, start + bdecode(file.subarray(start)).end)
  return {
    hash: createHash('sha1').update(bytes).digest('hex'),
    name: String(info.get('name')),
    size: Number(info.get('length') ?? 0),
    files: filesIn(info),
    trackers: [String((bdecode(file).value as Map<string, Bdecoded>).get('announce') ?? '')],
  }
}

interface Content {
  readonly hash: string
  readonly name: string
  readonly size: number
  readonly files: readonly StandInFile[]
  readonly trackers: readonly string[]
}

interface StandInFile {
  readonly path: string
  readonly size: number
  readonly priority: number
}

function filesIn(info: Map<string, Bdecoded>): StandInFile[] {
  const name = String(info.get('name'))
  const listed = info.get('files')
  if (!Array.isArray(listed)) return [{ path: name, size: Number(info.get('length')), priority: 1 }]
  return listed.map((one) => {
    const entry = one as Map<string, Bdecoded>
    const parts = entry.get('path') as Bdecoded[]
    return { path: [name, ...parts.map(String)].join('/'), size: Number(entry.get('length')), priority: 1 }
  })
}

/** A magnet link's torrent, of which nothing else is known yet. */
function magnetContent(link: string): Content {
  const parameters = new URLSearchParams(link.slice(link.indexOf('?')))
  const hash = (parameters.get('xt') ?? '').replace('urn:btih:', '')
  return { hash, name: parameters.get('dn') ?? hash, size: 0, files: [], trackers: [] }
}

export interface StandIn extends DownloaderUnderTest {
  readonly orders: StandInOrders
  /** Fills it with this many torrents of varied titles, states and figures. */
  fill(count: number): void
  /** Makes this many torrents move a little with every read. */
  churn(count: number): void
}

export async function startStandInQbittorrent(dialect: '5.1' | '5.2' | '5.2 API key'): Promise<StandIn> {
  const isNewest = dialect !== '5.1'
  const template = firstTorrent()
  const savePath = await mkdtemp(path.join(tmpdir(), 'wharf-stand-in-'))
  const torrents = new Map<string, Fields>()
  const log = new ChangeLog()
  const orders: StandInOrders = { ...usualOrders }
  const forms: Fields[] = []
  const filesOf = new Map<string, readonly StandInFile[]>()
  const trackersOf = new Map<string, readonly string[]>()
  const marks = new Map<string, { super_seeding: boolean; seq_dl: boolean; f_l_piece_prio: boolean }>()
  /** Bytes a second by hash: up, down; -1 for none, as its properties write it. */
  const limitsOf = new Map<string, { up: number; down: number }>()
  const categories = new Set<string>()
  /** Changes of torrents that were asked for. */
  const changes: string[] = []
  const held: (() => void)[] = []
  let cookieValue = 1
  let moving = 0
  const server = new StandInServer(await freePort(), answer)
  const cookieName = isNewest ? `QBT_SID_${server.port}` : 'SID'
  await server.start()

  function set(hash: string, fields: Fields): void {
    torrents.set(hash, { ...torrents.get(hash), ...fields })
    log.note(hash, fields)
  }

  function remove(hash: string, withFiles: boolean): void {
    const name = torrents.get(hash)?.['name']
    if (torrents.delete(hash)) log.note(hash, undefined)
    if (withFiles && typeof name === 'string') void rm(path.join(savePath, name), { force: true })
  }

  /** For tests that run in the Worker's runtime: changes what it does and the torrents it has, and tells what it was sent. */
  function control(body: string): Answer {
    const change = JSON.parse(body || '{}') as {
      orders?: Partial<StandInOrders>
      empty?: boolean
      torrents?: Readonly<Record<string, Fields | null>>
    }
    Object.assign(orders, change.orders)
    if (orders.changes !== 'hold') for (const letGo of held.splice(0)) letGo()
    if (change.empty) for (const hash of torrents.keys()) remove(hash, false)
    for (const [hash, fields] of Object.entries(change.torrents ?? {})) {
      if (fields === null) remove(hash, false)
      else set(hash, fields)
    }
    const seen = { forms, changes, torrents: Object.fromEntries(torrents) }
    return { status: 200, headers: json, body: JSON.stringify(seen) }
  }

  async function addFile({ headers, bytes }: Sent): Promise<Answer> {
    const form = await new Response(bytes, { headers: { 'content-type': headers['content-type'] ?? '' } }).formData()
    // base/http/requestparser.cpp: the last boundary is taken off with its line end, else it stays in the last field.
    const last = [...form.keys()].at(-1)
    if (!bytes.subarray(-4).equals(Buffer.from('--\r\n')) && last !== undefined)
      form.set(last, `${String(form.get(last))}\r\n--boundary--`)
    const file = form.get('torrents')
    const link = form.get('urls')
    const isMagnet = typeof link === 'string' && link.startsWith('magnet:')
    if (!(file instanceof File || isMagnet) || orders.adding === 'refuse')
      return { status: 200, headers: text, body: 'Fails.' }
    const { hash, name, size, files, trackers } =
      file instanceof File ? contentOf(Buffer.from(await file.arrayBuffer())) : magnetContent(String(link))
    forms.push({ hash, ...Object.fromEntries([...form].filter(([field]) => field !== 'torrents')) })
    if (torrents.has(hash)) return { status: 200, headers: text, body: 'Fails.' }
    if (orders.adding === 'accept') {
      set(hash, {
        ...template,
        name,
        size,
        progress: 0,
        state: form.get('stopped') === 'true' ? 'stoppedDL' : isMagnet ? 'metaDL' : 'stalledDL',
        completion_on: -1,
        category: form.get('category') ?? '',
        tags: String(form.get('tags') ?? '').replaceAll(',', ', '),
        save_path: form.get('savepath') ?? savePath,
      })
    }
    filesOf.set(hash, files)
    trackersOf.set(hash, trackers)
    if (!isNewest) return { status: 200, headers: text, body: 'Ok.' }
    return { status: 200, headers: json, body: '{"success_count":1,"failure_count":0}' }
  }

  function answer(sent: Sent): Answer | Promise<Answer> {
    const { url, method, headers, body } = sent
    const name = url.pathname.replace('/api/v2/', '')
    if (name === '/control') return control(body)
    const form = new URLSearchParams(body)
    if (name === 'auth/login') {
      const isRight = form.get('username') === username && form.get('password') === password
      const cookie = { 'set-cookie': `${cookieName}=value/${cookieValue}+=; HttpOnly; SameSite=Strict; path=/` }
      if (isNewest) return isRight ? { status: 204, headers: cookie } : { status: 401, headers: text }
      return isRight
        ? { status: 200, headers: { ...text, ...cookie }, body: 'Ok.' }
        : { status: 200, headers: text, body: 'Fails.' }
    }
    const hasCookie = headers.cookie === `${cookieName}=value/${cookieValue}+=`
    const hasKey = isNewest && headers.authorization === `Bearer ${apiKey}`
    if (!hasCookie && !hasKey) return { status: 403, headers: text, body: 'Forbidden' }
    if (name === 'app/webapiVersion') return { status: 200, headers: text, body: isNewest ? '2.14.1' : '2.11.4' }
    if (name === 'app/version') return { status: 200, headers: text, body: isNewest ? 'v5.2.0' : 'v5.1.0' }
    if (name === 'sync/maindata')
      return { status: 200, headers: json, body: mainData(Number(url.searchParams.get('rid'))) }
    const about = detailsOf(name, url.searchParams.get('hash') ?? '')
    if (about !== undefined) return about
    if (name === 'torrents/trackers') {
      const isThere = torrents.has(url.searchParams.get('hash') ?? '')
      const own = trackersOf.get(url.searchParams.get('hash') ?? '') ?? []
      const told = own.map((one) => ({ url: one, status: 1, msg: '', num_seeds: -1, num_leeches: -1 }))
      return isThere
        ? { status: 200, headers: json, body: JSON.stringify([...stickyTrackers, ...told]) }
        : { status: 404, headers: text }
    }
    if (name === 'torrents/info') {
      const asked = (url.searchParams.get('hashes') ?? '').split('|').filter((hash) => torrents.has(hash))
      const rows = asked.map((hash) => ({ hash, availability: 0, ...marksOf(hash) }))
      return { status: 200, headers: json, body: JSON.stringify(rows) }
    }
    const hashes = (form.get('hashes') ?? '').split('|')
    const named = form.get('hashes') === 'all' ? [...torrents.keys()] : hashes.filter((hash) => torrents.has(hash))
    if (method !== 'POST') return { status: 405, headers: text }
    if (name === 'torrents/add') return addFile(sent)
    changes.push(`${name} ${form.get('hashes')} ${form.get('deleteFiles') ?? form.get('location') ?? ''}`.trim())
    if (orders.changes === 'hold')
      return new Promise<void>((letGo) => held.push(letGo)).then(() => change(name, named, form))
    return change(name, named, form)
  }

  /** Shapes of torrentscontroller.cpp and synccontroller.cpp of qBittorrent at release-5.1.0. */
  function detailsOf(name: string, hash: string): Answer | undefined {
    const about: Record<string, () => unknown> = {
      'torrents/properties': () => ({
        comment: '',
        private: true,
        pieces_num: 3,
        piece_size: 16_384,
        up_limit: limitsOf.get(hash)?.up ?? -1,
        dl_limit: limitsOf.get(hash)?.down ?? -1,
      }),
      'torrents/files': () =>
        (filesOf.get(hash) ?? []).map((file, index) => ({
          index,
          name: file.path,
          size: file.size,
          progress: 0,
          priority: file.priority,
          availability: 0,
          piece_range: [0, 0],
        })),
      'torrents/pieceStates': () => [0, 0, 0].map(() => (torrents.get(hash)?.['progress'] === 1 ? 2 : 0)),
      'sync/torrentPeers': () => ({ full_update: true, peers: {}, rid: 1, show_flags: true }),
    }
    const told = about[name]
    if (told === undefined) return undefined
    return torrents.has(hash)
      ? { status: 200, headers: json, body: JSON.stringify(told()) }
      : { status: 404, headers: text }
  }

  const marksOf = (hash: string) => marks.get(hash) ?? { super_seeding: false, seq_dl: false, f_l_piece_prio: false }

  /** torrentscontroller.cpp at release-5.1.0: rename, renameFile, trackers, super-seeding and the two that turn round. */
  function adjustOne(name: string, named: readonly string[], form: URLSearchParams): number | undefined {
    const done = isNewest ? 204 : 200
    const hash = form.get('hash') ?? ''
    const own = trackersOf.get(hash) ?? []
    const turn = (mark: 'seq_dl' | 'f_l_piece_prio') => {
      for (const one of named) marks.set(one, { ...marksOf(one), [mark]: !marksOf(one)[mark] })
      return done
    }
    switch (name) {
      case 'torrents/setSuperSeeding':
        for (const one of named) marks.set(one, { ...marksOf(one), super_seeding: form.get('value') === 'true' })
        return done
      case 'torrents/toggleSequentialDownload':
        return turn('seq_dl')
      case 'torrents/toggleFirstLastPiecePrio':
        return turn('f_l_piece_prio')
      case 'torrents/rename':
        if (!torrents.has(hash)) return 404
        if ((form.get('name') ?? '').trim() === '') return 409
        set(hash, { name: form.get('name') ?? '' })
        return done
      case 'torrents/renameFile': {
        const files = filesOf.get(hash)
        if (files === undefined) return 404
        if (!files.some(({ path: one }) => one === form.get('oldPath'))) return 409
        const renamed = (one: string) => (one === form.get('oldPath') ? (form.get('newPath') ?? '') : one)
        filesOf.set(
          hash,
          files.map((file) => ({ ...file, path: renamed(file.path) })),
        )
        return done
      }
      case 'torrents/addTrackers':
        if (!torrents.has(hash)) return 404
        trackersOf.set(hash, [...new Set([...own, ...(form.get('urls') ?? '').split('\n')])])
        return done
      case 'torrents/editTracker':
        if (!own.includes(form.get('origUrl') ?? '') || own.includes(form.get('newUrl') ?? '')) return 409
        trackersOf.set(
          hash,
          own.map((one) => (one === form.get('origUrl') ? (form.get('newUrl') ?? '') : one)),
        )
        return done
      case 'torrents/removeTrackers': {
        const gone = (form.get('urls') ?? '').split('|')
        if (!own.some((one) => gone.includes(one))) return 409
        trackersOf.set(
          hash,
          own.filter((one) => !gone.includes(one)),
        )
        return done
      }
      default:
        return undefined
    }
  }

  /** Of the changes that downloaders answer with nothing: undefined for a name that is none of them. */
  function adjust(name: string, named: readonly string[], form: URLSearchParams): number | undefined {
    const done = isNewest ? 204 : 200
    const category = form.get('category') ?? ''
    const limit = Number(form.get('limit')) || -1
    switch (name) {
      case 'torrents/recheck':
        for (const hash of named) set(hash, { state: 'checkingDL' })
        return done
      case 'torrents/reannounce':
        return done
      case 'torrents/createCategory':
        if (category === '') return 400
        if (categories.has(category)) return 409
        categories.add(category)
        return done
      case 'torrents/setCategory':
        if (category !== '' && !categories.has(category)) return 409
        for (const hash of named) set(hash, { category })
        return done
      case 'torrents/removeTags':
        for (const hash of named) set(hash, { tags: '' })
        return done
      case 'torrents/addTags':
        for (const hash of named) set(hash, { tags: (form.get('tags') ?? '').replaceAll(',', ', ') })
        return done
      case 'torrents/setUploadLimit':
        for (const hash of named) limitsOf.set(hash, { down: -1, ...limitsOf.get(hash), up: limit })
        return done
      case 'torrents/setDownloadLimit':
        for (const hash of named) limitsOf.set(hash, { up: -1, ...limitsOf.get(hash), down: limit })
        return done
      // Queueing is off, as it is where nobody turned it on.
      case 'torrents/topPrio':
      case 'torrents/increasePrio':
      case 'torrents/decreasePrio':
      case 'torrents/bottomPrio':
        return 409
      case 'torrents/filePrio': {
        const hash = form.get('hash') ?? ''
        const files = filesOf.get(hash)
        const ids = (form.get('id') ?? '').split('|').map(Number)
        if (files === undefined) return 404
        if (ids.some((id) => files[id] === undefined)) return 409
        const priority = Number(form.get('priority'))
        filesOf.set(
          hash,
          files.map((file, index) => (ids.includes(index) ? { ...file, priority } : file)),
        )
        return done
      }
      default:
        return undefined
    }
  }

  function change(name: string, named: readonly string[], form: URLSearchParams): Answer {
    const adjusted = adjust(name, named, form) ?? adjustOne(name, named, form)
    if (adjusted !== undefined) return { status: adjusted, headers: text }
    if (name === 'torrents/stop') for (const hash of named) set(hash, { state: 'stoppedDL' })
    else if (name === 'torrents/start') for (const hash of named) set(hash, { state: 'stalledDL' })
    else if (name === 'torrents/setLocation') {
      const folder = form.get('location') ?? ''
      if (orders.moving === 'refuse' || isBelowFile(folder)) return { status: isNewest ? 409 : 403, headers: text }
      if (orders.moving !== 'hold') for (const hash of named) moveTo(hash, folder)
    } else if (name === 'torrents/delete' && form.has('deleteFiles'))
      for (const hash of named) remove(hash, form.get('deleteFiles') === 'true')
    else return { status: 404, headers: text }
    return { status: isNewest ? 204 : 200, headers: text }
  }

  function moveTo(hash: string, folder: string): void {
    const torrent = torrents.get(hash)
    void takeData(String(torrent?.['save_path']), folder, String(torrent?.['name']))
    set(hash, { save_path: folder })
  }

  function mainData(rid: number): string {
    const hashes = [...torrents.keys()]
    for (let index = 0; index < moving; index++) {
      const hash = hashes[Math.floor(Math.random() * hashes.length)]
      if (hash !== undefined) set(hash, { dlspeed: Math.floor(Math.random() * 1e7) })
    }
    const server_state = {
      ...recordedServerState(),
      dl_info_speed: 12_345,
      up_info_speed: 678,
      alltime_dl: 9,
      alltime_ul: 8,
      free_space_on_disk: orders.freeBytes,
    }
    if (rid < 1 || rid > log.length + 1) {
      return JSON.stringify({
        rid: log.length + 1,
        full_update: true,
        torrents: Object.fromEntries(torrents),
        server_state,
      })
    }
    const { changed, removed } = log.since(rid - 1)
    return JSON.stringify({
      rid: log.length + 1,
      ...(changed.size === 0 ? {} : { torrents: Object.fromEntries(changed) }),
      ...(removed.length === 0 ? {} : { torrents_removed: removed }),
      server_state: { dl_info_speed: 12_345, free_space_on_disk: orders.freeBytes },
    })
  }

  const signIn = dialect === '5.2 API key' ? { username: '', password: apiKey } : { username, password }
  return {
    kind: 'qbittorrent',
    settings: { kind: 'qbittorrent', baseUrl: server.baseUrl, ...signIn } satisfies DownloaderSettings,
    savePath,
    stoppedState: 'stopped',
    hasTags: true,
    hasLimits: true,
    cannot: [],
    orders,
    async add(torrent, options) {
      await putData(savePath, torrent, options.hasData)
      set(torrent.infoHash, {
        ...template,
        name: torrent.name,
        size: torrent.data.length,
        progress: options.hasData ? 1 : 0,
        state: options.isPaused ? 'stoppedDL' : options.hasData ? 'stalledUP' : 'stalledDL',
        completion_on: options.hasData ? 1_795_246_046 : -1,
        category: 'films',
        tags: 'one, two',
        save_path: savePath,
        // torrentimpl.cpp at release-5.1.0, currentTracker: the first where none works.
        tracker: 'http://127.0.0.1:9/announce',
      })
    },
    async removeElsewhere(infoHash) {
      remove(infoHash, false)
    },
    async pauseElsewhere(infoHash) {
      set(infoHash, { state: 'stoppedUP' })
    },
    stop: () => server.stop(),
    async restart() {
      await server.stop()
      cookieValue++
      await server.start()
    },
    freeze: () => server.freeze(),
    thaw: () => server.thaw(),
    async dispose() {
      server.thaw()
      await server.stop()
      await rm(savePath, { recursive: true, force: true })
    },
    fill(count) {
      for (const { hash, title, index } of inventedTorrents(count, 'a')) {
        torrents.set(hash, {
          ...template,
          name: title,
          size: 1e9 + index * 1e5,
          added_on: 1_700_000_000 + ((index * 7919) % 1_000_000),
          state: ['stalledUP', 'stoppedUP', 'downloading', 'stalledDL', 'queuedUP'][index % 5],
          ratio: (index % 400) / 100,
          progress: index % 5 > 1 ? 0.5 : 1,
        })
      }
    },
    churn(count) {
      moving = count
    },
  }
}

function renameKeys(value: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((one) => renameKeys(one, rename))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [rename(name), renameKeys(one, rename)]))
}

export async function startStandInTransmission(dialect: 'legacy' | 'json_rpc'): Promise<StandIn> {
  const isModern = dialect === 'json_rpc'
  const savePath = await mkdtemp(path.join(tmpdir(), 'wharf-stand-in-'))
  const template = firstRow()
  const torrents = new Map<string, Fields>()
  const recent = new Set<string>()
  const removedIds: number[] = []
  const orders: StandInOrders = { ...usualOrders }
  let nextId = 1
  let session = 1
  let moving = 0
  const server = new StandInServer(await freePort(), answer)
  await server.start()
  const snake = (name: string) =>
    name.replace(/-/g, '_').replace(/([a-z])([A-Z])/g, (_, a, b) => `${a}_${b.toLowerCase()}`)
  const word = (name: string) => (isModern ? snake(name).replace(/^hash_string$/, 'hash_string') : name)

  function set(hash: string, fields: Fields): void {
    const known = torrents.get(hash)
    torrents.set(hash, { ...(known ?? { ...template, id: nextId++, hashString: hash }), ...fields })
    recent.add(hash)
  }

  function remove(hash: string, withFiles: boolean): void {
    const torrent = torrents.get(hash)
    if (torrent === undefined) return
    torrents.delete(hash)
    recent.delete(hash)
    removedIds.push(Number(torrent['id']))
    if (withFiles) void rm(path.join(savePath, String(torrent['name'])), { force: true })
  }

  function answer({ url, headers, body }: Sent): Answer {
    if (url.pathname !== '/transmission/rpc') return { status: 404 }
    const expected = Buffer.from(`${username}:${password}`).toString('base64')
    if (headers.authorization !== `Basic ${expected}`)
      return { status: 401, headers: { 'www-authenticate': 'Basic realm="Transmission"' } }
    const sessionHeaders = {
      'x-transmission-session-id': `session-${session}`,
      ...(isModern ? { 'x-transmission-rpc-version': '6.0.0' } : {}),
    }
    if (headers['x-transmission-session-id'] !== `session-${session}`)
      return { status: 409, headers: sessionHeaders, body: '<h1>409: Conflict</h1>' }
    const call = JSON.parse(body) as { method: string; arguments?: Fields; params?: Fields; jsonrpc?: string }
    if (isModern !== (call.jsonrpc === '2.0'))
      return { status: 200, headers: json, body: '{"result":"no method name"}' }
    const result = perform(call.method, (isModern ? call.params : call.arguments) ?? {})
    if (result === undefined) {
      const refusal = isModern
        ? { jsonrpc: '2.0', error: { code: -32601, message: 'Method not found' }, id: 1 }
        : { result: 'method name not recognized', arguments: {} }
      return { status: 200, headers: json, body: JSON.stringify(refusal) }
    }
    return {
      status: 200,
      headers: json,
      body: JSON.stringify(isModern ? { jsonrpc: '2.0', result, id: 1 } : { result: 'success', arguments: result }),
    }
  }

  function perform(method: string, args: Fields): unknown {
    const ids = Array.isArray(args['ids']) ? args['ids'].map(String) : undefined
    // An absent list of ids means every torrent, as in the real one.
    const named = ids === undefined ? [...torrents.keys()] : ids.filter((id) => torrents.has(id))
    switch (method) {
      case word('torrent-get'):
        return ids === undefined
          ? list(args['fields'] as string[], args['ids'] === word('recently-active'), args['format'] === 'table')
          : { torrents: named.map((hash) => detailsOf(hash, args['fields'] as string[])) }
      case word('session-get'):
        return { version: isModern ? '4.1.0 (0123456789)' : '3.00 (bb6b5a062e)', [word('download-dir')]: savePath }
      case word('session-stats'):
        return {
          [word('uploadSpeed')]: 678,
          [word('downloadSpeed')]: 12_345,
          [word('torrentCount')]: torrents.size,
          [word('cumulative-stats')]: { [word('uploadedBytes')]: 8, [word('downloadedBytes')]: 9 },
        }
      case word('free-space'):
        return { path: args['path'], [word('size-bytes')]: existsSync(savePath) ? orders.freeBytes : -1 }
      case word('torrent-add'):
        return addFile(args)
      case word('torrent-set'):
        for (const hash of named) {
          adjust(hash, args)
          setTrackers(hash, args)
        }
        return {}
      case word('torrent-rename-path'):
        for (const hash of named) renamePath(hash, String(args['path']), String(args['name']))
        return {}
      case word('torrent-verify'):
        for (const hash of named) set(hash, { status: 2 })
        return {}
      case word('torrent-reannounce'):
      case word('queue-move-top'):
      case word('queue-move-up'):
      case word('queue-move-down'):
      case word('queue-move-bottom'):
        return {}
      case word('torrent-set-location'):
        if (isBelowFile(String(args['location']))) return undefined
        for (const hash of named) {
          const torrent = torrents.get(hash)
          void takeData(String(torrent?.['downloadDir']), String(args['location']), String(torrent?.['name']))
          set(hash, { downloadDir: args['location'] })
        }
        return {}
      case word('torrent-stop'):
        for (const hash of named) set(hash, { status: 0 })
        return {}
      case word('torrent-start'):
        for (const hash of named) set(hash, { status: 4 })
        return {}
      case word('torrent-remove'):
        for (const hash of named) remove(hash, args[word('delete-local-data')] === true)
        return {}
      default:
        return undefined
    }
  }

  /** docs/rpc-spec.md, torrent-set: an empty list of files would mean all of them. */
  function adjust(hash: string, args: Fields): void {
    const known = torrents.get(hash) ?? {}
    const changed: Fields = {}
    for (const name of [
      'labels',
      'uploadLimit',
      'uploadLimited',
      'downloadLimit',
      'downloadLimited',
      'sequentialDownload',
    ])
      if (args[word(name)] !== undefined) changed[name] = args[word(name)]
    const files = [...((known['fileStats'] ?? []) as readonly Fields[])]
    const mark = (name: string, fields: Fields) => {
      const indexes = args[word(name)]
      if (Array.isArray(indexes))
        for (const [index, file] of files.entries())
          if (indexes.length === 0 || indexes.includes(index)) files[index] = { ...file, ...fields }
    }
    mark('files-wanted', { wanted: true })
    mark('files-unwanted', { wanted: false })
    mark('priority-low', { priority: -1 })
    mark('priority-normal', { priority: 0 })
    mark('priority-high', { priority: 1 })
    set(hash, { ...changed, fileStats: files })
  }

  let nextTracker = 0
  const trackerStat = (announce: string): Fields => ({
    id: nextTracker++,
    announce,
    announceState: 1,
    hasAnnounced: false,
    lastAnnounceSucceeded: false,
    lastAnnounceResult: '',
  })

  /** docs/rpc-spec.md, torrent-set: the older way to change trackers, which newer versions keep. */
  function setTrackers(hash: string, args: Fields): void {
    let told = (torrents.get(hash)?.['trackerStats'] ?? []) as Fields[]
    const added = args[word('trackerAdd')]
    const removed = args[word('trackerRemove')]
    const replaced = args[word('trackerReplace')]
    if (Array.isArray(added)) told = [...told, ...added.map((one) => trackerStat(String(one)))]
    if (Array.isArray(removed)) told = told.filter(({ id }) => !removed.includes(id))
    if (Array.isArray(replaced)) {
      for (let at = 0; at < replaced.length; at += 2)
        told = told.map((one) => (one['id'] === replaced[at] ? { ...one, announce: replaced[at + 1] } : one))
    }
    set(hash, { trackerStats: told })
  }

  /** The same, torrent-rename-path: the last name of a path, of the torrent or of a file of it. */
  function renamePath(hash: string, from: string, name: string): void {
    const torrent = torrents.get(hash) ?? {}
    const to = from.slice(0, from.lastIndexOf('/') + 1) + name
    const files = (torrent['files'] ?? []) as Fields[]
    const renamed = (one: string) => (one === from || one.startsWith(`${from}/`) ? to + one.slice(from.length) : one)
    set(hash, {
      files: files.map((file) => ({ ...file, name: renamed(String(file['name'])) })),
      ...(from === torrent['name'] ? { name } : {}),
    })
  }

  function detailsOf(hash: string, fields: readonly string[]): Fields {
    const isWhole = torrents.get(hash)?.['percentDone'] === 1
    const own = isModern ? { availability: [0, 0, 0], sequentialDownload: false } : {}
    const pieces = { pieces: isWhole ? '4A==' : 'AA==', ...own }
    const usual = { comment: '', isPrivate: true, pieceCount: 3, pieceSize: 16_384, trackerStats: [], peers: [] }
    const known = torrents.get(hash)
    const stats = (known?.['trackerStats'] ?? []) as Fields[]
    const trackers = stats.map(({ id, announce }) => ({ id, announce, scrape: '', tier: id }))
    const torrent: Fields = { files: [], fileStats: [], ...usual, ...pieces, ...known, trackers }
    const renamed = renameKeys(torrent, word) as Fields
    return Object.fromEntries(fields.filter((field) => field in renamed).map((field) => [field, renamed[field]]))
  }

  function addFile(args: Fields): unknown {
    if (orders.adding === 'refuse') return undefined
    const link = args['filename']
    const { hash, name, size, files, trackers } =
      typeof link === 'string' ? magnetContent(link) : contentOf(Buffer.from(String(args['metainfo']), 'base64'))
    const known = torrents.has(hash)
    if (!known && orders.adding === 'accept') {
      set(hash, {
        name,
        sizeWhenDone: size,
        leftUntilDone: size,
        percentDone: 0,
        doneDate: 0,
        status: args['paused'] === true ? 0 : 4,
        labels: [],
        downloadDir: args[word('download-dir')] ?? savePath,
        ...(typeof link === 'string' ? { metadataPercentComplete: 0 } : {}),
        files: files.map(({ path: one, size: length }) => ({ name: one, length, bytesCompleted: 0 })),
        fileStats: files.map(() => ({ bytesCompleted: 0, wanted: true, priority: 0 })),
        trackerStats: trackers.map(trackerStat),
      })
    }
    return { [word(known ? 'torrent-duplicate' : 'torrent-added')]: { [word('hashString')]: hash, name } }
  }

  function list(fields: readonly string[], isDelta: boolean, isTable: boolean): unknown {
    const hashes = [...torrents.keys()]
    for (let index = 0; index < moving; index++) {
      const hash = hashes[Math.floor(Math.random() * hashes.length)]
      if (hash !== undefined) set(hash, { rateDownload: Math.floor(Math.random() * 1e7) })
    }
    const asked = [...torrents].filter(([hash]) => !isDelta || recent.has(hash))
    if (moving > 0) recent.clear()
    const rows = asked.map(([, torrent]) => {
      const renamed = Object.fromEntries(Object.entries(torrent).map(([name, value]) => [word(name), value]))
      return fields.map((field) => renamed[field])
    })
    const torrentsAnswer = isTable
      ? [fields, ...rows]
      : rows.map((row) => Object.fromEntries(fields.map((field, position) => [field, row[position]])))
    return { torrents: torrentsAnswer, ...(isDelta ? { removed: removedIds } : {}) }
  }

  return {
    kind: 'transmission',
    settings: { kind: 'transmission', baseUrl: server.baseUrl, username, password },
    savePath,
    stoppedState: 'stopped',
    hasTags: true,
    hasLimits: true,
    cannot: dialect === 'legacy' ? ['sequential', 'first_last'] : ['first_last'],
    orders,
    async add(torrent, options) {
      await putData(savePath, torrent, options.hasData)
      set(torrent.infoHash, {
        name: torrent.name,
        sizeWhenDone: torrent.data.length,
        leftUntilDone: options.hasData ? 0 : torrent.data.length,
        percentDone: options.hasData ? 1 : 0,
        doneDate: options.hasData ? 1_795_246_046 : 0,
        status: options.isPaused ? 0 : options.hasData ? 6 : 4,
        labels: ['films', 'one', 'two'],
        downloadDir: savePath,
        trackerStats: [trackerStat('http://127.0.0.1:9/announce')],
      })
    },
    async removeElsewhere(infoHash) {
      remove(infoHash, false)
    },
    async pauseElsewhere(infoHash) {
      set(infoHash, { status: 0 })
    },
    stop: () => server.stop(),
    async restart() {
      await server.stop()
      session++
      // The real one numbers its torrents anew, and remembers nothing of what it reported.
      nextId = 1
      for (const [hash, torrent] of [...torrents].reverse()) torrents.set(hash, { ...torrent, id: nextId++ })
      recent.clear()
      removedIds.length = 0
      await server.start()
    },
    freeze: () => server.freeze(),
    thaw: () => server.thaw(),
    async dispose() {
      server.thaw()
      await server.stop()
      await rm(savePath, { recursive: true, force: true })
    },
    fill(count) {
      for (const { hash, title, index } of inventedTorrents(count, 'b')) {
        torrents.set(hash, {
          ...template,
          id: nextId++,
          hashString: hash,
          name: title,
          sizeWhenDone: 1e9 + index * 1e5,
          addedDate: 1_700_000_000 + ((index * 7919) % 1_000_000),
          status: [6, 0, 4, 4, 5][index % 5],
          uploadRatio: (index % 400) / 100,
          percentDone: index % 5 > 1 ? 0.5 : 1,
        })
      }
    },
    churn(count) {
      moving = count
    },
  }
}

/** A folder that cannot be made. */
function isBelowFile(folder: string): boolean {
  return folder.includes('.bin/')
}

async function takeData(from: string, to: string, name: string): Promise<void> {
  if (!existsSync(path.join(from, name))) return
  await mkdir(to, { recursive: true })
  await rename(path.join(from, name), path.join(to, name))
}

async function putData(savePath: string, torrent: MadeTorrent, hasData: boolean): Promise<void> {
  if (hasData) await writeFile(path.join(savePath, torrent.name), torrent.data)
}

function recordedMainData(): { torrents: Record<string, Fields>; server_state: Fields } {
  const entry = recorded('qbittorrent-5.1.0').find(({ path: asked }) => asked.endsWith('sync/maindata?rid=0'))
  if (entry === undefined) throw new Error('no recorded list')
  return JSON.parse(entry.answer) as { torrents: Record<string, Fields>; server_state: Fields }
}

function firstTorrent(): Fields {
  const [torrent] = Object.values(recordedMainData().torrents)
  return torrent ?? {}
}

let serverStateOnce: Fields | undefined
function recordedServerState(): Fields {
  serverStateOnce ??= recordedMainData().server_state
  return serverStateOnce
}

function firstRow(): Fields {
  const entry = recorded('transmission-4.1.0-beta.2')[1]
  const table = JSON.parse(entry?.answer ?? '{}') as { arguments: { torrents: unknown[][] } }
  const [names, row] = table.arguments.torrents
  const fields = (names ?? []).map((name, position): [string, unknown] => [String(name), row?.[position]])
  // Asked for since the recording; docs/rpc-spec.md of transmission/transmission (85fc9d9) names them from 3.00 on.
  const asked = { downloadedEver: 0, secondsSeeding: 0, errorString: '', metadataPercentComplete: 1, peersConnected: 0 }
  return { ...Object.fromEntries(fields), ...asked }
}

const words = [
  'Harbour',
  'Lantern',
  'Quiet',
  'River',
  'Granite',
  'Orchard',
  'Signal',
  'Winter',
  '港口',
  '灯塔',
  'Meadow',
]

/** Titles as they are seen in the wild, invented; the same ones for the same seed letter. */
function* inventedTorrents(count: number, seed: string): Generator<{ hash: string; title: string; index: number }> {
  for (let index = 0; index < count; index++) {
    const pick = (step: number) => words[(index * step + seed.charCodeAt(0)) % words.length]
    const hash = `${seed}${index.toString(16).padStart(39, '0')}`
    const title = `${pick(3)}.${pick(5)}.S${(index % 30) + 1}.2024.1080p.WEB-DL.H264-${pick(7)}${index}`
    yield { hash, title, index }
  }
}
