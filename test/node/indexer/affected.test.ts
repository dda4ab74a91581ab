import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { test } from 'vitest'
import { projectInTest } from '../../support/viewer-in-test.ts'

const entry = path.join(import.meta.dirname, '../../../local/indexer.ts')

const sources = {
  'src/price.ts': `export function price(count: number) {
  return count * 2
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
  'src/order.ts':
    "import { price } from './price.ts'\nexport function order() {\n  return [1].map((one) => price(one))\n}\n",
  'test/order.test.ts': "import { order } from '../src/order.ts'\nexport function ordered() {\n  order()\n}\n",
  'test/label.test.ts': "import { label } from '../src/price.ts'\nexport function labelled() {\n  label(1)\n}\n",
  'test/shelf.test.ts':
    "import { Shelf } from '../src/shelf.ts'\nexport function filled(shelf: Shelf) {\n  shelf.total()\n}\n",
}

function run(root: string, words: readonly string[]) {
  const ended = spawnSync(process.execPath, [entry, ...words], { encoding: 'utf8', cwd: root })
  return { code: ended.status, out: ended.stdout, err: ended.stderr }
}

function git(root: string, ...words: readonly string[]): void {
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.invalid']
  const ended = spawnSync('git', [...who, ...words], { cwd: root, encoding: 'utf8' })
  if (ended.status !== 0) throw new Error(ended.stderr)
}

test('the tests that reach a change are told, those that surely do and those that may apart', ({ expect }) => {
  const project = projectInTest(sources)
  const { root } = project.place
  const tests = () => JSON.parse(run(root, ['affected', '--tests', '--json']).out)
  git(root, 'init', '-q')
  git(root, 'add', '.')
  git(root, 'commit', '-q', '-m', 'begin')
  expect(run(root, ['init']).code).toBe(0)
  expect(tests()).toMatchObject({ changed: [], files: [] })

  project.write('src/price.ts', sources['src/price.ts'].replace('count * 2', 'count * 3'))
  expect(run(root, ['affected'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('src/price.ts is not as it was'),
  })
  expect(run(root, ['sync']).code).toBe(0)
  expect(tests()).toMatchObject({
    changed: [{ name: 'price', file: 'src/price.ts' }],
    files: [{ file: 'test/order.test.ts', isCertain: true, through: ['ordered', 'order', 'price'] }],
  })
  expect(run(root, ['affected', '--tests']).out).toBe('certain   test/order.test.ts  through ordered > order > price\n')
  expect(run(root, ['affected']).out).toContain('certain   src/order.ts')

  project.write('src/price.ts', sources['src/price.ts'])
  project.write('src/shelf.ts', sources['src/shelf.ts'].replace('return 2', 'return 3'))
  project.write('test/new.test.ts', 'export function fresh() {}\n')
  expect(run(root, ['sync']).code).toBe(0)
  expect(tests().files).toMatchObject([
    { file: 'test/new.test.ts', isCertain: true },
    { file: 'test/shelf.test.ts', isCertain: false, through: ['filled', 'Shelf::total', 'TallShelf::total'] },
  ])
})

test('what is no commit is refused, and nothing in its name is an option', ({ expect }) => {
  const project = projectInTest(sources)
  const { root } = project.place
  expect(run(root, ['init']).code).toBe(0)

  expect(run(root, ['affected'])).toMatchObject({ code: 1, err: expect.stringContaining('"HEAD" is no commit') })
  git(root, 'init', '-q')
  for (const commit of ['nowhere', '--output=taken']) {
    expect(run(root, ['affected', '--', commit])).toMatchObject({
      code: 1,
      err: expect.stringContaining('is no commit'),
    })
  }
})
