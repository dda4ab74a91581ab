/**
 * Plays the service that knows by info hash which torrents of other sites are of the same files. The first part of an address is
 * a place of a test's own, set at `/control/<place>`.
 *
 * Source: its published client, ledccn/iyuuplus-dev at 5e9ff804 (`composer/reseed-client`: the header `token`, forms as PHP writes
 * them, the envelope of `code`, `msg` and `data`, 429 with `Retry-After` among the data; `ReseedServices.php`: a sorted list of no
 * more than 200, and its SHA-1), and its documents (`reference/reseed_index`). What it says of nothing found and of a list
 * of sites that it does not know are the sentences that public readers of it go by. A status is the code of its refusal.
 */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { endServer, listenToKept } from './loopback.ts'
import { reseedToken } from './reseed-token.ts'

interface KnownTorrent {
  readonly sid: number
  readonly torrent_id: number
  readonly info_hash: string
}

interface Place {
  readonly sites: readonly { readonly id: number; readonly site: string; readonly base_url: string }[]
  /** What is known of an info hash, on whichever site. */
  readonly torrents: Readonly<Record<string, readonly KnownTorrent[]>>
  /** Seconds that it wants to be left alone for. */
  readonly throttledFor: number
  /** What stands before it answers with a page. */
  readonly isShielded: boolean
  /** By what it called them: the sites that it was told of. */
  readonly told: Record<string, readonly number[]>
  readonly calls: string[]
  /** The info hashes of each question. */
  readonly asked: string[][]
}

const hashesMax = 200
const clockSlackSeconds = 300
const sha1 = (written: string) => createHash('sha1').update(written).digest('hex')

export interface StandInReseedService {
  readonly origin: string
  /** Of a test in the same process. */
  set(place: string, change: Partial<Place>): Place
  stop(): Promise<void>
}

export async function startStandInReseedService(): Promise<StandInReseedService> {
  const places = new Map<string, Place>()
  function set(name: string, change: Partial<Place>): Place {
    const fresh: Place = {
      ...{ sites: [], torrents: {}, throttledFor: 0, isShielded: false, told: {}, calls: [], asked: [] },
    }
    const place = Object.assign(places.get(name) ?? fresh, change)
    places.set(name, place)
    return place
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const json = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json;charset=utf-8' }).end(JSON.stringify(body))
    const give = (data: unknown) => json(200, { code: 0, data, msg: 'ok' })
    const refuse = (code: number, msg: string, data: unknown = {}) => json(code, { code, data, msg })
    const url = new URL(request.url ?? '/', 'http://stand-in.invalid')
    const [, first = '', ...rest] = url.pathname.split('/')
    if (first === 'control') {
      json(200, set(rest[0] ?? '', JSON.parse((await text(request)) || '{}')))
      return
    }
    const place = set(first, {})
    const path = rest.join('/')
    place.calls.push(`${request.method} ${path}`)
    if (place.isShielded) response.writeHead(403, { 'content-type': 'text/html' }).end('<html>who are you</html>')
    else if (request.headers['token'] !== reseedToken) refuse(403, `token ${String(request.headers['token'])} 无效`)
    else if (place.throttledFor > 0)
      refuse(429, '访问频率过快', { 'Retry-After': place.throttledFor, 'X-RateLimit-Limit': 1 })
    else if (request.method === 'GET' && path === 'reseed/sites/index') give({ sites: place.sites })
    else if (request.method !== 'POST' || request.headers['content-type']?.split(';')[0] !== formType)
      refuse(404, '页面不存在')
    else if (path === 'reseed/sites/reportExisting') tell(place, new URLSearchParams(await text(request)))
    else if (path === 'reseed/index/index') find(place, new URLSearchParams(await text(request)))
    else refuse(404, '页面不存在')

    function tell({ sites, told }: Place, form: URLSearchParams): void {
      const sids = [...form].map(([name, value], at) => (name === `sid_list[${at}]` ? Number(value) : Number.NaN))
      if (sids.length === 0 || !sids.every((sid) => sites.some(({ id }) => id === sid))) {
        refuse(400, 'sid_list参数错误')
        return
      }
      const sidSha1 = sha1(sids.toSorted((one, other) => one - other).join())
      told[sidSha1] = sids
      give({ sid_sha1: sidSha1 })
    }

    function find({ told, torrents, asked }: Place, form: URLSearchParams): void {
      const of = (name: string) => form.get(name) ?? ''
      const hashes = listIn(of('hash'))
      const sids = told[of('sid_sha1')]
      const age = Math.abs(Number(of('timestamp')) - Date.now() / 1000)
      if (hashes === undefined) refuse(400, 'hash参数错误')
      else if (hashes.length === 0 || hashes.length > hashesMax) refuse(400, 'hash数量错误')
      else if (of('sha1') !== sha1(JSON.stringify(hashes.toSorted()))) refuse(400, 'sha1校验失败')
      else if (sids === undefined) refuse(400, '站点缓存哈希值无效')
      else if (!/^\d+$/.test(of('timestamp')) || age > clockSlackSeconds) refuse(400, 'timestamp参数错误')
      else if (!/^\d+\.\d+\.\d+$/.test(of('version'))) refuse(400, 'version参数错误')
      else {
        asked.push(hashes)
        const found = hashes.flatMap((hash) => {
          const torrent = (torrents[hash] ?? []).filter(({ sid }) => sids.includes(sid))
          return torrent.length === 0 ? [] : [[hash, { torrent }] as const]
        })
        if (found.length === 0) refuse(400, '未查询到可辅种数据')
        else give(Object.fromEntries(found))
      }
    }
  }

  const server = createServer((request, response) => void answer(request, response))
  const { url: origin } = await listenToKept(server)
  return { origin, set, stop: () => endServer(server) }
}

const formType = 'application/x-www-form-urlencoded'

/** Undefined for what is no list of info hashes, each once, as its client sends them: without a space between. */
function listIn(written: string): string[] | undefined {
  try {
    const hashes = JSON.parse(written) as string[]
    const isList = Array.isArray(hashes) && hashes.every((hash) => /^[0-9a-f]{40}$/.test(hash))
    return isList && new Set(hashes).size === hashes.length && JSON.stringify(hashes.toSorted()) === written
      ? hashes
      : undefined
  } catch {
    return undefined
  }
}
