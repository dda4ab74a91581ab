/** The compiler that comes along judges the edges of an index, in a process of its own that is ended when it costs too much. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { onTestFinished, test } from 'vitest'
import { proveCommand } from '../../../local/indexer/commands/prove-command.ts'
import { relationsCommand, statusCommand } from '../../../local/indexer/commands/read-commands.ts'
import { checkedFiles } from '../../../local/indexer/core/compiler-check.ts'
import { librariesFolder } from '../../../local/indexer/prove/compiler.ts'
import { ConfinedFiles } from '../../../local/indexer/prove/confined-files.ts'
import { startProof } from '../../../local/indexer/prove/prove-in-process.ts'
import type { ProofBounds } from '../../../local/indexer/prove/watch-proof.ts'
import { openIndex } from '../../../local/indexer/store/open-index.ts'
import { judgedTexts, keepProofs, readCheck, readProofs } from '../../../local/indexer/store/proof-store.ts'
import { compilerBomb } from '../../support/compiler-bomb.ts'
import { quickFolder } from '../../support/memory-folder.ts'
import { unwrap } from '../../support/unwrap.ts'
import { indexedInTest, servedInTest } from '../../support/viewer-in-test.ts'
import type { TestProject } from '../../support/viewer-server.ts'

const timeout = 300_000

/** Until it is over; answers how far it said it was. */
async function proved({ place }: TestProject, bounds: Partial<ProofBounds> = {}) {
  const steps: (readonly [done: number, total: number])[] = []
  const running = startProof(place, (done, total) => steps.push([done, total]), bounds)
  onTestFinished(() => running.stop())
  return { outcome: await running.ended, steps }
}

/** Edges as `line kind target`, by whether the compiler says so too. */
function said({ place }: TestProject, file: string) {
  const proof = readProofs(place).find((one) => one.path === file)
  const told = (isRight: boolean) =>
    proof?.edges.filter((one) => one.isRight === isRight).map(({ line, kind, target }) => `${line} ${kind} ${target}`)
  return { proved: told(true), refuted: told(false), missed: proof?.missed.map((one) => one.target) }
}

function status({ place }: TestProject): { lines: string[]; json: Record<string, unknown> } {
  const lines: string[] = []
  const output = { line: (text: string) => void lines.push(text), error: () => {} }
  statusCommand({ place, output, isJson: false })
  const printed: string[] = []
  statusCommand({ place, output: { ...output, line: (text) => void printed.push(text) }, isJson: true })
  return { lines, json: JSON.parse(printed.join('')) }
}

const forms = {
  'src/ship.ts': [
    'export function load(cargo: string): string',
    'export function load(cargo: number): number',
    'export function load(cargo: string | number) {',
    '  return cargo',
    '}',
    'export default function sail() {',
    '  return load(1)',
    '}',
    'export class Ship {',
    '  anchor() {}',
    '}',
    '',
  ].join('\n'),
  'src/port.ts': "export { load as take, default as leave } from './ship.ts'\nexport * from './ship.ts'\n",
  'src/quay.ts': [
    "import sail, { load as stow } from './ship.ts'",
    "import * as ship from './ship.ts'",
    "import { leave, Ship, take } from './port.ts'",
    "import { mark } from '@tools/mark.ts'",
    'export function day() {',
    "  stow('rope')",
    '  sail()',
    '  ship.load(2)',
    '  take(3)',
    '  leave()',
    '  new Ship().anchor()',
    '  mark()',
    '}',
    '',
  ].join('\n'),
  'tools/mark.ts': 'export function mark() {}\n',
  'src/old.js': [
    "const { hoist } = require('./older.js')",
    'module.exports.raise = function raise() {',
    '  return hoist()',
    '}',
    '',
  ].join('\n'),
  'src/older.js': 'function hoist() {}\nmodule.exports = { hoist }\n',
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      ...{ module: 'preserve', moduleResolution: 'bundler', allowImportingTsExtensions: true, noEmit: true },
      ...{ allowJs: true, checkJs: false, paths: { '@tools/*': ['./tools/*'] } },
    },
  }),
}

test('edges are proved through overloads, aliases, re-exports, defaults, namespaces, paths and plain JavaScript', {
  timeout,
}, async ({ expect }) => {
  const project = await indexedInTest(forms)
  expect(await proved(project)).toMatchObject({ outcome: { kind: 'done' } })

  const quay = said(project, 'src/quay.ts')
  expect(quay.refuted).toEqual([])
  expect(quay.missed).toEqual([])
  for (const one of [
    '6 calls src/ship.ts#load',
    '7 calls src/ship.ts#sail',
    '8 calls src/ship.ts#load',
    '9 calls src/ship.ts#load',
    '10 calls src/ship.ts#sail',
    '11 instantiates src/ship.ts#Ship',
    '11 calls src/ship.ts#Ship::anchor',
    '12 calls tools/mark.ts#mark',
  ])
    expect(quay.proved).toContain(one)
  expect(said(project, 'src/old.js')).toMatchObject({
    proved: ['3 references src/old.js#hoist', '3 calls src/older.js#hoist'],
    refuted: [],
  })
})

test('an object that is declared to be of a type, and a type with the name of a function, are not mistaken', {
  timeout,
}, async ({ expect }) => {
  const project = await indexedInTest({
    'src/crane.ts': 'export interface Lifts { hoist(): void }\nexport interface Crane extends Lifts { turn(): void }\n',
    'src/quay.ts': [
      "import type { Crane } from './crane.ts'",
      'const crane: Crane = { hoist() {}, turn() {} }',
      'type Berth = { readonly crane: Crane }',
      'function Berth(berth: Berth) {',
      '  crane.hoist()',
      '  berth.crane.turn()',
      '}',
      'Berth({ crane })',
      '',
    ].join('\n'),
  })
  await proved(project)

  const { proved: right, refuted, missed } = said(project, 'src/quay.ts')
  expect({ refuted, missed }).toEqual({ refuted: [], missed: [] })
  for (const one of [
    '4 references src/quay.ts#Berth',
    '5 calls src/crane.ts#Lifts::hoist',
    '6 calls src/crane.ts#Crane::turn',
    '8 calls src/quay.ts#Berth',
  ])
    expect(right).toContain(one)
})

test('what assignments of JavaScript declare is defined there, and a declaration file is that of the script beside it', {
  timeout,
}, async ({ expect }) => {
  const project = await indexedInTest({
    'src/lamp.mjs': 'export function light() {}\n',
    'src/lamp.d.mts': 'export function light(): void\n',
    'src/tools.cjs': 'exports.tidy = function (text) { return text }\n',
    'src/tray.js': [
      "import { light } from './lamp.mjs'",
      "const { tidy } = require('./tools.cjs')",
      'export class Tray {',
      '  constructor() { this.inner = null }',
      '  fill() { this.inner = tidy(this.inner) }',
      '  use() { light(this.inner) }',
      '}',
      '',
    ].join('\n'),
  })
  await proved(project)

  const { proved: right, refuted, missed } = said(project, 'src/tray.js')
  expect({ refuted, missed }).toEqual({ refuted: [], missed: [] })
  for (const one of ['5 calls src/tools.cjs#tidy', '6 calls src/lamp.mjs#light']) expect(right).toContain(one)
})

test('a project that another one refers to is read as source, by the name of its package too', {
  tags: 'slow',
  timeout,
}, async ({ expect }) => {
  const composite = { composite: true, outDir: 'dist', rootDir: 'src', module: 'nodenext' }
  const project = await indexedInTest({
    'tsconfig.json': JSON.stringify({ files: [], references: [{ path: 'core' }, { path: 'app' }] }),
    'core/package.json': JSON.stringify({ name: '@ships/core', type: 'module', exports: './dist/hull.js' }),
    'core/tsconfig.json': JSON.stringify({ compilerOptions: composite, include: ['src'] }),
    'core/src/hull.ts': 'export function caulk() {}\n',
    'app/package.json': JSON.stringify({ name: '@ships/app', type: 'module', dependencies: { '@ships/core': '*' } }),
    'app/tsconfig.json': JSON.stringify({
      ...{ compilerOptions: composite, include: ['src'], references: [{ path: '../core' }] },
    }),
    'app/src/yard.ts': "import { caulk } from '../../core/src/hull.js'\nexport const work = () => caulk()\n",
    'app/src/dock.ts': "import { caulk } from '@ships/core'\nexport const mend = () => caulk()\n",
  })
  mkdirSync(path.join(project.place.root, 'node_modules/@ships'), { recursive: true })
  symlinkSync('../../core', path.join(project.place.root, 'node_modules/@ships/core'))
  await proved(project)

  expect(said(project, 'app/src/yard.ts')).toMatchObject({ proved: ['2 calls core/src/hull.ts#caulk'], refuted: [] })
  expect(said(project, 'app/src/dock.ts')).toMatchObject({ proved: ['2 calls core/src/hull.ts#caulk'], refuted: [] })
})

const twoLibraries = (folder: string) =>
  JSON.stringify({
    compilerOptions: {
      ...{ module: 'preserve', moduleResolution: 'bundler', allowImportingTsExtensions: true, noEmit: true },
      paths: { '@lib/*': [`./${folder}/*`] },
    },
  })

test('an edge that the compiler sees end elsewhere is refuted, and shown so', { timeout }, async ({ expect }) => {
  const project = await indexedInTest({
    'tsconfig.json': twoLibraries('one'),
    'one/rope.ts': 'export function knot() {}\n',
    'two/rope.ts': 'export function knot() {}\n',
    'main.ts': "import { knot } from '@lib/rope.ts'\nexport function tie() {\n  knot()\n}\n",
  })
  // The index still links as the project was configured before.
  project.write('tsconfig.json', twoLibraries('two'))
  await proved(project)

  expect(said(project, 'main.ts')).toEqual({
    proved: [],
    refuted: ['3 calls one/rope.ts#knot'],
    missed: ['two/rope.ts#knot'],
  })
  const told: string[] = []
  const output = { line: (text: string) => void told.push(text), error: () => {} }
  relationsCommand({ place: project.place, output, isJson: false }, 'tie', 'callees')
  expect(told.join('\n')).toContain('(refuted)')
  const viewer = await servedInTest(project.place)
  const { body } = await viewer.get('/api/accuracy')
  expect(body.wrong.items).toMatchObject([{ source: { name: 'tie' }, target: { file: 'one/rope.ts' } }])
  expect(body).toMatchObject({ checking: false, check: { files: 3, judged: 3, notJudged: { total: 0 } } })

  // What says how a project is compiled is another text now: all of it is asked again.
  await project.sync()
  expect((await proved(project)).steps.at(-1)).toEqual([3, 3])
  expect(said(project, 'main.ts')).toMatchObject({ proved: ['3 calls two/rope.ts#knot'], refuted: [] })
})

test('a change takes the verdicts of its file away, and the next check asks it and what leads to it', {
  tags: 'slow',
  timeout,
}, async ({ expect }) => {
  const project = await indexedInTest({
    'a.ts': "import { b } from './b.ts'\nexport function a() {\n  b()\n}\n",
    'b.ts': 'export function b() {}\n',
    'c.ts': 'export function c() {}\nc()\n',
  })
  expect((await proved(project)).steps.at(-1)).toEqual([3, 3])
  expect((await proved(project)).steps).toEqual([[0, 0]])
  project.write('b.ts', '// above\nexport function b() {}\n')
  await project.sync()
  expect(status(project).json['check']).toMatchObject({ files: 3, judged: 2 })

  expect((await proved(project)).steps.at(-1)).toEqual([2, 2])
  expect(status(project).json['check']).toMatchObject({ files: 3, judged: 3 })
  expect(status(project).lines.join('\n')).toMatch(/3 of 3 files judged by typescript [\d.]+, checked 20/)

  project.remove('c.ts')
  await project.sync()
  expect((await proved(project)).steps.at(-1)).toEqual([2, 2])
})

test('a file at which the compiler does not come to an end is given up, and said to be', {
  tags: 'slow',
  timeout,
}, async ({ expect }) => {
  const project = await indexedInTest({
    'bomb.ts': compilerBomb,
    'good.ts': 'export function good() {}\ngood()\n',
  })
  const { outcome } = await proved(project, { fileMsMax: 1_500 })

  expect(outcome).toEqual({ kind: 'done' })
  expect(readCheck(project.place)?.notJudged).toEqual([{ path: 'bomb.ts', reason: 'too_slow' }])
  expect(said(project, 'good.ts').proved).toEqual(['2 calls good.ts#good'])
  expect(status(project).lines).toContain('  not judged: bomb.ts, because asking the compiler took too long')
  const viewer = await servedInTest(project.place)
  expect((await viewer.get('/api/accuracy')).body.check).toMatchObject({
    ...{ files: 2, judged: 1, notJudged: { items: [{ file: 'bomb.ts', reason: 'too_slow' }] } },
  })
  // It is not tried again before it is another text.
  expect((await proved(project)).steps).toEqual([[0, 0]])
})

test('a check that needs more memory than it may says so of the files it was for', { tags: 'slow', timeout }, async ({
  expect,
}) => {
  const project = await indexedInTest({ 'a.ts': 'export const a = [1].map((one) => one)\n' })
  const { outcome } = await proved(project, { heapMbMax: 40 })

  expect(outcome).toEqual({ kind: 'done' })
  expect(readCheck(project.place)?.notJudged).toEqual([{ path: 'a.ts', reason: 'too_much_memory' }])
})

test('a check takes no longer than it may, and the next one goes on', { tags: 'slow', timeout }, async ({ expect }) => {
  const project = await indexedInTest({ 'bomb.ts': compilerBomb, 'good.ts': 'export function good() {}\ngood()\n' })

  expect((await proved(project, { msMax: 2_500 })).outcome).toEqual({ kind: 'out_of_time' })
  expect(readCheck(project.place)).toMatchObject({ endedMs: undefined, notJudged: [] })
  expect(status(project).lines.join('\n')).toContain('not ended')
  expect((await proved(project, { fileMsMax: 1_500 })).outcome).toEqual({ kind: 'done' })
})

test('nothing of a project is loaded, and nothing outside of it is read', { tags: 'slow', timeout }, async ({
  expect,
}) => {
  const outside = mkdtempSync(path.join(quickFolder(), 'wharf-outside-'))
  onTestFinished(() => rmSync(outside, { recursive: true, force: true }))
  // Whoever opened one of these would wait for ever.
  for (const name of ['base.json', 'types.d.ts', 'secret.ts'])
    execFileSync('sh', ['-c', 'mkfifo "$0"', path.join(outside, name)])
  const marker = path.join(outside, 'loaded')
  const evil = `require('node:fs').writeFileSync(${JSON.stringify(marker)}, '')\nmodule.exports = () => ({})\n`
  const project = await indexedInTest({
    'tsconfig.json': JSON.stringify({
      extends: [`${outside}/base.json`, './plugin-base.json'],
      compilerOptions: {
        plugins: [{ name: './evil.js', transform: './evil.js' }],
        ...{ typeRoots: ['/', outside], types: ['*', `${outside}/types`], baseUrl: '/', rootDirs: ['/', outside] },
      },
      include: ['/', '../**/*', `${outside}/**/*`, 'src'],
      references: [{ path: '/' }, { path: outside }],
    }),
    'plugin-base.json': JSON.stringify({ compilerOptions: { plugins: [{ name: '../evil.js' }], strict: true } }),
    'evil.js': evil,
    'node_modules/typescript/package.json': JSON.stringify({ name: 'typescript', main: 'lib/typescript.js' }),
    'node_modules/typescript/lib/typescript.js': evil,
    'src/a.ts': `import { secret } from '${outside}/secret.ts'\nimport { linked } from './linked/secret.ts'\nexport function a() {\n  secret(linked)\n}\na()\n`,
  })
  symlinkSync(outside, path.join(project.place.root, 'src/linked'))
  const { outcome } = await proved(project)

  expect(outcome).toEqual({ kind: 'done' })
  expect(said(project, 'src/a.ts')).toMatchObject({ proved: ['6 calls src/a.ts#a'], refuted: [] })
  expect(existsSync(marker)).toBe(false)
})

test('the files a compiler may see end at the project, wherever links lead', ({ expect }) => {
  const base = mkdtempSync(path.join(quickFolder(), 'wharf-confined-'))
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  const root = path.join(base, 'in')
  for (const folder of ['in/src', 'in/store/pack', 'in/node_modules', 'out'])
    mkdirSync(path.join(base, folder), { recursive: true })
  for (const file of ['in/src/a.ts', 'in/store/pack/index.d.ts', 'out/b.ts'])
    writeFileSync(path.join(base, file), 'text')
  symlinkSync(path.join(base, 'out'), path.join(root, 'src/away'))
  symlinkSync(path.join(base, 'out/b.ts'), path.join(root, 'src/b.ts'))
  symlinkSync('../store/pack', path.join(root, 'node_modules/pack'))
  const files = new ConfinedFiles(root, librariesFolder)
  const inside = (file: string) => path.join(root, file)

  expect(files.readFile(inside('src/a.ts'))).toBe('text')
  expect(files.readFile(inside('node_modules/pack/index.d.ts'))).toBe('text')
  expect(files.realPath(inside('node_modules/pack/index.d.ts'))).toBe(inside('store/pack/index.d.ts'))
  for (const file of ['src/away/b.ts', 'src/b.ts', '../out/b.ts', 'src/../../out/b.ts', 'src/none.ts']) {
    expect(files.fileExists(inside(file)), file).toBe(false)
    expect(files.readFile(inside(file)), file).toBe(undefined)
  }
  expect(files.folders(inside('src'))).toEqual([])
  expect(files.fileExists(path.join(librariesFolder, 'lib.es5.d.ts'))).toBe(true)
  expect(files.ownPath(inside('node_modules/pack/index.d.ts'))).toBe(undefined)
})

/** More files than are judged together. */
const many = Object.fromEntries(
  Array.from({ length: 130 }, (_, n) => [`f${n}.ts`, `export function f${n}() {}\nf${n}()\n`]),
)

test('a check that is killed in the middle leaves what it kept, and the next one asks for the rest', {
  tags: 'slow',
  timeout,
}, async ({ expect }) => {
  const project = await indexedInTest({ ...many, 'z.ts': compilerBomb })
  const running = startProof(project.place, (done) => {
    if (done >= 50) process.kill(running.pid ?? 0, 'SIGKILL')
  })
  expect(await running.ended).toEqual({ kind: 'failed', reason: 'its process was ended' })
  const kept = judgedTexts(project.place).size
  expect(kept).toBeGreaterThanOrEqual(50)
  expect(kept).toBeLessThan(131)

  const { outcome, steps } = await proved(project, { fileMsMax: 1_500 })
  expect(outcome).toEqual({ kind: 'done' })
  expect(steps[0]).toEqual([0, 131 - kept])
  const open = unwrap(openIndex(project.place))
  const figures = checkedFiles(open.reader.graph, readCheck(project.place), judgedTexts(project.place))
  open.close()
  expect(figures).toEqual({ files: 131, judged: 130, notJudged: [{ path: 'z.ts', reason: 'too_slow' }] })
})

test('what a check was writing when it was killed is taken back', async ({ expect }) => {
  const { place } = await indexedInTest({ 'a.ts': 'export const a = 1\n' })
  keepProofs(place, [{ path: 'a.ts', hash: '', tool: 'typescript 1', edges: [], sites: 0, missed: [] }])
  const file = path.join(place.folder, 'proofs.db')
  const program = `import { DatabaseSync } from 'node:sqlite'
    const database = new DatabaseSync(${JSON.stringify(file)})
    database.exec("PRAGMA cache_size = 1; PRAGMA cache_spill = ON; BEGIN; DELETE FROM proofs")
    const put = database.prepare('INSERT INTO proofs VALUES (?, ?, ?, ?)')
    for (let n = 0; n < 500; n += 1) put.run(String(n), '', '', 'x'.repeat(4000))
    process.kill(process.pid, 'SIGKILL')`
  expect(spawnSync(process.execPath, ['--input-type=module', '-e', program]).signal).toBe('SIGKILL')
  expect(existsSync(`${file}-journal`)).toBe(true)

  expect(readProofs(place).map((one) => one.path)).toEqual(['a.ts'])
})

test('a check ends with the program that asked for it, however that ends', { tags: 'slow', timeout }, async ({
  expect,
}) => {
  const project = await indexedInTest({ 'bomb.ts': compilerBomb })
  const module = path.join(import.meta.dirname, '../../../local/indexer/prove/prove-in-process.ts')
  const program = `import { startProof } from ${JSON.stringify(module)}
    const running = startProof(${JSON.stringify(project.place)}, () => console.log(running.pid))`
  const parent = spawn(process.execPath, ['--input-type=module-typescript', '-e', program])
  const pid = await new Promise<number>((resolve) => parent.stdout.once('data', (text) => resolve(Number(text))))
  expect(isAlive(pid)).toBe(true)
  parent.kill('SIGKILL')
  await expect.poll(() => isAlive(pid), { timeout: 20_000 }).toBe(false)
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('the command says what was proved, and what there is nothing to ask about', { tags: 'slow', timeout }, async ({
  expect,
}) => {
  const said: string[] = []
  const output = { line: (text: string) => void said.push(text), error: () => {} }
  const context = { output, isJson: false, isQuiet: false, signal: new AbortController().signal }
  const project = await indexedInTest({ 'a.ts': 'export function a() {}\na()\n' })
  await proveCommand({ ...context, place: project.place })
  expect(said[0]).toMatch(
    /^1 of 1 files judged by typescript [\d.]+: 1 edges proved, 0 refuted; of 1 uses of functions 0 have no edge$/,
  )
  const python = await indexedInTest({ 'a.py': 'def a(): pass\n' })
  await proveCommand({ ...context, place: python.place })
  expect(said[1]).toBe('nothing to prove: there is no TypeScript or JavaScript here')

  const stopped = AbortSignal.abort()
  await expect(proveCommand({ ...context, place: project.place, signal: stopped })).rejects.toMatchObject({
    exitCode: 130,
  })
})
