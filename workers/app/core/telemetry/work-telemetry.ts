/** What a collector is told of requests and jobs: names, numbers and times, never whose they were or what they held. */
import { type Attributes, type EndedSpan, type ObservedMetric, spanKinds } from '#shared/telemetry/otlp-json.ts'
import type { TraceParent } from '#shared/telemetry/trace-context.ts'

interface EndedRequest {
  readonly kind: 'request'
  readonly method: string
  /** As it is declared, without what a caller puts into it. */
  readonly route: string
  readonly status: number
  readonly requestId: string
}

interface EndedJob {
  readonly kind: 'job'
  readonly name: string
  readonly scope: string
  /** Kind of the reason why it failed. */
  readonly failure: string | undefined
}

/** Work that has ended, with its time. */
export type EndedWork = (EndedRequest | EndedJob) & { readonly startMs: number; readonly tookMs: number }

/** The same, and its place in a trace. */
export type TracedWork = EndedWork & TraceParent & { readonly parentSpanId: string | undefined }

/** Upper ends of classes, in seconds: of requests as the conventions recommend them, of jobs up to ten minutes. */
const requestBounds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
const jobBounds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600]

export function workSpan(work: TracedWork): EndedSpan {
  const { traceId, spanId, parentSpanId, startMs, tookMs } = work
  const shared = { traceId, spanId, parentSpanId, startMs, tookMs, error: errorOf(work) }
  return work.kind === 'request'
    ? {
        ...shared,
        name: `${work.method} ${work.route}`,
        kind: spanKinds.server,
        attributes: { ...requestAttributes(work), 'wharf.request.id': work.requestId },
      }
    : { ...shared, name: `job ${work.name}`, kind: spanKinds.internal, attributes: jobAttributes(work) }
}

export function workMetrics(ended: readonly EndedWork[]): readonly ObservedMetric[] {
  const timesOf = <Kind extends EndedWork['kind']>(
    kind: Kind,
    attributes: (work: Extract<EndedWork, { kind: Kind }>) => Attributes,
  ) =>
    ended
      .filter((work): work is Extract<EndedWork, { kind: Kind }> => work.kind === kind)
      .map((work) => ({ attributes: attributes(work), value: work.tookMs / 1_000 }))
  return [
    {
      name: 'http.server.request.duration',
      unit: 's',
      bounds: requestBounds,
      observed: timesOf('request', requestAttributes),
    },
    { name: 'wharf.job.duration', unit: 's', bounds: jobBounds, observed: timesOf('job', jobAttributes) },
  ]
}

function requestAttributes(work: EndedRequest): Attributes {
  return {
    'http.request.method': work.method,
    'http.route': work.route,
    'http.response.status_code': work.status,
    'error.type': errorOf(work),
  }
}

function jobAttributes(work: EndedJob): Attributes {
  return { 'wharf.job.name': work.name, 'wharf.job.scope': work.scope, 'error.type': errorOf(work) }
}

/** What a caller did wrong is no error of the service. */
function errorOf(work: EndedRequest | EndedJob): string | undefined {
  if (work.kind === 'job') return work.failure
  return work.status >= 500 ? String(work.status) : undefined
}
