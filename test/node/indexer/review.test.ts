/** What a change does to the rest, told over real repositories. */

import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { test } from 'vitest'
import { reviewAnswer } from '../../../local/viewer/contract/answers.ts'
import { contractCallersMax, contractsMax, goneNamesMax } from '../../../local/viewer/core/contracts.ts'
import { reviewRangeCharsMax } from '../../../local/viewer/core/review.ts'
import { ownersBytesMax, reviewLimitMax } from '../../../local/viewer/limits.ts'
import { commitAll, git } from '../../support/git-in-test.ts'
import { projectInTest, servedInTest } from '../../support/viewer-in-test.ts'
import type { TestProject } from '../../support/viewer-server.ts'

const entry = path.join(import.meta.dirname, '../../../local/indexer.ts')

const sources = {
  'src/price.ts': `export function price(count: number) {
  return rounded(count * 2)
}
function rounded(value: number) {
  return Math.round(value)
}
export function label(count: number) {
  return String(count)
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
}
`,
  'src/order.ts': `import { price } from './price.ts'
export function order() {
  return price(1)
}
`,
  'src/orders.controller.ts': `import { Controller, Get } from '@nestjs/common'
import { order } from './order.ts'
@Controller('orders')
export class OrdersController {
  @Get('all')
  list() {
    return order()
  }
}
`,
  'test/order.test.ts': "import { order } from '../src/order.ts'\nexport function ordered() {\n  order()\n}\n",
  // Reaches what the tests reach, and no test runner is given it.
  'test/support/an-order.ts':
    "import { order } from '../../src/order.ts'\nexport function anOrder() {\n  return order()\n}\n",
  'test/shelf.test.ts':
    "import { Shelf } from '../src/shelf.ts'\nexport function filled(shelf: Shelf) {\n  shelf.total()\n}\n",
}

function run(root: string, words: readonly string[]) {
  const ended = spawnSync(process.execPath, [entry, ...words], { encoding: 'utf8', cwd: root })
  return { code: ended.status, out: ended.stdout, err: ended.stderr }
}

async function committed(): Promise<TestProject> {
  const project = projectInTest(sources)
  const { root } = project.place
  commitAll(root)
  await project.sync(true)
  return project
}

// biome-ignore lint/suspicious/noExplicitAny: a reply is judged by the test that reads it
const json = (root: string, ...words: string[]): any => JSON.parse(run(root, ['review', ...words, '--json']).out)

test('what reaches a change is told with its line, certain and possible apart, and so are routes and tests', async (context) => {
  const { expect } = context
  const project = await committed()
  const { root } = project.place
  expect(json(root)).toMatchObject({ changed: [], affected: { total: 0 }, tests: [], newlyDead: [], newlyCircular: [] })

  project.write('src/price.ts', sources['src/price.ts'].replace('count * 2', 'count * 3'))
  project.write('src/shelf.ts', sources['src/shelf.ts'].replace('return 2', 'return 3'))
  await project.sync()
  const found = json(root)
  expect(found.changed).toEqual([
    { name: 'price', kind: 'function', file: 'src/price.ts', line: 1, isExported: true, tested: 'certain' },
    expect.objectContaining({ name: 'TallShelf::total', tested: 'possible' }),
  ])
  expect(found.affected.items).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        name: 'order',
        file: 'src/order.ts',
        atLine: 3,
        toward: 'price',
        isCertain: true,
        steps: 1,
      }),
      expect.objectContaining({ name: 'filled', isCertain: false }),
    ]),
  )
  expect(found.routes).toEqual([expect.objectContaining({ file: 'src/orders.controller.ts', isCertain: true })])
  expect(found.tests).toEqual([
    { file: 'test/order.test.ts', isCertain: true, through: ['ordered', 'order', 'price'] },
    { file: 'test/shelf.test.ts', isCertain: false, through: ['filled', 'Shelf::total', 'TallShelf::total'] },
  ])
  const { out } = run(root, ['review'])
  expect(out).toContain('HEAD: 2 symbols changed')
  expect(out).toContain('  src/order.ts:3  function order > price')
  expect(out).toContain('  certain   test/order.test.ts  through ordered > order > price')
})

test('what the change left without use is told, and what was without use before is not', async (context) => {
  const { expect } = context
  const project = await committed()
  const { root } = project.place
  project.write(
    'src/price.ts',
    `${sources['src/price.ts'].replace('rounded(count * 2)', 'count * 2')}function unasked() {\n  return 1\n}\n`,
  )
  await project.sync()
  expect(json(root).newlyDead).toEqual([
    { name: 'rounded', kind: 'function', file: 'src/price.ts', line: 4, isNew: false },
    { name: 'unasked', kind: 'function', file: 'src/price.ts', line: 10, isNew: true },
  ])
  git(root, 'commit', '-qam', 'leave it')
  project.write('src/order.ts', `${sources['src/order.ts']}\n// A word more.\n`)
  await project.sync()
  expect(json(root).newlyDead).toEqual([])
})

test('contracts that a change breaks are told with the lines that rely on them, and owners with their files', async (context) => {
  const { expect } = context
  const project = projectInTest({
    ...sources,
    CODEOWNERS: '* @dock/all\n/src/*.ts @dock/code\n',
    'src/prices.ts': "import { label, price } from './price.ts'\nexport const both = () => label(price(2))\n",
    'src/free.ts':
      "import { price } from 'prices'\nexport const label = () => price()\nexport const shown = () => label()\n",
  })
  const { root } = project.place
  commitAll(root)
  await project.sync(true)
  const formatted = sources['src/price.ts']
    .replace('price(count: number)', 'price(\n  count: number,\n)')
    .replace('* 2', '* 4')
  project.write('src/price.ts', formatted)
  await project.sync()
  // Another body and other lines are no other contract.
  expect(json(root)).toMatchObject({ contracts: [], owners: [{ owner: '@dock/code', files: ['src/price.ts'] }] })

  project.write(
    'src/price.ts',
    `export function price(count: number, currency: string) {\n  return rounded(count * 2) + currency\n}
function rounded(amount: number) {\n  return Math.round(amount)\n}\nexport function fresh() {\n  return price(1, '')\n}\n`,
  )
  await project.sync()
  const { contracts } = json(root)
  expect(contracts).toEqual([
    {
      ...{ name: 'price', kind: 'function', file: 'src/price.ts', line: 1, how: 'changed', possible: 0 },
      before: 'export function price(count: number) {',
      now: 'export function price(count: number, currency: string)',
      callers: [
        expect.objectContaining({ name: 'order', file: 'src/order.ts', atLine: 3 }),
        expect.objectContaining({ name: 'both', file: 'src/prices.ts', atLine: 2 }),
      ],
    },
    {
      ...{ name: 'label', kind: null, file: 'src/price.ts', line: 1, how: 'gone', possible: 0 },
      before: 'export function label(count: number) {',
      now: null,
      callers: [expect.objectContaining({ name: 'both', file: 'src/prices.ts', atLine: 2 })],
    },
  ])
  const { out } = run(root, ['review'])
  expect(out).toContain('Contracts broken (8)')
  expect(out).toContain('src/price.ts:1  function price has another signature; 2 certain uses, 0 possible')
  expect(out).toContain('@dock/code  src/price.ts')
  const sarif = JSON.parse(run(root, ['review', '--format', 'sarif']).out)
  expect(sarif.runs[0].results.filter((one: { ruleId: string }) => one.ruleId === 'broken-contract')).toHaveLength(3)
  const html = run(root, ['review', '--format', 'html']).out
  expect(html).toContain('Contracts broken')
  expect(html).toContain('return price(1)')
  expect(html).toContain('@dock/code')
})

test('a member that an interface asks for since a change is told with those who lack it', {
  tags: 'slow',
}, async (context) => {
  const { expect } = context
  const project = projectInTest({
    'src/store.ts': 'export interface Store {\n  get(key: string): string\n}\n',
    'src/stores.ts': `import { Far } from 'far'
import type { Store } from './store.ts'
export class Lacks implements Store {
  get(key: string) {
    return key
  }
}
export class Below extends Lacks {}
export class Has implements Store {
  get = (key: string) => key
  size = 1
  close() {}
}
export class Inherits extends Has implements Store {}
export abstract class Half implements Store {
  abstract get(key: string): string
}
export class Whole extends Half {
  get(key: string) {
    return key
  }
}
export class Outside extends Far implements Store {}
`,
    'src/Port.java':
      'public interface Port {\n  int get();\n}\nclass Plain implements Port {\n  public int get() { return 1; }\n}\n',
    'src/base.py':
      'from abc import ABC, abstractmethod\n\n\nclass Base(ABC):\n    pass\n\n\nclass Own(Base):\n    pass\n',
  })
  const { root } = project.place
  commitAll(root)
  await project.sync(true)
  project.write(
    'src/store.ts',
    'export interface Store {\n  get(key: string): string\n  readonly size: number\n  close(): void\n  flush?(): void\n}\nexport interface Fresh {\n  later(): void\n}\nexport class New implements Fresh {}\n',
  )
  project.write(
    'src/Port.java',
    'public interface Port {\n  int get();\n  int put(int value);\n  default int two() { return 2; }\n}\nclass Plain implements Port {\n  public int get() { return 1; }\n}\n',
  )
  project.write(
    'src/base.py',
    'from abc import ABC, abstractmethod\n\n\nclass Base(ABC):\n    @abstractmethod\n    def run(self):\n        ...\n\n\nclass Own(Base):\n    pass\n',
  )
  await project.sync()

  const { contracts } = json(root)
  const told = contracts.map((one: { name: string; how: string; possible: number; callers: { name: string }[] }) => [
    one.name,
    one.how,
    one.callers.map(({ name }) => name),
    one.possible,
  ])
  expect(told.sort()).toEqual([
    ['Base::run', 'unmet', ['Own'], 0],
    ['Port::put', 'unmet', ['Plain'], 0],
    ['Store::close', 'unmet', ['Lacks', 'Whole'], 1],
    ['Store::size', 'unmet', ['Lacks', 'Whole'], 1],
  ])
  const { out } = run(root, ['review'])
  expect(out).toContain('src/store.ts:4  method Store::close is asked for now; 2 types without it, 1 possible')
  expect(out).toContain('src/stores.ts:3  class Lacks')
  const sarif = run(root, ['review', '--format', 'sarif']).out
  expect(sarif).toContain('Lacks lacks Store::close, which src/store.ts asks for now')
  expect(run(root, ['review', '--format', 'html']).out).toContain('1 more perhaps lack it')
})

test('a function that a trait asks for is missed by types whose impl has not got it', async (context) => {
  const { expect } = context
  const stores = `use crate::store::Store;
pub struct Lacks;
impl Store for Lacks {
    fn get(&self) -> i32 { 1 }
}
pub struct Has;
impl Has {
    pub fn new() -> Has { Has }
}
impl Store for Has {
    fn get(&self) -> i32 { 1 }
    fn put(&self, value: i32) {}
}
`
  const project = projectInTest({
    'src/lib.rs': 'pub mod store;\npub mod stores;\n',
    'src/store.rs': 'pub trait Store {\n    fn get(&self) -> i32;\n}\n',
    'src/stores.rs': stores,
  })
  const { root } = project.place
  commitAll(root)
  await project.sync(true)
  project.write(
    'src/store.rs',
    'pub trait Store {\n    fn get(&self) -> i32;\n    fn put(&self, value: i32);\n    fn twice(&self) -> i32 { 2 }\n}\n',
  )
  await project.sync()

  expect(json(root).contracts).toMatchObject([
    { name: 'Store::put', how: 'unmet', possible: 0, callers: [{ name: 'Lacks' }] },
  ])
})

test('those who lack a member are told up to a bound', async ({ expect }) => {
  const told = async (more: 0 | 1): Promise<number> => {
    const classes = Array.from({ length: contractCallersMax + more }, (_, i) => `class C${i} implements Asked {}\n`)
    const asked = (member: string): string => `export interface Asked {\n${member}}\n${classes.join('')}`
    const project = projectInTest({ 'src/asked.ts': asked('') })
    commitAll(project.place.root)
    await project.sync(true)
    project.write('src/asked.ts', asked('  run(): void\n'))
    await project.sync()
    return json(project.place.root).contracts[0].callers.length
  }

  expect(await told(0)).toBe(contractCallersMax)
  expect(await told(1)).toBe(contractCallersMax)
})

test('a file that is gone breaks what others bring in from it, and what a private function takes is no contract', async (context) => {
  const { expect } = context
  const project = projectInTest({
    'pkg/__init__.py': '',
    'pkg/store.py': 'def put(key):\n    return key\n\n\ndef _own(key):\n    return key\n',
    'pkg/user.py': 'from .store import (\n    put,\n)\n\n\ndef use():\n    return put(1)\n',
    'pkg/other.py': 'from elsewhere import put\n\n\ndef also():\n    return put(1)\n',
  })
  const { root } = project.place
  commitAll(root)
  await project.sync(true)
  project.write('pkg/store.py', 'def put(key):\n    return key\n\n\ndef _own(key, more):\n    return key\n')
  await project.sync()
  expect(json(root).contracts).toEqual([])
  project.remove('pkg/store.py')
  await project.sync()
  expect(json(root).contracts).toMatchObject([
    { name: 'put', file: 'pkg/store.py', how: 'gone', callers: [{ name: 'use', file: 'pkg/user.py', atLine: 7 }] },
  ])
})

test('contracts, their users, names that are gone and the list of owners each have a bound', { tags: 'slow' }, async ({
  expect,
}) => {
  const told = async (more: 0 | 1) => {
    const functions = (type: string): string =>
      Array.from({ length: contractsMax + more }, (_, i) => `export function f${i}(a: ${type}) {}\n`).join('')
    const users = Array.from({ length: contractCallersMax + more }, (_, i) => `export const u${i} = () => f0(1)\n`)
    // `export`, `function` and the name come after these.
    const words = Array.from({ length: goneNamesMax - 3 + more }, (_, i) => `w${i}`)
    const list = '* @dock/all\n'
    const project = projectInTest({
      CODEOWNERS: list + '#'.repeat(ownersBytesMax - list.length + more),
      'src/many.ts': functions('number'),
      'src/users.ts': `import { f0 } from './many.ts'\n${users.join('')}`,
      'src/gone.ts': `// ${words.join(' ')}\nexport function late() {}\n`,
      'src/late.ts': "import { late } from './gone.ts'\nexport const later = () => late()\n",
    })
    const { root } = project.place
    commitAll(root)
    await project.sync(true)
    project.remove('src/gone.ts')
    await project.sync()
    const gone = json(root).contracts.map((one: { name: string }) => one.name)
    project.write('src/many.ts', functions('string'))
    await project.sync()
    const { contracts, owners } = json(root)
    return { gone, total: contracts.length, users: contracts[0].callers.length, owners: owners.length }
  }

  expect(await told(0)).toEqual({ gone: ['late'], total: contractsMax, users: contractCallersMax, owners: 1 })
  expect(await told(1)).toEqual({ gone: [], total: contractsMax, users: contractCallersMax, owners: 0 })
})

test('a line that closes a circle of files is told; the circle that was there before is not', async (context) => {
  const { expect } = context
  const project = await committed()
  const { root } = project.place
  project.write(
    'src/price.ts',
    `import { order } from './order.ts'\n${sources['src/price.ts']}export const first = () => order()\n`,
  )
  await project.sync()
  expect(json(root).newlyCircular).toEqual([
    { file: 'src/price.ts', line: expect.any(Number), files: ['src/price.ts', 'src/order.ts', 'src/price.ts'] },
  ])
  git(root, 'commit', '-qam', 'a circle')
  project.write('src/order.ts', sources['src/order.ts'].replace('price(1)', 'price(2)'))
  await project.sync()
  expect(json(root).newlyCircular).toEqual([])
})

test('ranges are compared as git does, and what is not checked out is refused', { tags: 'slow' }, async (context) => {
  const { expect } = context
  const project = await committed()
  const { root } = project.place
  git(root, 'checkout', '-q', '-b', 'side')
  project.write('src/order.ts', sources['src/order.ts'].replace('price(1)', 'price(2)'))
  git(root, 'commit', '-qam', 'order two')
  git(root, 'checkout', '-q', 'main')
  project.write('src/shelf.ts', sources['src/shelf.ts'].replace('return 1', 'return 4'))
  git(root, 'commit', '-qam', 'shelf four')
  git(root, 'checkout', '-q', 'side')
  await project.sync()
  const changed = (range: string): string[] => json(root, range).changed.map((one: { name: string }) => one.name)
  expect(changed('main...side')).toEqual(['order'])
  expect(changed('main..side').sort()).toEqual(['Shelf::total', 'order'])
  expect(changed('main..').sort()).toEqual(['Shelf::total', 'order'])
  expect(changed('side~1..side')).toEqual(['order'])
  for (const [words, message] of [
    [['side..main'], 'the newer side of "side..main" is not what is checked out'],
    [['nowhere'], '"nowhere" is no commit or range'],
    [['nowhere..side'], 'is no commit or range'],
    [['--', '--output=taken'], 'is no commit or range'],
    [['main', '--format', 'xml'], '--format is text, json, sarif, html'],
  ] as const)
    expect(run(root, ['review', ...words]), message).toMatchObject({ code: 1, err: expect.stringContaining(message) })
  project.write('src/order.ts', `\n${sources['src/order.ts']}`)
  expect(run(root, ['review', 'main'])).toMatchObject({ code: 1, err: expect.stringContaining('"indexer sync"') })
})

test('findings come as SARIF, each at its file and line', async (context) => {
  const { expect } = context
  const project = await committed()
  const { root } = project.place
  project.write('src/a b#c.ts', 'export function lonely() {\n  return 1\n}\n')
  project.write('src/price.ts', sources['src/price.ts'].replace('rounded(count * 2)', 'count * 2'))
  await project.sync()
  const log = JSON.parse(run(root, ['review', '--format', 'sarif']).out)
  expect(log).toMatchObject({ version: '2.1.0', runs: [{ tool: { driver: { name: 'indexer review' } } }] })
  const [{ results, tool }] = log.runs
  for (const one of results) {
    expect(tool.driver.rules[one.ruleIndex].id).toBe(one.ruleId)
    expect(one.locations[0].physicalLocation.region.startLine).toBeGreaterThan(0)
  }
  const found = results.map(
    (one: { ruleId: string; locations: { physicalLocation: { artifactLocation: { uri: string } } }[] }) =>
      `${one.ruleId} ${one.locations[0]?.physicalLocation.artifactLocation.uri}`,
  )
  expect(found).toEqual(
    expect.arrayContaining([
      'newly-dead src/price.ts',
      'new-unused src/a%20b%23c.ts',
      'untested-change src/a%20b%23c.ts',
      'affected-route src/orders.controller.ts',
    ]),
  )
})

test('a review is one file to send: with the lines that lead to the change, and nothing that runs or loads', async ({
  expect,
}) => {
  const project = await committed()
  const { root } = project.place
  const hostile = "return price('<script>alert(1)</script>'.length)"
  project.write('src/order.ts', sources['src/order.ts'].replace('return price(1)', hostile))
  git(root, 'commit', '-qam', 'call with a text')
  project.write('src/price.ts', sources['src/price.ts'].replace('count * 2', 'count * 3'))
  project.write('src/shelf.ts', sources['src/shelf.ts'].replace('return 2', 'return 3'))
  await project.sync()

  const { code, out } = run(root, ['review', '--format', 'html'])

  expect(code).toBe(0)
  for (const said of [
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src`,
    '<b class="mono">test/order.test.ts</b><span class="why">through ordered › order › price</span>',
    '<dt>Symbols changed</dt><dd class="v">2</dd><dd>in 2 files</dd>',
    '<code>return price(&#39;&#60;script&#62;alert(1)&#60;/script&#62;&#39;.length)</code>',
    '<li class="possible"><b class="mono">test/shelf.test.ts</b>',
  ])
    expect(out).toContain(said)
  expect(out).not.toMatch(/<script|<img|<link|<a |url\(|https?:/)
  expect(run(root, ['review', 'nowhere', '--format', 'html'])).toMatchObject({ code: 1, out: '' })
})

test('the viewer answers the same, in its shape, as many rows as are asked for and no more', { tags: 'slow' }, async ({
  expect,
}) => {
  const project = await committed()
  const { root } = project.place
  project.write('src/price.ts', sources['src/price.ts'].replace('rounded(count * 2)', 'count * 3'))
  project.write('src/shelf.ts', sources['src/shelf.ts'].replace('return 2', 'return 3'))
  await project.sync()
  const viewer = await servedInTest(project.place)

  const whole = await viewer.get('/api/review')
  const told = json(root)

  expect(whole.status, whole.text).toBe(200)
  expect(reviewAnswer.safeParse(whole.body)).toMatchObject({ success: true })
  expect(whole.body).toMatchObject({
    range: 'HEAD',
    changed: { total: 2, items: told.changed.map((one: { name: string }) => ({ name: one.name })) },
    affected: { total: told.affected.total, truncated: false },
    tests: {
      items: [
        { file: 'test/order.test.ts', certain: true },
        { file: 'test/shelf.test.ts', certain: false },
      ],
    },
    newlyDead: { items: [{ name: 'rounded', fresh: false }] },
  })
  const first = await viewer.get('/api/review?range=HEAD&limit=1')
  expect(reviewAnswer.safeParse(first.body)).toMatchObject({ success: true })
  expect(first.body.changed).toMatchObject({ total: 2, shown: 1, truncated: true })
  expect(first.body.affected).toMatchObject({ total: told.affected.total, shown: 1, truncated: true })

  const name = (chars: number): string => `/api/review?range=${'a'.repeat(chars)}`
  for (const [target, message] of [
    [`/api/review?limit=${reviewLimitMax}`, undefined],
    [`/api/review?limit=${reviewLimitMax + 1}`, `limit must be a whole number from 1 to ${reviewLimitMax}`],
    [name(reviewRangeCharsMax), 'is no commit or range'],
    [name(reviewRangeCharsMax + 1), `range may have at most ${reviewRangeCharsMax} characters`],
    ['/api/review?range=--output%3Dtaken', 'is no commit or range'],
    ['/api/review?range=HEAD&range=HEAD', 'range may be given once'],
  ] as const) {
    const { status, body } = await viewer.get(target)
    expect(status, target).toBe(message === undefined ? 200 : 400)
    if (message !== undefined) expect(body.error).toContain(message)
  }
  project.write('src/price.ts', `\n${sources['src/price.ts']}`)
  expect((await viewer.get('/api/review')).body.hint).toContain('indexer sync')
})
