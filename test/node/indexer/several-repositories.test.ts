/** A folder with several repositories in it is one index: what one of them uses of another is linked like anything else. */
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
