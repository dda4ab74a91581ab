import { afterAll, test } from 'vitest'
import { gatewayUnderTest, sonnet } from '../../support/gateway-under-test.ts'

// What a client of the reference API may send, route by route: it works, is ignored, or is refused in the documented way.

const under = await gatewayUnderTest({ ENABLE_PROMPT_CACHING: 'false' })
afterAll(() => under[Symbol.asyncDispose]())

async function send(path: string, json: object) {
  const before = under.bedrock.calls.length
  const answer = await under.call(path, { json })
  const body: unknown = await answer.json()
  const calls = under.bedrock.calls.slice(before).filter(({ target }) => target.startsWith('/model/'))
  return { status: answer.status, body, calls: calls.map((call) => call.body) }
}

const user = { role: 'user', content: 'hi' }
const turn = { role: 'user', content: [{ text: 'hi' }] }
const textB = 'vendor-b.embed-text-v2:0'
const routes = {
  '/chat/completions': { base: { model: sonnet, messages: [user] }, plain: { messages: [turn] } },
  '/responses': { base: { model: sonnet, input: 'hi' }, plain: { messages: [turn] } },
  '/completions': { base: { model: sonnet, prompt: 'hi' }, plain: { messages: [turn] } },
  '/embeddings': { base: { model: textB, input: 'hi' }, plain: { inputText: 'hi' } },
} as const
type Route = keyof typeof routes

const fn = (parameters?: object) => ({ type: 'function', function: { name: 'f', ...(parameters && { parameters }) } })
const toolOf = (json: object) => ({ toolConfig: { tools: [{ toolSpec: { name: 'f', inputSchema: { json } } }] } })
const noArguments = { type: 'object', properties: {} }
const askedForJson = {
  system: [{ text: 'Answer with exactly one JSON object and nothing else: no words around it and no code fence.' }],
}
const call = (more: object) => ({ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' }, ...more })

test.for<[what: string, route: Route, more: object, sent: object]>([
  ['probabilities', '/chat/completions', { logprobs: true, top_logprobs: 2 }, {}],
  [
    'penalties, bias, seed and user',
    '/chat/completions',
    { frequency_penalty: 1, presence_penalty: 1, logit_bias: { 1: 1 }, seed: 4, user: 'me' },
    {},
  ],
  [
    'what the vendor keeps and bills by',
    '/chat/completions',
    { store: true, metadata: { a: 'b' }, service_tier: 'auto', prompt_cache_key: 'k', safety_identifier: 's' },
    {},
  ],
  [
    'forms of output there are none of',
    '/chat/completions',
    { modalities: ['text'], audio: null, prediction: null, verbosity: 'low', web_search_options: {} },
    {},
  ],
  ['a field from the future', '/chat/completions', { not_yet: { known: true } }, {}],
  [
    'null for everything',
    '/chat/completions',
    { stop: null, tools: null, tool_choice: null, temperature: null, response_format: null, stream: null, n: null },
    {},
  ],
  [
    'null for what a model reads',
    '/chat/completions',
    { thinking: null, output_config: null, anthropic_beta: null, extra_body: null, reasoning_effort: null },
    {},
  ],
  ['one stop text', '/chat/completions', { stop: 'x' }, { inferenceConfig: { stopSequences: ['x'] } }],
  [
    'stop texts, blank ones apart',
    '/chat/completions',
    { stop: ['', 'x'] },
    { inferenceConfig: { stopSequences: ['x'] } },
  ],
  ['no stop texts', '/chat/completions', { stop: [] }, {}],
  ['the older limit', '/chat/completions', { max_tokens: 5 }, { inferenceConfig: { maxTokens: 5 } }],
  [
    'both limits',
    '/chat/completions',
    { max_tokens: 5, max_completion_tokens: 7 },
    { inferenceConfig: { maxTokens: 7 } },
  ],
  ['usage without a stream', '/chat/completions', { stream_options: { include_usage: true } }, {}],
  ['plain text as the format', '/chat/completions', { response_format: { type: 'text' } }, {}],
  ['any object as the format', '/chat/completions', { response_format: { type: 'json_object' } }, askedForJson],
  [
    'a format with a name only',
    '/chat/completions',
    { response_format: { type: 'json_schema', json_schema: { name: 'x' } } },
    askedForJson,
  ],
  ['no tools', '/chat/completions', { tools: [], tool_choice: 'auto', parallel_tool_calls: false }, {}],
  ['a tool without a schema', '/chat/completions', { tools: [fn()] }, toolOf(noArguments)],
  ['a tool with an empty schema', '/chat/completions', { tools: [fn({})] }, toolOf(noArguments)],
  [
    'a tool whose schema names no type',
    '/chat/completions',
    { tools: [fn({ properties: { x: {} }, required: ['x'] })] },
    toolOf({ type: 'object', properties: { x: {} }, required: ['x'] }),
  ],
  ['a tool that is not to be used', '/chat/completions', { tools: [fn()], tool_choice: 'none' }, {}],
  [
    'a developer’s word',
    '/chat/completions',
    { messages: [{ role: 'developer', content: [{ type: 'text', text: 'be' }] }, user] },
    { system: [{ text: 'be' }], messages: [turn] },
  ],
  [
    'a refusal as a part',
    '/chat/completions',
    { messages: [user, { role: 'assistant', content: [{ type: 'refusal', refusal: 'no' }] }, user] },
    { messages: [turn, { role: 'assistant', content: [{ text: 'no' }] }, turn] },
  ],
  [
    'a refusal as it was answered',
    '/chat/completions',
    { messages: [user, { role: 'assistant', content: null, refusal: 'no' }, user] },
    { messages: [turn, { role: 'assistant', content: [{ text: 'no' }] }, turn] },
  ],
  ['what is kept elsewhere', '/responses', { store: true, background: true, prompt_cache_key: 'k' }, {}],
  [
    'how much and how it is said',
    '/responses',
    {
      truncation: 'auto',
      text: { verbosity: 'low' },
      reasoning: { summary: 'auto' },
      top_logprobs: 2,
      max_tool_calls: 1,
    },
    {},
  ],
  ['more to include', '/responses', { include: ['file_search_call.results', 'reasoning.encrypted_content'] }, {}],
  ['any object as the format', '/responses', { text: { format: { type: 'json_object' } } }, askedForJson],
  [
    'a tool with an empty schema',
    '/responses',
    { tools: [{ type: 'function', name: 'f', parameters: {} }] },
    toolOf(noArguments),
  ],
  [
    'a choice among some tools',
    '/responses',
    {
      tools: ['f', 'g'].map((name) => ({ type: 'function', name, parameters: null })),
      tool_choice: { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'f' }] },
    },
    { toolConfig: { ...toolOf(noArguments).toolConfig, toolChoice: { any: {} } } },
  ],
  [
    'a tool the vendor runs',
    '/responses',
    { tools: [{ type: 'web_search' }], tool_choice: { type: 'web_search' } },
    {},
  ],
  [
    'tools of kinds that every object knows by birth',
    '/responses',
    { tools: ['constructor', 'toString', '__proto__'].map((type) => ({ type, name: 'f' })) },
    {},
  ],
  [
    'several answers, the best of some, and probabilities',
    '/completions',
    { n: 2, best_of: 3, logprobs: 1, user: 'me' },
    {},
  ],
  ['a null suffix', '/completions', { suffix: null }, {}],
  [
    'several prompts',
    '/completions',
    { prompt: ['a', 'b'] },
    { messages: [{ role: 'user', content: [{ text: 'a\nb' }] }] },
  ],
  ['a size', '/embeddings', { dimensions: 256 }, { inputText: 'hi', dimensions: 256 }],
  ['tokens', '/embeddings', { input: [15339, 1917] }, { inputText: 'hello world' }],
  ['a user', '/embeddings', { user: 'me' }, {}],
])('$0 is served on $1', async ([, route, more, sent], { expect }) => {
  const { base, plain } = routes[route]
  const answer = await send(route, { ...base, ...more })

  expect(answer.status).toBe(200)
  expect(answer.calls).toEqual([{ ...plain, ...sent }])
})

test.for<readonly [what: string, route: Route, more: object, param: string, code?: string]>([
  ['a limit of nothing', '/chat/completions', { max_completion_tokens: 0 }, 'max_completion_tokens'],
  ['a limit in letters', '/chat/completions', { max_tokens: '5' }, 'max_tokens'],
  ['an unknown format', '/chat/completions', { response_format: { type: 'grammar' } }, 'response_format.type'],
  [
    'a format without its schema',
    '/chat/completions',
    { response_format: { type: 'json_schema' } },
    'response_format.json_schema',
  ],
  ['a tool of an unknown kind', '/chat/completions', { tools: [{ type: 'web_search' }] }, 'tools[0].type'],
  [
    'a choice of a tool that is not there',
    '/chat/completions',
    { tools: [fn()], tool_choice: { type: 'function', function: { name: 'g' } } },
    'tool_choice',
  ],
  [
    'a choice among some tools',
    '/chat/completions',
    { tools: [fn()], tool_choice: { type: 'allowed_tools', allowed_tools: {} } },
    'tool_choice.allowed_tools.mode',
  ],
  [
    'sound without its bytes',
    '/chat/completions',
    { messages: [{ role: 'user', content: [{ type: 'input_audio', input_audio: {} }] }] },
    'messages[0].content[0].input_audio.data',
  ],
  [
    'a file that is kept elsewhere',
    '/chat/completions',
    { messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: 'file-1' } }] }] },
    'messages',
  ],
  ['more answers than one may ask for', '/chat/completions', { n: 9 }, 'n'],
  [
    'an image of the system',
    '/chat/completions',
    { messages: [{ role: 'system', content: [{ type: 'image_url', image_url: { url: 'x' } }] }] },
    'messages[0].content[0].type',
  ],
  ...[
    'svg+xml;base64,AAAA',
    'constructor;base64,AAAA',
    '__proto__;base64,AAAA',
    'png,AAAA',
    'png;base64,',
    'png;base64,A!A',
  ].map(
    (image) =>
      [
        `an image that begins ${image}`,
        '/chat/completions',
        { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: `data:image/${image}` } }] }] },
        'messages',
      ] as const,
  ),
  [
    'an image of a kind that every object knows by birth',
    '/responses',
    {
      input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'data:image/constructor;base64,AAAA' }] }],
    },
    'input[0]',
  ],
  [
    'a call without a name',
    '/chat/completions',
    { messages: [user, { role: 'assistant', tool_calls: [call({ function: { arguments: '{}' } })] }] },
    'messages[1].tool_calls[0].function.name',
  ],
  ['an effort nobody knows', '/chat/completions', { reasoning_effort: 'huge' }, 'reasoning_effort'],
  ['no messages', '/chat/completions', { messages: [] }, 'messages'],
  ['no input', '/responses', { input: null }, 'input'],
  [
    'a file',
    '/responses',
    { input: [{ role: 'user', content: [{ type: 'input_file', file_data: 'x' }] }] },
    'input[0]',
  ],
  [
    'an item that is kept elsewhere',
    '/responses',
    { input: [user, { type: 'item_reference', id: 'fc_1' }] },
    'input[1]',
  ],
  ['a suffix', '/completions', { suffix: 'x' }, 'suffix', 'unsupported'],
  ['tokens', '/completions', { prompt: [1, 2] }, 'prompt'],
  ['lists of tokens', '/completions', { prompt: [[1], [2]] }, 'prompt'],
  ['a size that is not offered', '/embeddings', { dimensions: 7 }, 'dimensions'],
  ['an encoding nobody knows', '/embeddings', { encoding_format: 'hex' }, 'encoding_format'],
  ['texts among tokens', '/embeddings', { input: ['a', 1] }, 'input'],
  ['a token that does not exist', '/embeddings', { input: [99_999_999] }, 'input'],
])('$0 is refused on $1', async ([, route, more, param, code = 'bad_request'], { expect }) => {
  const answer = await send(route, { ...routes[route].base, ...more })

  expect(answer.status).toBe(400)
  expect(answer.body).toEqual({
    error: { message: expect.any(String), type: 'invalid_request_error', code, param },
  })
  expect(answer.calls).toEqual([])
})
