/** The only place that talks to the server. A question is its address, so that an answer can be kept under it. */
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type {
  AccuracyAnswer,
  BlameAnswer,
  DeadCodeAnswer,
  EntryPointsAnswer,
  FileAnswer,
  FileCodeAnswer,
  FlowAnswer,
  GapsAnswer,
  HandlersAnswer,
  MapAnswer,
  NodeAnswer,
  NodesAnswer,
  ReviewAnswer,
  RoutesAnswer,
  SearchAnswer,
  SourceAnswer,
  StatsAnswer,
  TextAnswer,
  TrailsAnswer,
  TreeAnswer,
} from '../../contract/wire.ts'
import type { QueryParts } from '../model/address.ts'

export interface ApiFailure {
  /** The server's code, or `offline` when no answer came, or `unreadable` when it was not one of ours. */
  readonly code: string
  readonly status: number
  /** The server's own words, and what it says to do. */
  readonly message: string
  readonly hint: string
}

export type Answer<T> = Result<T, ApiFailure>

/** Something to ask, with the type of its answer. The type is never filled in. */
export interface Question<T> {
  readonly address: string
  readonly answer?: T
}

/** A server that says nothing for this long counts as not reached. */
const patienceMs = 30_000

function question<T>(path: string, query: QueryParts = {}): Question<T> {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    for (const one of Array.isArray(value) ? value : [value]) parameters.append(name, String(one))
  }
  const search = parameters.toString()
  return { address: `/api/${path}${search === '' ? '' : `?${search}`}` }
}

const pathOf = (text: string): string => text.split('/').map(encodeURIComponent).join('/')

/** A path like `..` cannot be asked for: the browser would take it for a step in the address. */
export const api = {
  stats: () => question<StatsAnswer>('stats'),
  search: (q: string, limit?: number) => question<SearchAnswer>('search', { q, limit }),
  text: (query: {
    q: string
    regex?: '1' | undefined
    case?: '1' | undefined
    word?: '1' | undefined
    path?: string | undefined
    limit?: number | undefined
  }) => question<TextAnswer>('text', query),
  node: (id: string) => question<NodeAnswer>(`node/${encodeURIComponent(id)}`),
  /** At most 60 ids. */
  nodes: (ids: readonly string[]) => question<NodesAnswer>('nodes', { id: ids }),
  source: (file: string, range: { from?: number; to?: number; ondrift?: 'current' } = {}) =>
    question<SourceAnswer>('source', { file, ...range }),
  blame: (file: string) => question<BlameAnswer>('blame', { file }),
  file: (path: string) => question<FileAnswer>(`file/${pathOf(path)}`),
  fileCode: (path: string, lines: { from: number; to: number }) =>
    question<FileCodeAnswer>(`filecode/${pathOf(path)}`, { ...lines }),
  routes: (limit?: number) => question<RoutesAnswer>('routes', { limit }),
  entryPoints: (query: { limit?: number; routes?: number } = {}) => question<EntryPointsAnswer>('entrypoints', query),
  handlers: (limit?: number) => question<HandlersAnswer>('handlers', { limit }),
  gaps: () => question<GapsAnswer>('gaps'),
  tree: (folder: string, limit?: number) => question<TreeAnswer>('tree', { folder, limit }),
  accuracy: () => question<AccuracyAnswer>('accuracy'),
  review: (range: string) => question<ReviewAnswer>('review', { range }),
  map: (query: { root?: string | undefined; depth?: number | undefined; production?: '1' | undefined } = {}) =>
    question<MapAnswer>('map', query),
  deadCode: (query: { limit?: number; kinds?: string; exported?: '1'; tests?: '1'; generated?: '1' } = {}) =>
    question<DeadCodeAnswer>('deadcode', query),
  flow: (query: { from: string; to: string } | { symbols: string } | { hop: readonly string[] }, limit?: number) =>
    question<FlowAnswer>('flow', { ...query, limit }),
  trails: () => question<TrailsAnswer>('trails'),
} as const

interface Write {
  readonly method: 'POST' | 'DELETE'
  readonly body?: unknown
}

async function call<T>(address: string, stop: AbortSignal | undefined, write?: Write): Promise<Answer<T>> {
  const timeout = AbortSignal.timeout(patienceMs)
  let response: Response
  let parsed: unknown
  try {
    response = await fetch(address, {
      method: write?.method ?? 'GET',
      cache: 'no-store',
      redirect: 'error',
      signal: stop === undefined ? timeout : AbortSignal.any([timeout, stop]),
      ...(write === undefined
        ? {}
        : {
            headers: { 'content-type': 'application/json', 'x-viewer-ui': '1' },
            body: JSON.stringify(write.body ?? {}),
          }),
    })
    parsed = await response.json().catch(() => undefined)
  } catch {
    return failWith({ code: 'offline', status: 0, message: '', hint: '' })
  }
  if (response.ok && parsed !== undefined) return succeed(parsed as T)
  const { error, code, hint } = (parsed ?? {}) as { error?: unknown; code?: unknown; hint?: unknown }
  return failWith({
    code: typeof code === 'string' ? code : 'unreadable',
    status: response.status,
    message: typeof error === 'string' ? error : '',
    hint: typeof hint === 'string' ? hint : '',
  })
}

export function ask<T>(what: Question<T>, stop?: AbortSignal): Promise<Answer<T>> {
  return call<T>(what.address, stop)
}

interface TrailToSave {
  readonly name: string
  readonly note?: string
  readonly hops: readonly { readonly id: string; readonly dir?: SavedDirection }[]
}
type SavedDirection = 'start' | 'down' | 'up'

export function saveTrail(trail: TrailToSave): Promise<Answer<TrailsAnswer>> {
  return call('/api/trails', undefined, { method: 'POST', body: trail })
}
export function deleteTrail(id: string): Promise<Answer<TrailsAnswer>> {
  return call(`/api/trails/${encodeURIComponent(id)}`, undefined, { method: 'DELETE' })
}
