/** One planted violation per lint rule that biome.json sets itself, and per global that core/ may not touch. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'vitest'
import { plantTree } from '../../support/planted-tree.ts'

const root = path.resolve(import.meta.dirname, '../../..')

interface RuleSetting {
  readonly options?: {
    readonly deniedGlobals?: Readonly<Record<string, string>>
    readonly paths?: Readonly<Record<string, string>>
  }
}
type Groups = Readonly<Record<string, string | boolean | Readonly<Record<string, string | RuleSetting>>>>
interface BiomeConfig {
  readonly linter: { readonly rules: Groups }
  readonly overrides: readonly { readonly includes: readonly string[]; readonly linter: { readonly rules: Groups } }[]
}
const config: BiomeConfig = JSON.parse(readFileSync(path.join(root, 'biome.json'), 'utf8'))

/** Each breaks exactly the rule it stands for. */
const violations: Readonly<Record<string, readonly [file: string, text: string]>> = {
  'suspicious/noExplicitAny': [
    'shared/idea/planted-any.ts',
    'export function take(value: any): boolean {\n  return value === 1\n}\n',
  ],
  'suspicious/noConsole': ['shared/idea/planted-console.ts', "console.log('planted')\n"],
  'style/noNonNullAssertion': [
    'shared/idea/planted-assertion.ts',
    'export function first(list: string[]): string {\n  return list[0]!\n}\n',
  ],
  'style/useImportType': [
    'shared/idea/planted-import.ts',
    "import { Shape } from './shape.ts'\n\nexport type Copy = Shape\n",
  ],
  'style/noDefaultExport': ['shared/idea/planted-default.ts', 'export default function planted(): void {}\n'],
  'style/useFilenamingConvention': ['shared/idea/plantedName.ts', 'export const planted = 1\n'],
  'performance/noBarrelFile': ['shared/idea/planted-barrel.ts', "export { shape } from './shape.ts'\n"],
  'performance/noReExportAll': ['shared/idea/planted-star.ts', "export * from './shape.ts'\n"],
  'nursery/noFloatingPromises': [
    'shared/idea/planted-promise.ts',
    'async function work(): Promise<void> {}\n\nexport function start(): void {\n  work()\n}\n',
  ],
}

const lawfulFiles = {
  'shared/idea/shape.ts':
    'export interface Shape {\n  readonly size: number\n}\n\nexport const shape: Shape = { size: 1 }\n',
  'workers/app/adapters/clock.ts': 'export function now(): number {\n  return Date.now()\n}\n',
  'scripts/says.ts': "console.log('scripts may print')\n",
}

function lint(files: Readonly<Record<string, string>>): string[] {
  const tree = plantTree({
    ...files,
    'biome.json': JSON.stringify({ ...config, $schema: undefined, vcs: { enabled: false } }),
  })
  const run = spawnSync(
    process.execPath,
    [
      path.join(root, 'node_modules/@biomejs/biome/bin/biome'),
      'lint',
      '--reporter=json',
      '--max-diagnostics=none',
      '.',
    ],
    { cwd: tree, encoding: 'utf8' },
  )
  const report: { diagnostics: { category: string; location: { path: string | { file: string } } }[] } = JSON.parse(
    run.stdout,
  )
  return report.diagnostics
    .map(({ category, location }) => {
      const file = typeof location.path === 'string' ? location.path : location.path.file
      return `${category.replace(/^lint\//, '')}: ${file.replace(/^\.\//, '')}`
    })
    .sort()
}

test('every lint rule the project sets fires on its planted violation, and on nothing lawful', ({ expect }) => {
  const fired = lint({ ...lawfulFiles, ...Object.fromEntries(Object.values(violations)) })

  // A file that passes everything on is also a barrel, whatever else it breaks.
  const expected = Object.entries(violations).map(([rule, [file]]) => `${rule}: ${file}`)
  expect(fired.filter((line) => line !== 'performance/noBarrelFile: shared/idea/planted-star.ts')).toEqual(
    expected.sort(),
  )
})

test('every lint rule the project sets has a planted violation', ({ expect }) => {
  const set = Object.entries(config.linter.rules).flatMap(([group, rules]) =>
    typeof rules !== 'object'
      ? []
      : Object.entries(rules).flatMap(([rule, level]) => (level === 'off' ? [] : [`${group}/${rule}`])),
  )

  expect(Object.keys(violations).sort()).toEqual(set.sort())
})

test('core/ can reach no clock, network, randomness, process or log', ({ expect }) => {
  const core = config.overrides.find(({ includes }) => includes.includes('**/core/**'))
  const style = core?.linter.rules['style']
  const setting = typeof style === 'object' ? style['noRestrictedGlobals'] : undefined
  const denied = Object.keys((typeof setting === 'object' ? setting.options?.deniedGlobals : undefined) ?? {})
  const file = (name: string) => `workers/app/core/planted-${name.toLowerCase()}.ts`

  const fired = lint(Object.fromEntries(denied.map((name) => [file(name), `export const planted = ${name}\n`])))

  expect(denied).toEqual(expect.arrayContaining(['Date', 'fetch', 'crypto', 'process', 'console']))
  expect(fired).toEqual(denied.map((name) => `style/noRestrictedGlobals: ${file(name)}`).sort())
})

test('the Worker reaches nothing of its platform that its other runtime lacks', ({ expect }) => {
  const narrow = config.overrides.find(({ includes }) => includes.includes('workers/**/*.ts'))
  const style = narrow?.linter.rules['style']
  const settingOf = (rule: string) => (typeof style === 'object' ? (style[rule] as RuleSetting).options : undefined)
  const globals = Object.keys(settingOf('noRestrictedGlobals')?.deniedGlobals ?? {})
  const modules = Object.keys(settingOf('noRestrictedImports')?.paths ?? {})
  const file = (name: string) => `workers/app/adapters/planted-${name.toLowerCase().replace(':', '-')}.ts`

  const fired = lint({
    ...Object.fromEntries(globals.map((name) => [file(name), `export const planted = ${name}\n`])),
    ...Object.fromEntries(
      modules.map((name) => [file(name), `import { planted } from '${name}'\n\nexport const other = planted\n`]),
    ),
  })

  expect(globals).toEqual(expect.arrayContaining(['caches', 'HTMLRewriter', 'WebSocketPair']))
  expect(fired).toEqual(
    [
      ...globals.map((name) => `style/noRestrictedGlobals: ${file(name)}`),
      ...modules.map((name) => `style/noRestrictedImports: ${file(name)}`),
    ].sort(),
  )
})
