/** The assistant's model: what it may say, how it may fail, and what the owner sets up and tries out. */
import { env } from 'cloudflare:workers'
import { beforeEach, describe, inject, test, vi } from 'vitest'
import { appPrefix, consolePrefix } from '../../../../workers/app/app.ts'
import type { Reason } from '../../../../workers/app/core/reason/reason.ts'
import {
  modelListBytesMax,
  modelNameCharactersMax,
  modelsListedMax,
  runStepsMax,
  runTextBytesMax,
} from '../../../../workers/app/limits.ts'
import { modelScript } from '../../../support/model-script.ts'
import { calls, type ScriptedAnswer, says } from '../../../support/stand-in-model.ts'
import { makeToken, send } from '../../../support/workerd/app-client.ts'
import {
  ask,
  begin,
  cancel,
  isEnd,
  modelKey,
  read,
  settingsOf,
  setUpAssistant,
  until,
} from '../../../support/workerd/assistant.ts'

const settingsPath = `${consolePrefix}/settings/assistant`

const { session, script } = await setUpAssistant('model')

beforeEach(() => script.forget())

/** What a question comes to. */
async function outcomeOf(...answers: readonly ScriptedAnswer[]) {
  await script.will(...answers)
  const { id, events } = await ask(session, '问')
  const end = events.at(-1)
  const { messages, partial, running } = await read(session, id)
  const left = (await script.seen()).left
  return { end, messages: messages.map(({ role, content }) => [role, content]), partial, running, left }
}

const notChat = ['模型服务的回答不是对话接口的格式', { kind: 'model.not_chat' }] as const
const cut = '模型服务的回答中途断开'

describe('what the service says in a conversation', () => {
  const write = (type: string, text: string) =>
    send('PUT', `${appPrefix}/templates/${type}`, session, { json: { title: '', text } })

  test('is in the words of the owner, from the next time on', async ({ expect }) => {
    const stream: ScriptedAnswer = { steps: [{ text: '一' }, { cut: true }] }
    expect((await write('assistant.failed', '没有答完（{{ reason }}）')).status).toBe(200)
    expect((await write('assistant.step_limit', '{{ steps }} 步用完了')).status).toBe(200)
    expect((await write('assistant.stopped', '{{ service }} 停下了')).status).toBe(200)

    expect((await outcomeOf(stream)).messages.at(-1)).toEqual(['notice', `没有答完（${cut}）`])
    const steps = Array.from({ length: runStepsMax }, () => calls(['get_downloader_stats', {}]))
    expect((await outcomeOf(...steps)).messages.at(-1)).toEqual(['notice', '12 步用完了'])
    await script.will({ steps: [{ text: '等' }, { gate: 'words' }] })
    const { body } = await begin(session, { message: '等一下' })
    await until(session, body.id, (event) => event.type === 'delta')
    await cancel(session, body.id)
    expect((await read(session, body.id)).messages.at(-1)).toMatchObject({ role: 'notice', content: 'Wharf 停下了' })

    for (const type of ['assistant.failed', 'assistant.step_limit', 'assistant.stopped']) await write(type, '')
    expect((await outcomeOf(stream)).messages.at(-1)).toEqual(['notice', `回答失败：${cut}`])
  })

  test('is said in the built-in words while those of the owner cannot be read', async ({ expect }) => {
    await env.DB.prepare('alter table message_templates rename to message_templates_away').run()
    const outcome = await outcomeOf({ steps: [{ text: '一' }, { cut: true }] })
    await env.DB.prepare('alter table message_templates_away rename to message_templates').run()

    expect(outcome.messages.at(-1)).toEqual(['notice', `回答失败：${cut}`])
  })
})

describe('a model that fails', () => {
  const faults: readonly (readonly [what: string, answer: ScriptedAnswer, error: string, reason: Reason])[] = [
    [
      'refuses the key',
      { status: 401, type: 'application/json', steps: [{ raw: '{"error":{"message":"bad key"}}' }] },
      '模型服务拒绝了密钥',
      { kind: 'model.refused', status: 401 },
    ],
    ['forbids', { status: 403, steps: [] }, '模型服务拒绝了密钥', { kind: 'model.refused', status: 403 }],
    [
      'has no such model',
      { status: 404, type: 'application/json', steps: [{ raw: '{"error":{"message":"no model"}}' }] },
      '模型服务没有这个地址或模型',
      { kind: 'model.refused', status: 404 },
    ],
    ['is busy', { status: 429, steps: [] }, '模型服务正忙或额度已用完', { kind: 'model.refused', status: 429 }],
    [
      'refuses the request',
      { status: 400, steps: [{ raw: '{"error":"tools?"}' }] },
      '模型服务不接受这个请求（400）',
      { kind: 'model.refused', status: 400 },
    ],
    [
      'breaks',
      { status: 500, steps: [{ raw: '<html>' }] },
      '模型服务出错（500）',
      { kind: 'model.refused', status: 500 },
    ],
    [
      'leads elsewhere',
      { status: 307, headers: { location: 'http://127.0.0.1:1/' }, steps: [] },
      '模型服务要求转到别的地址',
      { kind: 'model.refused', status: 307 },
    ],
    ['says nothing', { steps: [] }, ...notChat],
    ['speaks no JSON', { steps: [{ raw: 'data: hello\n\n' }] }, ...notChat],
    ['speaks another JSON', { steps: [{ raw: 'data: {"choices":"none"}\n\n' }] }, ...notChat],
    ['answers with a page', { type: 'text/html', steps: [{ raw: '<html>hello</html>' }] }, ...notChat],
    [
      'says in its stream that it failed',
      { steps: [{ raw: 'event: error\ndata: {"error":{"message":"overloaded"}}\n\n' }] },
      '模型服务在回答中报告了错误',
      { kind: 'model.failed' },
    ],
    [
      'will not answer this',
      { steps: [{ end: 'content_filter' }, { done: true }] },
      '模型拒绝回答这个问题',
      { kind: 'model.filtered' },
    ],
    [
      'answers with nothing',
      { steps: [{ end: 'stop' }, { done: true }] },
      '模型没有给出回答',
      { kind: 'run.no_answer' },
    ],
    [
      'writes an event without end',
      { steps: [{ raw: `data: ${'x'.repeat(1024 * 1024 + 1)}` }, { gate: 'never' }] },
      '模型服务的回答过大',
      { kind: 'model.too_large' },
    ],
  ]

  test.each(faults)(
    '%s: the run fails, says why in a notice, and can be asked again',
    async (_, answer, error, reason) => {
      const outcome = await outcomeOf(answer)

      const wanted = {
        end: { type: 'run_finished', status: 'failed', error, reason },
        messages: [
          ['user', '问'],
          ['notice', `回答失败：${error}`],
        ],
        partial: '',
        running: false,
      }
      const { seq: _seq, at: _at, ...end } = outcome.end ?? {}
      if (JSON.stringify({ ...outcome, end, left: undefined }) !== JSON.stringify(wanted))
        throw new Error(JSON.stringify(outcome))
      const next = await outcomeOf(says('好了'))
      if (next.end?.type !== 'run_finished' || next.end.status !== 'done') throw new Error(JSON.stringify(next))
    },
  )

  test('in the middle keeps what it had written, wherever the stream is cut', async ({ expect }) => {
    const steps = [...'一二三四五'].map((text) => ({ text }))
    for (let at = 1; at <= steps.length; at += 1) {
      const outcome = await outcomeOf({ steps: [...steps.slice(0, at), { cut: true }] })
      expect(outcome.end).toMatchObject({ status: 'failed', error: cut })
      const said = outcome.messages.find(([role]) => role === 'assistant')?.[1] ?? ''
      expect('一二三四五'.startsWith(said)).toBe(true)
      expect(outcome.messages.at(-1)).toEqual(['notice', `回答失败：${cut}`])
    }
  })

  test('and stops without a word about the end has not ended: half a tool call is none', async ({ expect }) => {
    const half = { call: { index: 0, id: 'c', name: 'delete_torrent', args: '{"targets":[' } } as const
    for (const answer of [
      { steps: [half] },
      { steps: [half, { end: 'length' as const }] },
      { steps: [half, { cut: true as const }] },
    ]) {
      const outcome = await outcomeOf(answer)
      expect(outcome.messages.some(([role]) => role === 'tool')).toBe(false)
    }
  })

  test('cannot be reached: said so, without its address', async ({ expect }) => {
    await send('PUT', settingsPath, session, {
      json: settingsOf(script, { address: 'http://127.0.0.1:1/secret-path' }),
    })
    const outcome = await outcomeOf()
    await send('PUT', settingsPath, session, { json: settingsOf(script) })

    expect(outcome.end).toMatchObject({ status: 'failed', error: '无法连接模型服务' })
    expect(JSON.stringify(outcome)).not.toContain('127.0.0.1')
  })

  test('that was switched off in the meantime ends the run at its next step', async ({ expect }) => {
    const [call] = calls(['get_downloader_stats', {}]).steps
    await script.will({ steps: [{ text: '查' }, { gate: 'off' }, ...(call ? [call] : []), { end: 'tool_calls' }] })
    const { body } = await begin(session, { message: '问' })
    await until(session, body.id, (event) => event.type === 'delta')
    await send('PUT', settingsPath, session, { json: settingsOf(script, { enabled: false }) })
    await script.open('off')
    const events = await until(session, body.id, isEnd)
    await send('PUT', settingsPath, session, { json: settingsOf(script) })

    expect(events.at(-1)).toMatchObject({ status: 'failed', error: '助手已停用' })
  })
})

describe('a model that answers', () => {
  test('at once instead of in a stream is understood', async ({ expect }) => {
    const whole = { choices: [{ message: { content: '整个回答' }, finish_reason: 'stop' }] }
    const outcome = await outcomeOf({ type: 'application/json', steps: [{ raw: JSON.stringify(whole) }] })

    expect(outcome.messages.at(-1)).toEqual(['assistant', '整个回答'])
  })

  test('in bytes that are split anywhere, with comments and other line ends, is understood', async ({ expect }) => {
    const line = (text: string) =>
      `: still here\r\ndata: ${JSON.stringify({ choices: [{ delta: { content: text } }] })}\r\n\r\n`
    const end = 'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
    const bytes = `${line('多')}${line('字节')}${end}`
    const outcome = await outcomeOf({ steps: [...bytes].map((raw) => ({ raw })) })

    expect(outcome.messages.at(-1)).toEqual(['assistant', '多字节'])
  })

  test('and leaves the connection open is not waited for', async ({ expect }) => {
    const outcome = await outcomeOf({ steps: [{ text: '好' }, { end: 'stop' }, { done: true }, { gate: 'forever' }] })

    expect(outcome.end).toMatchObject({ status: 'done' })
    await expect.poll(async () => (await script.seen()).open).toBe(0)
  })

  test('with its thoughts first: they are not shown and not stored', async ({ expect }) => {
    const outcome = await outcomeOf(says('<th', 'ink>想一', '想</thi', 'nk>\n\n', '答案'))

    expect(outcome.messages.at(-1)).toEqual(['assistant', '答案'])
    expect(JSON.stringify(outcome)).not.toContain('想')
  })

  test('up to its own bound is stored, and the end says that it may be incomplete', async ({ expect }) => {
    const outcome = await outcomeOf({ steps: [{ text: '半' }, { end: 'length' }, { done: true }] })

    expect(outcome.end).toMatchObject({ status: 'done' })
    expect(outcome.messages.slice(1)).toEqual([
      ['assistant', '半'],
      ['notice', '已达到模型的输出上限，回答可能不完整。'],
    ])
  })

  test('up to its own bound says so in the owner’s language', async ({ expect }) => {
    const choose = (language: string) =>
      send('PUT', `${consolePrefix}/settings/locale`, session, { json: { time_zone: '', language } })
    await choose('en')
    const outcome = await outcomeOf({ steps: [{ text: 'half' }, { end: 'length' }, { done: true }] })
    await choose('zh')

    expect(outcome.messages.at(-1)).toEqual(['notice', 'The model reached its limit, so the answer may not be whole.'])
  })

  test('within 256 KiB is whole, and beyond it is cut with a word', async ({ expect }) => {
    const part = 'x'.repeat(runTextBytesMax / 4)
    const whole = await outcomeOf(says(part, part, part, part))
    const more = await outcomeOf({
      steps: [{ text: part }, { text: part }, { text: part }, { text: part }, { text: 'y' }, { gate: 'on and on' }],
    })

    expect(whole.messages.at(-1)?.[1]).toHaveLength(runTextBytesMax)
    expect(more.messages.slice(1).map(([role]) => role)).toEqual(['assistant', 'notice'])
    expect(more.messages[1]?.[1]).toBe(part.repeat(4))
    expect(more.messages[2]?.[1]).toBe('回答过长，已截断。')
    await expect.poll(async () => (await script.seen()).open).toBe(0)
  })

  test('by tools only is asked twelve times, and then the run ends with a word', async ({ expect }) => {
    const outcome = await outcomeOf(
      ...Array.from({ length: runStepsMax }, () => calls(['get_downloader_stats', {}])),
      says('第十三步'),
    )

    expect(outcome.end).toMatchObject({ status: 'failed', error: '已达到一次回答的步数上限' })
    expect(outcome.messages.filter(([role]) => role === 'assistant')).toHaveLength(runStepsMax)
    expect(outcome.messages.at(-1)).toEqual(['notice', '已达到 12 步的上限，回答到此为止。'])
    // The last answer's call was not made: nobody would have read it.
    expect(outcome.messages.at(-2)).toEqual(['tool', '已达到步数上限，没有执行。'])
    expect(outcome.left).toBe(1)
    const next = await outcomeOf()
    expect(next.messages.at(-1)).toEqual(['assistant', '第十三步'])
  })

  test('in the twelfth step ends well', async ({ expect }) => {
    const outcome = await outcomeOf(
      ...Array.from({ length: runStepsMax - 1 }, () => calls(['get_downloader_stats', {}])),
      says('查完了'),
    )

    expect(outcome.end).toMatchObject({ status: 'done' })
    expect(outcome.messages.at(-1)).toEqual(['assistant', '查完了'])
  })
})

describe('the settings', () => {
  test('keep the key to themselves, and it stays when it is left out', async ({ expect }) => {
    const { api_key: _, ...rest } = settingsOf(script)
    const changed = await send('PUT', settingsPath, session, { json: { ...rest, model: 'other' } })
    const got = await send('GET', settingsPath, session)

    expect(changed.body).toEqual({
      enabled: true,
      endpoint: 'address',
      address: script.address,
      model: 'other',
      has_api_key: true,
    })
    expect(got.body).toEqual(changed.body)
    await outcomeOf(says('好'))
    expect((await script.seen()).visits.at(-1)).toMatchObject({
      authorization: `Bearer ${modelKey}`,
      requestId: expect.stringMatching(/^[\w-]{8,}$/),
      body: { model: 'other' },
    })
    const { results } = await env.DB.prepare(`select value, sealed from settings where name = 'assistant'`).all()
    expect(JSON.stringify(results)).not.toContain(modelKey)
    await send('PUT', settingsPath, session, { json: settingsOf(script) })
  })

  test.each([
    ['PUT', settingsPath],
    ['POST', `${settingsPath}/test`],
  ])('%s %s sends a stored key to no other place', async (method, path) => {
    const { api_key: _, enabled, ...rest } = settingsOf(script, { address: 'http://127.0.0.1:2' })
    const answer = await send(method, path, session, { json: method === 'PUT' ? { enabled, ...rest } : rest })

    if (answer.status !== 400 || answer.body.error !== 'invalid_argument' || !answer.body.message.includes('api_key'))
      throw new Error(JSON.stringify(answer))
  })

  test.each([
    ['no address', { address: '' }, 'invalid_argument'],
    ['a broken address', { address: 'http://' }, 'invalid_argument'],
    ['an address with a name in it', { address: 'http://me:pass@127.0.0.1' }, 'invalid_argument'],
    ['an address with a query', { address: 'http://127.0.0.1/?key=1' }, 'invalid_argument'],
    ['another scheme', { address: 'ftp://127.0.0.1' }, 'invalid_argument'],
    ['another endpoint', { endpoint: 'elsewhere' }, 'invalid_argument'],
    ['no model', { model: ' ' }, 'invalid_argument'],
    ['a model name that is too long', { model: 'm'.repeat(modelNameCharactersMax + 1) }, 'invalid_argument'],
    ['a model name of two lines', { model: 'a\nb' }, 'invalid_argument'],
    ['a key with a line in it', { api_key: 'a\nb' }, 'invalid_argument'],
    ['a switch that is none', { enabled: 'yes' }, 'invalid_body'],
    ['an unknown field', { surprise: 1 }, 'invalid_body'],
  ])('refuse %s and change nothing', async (_, change, error) => {
    const before = (await send('GET', settingsPath, session)).body
    const answer = await send('PUT', settingsPath, session, { json: settingsOf(script, change) })

    if (answer.status !== 400 || answer.body.error !== error) throw new Error(JSON.stringify(answer))
    const after = (await send('GET', settingsPath, session)).body
    if (JSON.stringify(after) !== JSON.stringify(before)) throw new Error(JSON.stringify(after))
  })

  test('are no part of the App API, whatever a token may do', async ({ expect }) => {
    const { caller } = await makeToken(session, ['app:read', 'app:write'])
    for (const method of ['GET', 'PUT', 'POST', 'DELETE'])
      for (const path of ['/assistant/settings', '/settings/assistant', '/assistant/status']) {
        const json = method === 'GET' ? {} : { json: settingsOf(script, { model: 'stolen' }) }
        const answer = await send(method, `${appPrefix}${path}`, caller, json)
        if (path !== '/assistant/status' || method !== 'GET') expect([404, 405]).toContain(answer.status)
      }
    expect(await send('GET', settingsPath, caller)).toMatchObject({ status: 401 })
    expect(await send('PUT', settingsPath, caller, { json: settingsOf(script) })).toMatchObject({ status: 401 })
    expect((await send('GET', settingsPath, session)).body.model).toBe('stand-in')
  })
})

describe('trying a model out', () => {
  const trial = modelScript(inject('standInModel'), 'trial')
  const tryOut = async (change: Readonly<Record<string, unknown>> = {}) => {
    const { enabled: _, ...rest } = settingsOf(trial, change)
    return (await send('POST', `${settingsPath}/test`, session, { json: rest })).body
  }

  test('says that it works, and whether it calls tools', async ({ expect }) => {
    await trial.will(calls(['wharf_check', {}]), says('好'))

    expect(await tryOut()).toEqual({ works: true, calls_tools: true })
    expect(await tryOut()).toEqual({ works: true, calls_tools: false })
  })

  test('says why it does not, with what the service said but for keys and addresses', async ({ expect }) => {
    const said = `no model x for ${modelKey} at https://inner.example.com/path?key=abc`
    await trial.will({ status: 404, steps: [{ raw: JSON.stringify({ error: { message: said } }) }] })

    const { works, error } = await tryOut()

    expect(works).toBe(false)
    expect(error).toContain('模型服务没有这个地址或模型：no model x for ***')
    for (const secret of [modelKey, 'inner.example.com', 'abc']) expect(error).not.toContain(secret)
  })

  test('stores nothing', async ({ expect }) => {
    const before = (await send('GET', settingsPath, session)).body
    await tryOut({ model: 'only tried' })

    expect((await send('GET', settingsPath, session)).body).toEqual(before)
  })

  describe('tells which models there are', () => {
    const list = (value: unknown, change: Partial<ScriptedAnswer> = {}): Promise<void> =>
      trial.lists({ type: 'application/json', steps: [{ raw: JSON.stringify(value) }], ...change })
    const named = (...ids: readonly unknown[]) => ids.map((id) => ({ id, object: 'model' }))

    test('beside what came of the trial, in their order and once each', async ({ expect }) => {
      await list({ object: 'list', data: named('big', 'small', 'big') })
      await trial.will(says('好'))

      expect(await tryOut()).toEqual({ works: true, calls_tools: false, models: ['big', 'small'] })
      expect((await trial.seen()).listed.at(-1)).toBe(`Bearer ${modelKey}`)
    })

    test('without a model none is tried', async ({ expect }) => {
      await list(named('only'))
      const before = (await trial.seen()).visits.length

      expect(await tryOut({ model: ' ' })).toEqual({
        works: false,
        error: '缺少字段 model',
        reason: { kind: 'field.missing', field: 'model', part: 'field' },
        models: ['only'],
      })
      expect((await trial.seen()).visits).toHaveLength(before)
    })

    test('up to the bound of names, and of what is no name nothing', async ({ expect }) => {
      const many = Array.from({ length: modelsListedMax + 1 }, (_, at) => `m${at}`)
      const longest = 'm'.repeat(modelNameCharactersMax)
      await list({ data: named(longest, `${longest}m`, 'a\nb', '', 7, null) })
      expect((await tryOut({ model: '' })).models).toEqual([longest])
      await list({ data: named(...many.slice(1)) })
      expect((await tryOut({ model: '' })).models).toHaveLength(modelsListedMax)
      await list({ data: named(...many) })
      expect((await tryOut({ model: '' })).models).toEqual(many.slice(0, -1))
    })

    test('up to the bound of bytes', async ({ expect }) => {
      const text = JSON.stringify(named('there'))
      const raw = (bytes: number) => ({ steps: [{ raw: text.padEnd(bytes) }] })
      await list([], raw(modelListBytesMax))
      expect((await tryOut({ model: '' })).models).toEqual(['there'])
      await list([], raw(modelListBytesMax + 1))
      expect(await tryOut({ model: '' })).not.toHaveProperty('models')
    })

    test.each<[string, ScriptedAnswer]>([
      ['has none', { status: 404, steps: [{ raw: JSON.stringify(named('hidden')) }] }],
      ['refuses the key', { status: 401, steps: [] }],
      ['leads elsewhere', { status: 307, headers: { location: '/at/elsewhere/models' }, steps: [] }],
      ['answers with a page', { type: 'text/html', steps: [{ raw: '<html>' }] }],
      ['lists something else', { steps: [{ raw: '{"data":["a","b"]}' }] }],
      ['breaks off', { steps: [{ raw: '[{"id":"a"}' }, { cut: true }] }],
    ])('and none where the service %s: the trial counts all the same', async (_, answer) => {
      await trial.lists(answer)
      await trial.will(says('好'))
      const tried = await tryOut()
      if (tried.works !== true || 'models' in tried) throw new Error(JSON.stringify(tried))
    })

    test('never to a place that is refused', async ({ expect }) => {
      const before = (await trial.seen()).listed.length
      for (const address of ['', 'ftp://127.0.0.1', 'http://me:pass@127.0.0.1', `${trial.address}?a=1`])
        expect(await tryOut({ model: '', address })).toMatchObject({ error: 'invalid_argument' })
      expect((await trial.seen()).listed).toHaveLength(before)
    })
  })

  test('by the own gateway says so when that has no key', async ({ expect }) => {
    expect(await tryOut({ endpoint: 'own', address: '' })).toEqual({
      works: false,
      error: '本机的模型网关没有可用的密钥',
      reason: { kind: 'model.no_gateway' },
    })
  })
})

test('the key and what was said reach no log line', async ({ expect }) => {
  const logged: string[] = []
  for (const level of ['log', 'error', 'warn', 'info'] as const)
    vi.spyOn(console, level).mockImplementation((...parts: unknown[]) => void logged.push(parts.map(String).join(' ')))
  const said = `Bearer ${modelKey} 机密的话`
  await outcomeOf({ status: 500, steps: [{ raw: JSON.stringify({ error: { message: said } }) }] })
  await outcomeOf({ steps: [{ text: '机密的话' }, { cut: true }] })
  vi.restoreAllMocks()

  expect(logged.filter((line) => line.includes('assistant_model_failed'))).toHaveLength(2)
  expect(logged.filter((line) => line.includes(modelKey) || line.includes('机密') || line.includes('问'))).toEqual([])
})
