/**
 * What a monitor asks, beside the interfaces: `/healthz`, `/readyz` and `/metrics`. Whether the service lives and could
 * serve is told to anybody who reaches the port; its figures name sites, and are the owner's.
 */
import { type MetricFamily, metricsText, metricsType } from '#shared/http/metrics-text.ts'
import { requestIdOf } from '#shared/http/request-id.ts'
import { failure } from '../core/failure.ts'
import { operatingFamilies } from '../core/operating/metric-families.ts'
import { readinessOf } from '../core/operating/readiness.ts'
import { storageReasonOf } from '../core/operating/storage-fault.ts'
import { mayUse } from '../core/principal.ts'
import type { Reason } from '../core/reason/reason.ts'
import { sayFor } from '../core/reason/say.ts'
import { requestIdCharactersMax } from '../limits.ts'
import type { AppDeps } from '../ports.ts'
import { authenticate } from './authenticate.ts'
import { renderFailure } from './render-failure.ts'

export type OperatingDeps = Pick<
  AppDeps,
  'basedAt' | 'credentials' | 'identifiers' | 'logger' | 'publicOrigins' | 'operatingStore' | 'machine' | 'version'
> & {
  /** What was served, as far as it is counted. */
  readonly traffic: () => readonly MetricFamily[]
  /** The owner lets anybody read the figures who reaches the port. */
  readonly areMetricsOpen: boolean
}

const paths = ['/healthz', '/readyz', '/metrics'] as const
type OperatingPath = (typeof paths)[number]

function operatingPathOf(pathname: string): OperatingPath | undefined {
  return paths.find((path) => path === pathname)
}

export function isOperatingPath(pathname: string): boolean {
  return operatingPathOf(pathname) !== undefined
}

export function serveOperating(deps: OperatingDeps): (request: Request) => Promise<Response> {
  const routes: Readonly<Record<OperatingPath, (request: Request, requestId: string) => Promise<Response>>> = {
    // Asks nothing of anybody: that it is answered is the answer.
    '/healthz': async () => json(200, { status: 'ok', version: deps.version }),

    '/readyz': async (_request, requestId) => {
      const [database, machine] = await Promise.allSettled([deps.operatingStore.answers(), deps.machine.report()])
      for (const asked of [database, machine])
        if (asked.status === 'rejected') deps.logger.error('not_ready', { request_id: requestId, cause: asked.reason })
      const isAsked = machine.status === 'fulfilled'
      const silence: Reason | undefined =
        database.status === 'fulfilled'
          ? undefined
          : (storageReasonOf(database.reason) ?? { kind: 'machine.database_silent' })
      const readiness = readinessOf(silence, isAsked ? machine.value : undefined)
      const ready = readiness.ready && isAsked
      return json(ready ? 200 : 503, { ...readiness, ready })
    },

    '/metrics': async (request) => {
      const refused = deps.areMetricsOpen ? undefined : await refusalOf(request)
      if (refused !== undefined) return refused
      const [figures, machine] = await Promise.all([deps.operatingStore.figures(), deps.machine.report()])
      const families = [...operatingFamilies(figures, machine, deps.version), ...deps.traffic()]
      return new Response(metricsText(families), { headers: { ...plainHeaders, 'content-type': metricsType } })
    },
  }

  async function refusalOf(request: Request): Promise<Response | undefined> {
    const say = sayFor(request.headers)
    const caller = await authenticate(deps, request, 'token_or_session')
    if (!caller.ok)
      return renderFailure(caller.failure, say, { ...plainHeaders, 'www-authenticate': 'Bearer realm="wharf"' })
    if (mayUse(caller.value, 'app:read')) return undefined
    const reason = { kind: 'account.no_permission', holder: 'token', scope: 'app:read' } as const
    return renderFailure(failure('forbidden', reason), say, plainHeaders)
  }

  return async (request) => {
    const requestId = requestIdOf(request.headers.get('x-request-id'), requestIdCharactersMax, () =>
      deps.identifiers.next(),
    )
    const answer = await answerTo(request, requestId)
    answer.headers.set('x-request-id', requestId)
    return answer
  }

  async function answerTo(request: Request, requestId: string): Promise<Response> {
    const path = operatingPathOf(new URL(request.url).pathname)
    if (path === undefined) throw new Error('this is no path for a monitor')
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      const refused = failure('method_not_allowed', { kind: 'method', allowed: ['GET', 'HEAD'] })
      return renderFailure(refused, sayFor(request.headers), { ...plainHeaders, allow: 'GET, HEAD' })
    }
    try {
      return await routes[path](request, requestId)
    } catch (cause) {
      deps.logger.error('request_crashed', { request_id: requestId, route: path, cause })
      return renderFailure(
        failure('unavailable', storageReasonOf(cause) ?? { kind: 'machine.database_silent' }),
        sayFor(request.headers),
        plainHeaders,
      )
    }
  }
}

const plainHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const

function json(status: number, body: object): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...plainHeaders, 'content-type': 'application/json; charset=utf-8' },
  })
}
