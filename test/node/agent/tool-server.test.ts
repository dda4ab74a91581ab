import { stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, test } from 'vitest'
import { runTools, startTestServer, type TestServer } from '../../support/agent-server.ts'
import type { ScriptedTurn } from '../../support/fake-model.ts'

const fake = [process.execPath, path.resolve(import.meta.dirname, '../../support/fake-tool-server.mjs')]
let server: TestServer

beforeEach(async () => {
  server = await startTestServer({ config: { mcp: { local: { type: 'local', command: fake } } } })
})

afterEach(async () => {
  await server.close()
})

const done: ScriptedTurn = { text: ['done'] }
const call = (tool: string, input: unknown = {}, id = tool): ScriptedTurn => ({
  calls: [{ id, name: `local_${tool}`, input }],
})

const run = (...turns: ScriptedTurn[]) => runTools(server, ...turns)

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('its tools are offered by name with their schema, and a call reaches it', async ({ expect }) => {
  const [echoed, failed] = await run(call('echo', { text: 'hello' }), call('fail'), done)

  const offered = server.model.asked[0]?.tools?.map((tool) => tool.function.name)
  expect(offered).toEqual(expect.arrayContaining(['local_echo', 'local_pid', 'local_fail']))
  expect(JSON.stringify(server.model.asked[0]?.tools)).toContain('"required":["text"]')
  expect(echoed).toMatch(/^completed .*echo: hello/)
  expect(failed).toMatch(/^error .*it failed/)
})

test('its resources are listed and read through one tool, as text', async ({ expect }) => {
  const [listed, read, packed] = await run(
    call('resource', {}, 'c1'),
    call('resource', { uri: 'notes://one' }, 'c2'),
    call('resource', { uri: 'notes://picture' }, 'c3'),
    done,
  )
  expect(listed).toContain('notes://one  one: The first note\\nnotes://picture  picture')
  expect(read).toMatch(/^completed .*the word is plum/)
  expect(packed).toContain('(notes://picture, application/zip)')
})

test('how far a long call is reaches whoever looks on', async ({ expect }) => {
  const told = server.events('/api/event', (seen) => seen.some(({ data }) => data.type === 'session.tool.progress'))
  const [crawled] = await run(call('crawl'), done)
  expect(crawled).toMatch(/^completed .*all of it/)
  expect((await told).at(-1)?.data.data).toMatchObject({ output: '1 of 2: half of it' })
})

test('one process serves every session, is ended when nobody uses it, and comes back on demand', async ({ expect }) => {
  const [first = ''] = await run(call('pid'), done)
  const [second = ''] = await run(call('pid'), done)
  const pid = Number(/pid (\d+)/.exec(first)?.[1])
  expect(pid).toBeGreaterThan(0)
  expect(second).toContain(`pid ${pid}`)

  await server.restart({ toolServerIdleMs: 50 })
  const [third = ''] = await run(call('pid'), done)
  const used = Number(/pid (\d+)/.exec(third)?.[1])
  await expect.poll(() => isAlive(used), { timeout: 30_000 }).toBe(false)
  const [fourth = ''] = await run(call('pid'), done)
  expect(fourth).toMatch(/^completed/)
  expect(fourth).not.toContain(`pid ${used}`)
})

test('one that dies in a call is told to the model, and is there again for the next step', async ({ expect }) => {
  const [died, echoed] = await run(call('die'), call('echo', { text: 'back' }), done)

  expect(died).toMatch(/^error .*The tool server ended/)
  expect(echoed).toMatch(/^completed .*echo: back/)
})

test('an interrupt ends a call that never answers', async ({ expect }) => {
  server.model.script(call('hang'))
  const session = await server.createSession()
  await server.prompt(session, 'Go')
  await server.events(`/api/session/${session}/event`, (seen) =>
    seen.some((event) => event.data.type === 'session.next.tool.called'),
  )

  expect((await server.send('POST', `/api/session/${session}/interrupt`)).status).toBe(204)
  expect((await server.messages(session)).at(-1)).toMatchObject({ error: { reason: 'interrupted' } })
})

test('one that cannot be started, or that a project names, costs the turn nothing and starts nothing', async ({
  expect,
}) => {
  await server.close()
  const faults: string[] = []
  server = await startTestServer({
    config: { mcp: { broken: { type: 'local', command: ['/does/not/exist'] } } },
    logger: { error: (event) => faults.push(event) },
  })
  const marker = path.join(server.project, 'started')
  await writeFile(
    path.join(server.project, 'svc.json'),
    JSON.stringify({ mcp: { theirs: { type: 'local', command: ['touch', marker] } } }),
  )
  await run(done)

  expect(faults).toContain('tool_server_failed')
  expect(server.model.asked[0]?.tools?.some((tool) => /^(?:broken|theirs)_/.test(tool.function.name))).toBe(false)
  await expect(stat(marker)).rejects.toThrow('ENOENT')
})
