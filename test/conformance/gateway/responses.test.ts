import type OpenAI from 'openai'
import { describe, test } from 'vitest'
import { messageAnswer, metadataStep, textSteps } from '../../../local/gateway/sandbox/provider-shapes.ts'
import type { Step } from '../../../local/gateway/sandbox/provider-wire.ts'
import { framesOf, gatewayUnderTest, opus, sonnet } from '../../support/gateway-under-test.ts'
import { openaiClient } from '../../support/openai-client.ts'

const encrypted = ['reasoning.encrypted_content' as const]
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

function callSteps(block: number, id: string, name: string, pieces: readonly string[]): readonly Step[] {
  return [
    { event: 'contentBlockStart', payload: { contentBlockIndex: block, start: { toolUse: { toolUseId: id, name } } } },
    ...pieces.map((input) => ({
      event: 'contentBlockDelta',
      payload: { contentBlockIndex: block, delta: { toolUse: { input } } },
    })),
    { event: 'contentBlockStop', payload: { contentBlockIndex: block } },
  ]
}

function reasoningSteps(block: number, text: string, signature: string): readonly Step[] {
  const delta = (reasoningContent: object) => ({
    event: 'contentBlockDelta',
    payload: { contentBlockIndex: block, delta: { reasoningContent } },
  })
  return [delta({ text }), delta({ signature }), { event: 'contentBlockStop', payload: { contentBlockIndex: block } }]
}

const start: Step = { event: 'messageStart', payload: { role: 'assistant' } }
const stop = (stopReason: string): Step => ({ event: 'messageStop', payload: { stopReason } })

interface Sent {
  readonly type: string
  readonly sequence_number: number
  readonly [field: string]: unknown
}

async function eventsOf(answer: Response): Promise<readonly Sent[]> {
  return framesOf(await answer.text()).map((frame) => {
    const event = JSON.parse(frame.data) as Sent
    if (event.type !== frame.event) throw new Error(`frame ${frame.event} carries ${event.type}`)
    return event
  })
}

describe('a whole answer', () => {
  test('has every required field, reasoning before the message, and the text', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    under.bedrock.next(
      messageAnswer([{ reasoningContent: { reasoningText: { text: 'Hmm.', signature: 'sig' } } }, { text: 'Yes.' }]),
    )
    const response = await openaiClient(under).responses.create({
      model: sonnet,
      input: 'hello',
      store: true,
    })

    expect(response.output_text).toBe('Yes.')
    expect(response).toMatchObject({
      id: expect.stringMatching(/^resp_[0-9a-f]{32}$/),
      object: 'response',
      created_at: expect.any(Number),
      status: 'completed',
      error: null,
      incomplete_details: null,
      instructions: null,
      metadata: {},
      model: sonnet,
      parallel_tool_calls: true,
      temperature: null,
      top_p: null,
      tool_choice: 'auto',
      tools: [],
      output: [
        { id: expect.stringMatching(/^rs_/), type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hmm.' }] },
        {
          id: expect.stringMatching(/^msg_/),
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: 'Yes.', annotations: [] }],
        },
      ],
      usage: {
        input_tokens: 11,
        input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
        output_tokens: 7,
        output_tokens_details: { reasoning_tokens: 1 },
        total_tokens: 18,
      },
    })
    expect(JSON.stringify(response)).not.toContain('encrypted_content')
  })

  test('instructions, messages, images and limits reach the provider', async ({ expect }) => {
    await using under = await gatewayUnderTest({ ENABLE_PROMPT_CACHING: 'false' })
    await openaiClient(under).responses.create({
      model: sonnet,
      instructions: 'Be brief.',
      input: [
        { role: 'developer', content: 'Be kind.' },
        {
          type: 'message',
          role: 'user',
          content: [
            { type: 'input_text', text: 'What is this?' },
            { type: 'input_image', image_url: `data:image/png;base64,${png}`, detail: 'auto' },
          ],
        },
        {
          type: 'message',
          id: 'msg_1',
          status: 'completed',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'A dot.', annotations: [] }],
        },
        { role: 'user', content: 'Sure?' },
      ],
      max_output_tokens: 50,
      temperature: 0.4,
    })

    expect(under.bedrock.callsOf('converse')[0]?.body).toEqual({
      system: [{ text: 'Be brief.' }, { text: 'Be kind.' }],
      messages: [
        { role: 'user', content: [{ text: 'What is this?' }, { image: { format: 'png', source: { bytes: png } } }] },
        { role: 'assistant', content: [{ text: 'A dot.' }] },
        { role: 'user', content: [{ text: 'Sure?' }] },
      ],
      inferenceConfig: { maxTokens: 50, temperature: 0.4 },
    })
  })

  test('temperature and top_p are passed to the provider', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    await openaiClient(under).responses.create({
      model: 'amazon.nova-pro-v1:0',
      input: 'hi',
      temperature: 0.4,
      top_p: 0.5,
    })

    expect(under.bedrock.callsOf('converse')[0]?.body['inferenceConfig']).toEqual({ temperature: 0.4, topP: 0.5 })
  })

  test('sampling is left out where the model rejects it, effort is mapped', async ({ expect }) => {
    await using under = await gatewayUnderTest({ ENABLE_PROMPT_CACHING: 'false' })
    await openaiClient(under).responses.create({
      model: 'claude-opus-4-8',
      input: 'hi',
      temperature: 0.4,
      top_p: 0.5,
      reasoning: { effort: 'low' },
    })

    expect(under.bedrock.callsOf('converse')[0]?.body).toEqual({
      messages: [{ role: 'user', content: [{ text: 'hi' }] }],
      additionalModelRequestFields: {
        thinking: { type: 'adaptive', display: 'summarized' },
        output_config: { effort: 'low' },
      },
    })
  })

  test.for([
    ['json_schema', { type: 'json_schema', name: 'p', schema: { type: 'object', properties: {} } }],
    ['json_object', { type: 'json_object' }],
  ] as const)(
    'text.format %s is served where there is structured output, else refused',
    async ([, format], { expect }) => {
      await using under = await gatewayUnderTest()
      const ask = (model: string) => openaiClient(under).responses.create({ model, input: 'hi', text: { format } })
      await ask(sonnet)

      const [asked] = under.bedrock.callsOf('converse')
      if (format.type === 'json_object') expect(asked?.body).not.toHaveProperty('outputConfig')
      else expect(asked?.body).toHaveProperty('outputConfig.textFormat.structure.jsonSchema.schema')
      await expect(ask('amazon.nova-pro-v1:0')).rejects.toMatchObject({ status: 400, code: 'bad_request' })
    },
  )

  test.for([
    ['max_tokens', 'max_output_tokens'],
    ['content_filtered', 'content_filter'],
  ] as const)('the stop reason %s ends it as incomplete: %s', async ([stopReason, reason], { expect }) => {
    await using under = await gatewayUnderTest()
    under.bedrock.next(messageAnswer([{ text: 'cut' }], stopReason), { steps: textSteps(['cut'], stopReason) })
    const whole = await openaiClient(under).responses.create({ model: sonnet, input: 'hi' })
    const events = await eventsOf(
      await under.call('/responses', { json: { model: sonnet, input: 'hi', stream: true } }),
    )

    expect(whole).toMatchObject({ status: 'incomplete', incomplete_details: { reason } })
    expect(events.at(-1)).toMatchObject({
      type: 'response.incomplete',
      response: { status: 'incomplete', incomplete_details: { reason } },
    })
  })

  test.for([
    ['no input', {}],
    ['a number as input', { input: 5 }],
    ['a message without a role', { input: [{ type: 'message', content: 'x' }] }],
    ['a file', { input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'f' }] }] }],
    ['an item of no kind', { input: [{ role: 'user', content: 'Hi' }, { content: 'Left out?' }] }],
    [
      'a tool given twice',
      {
        input: 'x',
        tools: [
          { type: 'function', name: 'f' },
          { type: 'function', name: 'f' },
        ],
      },
    ],
    ['malformed reasoning', { input: [{ type: 'reasoning', encrypted_content: 'bedrock-reasoning-v1:%%' }] }],
    ['a choice of an unknown tool', { input: 'x', tool_choice: { type: 'function', name: 'g' } }],
  ] as const)('%s is refused with 400', async ([, body], { expect }) => {
    await using under = await gatewayUnderTest()
    const answer = await under.call('/responses', { json: { model: sonnet, ...body } })

    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: { code: 'bad_request', type: 'invalid_request_error' } })
    expect(under.bedrock.callsOf('converse')).toEqual([])
  })
})

describe('a streamed answer', () => {
  test('sends the events of a message in the exact order, numbered, with no [DONE]', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    under.bedrock.next({ steps: textSteps(['Hel', 'lo']) })
    const answer = await under.call('/responses', { json: { model: sonnet, input: 'hi', stream: true } })
    const text = await answer.clone().text()
    const events = await eventsOf(answer)

    expect(text).not.toContain('[DONE]')
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index))
    expect(events.map((event) => event.type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ])
    expect(events[0]).toMatchObject({ response: { status: 'in_progress', output: [], usage: null } })
    expect(events.at(-1)).toMatchObject({
      response: { status: 'completed', usage: { total_tokens: 18 }, output: [{ type: 'message' }] },
    })
  })

  test('sends reasoning as a summary before the message', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    under.bedrock.next({
      steps: [
        start,
        ...reasoningSteps(0, 'Hmm.', 'sig'),
        ...textSteps(['Yes.'])
          .slice(1)
          .map((step) => moved(step, 1)),
      ],
    })
    const events = await eventsOf(
      await under.call('/responses', { json: { model: sonnet, input: 'hi', stream: true } }),
    )

    expect(events.map((event) => event.type).slice(2, 9)).toEqual([
      'response.output_item.added',
      'response.reasoning_summary_part.added',
      'response.reasoning_summary_text.delta',
      'response.reasoning_summary_text.done',
      'response.reasoning_summary_part.done',
      'response.output_item.done',
      'response.output_item.added',
    ])
    expect(events[4]).toMatchObject({ output_index: 0, summary_index: 0, delta: 'Hmm.' })
  })

  test('passes the strict accumulator of the official client, with every kind of tool', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    under.bedrock.next({
      steps: [
        start,
        ...reasoningSteps(0, 'Think.', 'sig'),
        ...textSteps(['Working.'])
          .slice(1, 3)
          .map((step) => moved(step, 1)),
        ...callSteps(2, 'c1', 'plan', ['{"st', 'ep":1}']),
        ...callSteps(3, 'c2', 'apply_patch', ['{"inp', 'ut":"a\\', 'n\\u00', 'e9b"}']),
        ...callSteps(4, 'c3', 'git__log', []),
        ...callSteps(5, 'c4', 'local_shell', ['{"command":["ls"]}']),
        stop('tool_use'),
        metadataStep(),
      ],
    })
    const stream = openaiClient(under).responses.stream({
      model: sonnet,
      input: 'do it',
      include: encrypted,
      tools: [
        { type: 'function', name: 'plan', parameters: { type: 'object' }, strict: null },
        { type: 'custom', name: 'apply_patch', description: 'patches' },
        {
          type: 'namespace',
          name: 'git',
          description: 'git',
          tools: [{ type: 'function', name: 'log', parameters: null, strict: null }],
        },
        { type: 'local_shell' },
        { type: 'web_search' },
      ],
    })
    const deltas: string[] = []
    stream.on(
      'response.custom_tool_call_input.delta' as never,
      ((event: { delta: string }) => deltas.push(event.delta)) as never,
    )
    const response = await stream.finalResponse()

    expect(response.output).toMatchObject([
      { type: 'reasoning', encrypted_content: expect.stringMatching(/^bedrock-reasoning-v1:/) },
      { type: 'message' },
      { type: 'function_call', call_id: 'c1', name: 'plan', arguments: '{"step":1}', status: 'completed' },
      { type: 'custom_tool_call', call_id: 'c2', name: 'apply_patch', input: 'a\néb' },
      { type: 'function_call', call_id: 'c3', name: 'log', namespace: 'git', arguments: '{}' },
      {
        type: 'local_shell_call',
        call_id: 'c4',
        action: { type: 'exec', command: ['ls'], env: {} },
        status: 'completed',
      },
    ])
    expect(deltas.join('')).toBe('a\néb')
    const sent = JSON.stringify(under.bedrock.callsOf('converse-stream')[0]?.body['toolConfig'])
    expect(sent).not.toContain('web_search')
  })

  test('the apply_patch tool is offered as a function and its call comes back with its operation', async ({
    expect,
  }) => {
    await using under = await gatewayUnderTest({ ENABLE_PROMPT_CACHING: 'false' })
    const operation = { type: 'update_file', path: 'a.txt', diff: '@@\n-a\n+b' }
    const json = JSON.stringify({ operation })
    under.bedrock.next(
      {
        steps: [
          start,
          ...callSteps(0, 'c1', 'apply_patch', [json.slice(0, 9), json.slice(9)]),
          stop('tool_use'),
          metadataStep(),
        ],
      },
      { steps: textSteps(['Done.']) },
    )
    const client = openaiClient(under)
    const tools: OpenAI.Responses.Tool[] = [{ type: 'apply_patch' }]
    const first = await client.responses.stream({ model: sonnet, input: 'patch it', tools }).finalResponse()
    await client.responses
      .stream({
        model: sonnet,
        tools,
        input: [
          { role: 'user', content: 'patch it' },
          ...(first.output as never[]),
          { type: 'apply_patch_call_output', call_id: 'c1', status: 'failed', output: 'no such file' },
        ],
      })
      .finalResponse()
    const [asked, continued] = under.bedrock.callsOf('converse-stream')

    expect(first.output).toMatchObject([{ type: 'apply_patch_call', call_id: 'c1', status: 'completed', operation }])
    expect(asked?.body['toolConfig']).toMatchObject({ tools: [{ toolSpec: { name: 'apply_patch' } }] })
    expect(continued?.body['messages']).toMatchObject([
      {},
      { content: [{ toolUse: { toolUseId: 'c1', name: 'apply_patch', input: { operation } } }] },
      { content: [{ toolResult: { toolUseId: 'c1', content: [{ text: 'no such file' }], status: 'error' } }] },
    ])
  })

  test('a tool call cut by the output limit is never called complete', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    under.bedrock.next({ steps: [start, ...callSteps(0, 'c1', 'plan', ['{"st']), stop('max_tokens'), metadataStep()] })
    const events = await eventsOf(
      await under.call('/responses', {
        json: { model: sonnet, input: 'hi', stream: true, tools: [{ type: 'function', name: 'plan', parameters: {} }] },
      }),
    )

    expect(events.at(-1)).toMatchObject({
      type: 'response.incomplete',
      response: { output: [{ type: 'function_call', status: 'incomplete' }] },
    })
    expect(JSON.stringify(events)).not.toContain('"status":"completed"')
  })

  test.for([
    ['throttlingException', 'rate_limit_exceeded'],
    ['serviceUnavailableException', 'server_is_overloaded'],
    ['modelStreamErrorException', 'server_is_overloaded'],
    ['internalServerException', 'server_is_overloaded'],
  ] as const)('%s after the start arrives as response.failed with %s', async ([exception, code], { expect }) => {
    await using under = await gatewayUnderTest()
    under.bedrock.next({
      steps: [...textSteps(['Hel']).slice(0, 2), { pauseMs: 10 }, { exception, message: 'because' }],
    })
    const events = await eventsOf(
      await under.call('/responses', { json: { model: sonnet, input: 'hi', stream: true } }),
    )

    expect(events.at(-1)).toMatchObject({
      type: 'response.failed',
      response: { status: 'failed', error: { code, message: 'because' } },
    })
    expect(events.filter((event) => event.type.startsWith('response.failed'))).toHaveLength(1)
  })

  test.for([
    ['Input is too long for requested model', 'context_length_exceeded'],
    ['something else is wrong', 'server_error'],
  ] as const)('a validation error after the start (%s) fails with %s', async ([message, code], { expect }) => {
    await using under = await gatewayUnderTest()
    under.bedrock.next({
      steps: [...textSteps(['Hel']).slice(0, 2), { pauseMs: 10 }, { exception: 'validationException', message }],
    })
    const events = await eventsOf(
      await under.call('/responses', { json: { model: sonnet, input: 'hi', stream: true } }),
    )

    expect(events.at(-1)).toMatchObject({ type: 'response.failed', response: { error: { code } } })
  })

  test('a cut connection after the start arrives as response.failed', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    under.bedrock.next({ steps: [...textSteps(['Hel']).slice(0, 2), { pauseMs: 10 }, { cut: true }] })
    const events = await eventsOf(
      await under.call('/responses', { json: { model: sonnet, input: 'hi', stream: true } }),
    )

    expect(events.at(-1)).toMatchObject({
      type: 'response.failed',
      response: { error: { code: 'server_is_overloaded' } },
    })
  })
})

function moved(step: Step, block: number): Step {
  return 'event' in step && 'contentBlockIndex' in step.payload
    ? { ...step, payload: { ...step.payload, contentBlockIndex: block } }
    : step
}

describe('a conversation of a coding agent over three turns', () => {
  const tools: OpenAI.Responses.Tool[] = [
    {
      type: 'function',
      name: 'exec_command',
      parameters: { type: 'object', properties: { cmd: { type: 'string' } } },
      strict: false,
    },
    {
      type: 'custom',
      name: 'apply_patch',
      format: { type: 'grammar', syntax: 'lark', definition: 'start: "*** Begin Patch"' },
    },
    { type: 'shell' },
    {
      type: 'namespace',
      name: 'functions',
      description: '',
      tools: [{ type: 'function', name: 'view', parameters: null, strict: null }],
    },
    { type: 'web_search' },
    { type: 'image_generation' },
    { type: 'file_search', vector_store_ids: ['v'] },
    { type: 'code_interpreter', container: 'c' },
  ]

  test('calls, outputs and signed reasoning come back to the provider as it sent them', async ({ expect }) => {
    await using under = await gatewayUnderTest({ ENABLE_PROMPT_CACHING: 'false' })
    const patch = '*** Begin Patch\n*** Add File: a\n+"é"\n*** End Patch'
    under.bedrock.next(
      {
        steps: [
          start,
          ...reasoningSteps(0, 'First look.', 'sig-1'),
          ...callSteps(1, 'c1', 'exec_command', ['{"cmd":"ls"}']),
          ...callSteps(2, 'c2', 'shell', ['{"commands":["pwd"]}']),
          stop('tool_use'),
          metadataStep(),
        ],
      },
      {
        steps: [
          start,
          ...reasoningSteps(0, 'Then patch.', 'sig-2'),
          ...callSteps(1, 'c3', 'apply_patch', [JSON.stringify({ input: patch })]),
          ...callSteps(2, 'c4', 'view', ['{}']),
          stop('tool_use'),
          metadataStep(),
        ],
      },
      { steps: textSteps(['Done.']) },
    )
    const client = openaiClient(under)
    const history: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'add a file' }]
    const turn = async () => {
      const response = await client.responses
        .stream({
          model: sonnet,
          store: false,
          instructions: 'Work.',
          input: history,
          tools,
          include: encrypted,
          reasoning: { effort: 'high' },
          max_output_tokens: 4_000,
        })
        .finalResponse()
      // A client of this kind drops item ids and readable reasoning, and keeps what it must send back.
      for (const { id: _, ...item } of response.output as { id?: string }[]) {
        history.push(
          (item as { type: string }).type === 'reasoning' ? ({ ...item, summary: [] } as never) : (item as never),
        )
      }
      return response
    }
    const first = await turn()
    history.push(
      { type: 'function_call_output', call_id: 'c1', output: 'a.txt' },
      {
        type: 'shell_call_output',
        call_id: 'c2',
        output: [{ stdout: '/w', stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
      },
    )
    const second = await turn()
    history.push(
      { type: 'custom_tool_call_output', call_id: 'c3', output: 'ok' },
      { type: 'function_call_output', call_id: 'c4', output: 'seen' },
    )
    const third = await turn()

    expect(first.output.map((item) => item.type)).toEqual(['reasoning', 'function_call', 'shell_call'])
    expect(second.output).toMatchObject([
      {},
      { type: 'custom_tool_call', input: patch },
      { type: 'function_call', name: 'view', namespace: 'functions' },
    ])
    expect(third.output_text).toBe('Done.')
    const last = under.bedrock.callsOf('converse-stream')[2]?.body
    expect(last?.['messages']).toEqual([
      { role: 'user', content: [{ text: 'add a file' }] },
      {
        role: 'assistant',
        content: [
          { reasoningContent: { reasoningText: { text: 'First look.', signature: 'sig-1' } } },
          { toolUse: { toolUseId: 'c1', name: 'exec_command', input: { cmd: 'ls' } } },
          { toolUse: { toolUseId: 'c2', name: 'shell', input: { commands: ['pwd'] } } },
        ],
      },
      {
        role: 'user',
        content: [
          { toolResult: { toolUseId: 'c1', content: [{ text: 'a.txt' }] } },
          {
            toolResult: {
              toolUseId: 'c2',
              content: [{ text: '[{"stdout":"/w","stderr":"","outcome":{"type":"exit","exit_code":0}}]' }],
            },
          },
        ],
      },
      {
        role: 'assistant',
        content: [
          { reasoningContent: { reasoningText: { text: 'Then patch.', signature: 'sig-2' } } },
          { toolUse: { toolUseId: 'c3', name: 'apply_patch', input: { input: patch } } },
          { toolUse: { toolUseId: 'c4', name: 'view', input: {} } },
        ],
      },
      {
        role: 'user',
        content: [
          { toolResult: { toolUseId: 'c3', content: [{ text: 'ok' }] } },
          { toolResult: { toolUseId: 'c4', content: [{ text: 'seen' }] } },
        ],
      },
    ])
    const names = (last?.['toolConfig'] as { tools: { toolSpec: { name: string } }[] } | undefined)?.tools.map(
      (tool) => tool.toolSpec.name,
    )
    expect(names).toEqual(['exec_command', 'apply_patch', 'shell', 'view'])
    expect(last).toMatchObject({ additionalModelRequestFields: { thinking: { type: 'enabled' } } })
  })

  test('reasoning of another model is left out', async ({ expect }) => {
    await using under = await gatewayUnderTest({ ENABLE_PROMPT_CACHING: 'false' })
    under.bedrock.next(
      messageAnswer([{ reasoningContent: { reasoningText: { text: 'Mine.', signature: 's' } } }, { text: 'x' }]),
    )
    const client = openaiClient(under)
    const { output } = await client.responses.create({ model: sonnet, input: 'hi', include: encrypted })
    await client.responses.create({
      model: opus,
      input: [{ role: 'user', content: 'hi' }, ...(output as never[]), { role: 'user', content: 'go on' }],
    })

    expect(JSON.stringify(under.bedrock.callsOf('converse')[1]?.body)).not.toContain('Mine.')
  })

  test('nothing of one call is used in the next', async ({ expect }) => {
    await using under = await gatewayUnderTest({ ENABLE_PROMPT_CACHING: 'false' })
    const client = openaiClient(under)
    await client.responses.create({ model: sonnet, input: 'my secret is 42', store: true })
    await client.responses.create({ model: sonnet, input: 'hello' })

    expect(under.bedrock.callsOf('converse')[1]?.body['messages']).toEqual([
      { role: 'user', content: [{ text: 'hello' }] },
    ])
  })
})

test('reasoning without its seal is named, since nothing of it reaches the model', async ({ expect }) => {
  await using under = await gatewayUnderTest()
  const summary = [{ type: 'summary_text', text: 'hm' }]
  const input = [
    { role: 'user', content: 'hi' },
    { type: 'reasoning', id: 'rs_of_another', summary },
  ]
  const answer = await under.call('/responses', { json: { model: sonnet, input } })

  expect(answer.headers.get('x-gateway-ignored')).toBe('input.reasoning')
})
