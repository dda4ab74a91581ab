/** A gateway in use, for pictures and screens: keys, what they spent, the newest calls and where they go. All invented. */
import type {
  WireGatewayCall,
  WireGatewayKey,
  WireGatewayKeyList,
  WireGatewayRouteChange,
  WireGatewayRouting,
  WireGatewayUsage,
} from '../../workers/app/contract/console-gateway.ts'

export interface InventedGateway {
  readonly keys: WireGatewayKeyList
  readonly usage: readonly WireGatewayUsage[]
  readonly calls: readonly WireGatewayCall[]
  readonly routing: WireGatewayRouting
  readonly changes: readonly WireGatewayRouteChange[]
}

const dayOf = (unix: number) => new Date(unix * 1000).toISOString().slice(0, 10)

export const noGateway: InventedGateway = {
  keys: { items: [], is_durable: true, path: '/api/v1' },
  usage: [],
  calls: [],
  routing: { providers: [], routes: [], recent: { from: 0, step_seconds: 300, steps: 24, calls: [] } },
  changes: [],
}

const small = { provider: 'north', model: 'small-1' }
const large = { provider: 'lighthouse', model: 'large-2' }

export function inventedGateway(nowUnix: number): InventedGateway {
  const key = (id: string, name: string, more: Partial<WireGatewayKey>): WireGatewayKey => ({
    ...{ id, name, models: [], addresses: [], requests_per_minute: null, tokens_per_minute: null },
    ...{ budget_day_usd: null, budget_month_usd: null, expires_at: null, keeps_bodies_until: null },
    ...{ created_at: nowUnix - 40 * 86_400, last_used_at: nowUnix - 240, revoked_at: null },
    ...{ secret_end: id.slice(-4), old_secret_until: null },
    used: {
      ...{ day_usd: 0.42, month_usd: 9.1, reserved_usd: 0, requests_this_minute: 2 },
      ...{ tokens_this_minute: 8400, calls_under_way: 0 },
    },
    ...more,
  })
  const laptop = key('4f0c11d2a7b3', 'Laptop', { budget_month_usd: 12, models: ['code', 'small-*'] })
  const shelf = key('9b1e5a20c6d8', '书房的脚本', { requests_per_minute: 30, addresses: ['192.168.1.0/24'] })
  const old = key('c3d4e5f60718', 'Old phone', { revoked_at: nowUnix - 86_400, last_used_at: null })
  const used = (of: WireGatewayKey, daysAgo: number, at: typeof small, requests: number): WireGatewayUsage => ({
    ...{ key: of.id, key_name: of.name, day: dayOf(nowUnix - daysAgo * 86_400), ...at },
    ...{ requests, failed: requests > 50 ? 2 : 0, refused: 0, unpriced: 0 },
    tokens: {
      input: requests * 1800,
      cache_read: requests * 900,
      cache_write: 0,
      output: requests * 320,
      reasoning: 0,
    },
    cost_usd: requests * 0.011,
    first_token: { bounds_ms: [250, 500, 1000], counts: [requests - 3, 2, 1, 0] },
  })
  const call = (minutesAgo: number, at: typeof small, more: Partial<WireGatewayCall> = {}): WireGatewayCall => ({
    ...{ key: laptop.id, key_name: laptop.name, request_id: `req-${minutesAgo}`, at: nowUnix - minutesAgo * 60 },
    ...{ route: 'code', ...at, outcome: 'answered', code: null },
    tokens: { input: 2140, cache_read: 1800, cache_write: 0, output: 410, reasoning: 0 },
    ...{ is_estimated: false, cost_usd: 0.0123, first_token_ms: 340, took_ms: 2900, has_body: false, attempts: [] },
    ...more,
  })
  const price = { input_usd: 3, cache_read_usd: 0.3, output_usd: 15 }
  const step = (at: typeof small, order: number) => ({
    ...{ name: `${at.provider}/${at.model}`, ...at, order, weight: 1 },
    ...{ calls_at_once: null, context_window: 200_000, ...price },
  })
  const firstStep = Math.floor(nowUnix / 300) * 300 - 23 * 300
  const provider = { dialect: 'chat', calls_at_once: 16, calls_under_way: 1, failures_in_a_row: 0 } as const
  return {
    keys: { ...noGateway.keys, items: [laptop, shelf, old] },
    usage: [0, 1, 2, 5, 9].flatMap((ago) => [used(laptop, ago, small, 60 - ago * 3), used(shelf, ago, large, 12)]),
    calls: [
      call(4, small),
      call(31, large, {
        ...{ first_token_ms: 1700, took_ms: 4200 },
        attempts: [
          { ...small, ms: 1200, code: 'busy' },
          { ...large, ms: 1700, code: null },
        ],
      }),
      call(75, small, {
        outcome: 'refused',
        code: 'budget_exceeded',
        cost_usd: null,
        first_token_ms: null,
        took_ms: 3,
      }),
    ],
    routing: {
      providers: [
        { ...provider, name: 'north', host: 'models.north.example', circuit: 'closed', open_until: null },
        {
          ...{ ...provider, name: 'lighthouse', host: 'lighthouse.example', circuit: 'open', open_until: nowUnix + 20 },
          failures_in_a_row: 5,
        },
      ],
      recent: {
        ...{ from: firstStep, step_seconds: 300, steps: 24 },
        calls: Array.from({ length: 24 }, (_, at) => at).flatMap((at) => {
          const begins = firstStep + at * 300
          const north = { provider: 'north', at: begins, answered: 3 + ((at * 5) % 11), failed: at % 9 === 4 ? 1 : 0 }
          const lighthouse = { provider: 'lighthouse', at: begins, answered: at < 20 ? 2 : 0, failed: at < 20 ? 0 : 3 }
          return at % 3 === 0 ? [north] : [north, lighthouse]
        }),
      },
      routes: [
        {
          ...{ name: 'code', revision: 3, go_on_when: ['busy', 'failed'], first_token_seconds: 20 },
          ...{ sticky: true, cheapest_first: false, steps: [step(small, 1), step(large, 2)] },
        },
      ],
    },
    changes: [
      {
        ...{ seq: 3, at: nowUnix - 7200, name: 'code' },
        before: { steps: [{ model: 'north/small-1' }] },
        after: { steps: [{ model: 'north/small-1' }, { model: 'lighthouse/large-2', order: 2 }] },
      },
    ],
  }
}

interface Asked {
  readonly query: Readonly<Record<string, unknown>>
  readonly params: readonly string[]
}

/** What of it is read, and the rest of a provider that is ended. */
export function gatewayAnswers(of: () => InventedGateway, nowUnix: () => number) {
  return {
    listGatewayKeys: () => ({ answer: of().keys }),
    getGatewayUsage: ({ query: { from } }: Asked) => ({
      answer: {
        today: dayOf(nowUnix()),
        items: of().usage.filter(({ day }) => from === undefined || day >= String(from)),
      },
    }),
    listGatewayCalls: ({ query: { key } }: Asked) => ({
      answer: { items: of().calls.filter((one) => key === undefined || one.key === key) },
    }),
    getGatewayRouting: () => ({ answer: of().routing }),
    endGatewayProviderRest: ({ params: [name] }: Asked) => {
      const held = of().routing.providers.find((one) => one.name === name)
      if (held !== undefined) Object.assign(held, { circuit: 'half_open', open_until: null })
      return { answer: { ok: true as const } }
    },
    listGatewayRouteChanges: () => ({ answer: { items: of().changes } }),
  }
}
