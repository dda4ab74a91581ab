/** The index judged by a compiler's own, which a real indexer recorded (see the fixture), and written in its form. */
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'vitest'
import { relationsCommand } from '../../../local/indexer/commands/read-commands.ts'
import { exportCommand, importCommand } from '../../../local/indexer/commands/scip-commands.ts'
import type { ScipIndex } from '../../../local/indexer/core/compiler-index.ts'
import { verdictOfAll } from '../../../local/indexer/core/verdicts.ts'
import { scipBytesMax } from '../../../local/indexer/limits.ts'
import { readScip, writeScip } from '../../../local/indexer/scip/scip-index.ts'
import { readProofs } from '../../../local/indexer/store/proof-store.ts'
import { likelyShare } from '../../../local/viewer/core/accuracy.ts'
import { accuracyLimitMax } from '../../../local/viewer/limits.ts'
import { contradictingIndex } from '../../support/contradicting-index.ts'
import { indexedInTest, servedInTest } from '../../support/viewer-in-test.ts'
import type { TestProject } from '../../support/viewer-server.ts'

const fixture = path.join(import.meta.dirname, '../../fixtures/scip')
const recorded = path.join(fixture, 'index.scip')
const sources = Object.fromEntries(
  ['src/crate.ts', 'src/quay.ts'].map((file) => [file, readFileSync(path.join(fixture, file), 'utf8')]),
)

function judge(project: TestProject, file: string): string {
  const said: string[] = []
  importCommand(
    {
      place: project.place,
      output: { line: (text) => said.push(text), error: (text) => said.push(text) },
      isJson: false,
    },
    file,
  )
  return said.join('\n')
}

function written(project: TestProject): { index: ScipIndex; said: string } {
  const said: string[] = []
  const file = path.join(project.place.folder, 'out.scip')
  const output = { line: (text: string) => said.push(text), error: (text: string) => said.push(text) }
  exportCommand({ place: project.place, output, isJson: false }, file, '1.2.3')
  return { index: readScip(readFileSync(file)), said: said.join('\n') }
}

test("a compiler's index proves edges, and names a use without an edge", async ({ expect }) => {
  const project = await indexedInTest(sources)

  expect(judge(project, recorded)).toBe(
    '2 files judged by scip-typescript 0.4.0: 14 edges proved, 0 refuted; of 9 uses of functions 1 have no edge',
  )
  const viewer = await servedInTest(project.place)
  const { body } = await viewer.get('/api/accuracy')
  expect(body.languages).toMatchObject([{ language: 'typescript', files: 2, judgedFiles: 2, sites: 9, found: 8 }])
  expect(body.all.certain.judged - body.all.certain.right).toBe(0)
  expect(body.tools).toEqual([{ name: 'scip-typescript 0.4.0', files: 2 }])
  expect(body.wrong.total).toBe(0)
  expect(body.missed.items).toEqual([{ file: 'src/quay.ts', line: 20, target: 'src/crate.ts#Crate::open' }])
  expect((await viewer.get('/api/accuracy?limit=0')).body.code).toBe('bad-request')
  expect((await viewer.get(`/api/accuracy?limit=${accuracyLimitMax}`)).status).toBe(200)
  expect((await viewer.get(`/api/accuracy?limit=${accuracyLimitMax + 1}`)).body.code).toBe('bad-request')
})

test('an edge is refuted where a compiler names another method of the project', async ({ expect }) => {
  const project = await indexedInTest(sources)
  const other = path.join(project.place.folder, 'other.scip')
  writeFileSync(other, contradictingIndex(readFileSync(recorded)))

  expect(judge(project, other)).toContain('13 edges proved, 1 refuted; of 9 uses of functions 2 have no edge')
  const viewer = await servedInTest(project.place)
  const { body } = await viewer.get('/api/accuracy')
  expect(body.all.certain.judged - body.all.certain.right).toBe(1)
  expect(body.all.certain.likely.to).toBeLessThan(1)
  expect(body.wrong.items).toMatchObject([
    { line: 8, certain: true, source: { name: 'pack' }, target: { qualifiedName: 'Crate::open' } },
  ])
})

test('who calls a symbol and what it calls are marked as a compiler judged them', async ({ expect }) => {
  const project = await indexedInTest(sources)
  const viewer = await servedInTest(project.place)
  const relations = async (name: string) => {
    const found = await viewer.get(`/api/search?q=${name}`)
    const { id } = found.body.results.items.find((one: { name: string }) => one.name === name)
    const { incoming, outgoing } = (await viewer.get(`/api/node/${encodeURIComponent(id)}`)).body
    const told = (list: { items: Told[] }) =>
      list.items.map((one) => [one.node.name, one.verdict, one.edges.map((edge) => edge.verdict)])
    return { incoming: told(incoming), outgoing: told(outgoing) }
  }
  interface Told {
    readonly node: { readonly name: string }
    readonly verdict?: string
    readonly edges: readonly { readonly verdict?: string }[]
  }
  expect((await relations('pack')).outgoing).toContainEqual(['open', undefined, [undefined]])

  const contradicting = path.join(project.place.folder, 'contradicting.scip')
  writeFileSync(contradicting, contradictingIndex(readFileSync(recorded)))
  judge(project, contradicting)
  const pack = await relations('pack')
  expect(pack.outgoing).toContainEqual(['open', 'refuted', ['refuted']])
  expect(pack.outgoing).toContainEqual(['trim', 'proved', ['proved']])
  expect((await relations('open')).incoming).toContainEqual(['pack', 'refuted', ['refuted']])
  const said: string[] = []
  const output = { line: (text: string) => said.push(text), error: (text: string) => said.push(text) }
  relationsCommand({ place: project.place, output, isJson: false }, 'pack', 'callees')
  expect(said.join('\n')).toMatch(/trim .*\(proved\) .*\n.*open .*\(refuted\) {2}\| crate\.open\(\)/)
  // Elsewhere the same compiler says the same as the index.
  expect((await relations('trim')).incoming).toContainEqual(['pack', 'proved', ['proved']])

  project.write('src/crate.ts', `// above\n${sources['src/crate.ts']}`)
  await project.sync()
  expect((await relations('pack')).outgoing).toContainEqual(['trim', undefined, [undefined]])
})

test.for([
  { of: ['proved', 'refuted', undefined], told: 'proved' },
  { of: ['refuted', 'refuted'], told: 'refuted' },
  { of: ['refuted', undefined], told: undefined },
  { of: [undefined], told: undefined },
] as const)('edges of which $of are told together as $told', ({ of, told }, { expect }) => {
  expect(verdictOfAll(of)).toBe(told)
})

test('what was said of a text says nothing about another one', async ({ expect }) => {
  const project = await indexedInTest(sources)
  judge(project, recorded)
  writeFileSync(path.join(project.place.root, 'src/quay.ts'), `// Moved by a line.\n${sources['src/quay.ts']}`)
  await project.sync()
  const viewer = await servedInTest(project.place)

  const { body } = await viewer.get('/api/accuracy')

  expect(body).toMatchObject({ changedFiles: 1, all: { judgedFiles: 1, sites: 2 }, wrong: { total: 0 } })
  expect(judge(project, recorded)).toContain('1 files judged')
})

test('where no compiler said anything, nothing is counted as right', async ({ expect }) => {
  const project = await indexedInTest(sources)
  const viewer = await servedInTest(project.place)

  const { body } = await viewer.get('/api/accuracy')

  expect(body).toMatchObject({ tools: [], all: { judgedFiles: 0, sites: 0, certain: { judged: 0, likely: null } } })
  expect(body.all.certain.edges).toBeGreaterThan(5)
})

test('the index is written with each symbol, and with what surely names it', async ({ expect }) => {
  const project = await indexedInTest({
    ...sources,
    'src/猫.py':
      'class Cat:\n    """Says little."""\n    def say(self):\n        pass\n\n\ndef 喂(cat: Cat):\n    cat.say()\n',
  })
  const { index, said } = written(project)
  const python = index.documents.find((one) => one.language === 'Python')
  const at = (line: number) => python?.occurrences.filter((one) => one.line === line).map((one) => one.symbol)

  expect(said).toContain('3 files')
  expect(index).toMatchObject({ tool: 'wharf-index', toolVersion: '1.2.3' })
  expect(python?.path).toBe('src/猫.py')
  expect(python?.columns).toBe('utf16')
  expect(python?.symbols.map((one) => one.symbol)).toEqual([
    'wharf . . . src/`猫.py`/Cat#',
    'wharf . . . src/`猫.py`/Cat#say().',
    'wharf . . . src/`猫.py`/`喂`().',
  ])
  expect(at(7)).toEqual(['wharf . . . src/`猫.py`/Cat#say().'])
  const call = python?.occurrences.find((one) => one.line === 7)
  expect([call?.col, call?.endCol, call?.isDefinition]).toEqual([8, 11, false])
})

test('what is written proves every edge it was written from, and is read as it was', async ({ expect }) => {
  const project = await indexedInTest(sources)
  const { index } = written(project)

  expect(readScip(writeScip(index))).toEqual(index)
  const said = judge(project, path.join(project.place.folder, 'out.scip'))
  expect(said).toContain(' 0 refuted')
  expect(readProofs(project.place).flatMap((one) => one.edges).length).toBeGreaterThan(10)
})

test('columns in bytes and in signs mean the same places', async ({ expect }) => {
  const project = await indexedInTest({ 'a.ts': "export function sail() {}\nconst x = ['猫😀', sail()]\n" })
  const { index } = written(project)
  const of = (columns: 'utf8' | 'utf32' | undefined, call: number): ScipIndex => ({
    ...index,
    documents: index.documents.map((one) => ({
      ...one,
      columns,
      occurrences: one.occurrences.map((each) =>
        each.line === 1 && !each.isDefinition ? { ...each, col: call, endCol: call + 4 } : each,
      ),
    })),
  })
  const file = path.join(project.place.folder, 'other.scip')
  const proved = (scip: ScipIndex): number => {
    writeFileSync(file, writeScip(scip))
    judge(project, file)
    return readProofs(project.place)
      .flatMap((one) => one.edges)
      .filter((one) => one.isRight).length
  }

  expect(proved(of('utf8', 22))).toBe(1)
  expect(proved(of('utf32', 17))).toBe(1)
  expect(proved(of(undefined, 18))).toBe(0)
})

test('a file that is no such index, of another project, or too large is refused in words', async ({ expect }) => {
  const project = await indexedInTest({ 'a.ts': 'export const a = 1\n' })
  const file = path.join(project.place.folder, 'in.scip')
  const refusals: readonly (readonly [Uint8Array | string, RegExp])[] = [
    ['{"not": "it"}', /no SCIP index/],
    [readFileSync(recorded).subarray(0, 3000), /no SCIP index: a part is cut off/],
    [new Uint8Array(40), /no SCIP index: a part has no number/],
    ['', /no SCIP index: it names no tool/],
    [readFileSync(recorded), /says nothing about files of this index/],
  ]
  for (const [bytes, words] of refusals) {
    writeFileSync(file, bytes)
    expect(() => judge(project, file)).toThrow(words)
  }
  expect(() => judge(project, path.join(project.place.folder, 'none'))).toThrow(/cannot be read/)

  writeFileSync(file, '')
  truncateSync(file, scipBytesMax + 1)
  expect(() => judge(project, file)).toThrow(`at most ${scipBytesMax}`)
  truncateSync(file, scipBytesMax)
  expect(() => judge(project, file)).toThrow(/a part has no number/)
  expect(readProofs(project.place)).toEqual([])
})

test.for([
  [0, 0, null],
  [10, 10, { from: 0.7225, to: 1 }],
  [595, 600, { from: 0.9806, to: 0.9964 }],
  [0, 10, { from: 0, to: 0.2775 }],
] as const)('of %i right of %i the true share is likely to lie in %o', ([right, judged, likely], { expect }) => {
  expect(likelyShare(right, judged)).toEqual(likely)
})
