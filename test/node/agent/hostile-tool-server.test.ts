/** Tool servers that send what they should not: the turn goes on, and so does the server. */
import path from 'node:path'
import { afterEach, test } from 'vitest'
import { toolServerToolsMax } from '../../../local/agent/limits.ts'
import { runTools, startTestServer, type TestServer } from '../../support/agent-server.ts'

let server: TestServer | undefined

afterEach(async () => {
  await server?.close()
  server = undefined
})

const program = path.resolve(import.meta.dirname, '../../support/hostile-tool-server.mjs')

async function start(how: string) {
  const faults: string[] = []
  server = await startTestServer({
    config: { mcp: { odd: { type: 'local', command: [process.execPath, program, how] } } },
    logger: { error: (event) => void faults.push(event) },
  })
  return { server, faults }
}

const call = (id: string) => ({ calls: [{ id, name: 'odd_echo', input: {} }] })

test.for([
  ['rubbish between its messages', 'rubbish', /^completed .*lists: 1/],
  ['content that has no shape', 'odd-content', /^error /],
] as const)('%s', async ([, how, outcome], { expect }) => {
  const { server } = await start(how)

  const [called] = await runTools(server, call('a'), { text: ['done'] })

  expect(called).toMatch(outcome)
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  expect((await server.send('GET', '/api/health')).status).toBe(200)
})

test.for(['endless', 'shapeless'])(
  'a list of tools that is %s costs the turn its tools and nothing else',
  async (how, { expect }) => {
    const { server, faults } = await start(how)

    await runTools(server, { text: ['done'] })

    expect(faults).toEqual(['tool_server_failed'])
    expect(server.model.asked[0]?.tools?.some((tool) => tool.function.name.startsWith('odd_'))).toBe(false)
    expect(JSON.stringify(server.model.asked[0]?.messages)).toContain('- odd: ')
  },
)

test('more tools than a server may have are not offered', async ({ expect }) => {
  const { server } = await start('crowded')

  await runTools(server, { text: ['done'] })

  // Of so many the model is told by a search, which says how many it looks through.
  const search = server.model.asked[0]?.tools?.find((tool) => tool.function.name === 'tool_search')
  expect(search?.function.description).toContain(`There are ${toolServerToolsMax} more`)
})

test('five hundred times that its tools changed is asked for them a few times', async ({ expect }) => {
  const { server } = await start('changes')
  await runTools(server, call('a'), { text: ['done'] })
  await expect.poll(() => server.model.asked.length).toBe(2)

  const [, later] = await runTools(server, call('b'), call('c'), { text: ['done'] })

  expect(Number(/lists: (\d+)/.exec(later ?? '')?.[1])).toBeLessThan(20)
})

test('one that ends when it is asked for changed tools is started again for the next step', async ({ expect }) => {
  const { server } = await start('dies-when-changed')
  const changed = server.events('/api/event', (seen) => seen.some(({ data }) => data.type === 'mcp.tools.changed'))
  const [first] = await runTools(server, call('a'), { text: ['done'] })
  expect(first).toMatch(/^completed/)
  await changed

  // Until its end is noticed the tools it had are offered still, and a call is told that it ended.
  await expect
    .poll(async () => (await runTools(server, call('b'), { text: ['done'] }))[0], { timeout: 45_000 })
    .toMatch(/^completed .*lists: 1"/)
  expect((await server.send('GET', '/api/health')).status).toBe(200)
})
