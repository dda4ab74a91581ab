/** Every command that the documents tell a reader to type is one that a test or the CI script runs. */
import { type SpawnOptionsWithoutStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'vitest'
import { plantTree } from '../../support/planted-tree.ts'
import { provenCommands, unprovenCommands } from '../../support/proven-commands.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const documents = [
  'README.md',
  'README.zh.md',
  'AGENTS.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'docs/installing.md',
  'docs/configuration.md',
  'docs/edge.md',
]

function commandsIn(markdown: string): string[] {
  return [...markdown.matchAll(/^```sh\n(.*?)^```$/gms)]
    .flatMap(([, block = '']) => block.replaceAll('\\\n', ' ').split('\n'))
    .map((line) => line.replace(/\s+#.*$/, '').trim())
    .filter((line) => /^(npm|npx|node)\s/.test(line))
}

function isProven(line: string): boolean {
  return provenCommands.some(({ command }) =>
    command.endsWith('…') ? line.startsWith(command.slice(0, -1)) : line === command,
  )
}

describe('documented commands', () => {
  test.for(documents)('of %s are run somewhere, or say what they wait for', (name, { expect }) => {
    const lines = commandsIn(readFileSync(path.join(root, name), 'utf8'))

    expect(lines.length).toBeGreaterThan(0)
    expect(lines.filter((line) => !isProven(line) && unprovenCommands[line] === undefined)).toEqual([])
  })

  test('are read from sh blocks, without comments and across continued lines', ({ expect }) => {
    const markdown =
      '`npm no`\n\n```sh\nnpm start   # comment\ncurl x\nnpx tool \\\n  --flag\n```\n\n```json\nnode no\n```\n'

    expect(commandsIn(markdown)).toEqual(['npm start', 'npx tool    --flag'])
  })

  test.for(provenCommands)('$command is run by the file that the list names', ({ runBy, evidence }, { expect }) => {
    expect(existsSync(path.join(root, runBy)), `${runBy} exists`).toBe(true)
    expect(readFileSync(path.join(root, runBy), 'utf8')).toContain(evidence)
  })

  test('wait only while nothing runs them', ({ expect }) => {
    expect(Object.keys(unprovenCommands).filter(isProven)).toEqual([])
  })
})

/** Other tests of this process go on meanwhile, and so does what it tells of itself. */
async function run(program: string, args: readonly string[], options: SpawnOptionsWithoutStdio) {
  const child = spawn(program, args, options)
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (said += piece))
  const [status] = await once(child, 'close')
  return { status, said }
}

/** Whole programs, which have no more than the end of a test to wait for. */
const programMsMax = 300_000

test('npm run format puts a file into the agreed form', { timeout: programMsMax }, async ({ expect }) => {
  const tree = plantTree({
    'package.json': readFileSync(path.join(root, 'package.json'), 'utf8'),
    'biome.json': readFileSync(path.join(root, 'biome.json'), 'utf8'),
    '.gitignore': readFileSync(path.join(root, '.gitignore'), 'utf8'),
    'shared/idea/ragged.ts': 'export const name = "wharf";',
  })
  symlinkSync(path.join(root, 'node_modules'), path.join(tree, 'node_modules'))

  const { status, said } = await run('npm', ['run', 'format'], { cwd: tree })

  expect(status, said).toBe(0)
  expect(readFileSync(path.join(tree, 'shared/idea/ragged.ts'), 'utf8')).toBe("export const name = 'wharf'\n")
})

test('one folder of one test project runs by itself', { tags: 'slow', timeout: programMsMax }, async ({ expect }) => {
  const file = path.join(plantTree({}), 'report.json')
  const reporting = ['--reporter=json', `--outputFile=${file}`]

  const asked = ['test/pure/shared', ...reporting]
  const { status, said } = await run('npx', ['vitest', 'run', '--project', 'pure', ...asked], { cwd: root })
  expect(status, said).toBe(0)

  const report: { numPassedTests: number; numFailedTests: number } = JSON.parse(readFileSync(file, 'utf8'))
  expect(report.numFailedTests).toBe(0)
  expect(report.numPassedTests).toBeGreaterThan(0)
})

test('npm test leaves slow tests to npm run test:all', { timeout: programMsMax }, async ({ expect }) => {
  const file = path.join(plantTree({}), 'report.json')
  const oneSlow = [
    '--project=node',
    'test/node/git/hostile-repositories.test.ts',
    '-t',
    'signature program > is a trap',
  ]
  const asked = [...oneSlow, '--passWithNoTests', '--reporter=json', `--outputFile=${file}`]
  const passed = async (args: readonly string[]) => {
    const { status, said } = await run('npm', [...args, '--', ...asked], { cwd: root })
    expect(status, said).toBe(0)
    return (JSON.parse(readFileSync(file, 'utf8')) as { numPassedTests: number }).numPassedTests
  }

  expect(await passed(['test'])).toBe(0)
  expect(await passed(['run', 'test:all'])).toBe(1)
})

test('AGENTS.md is short enough to be read whole', ({ expect }) => {
  const lines = readFileSync(path.join(root, 'AGENTS.md'), 'utf8').trimEnd().split('\n')

  expect(lines.length).toBeLessThanOrEqual(120)
})

test('every path that the documents point to exists', ({ expect }) => {
  const pages = [
    'README.md',
    'README.zh.md',
    'docs/README.md',
    'docs/glossary.md',
    'AGENTS.md',
    'CONTRIBUTING.md',
    'docs/design/architecture.md',
  ]
  const broken = pages.flatMap((page) =>
    [...readFileSync(path.join(root, page), 'utf8').matchAll(/\]\((?!https?:)([^)#\s]+)[^)]*\)/g)].flatMap(
      ([, to = '']) => (existsSync(path.join(root, path.dirname(page), to)) ? [] : [`${page}: ${to}`]),
    ),
  )

  expect(broken).toEqual([])
})
