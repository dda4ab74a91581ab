import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'vitest'
import { readCoverage } from '../../../scripts/check-coverage.ts'
import { type TestTitles, testTitlesOf } from '../../../scripts/test-titles.ts'
import { plantTree } from '../../support/planted-tree.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const whole = readFileSync(path.join(root, 'docs/spec-coverage.md'), 'utf8')
/** Of the tree itself, which no test here changes. */
const titles = new Map<string, TestTitles>()

const suite = 'test/pure/suite.test.ts'
const suiteText = `
import { describe, test } from 'vitest'
import { contract } from '../support/contract.ts'
test('a plain name', () => {})
describe('a group', () => {
  test.each([['red'], ['blue']])('the colour %s is kept', () => {})
  test.for(rows)('$name answers 401', () => {})
  test.concurrent(\`a template of \${1} value\`, () => {})
})
describe.each(kinds)('for %s', () => test('nested', () => {}))
const cases = { 'a name from a table': 1 }
for (const [name, run] of Object.entries(cases)) test(name, run)
test.skip('a skipped one', () => {})
test.todo('a planned one')
describe.skip('a silent group', () => test('inside silence', () => {}))
test.skipIf(process.platform === 'win32')('a conditional one', () => {})
const quoted = "test('inside a string', () => {})"
// test('inside a comment', () => {})
contract()
`
const contractText = `
import { test } from 'vitest'
export function contract() { test('shared by several files', () => {}) }
`

function plantedSuite(): string {
  return plantTree({ [suite]: suiteText, 'test/support/contract.ts': contractText })
}

/** The document with the proof of APP-001 replaced. */
function withProof(proof: string): string {
  return whole.replace(/^(\| APP-001 \|[^|]*\|).*$/m, `$1 ${proof} |`)
}

/** Problems of that proof alone: the planted tree holds none of the tests that the real rows name. */
function problemsOf(proof: string, tree: string): string[] {
  return readCoverage(withProof(proof), tree)
    .problems.filter((problem) => problem.includes('(APP-001)'))
    .map((problem) => problem.replace(/^line \d+ \(APP-001\): /, ''))
}

test('the document names every requirement once and only tests that exist', ({ expect }) => {
  const { rows, problems } = readCoverage(whole, root, titles)

  expect(problems).toEqual([])
  expect(rows).toBe(572 + 204 + 182 + 261)
})

test.for<[what: string, markdown: string, problem: string]>([
  ['a missing id', whole.replace(/^\| APP-572 .*\n/m, ''), 'APP-572: the row is missing'],
  ['an id twice', whole.replace(/^(\| VWR-001 .*\n)/m, '$1$1'), '(VWR-001): the id stands here a second time'],
  [
    'an unknown id',
    whole.replace(/^(\| GWY-261 .*\n)/m, '$1| GWY-262 | matter | Not yet. |\n'),
    '(GWY-262): no such id',
  ],
  ['an empty matter', whole.replace(/^\| AGT-001 \|[^|]*\|/m, '| AGT-001 | |'), '(AGT-001): the matter is empty'],
  ['a row of two cells', whole.replace(/^\| AGT-001 \|[^|]*\|/m, '| AGT-001 |'), '(AGT-001): a row has three cells'],
  ['an empty proof', withProof(''), '(APP-001): the proof is empty'],
  ['a proof that is a word', withProof('later'), '(APP-001): neither a test nor a sentence'],
  ['a file that does not exist', withProof('test/pure/none.test.ts › a name'), 'no such file: test/pure/none.test.ts'],
  ['a file without a test name', withProof('test/pure/none.test.ts'), '(APP-001): not "test/….test.ts › name"'],
])('%s is refused', ([, markdown, problem], { expect }) => {
  expect(readCoverage(markdown, root, titles).problems).toEqual([expect.stringContaining(problem)])
})

test.for([
  'a plain name',
  'a group > the colour red is kept',
  'the colour %s is kept',
  'GET /meta answers 401',
  'a template of 1 value',
  'for linux > nested',
  'nested',
  'a name from a table',
  'a conditional one',
  'shared by several files',
])('the existing test "%s" is found', (name, { expect }) => {
  expect(problemsOf(`${suite} › ${name}`, plantedSuite())).toEqual([])
})

test.for([
  'a name',
  'a group',
  'the colour red is',
  'another group > a plain name',
  'a skipped one',
  'a planned one',
  'inside silence',
  'inside a string',
  'inside a comment',
  'a name from no table',
])('the test "%s", which no run shows as passed, is no proof', (name, { expect }) => {
  expect(problemsOf(`${suite} › ${name}`, plantedSuite())).toEqual([`${suite} holds no test "${name}"`])
})

test.for([
  ["test('one that takes long', { timeout: 9, tags: 'slow' }, () => {})", 1],
  ["describe('a group', { tags: 'slow' }, () => test('one that takes long', () => {}))", 1],
  // In two pieces: the runner would take it for a word about this file.
  [`// @${'module-tag'} slow\ntest('one that takes long', () => {})`, 1],
  ["test('one that takes long', { timeout: 9 }, () => {})", 0],
] as const)('a requirement is not left to slow tests alone: %s', ([text, faults], { expect }) => {
  const other = 'test/pure/other.test.ts'
  const tree = plantTree({ [suite]: text, [other]: "test('a quick one', () => {})" })
  const proof = `${suite} › one that takes long`

  expect(problemsOf(proof, tree)).toEqual(
    Array.from({ length: faults }, () => 'npm test leaves all its proofs to npm run test:all'),
  )
  expect(problemsOf(`${proof}<br>${other} › a quick one`, tree)).toEqual([])
})

test('each of several proofs is judged', ({ expect }) => {
  const proof = `${suite} › a plain name<br>${suite} › gone<br>Only half of it is built.`

  expect(problemsOf(proof, plantedSuite())).toEqual([`${suite} holds no test "gone"`])
})

test('a title without words of its own matches texts of its file only', ({ expect }) => {
  const tree = plantTree({ [suite]: "const rows = ['kept']\ntest.each(rows)('%s', () => {})" })
  const planted = testTitlesOf(tree, suite)

  expect([planted.has('kept'), planted.has('%s'), planted.has('invented')]).toEqual([true, true, false])
})
