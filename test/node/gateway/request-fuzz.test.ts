import fc from 'fast-check'
import { type ExpectStatic, test } from 'vitest'
import { startFakeBedrock } from '../../support/fake-bedrock.ts'
import { gatewayOnNode } from '../../support/gateway-on-node.ts'
import { environmentFor, opus, sonnet, testKey } from '../../support/gateway-under-test.ts'
import { gatewayWithoutSockets } from '../../support/gateway-without-sockets.ts'
import { sendRaw } from '../../support/raw-http.ts'

const runs = Number(process.env['WHARF_FUZZ_RUNS'] ?? 250)
const seed = Number(process.env['WHARF_FUZZ_SEED'] || 20_261_122)

const text = fc.oneof(
  fc.constantFrom('', ' ', 'x', '<think>a</think>b', '\u0000', '\ud800'),
  fc.string({ maxLength: 8 }),
)
/** The first ones far more often. */
const seldom = <T>(usual: readonly T[], rare: readonly T[]) =>
  fc.oneof({ weight: 20, arbitrary: fc.constantFrom(...usual) }, { weight: 1, arbitrary: fc.constantFrom(...rare) })
const id = seldom(['a', 'b', 'call:1', 'x'.repeat(80), 'ü'], ['brtc_v1.x.y'])
const name = seldom(['f', 'g', 'constructor'], ['a b'])
const number = seldom([1, 2, 4_096], [0, -1, 1.5, 1e30])
const json = fc.jsonValue({ maxDepth: 2 })
/** Mostly what is meant, sometimes nothing, sometimes anything. */
const mostly = <T>(meant: fc.Arbitrary<T>) =>
  fc.oneof(
    { weight: 150, arbitrary: meant },
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: json },
  )
const some = (fields: Record<string, fc.Arbitrary<unknown>>, requiredKeys: string[]) =>
  fc.record(Object.fromEntries(Object.entries(fields).map(([key, meant]) => [key, mostly(meant)])), { requiredKeys })

const picture = seldom(
  ['data:image/png;base64,AAAA', 'data:image/jpg;base64,AA=='],
  ['data:image/constructor;base64,AAAA', 'http://127.0.0.1/a', 'x'],
)
const chatPart = fc.oneof(
  some({ type: fc.constant('text'), text }, ['type', 'text']),
  some({ type: fc.constant('image_url'), image_url: fc.record({ url: picture }) }, ['type', 'image_url']),
)
const chatContent = fc.oneof(text, fc.array(chatPart, { maxLength: 3 }))
const chatCall = some(
  {
    id,
    type: fc.constant('function'),
    function: fc.record({ name, arguments: seldom(['{}', '', '{"a":1}'], ['[']) }),
  },
  ['id', 'function'],
)
const chatMessage = fc.oneof(
  some({ role: fc.constantFrom('system', 'developer'), content: text }, ['role', 'content']),
  some({ role: fc.constant('user'), content: chatContent }, ['role', 'content']),
  some({ role: fc.constant('assistant'), content: text, tool_calls: fc.array(chatCall, { maxLength: 3 }) }, ['role']),
  some({ role: fc.constant('tool'), content: chatContent, tool_call_id: id }, ['role', 'content', 'tool_call_id']),
)
const schema = fc.constantFrom(
  {},
  { type: 'object' },
  { type: 'object', properties: { __proto__: null, a: { type: 'string' } } },
)
const sampling = {
  stream: fc.boolean(),
  temperature: seldom([0, 1], [3]),
  top_p: seldom([0, 1], [2]),
  user: text,
}
const model = seldom([sonnet, opus, 'amazon.nova-pro-v1:0', 'deepseek.v3-v1:0'], ['gpt-5.4', '../x', ''])

const bodies = {
  '/chat/completions': some(
    {
      ...sampling,
      model,
      messages: fc.array(chatMessage, { minLength: 1, maxLength: 6 }),
      max_tokens: number,
      stop: fc.oneof(text, fc.array(text, { maxLength: 3 })),
      tools: fc
        .uniqueArray(name, { maxLength: 3 })
        .map((names) => names.map((one) => ({ type: 'function', function: { name: one, parameters: {} } }))),
      tool_choice: fc.oneof(
        fc.constantFrom('auto', 'none', 'required'),
        fc.record({ type: fc.constant('function'), function: fc.record({ name }) }),
      ),
      response_format: fc.oneof(
        fc.constant({ type: 'json_object' }),
        schema.map((one) => ({ type: 'json_schema', json_schema: { name: 'a', schema: one } })),
      ),
      reasoning_effort: fc.constantFrom('none', 'low', 'max'),
      extra_body: fc.dictionary(text, json, { maxKeys: 2 }),
      thinking: json,
    },
    ['messages'],
  ),
  '/responses': some(
    {
      ...sampling,
      model,
      input: fc.oneof(
        text,
        fc.array(
          fc.oneof(
            some(
              {
                type: fc.constant('message'),
                role: fc.constantFrom('user', 'assistant', 'system'),
                content: fc.oneof(
                  text,
                  fc.array(
                    some(
                      { type: fc.constantFrom('input_text', 'output_text', 'input_image'), text, image_url: picture },
                      ['type', 'text'],
                    ),
                    { maxLength: 2 },
                  ),
                ),
              },
              ['role', 'content'],
            ),
            some(
              {
                type: fc.constantFrom(
                  'function_call',
                  'custom_tool_call',
                  'shell_call',
                  'local_shell_call',
                  'apply_patch_call',
                ),
                call_id: id,
                name,
                arguments: fc.constantFrom('{}', ''),
                input: text,
                action: fc.constant({ commands: [] }),
                operation: fc.constant({}),
              },
              ['type', 'call_id', 'name', 'arguments', 'action', 'operation'],
            ),
            some({ type: fc.constantFrom('function_call_output', 'shell_call_output'), call_id: id, output: text }, [
              'type',
              'call_id',
            ]),
            some({ type: fc.constant('reasoning'), encrypted_content: text, summary: fc.constant([]) }, ['type']),
          ),
          { maxLength: 6 },
        ),
      ),
      instructions: text,
      tools: fc.array(
        fc.oneof(
          fc.record({ type: fc.constantFrom('function', 'custom'), name }),
          fc.record({ type: fc.constantFrom('shell', 'toString', 'web_search') }),
        ),
        { maxLength: 3 },
      ),
      tool_choice: fc.oneof(
        fc.constantFrom('auto', 'none', 'required'),
        fc.record({ type: fc.constantFrom('function', 'shell'), name }),
      ),
      max_output_tokens: number,
      include: fc.constant(['reasoning.encrypted_content']),
    },
    ['input'],
  ),
  '/completions': some(
    {
      ...sampling,
      model,
      prompt: fc.oneof(text, fc.array(text, { maxLength: 3 }), fc.array(number)),
      suffix: text,
      echo: fc.boolean(),
    },
    ['prompt'],
  ),
  '/embeddings': some(
    {
      model: fc.constantFrom(
        'vendor-a.embed-english-v3',
        'vendor-b.embed-text-v2:0',
        'amazon.nova-2-multimodal-embeddings-v1:0',
        'x',
      ),
      input: fc.oneof(
        text,
        fc.array(text, { maxLength: 3 }),
        fc.array(fc.nat(120_000), { maxLength: 3 }),
        fc.array(fc.array(fc.nat(9), { maxLength: 2 }), { maxLength: 2 }),
      ),
      encoding_format: fc.constantFrom('float', 'base64'),
      dimensions: fc.constantFrom(256, 1_024, 7),
    },
    ['input'],
  ),
} as const

/** What the provider may refuse: values that a client chose and that mean nothing else than they say. */
const clientsOwn = new RegExp(
  [
    'provided model identifier is invalid',
    'maximum tokens you requested exceeds',
    "at 'inferenceConfig\\.(temperature|topP|maxTokens)'",
    'Extra inputs are not permitted|extraneous key',
    'thinking: Input tag does not match|thinking\\.enabled|must be greater than `thinking',
    'Could not process image',
    "doesn't support the (image|outputConfig\\.textFormat) field",
    "'additionalProperties' must be explicitly set to false",
    '`(temperature|top_p)` (is deprecated|may only be set|must be greater)',
  ].join('|'),
)

const isStream = (answer: Response) => answer.headers.get('content-type')?.startsWith('text/event-stream') === true

/** A stream is records of JSON to its end, and tells of no error. */
function expectWhole(expect: ExpectStatic, told: string): void {
  const records = told.split('\n\n')
  expect(records.pop()).toBe('')
  const data = records.map((record) => /^data: (.*)$/m.exec(record)?.[1] ?? '')
  const last = data.at(-1) === '[DONE]' ? data.pop() : undefined
  const events = data.map((text) => JSON.parse(text))
  expect(events.length).toBeGreaterThan(0)
  expect(events.filter((event) => 'error' in event || event.type === 'error')).toEqual([])
  // Streams of the older kinds have a mark as their end, those of the newer one an event.
  if (last === undefined)
    expect(events.at(-1)).toMatchObject({ type: expect.stringMatching(/^response\.(?:completed|incomplete)$/) })
}

test.for(Object.entries(bodies))(
  'whatever comes to %s is served or refused, and the provider would take it',
  { timeout: 60_000 + runs * 50 },
  async ([route, body], { expect }) => {
    const { gateway, asked } = gatewayWithoutSockets()
    const found: Record<number, number> = {}
    await fc.assert(
      fc.asyncProperty(body, async (sent) => {
        asked.length = 0
        const answer = await gateway.fetch(
          new Request(`http://gateway.test/api/v1${route}`, {
            method: 'POST',
            headers: { authorization: `Bearer ${testKey}` },
            body: JSON.stringify(sent),
          }),
        )
        found[answer.status] = (found[answer.status] ?? 0) + 1
        const told = await answer.text()
        if (answer.status === 200) {
          expect(asked.map((call) => call.refusal)).toEqual(asked.map(() => undefined))
          if (isStream(answer)) expectWhole(expect, told)
          else JSON.parse(told)
        } else {
          expect(answer.status).toBe(400)
          for (const { refusal } of asked) expect(refusal).toMatch(clientsOwn)
          expect(JSON.parse(told)).toMatchObject({
            error: {
              type: 'invalid_request_error',
              code: expect.stringMatching(/^(?:bad_request|unsupported)$/),
              message: expect.any(String),
            },
          })
        }
      }),
      { numRuns: runs, seed },
    )
    // Neither half is empty, so both were tried.
    expect(found[200]).toBeGreaterThan(runs / 50)
    expect(found[400]).toBeGreaterThan(runs / 50)
  },
)

const line = fc.record({
  method: fc.constantFrom('GET', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'TRACE', 'get', 'FOO', ''),
  target: fc.oneof(
    fc.constantFrom(
      '/api/v1/models',
      '/api/v1/chat/completions',
      '/api/v1/health',
      '/api/v1/models/a%2Fb',
      '/api/v1/../v1/',
    ),
    fc.constantFrom(
      '*',
      '//',
      'http://x/api/v1/health',
      '/%',
      '/api/v1/models/%zz',
      '/?',
      '/#',
      `/${'a'.repeat(9_000)}`,
    ),
    fc.string({ unit: fc.constantFrom('/', '.', '%', '2', 'F', ' ', '?', '\\', 'é', '@', ':'), maxLength: 12 }),
  ),
  version: fc.constantFrom('1.1', '1.1', '1.1', '1.0', '2.0', '9'),
})
const header = fc.oneof(
  fc.constantFrom(
    'Host: x',
    `Authorization: Bearer ${testKey}`,
    'Authorization: Bearer wrong',
    'X-Request-Id: mine',
    'X-Request-Id: \u00e9',
    'Expect: 100-continue',
    'Upgrade: websocket',
    'Transfer-Encoding: chunked',
    'Content-Length: 5',
    'Content-Length: -1',
    'Content-Length: 99999999999999999999',
    'Content-Encoding: gzip',
    'Host',
    ' folded: x',
    'A\u0000: b',
    `Long: ${'x'.repeat(20_000)}`,
  ),
  fc.string({ maxLength: 20 }).map((value) => `X-Any: ${value.replace(/[^ -~]/g, '')}`),
)
const body = fc.constantFrom('', '{}', '5\r\n{"a":', '0\r\n\r\n', '{"messages":[{"role":"user","content":"x"}]}')
const statuses = [200, 204, 400, 401, 404, 405, 408, 413, 431]

test('whatever bytes come to the port, the answer has a known status and the one shape', {
  timeout: 60_000 + runs * 50,
}, async ({ expect }) => {
  const bedrock = await startFakeBedrock()
  const environment = { ...environmentFor(bedrock), MAX_BODY_SIZE_MB: '1' }
  const started = await gatewayOnNode(environment, { requestMsMax: 200 })
  const port = Number(new URL(started.url).port)
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(line, fc.array(header, { maxLength: 5 }), body), { minLength: 10, maxLength: 10 }),
      async (requests) => {
        const answers = await Promise.all(
          requests.map(([{ method, target, version }, headers, sent]) =>
            sendRaw(
              port,
              `${[`${method} ${target} HTTP/${version}`, ...headers, 'Connection: close'].join('\r\n')}\r\n\r\n${sent}`,
              20_000,
            ),
          ),
        )
        for (const { status, text: answer } of answers) {
          expect(statuses).toContain(status)
          expect(answer.toLowerCase()).toContain('\r\naccess-control-allow-origin: *\r\n')
          const told = answer.slice(answer.indexOf('\r\n\r\n') + 4)
          if (status >= 400 && told !== '')
            expect(JSON.parse(told)).toMatchObject({ error: { code: expect.any(String) } })
        }
      },
    ),
    { numRuns: Math.ceil(runs / 3.5), seed },
  )
  expect((await fetch(`${started.url}/health`)).status).toBe(200)
  await started.stop()
  await bedrock.close()
})
