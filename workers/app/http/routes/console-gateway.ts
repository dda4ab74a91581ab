import type { z } from '@hono/zod-openapi'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import {
  changeGatewayKey,
  endGatewayProviderRest,
  endOldGatewaySecret,
  gatewayCallList,
  gatewayKeyList,
  gatewayNewKey,
  gatewayRouteChangeList,
  gatewayRouteRevision,
  gatewayUsageList,
  getGatewayBodies,
  getGatewayRouting,
  getGatewayUsage,
  getGatewayUsageTable,
  listGatewayCalls,
  listGatewayKeys,
  listGatewayRouteChanges,
  makeGatewayKey,
  removeGatewayKey,
  removeGatewayRoute,
  renewGatewayKey,
  saveGatewayRoute,
  tryGatewayRoute,
  undoGatewayRouteChange,
  wireGatewayBodies,
  wireGatewayKey,
  wireGatewayRouteTrial,
  wireGatewayRouting,
} from '../../contract/console-gateway.ts'
import { type Failure, failure } from '../../core/failure.ts'
import type { GatewayFault, GatewayService } from '../../ports/gateway.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'

const unreadable: GatewayFault = { status: 502, words: undefined }
/** As many as a screen has room for. */
const callsShown = 60

export function consoleGatewayRoutes({ gatewayService }: Pick<AppDeps, 'gatewayService'>): BoundRoute[] {
  return [
    bind(listGatewayKeys, async () => {
      const list = await asked(gatewayService, gatewayKeyList, 'GET', '/keys')
      if (!list.ok) return list
      const { data, is_durable } = list.value
      return succeed({ body: { items: data, is_durable, path: gatewayService.path } })
    }),
    bind(makeGatewayKey, async ({ body }) => {
      const made = await asked(gatewayService, gatewayNewKey, 'POST', '/keys', body)
      return made.ok ? succeed({ body: withSecret(made.value) }) : made
    }),
    bind(changeGatewayKey, async ({ params, body }) => {
      const changed = await asked(gatewayService, wireGatewayKey, 'POST', `/keys/${params.id}`, body)
      return changed.ok ? succeed({ body: changed.value }) : changed
    }),
    bind(removeGatewayKey, ({ params }) => done(gatewayService, 'DELETE', `/keys/${params.id}`)),
    bind(renewGatewayKey, async ({ params }) => {
      const renewed = await asked(gatewayService, gatewayNewKey, 'POST', `/keys/${params.id}/secret`)
      return renewed.ok ? succeed({ body: withSecret(renewed.value) }) : renewed
    }),
    bind(endOldGatewaySecret, ({ params }) => done(gatewayService, 'DELETE', `/keys/${params.id}/secret`)),
    bind(getGatewayUsage, async ({ query }) => {
      const usage = await asked(gatewayService, gatewayUsageList, 'GET', `/usage?${daysOf(query)}`)
      return usage.ok ? succeed({ body: { today: usage.value.today, items: usage.value.data } }) : usage
    }),
    bind(getGatewayUsageTable, async ({ query }) => {
      const table = await gatewayService.ask('GET', `/usage?format=csv&${daysOf(query)}`)
      return table.ok ? succeed({ body: { csv: table.value } }) : failWith(failureOf(table.failure))
    }),
    bind(listGatewayCalls, async ({ query: { key } }) => {
      const target = `/requests?limit=${callsShown}${key === undefined ? '' : `&key=${key}`}`
      const calls = await asked(gatewayService, gatewayCallList, 'GET', target)
      return calls.ok ? succeed({ body: { items: calls.value.data } }) : calls
    }),
    bind(getGatewayBodies, async ({ query }) => {
      const said = await asked(gatewayService, wireGatewayBodies, 'GET', `/bodies?${new URLSearchParams(query)}`)
      return said.ok ? succeed({ body: said.value }) : said
    }),
    bind(getGatewayRouting, async () => {
      const routing = await asked(gatewayService, wireGatewayRouting, 'GET', '/routing')
      return routing.ok ? succeed({ body: routing.value }) : routing
    }),
    bind(endGatewayProviderRest, ({ params }) => done(gatewayService, 'DELETE', `/providers/${params.name}/rest`)),
    bind(saveGatewayRoute, async ({ params, body }) => {
      const saved = await asked(gatewayService, gatewayRouteRevision, 'POST', `/routes/${params.name}`, body)
      return saved.ok ? succeed({ body: saved.value }) : saved
    }),
    bind(removeGatewayRoute, ({ params }) => done(gatewayService, 'DELETE', `/routes/${params.name}`)),
    bind(tryGatewayRoute, async ({ body: { route, text, max_tokens } }) => {
      const request = { messages: [{ role: 'user', content: text }], ...(max_tokens === null ? {} : { max_tokens }) }
      const trial = await asked(gatewayService, wireGatewayRouteTrial, 'POST', '/route-trials', { route, request })
      return trial.ok ? succeed({ body: trial.value }) : trial
    }),
    bind(listGatewayRouteChanges, async () => {
      const changes = await asked(gatewayService, gatewayRouteChangeList, 'GET', '/route-changes')
      return changes.ok ? succeed({ body: { items: changes.value.data } }) : changes
    }),
    bind(undoGatewayRouteChange, ({ params }) => done(gatewayService, 'POST', `/route-changes/${params.seq}/undo`)),
  ]
}

function withSecret({ secret, ...key }: z.infer<typeof gatewayNewKey>) {
  return { key, secret }
}

function daysOf({ from, to }: { readonly from?: string | undefined; readonly to?: string | undefined }): string {
  const wanted = Object.entries({ from, to }).flatMap(([name, day]) => (day === undefined ? [] : [[name, day]]))
  return new URLSearchParams(wanted).toString()
}

async function done(service: GatewayService, method: 'POST' | 'DELETE', target: string) {
  const answer = await service.ask(method, target)
  return answer.ok ? succeed({ body: { ok: true as const } }) : failWith(failureOf(answer.failure, target))
}

async function asked<T>(
  service: GatewayService,
  shape: z.ZodType<T>,
  method: 'GET' | 'POST',
  target: string,
  body?: object,
): Promise<Result<T, Failure>> {
  const answer = await service.ask(method, target, body)
  if (!answer.ok) return failWith(failureOf(answer.failure, target))
  const read = shape.safeParse(JSON.parse(answer.value))
  return read.success ? succeed(read.data) : failWith(failureOf(unreadable))
}

function failureOf({ status, words }: GatewayFault, target = ''): Failure {
  const what = target.startsWith('/route')
    ? 'gateway_route'
    : target.startsWith('/bodies')
      ? 'gateway_bodies'
      : target.startsWith('/providers')
        ? 'gateway_provider'
        : 'gateway_key'
  if (status === 404) return failure('not_found', { kind: 'none', what })
  if (status === 400) return failure('invalid_argument', { kind: 'quoted', words: words ?? '' })
  return failure('unavailable', words === undefined ? { kind: 'gateway.unavailable' } : { kind: 'quoted', words })
}
