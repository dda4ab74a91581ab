import { describe, test } from 'vitest'
import { comparedPrice, freeFacts } from '../../../workers/gateway/core/keys/call-cost.ts'
import { ChatChunkReader, readChatAnswer } from '../../../workers/gateway/core/providers/chat/chat-reading.ts'
import { chatRefusal } from '../../../workers/gateway/core/providers/chat/chat-refusal.ts'
import { messagesRefusal } from '../../../workers/gateway/core/providers/messages/messages-refusal.ts'
import { readProviders } from '../../../workers/gateway/core/providers/provider-list.ts'
import { Circuit, circuitOpenMs, plannedSteps } from '../../../workers/gateway/core/providers/route-plan.ts'
import { unwrap } from '../../support/unwrap.ts'

const address = 'https://models.example/v1'
const read = (providers: unknown, routes: unknown = {}) =>
  readProviders(JSON.stringify(providers), JSON.stringify(routes))

describe('the list of providers', () => {
  test('has a default for what is not said', ({ expect }) => {
    const list = unwrap(
      read({ shed: { address: `${address}/` }, openai: { address: 'https://api.openai.com/v1', key: 'k' } }),
    )

    expect([...list.providers.values()]).toMatchObject([
      { name: 'shed', address, callsMax: 64, firstByteTimeoutMs: 120_000, maxTokensName: 'max_tokens', prices: 'shed' },
      { name: 'openai', key: 'k', maxTokensName: 'max_completion_tokens', dialect: 'chat' },
    ])
  })

  test('knows a dialect by its maker’s address, and takes the owner’s word before that', ({ expect }) => {
    const official = 'https://api.anthropic.com/v1'
    const list = unwrap(
      read({
        claude: { address: official },
        proxy: { address, dialect: 'messages' },
        odd: { address: official, dialect: 'chat', prices: 'free' },
      }),
    )

    expect([...list.providers.values()]).toMatchObject([
      { dialect: 'messages', prices: 'anthropic' },
      { dialect: 'messages', prices: 'proxy' },
      { dialect: 'chat', prices: 'free' },
    ])
  })

  test.for([
    ['no object', 3, {}],
    ['no address', { shed: {} }, {}],
    ['an address of another kind', { shed: { address: 'ftp://models.example' } }, {}],
    ['an address with a name in it', { shed: { address: 'https://me:secret@models.example' } }, {}],
    ['a name that is none', { 'a/b': { address } }, {}],
    ['a member that is none', { shed: { address, keys: [] } }, {}],
    ['no calls of a provider at once', { shed: { address, calls_at_once: 0 } }, {}],
    ['another member for the limit', { shed: { address, max_tokens_name: 'limit' } }, {}],
    ['a dialect that is none', { shed: { address, dialect: 'morse' } }, {}],
    ['too many', Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`p${index}`, { address }])), {}],
    ['a route without steps', {}, { code: [] }],
    ['a step without a model', {}, { code: [{ weight: 1 }] }],
    ['a weight of nothing', {}, { code: [{ model: 'a', weight: 0 }] }],
    ['a reason that is none', {}, { code: { steps: [{ model: 'a' }], go_on_when: ['bored'] } }],
    ['a member of a route that is none', {}, { code: { steps: [{ model: 'a' }], colour: 'red' } }],
    ['too long a wait', {}, { code: { steps: [{ model: 'a' }], first_token_seconds: 601 } }],
    ['no calls at once', {}, { code: [{ model: 'a', calls_at_once: 0 }] }],
    ['too many steps', {}, { code: Array.from({ length: 9 }, () => ({ model: 'a' })) }],
    [
      'too many routes',
      {},
      Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`r${index}`, [{ model: 'a' }]])),
    ],
  ] as const)('with %s is refused by the name of its setting', ([, providers, routes], { expect }) => {
    const list = read(providers, routes)

    expect(list).toMatchObject({ ok: false, failure: { setting: expect.stringMatching(/^(PROVIDERS|MODEL_ROUTES)$/) } })
    expect(JSON.stringify(list)).not.toContain('secret')
  })

  test('may be as long as it may be', ({ expect }) => {
    const steps = Array.from({ length: 8 }, () => ({ model: 'a' }))
    const providers = Object.fromEntries(Array.from({ length: 32 }, (_, index) => [`p${index}`, { address }]))

    expect(
      read(providers, Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`r${index}`, steps]))).ok,
    ).toBe(true)
  })
})

test('steps come by their order, and those of one order by weight', ({ expect }) => {
  const route = unwrap(
    read(
      {},
      {
        r: {
          steps: [
            { model: 'last', order: 2 },
            { model: 'often', order: 1, weight: 3 },
            { model: 'seldom', order: 1 },
          ],
        },
      },
    ),
  ).routes.get('r')
  if (route === undefined) throw new Error('the route was not read')
  const firsts = Array.from({ length: 400 }, (_, number) => plannedSteps(route, number).map(({ model }) => model))

  expect(firsts.every(([, , last]) => last === 'last')).toBe(true)
  expect(firsts.filter(([first]) => first === 'often')).toHaveLength(300)
  expect(plannedSteps(route, 7)).toEqual(plannedSteps(route, 7))
})

test('those of one order come by their price where that is asked for, and by weight where it is the same', ({
  expect,
}) => {
  const step = (model: string, order: number, weight = 1) => ({ model, order, weight, callsMax: undefined })
  const steps = [step('dear', 1, 9), step('unknown', 1), step('free', 2), step('cheap', 1, 3), step('like it', 1)]
  const prices: Readonly<Record<string, number>> = {
    dear: comparedPrice({ ...freeFacts, inputNano: 300, outputNano: 1_500 }),
    cheap: comparedPrice({ ...freeFacts, inputNano: 100, outputNano: 500 }),
    'like it': comparedPrice({ ...freeFacts, inputNano: 200, outputNano: 200 }),
    free: comparedPrice(freeFacts),
    unknown: comparedPrice(undefined),
  }
  const planned = Array.from({ length: 40 }, (_, number) =>
    plannedSteps({ steps }, number, ({ model }) => prices[model] ?? 0).map(({ model }) => model),
  )

  expect(planned.every((order) => order.slice(2).join() === 'dear,unknown,free')).toBe(true)
  expect(planned.filter(([first]) => first === 'cheap')).toHaveLength(30)
})

test('a circuit opens at the fifth failure in a row, and one call decides when its time is over', ({ expect }) => {
  const circuit = new Circuit()
  for (let count = 0; count < 4; count += 1) circuit.record(false, 0)
  const beforeFifth = circuit.allows(0)
  circuit.record(false, 0)
  const resting = circuit.allows(circuitOpenMs - 1)
  const trial = [circuit.allows(circuitOpenMs), circuit.allows(circuitOpenMs)]
  circuit.record(false, circuitOpenMs)
  const again = circuit.allows(2 * circuitOpenMs - 1)
  const last = circuit.allows(2 * circuitOpenMs)
  circuit.record(true, 2 * circuitOpenMs)

  expect([beforeFifth, resting, trial, again, last, circuit.allows(0)]).toEqual([
    true,
    false,
    [true, false],
    false,
    true,
    true,
  ])
})

test('a circuit whose rest is ended lets one call decide at once', ({ expect }) => {
  const circuit = new Circuit()
  for (let count = 0; count < 5; count += 1) circuit.record(false, 0)
  const resting = circuit.allows(1)
  circuit.endRest()
  const state = circuit.status(1)
  const trial = [circuit.allows(1), circuit.allows(1)]
  circuit.record(false, 1)

  expect([resting, trial, circuit.allows(2)]).toEqual([false, [true, false], false])
  expect(state).toEqual({ state: 'half_open', failures: 5, untilMs: undefined })
})

describe('an answer of the chat dialect', () => {
  test.for([
    [{}, undefined],
    [{ choices: [{}] }, undefined],
    [{ choices: [{ message: { tool_calls: [{ id: 'a' }] } }] }, undefined],
  ] as const)('%j has not its shape', ([body, expected], { expect }) => {
    expect(readChatAnswer(body)).toBe(expected)
  })

  test('holds what was thought, said and called', ({ expect }) => {
    const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }
    const message = { reasoning_content: 'hm', content: 'yes', tool_calls: [call] }

    expect(readChatAnswer({ choices: [{ message, finish_reason: 'tool_calls' }] })).toMatchObject({
      stopReason: 'tool_use',
      blocks: [
        { kind: 'reasoning' },
        { kind: 'text', text: 'yes' },
        { kind: 'toolUse', id: 'c', name: 'f', input: { a: 1 } },
      ],
      usage: { inputTokens: 0 },
    })
  })

  test('in chunks becomes blocks that open and close in order', ({ expect }) => {
    const reader = new ChatChunkReader()
    const chunk = (delta: object, finish: string | null = null) =>
      reader.read(JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })) ?? []
    const call = (index: number, parts: object) => ({ tool_calls: [{ index, ...parts }] })
    const events = [
      ...chunk({ role: 'assistant', reasoning: 'hm' }),
      ...chunk({ content: 'yes' }),
      ...chunk(call(0, { id: 'c0', function: { name: 'f', arguments: '' } })),
      ...chunk(call(0, { function: { arguments: '{}' } })),
      ...chunk(call(1, { id: 'c1', function: { name: 'g', arguments: '{"a":' } })),
      ...chunk(call(1, { function: { arguments: '1}' } })),
      ...chunk({}, 'tool_calls'),
      ...(reader.read('[DONE]') ?? []),
      ...reader.end(),
    ]

    expect(reader.isWhole()).toBe(true)
    expect(events).toEqual([
      { kind: 'start' },
      { kind: 'reasoningText', block: 0, text: 'hm' },
      { kind: 'blockStop', block: 0 },
      { kind: 'text', block: 1, text: 'yes' },
      { kind: 'blockStop', block: 1 },
      { kind: 'toolStart', block: 2, id: 'c0', name: 'f' },
      { kind: 'toolInput', block: 2, json: '{}' },
      { kind: 'blockStop', block: 2 },
      { kind: 'toolStart', block: 3, id: 'c1', name: 'g' },
      { kind: 'toolInput', block: 3, json: '{"a":' },
      { kind: 'toolInput', block: 3, json: '1}' },
      { kind: 'blockStop', block: 3 },
      { kind: 'stop', stopReason: 'tool_use' },
    ])
  })

  test.for(['nothing', '{"error":{"message":"no"}}', '[]'])('%s is no chunk', (data, { expect }) => {
    expect(new ChatChunkReader().read(data)).toBeUndefined()
  })

  test('that breaks off is not whole', ({ expect }) => {
    const reader = new ChatChunkReader()
    reader.read('{"choices":[{"delta":{"content":"ye"}}]}')
    reader.end()

    expect(reader.isWhole()).toBe(false)
  })
})

test.for([
  [429, '{"error":{"message":"slow down"}}', 'rate_limit_exceeded', true],
  [429, '{"error":{"message":"pay","code":"insufficient_quota"}}', 'rate_limit_exceeded', false],
  [401, '{"error":{"message":"bad key"}}', 'upstream_error', false],
  [503, 'busy', 'upstream_error', true],
  [400, '{"error":{"message":"x","code":"context_length_exceeded"}}', 'context_length_exceeded', false],
  [400, '{"error":"the context window is full"}', 'context_length_exceeded', false],
  [400, '{"message":"no such member"}', 'bad_request', false],
] as const)('%s with %s is %s', ([status, text, code, isRetryable], { expect }) => {
  expect(chatRefusal('shed', status, text, '3')).toMatchObject({ failure: { code }, isRetryable })
})

test.for([
  [400, 'invalid_request_error', 'messages: too few', {}, 'bad_request', false],
  [400, 'invalid_request_error', 'prompt is too long: 9 tokens > 8 maximum', {}, 'context_length_exceeded', false],
  [413, 'request_too_large', 'too many bytes', {}, 'request_too_large', false],
  [403, 'permission_error', 'not you', {}, 'upstream_error', false],
  [429, 'rate_limit_error', 'slowly', {}, 'rate_limit_exceeded', true],
  [429, 'rate_limit_error', 'spent', { 'x-should-retry': 'false' }, 'rate_limit_exceeded', false],
  [529, 'overloaded_error', 'Overloaded', {}, 'overloaded', true],
  [504, 'timeout_error', 'too slow', {}, 'upstream_error', false],
  [502, 'unheard_of', 'from a proxy', {}, 'upstream_error', true],
] as const)(
  'a refusal of %i %s (%s) in the messages dialect',
  ([status, type, message, more, code, isRetryable], { expect }) => {
    const headers: Record<string, string> = { 'retry-after': '3', ...more }
    const text = JSON.stringify({ type: 'error', error: { type, message } })

    expect(messagesRefusal('claude', status, text, (name) => headers[name])).toMatchObject({
      failure: { code, message: `claude: ${message}`, retryAfterSeconds: 3 },
      isRetryable,
    })
  },
)
