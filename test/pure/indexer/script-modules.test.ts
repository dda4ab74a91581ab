import { describe, test } from 'vitest'
import { type PackageFact, ScriptModules } from '../../../local/indexer/resolve/script-modules.ts'
import { linkSources } from '../../support/link-sources.ts'

const pack = (folder: string, facts: Partial<PackageFact>): PackageFact => ({
  folder,
  name: '',
  exports: undefined,
  imports: undefined,
  main: '',
  dependencies: [],
  ...facts,
})

const files = new Set([
  'src/a.ts',
  'src/deep/index.tsx',
  'src/only.js',
  'packages/lib/src/index.ts',
  'packages/lib/src/part.ts',
  'packages/lib/src/feature/x.ts',
  'packages/old/lib/main.js',
  'src/view.vue',
])
const modules = new ScriptModules(
  files,
  [
    pack('', { name: 'root', imports: { '#deep/*': './src/deep/*.js', '#a': { default: './dist/a.js' } } }),
    pack('packages/lib', {
      name: '@scope/lib',
      exports: { '.': { import: './dist/index.js' }, './part': './src/part.ts', './feature/*': './dist/feature/*.js' },
    }),
    pack('packages/old', { name: 'old', main: 'lib/main.js' }),
  ],
  [{ folder: '', baseUrl: 'src', paths: { '@/*': ['src/*'], exact: ['src/a.ts'] } }],
)

describe('a specifier means', () => {
  test.for<[string, string, string]>([
    ['src/a.ts', './deep', 'src/deep/index.tsx'],
    ['src/a.ts', './deep/index.js', 'src/deep/index.tsx'],
    ['src/deep/index.tsx', '../a.js', 'src/a.ts'],
    ['src/deep/index.tsx', '../only', 'src/only.js'],
    ['src/a.ts', './view.vue', 'src/view.vue'],
    ['src/a.ts', './only.js?raw', 'src/only.js'],
    ['src/deep/index.tsx', '@/a', 'src/a.ts'],
    ['src/deep/index.tsx', 'exact', 'src/a.ts'],
    ['src/deep/index.tsx', 'only', 'src/only.js'],
    ['src/a.ts', '#deep/index', 'src/deep/index.tsx'],
    ['src/a.ts', '#a', 'src/a.ts'],
    ['src/a.ts', '@scope/lib', 'packages/lib/src/index.ts'],
    ['src/a.ts', '@scope/lib/part', 'packages/lib/src/part.ts'],
    ['src/a.ts', '@scope/lib/feature/x', 'packages/lib/src/feature/x.ts'],
    ['src/a.ts', 'old', 'packages/old/lib/main.js'],
  ])('from %s %s means %s', ([from, specifier, target], { expect }) => {
    expect(modules.resolve(from, specifier)).toEqual({ kind: 'file', path: target })
  })

  test.for<[string, string]>([
    ['node:fs', 'external'],
    ['react', 'external'],
    ['https://example.org/x.js', 'external'],
    ['./nothing', 'missing'],
    ['../../outside', 'missing'],
    ['', 'missing'],
    ['#unknown', 'missing'],
  ])('%s is %s', ([specifier, kind], { expect }) => {
    expect(modules.resolve('src/a.ts', specifier).kind).toBe(kind)
  })
})

test('re-exports in a circle end', ({ expect }) => {
  const edges = linkSources({
    'a.ts': "export * from './b.ts'\nexport { x } from './b.ts'\n",
    'b.ts': "export * from './a.ts'\nexport { x } from './a.ts'\n",
    'c.ts': "import { x, y } from './a.ts'\nx()\ny()\n",
  })

  expect(edges.filter((edge) => edge.kind === 'calls')).toEqual([])
})

test('a guess is the only member of its name and is marked uncertain', ({ expect }) => {
  const sources = {
    'a.ts': 'export class A { frobnicate() {} push() {} }\n',
    'b.js': 'export function f(unknown) {\n  unknown.frobnicate()\n  unknown.push()\n}\n',
  }

  expect(linkSources(sources).filter((edge) => edge.kind === 'calls')).toMatchObject([
    { to: 'a.ts#A::frobnicate', resolution: 'fuzzy', confidence: 0.4 },
  ])
  expect(
    linkSources({ ...sources, 'c.ts': 'class B { frobnicate() {} }\n' }).filter((edge) => edge.kind === 'calls'),
  ).toEqual([])
})
