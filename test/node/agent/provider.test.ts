import { once } from 'node:events'
import { chmod, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { describe, test } from 'vitest'
import { modelListBytesMax } from '../../../local/agent/limits.ts'
import { startTestServer, type TestServer } from '../../support/agent-server.ts'
import { type Dialect, startFakeProvider } from '../../support/fake-providers.ts'
import { endServer, listenOnLoopback } from '../../support/loopback.ts'

const canary = 'sk-canary-0815'
const priced = { context: 100_000, output: 1_234, cost: { input: 1, output: 10, cacheRead: 0.1, cacheWrite: 2 } }

async function turnWith(dialect: Dialect) {
  const provider = await startFakeProvider(dialect)
  const server = await startTestServer({
    config: {
      model: 'own/some-model',
      provider: {
        own: {
          package: `@ai-sdk/${dialect}`,
          baseURL: provider.url,
          apiKey: canary,
          headers: { 'x-team': 'plum' },
          models: { 'some-model': priced },
        },
      },
    },
    // A key of the environment must not reach an address that has its own.
    environment: { PATH: process.env['PATH'] ?? '', OPENAI_API_KEY: 'wrong', ANTHROPIC_API_KEY: 'wrong' },
  })
  await server.write('note.txt', 'x')
  const session = await server.firstTurn('What is there?')
  const messages = await server.messages(session)
  const record = (await server.send('GET', `/api/session/${session}`)).body.data
  const shown = await Promise.all(
    ['provider', 'model', 'integration', `session/${session}/history`].map((route) =>
      server.send('GET', `/api/${route}`),
    ),
  )
  await server.close()
  await provider.close()
  return { requests: provider.requests, messages, record, shown: shown.map((answer) => answer.text).join('\n') }
}

describe('a turn with a tool reaches a provider', () => {
  const cached = { input: 60, output: 15, reasoning: 5, cache: { read: 40, write: 0 } }
  const cost = (60 + 20 * 10 + 40 * 0.1) / 1_000_000
  test.for([
    ['openai', 'authorization', `Bearer ${canary}`, '/v1/responses', cached, cost],
    [
      'anthropic',
      'x-api-key',
      canary,
      '/v1/messages',
      { input: 60, output: 20, reasoning: 0, cache: { read: 30, write: 10 } },
      (60 + 20 * 10 + 30 * 0.1 + 10 * 2) / 1_000_000,
    ],
    ['google', 'x-goog-api-key', canary, '/v1/models/some-model:streamGenerateContent?alt=sse', cached, cost],
  ] as const)(
    'that speaks %s, with its key where it belongs and its tokens and cost counted',
    async ([dialect, header, value, target, tokens, stepCost], { expect }) => {
      const { requests, messages, record, shown } = await turnWith(dialect)

      expect(messages).toMatchObject([
        { type: 'user' },
        { finish: 'tool-calls', content: [{ type: 'tool', name: 'list', state: { status: 'completed' } }], tokens },
        { finish: 'stop', content: [{ type: 'text', text: 'Done' }], tokens },
      ])
      expect(record.cost).toBeCloseTo(2 * stepCost, 12)
      expect(record.tokens.cache).toEqual({ read: 2 * tokens.cache.read, write: 2 * tokens.cache.write })
      expect(requests.map((request) => request.path)).toEqual([target, target])
      for (const { headers } of requests) {
        expect(headers[header]).toBe(value)
        expect(headers['x-team']).toBe('plum')
        expect(JSON.stringify(headers)).not.toContain('wrong')
      }
      expect(JSON.stringify(requests[1]?.body)).toContain('note.txt')
      expect(shown).not.toContain(canary)
    },
  )

  test('of which one signs its calls, and gets the signature back with the outcome', async ({ expect }) => {
    const { requests } = await turnWith('google')
    expect(JSON.stringify(requests[1]?.body.contents)).toContain('"thoughtSignature":"c2lnbmF0dXJl"')
  })

  test('of which one keeps nothing, and one is asked to cache and told how long an answer may be', async ({
    expect,
  }) => {
    const openai = await turnWith('openai')
    expect(openai.requests.map((request) => request.body.store)).toEqual([false, false])
    const anthropic = await turnWith('anthropic')
    expect(anthropic.requests[0]?.body).toMatchObject({ max_tokens: 1_234 })
    expect(JSON.stringify(anthropic.requests[0]?.body)).toContain('"cache_control":{"type":"ephemeral"}')
  })
})

describe('the catalogue', () => {
  const withKey = (environment: Record<string, string>, config: Record<string, unknown> = {}) =>
    startTestServer({ config, environment: { PATH: process.env['PATH'] ?? '', ...environment } })
  const withListing = async (spoken: string, answer: (response: ServerResponse, request: IncomingMessage) => void) => {
    const asked: IncomingMessage[] = []
    const provider = createServer((request, response) => {
      asked.push(request)
      answer(response, request)
    })
    const baseURL = `${(await listenOnLoopback(provider)).url}/v1`
    const server = await withKey(
      {},
      { model: 'own/some', provider: { own: { package: spoken, baseURL, apiKey: canary } } },
    )
    const close = async () => {
      await server.close()
      await endServer(provider)
    }
    return { server, asked, close }
  }
  const modelsOf = async (server: TestServer) => (await server.send('GET', '/api/model')).body.data

  test('has interface, limits and prices of models whose provider cannot be asked from the price list', async ({
    expect,
  }) => {
    const server = await withKey({ ANTHROPIC_API_KEY: canary })
    const models = await modelsOf(server)

    expect(models.find((model: { id: string }) => model.id === 'claude-sonnet-4-5')).toMatchObject({
      providerID: 'anthropic',
      api: { package: '@ai-sdk/anthropic', url: 'https://api.anthropic.com/v1' },
      capabilities: { tools: true, input: ['text', 'image', 'pdf'] },
      cost: [{ input: 3, output: 15, cache: { read: 0.3, write: 3.75 } }],
      limit: { context: 200_000, output: 64_000 },
    })
    await server.close()
  })

  test.for([
    [
      '@ai-sdk/openai-compatible',
      { data: [{ id: 'big', context_window: 9_000, max_output_tokens: 700 }, { id: 'text-embedding-3' }] },
      '/v1/models',
      'authorization',
      `Bearer ${canary}`,
      { context: 9_000, output: 700 },
    ],
    [
      '@ai-sdk/anthropic',
      { data: [{ id: 'big', created_at: '2026-01-02T00:00:00Z', max_input_tokens: 9_000 }], has_more: false },
      '/v1/models?limit=1000',
      'x-api-key',
      canary,
      { context: 9_000, output: 8_192 },
    ],
    [
      '@ai-sdk/google',
      {
        models: [{ name: 'models/big', inputTokenLimit: 9_000, supportedGenerationMethods: ['generateContent'] }],
      },
      '/v1/models?pageSize=1000',
      'x-goog-api-key',
      canary,
      { context: 9_000, output: 8_192 },
    ],
  ] as const)(
    'is what a provider of %s lists, asked once',
    async ([spoken, list, target, header, value, limit], { expect }) => {
      const { server, asked, close } = await withListing(spoken, (response) => response.end(JSON.stringify(list)))
      const models = await modelsOf(server)
      await modelsOf(server)

      expect(models.filter((model: { providerID: string }) => model.providerID === 'own')).toMatchObject([
        { id: 'big', limit },
      ])
      expect(asked.map(({ url }) => url)).toEqual([target])
      expect(asked[0]?.headers[header]).toBe(value)
      await close()
    },
  )

  test.for<[string, (response: ServerResponse) => void]>([
    ['refused', (response) => response.writeHead(401).end('{"data":[{"id":"big"}]}')],
    ['sent elsewhere', (response) => response.writeHead(307, { location: '/v1/other' }).end()],
    ['no list', (response) => response.end('{"data":{}}')],
    ['not JSON', (response) => response.end('<html>')],
    [
      'longer than any list',
      (response) => response.end(`{"data":[{"id":"big"}],"x":"${'x'.repeat(modelListBytesMax)}"}`),
    ],
  ])('is without models of a provider whose list is %s', async ([, answer], { expect }) => {
    const { server, asked, close } = await withListing('@ai-sdk/openai-compatible', answer)
    const models = await modelsOf(server)
    expect(models.filter((model: { providerID: string }) => model.providerID === 'own')).toEqual([])
    expect(asked).toHaveLength(1)
    await close()
  })

  test('is not waited for by a prompt whose provider keeps its list to itself', async ({ expect }) => {
    const { server, close } = await withListing('@ai-sdk/openai-compatible', (response, request) => {
      if (request.url === '/v1/models') return
      request.setEncoding('utf8').once('data', async (body: string) => {
        const answer = await fetch(`${server.model.url}/chat/completions`, { method: 'POST', body })
        response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
      })
    })
    const session = await server.createSession()
    server.model.script({ text: ['done'] })
    await server.turn(session, 'Go')
    expect(await server.messages(session)).toMatchObject([{ type: 'user' }, { finish: 'stop' }])
    await close()
  })

  test('lets the configuration correct a model, add one, and leave a provider out', async ({ expect }) => {
    const server = await withKey(
      { OPENAI_API_KEY: canary, MISTRAL_API_KEY: canary },
      {
        disabled_providers: ['mistral'],
        provider: { openai: { models: { 'gpt-5': { context: 1_000 }, 'gpt-next': { input: ['text', 'image'] } } } },
      },
    )
    const models = await modelsOf(server)

    expect(models.some((model: { providerID: string }) => model.providerID === 'mistral')).toBe(false)
    expect(models).toContainEqual(
      expect.objectContaining({ id: 'gpt-5', limit: { context: 1_000, output: 128_000 }, family: 'gpt' }),
    )
    expect(models).toContainEqual(
      expect.objectContaining({ id: 'gpt-next', api: expect.objectContaining({ package: '@ai-sdk/openai' }) }),
    )
    await server.close()
  })

  test('takes keys from the credentials file, unless others may read it', async ({ expect }) => {
    const server = await withKey({})
    const file = path.join(server.dataDir, 'credentials.json')
    await writeFile(file, JSON.stringify({ xai: { type: 'api', key: canary } }), { mode: 0o600 })
    await server.restart()
    const integration = await server.send('GET', '/api/integration/xai')
    expect(integration.body.data.connections).toEqual([{ type: 'credential', id: 'xai', label: 'API key' }])
    expect(integration.text).not.toContain(canary)
    expect((await server.send('GET', '/api/provider/xai')).status).toBe(200)

    await chmod(file, 0o640)
    await server.restart()
    expect((await server.send('GET', '/api/provider/xai')).status).toBe(404)
    await server.close()
  })

  test('takes the first model of what is configured, then of the environment, then of the file', async ({ expect }) => {
    const server = await withKey({ GROQ_API_KEY: canary }, { model: undefined })
    await writeFile(path.join(server.dataDir, 'credentials.json'), JSON.stringify({ wharf: { key: canary } }), {
      mode: 0o600,
    })
    const modelOfTurn = async () => {
      const session = await server.createSession()
      server.model.script({ text: ['done'] })
      await server.turn(session, 'Go')
      const [, message] = await server.messages(session)
      return message?.type === 'assistant' ? message.model.providerID : undefined
    }
    await server.restart()
    expect(await modelOfTurn()).toBe('fake')
    for (const [environment, provider] of [
      [{ GROQ_API_KEY: canary }, 'groq'],
      [{}, 'wharf'],
    ] as const) {
      await server.write('../config/svc.json', '{}')
      const modelFetch: typeof fetch = async () => new Response('{}', { status: 400 })
      await server.restart({ environment: { PATH: process.env['PATH'] ?? '', ...environment }, modelFetch })
      expect(await modelOfTurn()).toBe(provider)
    }
    await server.close()
  })

  test('shows an address without the credentials it may hold', async ({ expect }) => {
    const baseURL = `http://user:${canary}@127.0.0.1:9/v1?key=${canary}`
    const server = await withKey({}, { provider: { own: { baseURL, models: { one: {} } } } })
    const answers = [await server.send('GET', '/api/provider/own'), await server.send('GET', '/api/model')]

    expect(answers[0]?.body.data.api.url).toBe('http://127.0.0.1:9/v1')
    for (const answer of answers) expect(answer.text).not.toContain(canary)
    await server.close()
  })
})

test('a provider that redirects is not followed: the key stays where it was configured to go', async ({ expect }) => {
  const asked: string[] = []
  const elsewhere = createServer((request, response) => {
    asked.push(JSON.stringify(request.headers))
    response.end()
  }).listen(0, '127.0.0.1')
  const first = createServer((_request, response) => {
    const { port } = elsewhere.address() as AddressInfo
    response.writeHead(307, { location: `http://127.0.0.1:${port}/` }).end()
  }).listen(0, '127.0.0.1')
  await Promise.all([once(first, 'listening'), once(elsewhere, 'listening')])
  const { port } = first.address() as AddressInfo
  const server = await startTestServer({
    modelAttemptsMax: 1,
    config: {
      model: 'own/one',
      provider: {
        own: { package: '@ai-sdk/anthropic', baseURL: `http://127.0.0.1:${port}`, apiKey: canary, models: { one: {} } },
      },
    },
  })
  const session = await server.firstTurn('Go')

  expect((await server.messages(session)).at(-1)).toMatchObject({ error: { reason: 'provider' } })
  expect(asked).toEqual([])
  await server.close()
  first.close()
  elsewhere.close()
})
