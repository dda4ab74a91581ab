/** A fixed row of requests to the App API, and what is compared of their answers. */
import { exports } from 'cloudflare:workers'
import { appPrefix, consolePrefix } from '../../../workers/app/app.ts'
import type { RouteDeclaration } from '../../../workers/app/contract/route.ts'
import { type Caller, makeToken, origin, ownerSession, send } from './app-client.ts'

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

/** Nothing listens there, so that what asks further answers with a reason. */
const nowhere = 'http://127.0.0.1:9'

/** What there is before the first request. */
async function prepare(): Promise<Readonly<Record<CallerName, Caller>>> {
  const session = await ownerSession()
  await send('POST', `${consolePrefix}/downloaders`, session, {
    json: { name: 'tower', kind: 'qbittorrent', base_url: nowhere, username: 'a', password: 'b' },
  })
  await send('POST', `${consolePrefix}/sites`, session, {
    json: { name: 'lantern', kind: 'torznab', base_url: nowhere, api_key: 'k' },
  })
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

export async function exchangeAll(requests: readonly AskedRequest[]): Promise<Exchange[]> {
  const callers = await prepare()
  const done: Exchange[] = []
  for (const { operation, caller, method, path, body } of requests) {
    const response = await exports.default.fetch(
      new Request(`${origin}${path}`, {
        method,
        headers: { ...callers[caller], ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body }),
      }),
    )
    const type = response.headers.get('content-type')
    const text = await response.text()
    const answer = type?.startsWith('application/json') === true ? steady(JSON.parse(text)) : text.length > 0
    done.push({
      operation,
      caller,
      method,
      path,
      ...(body === undefined ? {} : { body }),
      status: response.status,
      type,
      answer,
    })
  }
  return done
}

/** Names that are drawn and moments differ from run to run. */
function steady(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => steady(one, key))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, steady(one, name)]))
  if (key === 'request_id' || key === 'duration_ms' || key === 'version' || (key === 'id' && typeof value === 'string'))
    return `<${key}>`
  if (typeof value === 'number' && value > 1_000_000_000 && value < 5_000_000_000) return '<time>'
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? '<day>' : value
}
