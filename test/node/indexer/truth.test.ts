/** Compilers judge the corpus as `npm run bench -- truth` lets them judge repositories; each where the machine has it. */
import path from 'node:path'
import { test } from 'vitest'
import type { ScipIndex } from '../../../local/indexer/core/compiler-index.ts'
import { indexPlace } from '../../../local/indexer/store/index-folder.ts'
import { openIndex } from '../../../local/indexer/store/open-index.ts'
import { judgeFolder, judgeProject } from '../../support/oracles/judge-folder.ts'
import { type JudgedLanguage, MissingOracleError, oracles, told } from '../../support/oracles/oracles.ts'
import { plantTree } from '../../support/planted-tree.ts'
import { unwrap } from '../../support/unwrap.ts'
import { indexedInTest } from '../../support/viewer-in-test.ts'

const corpus = path.join(import.meta.dirname, '../../fixtures/code')
const folders: readonly (readonly [JudgedLanguage, certain: number, ...more: string[]])[] = [
  ['typescript', 300],
  ['go', 100],
  ['java', 100],
  ['cpp', 100, '-std=c++17'],
  ['php', 100],
]

test.for(folders)(
  'the compiler of %s agrees with the certain edges of the corpus',
  { tags: 'slow', timeout: 120_000 },
  async ([language, certain, ...more], { expect, skip }) => {
    const root = path.join(corpus, language)
    const { right, wrong } = await judgeFolder(language, root, more).catch((error: unknown) => {
      if (error instanceof MissingOracleError) return skip(`there is no ${error.message} on this machine`)
      throw error
    })
    expect(right).toBeGreaterThanOrEqual(certain)
    // One in two hundred, as is promised of repositories: the corpus has lines that no compiler takes.
    expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(Math.ceil(right / 200))
  },
)

function askedOf(ask: () => ScipIndex, skip: (note: string) => never): ScipIndex {
  try {
    return ask()
  } catch (error) {
    if (error instanceof MissingOracleError) return skip(`there is no ${error.message} on this machine`)
    throw error
  }
}

/** Lines as a compiler's program tells them: places from 0, and whether the name is defined there. */
async function judged(sources: Readonly<Record<string, string>>, lines: readonly string[]) {
  const { place } = await indexedInTest(sources)
  const open = unwrap(openIndex(indexPlace(place.root, undefined)))
  try {
    return judgeProject(place.root, open.reader, told('a compiler', 'utf16', lines.join('\n').replaceAll(' ', '\t')))
  } finally {
    open.close()
  }
}

test('what a type above declares to make objects with is not contradicted by the name of the type', async ({
  expect,
}) => {
  const source = ['class Base:', '    def __init__(self): pass', 'class Kind(Base): pass', 'Kind()', ''].join('\n')
  const verdict = await judged({ 'a.py': source }, [
    'a.py 0 6 10 Base definition',
    'a.py 1 8 16 Base.init definition',
    'a.py 2 6 10 Kind definition',
    'a.py 2 11 15 Base use',
    'a.py 3 0 4 Kind use',
  ])
  expect(verdict.wrong).toEqual([])
  expect(verdict.right).toBeGreaterThan(0)
})

test('a local inside of a function of the same name is not taken for the function', async ({ expect }) => {
  const source = ['def size():', '    size = 1', '    return size', 'print(size())', ''].join('\n')
  const verdict = await judged({ 'a.py': source }, [
    'a.py 0 4 8 size() definition',
    'a.py 1 4 8 size.size definition',
    'a.py 2 11 15 size.size use',
    'a.py 3 6 10 size() use',
  ])
  expect(verdict).toMatchObject({ sites: 1, wrong: [], missed: [] })
})

test('the last of several names is judged by itself, and not by the first', async ({ expect }) => {
  const source = ['export enum Kind {', '  Ship,', '}', 'export const one: Kind.Ship = Kind.Ship', ''].join('\n')
  const verdict = await judged({ 'a.ts': source }, [
    'a.ts 0 12 16 Kind definition',
    'a.ts 1 2 6 Kind.Ship definition',
    'a.ts 3 18 22 Kind use',
    'a.ts 3 23 27 Kind.Ship use',
    'a.ts 3 30 34 Kind use',
    'a.ts 3 35 39 Kind.Ship use',
  ])
  expect(verdict.wrong).toEqual([])
  expect(verdict.right).toBeGreaterThanOrEqual(2)
})

test('a name is judged by what stands there, and by no other of that name on the line', async ({ expect }) => {
  const source = ['class Kind:', '    def __init__(self, part):', '        self.part = part', ''].join('\n')
  const verdict = await judged({ 'a.py': source }, [
    'a.py 0 6 10 Kind definition',
    'a.py 1 23 27 Kind.part definition',
    'a.py 2 20 24 outside use',
  ])
  expect(verdict.wrong).toEqual([])
})

test('a method of C++ is the one that its class declares, and so is what makes its objects', async ({ expect }) => {
  const verdict = await judged(
    {
      'kind.h': 'struct Kind {\n  Kind(int);\n  virtual int size() = 0;\n};\n',
      'kind.cc': '#include "kind.h"\nKind::Kind(int) {}\nint Kind::size() { return 1; }\n',
      'use.cc': '#include "kind.h"\nint use(Kind* one) { new Kind(2); return one->size(); }\n',
    },
    [
      'kind.h 0 7 11 Kind definition',
      'kind.cc 1 6 10 Kind.Kind definition',
      'kind.cc 2 10 14 Kind.size definition',
      'use.cc 1 8 12 Kind use',
      'use.cc 1 25 29 Kind.Kind use',
      'use.cc 1 46 50 Kind.size use',
    ],
  )
  expect(verdict).toMatchObject({ wrong: [], missed: [] })
  expect(verdict.right).toBeGreaterThanOrEqual(3)
})

test('of several things that a program called from one place, the index has it if it has one of them', async ({
  expect,
}) => {
  const source = ['class Kind', '  def size; end', 'end', 'class Other', '  def size; end', 'end', 'Kind.new.size', '']
  const verdict = await judged({ 'a.rb': source.join('\n') }, [
    'a.rb 1 6 10 Kind.size definition',
    'a.rb 4 6 10 Other.size definition',
    'a.rb 6 9 13 Kind.size use',
    'a.rb 6 9 13 Other.size use',
  ])
  expect(verdict).toMatchObject({ sites: 1, wrong: [], missed: [] })
})

test('a run of Ruby says what its calls came to, and nothing of what the platform called', ({ expect, skip }) => {
  const root = plantTree({
    'kind.rb': [
      'class Kind',
      '  attr_reader :name',
      '  def initialize(name); @name = name; end',
      '  def size; name.size; end',
      '  def <=>(other); size <=> other.size; end',
      '  def called(one); one.public_send(:size); end',
      'end',
      '',
    ].join('\n'),
    'run.rb': [
      "require_relative 'kind'",
      "one = Kind.new('a')",
      'one.size',
      'one.called(one)',
      '[one, one].sort',
      '',
    ].join('\n'),
  })
  const uses = askedOf(() => oracles.ruby(root, ['run.rb']), skip).documents.flatMap((document) =>
    document.occurrences
      .filter((one) => !one.isDefinition)
      .map((one) => `${document.path}:${one.line} ${one.symbol.replace(/^.*\//, '')}`),
  )
  expect(uses.toSorted()).toEqual([
    'kind.rb:3 kind.rb:2:name',
    'kind.rb:5 outside:public_send',
    'run.rb:0 outside:require_relative',
    'run.rb:1 kind.rb:1:Kind',
    'run.rb:1 kind.rb:3:initialize',
    'run.rb:2 kind.rb:4:size',
    'run.rb:3 kind.rb:6:called',
    'run.rb:4 outside:sort',
  ])
})
