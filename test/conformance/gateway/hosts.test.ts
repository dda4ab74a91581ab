import { connect } from 'node:net'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { messageAnswer, metadataStep, textSteps } from '../../../local/gateway/sandbox/provider-shapes.ts'
import { sandboxLabel } from '../../../local/gateway/sandbox/sandbox-model.ts'
import { mebibyte } from '../../../workers/gateway/limits.ts'
import { type FakeBedrock, startFakeBedrock } from '../../support/fake-bedrock.ts'
import { type FakeCompatibleEndpoint, startFakeCompatibleEndpoint } from '../../support/fake-compatible-endpoint.ts'
import { type GatewayHostUnderTest, gatewayHosts, onWorker } from '../../support/gateway-hosts.ts'
import { framesOf, sonnet, testKey } from '../../support/gateway-under-test.ts'
import { upload } from '../../support/upload.ts'

const user = { role: 'user' as const, content: 'hello there' }
const tool = { type: 'function' as const, function: { name: 'look', parameters: { type: 'object' } } }

test('a prefix outside /api is served beside the pages', async ({ expect }) => {
  const bedrock = await startFakeBedrock()
  const host = await onWorker(bedrock, { API_ROUTE_PREFIX: '/v1' })
  const { origin } = new URL(host.url)
  const headers = { authorization: `Bearer ${testKey}` }
  const body = JSON.stringify({ model: sonnet, messages: [user] })
  const chat = await fetch(`${origin}/v1/chat/completions`, { method: 'POST', headers, body })
  const models = await fetch(`${origin}/v1/models`, { headers })
  const old = await fetch(`${origin}/api/v1/models`, { headers })
  const page = await fetch(`${origin}/`)
  const html = await page.text()
  await host.close()
  await bedrock.close()

  expect([chat.status, models.status, old.status, page.status]).toEqual([200, 200, 404, 200])
  expect(await models.json()).toMatchObject({ object: 'list' })
  expect(html).toContain('<html')
})

/** One suite for every host: what a client sees must not depend on where the gateway runs. */
describe.each(gatewayHosts)('the gateway on %s', (_, start) => {
  let bedrock: FakeBedrock
  let endpoint: FakeCompatibleEndpoint
  let host: GatewayHostUnderTest
  let client: OpenAI

  beforeAll(async () => {
    bedrock = await startFakeBedrock()
    endpoint = await startFakeCompatibleEndpoint()
    host = await start(bedrock, {
      DISABLE_MANTLE: 'false',
      BEDROCK_API_KEY: 'a-key-of-the-endpoint',
      MANTLE_BASE_URL_TEMPLATE: endpoint.url,
      MANTLE_CHAT_BASE_URL_TEMPLATE: endpoint.url,
    })
    client = new OpenAI({ apiKey: testKey, baseURL: host.url, maxRetries: 0 })
  })
  afterAll(async () => {
    await host.close()
    await bedrock.close()
    await endpoint.close()
  })

  test('chat, whole and streamed', async ({ expect }) => {
    const whole = await client.chat.completions.create({ model: sonnet, messages: [user] })
    const streamed = await client.chat.completions.stream({ model: sonnet, messages: [user] }).finalChatCompletion()

    for (const answer of [whole, streamed])
      expect(answer.choices[0]?.message.content).toBe(`${sandboxLabel} You said: hello there`)
  })

  test('tools, streamed into the official accumulator', async ({ expect }) => {
    const block = (index: number) => ({ contentBlockIndex: index })
    bedrock.next({
      steps: [
        { event: 'messageStart', payload: { role: 'assistant' } },
        { event: 'contentBlockStart', payload: { ...block(0), start: { toolUse: { toolUseId: 'a', name: 'look' } } } },
        { event: 'contentBlockDelta', payload: { ...block(0), delta: { toolUse: { input: '{"x":1}' } } } },
        { event: 'contentBlockStop', payload: block(0) },
        { event: 'messageStop', payload: { stopReason: 'tool_use' } },
        metadataStep(),
      ],
    })
    const answer = await client.chat.completions
      .stream({ model: sonnet, messages: [user], tools: [tool] })
      .finalChatCompletion()

    expect(answer.choices[0]?.message.tool_calls).toMatchObject([
      { id: 'a', function: { name: 'look', arguments: '{"x":1}' } },
    ])
  })

  test('responses, whole and streamed', async ({ expect }) => {
    const whole = await client.responses.create({ model: sonnet, input: 'hi' })
    const streamed = await client.responses.stream({ model: sonnet, input: 'hi' }).finalResponse()

    for (const text of [whole.output_text, streamed.output_text]) expect(text).toBe(`${sandboxLabel} You said: hi`)
  })

  test('completions, models and embeddings of token arrays', async ({ expect }) => {
    const text = await client.completions.create({ model: sonnet, prompt: 'hi' })
    const found = await client.models.retrieve(sonnet)
    await client.embeddings.create({ model: 'vendor-b.embed-text-v1', input: [15339, 1917] })

    expect(text.choices[0]?.text).toBe(`${sandboxLabel} You said: hi`)
    expect(found.id).toBe(sonnet)
    expect(bedrock.callsOf('invoke').at(-1)?.body).toEqual({ inputText: 'hello world' })
  })

  test('a route that is saved answers, and is put back', async ({ expect }) => {
    const admin = async (method: string, path: string, body?: object) => {
      const headers = { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' }
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      const answer = await fetch(`${host.url}/admin${path}`, { method, headers, ...sent })
      return (await answer.json()) as { revision?: number; data?: { name: string }[] }
    }
    const { revision } = await admin('POST', '/routes/mine', { route: { steps: [{ model: sonnet }] }, revision: 0 })
    const answer = await client.chat.completions.create({ model: 'mine', messages: [user] })
    await admin('POST', `/route-changes/${revision}/undo`)
    const { data = [] } = await admin('GET', '/route-changes')
    const gone = await client.models.retrieve('mine').catch(({ status }: { status: number }) => status)

    expect([answer.choices[0]?.message.content, gone, data.map(({ name }) => name)]).toEqual([
      `${sandboxLabel} You said: hello there`,
      400,
      ['mine', 'mine'],
    ])
  })

  test('errors keep their shape and their request id', async ({ expect }) => {
    bedrock.next({ status: 400, error: 'ValidationException', message: 'nope' })
    const refused = client.chat.completions.create(
      { model: sonnet, messages: [user] },
      { headers: { 'x-request-id': 'mine-7' } },
    )
    await expect(refused).rejects.toMatchObject({
      status: 400,
      code: 'bad_request',
      requestID: 'mine-7',
      error: { message: 'nope' },
    })
    await expect(client.withOptions({ apiKey: 'wrong' }).models.list()).rejects.toMatchObject({
      status: 401,
      code: 'unauthorized',
    })
    const missing = await fetch(`${host.url}/nothing`, { headers: { authorization: `Bearer ${testKey}` } })
    const wrongMethod = await fetch(`${host.url}/chat/completions`, { headers: { authorization: `Bearer ${testKey}` } })
    const large = await fetch(`${host.url}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${testKey}` },
      body: JSON.stringify({ padding: 'x'.repeat(1_048_577) }),
    })

    for (const [answer, status, code] of [
      [missing, 404, 'not_found'],
      [wrongMethod, 405, 'method_not_allowed'],
      [large, 413, 'request_too_large'],
    ] as const) {
      expect(answer.status).toBe(status)
      expect(await answer.json()).toMatchObject({ error: { code } })
    }
  })

  test.for([
    ['without the key', 'POST', '/chat/completions', 'wrong', 401],
    ['to a route that is not there', 'POST', '/nothing', testKey, 404],
    ['with the wrong method', 'PUT', '/models', testKey, 405],
    ['over the limit', 'POST', '/chat/completions', testKey, 413],
  ] as const)('a client that sends much %s gets its refusal, however far it has come', async (row, { expect }) => {
    const [_, method, path, key, status] = row
    const { pathname } = new URL(host.url)
    const send = (isDeclared: boolean) =>
      upload(host.url, {
        line: `${method} ${pathname}${path}`,
        headers: [`Authorization: Bearer ${key}`],
        bytes: 4 * mebibyte,
        isDeclared,
      })
    // Several at once, and more than once: the answer is lost to a race if it is lost.
    for (let round = 0; round < 2; round += 1) {
      const answers = await Promise.all([true, false, true, false].map(send))
      for (const answer of answers) expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    }
  })

  test('a refusal does not wait for the body', async ({ expect }) => {
    const { port, pathname } = new URL(host.url)
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(
      `POST ${pathname}/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 9000000\r\n\r\n{`,
    )
    let answer = ''
    for await (const piece of socket) {
      answer += String(piece)
      if (answer.endsWith('}}')) break
    }

    expect(answer).toMatch(/^HTTP\/1\.1 401 /)
  })

  test('the compatible endpoint is passed on, adapted, streamed, and may be cut', async ({ expect }) => {
    const answered = { id: 'resp_1', object: 'response', status: 'completed', output: [] }
    const stream = `event: response.completed\ndata: ${JSON.stringify({ type: 'response.completed', response: answered })}\n\n`
    const ask = { model: 'gpt-5.4', input: 'x' }
    const post = async (body: object) => {
      const answer = await fetch(`${host.url}/responses`, {
        method: 'POST',
        headers: { authorization: `Bearer ${testKey}` },
        body: JSON.stringify(body),
      })
      return [answer.status, answer.headers.get('content-type'), await answer.text()]
    }
    endpoint.next({ json: answered }, { json: answered }, { pieces: [stream] }, { pieces: ['{"id":'], isCut: true })

    expect(await post(ask)).toEqual([200, 'application/json', JSON.stringify(answered)])
    const chat = await client.chat.completions.create({ model: 'gpt-5.4', messages: [user] })
    expect(chat.choices[0]?.finish_reason).toBe('stop')
    expect(await post({ ...ask, stream: true })).toEqual([200, 'text/event-stream; charset=utf-8', stream])
    const [status, , text] = await post(ask)
    expect(status).toBe(502)
    expect(JSON.parse(String(text))).toMatchObject({ error: { code: 'upstream_error' } })
  })

  test('throttling is retried', async ({ expect }) => {
    bedrock.next({ status: 429, error: 'ThrottlingException', message: 'slow down' })
    const answer = await client.chat.completions.create({ model: sonnet, messages: [user] })

    expect(answer.choices[0]?.finish_reason).toBe('stop')
  })

  test.for([
    ['an exception', { exception: 'modelStreamErrorException', message: 'broke' }],
    ['a cut connection', { cut: true }],
    ['a malformed frame', { bytes: new Uint8Array(64).fill(7) }],
  ] as const)('%s in mid-stream is said in the stream', async ([, step], { expect }) => {
    bedrock.next({ steps: [...textSteps(['Hel']).slice(0, 2), { pauseMs: 30 }, step] })
    const answer = await fetch(`${host.url}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${testKey}` },
      body: JSON.stringify({ model: sonnet, messages: [user], stream: true }),
    })
    const frames = framesOf(await answer.text())
    expect(frames.at(-1)?.event).toBe('error')
  })

  test('reasoning, images and structured output reach the provider', async ({ expect }) => {
    bedrock.next(
      messageAnswer([{ reasoningContent: { reasoningText: { text: 'Hm.', signature: 's' } } }, { text: '{}' }]),
    )
    const answer = await client.chat.completions.create({
      model: sonnet,
      reasoning_effort: 'low',
      response_format: { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'object' } } },
      messages: [
        {
          role: 'user',
          content: [{ type: 'image_url', image_url: { url: 'data:image/gif;base64,R0lGODlhAQABAAAAACw=' } }],
        },
      ],
    })

    expect(answer.choices[0]?.message.content).toBe('<think>Hm.</think>{}')
    expect(bedrock.callsOf('converse').at(-1)?.body).toMatchObject({
      messages: [{ content: [{ image: { format: 'gif', source: { bytes: 'R0lGODlhAQABAAAAACw=' } } }, {}] }],
      outputConfig: { textFormat: { type: 'json_schema' } },
      additionalModelRequestFields: { thinking: { type: 'enabled' } },
    })
  })
})
