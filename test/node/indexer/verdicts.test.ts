/** What a compiler said of an edge counts in every answer: the commands, the tools for programs, and the review in each form. */
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { expect as expectAll, test } from 'vitest'
import type { FileProof } from '../../../local/indexer/core/proofs.ts'
import { openIndex } from '../../../local/indexer/store/open-index.ts'
import { keepProofs } from '../../../local/indexer/store/proof-store.ts'
import { composeSenses } from '../../../local/viewer/compose.ts'
import { commitAll } from '../../support/git-in-test.ts'
import { unwrap } from '../../support/unwrap.ts'
import { projectInTest } from '../../support/viewer-in-test.ts'
import type { TestProject } from '../../support/viewer-server.ts'

const entry = path.join(import.meta.dirname, '../../../local/indexer.ts')
const sources = {
  'src/price.ts': 'export function price(count: number) {\n  return count * 2\n}\n',
  'src/order.ts': "import { price } from './price.ts'\nexport function order() {\n  return price(1)\n}\n",
  'src/basket.ts': "import { price } from './price.ts'\nexport function basket() {\n  return price(2)\n}\n",
  'src/till.ts': "import { price } from './price.ts'\nexport function till() {\n  return price(3)\n}\n",
  'test/order.test.ts': "import { order } from '../src/order.ts'\nexport function ordered() {\n  order()\n}\n",
  'test/basket.test.ts': "import { basket } from '../src/basket.ts'\nexport function filled() {\n  basket()\n}\n",
}

/** The call of `order` is proved, that of `basket` refuted, and of `till` nobody says anything. */
async function judged(): Promise<TestProject> {
  const project = projectInTest(sources)
  commitAll(project.place.root)
  project.write('src/price.ts', sources['src/price.ts'].replace('* 2', '* 3').replace('count: number', 'count: bigint'))
  await project.sync(true)
  const { reader, close } = unwrap(openIndex(project.place))
  const [price] = reader.nodesNamed('price').filter((one) => one.kind === 'function')
  const proofs = reader.incoming(price?.n ?? 0).flatMap(({ source, kind, line, col }): FileProof[] => {
    const { path: file, hash } = reader.graph.fileOfNode(source)
    if (kind !== 'calls' || file === 'src/till.ts') return []
    const edge = { line, col, kind, target: 'src/price.ts#price', isRight: file === 'src/order.ts' }
    return [{ path: file, hash, tool: 'a compiler', edges: [edge], sites: 1, missed: [] }]
  })
  close()
  expectAll(proofs).toHaveLength(2)
  keepProofs(project.place, proofs)
  return project
}

function run({ place }: TestProject, words: readonly string[]): string {
  return spawnSync(process.execPath, [entry, ...words], { encoding: 'utf8', cwd: place.root }).stdout
}

test('a tool for programs lists a refuted call apart, and marks a proved one', async ({ expect }) => {
  const { place } = await judged()
  const senses = composeSenses(() => place, undefined)
  const ask = async (name: string, given: Record<string, unknown>) =>
    (await senses.ask(name, given, AbortSignal.timeout(10_000))).text

  const callers = await ask('callers', { symbol: 'price' })
  const [certain = '', refuted = ''] = callers.split(/^Refuted by the compiler.*$/m)
  expect(certain).toMatch(/src\/order\.ts:3 {2}function order \[proved\]/)
  expect(certain).toMatch(/src\/till\.ts:3 {2}function till {2}\|/)
  expect(certain).not.toMatch(/src\/basket\.ts:3/)
  expect(refuted).toMatch(/src\/basket\.ts:3 {2}function basket \[refuted\]/)

  const callees = await ask('callees', { symbol: 'basket' })
  expect(callees).toMatch(/Refuted by the compiler[^\n]*\n[^\n]*function price[^\n]*\[refuted\]/)

  for (const [tool, given] of [
    ['impact', { symbol: 'price' }],
    ['tests_for', { symbol: 'price' }],
    ['relies', { file: 'src/price.ts', lines: '2' }],
    ['review', {}],
  ] as const) {
    const text = await ask(tool, given)
    expect(text, tool).toContain('order')
    expect(text, tool).not.toContain('function basket')
  }
  expect(await ask('review', {})).toMatch(/function order to price \[proved\]/)
  expect(await ask('flow', { from: 'basket', to: 'price' })).not.toContain('the shortest chain')
  expect(await ask('flow', { from: 'order', to: 'price' })).toContain('the shortest chain')
})

test.for([
  ['affected', ['affected', '--tests'], 'test/order.test.ts'],
  ['text', ['review'], 'function order > price  (proved)'],
  ['JSON', ['review', '--json'], '"verdict": "proved"'],
  ['SARIF', ['review', '--format', 'sarif'], '"verdict": "proved"'],
  ['HTML', ['review', '--format', 'html'], '<span class="tag">proved</span>'],
] as const)('no way leads over a refuted edge, and a proved one says so: %s', async ([, words, said], { expect }) => {
  const out = run(await judged(), words)

  expect(out).toContain(said)
  expect(out).not.toContain('basket')
})

test('a caller the compiler refuted is uncertain in the list of a command', async ({ expect }) => {
  const { callers } = JSON.parse(run(await judged(), ['callers', 'price', '--json']))

  const told = callers.map((one: { name: string; isUncertain: boolean; verdict: string | null }) => [
    one.name,
    one.isUncertain,
    one.verdict,
  ])
  expect(Object.fromEntries(told.map(([name, ...rest]: [string]) => [name, rest]))).toEqual({
    order: [false, 'proved'],
    basket: [true, 'refuted'],
    till: [false, null],
  })
})

test('a verdict on another text than the one that is indexed counts for nothing', async ({ expect }) => {
  const project = await judged()
  project.write('src/basket.ts', `\n${sources['src/basket.ts']}`)
  await project.sync()

  expect(run(project, ['affected', '--tests'])).toContain('test/basket.test.ts')
})

test('what a compiler says between two questions counts for the second', async ({ expect }) => {
  const { place } = await judged()
  const senses = composeSenses(() => place, undefined)
  const ask = async () => (await senses.ask('impact', { symbol: 'price' }, AbortSignal.timeout(10_000))).text
  expect(await ask()).toContain('function till')
  const { reader, close } = unwrap(openIndex(place))
  const [till] = reader.nodesNamed('till').filter((one) => one.kind === 'function')
  const edge = reader.outgoing(till?.n ?? 0).find((one) => one.kind === 'calls')
  const { hash = '' } = reader.fileByPath('src/till.ts') ?? {}
  const { line = 0, col = 0 } = edge ?? {}
  close()
  keepProofs(place, [
    {
      ...{ path: 'src/till.ts', hash, tool: 'a compiler', sites: 1, missed: [] },
      edges: [{ line, col, kind: 'calls', target: 'src/price.ts#price', isRight: false }],
    },
  ])

  expect(await ask()).not.toContain('function till')
})
