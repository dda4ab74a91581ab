import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'vitest'
import { isShort } from '../../../local/indexer/core/text-shape.ts'
import { processCost } from '../../../local/indexer/extract/process-cost.ts'
import {
  bracketDepthMax,
  fileBytesMax,
  leftOutListedMax,
  shortFileCharsMax,
  shortFileWordsMax,
} from '../../../local/indexer/limits.ts'
import { openIndex } from '../../../local/indexer/store/open-index.ts'
import { until } from '../../support/daemon-process.ts'
import { parserBombs } from '../../support/parser-bombs.ts'
import { unwrap } from '../../support/unwrap.ts'
import { indexedInTest, projectInTest, servedInTest } from '../../support/viewer-in-test.ts'
import type { TestProject } from '../../support/viewer-server.ts'

const program = path.join(import.meta.dirname, '../../../bin/indexer.mjs')

function run(...words: readonly string[]): { status: number | null; stdout: string } {
  return spawnSync(process.execPath, [program, ...words], { encoding: 'utf8' })
}

function callsOf({ place }: TestProject): string[] {
  const opened = unwrap(openIndex(place))
  const { reader, close } = opened
  const calls = [...reader.graph.edges.source.keys()]
    .map((at) => reader.graph.edge(at))
    .filter((edge) => edge.kind === 'calls')
    .map((edge) => `${reader.node(edge.source).name} ${reader.node(edge.target).name}`)
  close()
  return calls
}

/** Loading takes the process that reads files a tenth of this. */
const readingMs = 1000

/** True, or undefined: below this process is one that is past loading what reads files. */
function isReading(pid: number): true | undefined {
  try {
    const isReader = readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('extract-process')
    if (isReader) return (processCost(pid)?.cpuMs ?? 0) > readingMs ? true : undefined
    const below = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim()
    return below.split(' ').some((one) => one !== '' && isReading(Number(one)) === true) ? true : undefined
  } catch {
    return undefined
  }
}

const nested = (depth: number): string => `export const a = ${'['.repeat(depth)}${']'.repeat(depth)}\n`

test('files that end a parser cost the index nothing but themselves, and are named with the reason', async ({
  expect,
}) => {
  const chosen = ['lists in lists', 'a chain of 200,000 calls', 'one else after another', 'elements in elements']
  const bombs = parserBombs.filter((one) => chosen.includes(one.name))
  const project = projectInTest({
    'src/a.ts': "import { b } from './b.ts'\nexport function a() {\n  b()\n}\n",
    'src/b.ts': 'export function b() {}\n',
    ...Object.fromEntries(bombs.map((one, at) => [`bombs/${at}/${one.file}`, one.text()])),
  })
  const { root } = project.place

  const made = run('init', root)
  const status = run('status', root)
  const { gaps, pendingChanges } = JSON.parse(run('status', root, '--json').stdout)

  expect(made.status).toBe(0)
  expect(made.stdout).toContain(`${gaps.givenUp.length} given up`)
  expect(gaps.givenUp.length).toBeGreaterThan(3)
  expect(status.stdout).toContain('bombs/0/a.ts: it is nested too deep')
  const reasons = gaps.givenUp.map((one: { reason: string }) => one.reason)
  expect(reasons).toContain('too_deep')
  // Which end a parser comes to first is the machine's matter.
  expect(reasons.filter((one: string) => one !== 'too_deep').length).toBeGreaterThan(0)
  // A chain has more words than any script.
  expect(reasons).toContain('too_many_facts')
  for (const one of reasons)
    expect(['too_deep', 'too_many_facts', 'parser_died', 'too_slow', 'too_much_memory']).toContain(one)
  expect(pendingChanges).toEqual({ added: 0, modified: 0, removed: 0 })
  expect(callsOf(project)).toContain('a b')
  expect(run('sync', root).stdout).toContain('up to date')
})

test('what the index leaves out is told by init, status, sync and the interface, each with its reason', async ({
  expect,
}) => {
  const project = projectInTest({
    'a.ts': 'export function a() {}\n',
    'half.ts': 'export function half( {\n',
    'large.ts': `${'// x\n'.repeat(1)}${'y'.repeat(fileBytesMax)}`,
    'fits.ts': `//${'y'.repeat(fileBytesMax - 2)}`,
    'zero.py': 'x = "\u0000"\n',
    'closed.go': 'package a\n',
    'vendor/b/b.go': 'package b\n',
    'vendor/c.go': 'package c\n',
  })
  const { root } = project.place
  spawnSync('git', ['init', '-q', root])
  const isRoot = process.getuid?.() === 0
  if (!isRoot) chmodSync(path.join(root, 'closed.go'), 0)

  const made = run('init', root)
  const { gaps, pendingChanges } = JSON.parse(run('status', root, '--json').stdout)
  const viewer = await servedInTest(project.place)
  const { body } = await viewer.get('/api/gaps')

  const unread = isRoot ? [] : [{ path: 'closed.go', reason: 'unreadable', files: 1, bytes: 10 }]
  const leftOut = [
    ...unread,
    { path: 'large.ts', reason: 'too_large', files: 1, bytes: fileBytesMax + 5 },
    { path: 'vendor/', reason: 'brought_in', files: 2, bytes: 0 },
    { path: 'zero.py', reason: 'not_text', files: 1, bytes: 8 },
  ]
  expect(made.stdout).toContain(`; 1 with syntax errors; ${4 + unread.length} left out`)
  expect(gaps).toMatchObject({ leftOut, filesLeftOut: 4 + unread.length, syntaxErrors: ['half.ts'] })
  expect(pendingChanges).toEqual({ added: 0, modified: 0, removed: 0 })
  expect(body.leftOut.items).toEqual(leftOut)
  expect(body.halfParsed.items).toMatchObject([{ file: 'half.ts' }])
  expect((await viewer.get('/api/gaps?limit=1')).body.leftOut).toMatchObject({ shown: 1, truncated: true })
  expect((await viewer.get('/api/gaps?limit=501')).status).toBe(400)
  expect(run('sync', root).stdout).toContain('up to date')

  project.write('large.ts', 'export const small = 1\n')
  expect(JSON.parse(run('sync', root, '--json').stdout)).toMatchObject({ added: 1, leftOut: 3 + unread.length })
})

test('of very many files left out the first ones are listed and all are counted', async ({ expect }) => {
  const project = projectInTest({
    'a.ts': 'export function a() {}\n',
    ...Object.fromEntries(
      Array.from({ length: leftOutListedMax + 1 }, (_, at) => [`src/${at}/node_modules/a.js`, 'x()\n'] as const),
    ),
  })
  spawnSync('git', ['init', '-q', project.place.root])
  await project.sync()
  const opened = unwrap(openIndex(project.place))

  expect(opened.reader.leftOut()).toHaveLength(leftOutListedMax)
  expect(opened.reader.meta.get('left_out')).toBe(String(leftOutListedMax + 1))
  opened.close()
})

test('a file whose references were given up says so until it is linked again', async ({ expect }) => {
  const knot = parserBombs.find((one) => one.name === 'types given to one another for ever')?.text() ?? ''
  const project = await indexedInTest({
    'a.ts': 'export const a = 1\n',
    'knot.ts': knot,
    'c.ts': 'export const c = 1\n',
  })
  const viewer = await servedInTest(project.place)

  const { body } = await viewer.get('/api/gaps')
  expect(body.givenUp.items).toMatchObject([{ file: 'knot.ts', reason: 'too_many_steps' }])
  expect(body.givenUp.items[0].references).toBeGreaterThan(1)
  project.write('knot.ts', 'export const knot = 1\n')
  await project.sync()
  expect((await viewer.get('/api/gaps')).body.givenUp.items).toEqual([])
})

test.for(['SIGTERM', 'SIGINT'] as const)(
  '%s is heard while a file is read that takes as long as it may',
  async (signal, { expect, onTestFinished }) => {
    const slow = parserBombs.find((one) => one.file === 'A.cs' && one.name === 'what no grammar knows')?.text() ?? ''
    const project = projectInTest(Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`${at}.cs`, slow])))
    const child = spawn(process.execPath, [program, 'init', project.place.root], { stdio: ['ignore', 'pipe', 'pipe'] })
    const ended = new Promise<number | null>((resolve) => child.on('close', (code) => resolve(code)))
    onTestFinished(() => void child.kill('SIGKILL'))
    await until('a file to be read', async () => isReading(child.pid ?? 0), 60_000)

    child.kill(signal)

    // Read to the end, twenty of them take a quarter of a minute of a processor.
    expect(await ended).toBe(130)
    expect(openIndex(project.place)).toMatchObject({ ok: false })
  },
)

test.for([
  [bracketDepthMax, undefined],
  [bracketDepthMax + 1, 'too_deep'],
] as const)('brackets %i deep', async ([depth, reason], { expect }) => {
  const project = await indexedInTest({ 'a.ts': nested(depth), 'b.ts': `const b = '${'['.repeat(depth * 2)}'\n` })
  const opened = unwrap(openIndex(project.place))

  expect(opened.reader.files().map((one) => one.givenUp)).toEqual([reason, undefined])
  opened.close()
})

test.for([
  ['as many words and signs as the bound', 'a.'.repeat(shortFileWordsMax / 2), true],
  ['one more', `${'a.'.repeat(shortFileWordsMax / 2)}!`, false],
  ['blanks, which are none', `a b${' \n'.repeat(1000)}`, true],
  ['one word as long as the bound', 'a'.repeat(shortFileCharsMax), true],
  ['one word that is longer', 'a'.repeat(shortFileCharsMax + 1), false],
] as const)('a text is short with %s: %#', ([, text, is], { expect }) => {
  expect(isShort(text, shortFileWordsMax, shortFileCharsMax)).toBe(is)
})
