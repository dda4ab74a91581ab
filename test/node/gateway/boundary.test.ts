import { describe, test } from 'vitest'
import { textSteps } from '../../../local/gateway/sandbox/provider-shapes.ts'
import { composeGateway } from '../../../workers/gateway/compose.ts'
import { requestBodyMs } from '../../../workers/gateway/limits.ts'
import {
  environmentFor,
  gatewayUnderTest,
  registries,
  sonnet,
  storageInMemory,
  testKey,
} from '../../support/gateway-under-test.ts'

const routes: readonly (readonly [method: string, path: string, other: string])[] = [
  ['POST', '/chat/completions', 'GET'],
  ['POST', '/completions', 'PUT'],
  ['POST', '/embeddings', 'GET'],
  ['GET', '/models', 'POST'],
  ['GET', '/models/some.model-v1:0', 'DELETE'],
]
const chat = { model: sonnet, messages: [{ role: 'user', content: 'hello' }] }

describe.each(routes)('%s %s', (method, path, other) => {
  test.for<[string, Record<string, string>]>([
    ['no key', {}],
    ['a wrong key', { authorization: 'Bearer wrong-key-0123456789abcd' }],
    ['a key of another length', { authorization: 'Bearer x' }],
    ['another scheme', { authorization: `Basic ${testKey}` }],
  ])('refuses %s with 401 and the error body', async ([_, headers], { expect }) => {
    await using under = await gatewayUnderTest()
    const answer = await under.gateway.fetch(new Request(`http://gateway.test/api/v1${path}`, { method, headers }))

    expect(answer.status).toBe(401)
    expect(await answer.json()).toEqual({
      error: { message: 'the API key is missing or wrong', type: 'invalid_request_error', code: 'unauthorized' },
    })
    expect(under.bedrock.calls).toEqual([])
  })

  test('answers another method with 405 and the error body', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    const answer = await under.call(path, { method: other })

    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toContain(method)
    expect(await answer.json()).toMatchObject({ error: { code: 'method_not_allowed', type: 'invalid_request_error' } })
  })

  test('answers a preflight without a key, from any origin', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    const answer = await under.gateway.fetch(
      new Request(`http://gateway.test/api/v1${path}`, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://anywhere.example',
          'access-control-request-method': method,
          'access-control-request-headers': 'authorization, x-stainless-os',
        },
      }),
    )

    expect(answer.status).toBe(204)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-allow-headers')).toBe('authorization, x-stainless-os')
    expect(answer.headers.get('access-control-allow-methods')).toContain(method)
  })
})

test('an answer may be read by a page of any origin', async ({ expect }) => {
  await using under = await gatewayUnderTest()
  const answer = await under.call('/models', { headers: { origin: 'https://anywhere.example' } })

  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
})

test('health answers OK without a key, also when the provider cannot be reached', async ({ expect }) => {
  const gateway = composeGateway(environmentFor({ url: 'http://127.0.0.1:9' }), {
    registries,
    ...storageInMemory(),
    log: () => {},
  })
  const answer = await gateway.fetch(new Request('http://gateway.test/api/v1/health'))

  expect([answer.status, await answer.text()]).toEqual([200, 'OK'])
})

test('health takes no other method', async ({ expect }) => {
  await using under = await gatewayUnderTest()

  expect((await under.call('/health', { method: 'POST' })).status).toBe(405)
})

test('an unknown route answers 404 in the error shape', async ({ expect }) => {
  await using under = await gatewayUnderTest()
  const answer = await under.call('/assistants')

  expect(answer.status).toBe(404)
  expect(await answer.json()).toMatchObject({ error: { code: 'not_found', type: 'invalid_request_error' } })
})

test('API_ROUTE_PREFIX moves every route', async ({ expect }) => {
  await using under = await gatewayUnderTest({ API_ROUTE_PREFIX: '/v1' })
  const headers = { authorization: `Bearer ${testKey}` }
  const ask = (path: string, init: RequestInit = {}) =>
    under.gateway.fetch(new Request(`http://gateway.test${path}`, { headers, ...init }))

  expect((await ask('/v1/health')).status).toBe(200)
  expect((await ask('/v1/models')).status).toBe(200)
  expect((await ask(`/v1/models/${encodeURIComponent(sonnet)}`)).status).toBe(200)
  expect((await ask('/v1/chat/completions', { method: 'POST', body: JSON.stringify(chat) })).status).toBe(200)
  expect((await ask('/api/v1/health')).status).toBe(404)
})

describe('request id', () => {
  test('the one the client sent comes back and is in every log line of the request', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    under.bedrock.next({ status: 429, error: 'ThrottlingException', message: 'slow down' })
    await under.call('/models')
    under.logs.length = 0
    const answer = await under.call('/chat/completions', { json: chat, headers: { 'x-request-id': 'mine-42' } })

    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-request-id')).toBe('mine-42')
    expect(under.logs.map((entry) => entry['requestId'])).toEqual(['mine-42'])
  })

  test('one is made when the client sends none, also on refusals', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    const answer = await under.gateway.fetch(new Request('http://gateway.test/api/v1/models'))

    expect(answer.headers.get('x-request-id')).toMatch(/^req-[0-9a-f]{16}$/)
  })

  test('a retry is logged with it too', async ({ expect }) => {
    await using under = await gatewayUnderTest({ LOG_LEVEL: 'debug' })
    under.bedrock.next({ status: 429, error: 'ThrottlingException', message: 'slow down' })
    await under.call('/chat/completions', { json: chat, headers: { 'x-request-id': 'mine-43' } })

    const mine = under.logs.filter((entry) => entry['requestId'] === 'mine-43')
    expect(mine.map((entry) => entry['event'])).toEqual(['provider-retry', 'request'])
  })
})

describe('a log line', () => {
  test('says which route answered what, and why it failed, but not what was asked', async ({ expect }) => {
    await using under = await gatewayUnderTest({
      // Nobody listens there.
      AWS_ENDPOINT_URL_BEDROCK_RUNTIME: 'http://127.0.0.1:1/',
      AWS_MAX_RETRY_ATTEMPTS: '1',
    })
    await under.call('/health')
    await under.call('/models/private%2Fname')
    await under.call('/chat/completions', { json: chat })
    await under.call('/private/path')

    const lines = under.logs.filter((entry) => entry['event'] === 'request')
    expect(lines).toMatchObject([
      { level: 'info', method: 'GET', route: '/health', status: 200 },
      { level: 'info', method: 'GET', route: '/models/:id{.+}', status: 400, code: 'bad_request' },
      {
        level: 'error',
        method: 'POST',
        route: '/chat/completions',
        status: 502,
        code: 'upstream_error',
        cause: expect.stringMatching(/bad port|ECONNREFUSED/),
      },
      { level: 'info', method: 'GET', status: 404, code: 'not_found' },
    ])
    expect(JSON.stringify(lines)).not.toContain('private')
  })

  test('says why a stream failed', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    const begun = Promise.withResolvers<void>()
    under.bedrock.next({ steps: [...textSteps(['Hel', 'lo']).slice(0, 2), { gate: begun.promise }, { cut: true }] })
    const reader = (await under.call('/chat/completions', { json: { ...chat, stream: true } })).body?.getReader()
    await reader?.read()
    begun.resolve()
    while ((await reader?.read())?.done === false);

    expect(under.logs.find((entry) => entry['event'] === 'stream-failed')).toMatchObject({
      level: 'warn',
      code: 'upstream_error',
      cause: expect.stringMatching(/terminated/),
    })
  })

  test.for([
    ['at its bound', 128, 'r'.repeat(128)],
    ['past its bound', 129, `${'r'.repeat(128)}…`],
  ] as const)('holds a request id %s as it should, on every line', async ([_, length, logged], { expect }) => {
    await using under = await gatewayUnderTest({ LOG_LEVEL: 'debug' })
    under.bedrock.next({ status: 429, error: 'ThrottlingException', message: 'slow down' })
    await under.call('/models')
    under.logs.length = 0
    const sent = 'r'.repeat(length)
    const answer = await under.call('/chat/completions', { json: chat, headers: { 'x-request-id': sent } })

    expect(answer.headers.get('x-request-id')).toBe(sent)
    expect(under.logs.map((entry) => entry['requestId'])).toEqual([logged, logged])
  })
})

describe('body', () => {
  const withLength = (bytes: number) => {
    const empty = JSON.stringify({ ...chat, padding: '' })
    return JSON.stringify({ ...chat, padding: 'x'.repeat(bytes - empty.length) })
  }

  test.for<[string, boolean]>([
    ['declared', true],
    ['not declared', false],
  ])('one byte over the limit is refused with 413 when its length is %s', async ([_, isDeclared], { expect }) => {
    await using under = await gatewayUnderTest({ MAX_BODY_SIZE_MB: '1' })
    const body = withLength(1_048_577)
    const answer = await under.call('/chat/completions', {
      method: 'POST',
      headers: isDeclared ? { 'content-length': String(body.length) } : {},
      body: new Blob([body]).stream(),
      duplex: 'half',
    } as RequestInit)

    expect(answer.status).toBe(413)
    expect(await answer.json()).toMatchObject({ error: { code: 'request_too_large', type: 'invalid_request_error' } })
  })

  test('a body at the limit is served', async ({ expect }) => {
    await using under = await gatewayUnderTest({ MAX_BODY_SIZE_MB: '1' })
    const answer = await under.call('/chat/completions', { method: 'POST', body: withLength(1_048_576) })

    expect(answer.status).toBe(200)
  })

  test('the limit is 20 MiB when nothing is set', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    const limit = 20 * 1_048_576

    expect((await under.call('/chat/completions', { method: 'POST', body: withLength(limit) })).status).toBe(200)
    expect((await under.call('/chat/completions', { method: 'POST', body: withLength(limit + 1) })).status).toBe(413)
  })

  test.for([
    ['no body', ''],
    ['text', 'hello'],
    ['a list', '[]'],
    ['cut JSON', '{"model":'],
    ['a nesting bomb', '['.repeat(200)],
    ['no messages', '{"model":"a.b"}'],
    ['an empty list of messages', '{"messages":[]}'],
    ['an unknown role', '{"messages":[{"role":"judge","content":"x"}]}'],
    ['an unknown part', '{"messages":[{"role":"user","content":[{"type":"video","video":"x"}]}]}'],
    ['a temperature that is text', '{"messages":[{"role":"user","content":"x"}],"temperature":"hot"}'],
    ['an output limit of 0', '{"messages":[{"role":"user","content":"x"}],"max_tokens":0}'],
  ] as const)('%s is answered 400 bad_request', async ([_, body], { expect }) => {
    await using under = await gatewayUnderTest()
    const answer = await under.call('/chat/completions', { method: 'POST', body })

    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: { code: 'bad_request', type: 'invalid_request_error' } })
    expect(under.bedrock.callsOf('converse')).toEqual([])
  })

  test('a body that does not come in its time is given up, and what it held is free', async ({ expect }) => {
    const waiting = new Set<() => void>()
    const every = (ms: number, task: () => void) => {
      if (ms === requestBodyMs) waiting.add(task)
      return () => waiting.delete(task)
    }
    await using under = await gatewayUnderTest({}, { timers: { every }, bodiesInFlightBytesMax: 1 })
    const stalled = new ReadableStream<Uint8Array>({ start: (sink) => sink.enqueue(new TextEncoder().encode('{"mod')) })
    const asked = under.call('/chat/completions', {
      method: 'POST',
      body: stalled,
      duplex: 'half',
    } as RequestInit)
    await expect.poll(() => waiting.size).toBe(1)
    for (const isOver of waiting) isOver()
    const answer = await asked

    expect(answer.status).toBe(408)
    expect(await answer.json()).toEqual({
      error: {
        message: 'the request was not complete in time',
        type: 'invalid_request_error',
        code: 'request_timeout',
      },
    })
    expect(waiting.size).toBe(0)
    expect((await under.call('/chat/completions', { json: chat })).status).toBe(200)
  })

  test('bodies held at once are bounded', async ({ expect }) => {
    await using under = await gatewayUnderTest({}, { bodiesInFlightBytesMax: 200 })
    let release = () => {}
    under.bedrock.next({ hang: new Promise<void>((resolve) => (release = resolve)) })
    const first = under.call('/chat/completions', {
      method: 'POST',
      body: withLength(150),
      headers: { 'content-length': '150' },
    })
    await expect.poll(() => under.bedrock.callsOf('converse').length).toBe(1)
    const second = await under.call('/chat/completions', {
      method: 'POST',
      body: withLength(150),
      headers: { 'content-length': '150' },
    })
    under.bedrock.next({ json: {} })
    release()
    await first

    expect(second.status).toBe(429)
    expect(second.headers.get('retry-after')).toBe('1')
  })
})

describe('a gateway that is not configured', () => {
  test('answers 503 not_configured on every route but health, and does not start', async ({ expect }) => {
    const { API_KEY: _, ...environment } = environmentFor({ url: 'http://127.0.0.1:9' })
    const gateway = composeGateway(environment, { registries, ...storageInMemory(), log: () => {} })
    const answer = await gateway.fetch(
      new Request('http://gateway.test/api/v1/models', { headers: { authorization: 'Bearer ' } }),
    )

    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({ error: { code: 'not_configured', type: 'api_error' } })
    expect((await gateway.fetch(new Request('http://gateway.test/api/v1/health'))).status).toBe(200)
    expect(await gateway.start()).toMatchObject({ ok: false })
  })

  test('makes a request id also for a client that sends an empty one', async ({ expect }) => {
    const gateway = composeGateway({ LOG_LEVEL: 'loud' }, { registries, ...storageInMemory(), log: () => {} })
    const answer = await gateway.fetch(
      new Request('http://gateway.test/api/v1/models', { headers: { 'x-request-id': '' } }),
    )

    expect(answer.headers.get('x-request-id')).toMatch(/^req-[0-9a-f]{16}$/)
  })

  test.for([
    ['MAX_BODY_SIZE_MB', 'twenty'],
    ['MAX_BODY_SIZE_MB', '0'],
    ['MODEL_CATALOG_REFRESH_SECS', '-1'],
    ['API_ROUTE_PREFIX', 'no-slash'],
    ['DISABLE_MANTLE', 'perhaps'],
    ['LOG_LEVEL', 'loud'],
    ['PROMPT_CACHE_TTL', '2h'],
    ['AWS_ENDPOINT_URL', 'ftp://example.org'],
    ['AWS_REGION', 'moon'],
    ['CHAT_REASONING_CAPSULE_ENABLED', 'true'],
  ] as const)('names the setting %s that cannot be read, never its value (%s)', async ([name, value], { expect }) => {
    const gateway = composeGateway(
      { ...environmentFor({ url: 'http://127.0.0.1:9' }), [name]: value },
      { registries, ...storageInMemory(), log: () => {} },
    )
    const started = await gateway.start()
    const answer = await gateway.fetch(new Request('http://gateway.test/api/v1/models'))
    const text = await answer.text()

    expect(started).toMatchObject({ ok: false })
    expect(answer.status).toBe(503)
    expect(text).toContain(name.replace('_ENABLED', ''))
    expect(text).not.toContain(`"${value}"`)
  })
})
