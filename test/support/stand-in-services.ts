/**
 * Services on the internet that the owner can set up: a metadata provider, the server of its images and a host of release
 * lists. The provider's paths, fields, error numbers with their status, and pages of 1 to 500 follow The Movie Database's
 * published reference (API version 3, read on 2026-11-26); what it does not take is refused. Releases are listed with the
 * fields of GitHub's REST API, version 2022-11-28.
 *
 * The first part of an address is the skin, a service of a test's own, whose state is set at `/control/<skin>`. Redirects may
 * point at the canary, another listener, which nobody should ever reach.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { endServer, listenToKept } from './loopback.ts'

export const goodMetadataKey = 'CanaryKeyOfTheProvider73'
/** As the provider's newer tokens begin. */
const goodMetadataToken = 'eyJhbGciOiJIUzI1NiJ9.CanaryTokenOfTheProvider.x-y_z'

const modes = ['ok', 'empty', 'expired', 'missing', 'throttled', 'down', 'broken', 'html', 'huge', 'closing'] as const
export type ServiceMode = (typeof modes)[number]

interface SkinState {
  mode: ServiceMode
  /** What was asked for: path and query, the key masked out of neither. */
  calls: string[]
  /** The `Authorization` header of each call; empty for none. */
  authorizations: string[]
  /** Calls wait for the test while this is set. */
  hold: boolean
  held: (() => void)[]
  /** As many were answered at once at most. */
  open: number
  mostOpen: number
  /** Not empty: every answer is a redirect to there. */
  redirectTo: string
  /** What is answered instead, as JSON or, of an image, as base64. */
  content: string | undefined
  /** By path below `/3`, with `?` and a language where it is of one only; what is not there the provider does not have. */
  details: Readonly<Record<string, unknown>>
}

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

export const standInTitles = [
  {
    id: 11,
    name: 'Planet Walk',
    local: '星球漫步',
    year: '2026',
    overview: '一个人在星球上走。',
    poster: '/planetWalk.jpg',
  },
  { id: 12, name: 'Quiet River', local: '静静的河', year: '2024', overview: '', poster: '/quiet_river-2.png' },
  { id: 13, name: 'Bare Title', local: '', year: '', overview: '', poster: null },
] as const

/** Long out, in Chinese and in English; a series of two seasons and its specials. */
export const standInDetails: Readonly<Record<string, unknown>> = {
  '/movie/11?zh-CN': film('星球漫步'),
  '/movie/11?en-US': film('Planet Walk'),
  '/tv/21?zh-CN': series('盐路'),
  '/tv/21?en-US': series('The Salt Road'),
  '/tv/21/season/1': season(['Wells', 'Dust']),
  '/tv/21/season/2?zh-CN': season(['干涸', '', '归途']),
  '/tv/21/season/2?en-US': season(['Dry', 'Salt', 'Home']),
}

function film(title: string) {
  return { id: 11, title, original_title: 'Planet Walk', release_date: '2020-03-01', poster_path: '/planetWalk.jpg' }
}

function series(name: string) {
  return {
    id: 21,
    name,
    original_name: 'The Salt Road',
    first_air_date: '2018-05-01',
    poster_path: '/saltRoad.jpg',
    seasons: [
      { season_number: 0, air_date: '2022-01-01', episode_count: 4 },
      { season_number: 1, air_date: '2018-05-01', episode_count: 2 },
      { season_number: 2, air_date: '2020-05-01', episode_count: 3, poster_path: '/saltRoad2.jpg' },
    ],
  }
}

function season(names: readonly string[]) {
  const episodes = names.map((name, at) => ({ episode_number: at + 1, name, air_date: `2020-05-0${at + 1}` }))
  return { episodes }
}

export const standInReleases = [
  release('v9.2.0-beta.1', { prerelease: true }),
  release('v9.1.0'),
  release('v9.0.1'),
  release('v9.0.0'),
  release('v8.9.0'),
  release('v9.3.0', { draft: true }),
  release('nightly'),
  release('v0.0.9'),
]

function release(version: string, change: object = {}) {
  return {
    tag_name: version,
    name: `Release ${version}`,
    body: `What is new in ${version}`,
    html_url: `https://releases.example/${version}`,
    published_at: '2026-11-20T10:00:00Z',
    draft: false,
    prerelease: false,
    ...change,
  }
}

export interface StandInServices {
  readonly origin: string
  /** Where nobody should ever come. It tells at `/visits` who did. */
  readonly canary: string
  stop(): Promise<void>
}

export async function startStandInServices(): Promise<StandInServices> {
  const states = new Map<string, SkinState>()
  const visits: string[] = []
  const canary = createServer((request, response) => {
    if (request.url === '/visits') return void response.end(JSON.stringify(visits))
    visits.push(request.url ?? '')
    response.end('you should not be here')
  })

  const stateOf = (skin: string): SkinState => {
    const known = states.get(skin)
    if (known !== undefined) return known
    const fresh: SkinState = {
      mode: modes.find((mode) => mode === skin) ?? 'ok',
      calls: [],
      authorizations: [],
      hold: false,
      held: [],
      open: 0,
      mostOpen: 0,
      redirectTo: '',
      content: undefined,
      details: standInDetails,
    }
    states.set(skin, fresh)
    return fresh
  }

  const control = (state: SkinState, body: string, response: ServerResponse): void => {
    const { release = 0, ...change } = JSON.parse(body === '' ? '{}' : body) as Partial<SkinState> & {
      release?: number
    }
    Object.assign(state, change)
    for (const go of state.held.splice(0, change.hold === false ? state.held.length : release)) go()
    response.end(JSON.stringify({ ...state, held: state.held.length }))
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [, skin = '', ...rest] = (request.url ?? '').split('/')
    if (skin === 'control') return control(stateOf(rest[0] ?? ''), await textOf(request), response)
    const state = stateOf(skin)
    state.calls.push(`/${rest.join('/')}`)
    state.authorizations.push(request.headers.authorization ?? '')
    state.open += 1
    state.mostOpen = Math.max(state.mostOpen, state.open)
    response.once('close', () => {
      state.open -= 1
    })
    if (state.hold) await new Promise<void>((resolve) => state.held.push(resolve))
    if (state.redirectTo !== '') return void response.writeHead(302, { location: bytesOf(state.redirectTo) }).end()
    serve(state, new URL(`http://service/${rest.join('/')}`), request, response)
  }

  const main = createServer((request, response) => void answer(request, response))
  const [origin, canaryOrigin] = (await Promise.all([main, canary].map((one) => listenToKept(one)))).map(
    ({ url }) => url,
  )
  return {
    origin: origin ?? '',
    canary: canaryOrigin ?? '',
    async stop() {
      await Promise.all([main, canary].map(endServer))
    },
  }
}

function serve(state: SkinState, url: URL, request: IncomingMessage, response: ServerResponse): ServerResponse {
  const json = (status: number, body: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  switch (state.mode) {
    case 'expired':
      return refuse(json, 7, `Invalid API key: ${url.searchParams.get('api_key')}`)
    case 'missing':
      return refuse(json, 34)
    case 'throttled':
      response.setHeader('retry-after', '7')
      return refuse(json, 25)
    case 'down':
      return json(503, {})
    case 'broken':
      return response.writeHead(200, { 'content-type': 'application/json' }).end('{"results":[{"id":')
    case 'html':
      return response.writeHead(200, { 'content-type': 'image/jpeg' }).end('<html><script>alert(1)</script></html>')
    case 'huge':
      return response.writeHead(200).end(Buffer.alloc(11 * 1024 * 1024, '['))
    case 'closing':
      response.writeHead(200, { 'content-length': '100' }).write('[')
      response.destroy()
      return response
    default:
      break
  }
  if (url.pathname.endsWith('/releases'))
    return json(
      200,
      state.content === undefined ? (state.mode === 'empty' ? [] : standInReleases) : JSON.parse(state.content),
    )
  if (url.pathname.startsWith('/t/p/')) return serveImage(state, url, response)
  return serveTitles(state, url, request, json)
}

type Json = (status: number, body: unknown) => ServerResponse

/** By its number in the provider's table of errors; the words are ours. */
const refusals = {
  5: [422, 'parameters that cannot be'],
  7: [401, 'a key that nobody was given'],
  22: [400, 'a page that there is not'],
  25: [429, 'too many requests'],
  34: [404, 'nothing is there'],
} as const

function refuse(json: Json, code: keyof typeof refusals, words?: string): ServerResponse {
  const [status, message] = refusals[code]
  return json(status, { success: false, status_code: code, status_message: words ?? message })
}

function serveImage(state: SkinState, url: URL, response: ServerResponse): ServerResponse {
  const bytes = state.content === undefined ? png : Buffer.from(state.content, 'base64')
  const body = state.mode === 'empty' ? Buffer.alloc(0) : bytes
  // As a careless server would: what it says about the type is not believed.
  return response.writeHead(url.pathname.includes('missing') ? 404 : 200, { 'content-type': 'text/html' }).end(body)
}

function serveTitles(state: SkinState, url: URL, request: IncomingMessage, json: Json): ServerResponse {
  const isKnown =
    url.searchParams.get('api_key') === goodMetadataKey ||
    request.headers.authorization === `Bearer ${goodMetadataToken}`
  if (!isKnown) return refuse(json, 7)
  if (url.pathname === '/3/configuration') return json(200, { images: {} })
  const found = /\/find\/tt0*(\d+)$/.exec(url.pathname)?.[1]
  if (found !== undefined) {
    if (url.searchParams.get('external_source') !== 'imdb_id') return refuse(json, 5)
    const one = standInTitles.find(({ id }) => id === Number(found))
    const film = one && { id: one.id, title: one.name, original_title: one.name, release_date: `${one.year}-03-01` }
    return json(200, { movie_results: film === undefined ? [] : [film], tv_results: [], person_results: [] })
  }
  const [, kind] = /\/(movie|tv)(?:\/|$)/.exec(url.pathname) ?? []
  if (kind === undefined) return refuse(json, 34)
  if (state.content !== undefined) return json(200, JSON.parse(state.content))
  if (/\/\d+(?:\/season\/\d+)?$/.test(url.pathname)) return serveDetails(state, url, json)
  const isChinese = url.searchParams.get('language') === 'zh-CN'
  const page = Number(url.searchParams.get('page') ?? '1')
  if (!Number.isInteger(page) || page < 1 || page > 500) return refuse(json, 22)
  if (url.pathname.startsWith('/3/search/') && (url.searchParams.get('query') ?? '') === '') return refuse(json, 5)
  const titles = state.mode === 'empty' ? [] : standInTitles
  return json(200, {
    page,
    total_pages: state.mode === 'empty' ? 0 : 500,
    results: titles.map(({ id, name, local, year, overview, poster }) => ({
      id: id + (page - 1) * 100,
      [kind === 'movie' ? 'title' : 'name']: isChinese ? local || name : name,
      [kind === 'movie' ? 'original_title' : 'original_name']: name,
      [kind === 'movie' ? 'release_date' : 'first_air_date']: year === '' ? '' : `${year}-03-01`,
      overview: isChinese ? overview : `${name}, told in English.`,
      poster_path: poster,
      vote_average: 7.25,
      popularity: 3,
    })),
  })
}

function serveDetails({ details }: SkinState, url: URL, json: Json): ServerResponse {
  const path = url.pathname.slice('/3'.length)
  const found = details[`${path}?${url.searchParams.get('language')}`] ?? details[path]
  return found === undefined ? refuse(json, 34) : json(200, found)
}

/** A header is bytes: names that are not ASCII go as they would be written by a careless server. */
function bytesOf(text: string): string {
  return Buffer.from(text).toString('latin1')
}

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString()
}
