/** The agent asks the project's index about its code: only where there is one, and only what it may read. */
import { test } from 'vitest'
import { createCodeSenses } from '../../../local/code-senses.ts'
import { indexPlace } from '../../../local/indexer/store/index-folder.ts'
import { syncIndex } from '../../../local/indexer/sync.ts'
import { runTools, startTestServer, type TestServer } from '../../support/agent-server.ts'

async function indexed(config: Record<string, unknown> = {}): Promise<TestServer> {
  const server = await startTestServer({ config, codeSenses: createCodeSenses(undefined) })
  await server.write('src/price.ts', 'export function price(count: number) {\n  return count * 2\n}\n')
  await server.write(
    'src/order.ts',
    "import { price } from './price.ts'\nexport function order() {\n  return price(1) // 'under the counter'\n}\n",
  )
  await server.write(
    'test/order.test.ts',
    "import { order } from '../src/order.ts'\nexport function ordered() {\n  order()\n}\n",
  )
  return server
}

async function sync(server: TestServer): Promise<void> {
  const built = await syncIndex({
    place: indexPlace(server.project, undefined),
    isFull: true,
    nowMs: Date.now(),
    version: 'test',
  })
  if (built.kind !== 'done') throw new Error(built.kind)
}

const call = (name: string, input: Record<string, unknown>) => ({ calls: [{ id: `call_${name}`, name, input }] })

test('what the index knows comes with lines of source, once there is an index', async ({ expect, onTestFinished }) => {
  const server = await indexed()
  onTestFinished(() => server.close())
  const without = await runTools(server, call('callers', { symbol: 'price' }), { text: ['done'] })
  expect(without).toEqual([expect.stringMatching(/^error .*callers/)])
  const offered = (at: number): string => JSON.stringify(server.model.asked[at]?.tools ?? [])
  expect(offered(0)).toContain('"grep"')
  expect(offered(0)).not.toContain('"tests_for"')

  await sync(server)
  const [callers, impact, flow, tests, symbol, none] = await runTools(
    server,
    call('callers', { symbol: 'price' }),
    call('impact', { symbol: 'price', hops: 2 }),
    call('flow', { from: 'ordered', to: 'price' }),
    call('tests_for', { symbol: 'price' }),
    call('symbol', { symbol: 'src/price.ts:2' }),
    call('callers', { symbol: 'nothing' }),
    { text: ['done'] },
  )
  expect(offered(server.model.asked.length - 1)).toContain('"tests_for"')
  expect(callers).toMatch(/^completed .*Certain callers \(1\)\\n {2}src\/order\.ts:3 {2}function order/)
  expect(callers).toContain('under the counter')
  expect(impact).toMatch(/^completed .*2 steps away/)
  expect(flow).toMatch(
    /^completed .*Certain, the shortest chain.*test\/order\.test\.ts:3 {2}function ordered calls order/,
  )
  expect(flow).toMatch(/src\/order\.ts:3 {2}function order calls price {2}\| return price\(1\)/)
  expect(tests).toContain('test/order.test.ts:3  through ordered > order > price')
  expect(symbol).toContain('return count * 2')
  expect(none).toMatch(/^error .*nothing in the index is named/)
})

test('of a file that may not be read without asking no line, signature or word is shown', async ({
  expect,
  onTestFinished,
}) => {
  const server = await indexed({ permission: { read: { '*': 'allow', 'src/order.ts': 'ask' } } })
  onTestFinished(() => server.close())
  await sync(server)
  const [callers, symbol, flow] = await runTools(
    server,
    call('callers', { symbol: 'price' }),
    call('symbol', { symbol: 'order' }),
    call('flow', { from: 'ordered', to: 'price' }),
    { text: ['done'] },
  )
  expect(callers).toContain('src/order.ts:3  function order  | (not shown: reading it has to be asked for)')
  expect(callers).not.toContain('under the counter')
  expect(symbol).toMatch(/^completed .*function order {2}src\/order\.ts:2-4/)
  expect(symbol).not.toContain('export function order')
  expect(symbol).not.toContain('under the counter')
  expect(flow).toMatch(/^completed .*function order calls price {2}\| \(not shown/)
  expect(flow).not.toContain('under the counter')
})

test('where searching is refused the index is not asked either', async ({ expect, onTestFinished }) => {
  const server = await indexed({ permission: { grep: 'deny' } })
  onTestFinished(() => server.close())
  await sync(server)
  expect(await runTools(server, call('callers', { symbol: 'price' }), { text: ['done'] })).toEqual([
    expect.stringMatching(/^error /),
  ])
})

test('an edit tells who relies on the lines it changes, on its card as well, and only as far as may be read', async ({
  expect,
  onTestFinished,
}) => {
  const server = await indexed({ permission: { edit: 'ask', read: { '*': 'allow', 'src/order.ts': 'ask' } } })
  onTestFinished(() => server.close())
  await sync(server)
  const edit = (oldString: string, newString: string) => call('edit', { path: 'src/price.ts', oldString, newString })
  server.model.script(
    call('read', { path: 'src/price.ts' }),
    edit('count * 2', 'count * 3'),
    edit('count * 3', 'count * 4'),
    { text: ['done'] },
  )
  const session = await server.createSession()
  await server.prompt(session, 'Go')
  const asked = async () => (await server.send('GET', `/api/session/${session}/permission`)).body.data
  const answer = async () => {
    await expect.poll(asked, { timeout: 20_000 }).toHaveLength(1)
    const [{ id, metadata }] = await asked()
    await server.send('POST', `/api/session/${session}/permission/${id}/reply`, { reply: 'once' })
    await expect.poll(async () => (await asked())[0]?.id, { timeout: 20_000 }).not.toBe(id)
    return metadata
  }
  const reach =
    /^Relying on function price\n\nCertain callers \(1\)\n {2}src\/order\.ts:3 {2}function order {2}\| \(not shown.*\n\nTests that surely reach it \(1\)\n {2}test\/order\.test\.ts:3 /
  expect((await answer()).reach).toMatch(reach)
  // The index knows the file as it was before the first edit.
  expect(await answer()).not.toHaveProperty('reach')
  await server.wait(session)
  const outcomes = server.model.asked.slice(2).map(({ messages }) => JSON.stringify(messages.at(-1)))
  expect(outcomes[0]).toMatch(/Changed src\/price\.ts.*the code index says:.*Tests that surely reach it/)
  expect(outcomes[0]).not.toContain('under the counter')
  expect(outcomes[1]).toMatch(/Changed src\/price\.ts/)
  expect(outcomes[1]).not.toContain('the code index says')
})
