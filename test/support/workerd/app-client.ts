/**
 * A typed client of the Worker under test. Every answer it gets is parsed by the contract of the route it called, so no
 * test can pass on an answer the published document does not allow.
 */

import { env, exports } from 'cloudflare:workers'
import { scryptSync } from 'node:crypto'
import type { TunnelAnswer, TunnelRequest } from '../../../scripts/tunnel-client.ts'
import { appPrefix, consolePrefix, settingsPrefix } from '../../../workers/app/app.ts'
import { consoleRouteDeclarations } from '../../../workers/app/contract/console.ts'
import { type RouteDeclaration, wireFailure } from '../../../workers/app/contract/route.ts'
import { appRouteDeclarations } from '../../../workers/app/contract/routes.ts'
import { settingRouteDeclarations } from '../../../workers/app/contract/settings-api.ts'

export const origin = 'http://wharf.test'
export const ownerPassword = 'correct horse battery'
export const setupCode = 'test-setup-code'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into many shapes, each already parsed by its contract
  readonly body: any
}

export interface Sent {
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly json?: unknown
  /** Sent as it is. */
  readonly raw?: BodyInit
}

export type Caller = Readonly<Record<string, string>>

/** A paired device: what it asks goes through its tunnel. */
export interface DeviceCaller {
  readonly carry: (request: TunnelRequest) => Promise<TunnelAnswer>
}

export type AnyCaller = Caller | DeviceCaller

const declared = [
  ...placed(appPrefix, appRouteDeclarations),
  ...placed(consolePrefix, consoleRouteDeclarations),
  ...placed(settingsPrefix, settingRouteDeclarations),
]

function placed(prefix: string, routes: readonly RouteDeclaration[]) {
  return routes.map((route) => ({
    route,
    path: new RegExp(`^${prefix}${route.path.replace(/\{[a-z_]+\}/g, '[^/]+')}$`),
  }))
}

export async function send(method: string, path: string, caller: AnyCaller = {}, sent: Sent = {}): Promise<Answer> {
  const body = sent.raw ?? (sent.json === undefined ? undefined : JSON.stringify(sent.json))
  const type: Caller = body === undefined ? {} : { 'content-type': 'application/json' }
  const response = isDevice(caller)
    ? await carried(caller, { method, path, headers: { ...type, ...sent.headers } }, body)
    : await exports.default.fetch(
        new Request(`${origin}${path}`, {
          method,
          headers: { ...type, ...caller, ...sent.headers },
          ...(body === undefined ? {} : { body }),
        }),
      )
  const kind = routeOf(method, path)?.answers[response.status]
  if ((kind === 'image' || kind === 'file') && method !== 'HEAD') {
    const bytes = new Uint8Array(await response.arrayBuffer())
    return { status: response.status, headers: response.headers, body: bytes }
  }
  const text = await response.text()
  if (method === 'HEAD') return { status: response.status, headers: response.headers, body: text }
  const parsed: unknown = JSON.parse(text)
  const route = routeOf(method, path)
  const schema = response.ok ? route?.answers[response.status] : wireFailure
  if (schema === undefined || schema === 'image' || schema === 'file')
    throw new Error(`${method} ${path} answered ${response.status}, which its contract does not list`)
  schema.parse(parsed)
  if (!response.ok && !/\p{Script=Han}/u.test((parsed as { message: string }).message)) {
    throw new Error(`${method} ${path} explains itself in no Chinese: ${text}`)
  }
  if (response.headers.get('content-type') !== 'application/json; charset=utf-8')
    throw new Error(`${method} ${path} answered no JSON type`)
  return { status: response.status, headers: response.headers, body: parsed }
}

function isDevice(caller: AnyCaller): caller is DeviceCaller {
  return typeof caller['carry'] === 'function'
}

async function carried(device: DeviceCaller, request: TunnelRequest, body: BodyInit | undefined): Promise<Response> {
  const sent = body === undefined ? {} : { body: await new Response(body).bytes() }
  const { status, headers, body: bytes } = await device.carry({ ...request, ...sent })
  return new Response(bytes.length === 0 ? null : Uint8Array.from(bytes), { status, headers })
}

function routeOf(method: string, path: string): RouteDeclaration | undefined {
  const pathname = path.split('?')[0] ?? path
  return declared.find(({ route, path }) => route.method === method.toLowerCase() && path.test(pathname))?.route
}

/** The same password at a cost that is none: what it costs to check is the tests of signing in alone. */
const lightHash = [
  'scrypt',
  4,
  1,
  1,
  'c2FsdA',
  scryptSync(ownerPassword, 'salt', 32, { N: 2 ** 4, r: 1, p: 1 }).toString('base64url'),
]

/** The signed-in owner's browser. Sets the password on first use. */
export async function ownerSession(): Promise<Caller> {
  const state = await send('GET', `${consolePrefix}/state`)
  const page = { origin }
  const answer = state.body.set_up
    ? await send('POST', `${consolePrefix}/sign-in`, page, { json: { password: ownerPassword } })
    : await send('POST', `${consolePrefix}/setup`, page, { json: { code: setupCode, password: ownerPassword } })
  const cookie = answer.headers.get('set-cookie')?.split(';')[0]
  if (cookie === undefined) throw new Error(`no session: ${JSON.stringify(answer.body)}`)
  if (!state.body.set_up) await env.DB.prepare('update owner set password_hash = ?').bind(lightHash.join('$')).run()
  return { cookie, origin }
}

export interface MadeToken {
  readonly caller: Caller
  readonly id: string
  readonly text: string
}

export async function makeToken(session: Caller, scopes: readonly string[], name = 'test'): Promise<MadeToken> {
  const made = await send('POST', `${consolePrefix}/tokens`, session, { json: { name, scopes, lifetime: '30d' } })
  return { caller: { authorization: `Bearer ${made.body.text}` }, id: made.body.token.id, text: made.body.text }
}

export interface AuditRow {
  readonly channel: string
  readonly user: string
  readonly command: string
  readonly result: string
  readonly status: number | null
}

export async function auditRows(): Promise<AuditRow[]> {
  const { results } = await env.DB.prepare(
    'select channel, user, command, result, status from audit_entries order by id',
  ).all<AuditRow>()
  return results
}
