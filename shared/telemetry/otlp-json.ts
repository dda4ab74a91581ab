/** What a collector takes in the JSON form of OTLP: spans, and histograms of what was added since the last ones. */
import type { JsonRecord } from '../kernel/json-record.ts'
import type { TraceParent } from './trace-context.ts'

/** What sends: the service, this instance of it, and which part of it measured. */
export interface TelemetrySource {
  readonly service: string
  readonly instance: string
  readonly scope: string
}

export type Attributes = Readonly<Record<string, string | number | undefined>>

export const spanKinds = { internal: 1, server: 2, client: 3 } as const

/** Something that has ended. */
export interface EndedSpan extends TraceParent {
  /** What it was part of, where its caller has a trace of its own. */
  readonly parentSpanId: string | undefined
  readonly name: string
  readonly kind: (typeof spanKinds)[keyof typeof spanKinds]
  readonly startMs: number
  readonly tookMs: number
  readonly attributes: Attributes
  readonly error: string | undefined
}

/** One number, and of which series it is. */
export interface Observed {
  readonly attributes: Attributes
  readonly value: number
}

export interface ObservedMetric {
  readonly name: string
  readonly unit: string
  /** Upper ends of classes. */
  readonly bounds: readonly number[]
  readonly observed: readonly Observed[]
}

const statusOfError = 2
const delta = 1

export function tracesBody(spans: readonly EndedSpan[], source: TelemetrySource): JsonRecord {
  const written = spans.map(({ traceId, spanId, parentSpanId, name, kind, startMs, tookMs, attributes, error }) => ({
    traceId,
    spanId,
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    name,
    kind,
    startTimeUnixNano: nano(startMs),
    endTimeUnixNano: nano(startMs + tookMs),
    attributes: attributesOf(attributes),
    ...(error === undefined ? {} : { status: { code: statusOfError, message: error } }),
  }))
  return { resourceSpans: [{ resource: resourceOf(source), scopeSpans: [{ scope: scopeOf(source), spans: written }] }] }
}

export function metricsBody(
  measured: readonly ObservedMetric[],
  source: TelemetrySource,
  sinceMs: number,
  nowMs: number,
): JsonRecord {
  const span = { startTimeUnixNano: nano(sinceMs), timeUnixNano: nano(nowMs) }
  const metrics = measured
    .filter(({ observed }) => observed.length > 0)
    .map(({ name, unit, bounds, observed }) => ({ name, unit, histogram: histogramOf(observed, bounds, span) }))
  return {
    resourceMetrics: [{ resource: resourceOf(source), scopeMetrics: [{ scope: scopeOf(source), metrics }] }],
  }
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

function resourceOf({ service, instance }: TelemetrySource): JsonRecord {
  return { attributes: attributesOf({ 'service.name': service, 'service.instance.id': instance }) }
}

function scopeOf({ scope }: TelemetrySource): JsonRecord {
  return { name: scope }
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
