/** The index as tools for agents, by the protocol's official client over a real process. */

import { execFileSync, spawn } from 'node:child_process'
import path from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, type TestContext, test } from 'vitest'
import { projectInTest } from '../../support/viewer-in-test.ts'
import type { TestProject } from '../../support/viewer-server.ts'

const entry = path.join(import.meta.dirname, '../../../local/indexer.ts')

const sources = {
  'src/price.ts': `/** What one costs. */
export function price(count: number) {
  return count * 2
}
export function twice(count: number) {
  return price(price(count))
}
`,
  'src/shelf.ts': `export class Shelf {
  total() {
    return 1
  }
}
export class TallShelf extends Shelf {
  total() {
    return 2
  }
  restock() {}
  reorder() {}
}
`,
  'src/order.ts': `import { price } from './price.ts'
import type { Shelf } from './shelf.ts'
export function order(shelf: Shelf, other: any) {
  other.restock()
  // No line of the index.
  return price(shelf.total())
}
`,
  'src/checkout.ts': `import { order } from './order.ts'
import { Shelf } from './shelf.ts'
export function checkout() {
  return order(new Shelf(), {})
}
`,
  'src/old.js': 'export function old(unknown) {\n  unknown.reorder()\n}\n',
  'src/first/open.ts': 'export function open() {}\n',
  'src/second/open.ts': 'export function open() {}\n',
  'test/order.test.ts': "import { checkout } from '../src/checkout.ts'\nexport function bought() {\n  checkout()\n}\n",
}

interface Agent {
  readonly client: Client
  ask(name: string, given?: Record<string, unknown>): Promise<{ text: string; isError: boolean }>
}

type Versions = 'auto' | 'legacy'

async function connect(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  project: TestProject,
  versions: Versions = 'auto',
): Promise<Agent> {
  const client = new Client({ name: 'tester', version: '1' }, { versionNegotiation: { mode: versions } })
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [entry, 'mcp', project.place.root], stderr: 'ignore' }),
  )
  onTestFinished(() => client.close())
  return {
    client,
    ask: async (name, given = {}) => {
      const answer = await client.callTool({ name, arguments: given })
      const [part] = answer.content as { text: string }[]
      return { text: part?.text ?? '', isError: answer.isError === true }
    },
  }
}

async function indexed(): Promise<TestProject> {
  const project = projectInTest(sources)
  await project.sync(true)
  return project
}

describe.each(['auto', 'legacy'] as const)('a client that speaks by "%s"', (versions) => {
  test('finds tools that only read, and is answered with lines of source', async (context) => {
    const { expect } = context
    const { client, ask } = await connect(context, await indexed(), versions)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name).sort()).toEqual([
      'callees',
      'callers',
      'dead',
      'flow',
      'impact',
      'map',
      'relies',
      'review',
      'search',
      'symbol',
      'tests_for',
      'text',
    ])
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true)
    expect(client.getInstructions()).toContain('path:line')
    const { text, isError } = await ask('callers', { symbol: 'price' })
    expect(isError).toBe(false)
    expect(text).toContain('src/order.ts:6  function order  | return price(shelf.total())')
    await expect(client.callTool({ name: 'write', arguments: {} })).resolves.toMatchObject({ isError: true })
  })
})

test('every tool answers with evidence, and keeps guesses apart', async (context) => {
  const { expect } = context
  const { ask } = await connect(context, await indexed())
  const text = async (name: string, given: Record<string, unknown>): Promise<string> => {
    const answer = await ask(name, given)
    expect(answer.isError, answer.text).toBe(false)
    return answer.text
  }
  expect(await text('search', { query: 'pri' })).toContain('src/price.ts:2  function price  | export function price(')
  const symbol = await text('symbol', { symbol: 'src/price.ts:3' })
  expect(symbol).toContain('function price  src/price.ts:2-4')
  expect(symbol).toContain('What one costs.')
  expect(symbol).toContain('  3    return count * 2')
  expect(await text('symbol', { symbol: 'src/shelf.ts' })).toContain('src/shelf.ts:6  class TallShelf')
  expect(await text('symbol', { symbol: 'Shelf' })).toMatch(
    /Extended or implemented by \(1\)\n {2}src\/shelf\.ts:6 {2}class TallShelf/,
  )

  const callers = await text('callers', { symbol: 'price' })
  expect(callers).toContain('Certain callers (3)')
  expect(callers.match(/src\/price\.ts:6 {2}function twice/g)).toHaveLength(2)
  const above = await text('callers', { symbol: 'TallShelf.total' })
  expect(above).not.toContain('Certain callers')
  expect(above).toContain(
    'Possible callers, through what this overrides (1)\n  src/order.ts:6  function order, of Shelf::total',
  )
  const guessed = await text('callers', { symbol: 'restock' })
  expect(guessed).not.toContain('Certain callers')
  expect(guessed).toMatch(
    /Possible callers, by the name alone.* \(1\)\n {2}src\/order\.ts:4 {2}function order calls other\.restock/,
  )
  expect(await text('callers', { symbol: 'reorder' })).toContain(
    'by a guess (1)\n  src/old.js:2  function old [guessed by fuzzy, 0.40]',
  )
  expect(await text('callers', { symbol: 'Shelf' })).toContain('src/checkout.ts:4  function checkout')

  const callees = await text('callees', { symbol: 'order' })
  expect(callees).toContain('src/order.ts:6  function price at src/price.ts:2')
  expect(await text('impact', { symbol: 'price' })).toMatch(
    /Certain, 2 steps away[\s\S]*src\/checkout\.ts:4 {2}function checkout {2}\| return order\(new Shelf\(\), \{\}\)/,
  )
  expect(await text('flow', { from: 'checkout', to: 'price' })).toMatch(
    /Certain, the shortest chain \(3\)\n {2}src\/checkout\.ts:4 .* calls order.*\n {2}src\/order\.ts:6 .* calls price/,
  )
  expect(await text('flow', { from: 'price', to: 'checkout' })).toContain('no chain of calls')
  expect(await text('tests_for', { symbol: 'price' })).toContain(
    'Certain (1)\n  test/order.test.ts:3  through bought > checkout > order > price  | checkout()',
  )
  expect(await text('tests_for', { symbol: 'TallShelf.total' })).toMatch(/Possible.* \(1\)\n {2}test\/order\.test\.ts/)
  expect(await text('tests_for', { symbol: 'src/first/open.ts' })).toContain('No test in the index reaches it.')
  const relies = await text('relies', { file: 'src/price.ts', lines: '3' })
  expect(relies).toMatch(
    /^Relying on function price\n\nCertain callers \(3\)\n {2}src\/order\.ts:6 {2}function order {2}\| return/,
  )
  expect(relies).toMatch(/Tests that surely reach it \(1\)\n {2}test\/order\.test\.ts:3 {2}through bought/)
  expect(await text('relies', { file: 'src/price.ts', lines: '3+' })).toContain('Relying on function price\n')
  const several = await text('relies', { file: 'src/shelf.ts', lines: '2-3, 7-9' })
  expect(several).toMatch(/Certain callers \(1\)\n {2}src\/order\.ts:6 {2}function order, of Shelf::total/)
  expect(several).toMatch(/Possible callers \(1\)\n {2}src\/order\.ts:6 {2}function order, of TallShelf::total/)
  expect(await text('relies', { file: 'src/old.js', lines: '2' })).toBe(
    'Relying on function old\nNothing in the index does.',
  )
  expect(await text('text', { query: 'no line' })).toContain(
    'In production (1)\n  src/order.ts:5  in function order  | // No line of the index.',
  )
  const unused = await text('dead', { path: 'src', exported: true })
  expect(unused).toMatch(/^Nothing uses, in src\n/)
  expect(unused).toMatch(
    /Surely unused, as far as the project goes \(4\)\n {2}src\/old\.js:1 .*\n {2}src\/price\.ts:5 {2}function twice, 3 lines {2}\| export function twice/,
  )
  expect(unused).toMatch(
    /In doubt: their name is used where the target is not known \(1\)\n {2}src\/shelf\.ts:10 {2}method TallShelf::restock/,
  )
  expect(await text('dead', { path: './src/price.ts/' })).toMatch(
    /Nothing is surely unused\.\n\nIn doubt: exported, so code outside may use them \(1\)\n {2}src\/price\.ts:5 {2}function twice/,
  )
  expect(await text('dead', { path: 'test', kinds: 'function' })).toContain('Left aside: 1 in tests and samples.')
  const map = await text('map', { root: '.', depth: 1 })
  expect(map).toContain('1 of tests left out')
  expect(map).not.toContain('test/order')
})

const refusals: readonly [string, Record<string, unknown>, string][] = [
  ['fly', {}, 'no tool "fly"; there are search,'],
  ['callers', {}, 'symbol is missing'],
  ['callers', { symbol: 'price', colour: 'red' }, 'callers takes no "colour"'],
  ['callers', { symbol: 'open' }, '"open" names 2 symbols'],
  ['callers', { symbol: 'open', file: 'src/third' }, 'nothing named "open" is in "src/third", but elsewhere:'],
  ['callers', { symbol: 'prices' }, 'close to it:\n  src/price.ts:2  function price'],
  ['callers', { symbol: 'src/price.ts:90000' }, 'nothing in the index is named'],
  ['callers', { symbol: '../price.ts:1' }, 'nothing in the index is named'],
  ['symbol', { symbol: '/etc/passwd' }, 'nothing in the index is named'],
  ['impact', { symbol: 'price', hops: 11 }, 'hops must be a whole number from 1 to 10'],
  ['flow', { from: 'price', to: 'src/price.ts:2' }, 'the same symbol'],
  ['dead', { path: 'src/pri' }, 'no file of the index is in "src/pri"'],
  ['dead', { kinds: 'function,verb' }, 'kinds knows no "verb"'],
  ['relies', { file: 'src/gone.ts', lines: '1' }, 'the index has no file "src/gone.ts"'],
  ['relies', { file: 'src/price.ts', lines: '4+' }, 'these lines are of no symbol'],
  ['relies', { file: 'src/price.ts', lines: '6-5' }, 'lines must be like'],
  ['relies', { file: 'src/price.ts', lines: '0' }, 'lines must be like'],
  ['relies', { file: 'src/price.ts', lines: '3, 90000' }, 'lines must be like'],
  ['text', { query: '(', regex: true }, 'this is no regular expression: unclosed group'],
  ['review', { range: 'nowhere' }, '"nowhere" is no commit or range'],
  ['map', { root: 'nowhere' }, 'no file of the index is in "nowhere"'],
]

test('what cannot be answered is refused in one sentence that says why', async (context) => {
  const { expect } = context
  const { ask } = await connect(context, await indexed())
  for (const [name, given, message] of refusals)
    expect(await ask(name, given), `${name} ${JSON.stringify(given)}`).toMatchObject({
      isError: true,
      text: expect.stringContaining(message),
    })
})

test('a name that several bear is told apart by its folder or by a place of the answer', async (context) => {
  const { expect } = context
  const { ask } = await connect(context, await indexed())
  const { text } = await ask('symbol', { symbol: 'open' })
  expect(text).toContain('\n  src/second/open.ts:1  function open')
  for (const given of [
    { symbol: 'src/second/open.ts:1' },
    { symbol: 'open', file: 'src/second' },
    { symbol: 'open', file: 'second/open.ts' },
  ])
    expect((await ask('symbol', given)).text).toContain('function open  src/second/open.ts:1-1')
})

test('without an index the command that builds it is named; one that comes, or another, is answered from', async (context) => {
  const { expect } = context
  const project = projectInTest(sources)
  const { ask } = await connect(context, project)
  const none = await ask('callers', { symbol: 'price' })
  expect(none).toMatchObject({ isError: true, text: expect.stringContaining('indexer init') })
  await project.sync(true)
  expect((await ask('callers', { symbol: 'price' })).text).toContain('Certain callers (3)')

  project.write('src/more.ts', "import { price } from './price.ts'\nexport const more = () => price(3)\n")
  await project.sync()
  expect((await ask('callers', { symbol: 'price' })).text).toContain('src/more.ts:2')

  // A file that changed since has other lines by now: none of them is shown as evidence.
  project.write('src/order.ts', `// SECRET\n${sources['src/order.ts']}`)
  const stale = (await ask('callers', { symbol: 'price' })).text
  expect(stale).toContain('src/order.ts:6  function order  | (changed since it was indexed)')
  expect(stale).toContain('Not as indexed: src/order.ts.')
  expect(stale).not.toContain('SECRET')
  expect(await ask('relies', { file: 'src/order.ts', lines: '6' })).toMatchObject({
    isError: true,
    text: 'src/order.ts is not as it was indexed, so its lines are others',
  })

  project.write('.indexer/index.db', 'no database')
  expect(await ask('callers', { symbol: 'price' })).toMatchObject({
    isError: true,
    text: expect.stringContaining('run "indexer index" to rebuild it'),
  })
})

test('of more symbols than are told apart it is said how many there are', async (context) => {
  const { expect } = context
  const project = projectInTest({
    'src/many.ts': Array.from({ length: 21 }, (_, at) => `export function f${at}() {}\n`).join(''),
  })
  await project.sync(true)
  const { ask } = await connect(context, project)
  expect((await ask('relies', { file: 'src/many.ts', lines: '1-20' })).text).toMatch(/function f18, function f19\n/)
  expect((await ask('relies', { file: 'src/many.ts', lines: '1-21' })).text).toMatch(/function f19 and 1 more\n/)
})

test('a change of the work tree is reviewed', async (context) => {
  const { expect } = context
  const project = await indexed()
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.invalid', ...words], {
      cwd: project.place.root,
    })
  git('init', '-q')
  git('add', '.')
  git('commit', '-q', '-m', 'begin')
  project.write('src/price.ts', sources['src/price.ts'].replace('count * 2', 'count * 3'))
  await project.sync()
  const { ask } = await connect(context, project)
  const { text, isError } = await ask('review')
  expect(isError, text).toBe(false)
  expect(text).toContain('Changed (1)\n  src/price.ts:2  function price  | export function price(')
  expect(text).toContain('Tests, certain (1)\n  test/order.test.ts  through bought > checkout > order > price')
  expect(text).toContain('src/order.ts:6  function order to price  | return price(shelf.total())')
})

test('it ends with its input, writes nothing but answers, and starts in no folder of the system', async (context) => {
  const { expect } = context
  const project = await indexed()
  const run = (words: readonly string[], input: string) =>
    new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
      const child = spawn(process.execPath, [entry, 'mcp', ...words])
      let out = ''
      let err = ''
      child.stdout.on('data', (chunk) => {
        out += String(chunk)
        // Asked and answered: whoever asked is gone.
        child.stdin.end()
      })
      child.stderr.on('data', (chunk) => {
        err += String(chunk)
      })
      child.on('close', (code) => resolve({ code, out, err }))
      if (input === '') child.stdin.end()
      else child.stdin.write(input)
    })
  expect(await run([project.place.root], '')).toEqual({ code: 0, out: '', err: '' })
  expect(await run(['/etc'], '')).toMatchObject({ code: 1, out: '', err: expect.stringContaining('system folder') })
  expect(await run([path.join(project.place.root, 'none')], '')).toMatchObject({ code: 1 })
  const initialise = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
  }
  const greeted = await run([project.place.root], `${JSON.stringify(initialise)}\n`)
  expect(greeted.code).toBe(0)
  expect(JSON.parse(greeted.out)).toMatchObject({ id: 1, result: { serverInfo: { name: 'wharf-index' } } })
})
