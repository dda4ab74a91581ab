import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import fc from 'fast-check'
import { beforeAll, test } from 'vitest'
import { languageOf } from '../../../local/indexer/core/language-of.ts'
import { languages } from '../../../local/indexer/core/vocabulary.ts'
import { extractFile, prepareLanguages } from '../../../local/indexer/extract/extract-file.ts'
import { ExtractPool } from '../../../local/indexer/extract/pool.ts'
import { roomyReadingCharsMax } from '../../../local/indexer/limits.ts'
import { openIndex } from '../../../local/indexer/store/open-index.ts'
import { unpackFacts } from '../../../local/indexer/store/packed-facts.ts'
import { edgesOf } from '../../support/index-content.ts'
import { linkSources } from '../../support/link-sources.ts'
import { unwrap } from '../../support/unwrap.ts'
import { indexedInTest, projectInTest, servedInTest } from '../../support/viewer-in-test.ts'

const fixtures = path.join(import.meta.dirname, '../../fixtures/code')
const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_122)
const scale = Number(process.env['FUZZ_SCALE'] ?? 1)

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name)
    return entry.isDirectory() ? filesBelow(file) : [file]
  })
}

beforeAll(() => prepareLanguages(languages))

test('damaged sources in every language are read without a crash, and what is written fits the file', {
  timeout: 300_000,
  tags: 'slow',
}, ({ expect }) => {
  const seeds = filesBelow(fixtures)
    .filter((file) => languageOf(file) !== undefined)
    .map((file) => ({ name: path.basename(file), text: readFileSync(file, 'utf8') }))
  const damage = fc.array(
    fc.record({
      at: fc.nat(5000),
      cut: fc.nat(40),
      insert: fc.constantFrom(
        '',
        '{',
        '}',
        '(',
        '"',
        '`',
        '/*',
        '<',
        '\u0000',
        '\u202e',
        '\ud83d\ude00',
        '\n',
        'class ',
        'export default ',
        '=> ',
        '${',
      ),
    }),
    { minLength: 1, maxLength: 6 },
  )
  fc.assert(
    fc.property(fc.constantFrom(...seeds), damage, (source, changes) => {
      let text = source.text
      for (const { at, cut, insert } of changes)
        text = text.slice(0, at % (text.length + 1)) + insert + text.slice((at % (text.length + 1)) + cut)
      const facts = extractFile(source.name, text)
      for (const symbol of facts.symbols) {
        expect(symbol.line).toBeGreaterThanOrEqual(1)
        expect(symbol.endLine).toBeGreaterThanOrEqual(symbol.line)
        expect(symbol.endLine).toBeLessThanOrEqual(Math.max(1, text.split('\n').length))
        expect(facts.symbols[symbol.parent]).toBeDefined()
      }
      linkSources({ [source.name]: text })
    }),
    { seed, numRuns: 300 * scale },
  )
})

/** Each as deep or as long as a generator would write it, or cut where a reader looks for the end. */
const pathological: readonly (readonly [string, string])[] = [
  ['deep.ts', `${'('.repeat(2000)}1${')'.repeat(2000)}`],
  ['chain.ts', `const z = make()${'.a()'.repeat(3000)}\n`],
  ['arrays.js', `const a = ${'['.repeat(1500)}${']'.repeat(1500)}`],
  ['line.js', `const x = "${'y'.repeat(900_000)}"\n`],
  ['elements.tsx', `export const A = () => ${'<a>'.repeat(600)}${'</a>'.repeat(600)}\n`],
  [
    'alternatives.ts',
    `let a: any\n${Array.from({ length: 400 }, (_, index) => `const v${index} = cond ? v${Math.max(0, index - 1)} : v${Math.max(0, index - 2)}`).join('\n')}\nv399.run()\n`,
  ],
  ['deep.py', `${'('.repeat(300)}1${')'.repeat(300)}\n`],
  [
    'branches.py',
    `def f(x):\n${Array.from({ length: 400 }, (_, at) => `  if x: x = g${at}(x)\n`).join('')}  return x.run()\n`,
  ],
  ['cut.py', `x = """${'y\n'.repeat(20_000)}`],
  ['blocks.go', `package a\nfunc f() ${'{'.repeat(800)}${'}'.repeat(800)}\n`],
  ['cut.go', `package a\nvar x = \`${'y\n'.repeat(20_000)}`],
  ['calls.java', `class A { void f() { a${'.b()'.repeat(2000)}; } }\n`],
  ['lambdas.java', `class A { Object f = ${'x -> '.repeat(400)}1; }\n`],
  ['generics.cs', `class A { ${'List<'.repeat(300)}int${'>'.repeat(300)} x; }\n`],
  ['macros.rs', `\nfn f() { ${'vec![println!('.repeat(60)}a.b()${')]'.repeat(60)}; }\n`],
  ['macro.rs', `\nfn f() { vec![${'a.b(), '.repeat(20_000)}]; }\n`],
  ['templates.cpp', `${'std::vector<'.repeat(300)}int${'>'.repeat(300)} x;\n`],
  ['cut.c', `/* ${'y\n'.repeat(20_000)}`],
  ['ends.rb', `${'if a\n'.repeat(300)}${'end\n'.repeat(300)}`],
  ['cut.rb', `x = <<~A\n${'y\n'.repeat(20_000)}`],
  ['arrays.php', `<?php $a = ${'['.repeat(600)}${']'.repeat(600)};\n`],
  ['parts.vue', `<script>${'a('.repeat(500)}${')'.repeat(500)}</script>${'<script>'.repeat(500)}`],
  ['parts.svelte', `${'<script>let a = 1'.repeat(500)}`],
]

test.for(pathological)('%s is read and linked to its end', ([name, text], { expect }) => {
  expect(extractFile(name, text).symbols[0]?.kind).toBe('file')
  linkSources({ [name]: text })
})

test('a file that takes too long costs its process, not the index', async ({ expect, onTestFinished }) => {
  const pool = new ExtractPool(false, 1)
  onTestFinished(() => pool.close())
  const text = readFileSync(
    path.join(import.meta.dirname, '../../../local/indexer/resolve/evaluate.ts'),
    'utf8',
  ).repeat(12)
  const tasks = [
    { path: 'a.ts', text },
    { path: 'b.ts', text: 'export const b = 1\n' },
  ]
  const taken = new Map<number, string | undefined>()

  await pool.run(tasks, (index, packed) => taken.set(index, unpackFacts(packed.body).givenUp))

  expect([...taken.keys()].sort()).toEqual([0, 1])
  expect(taken.get(0)).toBe('too_slow')
})

test('what loading a grammar takes is no cost of the file it is loaded for', async ({ expect, onTestFinished }) => {
  const pool = new ExtractPool(false, 200)
  onTestFinished(() => pool.close())
  const taken: (string | undefined)[] = []

  await pool.run([{ path: 'a.cpp', text: 'int a() { return 1; }\n' }], (_, packed) =>
    taken.push(unpackFacts(packed.body).givenUp),
  )

  expect(taken).toEqual([undefined])
})

test('of a project that fills the memory, what one parser took is given back before the other reads', {
  skip: process.platform !== 'linux',
}, async ({ expect, onTestFinished }) => {
  const pool = new ExtractPool(true)
  onTestFinished(() => pool.close())
  const readersNow = (): string[] =>
    readdirSync('/proc/self/task').flatMap((one) =>
      readFileSync(`/proc/self/task/${one}/children`, 'utf8').split(' ').filter(Boolean),
    )
  const others = new Set(readersNow())
  const long = ' '.repeat(1_000_000)
  const tasks = [
    { path: 'a.go', text: 'package a\n' },
    ...Array.from({ length: roomyReadingCharsMax / long.length }, (_, n) => ({
      path: `b${n}.ts`,
      text: `${long}${n}`,
    })),
  ]
  const whileGo: string[] = []
  const seen = new Set<string>()
  let taken = 0

  await pool.run(tasks, (index, packed) => {
    expect(unpackFacts(packed.body).givenUp).toBeUndefined()
    const now = readersNow().filter((one) => !others.has(one))
    if (tasks[index]?.path === 'a.go') whileGo.push(...now)
    for (const one of now) seen.add(one)
    taken += 1
  })

  expect(taken).toBe(tasks.length)
  expect(whileGo).toHaveLength(2)
  expect(seen.size).toBe(3)
})

test('real packages are indexed whole: every edge ends in a node, a second build is the same', {
  timeout: 300_000,
  tags: 'slow',
}, async ({ expect }) => {
  const require = createRequire(import.meta.url)
  const project = projectInTest({})
  // Sources of one and compiled code of the other: more of the same would take longer and prove no more.
  for (const [name, wanted] of [
    ['zod', /\.ts$/],
    ['hono', /\.(ts|js)$/],
  ] as const) {
    const root = packageRoot(require.resolve(name), name)
    for (const file of filesBelow(root)) {
      if (!wanted.test(file)) continue
      const target = path.join(
        project.place.root,
        name,
        path.relative(root, file).replaceAll('dist/', 'source/').replaceAll('lib/', 'code/'),
      )
      mkdirSync(path.dirname(target), { recursive: true })
      copyFileSync(file, target)
    }
  }

  const outcome = await project.sync()
  if (outcome.kind !== 'done') throw new Error(outcome.kind)
  console.log(
    `${outcome.report.lines} lines in ${outcome.report.elapsedMs} ms, ${outcome.report.nodes} symbols, ${outcome.report.edges} edges`,
  )
  const first = unwrap(openIndex(project.place))
  const nodes = new Map([...first.reader.allNodes()].map((node) => [node.n, node]))
  const badNodes = [...nodes.values()].filter(
    (node) => node.endLine < node.line || node.endLine > Math.max(1, first.reader.file(node.file).lines),
  )
  const badEdges = edgesOf(first.reader).filter(
    (edge) => !nodes.has(edge.source) || !nodes.has(edge.target) || edge.confidence <= 0 || edge.confidence > 1,
  )
  const edges = edgesOf(first.reader).length
  first.close()

  expect(outcome.report.lines).toBeGreaterThan(100_000)
  expect(badNodes).toEqual([])
  expect(badEdges).toEqual([])
  await project.sync(true)
  const second = unwrap(openIndex(project.place))
  expect([edgesOf(second.reader).length, [...second.reader.allNodes()].length]).toEqual([edges, nodes.size])
  second.close()
})

function packageRoot(resolved: string, name: string): string {
  const at = resolved.lastIndexOf(`node_modules/${name}`)
  return resolved.slice(0, at + `node_modules/${name}`.length)
}

test('damaged index files answer from the closed list of failures', async ({ expect }) => {
  const project = await indexedInTest({
    'a.ts': "import { b } from './b.ts'\nexport function a() { b() }\n",
    'b.ts': 'export function b() {}\n',
  })
  const whole = readFileSync(project.place.database)
  const viewer = await servedInTest(project.place)
  const statuses = new Set<string>()

  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ at: fc.nat(whole.length - 1), byte: fc.nat(255) }), { minLength: 1, maxLength: 20 }),
      fc.boolean(),
      fc.nat(whole.length),
      async (flips, isCut, cut) => {
        const damaged = Buffer.from(whole)
        for (const { at, byte } of flips) damaged[at] = byte
        writeFileSync(project.place.database, isCut ? damaged.subarray(0, cut) : damaged)
        for (const target of ['/api/stats', '/api/search?q=a', '/api/file/a.ts', '/api/map', '/api/deadcode']) {
          const reply = await viewer.get(target)
          statuses.add(`${reply.status} ${reply.body.code ?? ''}`)
          expect([200, 404, 503], `${target}: ${reply.text}`).toContain(reply.status)
        }
      },
    ),
    { seed, numRuns: 60 * scale },
  )
  expect([...statuses].some((one) => one.startsWith('503'))).toBe(true)
})

test('random requests never make the viewer fail', { timeout: 300_000, tags: 'slow' }, async ({ expect }) => {
  const project = await indexedInTest({
    'a.ts': "import { b } from './b.ts'\nexport function a() { b() }\n",
    'b.ts': 'export function b() {}\n',
  })
  const viewer = await servedInTest(project.place)
  const word = fc.oneof(
    fc.string({ maxLength: 20 }),
    fc.constantFrom(
      'a',
      'a.ts',
      '"',
      '*',
      'NEAR(',
      'a OR b',
      '%',
      '../x',
      '1',
      '-1',
      '0',
      '1e9',
      '9'.repeat(30),
      'kind:',
      'kind:class',
      'path:"',
      "'; DROP",
      's',
      'dx',
      '\u202e',
      'file:a.ts',
    ),
  )
  const route = fc.constantFrom(
    'stats',
    'search',
    'node/',
    'nodes',
    'source',
    'file/',
    'filecode/',
    'routes',
    'entrypoints',
    'map',
    'deadcode',
    'flow',
    'screens',
    'trails',
    'zzz',
  )
  const key = fc.constantFrom(
    'q',
    'limit',
    'id',
    'file',
    'from',
    'to',
    'ondrift',
    'routes',
    'root',
    'depth',
    'kinds',
    'exported',
    'tests',
    'symbols',
    'hop',
  )
  const seen = new Map<number, number>()

  await fc.assert(
    fc.asyncProperty(route, word, fc.array(fc.tuple(key, word), { maxLength: 4 }), async (name, suffix, pairs) => {
      const query = pairs.map(([one, value]) => `${one}=${encodeURIComponent(value.toWellFormed())}`).join('&')
      const reply = await viewer.get(
        `/api/${name}${name.endsWith('/') ? encodeURIComponent(suffix.toWellFormed()) : ''}?${query}`,
      )
      seen.set(reply.status, (seen.get(reply.status) ?? 0) + 1)
      expect([200, 400, 403, 404], reply.text).toContain(reply.status)
      if (reply.status !== 200)
        expect(Object.keys(reply.body).filter((one) => !['error', 'code', 'hint'].includes(one))).toEqual([])
    }),
    { seed, numRuns: 2000 * scale },
  )
  expect(seen.get(200)).toBeGreaterThan(0)
})
