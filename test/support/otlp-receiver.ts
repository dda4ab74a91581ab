/**
 * A collector that takes OTLP over HTTP in its JSON form, as strict as the published mapping (opentelemetry-proto 1.x,
 * `trace.proto`, `metrics.proto`, and the rules for JSON in the OTLP specification): ids are lower-case hexadecimal, 64-bit
 * numbers are decimal texts, enumerations are numbers, members are in lowerCamelCase. The specification tells receivers to
 * pass over members they do not know; this one refuses them, because a sender that writes them believes in an effect.
 * Only what the gateway sends is here: spans and histograms.
 */

import { createServer } from 'node:http'
import { z } from 'zod'
import { endServer, listenToKept } from './loopback.ts'

const whole = z.string().regex(/^\d{1,20}$/)
const attributes = z
  .array(
    z.strictObject({
      key: z.string().min(1),
      value: z.union([z.strictObject({ stringValue: z.string() }), z.strictObject({ intValue: whole })]),
    }),
  )
  .refine((all) => new Set(all.map(({ key }) => key)).size === all.length, 'keys are unique')
const resource = z.strictObject({ attributes })
const scope = z.strictObject({ name: z.string(), version: z.string().optional() })
const spanId = z.string().regex(/^(?!0+$)[0-9a-f]{16}$/)
const span = z
  .strictObject({
    traceId: z.string().regex(/^(?!0+$)[0-9a-f]{32}$/),
    spanId,
    parentSpanId: spanId.optional(),
    name: z.string().min(1),
    kind: z.int().min(0).max(5),
    startTimeUnixNano: whole,
    endTimeUnixNano: whole,
    attributes,
    status: z.strictObject({ code: z.int().min(0).max(2), message: z.string().optional() }).optional(),
  })
  .refine((one) => BigInt(one.endTimeUnixNano) >= BigInt(one.startTimeUnixNano), 'a span ends after its start')
const traces = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({ resource, scopeSpans: z.array(z.strictObject({ scope, spans: z.array(span) })) }),
  ),
})
const point = z
  .strictObject({
    attributes,
    startTimeUnixNano: whole,
    timeUnixNano: whole,
    count: whole,
    sum: z.number(),
    bucketCounts: z.array(whole),
    explicitBounds: z.array(z.number()),
  })
  .refine((one) => one.bucketCounts.length === one.explicitBounds.length + 1, 'one class more than bounds')
  .refine((one) => one.bucketCounts.reduce((sum, count) => sum + Number(count), 0) === Number(one.count), 'counts')
  .refine((one) => BigInt(one.timeUnixNano) >= BigInt(one.startTimeUnixNano), 'a window ends after its start')
const metrics = z.strictObject({
  resourceMetrics: z.array(
    z.strictObject({
      resource,
      scopeMetrics: z.array(
        z.strictObject({
          scope,
          metrics: z.array(
            z.strictObject({
              name: z.string().min(1),
              unit: z.string(),
              histogram: z.strictObject({
                aggregationTemporality: z.int().min(1).max(2),
                dataPoints: z.array(point).min(1),
              }),
            }),
          ),
        }),
      ),
    }),
  ),
})

export interface OtlpReceiver {
  readonly url: string
  readonly traces: z.infer<typeof traces>[]
  readonly metrics: z.infer<typeof metrics>[]
  /** Why something was refused. */
  readonly faults: string[]
  /** Headers of what came last. */
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** What it answers from now on. */
  status: number
  close(): Promise<void>
}

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    receiver.headers = request.headers
    const fault = take(request.url ?? '', request.headers['content-type'], Buffer.concat(chunks).toString())
    if (fault !== undefined) receiver.faults.push(fault)
    response.writeHead(fault === undefined ? receiver.status : 400, { 'content-type': 'application/json' }).end('{}')
  })
  const take = (path: string, type: string | undefined, text: string): string | undefined => {
    if (type !== 'application/json') return `the type ${type}`
    if (path === '/v1/traces') return kept(traces.safeParse(JSON.parse(text)), receiver.traces)
    if (path === '/v1/metrics') return kept(metrics.safeParse(JSON.parse(text)), receiver.metrics)
    return `the path ${path}`
  }
  const address = await listenToKept(server)
  const receiver: OtlpReceiver = {
    url: `http://127.0.0.1:${address.port}`,
    traces: [],
    metrics: [],
    faults: [],
    headers: {},
    status: 200,
    close: () => endServer(server),
  }
  return receiver
}

function kept<T>(read: z.ZodSafeParseResult<T>, all: T[]): string | undefined {
  if (!read.success) return z.prettifyError(read.error)
  all.push(read.data)
  return undefined
}
