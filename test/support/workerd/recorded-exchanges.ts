/** A fixed row of requests to the App API, and what is compared of their answers. */
import { exports } from 'cloudflare:workers'
import { inject } from 'vitest'
import { appPrefix, consolePrefix } from '../../../workers/app/app.ts'
import type { RouteDeclaration } from '../../../workers/app/contract/route.ts'
import { consoleSite } from '../console-site.ts'
import { type Caller, makeToken, origin, ownerSession, send } from './app-client.ts'
import { setProvider } from './service-under-test.ts'

type CallerName = 'none' | 'wrong' | 'reader' | 'operator'

export interface Exchange {
  readonly operation: string
  readonly caller: CallerName
  readonly method: string
  readonly path: string
  /** As it is sent. */
  readonly body?: string
  readonly status: number
  readonly type: string | null
  readonly answer: unknown
}

type AskedRequest = Omit<Exchange, 'status' | 'type' | 'answer'>

async function callersOf(session: Caller): Promise<Readonly<Record<CallerName, Caller>>> {
  const reader = await makeToken(session, ['app:read'], 'reader')
  const operator = await makeToken(session, ['app:read', 'app:write'], 'operator')
  return {
    none: {},
    wrong: { authorization: `Bearer wharf_unknownunknown_${'A'.repeat(43)}` },
    reader: reader.caller,
    operator: operator.caller,
  }
}

const inputs = ['{}', '{"unknown":1}', '[]', '{', '{"keyword":"salt"}', '{"name":"","ids":[],"keyword":""}']
const queries = ['', '?page=1&page_size=2', '?page=0', '?unknown=1', '?page=1&page=2']

/** Every route by every caller, with what it may take and what it may not. */
export function requestsOf(routes: readonly RouteDeclaration[]): AskedRequest[] {
  return routes.flatMap((route) => {
    const method = route.method.toUpperCase()
    const base = { operation: route.operationId, method }
    const paths = ['1', '0', 'none'].map((id) => `${appPrefix}${route.path.replace(/\{[a-z_]+\}/g, id)}`)
    const [path = ''] = paths
    const written = method === 'GET' ? [] : inputs
    return [
      ...(['none', 'wrong', 'reader'] as const).map((caller) => ({ ...base, caller, path, ...bodyFor(method) })),
      ...[...new Set(paths)].map((one) => ({ ...base, caller: 'operator' as const, path: one, ...bodyFor(method) })),
      ...written.map((body) => ({ ...base, caller: 'operator' as const, path, body })),
      ...(method === 'GET' ? queries : []).map((query) => ({
        ...base,
        caller: 'operator' as const,
        path: `${path}${query}`,
      })),
    ]
  })
}

function bodyFor(method: string): { readonly body?: string } {
  return method === 'GET' || method === 'DELETE' ? {} : { body: '{}' }
}

/** Of a service that nobody has set up. */
export async function exchangeAll(requests: readonly AskedRequest[], headers: Caller = {}): Promise<Exchange[]> {
  const callers = await callersOf(await ownerSession())
  const done: Exchange[] = []
  for (const asked of requests) done.push(await exchange(callers, asked, headers))
  return done
}

async function exchange(
  callers: Readonly<Record<CallerName, Caller>>,
  { operation, caller, method, path, body }: AskedRequest,
  headers: Caller = {},
): Promise<Exchange> {
  const response = await exports.default.fetch(
    new Request(`${origin}${path}`, {
      method,
      headers: {
        ...headers,
        ...callers[caller],
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
    }),
  )
  const type = response.headers.get('content-type')
  const text = await response.text()
  const answer = type?.startsWith('application/json') === true ? steady(JSON.parse(text)) : text.length > 0
  return {
    operation,
    caller,
    method,
    path,
    ...(body === undefined ? {} : { body }),
    status: response.status,
    type,
    answer,
  }
}

/** Nothing listens there. */
const nowhere = 'http://127.0.0.1:9'
const standIns = inject('standInSites')
const downloader = inject('standInDownloaders').recorded

/** Sites that work, that fail in each way, and that are off; two downloaders, one of them away; what explores and organises. */
async function fill(session: Caller): Promise<void> {
  const made = async (path: string, json: object) => {
    const { status, body } = await send('POST', `${consolePrefix}${path}`, session, { json })
    if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`)
    return Number(body.id)
  }
  await fetch(`${downloader.baseUrl}/control`, {
    method: 'POST',
    body: JSON.stringify({ orders: { freeBytes: 78e9, adding: 'accept' }, empty: true }),
  })
  const { baseUrl, ...signIn } = downloader
  const client = { type: 'qbittorrent', enabled: true, default: false }
  await made('/downloaders', { ...client, name: 'tower', address: baseUrl, ...signIn, default: true })
  await made('/downloaders', { ...client, name: 'attic', address: nowhere, username: 'a', password: 'b' })
  await made('/downloaders', {
    ...client,
    name: 'cellar',
    address: nowhere,
    username: 'a',
    password: 'b',
    enabled: false,
  })
  const credentials = { cookie: 'c_secure_pass=CanaryCookieOfTheSite9', api_key: 'CanaryApiKeyOfTheSite91' }
  const site = (name: string, kind: string, address: string, change: object = {}) =>
    made('/sites', consoleSite(name, kind, address, { ...credentials, ...change }))
  await site('lantern', 'nexusphp', `${standIns}/nexusphp/recorded`)
  await site('shelf', 'gazelle', `${standIns}/gazelle/recorded`)
  for (const skin of ['expired', 'challenge', 'other', 'away'])
    await site(skin, 'nexusphp', `${standIns}/nexusphp/${skin}`)
  await site('fog', 'nexusphp', nowhere, { display_name: '雾（新）；[1]: a' })
  await site('resting', 'nexusphp', `${standIns}/nexusphp/resting`, { enabled: false })
  await setProvider(session, 'recorded')
  await made('/brush-tasks', {
    ...{ name: 'night', enabled: false, site: 'lantern', every_minutes: 60 },
    rules: {
      pick: { free_only: true, refuse_hr: true, refused_words: ['CAM'] },
      bounds: { active_max: 5, downloading_max: 2, active_gib_max: 100, new_per_run_max: 1 },
      removal: { seeding_hours: 72, free_over: false },
    },
  })
}

/** `known` is the only torrent there is, once it was pushed. */
function filledRequests(known: string): readonly (readonly [string, string, string, object?])[] {
  const target = (downloaderId: number, id: string) => ({ downloader_id: downloaderId, task_id: id })
  const unknown = 'b'.repeat(40)
  const act = (action: string, targets: readonly object[]) =>
    ['actOnTorrents', 'POST', '/torrents/actions', { action, targets }] as const
  return [
    ['listSites', 'GET', '/sites'],
    ['getOverview', 'GET', '/overview'],
    ['listDownloaders', 'GET', '/downloaders'],
    ...['lantern', 'shelf', 'expired', 'fog', 'resting', 'nobody'].map(
      (name) => ['attendSite', 'POST', `/sites/${name}/attend`, {}] as const,
    ),
    ['getFavicon', 'GET', '/favicon/lantern'],
    ['search', 'POST', '/search', { keyword: 'planet' }],
    ['search', 'POST', '/search', { keyword: 'planet', sites: ['lantern', 'expired'] }],
    ['search', 'POST', '/search', { keyword: 'planet', sites: ['expired', 'fog', 'away', 'other', 'challenge'] }],
    ['search', 'POST', '/search', { keyword: 'planet', sites: ['resting'] }],
    ['search', 'POST', '/search', { keyword: 'planet', sites: ['nobody'] }],
    ['search', 'POST', '/search', { keyword: 'planet', free_only: true, min_seeders: 1 }],
    [
      'pushTorrent',
      'POST',
      '/push',
      { site: 'shelf', torrent_id: '101', title: 'Planet', category: 'tv', tags: 'a,b' },
    ],
    ['pushTorrent', 'POST', '/push', { site: 'shelf', torrent_id: '101' }],
    ['pushTorrent', 'POST', '/push', { site: 'shelf', torrent_id: '101', downloader_id: 2 }],
    ['pushTorrent', 'POST', '/push', { site: 'shelf', torrent_id: '101', downloader_id: 3 }],
    ['pushTorrent', 'POST', '/push', { site: 'shelf', torrent_id: '101', downloader_id: 9 }],
    ['pushTorrent', 'POST', '/push', { site: 'expired', torrent_id: '101' }],
    ['pushTorrent', 'POST', '/push', { site: 'fog', torrent_id: '101' }],
    ['pushTorrent', 'POST', '/push', { site: 'resting', torrent_id: '101' }],
    ['listTasks', 'GET', '/tasks'],
    ['listTasks', 'GET', '/tasks?page=2&page_size=1'],
    ['listTorrents', 'GET', '/torrents'],
    ['listTorrents', 'GET', '/torrents?q=nothing'],
    act('pause', [target(1, known), target(1, unknown), target(2, known), target(9, known)]),
    act('resume', [target(1, known)]),
    act('pause', [target(1, unknown)]),
    act('fly', [target(1, known)]),
    ['listTorrents', 'GET', '/torrents'],
    ['listBrushTasks', 'GET', '/brush/tasks'],
    ['explore', 'GET', '/explore?kind=movie'],
    ['explore', 'GET', '/explore?kind=search&q=planet'],
    ['getProviderImage', 'GET', '/images/tmdb/w342/planetWalk.jpg'],
    ['getProviderImage', 'GET', '/images/tmdb/w342/nobody.jpg'],
    ['addSubscription', 'POST', '/subscriptions', { media_type: 'tv', tmdb_id: 21, season: 2 }],
    ['setSubscriptionStatus', 'POST', '/subscriptions/1/status', { status: 'paused' }],
    ['addSubscription', 'POST', '/subscriptions', { media_type: 'tv', tmdb_id: 21, season: 2 }],
    ['addSubscription', 'POST', '/subscriptions', { media_type: 'movie', tmdb_id: 404 }],
    ['listSubscriptions', 'GET', '/subscriptions'],
    ['getSubscription', 'GET', '/subscriptions/1'],
    ['searchSubscription', 'POST', '/subscriptions/1/search', {}],
    ['deleteSubscription', 'DELETE', '/subscriptions/1'],
    ['getSubscription', 'GET', '/subscriptions/1'],
    act('delete_with_files', [target(1, known)]),
    ['listTorrents', 'GET', '/torrents'],
    ['listTasks', 'GET', '/tasks'],
  ]
}

/** Of a service in use. */
export async function exchangeFilled(): Promise<Exchange[]> {
  const session = await ownerSession()
  const callers = await callersOf(session)
  await fill(session)
  await calm(() => send('GET', `${appPrefix}/sites`, callers.reader))
  const done: Exchange[] = []
  for (const [operation, method, path, json] of filledRequests('a4c83829f154afc7093ca9c7458212cb9cbae374')) {
    const body = json === undefined ? {} : { body: JSON.stringify(json) }
    done.push(await exchange(callers, { operation, caller: 'operator', method, path: `${appPrefix}${path}`, ...body }))
  }
  return done
}

/** Waits until nothing changes any more: each site was visited. */
async function calm(look: () => Promise<{ readonly body: unknown }>): Promise<void> {
  let last = ''
  for (let [still, tries] = [0, 0]; still < 6; tries += 1) {
    if (tries > 120) throw new Error('the sites are not visited')
    await new Promise((resolve) => setTimeout(resolve, 500))
    const text = JSON.stringify(steady((await look()).body))
    still = text === last ? still + 1 : 0
    last = text
  }
}

/** Names that are drawn, moments, ports and folders differ from run to run. */
function steady(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => steady(one, key))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, steady(one, name)]))
  if (key === 'request_id' || key === 'duration_ms' || key === 'version' || (key === 'id' && typeof value === 'string'))
    return `<${key}>`
  if (typeof value === 'number' && key.endsWith('_at') && value > 0) return '<time>'
  if (typeof value !== 'string') return value
  if (key === 'save_path' && value !== '') return '<folder>'
  return /^\d{4}-\d{2}-\d{2}$/.test(value)
    ? '<day>'
    : value.replaceAll(/http:\/\/127\.0\.0\.1:\d+|(?<=\W)127\.0\.0\.1:\d+/g, '<address>')
}
