/** What the gateway's page shows, from the rows of usage: sums, days without gaps, and waits from their classes. */
import type {
  WireGatewayCall,
  WireGatewayKey,
  WireGatewayRouting,
  WireGatewayUsage,
} from '../../contract/console-gateway.ts'
import { type Amount, grouped } from './amounts.ts'

export interface Sum {
  readonly requests: number
  readonly failed: number
  readonly refused: number
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly output: number
  readonly reasoning: number
  readonly cost: number
  readonly unpriced: number
}

/** Input with what came from a cache or went into one: what the model read. */
export function sumOf(rows: readonly WireGatewayUsage[]): Sum {
  const sum = (read: (row: WireGatewayUsage) => number) => rows.reduce((total, row) => total + read(row), 0)
  return {
    requests: sum((row) => row.requests),
    failed: sum((row) => row.failed),
    refused: sum((row) => row.refused),
    input: sum(({ tokens }) => tokens.input + tokens.cache_read + tokens.cache_write),
    cacheRead: sum(({ tokens }) => tokens.cache_read),
    cacheWrite: sum(({ tokens }) => tokens.cache_write),
    output: sum(({ tokens }) => tokens.output),
    reasoning: sum(({ tokens }) => tokens.reasoning),
    cost: sum((row) => row.cost_usd),
    unpriced: sum((row) => row.unpriced),
  }
}

/** Rows that share a word, the dearest first. */
export function groupedBy(
  rows: readonly WireGatewayUsage[],
  word: (row: WireGatewayUsage) => string,
): readonly { readonly word: string; readonly rows: readonly WireGatewayUsage[]; readonly sum: Sum }[] {
  const groups = Map.groupBy(rows, word)
  return [...groups]
    .map(([name, own]) => ({ word: name, rows: own, sum: sumOf(own) }))
    .toSorted((left, right) => right.sum.cost - left.sum.cost || right.sum.requests - left.sum.requests)
}

/** Every day of the month up to today. */
function daysOfMonth(today: string): readonly string[] {
  const last = Number(today.slice(8, 10))
  return Array.from({ length: last }, (_, index) => `${today.slice(0, 8)}${String(index + 1).padStart(2, '0')}`)
}

interface Pace {
  /** What a day costs that is still to come. */
  readonly day: number
  readonly coming: readonly string[]
  /** What the month comes to. */
  readonly month: number
}

/** Fewer days say nothing of the next. */
const paceDaysLeast = 3

/**
 * The month as it ends if it goes on as it did: by the mean of its days before today, from the first that cost anything.
 * Today is over when it costs no less than they do.
 */
export function paceOf(rows: readonly WireGatewayUsage[], today: string): Pace | undefined {
  const costs = daysOfMonth(today).map((day) => sumOf(rows.filter((row) => row.day === day)).cost)
  const begin = costs.findIndex((cost) => cost > 0)
  const before = costs.slice(begin, -1)
  if (begin < 0 || before.length < paceDaysLeast) return undefined
  const sum = before.reduce((total, cost) => total + cost, 0)
  const day = sum / before.length
  const days = new Date(Date.UTC(Number(today.slice(0, 4)), Number(today.slice(5, 7)), 0)).getUTCDate()
  const coming = daysOfMonth(`${today.slice(0, 8)}${days}`).slice(costs.length)
  return { day, coming, month: sum + Math.max(day, costs.at(-1) ?? 0) + day * coming.length }
}

/** The day on which as much is spent in the month; undefined: it lasts. */
export function goneBy({ day, coming, month }: Pace, today: string, budget: number): string | undefined {
  return [today, ...coming].find((_, at) => month - day * (coming.length - at) > budget)
}

export const chartRanges = ['month', 'quarter', 'year'] as const
export type ChartRange = (typeof chartRanges)[number]

/** Days, and of a year months: what each bar of the chart begins with. The last is still growing. */
export function barsOf(range: ChartRange, today: string): readonly string[] {
  if (range === 'month') return daysOfMonth(today)
  const end = new Date(`${today}T00:00:00Z`)
  if (range === 'quarter') {
    return Array.from({ length: 90 }, (_, index) =>
      new Date(end.getTime() - (89 - index) * 86_400_000).toISOString().slice(0, 10),
    )
  }
  const month = end.getUTCFullYear() * 12 + end.getUTCMonth()
  return Array.from({ length: 12 }, (_, index) => {
    const at = month - 11 + index
    return `${Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`
  })
}

/** Undefined: this month, which needs no day. */
export function firstDay(range: ChartRange, today: string): string | undefined {
  if (range === 'month') return undefined
  const [first = today] = barsOf(range, today)
  return range === 'year' ? `${first}-01` : first
}

/** By the clock of whoever reads it. */
export function clockText(seconds: number): string {
  const at = new Date(seconds * 1000)
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':')
}

/** With its unit, which stays in the line. */
export function secondsText(ms: number): string {
  return `${(ms / 1000).toFixed(2)}\u00a0s`
}

/** The wait that such a share of all did not exceed, in seconds; undefined without any. */
export function waitSeconds(rows: readonly WireGatewayUsage[], share: number): number | undefined {
  const bounds = rows[0]?.first_token.bounds_ms ?? []
  const counts = bounds
    .concat(0)
    .map((_, index) => rows.reduce((sum, row) => sum + (row.first_token.counts[index] ?? 0), 0))
  const all = counts.reduce((sum, count) => sum + count, 0)
  if (all === 0) return undefined
  let left = all * share
  for (const [index, count] of counts.entries()) {
    if (count > 0 && left <= count) {
      const low = bounds[index - 1] ?? 0
      const high = bounds[index] ?? 2 * low
      return (low + ((high - low) * left) / count) / 1_000
    }
    left -= count
  }
  return undefined
}

interface Health {
  /** All of them, in the order of time. */
  readonly steps: readonly { readonly answered: number; readonly failed: number }[]
  readonly answered: number
  readonly failed: number
  /** Of any step, on either side; 1 without calls. */
  readonly most: number
}

/** How one provider did lately. */
export function healthOf(
  { from, step_seconds, steps: count, calls }: WireGatewayRouting['recent'],
  provider: string,
): Health {
  const own = calls.filter((one) => one.provider === provider)
  const byStep = new Map(own.map((one) => [(one.at - from) / step_seconds, one]))
  const steps = Array.from({ length: count }, (_, at) => byStep.get(at) ?? { answered: 0, failed: 0 })
  const sum = (read: (one: (typeof steps)[number]) => number) => steps.reduce((total, one) => total + read(one), 0)
  return {
    steps,
    answered: sum(({ answered }) => answered),
    failed: sum(({ failed }) => failed),
    most: Math.max(1, ...steps.flatMap(({ answered, failed }) => [answered, failed])),
  }
}

/** What the keys that open may spend together in a day or a month; undefined where one of them has no such bound. */
export function commonBudget(
  keys: readonly WireGatewayKey[],
  span: 'day' | 'month',
  nowSeconds: number,
): number | undefined {
  const open = keys.filter(
    ({ revoked_at, expires_at }) => revoked_at === null && (expires_at === null || expires_at > nowSeconds),
  )
  const budgets = open.flatMap((key) => key[`budget_${span}_usd`] ?? [])
  return open.length === 0 || budgets.length < open.length
    ? undefined
    : budgets.reduce((sum, budget) => sum + budget, 0)
}

/** Two decimals, and four where that would be nothing. */
export function dollarsText(dollars: number): string {
  return dollars === 0 || dollars >= 0.01 ? dollars.toFixed(2) : dollars.toFixed(4)
}

export function tokensAmount(tokens: number): Amount {
  if (tokens >= 999_500) return { value: (tokens / 1e6).toFixed(2), unit: 'M' }
  if (tokens >= 10_000) return { value: (tokens / 1e3).toFixed(1), unit: 'k' }
  return { value: grouped(tokens), unit: '' }
}

interface ErrorGroup {
  readonly code: string
  readonly outcome: WireGatewayCall['outcome']
  readonly count: number
  readonly last: WireGatewayCall
}

/** What went wrong among these calls, of which the newest comes first; the most frequent before others. */
export function errorsOf(calls: readonly WireGatewayCall[]): readonly ErrorGroup[] {
  const wrong = calls.filter(({ outcome }) => outcome === 'failed' || outcome === 'refused')
  const groups = Map.groupBy(wrong, ({ outcome, code }) => `${outcome} ${code ?? ''}`)
  return [...groups.values()]
    .flatMap(([last, ...others]) =>
      last === undefined ? [] : [{ code: last.code ?? '', outcome: last.outcome, count: others.length + 1, last }],
    )
    .toSorted((left, right) => right.count - left.count)
}
