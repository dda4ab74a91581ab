/** What a machine that runs the gateway asks of it. */
import { describe, test } from 'vitest'
import { gatewayUnderTest, sonnet } from '../../support/gateway-under-test.ts'

const question = { model: sonnet, max_tokens: 50, messages: [{ role: 'user', content: 'hi' }] }

describe('metrics', () => {
  test('count requests, calls, tokens, cost and waits by model', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    await under.call('/chat/completions', { json: question })
    await (await under.call('/chat/completions', { json: { ...question, stream: true } })).text()
    await under.call('/chat/completions', { json: { ...question, model: 'no-such-model' } })
    const answer = await under.call('/metrics')
    const text = await answer.text()
    const labels = `provider="bedrock",model="${sonnet}"`

    expect(answer.headers.get('content-type')).toContain('version=0.0.4')
    expect(text).toContain('gateway_http_requests_total{route="/chat/completions",status="200"} 2\n')
    expect(text).toContain(`gateway_calls_total{${labels},outcome="answered"} 2\n`)
    expect(text).toMatch(new RegExp(`gateway_tokens_total\\{${labels},kind="output"\\} [1-9]`))
    expect(text).toMatch(new RegExp(`gateway_cost_dollars_total\\{${labels}\\} 0\\.0`))
    expect(text).toContain(`gateway_first_token_seconds_bucket{${labels},le="+Inf"} 1\n`)
    expect(text).toContain(`gateway_call_seconds_count{${labels}} 2\n`)
    expect(text).toContain('gateway_open_streams 0\n')
    // Every line is a comment or a sample.
    expect(
      text.split('\n').filter((line) => line !== '' && !/^(# (HELP|TYPE) |[a-z_]+(\{.*\})? [0-9.e+-]+$)/.test(line)),
    ).toEqual([])
  })

  test('are for the key of the settings alone', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    const key = (await (await under.call('/admin/keys', { json: { name: 'x' } })).json()) as { secret: string }

    expect((await under.call('/metrics', { headers: { authorization: 'Bearer wrong' } })).status).toBe(401)
    expect((await under.call('/metrics', { headers: { authorization: `Bearer ${key.secret}` } })).status).toBe(403)
  })
})

describe('readiness', () => {
  test('needs no key, and says that a request would be served', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    const answer = await under.call('/ready', { headers: { authorization: '' } })

    expect([answer.status, await answer.json()]).toEqual([200, { status: 'ready' }])
  })

  test.for([
    ['no key is set', { API_KEY: '' }],
    ['the list of models cannot be read', { AWS_ENDPOINT_URL: 'http://127.0.0.1:9', AWS_MAX_RETRY_ATTEMPTS: '1' }],
  ] as const)('is not there while %s', async ([, environment], { expect }) => {
    await using under = await gatewayUnderTest(environment)
    const answer = await under.call('/ready')

    expect(answer.status).toBe(503)
    expect((await under.call('/health')).status).toBe(200)
  })
})

test('the list of models tells limits, modalities and prices, with the day they are of', async ({ expect }) => {
  await using under = await gatewayUnderTest()
  const { data } = (await (await under.call('/models')).json()) as { data: { id: string }[] }
  const one = (await (await under.call(`/models/${sonnet}`)).json()) as object
  const listed = data.find(({ id }) => id === sonnet)

  expect(listed).toEqual(one)
  expect(one).toMatchObject({
    object: 'model',
    context_window: 200_000,
    max_output_tokens: 64_000,
    input_modalities: expect.arrayContaining(['text', 'image']),
    pricing: { currency: 'USD', per_million_tokens: { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 } },
  })
  expect(Object(one).pricing.dated).toMatch(/^\d{4}-\d{2}-\d{2}$/)
})
