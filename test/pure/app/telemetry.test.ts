import { describe, test } from 'vitest'
import { telemetrySettings, workExporter } from '../../../workers/app/adapters/work-exporter.ts'
import type { EndedWork } from '../../../workers/app/core/telemetry/work-telemetry.ts'
import { telemetryWaitingMax } from '../../../workers/app/limits.ts'

const OTEL_EXPORTER_OTLP_ENDPOINT = 'https://collector.example:4318/'

describe('a collector', () => {
  test('is none unless the owner names one', ({ expect }) => {
    expect([telemetrySettings({}), telemetrySettings({ OTEL_EXPORTER_OTLP_ENDPOINT: ' ' })]).toEqual(['off', 'off'])
    expect(
      telemetrySettings({
        OTEL_EXPORTER_OTLP_ENDPOINT,
        OTEL_EXPORTER_OTLP_HEADERS: 'a=b%20c',
        OTEL_SERVICE_NAME: 'mine',
      }),
    ).toEqual({ address: 'https://collector.example:4318', headers: { a: 'b c' }, serviceName: 'mine' })
    expect(telemetrySettings({ OTEL_EXPORTER_OTLP_ENDPOINT })).toMatchObject({ headers: {}, serviceName: 'wharf' })
  })

  test.for([
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'ftp://collector.example' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://me:secret@collector.example' },
    { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS: 'no pair' },
  ])('is told nothing where %o cannot be read', (texts, { expect }) => {
    expect(telemetrySettings(texts)).toBe('unreadable')
  })
})

const request: EndedWork = {
  kind: 'request',
  method: 'GET',
  route: '/api/app/v1/sites',
  status: 500,
  requestId: 'r',
  startMs: 1_000,
  tookMs: 20,
}
const job: EndedWork = {
  kind: 'job',
  name: 'probe',
  scope: 'site',
  failure: 'site.silent',
  startMs: 1_000,
  tookMs: 700_000,
}

function exporting() {
  const due = Promise.withResolvers<void>()
  const sent: { readonly url: string; readonly body: string }[] = []
  const said: unknown[] = []
  const telemetry = workExporter({
    settings: { address: 'http://collector.test', headers: {}, serviceName: 's' },
    clock: { nowMs: () => 2_000 },
    logger: { info() {}, error: (event, facts) => void said.push([event, facts]) },
    background: { run: (work) => void work },
    async fetch(url, init) {
      sent.push({ url: String(url), body: String(init?.body) })
      return new Response(null, { status: 200 })
    },
    wait: () => due.promise,
  })
  return { telemetry, sent, said, tell: () => due.resolve() }
}

describe('what is told', () => {
  test('says what failed by its kind, and what is slower than every class', async ({ expect }) => {
    const { telemetry, sent, tell } = exporting()
    telemetry.ended(request)
    telemetry.ended(job)
    tell()
    await expect.poll(() => sent.length).toBe(2)
    const bodyOf = (end: string) => JSON.parse(sent.find(({ url }) => url.endsWith(end))?.body ?? '')
    const { spans } = bodyOf('/v1/traces').resourceSpans[0].scopeSpans[0]
    const { metrics } = bodyOf('/v1/metrics').resourceMetrics[0].scopeMetrics[0]

    expect(spans).toMatchObject([
      { name: 'GET /api/app/v1/sites', kind: 2, status: { code: 2, message: '500' } },
      { name: 'job probe', kind: 1, status: { code: 2, message: 'site.silent' } },
    ])
    expect(metrics[1].histogram.dataPoints[0]).toMatchObject({ count: '1', sum: 700 })
    expect(metrics[1].histogram.dataPoints[0].bucketCounts.at(-1)).toBe('1')
  })

  test.for<readonly [more: number, lost: readonly unknown[]]>([
    [0, []],
    [1, [['telemetry_lost', { count: 1 }]]],
  ])('waits up to a number, and is counted beyond (%i more)', async ([more, lost], { expect }) => {
    const { telemetry, sent, said, tell } = exporting()
    for (let count = 0; count < telemetryWaitingMax + more; count += 1) telemetry.ended(request)
    tell()
    await expect.poll(() => sent.length).toBe(2)

    expect(said).toEqual(lost)
    expect(sent[0]?.body.match(/"spanId"/g)).toHaveLength(telemetryWaitingMax)
  })
})
