/** What a collector is told of the service's own requests and jobs, by a host with a collector named and by one without. */
import { afterAll, beforeAll, describe, test } from 'vitest'
import { consoleSite } from '../../support/console-site.ts'
import { type OtlpReceiver, startOtlpReceiver } from '../../support/otlp-receiver.ts'
import { ownerOf, type RunningWharf, startWharf, temporaryFolder } from '../../support/running-wharf.ts'

const client = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' }
const secret = 'token-of-the-collector'

describe('a service whose owner names a collector', () => {
  let receiver: OtlpReceiver
  const folder = temporaryFolder()
  let wharf: RunningWharf
  beforeAll(async () => {
    receiver = await startOtlpReceiver()
    wharf = await startWharf(folder.path, [], {
      OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${secret}`,
    })
  })
  afterAll(async () => {
    await wharf?.stop()
    await receiver.close()
    folder.remove()
  })

  const spansOf = () =>
    receiver.traces
      .flatMap(({ resourceSpans }) => resourceSpans)
      .flatMap(({ resource, scopeSpans }) =>
        scopeSpans.flatMap(({ scope, spans }) => spans.map((span) => ({ ...span, scope: scope.name, resource }))),
      )
  const metricsOf = () =>
    receiver.metrics
      .flatMap(({ resourceMetrics }) => resourceMetrics)
      .flatMap(({ scopeMetrics }) => scopeMetrics)
      .flatMap(({ metrics }) => metrics)
  const attributeOf = (attributes: readonly { key: string; value: object }[], key: string) =>
    Object.values(attributes.find((one) => one.key === key)?.value ?? {})[0]

  test('tells it of each request, as part of its caller’s trace, and of jobs', async ({ expect }) => {
    const path = '/api/app/v1/torrents/of-mine?q=private'
    const answer = await fetch(`${wharf.origin}${path}`, {
      headers: { traceparent: `00-${client.traceId}-${client.spanId}-01`, 'x-request-id': 'req-of-mine' },
    })
    const meta = await fetch(`${wharf.origin}/api/app/v1/meta`, { headers: { authorization: 'Bearer wrong-secret' } })
    await answer.text()
    await meta.text()
    const owner = await ownerOf(wharf)
    const site = consoleSite('lantern', 'nexusphp', 'http://127.0.0.1:9', { cookie: 'c_secure_pass=of-a-site' })
    await wharf.request('POST', '/api/console/v1/sites', owner, site)
    const find = (name: RegExp) => spansOf().find((span) => name.test(span.name))
    await expect.poll(() => find(/\/meta$/), { timeout: 20_000 }).toBeDefined()
    await expect.poll(() => find(/^job statistics$/), { timeout: 30_000 }).toBeDefined()
    const measured = () => new Set(metricsOf().map(({ name, unit }) => `${name} ${unit}`))
    await expect
      .poll(measured, { timeout: 20_000 })
      .toEqual(new Set(['http.server.request.duration s', 'wharf.job.duration s']))
    const [mine, asked, job] = [
      spansOf().find(({ traceId }) => traceId === client.traceId),
      find(/\/meta$/),
      find(/^job statistics$/),
    ]

    expect(receiver.faults).toEqual([])
    expect(receiver.headers['authorization']).toBe(`Bearer ${secret}`)
    expect(mine).toMatchObject({ parentSpanId: client.spanId, kind: 2, scope: 'wharf.app' })
    expect(attributeOf(mine?.attributes ?? [], 'wharf.request.id')).toBe('req-of-mine')
    expect(asked?.parentSpanId).toBeUndefined()
    expect(attributeOf(asked?.resource.attributes ?? [], 'service.name')).toBe('wharf')
    expect(attributeOf(asked?.attributes ?? [], 'http.response.status_code')).toBe('401')
    expect(asked?.status).toBeUndefined()
    expect(job).toMatchObject({ name: 'job statistics', kind: 1, status: { code: 2 } })
    expect(attributeOf(job?.attributes ?? [], 'wharf.job.scope')).toBe('site')
    const all = JSON.stringify([receiver.traces, receiver.metrics])
    for (const word of [secret, 'wrong-secret', 'private', 'of-mine?', 'of-a-site', 'lantern'])
      expect(all).not.toContain(word)
  })

  test('waits for none, and says what one does not take', async ({ expect }) => {
    receiver.status = 503
    const answer = await fetch(`${wharf.origin}/api/app/v1/meta`)
    await answer.text()
    await expect
      .poll(() => wharf.said().split('"telemetry_refused"').length - 1, { timeout: 20_000 })
      .toBeGreaterThanOrEqual(2)

    expect(answer.status).toBe(401)
    expect(wharf.said()).not.toContain(secret)
  })
})
