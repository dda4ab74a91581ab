import type { JsonRecord } from '#shared/kernel/json-record.ts'
import type { CallRecord } from '../keys/call-record.ts'
import type { TraceParent } from './trace-context.ts'

/** A call of a model that has ended, as a span of a trace. */
export interface CallSpan extends TraceParent {
  readonly call: CallRecord
  /** What it was part of, where its client has a trace of its own. */
  readonly parentSpanId: string | undefined
}

/** What sends: the service, its version, and this process of it. */
export interface TelemetrySource {
  readonly service: string
  readonly instance: string
  /** What the conventions call each provider. */
  readonly providerNames: ReadonlyMap<string, string>
}

const scope = { name: 'wharf.gateway' }
const clientSpan = 3
const statusOfError = 2
const delta = 1

/** Upper ends of classes that the conventions recommend. */
const tokenBounds = [
  1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864,
]
const secondBounds = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]

/** The body that traces are sent with: one span a call, by the conventions for clients of models. */
export function tracesBody(spans: readonly CallSpan[], source: TelemetrySource): JsonRecord {
  const written = spans.map(({ call, traceId, spanId, parentSpanId }) => ({
    traceId,
    spanId,
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    name: `${operationOf(call)} ${call.model}`,
    kind: clientSpan,
    startTimeUnixNano: nano(call.atMs),
    endTimeUnixNano: nano(call.atMs + call.tookMs),
    attributes: attributesOf({
      ...sharedAttributes(call, source),
      'gen_ai.usage.input_tokens': inputTokens(call),
      'gen_ai.usage.output_tokens': call.tokens.output,
      'gen_ai.usage.cache_read.input_tokens': call.tokens.cacheRead,
      'gen_ai.usage.cache_creation.input_tokens': call.tokens.cacheWrite,
      'wharf.request.id': call.requestId,
    }),
    ...(errorOf(call) === undefined ? {} : { status: { code: statusOfError, message: errorOf(call) } }),
  }))
  return { resourceSpans: [{ resource: resourceOf(source), scopeSpans: [{ scope, spans: written }] }] }
}

/** The body that metrics are sent with: what these calls took, since the last ones were sent. */
export function metricsBody(
  spans: readonly CallSpan[],
  source: TelemetrySource,
  sinceMs: number,
  nowMs: number,
): JsonRecord {
  const calls = spans.map(({ call }) => call)
  const span = { startTimeUnixNano: nano(sinceMs), timeUnixNano: nano(nowMs) }
  const tokens = calls.flatMap((call) => {
    const shared = withoutError(sharedAttributes(call, source))
    const of = (type: string, value: number) => ({ attributes: { ...shared, 'gen_ai.token.type': type }, value })
    return call.outcome === 'refused' ? [] : [of('input', inputTokens(call)), of('output', call.tokens.output)]
  })
  const times = calls.map((call) => ({ attributes: sharedAttributes(call, source), value: call.tookMs / 1_000 }))
  const metrics = [
    { name: 'gen_ai.client.token.usage', unit: '{token}', histogram: histogramOf(tokens, tokenBounds, span) },
    { name: 'gen_ai.client.operation.duration', unit: 's', histogram: histogramOf(times, secondBounds, span) },
  ]
  return {
    resourceMetrics: [
      {
        resource: resourceOf(source),
        scopeMetrics: [{ scope, metrics: metrics.filter(({ histogram }) => histogram.dataPoints.length > 0) }],
      },
    ],
  }
}

type Attributes = Readonly<Record<string, string | number | undefined>>

interface Observed {
  readonly attributes: Attributes
  readonly value: number
}

function histogramOf(observed: readonly Observed[], bounds: readonly number[], span: JsonRecord) {
  const bySeries = Map.groupBy(observed, ({ attributes }) => JSON.stringify(attributes))
  const dataPoints = [...bySeries.values()].map((all) => {
    const counts = new Array<number>(bounds.length + 1).fill(0)
    for (const { value } of all) {
      const found = bounds.findIndex((bound) => value <= bound)
      const place = found < 0 ? bounds.length : found
      counts[place] = (counts[place] ?? 0) + 1
    }
    return {
      attributes: attributesOf(all[0]?.attributes ?? {}),
      ...span,
      count: String(all.length),
      sum: all.reduce((sum, { value }) => sum + value, 0),
      bucketCounts: counts.map(String),
      explicitBounds: bounds,
    }
  })
  return { aggregationTemporality: delta, dataPoints }
}

function sharedAttributes(call: CallRecord, { providerNames }: TelemetrySource): Attributes {
  return {
    'gen_ai.operation.name': operationOf(call),
    'gen_ai.provider.name': providerNames.get(call.provider) ?? call.provider,
    'gen_ai.request.model': call.model,
    'error.type': errorOf(call),
  }
}

function withoutError({ 'error.type': _, ...shared }: Attributes): Attributes {
  return shared
}

function operationOf({ route }: CallRecord): string {
  if (route === '/embeddings') return 'embeddings'
  return route === '/completions' ? 'text_completion' : 'chat'
}

/** A client that left is no error of the call. */
function errorOf({ outcome, code }: CallRecord): string | undefined {
  return outcome === 'failed' || outcome === 'refused' ? (code ?? outcome) : undefined
}

/** Reads and writes of a cache are input too, where the conventions count it. */
function inputTokens({ tokens }: CallRecord): number {
  return tokens.input + tokens.cacheRead + tokens.cacheWrite
}

function resourceOf({ service, instance }: TelemetrySource): JsonRecord {
  return { attributes: attributesOf({ 'service.name': service, 'service.instance.id': instance }) }
}

/** 64-bit numbers are texts in this form of JSON. */
function attributesOf(attributes: Attributes): readonly JsonRecord[] {
  return Object.entries(attributes).flatMap(([key, value]) => {
    if (value === undefined) return []
    return [{ key, value: typeof value === 'string' ? { stringValue: value } : { intValue: String(value) } }]
  })
}

function nano(ms: number): string {
  return `${Math.round(ms)}000000`
}
