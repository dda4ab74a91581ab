import { Histogram, type MetricFamily, metricLabels, metricsText } from '#shared/http/metrics-text.ts'
import { type CallRecord, firstBoundsMs, type TokenCount } from './keys/call-record.ts'

/** Names of models that are counted apart; what comes after them is `other`, so that no client fills the memory. */
const seriesMax = 200

interface Series {
  readonly outcomes: Map<string, number>
  readonly tokens: { -readonly [kind in keyof TokenCount]: number }
  costNano: number
  readonly calls: Histogram
  readonly firsts: Histogram
}

/** Upper ends of the classes of a whole call, in seconds. */
const callBoundsSeconds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900]
const firstBoundsSeconds = firstBoundsMs.map((ms) => ms / 1_000)

/** What this process has served since its start, in the text form of Prometheus. */
export class Metrics {
  /** By status, which has three digits, and route. */
  readonly #requests = new Map<string, number>()
  /** By its labels. */
  readonly #series = new Map<string, Series>()
  readonly #ofModel = new Map<string, Series>()

  request(route: string, status: number): void {
    const counted = `${status} ${route}`
    this.#requests.set(counted, (this.#requests.get(counted) ?? 0) + 1)
  }

  call(call: CallRecord): void {
    if (call.model === '') return
    const series = this.#seriesOf(call)
    const { outcomes, tokens, calls, firsts } = series
    outcomes.set(call.outcome, (outcomes.get(call.outcome) ?? 0) + 1)
    for (const kind of Object.keys(tokens) as (keyof TokenCount)[]) tokens[kind] += call.tokens[kind]
    series.costNano += call.costNano ?? 0
    calls.observe(call.tookMs / 1_000)
    if (call.firstMs !== undefined) firsts.observe(call.firstMs / 1_000)
  }

  text(gauges: Readonly<Record<string, number>>): string {
    const each = (write: (labels: string, series: Series) => readonly string[]) =>
      [...this.#series].flatMap(([labels, series]) => write(labels, series))
    const families: readonly MetricFamily[] = [
      {
        name: 'gateway_http_requests_total',
        type: 'counter',
        help: 'Requests by route and status.',
        lines: [...this.#requests].map(([counted, count]) => {
          const labels = metricLabels({ route: counted.slice(4), status: counted.slice(0, 3) })
          return `gateway_http_requests_total{${labels}} ${count}`
        }),
      },
      {
        name: 'gateway_calls_total',
        type: 'counter',
        help: 'Calls of models by their end.',
        lines: each((labels, { outcomes }) =>
          [...outcomes].map(([outcome, count]) => `gateway_calls_total{${labels},outcome="${outcome}"} ${count}`),
        ),
      },
      {
        name: 'gateway_tokens_total',
        type: 'counter',
        help: 'Tokens by kind; reasoning is part of output.',
        lines: each((labels, { tokens }) =>
          Object.entries(tokens).map(
            ([kind, count]) => `gateway_tokens_total{${labels},kind="${kinds[kind as keyof TokenCount]}"} ${count}`,
          ),
        ),
      },
      {
        name: 'gateway_cost_dollars_total',
        type: 'counter',
        help: 'Cost of calls whose price is known.',
        lines: each((labels, { costNano }) => [`gateway_cost_dollars_total{${labels}} ${costNano / 1e9}`]),
      },
      {
        name: 'gateway_call_seconds',
        type: 'histogram',
        help: 'Time of whole calls.',
        lines: each((labels, { calls }) => calls.lines('gateway_call_seconds', labels)),
      },
      {
        name: 'gateway_first_token_seconds',
        type: 'histogram',
        help: 'Time to the first piece of streamed answers.',
        lines: each((labels, { firsts }) => firsts.lines('gateway_first_token_seconds', labels)),
      },
      ...Object.entries(gauges).map(
        ([name, value]): MetricFamily => ({ name, type: 'gauge', help: 'Of the moment.', lines: [`${name} ${value}`] }),
      ),
    ]
    return metricsText(families)
  }

  #seriesOf(call: CallRecord): Series {
    const name = `${call.provider} ${call.model}`
    const own = this.#ofModel.get(name)
    if (own !== undefined) return own
    const isRoom = this.#series.size < seriesMax
    const labels = metricLabels({ provider: call.provider, model: isRoom ? call.model : 'other' })
    let series = this.#series.get(labels)
    if (series === undefined) {
      series = {
        outcomes: new Map(),
        tokens: { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 },
        costNano: 0,
        calls: new Histogram(callBoundsSeconds),
        firsts: new Histogram(firstBoundsSeconds),
      }
      this.#series.set(labels, series)
    }
    if (isRoom) this.#ofModel.set(name, series)
    return series
  }
}

/** What several processes have counted, as one: samples of one name and its labels are added up. */
export function addedMetrics(texts: readonly string[]): string {
  const lines = new Map<string, number | undefined>()
  for (const line of texts.flatMap((text) => text.split('\n'))) {
    const [, series, value] = /^([^#].*) (\S+)$/.exec(line) ?? []
    if (series === undefined) lines.set(line, undefined)
    else lines.set(series, (lines.get(series) ?? 0) + Number(value))
  }
  return inFamilies([...lines].map(([line, value]) => (value === undefined ? line : `${line} ${value}`)))
}

/** Samples that only a later process has stand with those of their name. */
function inFamilies(lines: readonly string[]): string {
  const families = new Map<string, string[]>()
  for (const line of lines) {
    const name = /^(?:# \w+ )?(\w+?)(?:_(?:bucket|sum|count))?(?:[ {]|$)/.exec(line)?.[1]
    if (name === undefined) continue
    const family = families.get(name)
    if (family === undefined) families.set(name, [line])
    else family.push(line)
  }
  return `${[...families.values()].flat().join('\n')}\n`
}

const kinds = {
  input: 'input',
  cacheRead: 'cache_read',
  cacheWrite: 'cache_write',
  output: 'output',
  reasoning: 'reasoning',
} as const satisfies Record<keyof TokenCount, string>
