import path from 'node:path'
import { afterEach, describe, test } from 'vitest'
import { fallbackModelsMax } from '../../../local/agent/limits.ts'
import { startTestServer, type TestServer } from '../../support/agent-server.ts'
import type { ScriptedTurn } from '../../support/fake-model.ts'

let server: TestServer
afterEach(() => server.close())

const cost = { input: 1, output: 2 }

async function start(config: Record<string, unknown>): Promise<void> {
  server = await startTestServer()
  const models = { one: { cost }, two: { cost }, small: { cost: { input: 1_000_000, output: 0 } } }
  const provider = { fake: { baseURL: server.model.url, models } }
  await server.write('../config/svc.json', JSON.stringify({ model: 'fake/one', provider, ...config }))
}

async function turn(session: string, text: string): Promise<void> {
  await server.turn(session, text)
}

const models = () => server.model.asked.map(({ model }) => model)

describe('a model that is overloaded', { timeout: 60_000 }, () => {
  test('is asked again, then the next one that the owner named, until the turn ends', async ({ expect }) => {
    await start({ fallback: ['fake/two'] })
    const look = { calls: [{ id: 'c', name: 'list', input: {} }] }
    server.model.script({ status: 529 }, { status: 503 }, look, { text: ['Here.'] })
    const session = await server.createSession()
    await turn(session, 'Hello')
    expect(models()).toEqual(['one', 'one', 'two', 'two'])
    expect((await server.messages(session)).at(-1)).toMatchObject({ finish: 'stop', model: { id: 'two' } })

    server.model.script({ text: ['Again.'] })
    await turn(session, 'And now?')
    expect(models().at(-1)).toBe('one')
    expect((await server.send('GET', `/api/session/${session}`)).body.data.model).toBeUndefined()
  })

  test('ends the turn when the last of them is overloaded too', async ({ expect }) => {
    await start({ fallback: ['fake/two'] })
    server.model.otherwise({ status: 503 })
    const session = await server.createSession()
    await turn(session, 'Hello')
    expect(models()).toEqual(['one', 'one', 'two', 'two'])
    expect((await server.messages(session)).at(-1)).toMatchObject({ finish: 'error' })
  })

  test('is not left for a refusal, nor for a model that nobody named', async ({ expect }) => {
    await start({ fallback: ['fake/two'] })
    server.model.script({ status: 401 })
    await turn(await server.createSession(), 'Hello')
    expect(models()).toEqual(['one'])
    await server.close()
    await start({})
    server.model.otherwise({ status: 503 })
    await turn(await server.createSession(), 'Hello')
    expect(models()).toEqual(['one', 'one'])
  })

  test('has as many others as are allowed, and not one more', async ({ expect }) => {
    const names = Array.from({ length: fallbackModelsMax }, () => 'fake/two')
    await start({ fallback: names })
    expect((await server.send('GET', '/api/agent')).status).toBe(200)
    await server.close()
    await start({ fallback: [...names, 'fake/two'] })
    const refused = await server.send('GET', '/api/agent')
    expect([refused.status, refused.text]).toEqual([503, expect.stringContaining('fallback')])
  })

  test('is not replaced by what a project names', async ({ expect }) => {
    await start({})
    await server.write('svc.json', JSON.stringify({ fallback: ['fake/two'] }))
    server.model.otherwise({ status: 503 })
    await turn(await server.createSession(), 'Hello')
    expect(models()).not.toContain('two')
  })
})

describe('the name of a session', { timeout: 60_000 }, () => {
  const titled = { agent: { title: { model: 'fake/small' } } }
  const record = async (session: string) => (await server.send('GET', `/api/session/${session}`)).body.data

  test('is written by the model of the agent title, once, and what it cost is counted', async ({ expect }) => {
    await start(titled)
    server.model.otherwise(({ model }) =>
      model === 'small'
        ? { text: ['"Mend the ', 'claim"\nand more'], usage: { prompt: 3, completion: 1 } }
        : { text: ['Done.'], usage: { prompt: 0, completion: 0 } },
    )
    const session = await server.createSession()
    await turn(session, 'Please look why two workers take the same job')
    await expect.poll(async () => (await record(session)).title).toBe('Mend the claim')
    expect((await record(session)).cost).toBe(3)
    await turn(session, 'Go on')
    expect(models().filter((model) => model === 'small')).toHaveLength(1)
    const asked = server.model.asked.find(({ model }) => model === 'small')
    expect(JSON.stringify(asked?.messages)).toContain('two workers take the same job')
    expect(asked?.tools ?? []).toEqual([])
  })

  test.for<ScriptedTurn>([{ status: 500 }, { text: ['  '] }])(
    'stays its first line where the model gives none: %o',
    async (given, { expect }) => {
      await start(titled)
      server.model.otherwise(({ model }) => (model === 'small' ? given : { text: ['Done.'] }))
      const session = await server.createSession()
      await turn(session, 'First line\nsecond line')
      await expect.poll(() => models().includes('small')).toBe(true)
      expect((await record(session)).title).toBe('First line')
    },
  )

  test('is its first line where no model is named for it', async ({ expect }) => {
    await start({})
    server.model.otherwise({ text: ['Done.'] })
    const session = await server.createSession()
    await turn(session, 'First line')
    expect(models()).toEqual(['one'])
    expect((await record(session)).title).toBe('First line')
  })
})

test('rules that an editor keeps are told: some whole, some as what to read before which files', async ({ expect }) => {
  await start({})
  await server.write('.cursor/rules/always.mdc', '---\nalwaysApply: true\n---\nSay please.')
  await server.write(
    '.cursor/rules/web/styles.mdc',
    '---\ndescription: How styles are written\nglobs: *.css,src/**/*.{ts,tsx}\nalwaysApply: false\n---\nNever told.',
  )
  await server.write('.cursor/rules/by-hand.mdc', '---\ndescription:\nglobs:\nalwaysApply: false\n---\nNever told.')
  server.model.otherwise({ text: ['Done.'] })
  await turn(await server.createSession(), 'Go')
  const system = JSON.stringify(server.model.asked[0]?.messages[0])
  expect(system).toContain('Say please.')
  expect(system).toContain(
    `Rules for files that match *.css, src/**/*.{ts,tsx} (How styles are written): read ${path.join(server.project, '.cursor/rules/web/styles.mdc')}`,
  )
  expect(system).not.toContain('Never told.')
  expect(system).not.toContain('by-hand')
})

test('rules of a folder without AGENTS.md are those of CLAUDE.md', async ({ expect }) => {
  await start({})
  await server.write('CLAUDE.md', 'Say please.')
  server.model.otherwise({ text: ['Done.'] })
  await turn(await server.createSession(), 'Go')
  expect(JSON.stringify(server.model.asked[0]?.messages)).toContain('Say please.')
  await server.write('AGENTS.md', 'Say thanks.')
  await server.restart()
  await turn(await server.createSession(), 'Go')
  const system = JSON.stringify(server.model.asked[1]?.messages)
  expect(system).toContain('Say thanks.')
  expect(system).not.toContain('Say please.')
})
