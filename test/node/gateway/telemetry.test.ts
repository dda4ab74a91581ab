/** What a collector is told of calls, by OTLP. */
import { afterAll, beforeEach, describe, test } from 'vitest'
import { readTraceParent } from '../../../shared/telemetry/trace-context.ts'
import { callExporter } from '../../../workers/gateway/adapters/call-exporter.ts'
import { webRandom } from '../../../workers/gateway/adapters/edge-platform.ts'
import { noTokens } from '../../../workers/gateway/core/keys/call-record.ts'
import { telemetryBatchMs, telemetryWaitingMax } from '../../../workers/gateway/limits.ts'
import { readSettings } from '../../../workers/gateway/settings.ts'
import { startFakeBedrock } from '../../support/fake-bedrock.ts'
import { gatewayOnNode } from '../../support/gateway-on-node.ts'
import {
  environmentFor,
  type GatewayUnderTest,
  gatewayUnderTest,
  sonnet,
  testKey,
} from '../../support/gateway-under-test.ts'
import { startOtlpReceiver } from '../../support/otlp-receiver.ts'

const receiver = await startOtlpReceiver()
afterAll(() => receiver.close())
beforeEach(() => {
  receiver.traces.length = 0
  receiver.metrics.length = 0
  receiver.status = 200
})

const question = { model: sonnet, max_tokens: 50, messages: [{ role: 'user', content: 'hi' }] }
const client = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' }
const traceparent = `00-${client.traceId}-${client.spanId}-01`

/** A gateway that tells the collector whenever the test says so. */
async function telling(): Promise<{ readonly under: GatewayUnderTest; tell(): void }> {
  let due = Promise.withResolvers<void>()
  const under = await gatewayUnderTest(
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=a%20b, Authorization=Bearer%20t',
      OTEL_SERVICE_NAME: 'mine',
    },
    { timers: { sleep: (ms) => (ms === telemetryBatchMs ? due.promise : Promise.resolve()) } },
  )
  return {
    under,
    tell() {
      due.resolve()
      due = Promise.withResolvers()
    },
  }
}

const attributeOf = (attributes: readonly { key: string; value: object }[], key: string) =>
  Object.values(attributes.find((one) => one.key === key)?.value ?? {})[0]

describe('calls', () => {
  test('are told together, as spans of the client’s trace and as histograms', async ({ expect }) => {
    const { under, tell } = await telling()
    await using _ = under
    const headers = { traceparent }
    await (await under.call('/chat/completions', { json: question, headers })).text()
    await (await under.call('/chat/completions', { json: { ...question, stream: true } })).text()
    await (await under.call('/chat/completions', { json: { ...question, model: 'no-such-model' } })).text()
    expect(receiver.traces).toEqual([])
    tell()
    await expect.poll(() => [receiver.traces.length, receiver.metrics.length]).toEqual([1, 1])
    const [{ resource, scopeSpans } = { resource: { attributes: [] }, scopeSpans: [] }] =
      receiver.traces[0]?.resourceSpans ?? []
    const spans = scopeSpans.flatMap((scope) => scope.spans)

    expect(receiver.faults).toEqual([])
    expect(receiver.headers).toMatchObject({ 'x-tenant': 'a b', authorization: 'Bearer t' })
    expect(attributeOf(resource.attributes, 'service.name')).toBe('mine')
    expect(spans.map(({ name, kind, status }) => [name, kind, status?.code])).toEqual([
      [`chat ${sonnet}`, 3, undefined],
      [`chat ${sonnet}`, 3, undefined],
      ['chat no-such-model', 3, 2],
    ])
    expect(spans[0]).toMatchObject({ traceId: client.traceId, parentSpanId: client.spanId })
    expect(spans[1]?.parentSpanId).toBeUndefined()
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(3)
    const attributes = spans[0]?.attributes ?? []
    expect(
      ['gen_ai.operation.name', 'gen_ai.provider.name', 'gen_ai.request.model'].map((key) =>
        attributeOf(attributes, key),
      ),
    ).toEqual(['chat', 'aws.bedrock', sonnet])
    expect(Number(attributeOf(attributes, 'gen_ai.usage.output_tokens'))).toBeGreaterThan(0)
    expect(attributeOf(spans[2]?.attributes ?? [], 'error.type')).toBe('bad_request')
    const metrics = receiver.metrics[0]?.resourceMetrics[0]?.scopeMetrics[0]?.metrics ?? []
    expect(metrics.map(({ name, unit }) => [name, unit])).toEqual([
      ['gen_ai.client.token.usage', '{token}'],
      ['gen_ai.client.operation.duration', 's'],
    ])
    expect(metrics[1]?.histogram.dataPoints.map(({ count }) => count)).toEqual(['2', '1'])
    expect(JSON.stringify([receiver.traces, receiver.metrics])).not.toContain('You said')
  })

  test('that were not told yet are told when the process stops', async ({ expect }) => {
    const bedrock = await startFakeBedrock()
    const environment = { ...environmentFor(bedrock), OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url }
    const started = await gatewayOnNode(environment)
    const { url, stop } = started
    const answer = await fetch(`${url}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${testKey}` },
      body: JSON.stringify(question),
    })
    await answer.text()
    await stop()
    await bedrock.close()

    expect([answer.status, receiver.traces.length, receiver.metrics.length, receiver.faults]).toEqual([200, 1, 1, []])
  })

  test('wait for no collector, and what one does not take is said in the log', async ({ expect }) => {
    const { under, tell } = await telling()
    await using _ = under
    receiver.status = 503
    const answer = await under.call('/chat/completions', { json: question })
    tell()
    await expect
      .poll(() =>
        under.logs
          .filter(({ event }) => event === 'telemetry-refused')
          .map(({ path, status }) => `${path} ${status}`)
          .toSorted(),
      )
      // Both are told at once: which is answered first is nobody's promise.
      .toEqual(['/v1/metrics 503', '/v1/traces 503'])

    expect(answer.status).toBe(200)
  })

  test.for<readonly [more: number, lost: readonly number[]]>([
    [0, []],
    [1, [1]],
  ])('are kept up to a number, and counted beyond (%i more)', async ([more, lost], { expect }) => {
    const logs: Record<string, unknown>[] = []
    const sent: unknown[] = []
    const due = Promise.withResolvers<void>()
    const exporter = callExporter({
      settings: { address: 'http://collector.test', headers: {}, serviceName: 's' },
      providerNames: new Map(),
      async outgoing({ body }) {
        sent.push(JSON.parse(String(body)))
        return { status: 200, header: () => undefined, body: (async function* () {})() }
      },
      clock: { nowMs: () => 1 },
      random: webRandom,
      timers: { sleep: () => due.promise, every: () => () => {}, watch: () => () => {} },
      keepAlive: () => {},
      log: (entry) => void logs.push(entry),
    })
    const call = {
      requestId: 'r',
      atMs: 0,
      route: '/chat/completions',
      provider: 'bedrock',
      model: 'm',
      outcome: 'answered' as const,
      tokens: noTokens,
      isEstimated: false,
      tookMs: 1,
    }
    for (let number = 0; number < telemetryWaitingMax + more; number += 1) exporter.ended(call, undefined)
    due.resolve()
    await expect.poll(() => sent.length).toBe(2)

    expect(logs.map(({ calls }) => calls)).toEqual(lost)
    expect(JSON.stringify(sent[0]).match(/"spanId"/g)).toHaveLength(telemetryWaitingMax)
  })
})

test.for([
  [traceparent, client],
  [`01-${client.traceId}-${client.spanId}-00-more`, client],
  [`00-${client.traceId}-${client.spanId}-00-more`, undefined],
  [`ff-${client.traceId}-${client.spanId}-00`, undefined],
  [`00-${'0'.repeat(32)}-${client.spanId}-01`, undefined],
  [`00-${client.traceId}-${'0'.repeat(16)}-01`, undefined],
  [`00-${client.traceId.toUpperCase()}-${client.spanId}-01`, undefined],
  ['x', undefined],
  [undefined, undefined],
] as const)('the header %s is read as it is meant', ([header, read], { expect }) => {
  expect(readTraceParent(header)).toEqual(read)
})

test.for(['x', 'a=b,=c', 'a=%zz', 'a b=c'])('the headers %s stop the start', (headers, { expect }) => {
  expect(readSettings({ OTEL_EXPORTER_OTLP_HEADERS: headers })).toEqual({
    ok: false,
    failure: [{ setting: 'OTEL_EXPORTER_OTLP_HEADERS', must: 'headers' }],
  })
})
