import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { describe, test } from 'vitest'
import { messageAnswer, metadataStep } from '../../../local/gateway/sandbox/provider-shapes.ts'
import { fetchOutgoing } from '../../../workers/gateway/adapters/edge-platform.ts'
import { imagesBytesMax } from '../../../workers/gateway/limits.ts'
import { gatewayUnderTest, opus, sonnet } from '../../support/gateway-under-test.ts'
import { endServer, listenToKept } from '../../support/loopback.ts'
import { openaiClient } from '../../support/openai-client.ts'

const keys = 'k1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA,k2:BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBA'
const capsules = {
  ENABLE_PROMPT_CACHING: 'false',
  CHAT_REASONING_CAPSULE_ENABLED: 'true',
  CHAT_REASONING_CAPSULE_ACTIVE_KID: 'k1',
  CHAT_REASONING_CAPSULE_KEYS: keys,
}
const tool = { type: 'function' as const, function: { name: 'look', parameters: { type: 'object' } } }
const signed = { reasoningContent: { reasoningText: { text: 'Hmm.', signature: 'sig' } } }
const reasoned = messageAnswer(
  [
    signed,
    { toolUse: { toolUseId: 'a', name: 'look', input: {} } },
    { toolUse: { toolUseId: 'b', name: 'look', input: {} } },
  ],
  'tool_use',
)
const ask = {
  model: sonnet,
  messages: [{ role: 'user' as const, content: 'look' }],
  tools: [tool],
  reasoning_effort: 'low' as const,
}

describe('signed reasoning in tool call ids', () => {
  test('comes back to the provider as it was, with the plain ids', async ({ expect }) => {
    await using under = await gatewayUnderTest(capsules)
    under.bedrock.next(reasoned)
    const client = openaiClient(under)
    const first = await client.chat.completions.create(ask)
    const message = first.choices[0]?.message ?? { role: 'assistant' as const }
    const calls = first.choices[0]?.message.tool_calls ?? []
    await client.chat.completions.create({
      ...ask,
      messages: [
        ...ask.messages,
        message,
        ...calls.map((call) => ({ role: 'tool' as const, tool_call_id: call.id, content: `of ${call.id.length}` })),
      ],
    })

    expect(calls.every((call) => call.id.startsWith('brtc_v1.'))).toBe(true)
    expect(under.bedrock.callsOf('converse')[1]?.body).toMatchObject({
      additionalModelRequestFields: { thinking: { type: 'enabled' } },
      messages: [
        { role: 'user', content: [{ text: 'look' }] },
        {
          role: 'assistant',
          content: [
            signed,
            { toolUse: { toolUseId: 'a', name: 'look', input: {} } },
            { toolUse: { toolUseId: 'b', name: 'look', input: {} } },
          ],
        },
        { role: 'user', content: [{ toolResult: { toolUseId: 'a' } }, { toolResult: { toolUseId: 'b' } }] },
      ],
    })
  })

  test('a streamed call carries it too', async ({ expect }) => {
    await using under = await gatewayUnderTest(capsules)
    const delta = (reasoningContent: object) => ({
      event: 'contentBlockDelta',
      payload: { contentBlockIndex: 0, delta: { reasoningContent } },
    })
    under.bedrock.next({
      steps: [
        { event: 'messageStart', payload: { role: 'assistant' } },
        delta({ text: 'Hm' }),
        delta({ text: 'm.' }),
        delta({ signature: 'sig' }),
        {
          event: 'contentBlockStart',
          payload: { contentBlockIndex: 1, start: { toolUse: { toolUseId: 'a', name: 'look' } } },
        },
        { event: 'contentBlockDelta', payload: { contentBlockIndex: 1, delta: { toolUse: { input: '{}' } } } },
        { event: 'contentBlockStop', payload: { contentBlockIndex: 1 } },
        { event: 'messageStop', payload: { stopReason: 'tool_use' } },
        metadataStep(),
      ],
    })
    const client = openaiClient(under)
    const first = await client.chat.completions.stream(ask).finalChatCompletion()
    const message = first.choices[0]?.message ?? { role: 'assistant' as const }
    await client.chat.completions.create({
      ...ask,
      messages: [
        ...ask.messages,
        message as never,
        { role: 'tool', tool_call_id: first.choices[0]?.message.tool_calls?.[0]?.id ?? '', content: 'x' },
      ],
    })

    expect(under.bedrock.callsOf('converse')[0]?.body).toMatchObject({
      messages: [
        {},
        { content: [signed, { toolUse: { toolUseId: 'a' } }] },
        { content: [{ toolResult: { toolUseId: 'a' } }] },
      ],
    })
  })

  const second = { reasoningContent: { reasoningText: { text: 'And now?', signature: 'sig 2' } } }
  const use = (toolUseId: string) => ({ toolUse: { toolUseId, name: 'look', input: {} } })
  const interleaved = [signed, { text: 'Let me look.' }, use('a'), second, use('b')]
  const piece = (contentBlockIndex: number, delta: object) => ({
    event: 'contentBlockDelta',
    payload: { contentBlockIndex, delta },
  })
  const thought = (index: number, { reasoningContent: { reasoningText } }: typeof signed) => [
    piece(index, { reasoningContent: { text: reasoningText.text } }),
    piece(index, { reasoningContent: { signature: reasoningText.signature } }),
    { event: 'contentBlockStop', payload: { contentBlockIndex: index } },
  ]
  const called = (contentBlockIndex: number, toolUseId: string) => [
    { event: 'contentBlockStart', payload: { contentBlockIndex, start: { toolUse: { toolUseId, name: 'look' } } } },
    { event: 'contentBlockStop', payload: { contentBlockIndex } },
  ]

  test.for([
    ['whole', messageAnswer(interleaved, 'tool_use')],
    [
      'streamed',
      {
        steps: [
          { event: 'messageStart', payload: { role: 'assistant' } },
          ...thought(0, signed),
          piece(1, { text: 'Let me look.' }),
          ...called(2, 'a'),
          ...thought(3, second),
          ...called(4, 'b'),
          { event: 'messageStop', payload: { stopReason: 'tool_use' } },
          metadataStep(),
        ],
      },
    ],
  ] as const)('between two calls comes back between them (%s)', async ([form, answer], { expect }) => {
    await using under = await gatewayUnderTest(capsules)
    under.bedrock.next(answer)
    const client = openaiClient(under)
    const first =
      form === 'whole'
        ? await client.chat.completions.create(ask)
        : await client.chat.completions.stream(ask).finalChatCompletion()
    const message = first.choices[0]?.message ?? { role: 'assistant' as const }
    const results = (first.choices[0]?.message.tool_calls ?? []).map((call) => ({
      role: 'tool' as const,
      tool_call_id: call.id,
      content: 'seen',
    }))
    await client.chat.completions.create({ ...ask, messages: [...ask.messages, message as never, ...results] })

    expect(under.bedrock.calls.at(-1)?.body).toMatchObject({
      messages: [
        { content: [{ text: 'look' }] },
        { content: interleaved },
        { content: [{ toolResult: { toolUseId: 'a' } }, { toolResult: { toolUseId: 'b' } }] },
      ],
    })
  })

  test('is read with an older key after the active one changed', async ({ expect }) => {
    await using old = await gatewayUnderTest(capsules)
    await using rotated = await gatewayUnderTest({ ...capsules, CHAT_REASONING_CAPSULE_ACTIVE_KID: 'k2' })
    old.bedrock.next(reasoned)
    const first = await openaiClient(old).chat.completions.create(ask)
    await openaiClient(rotated).chat.completions.create({
      ...ask,
      messages: [...ask.messages, first.choices[0]?.message ?? { role: 'assistant' }],
    })

    expect(JSON.stringify(rotated.bedrock.callsOf('converse')[0]?.body)).toContain('"signature":"sig"')
  })

  test('any changed character is answered 400', async ({ expect }) => {
    await using under = await gatewayUnderTest(capsules)
    under.bedrock.next(reasoned)
    const first = await openaiClient(under).chat.completions.create(ask)
    const id = first.choices[0]?.message.tool_calls?.[0]?.id ?? ''
    expect(id.length).toBeGreaterThan(100)

    for (let place = 8; place < id.length; place += 1) {
      const changed = id.slice(0, place) + (id.charAt(place) === 'A' ? 'B' : 'A') + id.slice(place + 1)
      const answer = await under.call('/chat/completions', {
        json: {
          ...ask,
          messages: [
            ...ask.messages,
            {
              role: 'assistant',
              tool_calls: [{ id: changed, type: 'function', function: { name: 'look', arguments: '{}' } }],
            },
          ],
        },
      })
      expect(answer.status, `character ${place}`).toBe(400)
    }
    expect(under.bedrock.callsOf('converse')).toHaveLength(1)
  })

  test('of another model is left out, though the seal holds', async ({ expect }) => {
    await using under = await gatewayUnderTest(capsules)
    under.bedrock.next(reasoned)
    const client = openaiClient(under)
    const first = await client.chat.completions.create(ask)
    await client.chat.completions.create({
      ...ask,
      model: opus,
      messages: [...ask.messages, first.choices[0]?.message ?? { role: 'assistant' }],
    })

    expect(JSON.stringify(under.bedrock.callsOf('converse')[1]?.body)).not.toContain('"signature"')
  })

  test('where capsules are switched off, tools run without reasoning, ids are plain and the answer says so', async ({
    expect,
  }) => {
    await using under = await gatewayUnderTest({ CHAT_REASONING_CAPSULE_ENABLED: 'false' })
    under.bedrock.next(reasoned)
    const { data: first, response } = await openaiClient(under).chat.completions.create(ask).withResponse()

    expect(response.headers.get('x-gateway-ignored')).toBe('reasoning_effort')
    expect(under.bedrock.callsOf('converse')[0]?.body).not.toHaveProperty('additionalModelRequestFields')
    expect(first.choices[0]?.message.tool_calls?.map((call) => call.id)).toEqual(['a', 'b'])
  })

  test('a forced tool choice and reasoning do not go together', async ({ expect }) => {
    await using under = await gatewayUnderTest(capsules)
    const answer = await under.call('/chat/completions', { json: { ...ask, tool_choice: 'required' } })

    expect(answer.status).toBe(400)
  })
})

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** A server that stands for the public internet: every public name leads to it, everything else stays what it is. */
async function publicServer(serve: (request: IncomingMessage, response: ServerResponse) => void) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.headers['x-asked-for']}${request.url}`)
    serve(request, response)
  })
  const { port } = await listenToKept(server)
  return {
    asked,
    outgoing: ((request) => {
      const url = new URL(request.url)
      return fetchOutgoing({
        ...request,
        url: `http://127.0.0.1:${port}${url.pathname}`,
        headers: { ...request.headers, 'x-asked-for': url.host },
      })
    }) satisfies typeof fetchOutgoing,
    [Symbol.asyncDispose]: () => endServer(server),
  }
}

const withImage = (url: string) => ({
  model: sonnet,
  messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }],
})

describe('images by address', () => {
  test.for(['http://pictures.example/a.png', 'https://pictures.example/a.png'])(
    '%s is downloaded and sent as bytes',
    async (url, { expect }) => {
      await using server = await publicServer((_, response) =>
        response.writeHead(200, { 'content-type': 'text/plain' }).end(png),
      )
      await using under = await gatewayUnderTest(
        { ENABLE_PROMPT_CACHING: 'false' },
        { outgoingToStrangers: server.outgoing },
      )
      const answer = await under.call('/chat/completions', { json: withImage(url) })

      expect(answer.status).toBe(200)
      expect(under.bedrock.callsOf('converse')[0]?.body['messages']).toEqual([
        { role: 'user', content: [{ image: { format: 'png', source: { bytes: png.toString('base64') } } }] },
      ])
    },
  )

  test('redirects are followed three times, each judged anew', async ({ expect }) => {
    await using server = await publicServer((request, response) => {
      const left = Number(request.url?.slice(1))
      if (left > 0) response.writeHead(302, { location: `https://next${left}.example/${left - 1}` }).end()
      else response.writeHead(200).end(png)
    })
    await using under = await gatewayUnderTest({}, { outgoingToStrangers: server.outgoing })

    expect((await under.call('/chat/completions', { json: withImage('https://a.example/3') })).status).toBe(200)
    expect((await under.call('/chat/completions', { json: withImage('https://a.example/4') })).status).toBe(500)
  })

  test.for([
    'http://127.0.0.1/a',
    'http://2130706433/a',
    'http://0x7f.1/a',
    'http://0177.0.0.1/a',
    'http://①②⑦.0.0.1/a',
    'http://0.0.0.0/a',
    'http://[::1]/a',
    'http://[::]/a',
    'http://[::ffff:127.0.0.1]/a',
    'http://[::ffff:7f00:1]/a',
    'http://[64:ff9b::7f00:1]/a',
    'http://[2002:7f00:1::]/a',
    'http://[fd00:ec2::254]/a',
    'http://[fe80::1]/a',
    'http://10.0.0.1/a',
    'http://172.16.0.1/a',
    'http://192.168.1.1/a',
    'http://100.64.0.1/a',
    'http://169.254.169.254/latest/meta-data/',
    'http://224.0.0.1/a',
    'http://localhost/a',
    'http://localhost./a',
    'http://x.localhost/a',
    'http://printer.local/a',
    'http://metadata.google.internal/a',
    'http://router/a',
    'http://user:pass@pictures.example/a',
    'http://pictures.example:8080/a',
  ])('%s is refused without being asked, also behind a redirect', async (url, { expect }) => {
    await using server = await publicServer((_, response) =>
      response.writeHead(302, { location: url.replace(/[^ -~]/g, encodeURIComponent) }).end(),
    )
    await using under = await gatewayUnderTest({}, { outgoingToStrangers: server.outgoing })
    const direct = await under.call('/chat/completions', { json: withImage(url) })
    const redirected = await under.call('/chat/completions', { json: withImage('https://pictures.example/r') })

    expect([direct.status, redirected.status]).toEqual([400, 400])
    expect(server.asked).toEqual(['pictures.example/r'])
    expect(under.bedrock.callsOf('converse')).toEqual([])
  })

  test.for([
    'ftp://pictures.example/a',
    'file:///etc/passwd',
    'data:text/html;base64,AAAA',
    'data:image/png;base64,%%%',
    'data:image/svg+xml;base64,AAAA',
    'x',
  ])('%s is refused', async (url, { expect }) => {
    await using under = await gatewayUnderTest()

    expect((await under.call('/chat/completions', { json: withImage(url) })).status).toBe(400)
  })

  test('a download ends when the client leaves, and nothing is asked of the provider', async ({ expect }) => {
    let open = 0
    await using server = await publicServer((_, response) => {
      open += 1
      response.on('close', () => {
        open -= 1
      })
      response.writeHead(200).write(png.subarray(0, 20))
    })
    await using under = await gatewayUnderTest({}, { outgoingToStrangers: server.outgoing })
    const leaving = new AbortController()
    const asked = under.call('/chat/completions', { json: withImage('https://a.example/a'), signal: leaving.signal })
    await expect.poll(() => open).toBe(1)
    leaving.abort()
    await asked

    await expect.poll(() => open).toBe(0)
    expect(under.bedrock.callsOf('converse')).toEqual([])
  })

  test('an image that cannot be downloaded is a failure of the gateway', async ({ expect }) => {
    await using server = await publicServer((_, response) => response.writeHead(404).end())
    await using under = await gatewayUnderTest({}, { outgoingToStrangers: server.outgoing })
    const answer = await under.call('/chat/completions', { json: withImage('https://pictures.example/gone.png') })

    expect(answer.status).toBe(500)
    expect(await answer.json()).toMatchObject({ error: { code: 'internal_error', type: 'api_error' } })
  })

  test.for([
    ['a page', Buffer.from('<html>hello</html>')],
    ['nothing', Buffer.alloc(0)],
  ] as const)('%s is no image', async ([, bytes], { expect }) => {
    await using server = await publicServer((_, response) =>
      response.writeHead(200, { 'content-type': 'image/png' }).end(bytes),
    )
    await using under = await gatewayUnderTest({}, { outgoingToStrangers: server.outgoing })

    expect((await under.call('/chat/completions', { json: withImage('https://pictures.example/a') })).status).toBe(400)
  })

  test.for([
    ['all they may be', 0, 200],
    ['one byte more', 1, 400],
  ] as const)(
    'the images of a request that are together %s are answered %i',
    { tags: 'slow' },
    async ([_, more, status], { expect }) => {
      // The provider has a bound of its own for each of them.
      const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
      const share = imagesBytesMax / names.length
      await using server = await publicServer(({ url }, response) => {
        const bytes = Buffer.alloc(url === '/a' ? share + more : share)
        png.copy(bytes)
        response.writeHead(200).end(bytes)
      })
      await using under = await gatewayUnderTest({}, { outgoingToStrangers: server.outgoing })
      const content = names.map((name) => ({
        type: 'image_url',
        image_url: { url: `https://pictures.example/${name}` },
      }))
      const answer = await under.call('/chat/completions', {
        json: { model: sonnet, messages: [{ role: 'user', content }] },
      })

      expect(answer.status, JSON.stringify(under.logs)).toBe(status)
    },
  )

  test.for([
    ['https://pictures.example/a', 200],
    ['https://cdn.pictures.example/a', 200],
    ['https://morepictures.example/a', 400],
    ['https://pictures.example.evil.example/a', 400],
    ['https://pictures.example/away', 400],
  ] as const)('where hosts are named, %s is answered %i', async ([url, status], { expect }) => {
    await using server = await publicServer(({ url: place }, response) => {
      if (place === '/away') response.writeHead(302, { location: 'https://elsewhere.example/a' }).end()
      else response.writeHead(200).end(png)
    })
    await using under = await gatewayUnderTest(
      { IMAGE_HOSTS: 'other.example, Pictures.example' },
      { outgoingToStrangers: server.outgoing },
    )

    expect((await under.call('/chat/completions', { json: withImage(url) })).status).toBe(status)
    expect(server.asked).toEqual(server.asked.filter((asked) => /^(?:cdn\.)?pictures\.example\//.test(asked)))
  })

  test('nothing is downloaded for a model without eyes', async ({ expect }) => {
    await using server = await publicServer((_, response) => response.writeHead(200).end(png))
    await using under = await gatewayUnderTest({}, { outgoingToStrangers: server.outgoing })
    const ask = { ...withImage('https://pictures.example/a'), model: 'deepseek.v3-v1:0' }

    expect((await under.call('/chat/completions', { json: ask })).status).toBe(400)
    expect(server.asked).toEqual([])
  })

  test('a model without eyes refuses images, twenty are the most of a request', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    const url = `data:image/png;base64,${png.toString('base64')}`
    const many = (count: number) => ({
      model: sonnet,
      messages: [
        { role: 'user', content: Array.from({ length: count }, () => ({ type: 'image_url', image_url: { url } })) },
      ],
    })

    expect(
      (await under.call('/chat/completions', { json: { ...withImage(url), model: 'deepseek.v3-v1:0' } })).status,
    ).toBe(400)
    expect((await under.call('/chat/completions', { json: many(20) })).status).toBe(200)
    expect((await under.call('/chat/completions', { json: many(21) })).status).toBe(400)
  })
})
