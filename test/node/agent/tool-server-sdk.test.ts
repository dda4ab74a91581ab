/** What the official SDK's server asks of a client and offers beside tools. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, onTestFinished, test } from 'vitest'
import { toolsFoundMax, toolsToldMax } from '../../../local/agent/limits.ts'
import { runTools, startTestServer, type TestServer } from '../../support/agent-server.ts'

const program = path.resolve(import.meta.dirname, '../../support/sdk-tool-server.mjs')
let server: TestServer
let folder: string
let log: string

async function start(more = 0, settings: Record<string, unknown> = {}): Promise<void> {
  const shop = {
    type: 'local',
    command: [process.execPath, program, String(more)],
    environment: { SHOP_LOG: log },
    ...settings,
  }
  server = await startTestServer({ config: { mcp: { shop } } })
}

beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'sdk-tool-server-')))
  log = path.join(folder, 'log')
})
afterEach(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const logged = () => readFile(log, 'utf8').catch(() => '')
const call = (tool: string, id = tool) => ({ calls: [{ id, name: `shop_${tool}`, input: {} }] })
const done = { text: ['Done.'] }
const told = () => server.model.asked.at(-1)?.tools?.map((tool) => tool.function.name) ?? []

async function question(session: string, after?: string) {
  for (;;) {
    const { data } = (await server.send('GET', `/api/session/${session}/question`)).body
    if (data.length > 0 && data[0].id !== after) return data[0]
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

async function begin(...turns: Parameters<typeof server.model.script>): Promise<string> {
  server.model.script(...turns)
  const session = await server.createSession()
  await server.prompt(session, 'Go')
  return session
}

const callsOf = async (session: string) => JSON.stringify(await server.messages(session))

describe('a form of a tool server', { timeout: 120_000 }, () => {
  const reply = (session: string, id: string, answers: string[][]) =>
    server.send('POST', `/api/session/${session}/question/${id}/reply`, { answers })

  test('is a question of its session, and the values go to the server', async ({ expect }) => {
    await start()
    const session = await begin(call('order'), done)
    const asked = await question(session)
    expect(asked.questions).toMatchObject([
      { question: 'shop asks: What shall it be?\nName\nWhom it is for', header: 'Name', options: [], custom: true },
      { header: 'How many', options: [], custom: true },
      { header: 'Size', options: [{ label: 'Small' }, { label: 'Large' }], custom: false },
      { header: 'A gift', options: [{ label: 'Yes' }, { label: 'No' }], custom: false },
      { header: 'Note', options: [{ label: '(leave out)' }], custom: true },
    ])
    expect((await reply(session, asked.id, [['Ann'], ['2'], ['Large'], ['No'], ['(leave out)']])).status).toBe(204)
    await server.wait(session)
    expect(await logged()).toBe(
      'order {"action":"accept","content":{"name":"Ann","count":2,"size":"l","gift":false}}\n',
    )
    expect(await callsOf(session)).toContain('ordered:')
  })

  test('is asked again with what does not fit, some times', async ({ expect }) => {
    await start()
    const session = await begin(call('order'), done)
    let asked = await question(session)
    for (const [count, note] of [
      ['10', 'How many: needs a whole number, at least 1, at most 9'],
      ['1.5', 'How many: needs a whole number, at least 1, at most 9'],
    ] as const) {
      await reply(session, asked.id, [['Ann'], [count], ['Small'], ['Yes'], ['soon']])
      asked = await question(session, asked.id)
      expect(asked.questions[0].question).toContain(note)
    }
    await reply(session, asked.id, [['A'], ['1'], ['Small'], ['Yes'], ['soon']])
    await server.wait(session)
    expect(await logged()).toBe('order {"action":"cancel"}\n')
  })

  test('that the owner does not answer is declined, one whose turn he interrupts is cancelled', async ({ expect }) => {
    await start()
    const session = await begin(call('order'), done)
    const asked = await question(session)
    await server.send('POST', `/api/session/${session}/question/${asked.id}/reject`)
    await server.wait(session)
    expect(await logged()).toContain('order {"action":"decline"}')

    const other = await begin(call('order'), done)
    await question(other)
    await server.send('POST', `/api/session/${other}/interrupt`)
    expect((await server.send('GET', `/api/session/${other}/question`)).body.data).toEqual([])
  })

  test('has the time of its owner, however long a call may take', async ({ expect }) => {
    await start(0, { timeout: 1_000 })
    const session = await begin(call('order'), done)
    const asked = await question(session)
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    await reply(session, asked.id, [['Ann'], ['2'], ['Large'], ['No'], ['(leave out)']])
    await server.wait(session)
    expect(await logged()).toContain('"action":"accept"')
  })
})

describe('a page that a tool server wants opened', { timeout: 120_000 }, () => {
  const reply = (session: string, id: string, answer: string) =>
    server.send('POST', `/api/session/${session}/question/${id}/reply`, { answers: [[answer]] })

  test.for([
    ['I have been there', 'accept'],
    ['No', 'decline'],
  ] as const)('is shown to its owner, with its address; "%s" is told as %s', async ([answer, action], { expect }) => {
    await start()
    const session = await begin(call('page'), done)
    const asked = await question(session)
    expect(asked.questions).toMatchObject([
      {
        question: 'shop asks you to open a page of example.com:\nhttps://example.com/pay?order=1\nOpen it',
        options: [{ label: 'I have been there' }, { label: 'No' }],
        custom: false,
      },
    ])
    expect((await reply(session, asked.id, answer)).status).toBe(204)
    await server.wait(session)
    expect(await callsOf(session)).toContain(`"text":"${action}"`)
  })

  test.for(['http://example.com/', 'javascript:alert(1)', 'https://user:word@example.com/', 'file:///etc/passwd'])(
    'at %s is declined unasked',
    async (page, { expect }) => {
      await start(0, { environment: { SHOP_LOG: log, SHOP_PAGE: page } })
      const [outcome] = await runTools(server, call('page'), done)
      expect(outcome).toMatch(/refused|decline/)
    },
  )

  test('by refusing a call has that call made again once he was there', async ({ expect }) => {
    await start()
    const session = await begin(call('paid'), done)
    const asked = await question(session)
    expect(asked.questions[0].question).toContain('https://example.com/pay?order=2')
    await reply(session, asked.id, 'I have been there')
    await server.wait(session)
    expect(await callsOf(session)).toContain('paid after 2')

    const other = await begin(call('paid'), done)
    await reply(other, (await question(other)).id, 'No')
    await server.wait(other)
    expect(await callsOf(other)).toContain('waits for its page to be opened')
  })
})

test('a call that is interrupted is cancelled at its server', { timeout: 60_000 }, async ({ expect }) => {
  await start()
  const session = await begin(call('wait'), done)
  await expect.poll(logged, { timeout: 20_000 }).toContain('waits')
  await server.send('POST', `/api/session/${session}/interrupt`)
  await expect.poll(logged, { timeout: 20_000 }).toContain('cancelled')
})

describe('prompts of a tool server', { timeout: 60_000 }, () => {
  const commands = async () =>
    (await server.send('GET', '/api/command')).body.data.filter(({ name }: { name: string }) =>
      name.startsWith('shop_'),
    )

  test('are commands, with their arguments in order, and what they say is the prompt', async ({ expect }) => {
    await start()
    await expect.poll(commands, { timeout: 20_000 }).toHaveLength(2)
    expect((await commands())[0]).toEqual({
      name: 'shop_review',
      description: 'Reviews a file',
      template: '$file $focus',
    })
    server.model.script(done)
    const session = await server.createSession()
    expect((await server.prompt(session, '/shop_review a.ts its error handling')).status).toBe(200)
    await server.wait(session)
    expect(JSON.stringify(server.model.asked[0]?.messages)).toContain(
      'Review a.ts, above all its error handling.\\n\\nYou said:\\nI will.',
    )
    const policy = await server.send('GET', `/api/session/${session}/memory-policy`)
    expect(policy.body.data.generation).toBe('excluded')
  })

  test('that are named wrongly are only text, and one that fails is told', async ({ expect }) => {
    await start()
    server.model.script(done)
    const session = await server.firstTurn('/shop_nothing here')
    expect(JSON.stringify(server.model.asked[0]?.messages)).toContain('/shop_nothing here')
    const refused = await server.prompt(session, '/shop_broken')
    expect(refused.status).toBe(503)
    expect(refused.text).toContain('this prompt is out of order')
  })

  test('that come later are there when they are asked for again', async ({ expect }) => {
    await start()
    await expect.poll(commands, { timeout: 20_000 }).toHaveLength(2)
    await runTools(server, call('grow'), done)
    await expect.poll(commands, { timeout: 20_000 }).toHaveLength(3)
  })
})

describe('tools of servers', { timeout: 60_000 }, () => {
  /** The server has five of its own. */
  const ownTools = 5

  test('are all told of while they are few', async ({ expect }) => {
    await start(toolsToldMax - ownTools)
    await runTools(server, done)
    expect(told()).toContain('shop_send_mail')
    expect(told()).not.toContain('tool_search')
  })

  test('are searched when they are one too many, and those found can be called', async ({ expect }) => {
    await start(toolsToldMax - ownTools + 1)
    const search = { calls: [{ id: 's', name: 'tool_search', input: { query: 'mail a letter to the customer' } }] }
    const [found, sent] = await runTools(server, search, call('send_mail'), done)
    expect(server.model.asked[0]?.tools?.some((tool) => tool.function.name === 'shop_send_mail')).toBe(false)
    expect(found).toContain('shop_send_mail: Sends an electronic letter to a customer')
    expect((found?.match(/shop_\w+:/g) ?? []).length).toBeLessThanOrEqual(toolsFoundMax)
    expect(sent).toMatch(/^completed .*did send_mail/)
    expect(told()).toContain('shop_send_mail')
    expect(told()).not.toContain('shop_thing1')
  })
})

describe('a tool server that takes the later revision alone', { timeout: 60_000 }, () => {
  const later = path.resolve(import.meta.dirname, '../../support/later-tool-server.mjs')
  const sources = {
    'over standard input': async () => ({ type: 'local', command: [process.execPath, later] }),
    'at an address': async () => {
      const child = spawn(process.execPath, [later, 'http'], { stdio: ['ignore', 'pipe', 'inherit'] })
      onTestFinished(() => void child.kill('SIGKILL'))
      const [line] = (await once(child.stdout, 'data')) as [Buffer]
      return { type: 'remote', url: String(line).trim() }
    },
  }

  test.for(['over standard input', 'at an address'] as const)('%s is called, and asks', async (way, { expect }) => {
    server = await startTestServer({ config: { mcp: { shop: await sources[way]() } } })
    const session = await begin(call('greet'), done)
    const asked = await question(session)
    expect(asked.questions).toMatchObject([{ question: expect.stringContaining('shop asks: Who is it?') }])
    await server.send('POST', `/api/session/${session}/question/${asked.id}/reply`, { answers: [['Ann']] })
    await server.wait(session)
    expect(await callsOf(session)).toContain('hello Ann')
  })
})
