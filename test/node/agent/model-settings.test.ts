/** What the configuration says of models, of who uses them and of how much they are shown. */
import { readFile } from 'node:fs/promises'
import { afterEach, describe, test } from 'vitest'
import { summaryInstructions } from '../../../local/agent/core/compaction.ts'
import { startTestServer, type TestServer } from '../../support/agent-server.ts'
import { startFakeProvider } from '../../support/fake-providers.ts'
import { messagesModels } from '../../support/messages-request-rules.ts'
import { startMessagesStandIn } from '../../support/messages-stand-in.ts'

let server: TestServer

afterEach(() => server.close())

const variants = { high: { reasoningEffort: 'high', extra: { depth: 3 } }, low: { reasoningEffort: 'low' } }

/** The provider of every test server, with more said about its model. */
async function start(config: (provider: Record<string, unknown>) => Record<string, unknown>): Promise<void> {
  server = await startTestServer()
  server.model.ownMembers.add('extra')
  const provider = { baseURL: server.model.url, models: { one: { options: { seed: 7 }, variants }, two: {} } }
  await server.restart({ places: { ...emptyPlaces, inline: JSON.stringify(config({ ...provider })) } })
}

const emptyPlaces = { userFolder: '/nowhere', extraFile: undefined }

async function turn(more: Record<string, unknown> = {}): Promise<string> {
  server.model.script({ text: ['done'] })
  const session = await server.createSession()
  const admitted = await server.prompt(session, 'Go', more)
  if (admitted.status !== 200) throw new Error(admitted.text)
  await server.wait(session)
  return session
}

const asked = () => server.model.asked.at(-1) as unknown as Record<string, unknown>

describe('options of a model', () => {
  test('go with every request, those of its variant and of the agent over them', async ({ expect }) => {
    await start((fake) => ({
      model: 'fake/one',
      provider: { fake },
      agent: { build: { top_p: 0.25, temperature: 0.5, options: { seed: 9 } } },
    }))
    await turn()
    expect(asked()).toMatchObject({ model: 'one', top_p: 0.25, temperature: 0.5, seed: 9 })
    expect(asked()).not.toHaveProperty('reasoning_effort')

    await turn({ model: { providerID: 'fake', id: 'one', variant: 'high' } })
    expect(asked()).toMatchObject({ reasoning_effort: 'high', extra: { depth: 3 }, seed: 9 })

    await turn({ agent: 'plan' })
    expect(asked()).toMatchObject({ seed: 7 })
    expect(asked()).not.toHaveProperty('top_p')
  })

  test('a variant is chosen by an agent and by a command as well', async ({ expect }) => {
    await start((fake) => ({
      model: 'fake/one',
      provider: { fake },
      agent: { build: { variant: 'low' } },
      command: { think: { template: 'Think: $ARGUMENTS', model: 'fake/one', variant: 'high' } },
    }))
    await turn()
    expect(asked()).toMatchObject({ reasoning_effort: 'low' })

    server.model.script({ text: ['done'] })
    await server.firstTurn('/think hard')
    expect(asked()).toMatchObject({ reasoning_effort: 'high' })
  })

  test('one that the model does not have is told, and nothing is sent', async ({ expect }) => {
    await start((fake) => ({ model: 'fake/one', provider: { fake } }))
    const session = await server.firstTurn('Go', { model: { providerID: 'fake', id: 'one', variant: 'medium' } })

    expect(server.model.asked).toEqual([])
    expect((await server.messages(session)).at(-1)).toMatchObject({
      type: 'assistant',
      error: { message: 'The model fake/one has no variant "medium"; it has: high, low' },
    })
  })

  test('are in the catalogue, as are those of agents', async ({ expect }) => {
    await start((fake) => ({
      model: 'fake/one',
      provider: { fake },
      agent: { build: { model: 'fake/one', variant: 'low', top_p: 0.5, options: { seed: 1 } } },
    }))
    const models = (await server.send('GET', '/api/model')).body.data
    expect(models.find((model: { id: string }) => model.id === 'one')).toMatchObject({
      request: { headers: {}, body: { seed: 7 } },
      variants: [
        { id: 'high', headers: {}, body: variants.high },
        { id: 'low', headers: {}, body: variants.low },
      ],
    })
    expect((await server.send('GET', '/api/agent')).body.data[0]).toMatchObject({
      model: { providerID: 'fake', id: 'one', variant: 'low' },
      request: { body: { top_p: 0.5, seed: 1 } },
    })
  })

  test('are set for an agent by a file with a head alone, which leaves its prompt as it is', async ({ expect }) => {
    server = await startTestServer()
    await server.write('.svc/agent/plan.md', '---\ntemperature: 0.5\n---\n')
    await turn({ agent: 'plan' })
    expect(asked()).toMatchObject({ temperature: 0.5 })
    expect(JSON.stringify(asked()['messages'])).toContain('You plan only.')
  })

  test('of an agent that only the project names are not sent', async ({ expect }) => {
    server = await startTestServer()
    await server.write('svc.json', JSON.stringify({ agent: { build: { options: { seed: 666 }, top_p: 0.75 } } }))
    await server.write('.svc/agent/plan.md', '---\noptions:\n  seed: 667\n---\nPlan.')
    await turn()
    expect(asked()).toMatchObject({ top_p: 0.75 })
    expect(asked()).not.toHaveProperty('seed')
    await turn({ agent: 'plan' })
    expect(asked()).not.toHaveProperty('seed')
  })

  test.for([
    ['openai', 'reasoning', { effort: 'high' }],
    ['anthropic', 'thinking', { type: 'enabled', budget_tokens: 1_024 }],
    ['google', 'generationConfig', { thinkingConfig: { thinkingBudget: 512 } }],
  ] as const)('reach the interface of %s in its own words', async ([dialect, field, sent], { expect }) => {
    const provider = await startFakeProvider(dialect)
    const options = {
      openai: { reasoningEffort: 'high', forceReasoning: true },
      anthropic: { thinking: { type: 'enabled', budgetTokens: 1_024 } },
      google: { thinkingConfig: { thinkingBudget: 512 } },
    }[dialect]
    server = await startTestServer({
      config: {
        model: 'own/m',
        provider: {
          own: { package: `@ai-sdk/${dialect}`, baseURL: provider.url, apiKey: 'k', models: { m: { options } } },
        },
      },
    })
    await server.firstTurn('Go')

    expect(provider.requests[0]?.body[field]).toMatchObject(sent)
    await provider.close()
  })
})

test('only the providers that are enabled are used, and a project may only take more away', async ({ expect }) => {
  const one = { baseURL: 'http://127.0.0.1:9', models: { x: {} } }
  server = await startTestServer({
    config: { enabled_providers: ['one', 'two'], provider: { one, two: one, three: one } },
  })
  const used = async () =>
    (await server.send('GET', '/api/provider')).body.data.map((provider: { id: string }) => provider.id)
  expect(await used()).toEqual(['one', 'two'])

  await server.write('svc.json', JSON.stringify({ enabled_providers: ['two', 'three'] }))
  await expect.poll(used, { timeout: 20_000 }).toEqual(['two'])
})

describe('a summary', () => {
  const two = { model: 'fake/two', prompt: 'Sum it up.', temperature: 0.125 }

  test.for([
    ['compaction', { compaction: two }, 'two', 'Sum it up.'],
    ['summary', { summary: two }, 'two', 'Sum it up.'],
    [
      'compaction before summary',
      { compaction: two, summary: { model: 'fake/one', prompt: 'No.' } },
      'two',
      'Sum it up.',
    ],
    ['summary, as compaction words it', { compaction: { prompt: 'So.' }, summary: two }, 'two', 'So.'],
    [
      'summary, where the model of compaction cannot be used',
      { compaction: { model: 'gone/x' }, summary: two },
      'two',
      'Sum it up.',
    ],
    ['the session where summary names no model', { summary: { prompt: 'Sum it up.' } }, 'one', 'Sum it up.'],
    [
      'the session where both are off',
      { compaction: { disable: true }, summary: { disable: true } },
      'one',
      summaryInstructions,
    ],
  ] as const)('is written by the settings of %s', async ([, agent, model, prompt], { expect }) => {
    await start((fake) => ({ model: 'fake/one', provider: { fake }, agent }))
    const session = await turn()
    server.model.script({ text: ['SHORT'] })
    expect((await server.send('POST', `/api/session/${session}/compact`)).status).toBe(204)
    expect(server.model.asked).toHaveLength(2)
    const { temperature, messages } = asked() as { temperature?: number; messages: { content: string }[] }
    expect(asked()).toMatchObject({ model })
    expect(temperature).toBe(model === 'two' ? 0.125 : undefined)
    expect(messages[0]?.content).toBe(prompt)
    expect((await server.messages(session)).at(-1)).toMatchObject({ type: 'compaction', summary: 'SHORT' })
  })

  test('counts with what its model takes', async ({ expect }) => {
    server = await startTestServer()
    const models = { one: { cost: { input: 1, output: 1 } }, two: { cost: { input: 1_000_000, output: 0 } } }
    const config = { model: 'fake/one', provider: { fake: { baseURL: server.model.url, models } } }
    const inline = JSON.stringify({ ...config, agent: { summary: { model: 'fake/two' } } })
    await server.restart({ places: { ...emptyPlaces, inline } })
    server.model.script(
      { text: ['done'], usage: { prompt: 0, completion: 0 } },
      { text: ['SHORT'], usage: { prompt: 3, completion: 1 } },
    )
    const session = await server.firstTurn('Go')
    await server.send('POST', `/api/session/${session}/compact`)
    const { cost, tokens } = (await server.send('GET', `/api/session/${session}`)).body.data
    expect([cost, tokens.input, tokens.output]).toEqual([3, 3, 1])
  })
})

describe('the output of tools', () => {
  test.for([
    ['lines', { max_lines: 4 }, 4],
    ['bytes', { max_bytes: 256 }, undefined],
  ] as const)('is shown as far as its %s allow, and the rest is in a file', async ([, limits, lines], { expect }) => {
    server = await startTestServer({ config: { permission: { bash: 'allow' }, tool_output: limits } })
    server.model.script(
      { calls: [{ id: 'long', name: 'bash', input: { command: 'seq 1 500' } }] },
      { calls: [{ id: 'short', name: 'bash', input: { command: 'seq 1 2' } }] },
      { text: ['done'] },
    )
    const session = await server.firstTurn('Go')

    const states = (await server.messages(session)).flatMap((message) =>
      message.type === 'assistant'
        ? message.content.flatMap((part) =>
            part.type === 'tool' && part.state.status === 'completed' ? [part.state] : [],
          )
        : [],
    )
    const shown = states.map((state) => (state.content[0]?.type === 'text' ? state.content[0].text : ''))
    const kept = shown[0]?.split('\n').filter((line) => !line.includes('the whole output is in')) ?? []
    expect(await readFile(states[0]?.outputPaths?.[0] ?? '', 'utf8')).toContain('\n250\n')
    expect(kept.join('\n')).not.toContain('250')
    if (lines === undefined) expect(kept.join('\n').length).toBeLessThanOrEqual(256)
    else expect(kept).toHaveLength(lines)
    expect(shown[1]).toBe('1\n2\n(exit code 0)')
  })

  test('of one long line is cut between characters', async ({ expect }) => {
    server = await startTestServer({ config: { permission: { bash: 'allow' }, tool_output: { max_bytes: 257 } } })
    const command = "printf '\u{1F600}%.0s' $(seq 400)"
    server.model.script({ calls: [{ id: 'long', name: 'bash', input: { command } }] }, { text: ['done'] })
    await server.firstTurn('Go')

    const text = JSON.stringify(server.model.asked.at(-1)?.messages.at(-1)?.content)
    expect(text).not.toContain('\u{FFFD}')
    expect(text.match(/\u{1F600}+/gu)?.map((part) => [...part].length)).toEqual([32])
  })
})

test('a provider that is slow by nature is given the time its entry says, others theirs', async ({ expect }) => {
  server = await startTestServer()
  const silent = () => ({ text: [], hold: () => new Promise<void>((resolve) => setTimeout(resolve, 400)) })
  const provider = { baseURL: server.model.url, models: { one: {} } }
  const inline = JSON.stringify({
    model: 'slow/one',
    provider: { slow: { ...provider, timeout: 20_000 }, quick: provider },
  })
  await server.restart({ places: { ...emptyPlaces, inline }, modelQuietMsMax: 100, modelAttemptsMax: 1 })
  const outcome = async (providerID: string) => {
    server.model.script(silent())
    const session = await server.firstTurn('Go', { model: { providerID, id: 'one' } })
    return (await server.messages(session)).at(-1)
  }
  expect(await outcome('slow')).not.toHaveProperty('error')
  expect(await outcome('quick')).toMatchObject({ error: { message: 'The provider sent nothing for too long' } })
})

describe('what a model thought', () => {
  test('goes back signed with the outcome of its call, and not to another model', async ({
    expect,
    onTestFinished,
  }) => {
    const provider = await startMessagesStandIn()
    onTestFinished(() => provider.close())
    provider.callTool('list')
    const thinking = { thinking: { type: 'enabled', budgetTokens: 2000 } }
    await start((fake) => ({
      model: `anthropic/${messagesModels.budget}`,
      provider: {
        fake,
        anthropic: {
          apiKey: provider.key,
          baseURL: provider.url,
          models: { [messagesModels.budget]: { output: 4000, options: thinking } },
        },
      },
    }))
    const session = await turn()
    const said = await server.messages(session)
    expect(said.filter(({ type }) => type === 'assistant')).toMatchObject([
      {
        finish: 'tool-calls',
        content: [{ type: 'reasoning', provider: { metadata: { anthropic: {} } } }, { type: 'tool' }],
      },
      { finish: 'stop' },
    ])
    const [, second] = provider.calls
    expect(second?.body.messages.at(-2)?.content).toMatchObject([
      { type: 'thinking', thinking: 'Let me think.' },
      { type: 'tool_use' },
    ])

    await server.turn(session, 'And you?', { model: { providerID: 'fake', id: 'one' } })
    expect(JSON.stringify(asked())).not.toContain('Let me think.')
  })

  test.for([
    ['deepseek-v3.2', true],
    ['one', false],
  ] as const)('unsealed, by %s, goes back within its turn: %s', async ([id, goesBack], { expect }) => {
    await start((fake) => ({ model: `fake/${id}`, provider: { fake: { ...fake, models: { [id]: {} } } } }))
    server.model.script({ reasoning: ['Look first.'], calls: [{ id: 'c1', name: 'list', input: {} }] })
    const session = await turn()
    const [, , , reply] = [undefined, ...(asked()['messages'] as Record<string, unknown>[])]
    expect(reply?.['reasoning_content']).toBe(goesBack ? 'Look first.' : undefined)

    server.model.script({ text: ['more'] })
    await server.turn(session, 'Go on')
    expect(JSON.stringify(asked())).not.toContain('Look first.')
  })
})
