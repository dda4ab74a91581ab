/** A folder with several repositories in it is one index: what one of them uses of another is linked like anything else. */
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { test } from 'vitest'
import { openIndex } from '../../../local/indexer/store/open-index.ts'
import { commitAll, git } from '../../support/git-in-test.ts'
import { unwrap } from '../../support/unwrap.ts'
import { projectInTest, servedInTest } from '../../support/viewer-in-test.ts'

const pay = {
  'pay/package.json': '{ "name": "@acme/pay", "exports": "./src/pay.ts" }',
  'pay/src/pay.ts': 'export function charge() {}\n',
  'pay/.gitignore': 'made.ts\n',
  'pay/made.ts': 'export const made = 1\n',
}
const shop = {
  'shop/package.json': '{ "name": "shop", "dependencies": { "@acme/pay": "1.0.0" } }',
  'shop/src/order.ts': "import { charge } from '@acme/pay'\nexport function order() { charge() }\n",
}
const go = {
  'ledger/go.mod': 'module example.com/ledger\n',
  'ledger/book/book.go': 'package book\n\nfunc Enter() {}\n',
  'tills/go.mod': 'module example.com/tills\n\nrequire example.com/ledger v1.0.0\n',
  'tills/main.go': 'package main\n\nimport "example.com/ledger/book"\n\nfunc main() {\n\tbook.Enter()\n}\n',
}

test.for([
  ['scripts', { ...pay, ...shop }, 'charge', 'order', 'shop/src/order.ts'],
  ['Go', go, 'Enter', 'main', 'tills/main.go'],
] as const)(
  'a call from one repository into another is certain, in %s',
  async ([, sources, name, caller, file], { expect }) => {
    const project = projectInTest(sources)
    const { root } = project.place
    for (const one of new Set(Object.keys(sources).map((path) => path.split('/')[0] ?? '')))
      git(`${root}/${one}`, 'init', '-q')

    await project.sync()

    const { reader, close } = unwrap(openIndex(project.place))
    const [called] = reader.nodesNamed(name).filter((one) => one.kind === 'function')
    const id = called?.id ?? ''
    const calls = reader.incoming(called?.n ?? 0).filter((one) => one.kind === 'calls')
    expect(calls.map(({ source, confidence }) => [reader.node(source).name, confidence >= 0.9])).toEqual([
      [caller, true],
    ])
    expect(reader.files().map((one) => one.path)).not.toContain('pay/made.ts')
    close()

    const viewer = await servedInTest(project.place)
    const { body } = await viewer.get(`/api/node/${encodeURIComponent(id)}`)
    expect(body.incoming.items.map((one: { node: { file: string } }) => one.node.file)).toContain(file)
  },
)

test('what one repository offers under a new name is lost to the other at the next sync', async ({ expect }) => {
  const project = projectInTest({ ...pay, ...shop })
  await project.sync()
  project.write('pay/src/pay.ts', 'export function bill() {}\n')

  await project.sync()

  const { reader, close } = unwrap(openIndex(project.place))
  expect(reader.unresolvedNamed('charge', 9)).toHaveLength(1)
  close()
})

test('whose change made a line is known from the repository that its file is in', async ({ expect }) => {
  const project = projectInTest({ ...pay, ...shop })
  for (const one of ['pay', 'shop']) commitAll(`${project.place.root}/${one}`)
  await project.sync()
  const viewer = await servedInTest(project.place)

  const { body } = await viewer.get('/api/blame?file=pay/src/pay.ts')

  expect(body).toMatchObject({ known: true, commits: [{ name: 'A', subject: 'begin' }] })
})

const entry = path.join(import.meta.dirname, '../../../local/indexer.ts')
const tests = {
  'shop/test/order.test.ts': "import { order } from '../src/order.ts'\nexport function ordered() { order() }\n",
}

function run(cwd: string, words: readonly string[]) {
  const ended = spawnSync(process.execPath, [entry, ...words], { encoding: 'utf8', cwd })
  return { code: ended.status, out: ended.stdout, err: ended.stderr }
}

/** The function that `pay` offers is changed, and so is a file of `shop` that has nothing to do with it. */
async function changedInBoth(): Promise<string> {
  const project = projectInTest({ ...pay, ...shop, ...tests, 'shop/src/other.ts': 'export function other() {}\n' })
  const { root } = project.place
  for (const one of ['pay', 'shop']) commitAll(`${root}/${one}`)
  project.write('pay/src/pay.ts', 'export function charge() { return 1 }\n')
  project.write('shop/src/other.ts', 'export function other() { return 1 }\n')
  await project.sync()
  return root
}

test.for([
  ['text', [], 'shop/src/order.ts:2  function order > charge'],
  ['JSON', ['--json'], '"file": "shop/test/order.test.ts"'],
  ['HTML', ['--format', 'html'], '<b class="mono">shop/test/order.test.ts</b>'],
] as const)('a change in one repository is followed into the others: %s', async ([, form, said], { expect }) => {
  const root = await changedInBoth()

  const { code, out } = run(`${root}/pay`, ['review', ...form])

  expect(code).toBe(0)
  expect(out).toContain(said)
  expect(out).not.toContain('other.ts')
})

test('asked of the folder around them, what changed in each repository counts', async ({ expect }) => {
  const root = await changedInBoth()

  const { changed, tests } = JSON.parse(run(root, ['review', '--json']).out)

  expect(changed.map((one: { file: string }) => one.file)).toEqual(['pay/src/pay.ts', 'shop/src/other.ts'])
  expect(tests).toMatchObject([{ file: 'shop/test/order.test.ts', isCertain: true }])
})

test('tests of another repository are among those to run', async ({ expect }) => {
  const root = await changedInBoth()

  expect(run(root, ['affected', '--tests', '--path', 'pay']).out).toBe(
    'certain   shop/test/order.test.ts  through ordered > order > charge\n',
  )
})

test.for([
  ['a range that no repository knows', '', ['review', 'nowhere']],
  ['a commit that no repository knows', '', ['affected', 'nowhere']],
  ['a range where a commit is asked for', 'pay', ['affected', 'HEAD..HEAD']],
] as const)('%s is refused', async ([, folder, words], { expect }) => {
  const { code, err } = run(path.join(await changedInBoth(), folder), words)

  expect(code).toBe(1)
  expect(err).toContain(`"${words[1]}" is no commit`)
})
