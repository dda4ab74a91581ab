/** The agent asks an index about the project's code: built when it is first asked, fresh, and only what it may read. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'vitest'
import { createCodeSenses } from '../../../local/code-senses.ts'
import { indexPlace } from '../../../local/indexer/store/index-folder.ts'
import { syncIndex } from '../../../local/indexer/sync.ts'
import { runTools, startTestServer, type TestServer } from '../../support/agent-server.ts'

type Bounds = Parameters<typeof createCodeSenses>[1]

async function indexed(
  config: Record<string, unknown> = {},
  bounds?: Bounds,
): Promise<TestServer & { readonly ownIndexes: string }> {
  const own = await realpath(await mkdtemp(path.join(tmpdir(), 'own-index-')))
  const ownIndexes = path.join(own, 'code-index')
  const codeSenses = createCodeSenses({ setting: undefined, own: ownIndexes }, bounds)
  const started = await startTestServer({ config, codeSenses })
  const server = Object.assign(started, { ownIndexes })
  const { close } = started
  server.close = async () => {
    await close()
    await rm(own, { recursive: true, force: true })
  }
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

const offered = (server: TestServer, at: number): string => JSON.stringify(server.model.asked.at(at)?.tools ?? [])

test('the first question has an index built, outside of the project, and each later one knows of every edit', async ({
  expect,
  onTestFinished,
}) => {
  const server = await indexed()
  onTestFinished(() => server.close())
  const first = await runTools(
    server,
    call('callers', { symbol: 'price' }),
    call('write', {
      path: 'src/late.ts',
      content: "import { price } from './price.ts'\nexport const late = price(3)\n",
    }),
    call('callers', { symbol: 'price' }),
    { text: ['done'] },
  )
  expect(offered(server, 0)).toContain('"tests_for"')
  expect(first[0]).toMatch(/^completed .*Certain callers \(1\)\\n {2}src\/order\.ts:3 {2}function order/)
  expect(first[2]).toMatch(/^completed .*src\/late\.ts:2 /)
  expect(existsSync(path.join(server.project, '.indexer'))).toBe(false)
  expect(readdirSync(server.ownIndexes)).toHaveLength(1)

  // By the owner, between two turns.
  await server.write('src/order.ts', 'export function order() {}\n')
  await server.write('src/mine.ts', "import { price } from './price.ts'\nfunction mine() {\n  price(4)\n}\nmine()\n")
  const [callers, dead] = await runTools(
    server,
    call('callers', { symbol: 'price' }),
    call('dead', { path: 'src', exported: true, kinds: 'function,constant' }),
    { text: ['done'] },
  )
  expect(callers).toContain('src/mine.ts:3  function mine')
  expect(callers).not.toContain('src/order.ts')
  expect(dead).toMatch(
    /^completed .*Surely unused, as far as the project goes \(1\)\\n {2}src\/late\.ts:2 {2}constant late/,
  )
})

test('what is being built, takes too long or too much is said, and is no turn that hangs', { tags: 'slow' }, async ({
  expect,
  onTestFinished,
}) => {
  const hasty = await indexed({}, { freshWaitMs: 0 })
  onTestFinished(() => hasty.close())
  const [waiting] = await runTools(hasty, call('callers', { symbol: 'price' }), { text: ['done'] })
  expect(waiting).toMatch(/^completed .*being built \(.*\)\. Ask again in a while; grep and glob answer meanwhile/)
  const asked = async () => (await runTools(hasty, call('callers', { symbol: 'price' }), { text: ['done'] }))[0]
  await expect.poll(asked, { timeout: 30_000 }).toContain('Certain callers (1)')

  const slow = await indexed({}, { buildMsMax: 1 })
  onTestFinished(() => slow.close())
  const late = await runTools(slow, call('callers', { symbol: 'price' }), call('callers', { symbol: 'price' }), {
    text: ['done'],
  })
  expect(late).toHaveLength(2)
  for (const one of late) expect(one).toMatch(/^error .*cannot be indexed: it takes longer than 0.001 seconds/)

  const small = await indexed({}, { heapMbMax: 1 })
  onTestFinished(() => small.close())
  const [large] = await runTools(small, call('callers', { symbol: 'price' }), { text: ['done'] })
  expect(large).toMatch(/^error .*cannot be indexed: it takes more than 1 MiB/)
})

test('of so many indexes of its own the one that was asked longest ago goes', { tags: 'slow' }, async ({
  expect,
  onTestFinished,
}) => {
  const base = await realpath(await mkdtemp(path.join(tmpdir(), 'own-index-')))
  onTestFinished(() => rm(base, { recursive: true, force: true }))
  const own = path.join(base, 'own')
  const senses = createCodeSenses({ setting: undefined, own }, { ownMax: 2 })
  const folders = ['one', 'two', 'three'].map((name) => path.join(base, name))
  const ask = async (folder = ''): Promise<string> => {
    const { signal } = new AbortController()
    return (await senses.ask(folder, 'callers', { symbol: 'price' }, () => true, signal)).text
  }
  for (const folder of folders) {
    mkdirSync(folder)
    writeFileSync(path.join(folder, 'price.ts'), 'export function price() {}\nprice()\n')
  }
  const [one = '', two = '', three = ''] = folders
  for (const folder of [one, two, one, three]) expect(await ask(folder)).toContain('Certain callers (1)')
  expect(folders.map((folder) => senses.hasIndex(folder))).toEqual([true, false, true])
  senses.forget(one)
  expect(senses.hasIndex(one)).toBe(false)
  expect(readdirSync(own)).toHaveLength(1)
})

test('an index that the project has is brought up to date where it lies', async ({ expect, onTestFinished }) => {
  const server = await indexed({ code_index: false })
  onTestFinished(() => server.close())
  const without = await runTools(server, call('callers', { symbol: 'price' }), { text: ['done'] })
  expect(without).toEqual([expect.stringMatching(/^error .*callers/)])
  expect(offered(server, 0)).toContain('"grep"')
  expect(offered(server, 0)).not.toContain('"tests_for"')

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
  expect(offered(server, -1)).toContain('"tests_for"')
  expect(existsSync(server.ownIndexes)).toBe(false)
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

test('an edit tells who relies on the lines it changes, on its card as well, and only as far as may be read', {
  tags: 'slow',
}, async ({ expect, onTestFinished }) => {
  const server = await indexed({ permission: { edit: 'ask', read: { '*': 'allow', 'src/order.ts': 'ask' } } })
  onTestFinished(() => server.close())
  await sync(server)
  const edit = (oldString: string, newString: string) => call('edit', { path: 'src/price.ts', oldString, newString })
  server.model.script(
    call('read', { path: 'src/price.ts' }),
    // An edit waits a moment only for the index; a question waits until it knows of everything.
    call('callers', { symbol: 'price' }),
    edit('count * 2', 'count * 3'),
    call('callers', { symbol: 'price' }),
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
  // As it is after the first edit, which the index knows by then.
  expect((await answer()).reach).toMatch(reach)
  await server.wait(session)
  const outcomes = [3, 5].map((at) => JSON.stringify(server.model.asked[at]?.messages.at(-1)))
  expect(outcomes[0]).toMatch(/Changed src\/price\.ts.*the code index says:.*Tests that surely reach it/)
  expect(outcomes[0]).not.toContain('under the counter')
  expect(outcomes[1]).toMatch(/Changed src\/price\.ts.*the code index says:/)
})
