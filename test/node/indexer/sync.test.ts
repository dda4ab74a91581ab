import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'vitest'
import { extractionVersion } from '../../../local/indexer/core/vocabulary.ts'
import { checkedIndexes } from '../../../local/indexer/store/checked-indexes.ts'
import { indexPlace } from '../../../local/indexer/store/index-folder.ts'
import { takeLock } from '../../../local/indexer/store/lock.ts'
import { KeptIndex, openIndex } from '../../../local/indexer/store/open-index.ts'
import { syncIndex } from '../../../local/indexer/sync.ts'
import { contentOf, edgesOf } from '../../support/index-content.ts'
import { checkRandomEdits } from '../../support/random-edits.ts'
import { unwrap } from '../../support/unwrap.ts'
import { indexedInTest, projectInTest, servedInTest } from '../../support/viewer-in-test.ts'
import { createProject } from '../../support/viewer-server.ts'

const sources = {
  'src/a.ts': "import { b } from './b.ts'\nexport function a() {\n  return b()\n}\n",
  'src/b.ts': 'export function b() {\n  return c()\n}\nfunction c() {}\n',
}

test('a sync without changes leaves the published index as it is', async ({ expect }) => {
  const project = await indexedInTest(sources)
  const before = statSync(project.place.database)

  const outcome = await project.sync()

  expect(outcome).toMatchObject({ kind: 'done', report: { isPublished: false, files: 2 } })
  expect(statSync(project.place.database).mtimeMs).toBe(before.mtimeMs)
})

test('a file touched without a change is not indexed again', async ({ expect }) => {
  const project = await indexedInTest(sources)
  const later = new Date(Date.now() + 60_000)
  utimesSync(path.join(project.place.root, 'src/a.ts'), later, later)

  expect(await project.sync()).toMatchObject({ kind: 'done', report: { isPublished: false } })
})

test('sync gives the same index as a full build after edits of source and settings', async ({ expect }) => {
  const project = await indexedInTest(sources)
  const edits: (() => void)[] = [
    () =>
      project.write(
        'src/c.ts',
        "export { a as renamed } from './a.ts'\nexport class K { m() { return this.n() } n() {} }\n",
      ),
    () => project.write('src/b.ts', "import { K } from './c.ts'\nexport function b() {\n  new K().m()\n}\n"),
    () => project.write('tsconfig.json', '{"compilerOptions":{"paths":{"@/*":["./src/*"]}}}'),
    () => project.write('src/d.ts', "import { renamed } from '@/c.ts'\nrenamed()\n"),
    () => project.remove('src/a.ts'),
    () => project.write('src/a.ts', 'export const a = () => 1\n'),
    () => project.write('tsconfig.json', '{}'),
  ]
  for (const edit of edits) {
    edit()
    await project.sync()
    const synced = contentOf(project.place)
    await project.sync(true)
    expect(synced).toBe(contentOf(project.place))
  }
})

test('what C# opens for a whole project is known, wherever that is written, and follows what is written', async ({
  expect,
}) => {
  const project = await indexedInTest({
    'Port.csproj':
      '<Project><ItemGroup><Using Include="Port.Cranes" /><!-- <Using Include="Port.Old" /> --></ItemGroup></Project>',
    'Setup.cs': 'global using Port.Ropes;\nnamespace Port;\nclass Setup { }\n',
    'Cranes/Crane.cs': 'namespace Port.Cranes;\npublic class Crane { public Crane() { } }\n',
    'Ropes/Rope.cs': 'namespace Port.Ropes;\npublic class Rope { public Rope() { } }\n',
    'Old/Sail.cs': 'namespace Port.Old;\npublic class Sail { public Sail() { } }\n',
    'Quay/Quay.cs': 'namespace Quay;\nclass Yard { void Run() { new Crane(); new Rope(); new Sail(); } }\n',
    // A change of less than half of all files is what a sync puts in by itself.
    ...Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`Other/O${at}.cs`, `class O${at} { }\n`])),
  })
  const made = (): string[] => {
    const { reader, close } = unwrap(openIndex(project.place))
    const found = edgesOf(reader).filter((edge) => edge.kind === 'instantiates')
    // What is made, and the constructor that is called for it, have one name.
    const names = new Set(found.map((edge) => reader.node(edge.target).name))
    close()
    return [...names].sort()
  }
  const edits: readonly (readonly [() => void, readonly string[]])[] = [
    [() => project.write('Setup.cs', 'namespace Port;\nclass Setup { }\n'), ['Crane']],
    [() => project.write('Added.cs', 'global using Port.Ropes;\n'), ['Crane', 'Rope']],
    [() => project.write('Port.csproj', '<Project />'), ['Rope']],
    [() => project.remove('Added.cs'), []],
  ]
  expect(made()).toEqual(['Crane', 'Rope'])

  for (const [edit, expected] of edits) {
    edit()
    await project.sync()
    const synced = contentOf(project.place)
    expect(made()).toEqual(expected)
    await project.sync(true)
    expect(synced).toBe(contentOf(project.place))
  }
})

test('what macros of C++ stand for is read anew in all files that write them, and in no others', async ({ expect }) => {
  const macros = '#define WHARF_BEGIN namespace wharf {\n#define WHARF_END }\n'
  const project = await indexedInTest({
    'macros.h': macros,
    'crane.h': '#include "macros.h"\nWHARF_BEGIN\ninline int lift() { return 1; }\nWHARF_END\n',
    'yard.cc': '#include "crane.h"\nint run() { return wharf::lift(); }\n',
    ...Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`other/o${at}.cc`, `int o${at}() { return 0; }\n`])),
  })
  const names = (): string[] => {
    const { reader, close } = unwrap(openIndex(project.place))
    const found = edgesOf(reader).filter((edge) => edge.kind === 'calls')
    const called = found.map((edge) => reader.graph.qualifiedNameOf(edge.target))
    close()
    return called
  }
  const edits: readonly (readonly [edit: () => void, called: readonly string[], linked: number])[] = [
    [() => project.write('macros.h', macros.replace('wharf', 'port')), [], 15],
    [() => project.write('yard.cc', '#include "crane.h"\nint run() { return port::lift(); }\n'), ['port::lift'], 1],
    [() => project.write('macros.h', `${macros.replace('wharf', 'port')}#define WHARF_API\n`), ['port::lift'], 1],
    [
      () => project.write('crane.h', '#include "macros.h"\nWHARF_BEGIN\ninline int sink() { return 1; }\nWHARF_END\n'),
      [],
      2,
    ],
    [() => project.write('yard.cc', 'WHARF_API int run() { return port::sink(); }\n'), ['port::sink'], 15],
    [() => project.remove('macros.h'), [], 14],
    [() => project.write('macros.h', macros.replace('wharf', 'port')), ['port::sink'], 15],
  ]
  expect(names()).toEqual(['wharf::lift'])

  for (const [edit, called, linked] of edits) {
    edit()
    expect(await project.sync()).toMatchObject({ report: { linked } })
    const synced = contentOf(project.place)
    expect(names()).toEqual(called)
    await project.sync(true)
    expect(synced).toBe(contentOf(project.place))
  }
})

test('what a header includes decides what is meant in files that include it', async ({ expect }) => {
  const project = await indexedInTest({
    'one.h': 'namespace port { inline int ship() { return 1; } }\n',
    'two.h': 'namespace port { inline int ship(int of) { return of; } }\n',
    'all.h': '#include "one.h"\n',
    'yard.cc': '#include "all.h"\nint run() { return port::ship(); }\n',
    ...Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`other/o${at}.ts`, `export const o${at} = 0\n`])),
  })
  const called = (): string[] => {
    const { reader, close } = unwrap(openIndex(project.place))
    const found = edgesOf(reader).filter((edge) => edge.kind === 'calls')
    const files = found.map((edge) => reader.graph.fileOfNode(edge.target).path)
    close()
    return files.sort()
  }
  const edits: readonly (readonly [() => void, readonly string[]])[] = [
    [() => project.write('all.h', '#include "two.h"\n'), ['two.h']],
    [() => project.remove('all.h'), ['one.h', 'two.h']],
    [() => project.write('all.h', '#include "one.h"\n'), ['one.h']],
  ]
  expect(called()).toEqual(['one.h'])

  for (const [edit, expected] of edits) {
    edit()
    await project.sync()
    const synced = contentOf(project.place)
    expect(called()).toEqual(expected)
    await project.sync(true)
    expect(synced).toBe(contentOf(project.place))
  }
})

test('an overload that another file comes to declare is one that a call in this file may mean', async ({ expect }) => {
  const project = await indexedInTest({
    'ship.h': 'inline int sail() { return 1; }\n',
    'yard.cc': '#include "ship.h"\nint haul(char of) { return 1; }\nint run() { return haul(1); }\n',
    'far.cc': '#include "ship.h"\nint row() { return sail(); }\n',
    ...Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`other/o${at}.ts`, `export const o${at} = 0\n`])),
  })
  project.write('ship.h', 'inline int sail() { return 1; }\ninline int haul(int of) { return of; }\n')

  expect(await project.sync()).toMatchObject({ report: { linked: 2 } })

  const synced = contentOf(project.place)
  const { reader, close } = unwrap(openIndex(project.place))
  const found = edgesOf(reader).filter((edge) => edge.kind === 'calls' && reader.node(edge.target).name === 'haul')
  expect(found.map((edge) => reader.graph.fileOfNode(edge.target).path).sort()).toEqual(['ship.h', 'yard.cc'])
  close()
  await project.sync(true)
  expect(synced).toBe(contentOf(project.place))
})

test('after random edits of a real library, sync gives the index that a full build gives', {
  timeout: 180_000,
  tags: 'slow',
}, async ({ expect }) => {
  const project = projectInTest({})
  const library = path.join(import.meta.dirname, '../../../node_modules/zod/src/v4')
  for (const folder of ['core', 'mini'])
    copyTree(path.join(library, folder), path.join(project.place.root, folder), /\.ts$/)
  const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_122)

  const verdict = await checkRandomEdits(project.place, seed, 5)

  expect(verdict.differences, `seed ${seed}`).toEqual([])
  // What is compared with a full build must not have been one.
  expect(verdict.patched).toBeGreaterThan(1)
})

test.for(['python', 'go', 'java', 'csharp', 'rust', 'ruby', 'php', 'cpp'])(
  'after random edits of %s, sync gives the index that a full build gives',
  { tags: 'slow', timeout: 120_000 },
  async (language, { expect }) => {
    const project = projectInTest({})
    const sources = /\.(py|go|java|cs|rs|rb|php|[ch]pp)$/
    copyTree(
      path.join(import.meta.dirname, '../../fixtures/code', language),
      project.place.root,
      /\.(py|go|java|cs|rs|rb|php|[ch]pp|mod)$/,
    )
    const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_122)

    const verdict = await checkRandomEdits(project.place, seed, 5, { wanted: sources })

    expect(verdict.differences, `seed ${seed}`).toEqual([])
    // What is compared with a full build must not have been one.
    expect(verdict.patched, `seed ${seed}`).toBeGreaterThan(0)
  },
)

test.for(['typescript', 'python', 'go', 'java', 'csharp', 'rust', 'ruby', 'php', 'cpp'])(
  'after files of %s came, went and moved at random, sync gives the index that a full build gives',
  { tags: 'slow', timeout: 120_000 },
  async (language, { expect }) => {
    const project = projectInTest({})
    copyTree(path.join(import.meta.dirname, '../../fixtures/code', language), project.place.root)
    const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_126)
    const wanted = /\.(tsx?|mjs|vue|py|go|java|cs|rs|rb|php|[ch]pp)$/
    // Of a project that is small any change matters to most, and the whole of it is built.
    for (let file = 0; file < 40; file += 1) project.write(`far/f${file}.ts`, `const far${file} = ${file}\n`)

    const verdict = await checkRandomEdits(project.place, seed, 6, { wanted, moves: true })

    expect(verdict.differences, `seed ${seed}`).toEqual([])
    // What is compared with a full build must not have been one.
    expect(verdict.patched, `seed ${seed}`).toBeGreaterThan(2)
  },
)

test.for<[string, string, string, number]>([
  ['nobody names links nobody else', 'src/new.ts', 'export function apart() {}\n', 1],
  ['an import named already links who wrote it', 'src/missing.ts', 'export function late() {}\n', 2],
  ['takes the place of another links who imported that', 'src/b/index.ts', 'export function b() {}\n', 1],
  ['hides another from who imported that', 'src/b.d.ts', 'export function b(): void\n', 1],
  ['the shorter name of an import means links who wrote it', 'src/c.ts', 'export function c() {}\n', 3],
])('a file that came and that %s', async ([, file, text, linked], { expect }) => {
  const far = Array.from({ length: 12 }, (_, at) => [`far/f${at}.ts`, `export function late${at}() {}\n`])
  const project = await indexedInTest({
    ...sources,
    'src/d.ts': "import { late } from './missing.ts'\nexport function d() {\n  late()\n}\n",
    'src/c/index.ts': 'export function c() {}\n',
    'src/e.ts': "import { c } from './c'\nexport function e() {\n  return c()\n}\n",
    'src/f.ts': "import { e } from './e.ts'\ne()\nexport const mine = e\n",
    ...Object.fromEntries(far),
  })
  const whole = indexPlace(project.place.root, '.whole')
  const isWhole = async (): Promise<boolean> => {
    await syncIndex({ place: whole, isFull: true, nowMs: Date.now(), version: 'test' })
    return contentOf(project.place) === contentOf(whole)
  }

  project.write(file, text)
  expect(await project.sync()).toMatchObject({ report: { added: 1, linked } })
  expect(await isWhole()).toBe(true)

  project.remove(file)
  expect(await project.sync()).toMatchObject({ report: { removed: 1, linked: linked - 1 } })
  expect(await isWhole()).toBe(true)
})

test('a framework that a new file brings is known, and one that a file took along is looked for anew', async ({
  expect,
}) => {
  const project = await indexedInTest({ 'a.tsx': 'export const a = 1\n', 'b.tsx': 'export const b = 2\n' })
  const frameworks = (): unknown => {
    const { reader, close } = unwrap(openIndex(project.place))
    close()
    return JSON.parse(reader.meta.get('frameworks') ?? '')
  }

  project.write(
    'c.tsx',
    "import { Route } from 'react-router'\nexport const c = () => <Route path='/c' element={<p />} />\n",
  )
  expect(await project.sync()).toMatchObject({ report: { linked: 1 } })
  expect(frameworks()).toEqual(['react-router'])

  project.remove('c.tsx')
  expect(await project.sync()).toMatchObject({ report: { linked: 2 } })
  expect(frameworks()).toEqual([])
})

test.for<[string, Record<string, string>, string]>([
  [
    'Python',
    {
      'base.py': 'def get():\n    return 1\n',
      'pack/__init__.py': '',
      'pack/near.py': 'import base\nbase.get()\n',
      ...Object.fromEntries(
        Array.from({ length: 8 }, (_, at) => [`far/f${at}.py`, 'class A:\n    def x(self, b):\n        b.get()\n']),
      ),
    },
    'base.py',
  ],
  [
    'Go',
    {
      'go.mod': 'module example.org/m\n',
      'base/a.go': 'package base\nfunc Get() int { return 1 }\n',
      'base/b.go': 'package base\nfunc used() { Get() }\n',
      'near/a.go': 'package near\nimport "example.org/m/base"\nfunc used() { base.Get() }\n',
      ...Object.fromEntries(
        Array.from({ length: 8 }, (_, at) => [`far${at}/a.go`, 'package far\nfunc x(b any) { b.Get() }\n']),
      ),
    },
    'base/a.go',
  ],
])(
  'after a change in %s only those that import the file are linked again, however common the name',
  async ([language, sources, file], { expect }) => {
    const project = await indexedInTest(sources)
    const before = sources[file] ?? ''
    project.write(file, before.replace('int {', 'Other {').replace('return 1', 'return other()'))

    expect(await project.sync()).toMatchObject({ report: { linked: language === 'Go' ? 3 : 2 } })
  },
)

test('an index brought up to date answers the viewer as a new one does', async ({ expect }) => {
  const project = projectInTest({})
  copyTree(path.join(import.meta.dirname, '../../../local/viewer/core'), path.join(project.place.root, 'core'))
  await project.sync()
  const { root } = project.place
  const grown = 'core/search.ts'
  const text = readFileSync(path.join(root, grown), 'utf8')
  project.write(grown, `${text}\nexport function one() {\n  return two()\n}\nexport function two() {}\n`)
  await project.sync()
  const fresh = indexPlace(root, '.fresh')
  await syncIndex({ place: fresh, isFull: true, nowMs: Date.now(), version: 'test' })
  const answersOf = async (place: typeof fresh): Promise<unknown[]> => {
    const viewer = await servedInTest(place)
    const targets = ['search?q=of', 'search?q=reader', 'search?q=kind:function', 'map', 'deadcode', 'entrypoints']
    targets.push(`file/${grown}`, `filecode/${grown}`, 'file/core/graph-shapes.ts', 'flow?symbols=one,two')
    const hits = (await viewer.get('/api/search?q=kind:function&limit=30')).body.results.items as { id: string }[]
    targets.push(...hits.map((one) => `node/${one.id}`))
    const answers: unknown[] = []
    for (const target of targets) {
      const { timing: _timing, index: _index, ...body } = (await viewer.get(`/api/${target}`)).body
      answers.push(JSON.parse(JSON.stringify(body, (key, value) => (key === 'indexedAt' ? undefined : value))))
    }
    return answers
  }

  expect(await answersOf(project.place)).toEqual(await answersOf(fresh))
})

test('every edge ends in a node and every line range lies in its file', async ({ expect }) => {
  const project = projectInTest({})
  copyTree(path.join(import.meta.dirname, '../../../local'), path.join(project.place.root, 'local'))
  await project.sync()
  const opened = unwrap(openIndex(project.place))
  const { reader, close } = opened
  const nodes = [...reader.allNodes()]
  const bad = nodes.filter(
    (node) => node.line < 1 || node.endLine < node.line || node.endLine > Math.max(1, reader.file(node.file).lines),
  )
  const ends = new Set(nodes.map((node) => node.n))

  expect(nodes.length).toBeGreaterThan(500)
  expect(bad).toEqual([])
  expect(edgesOf(reader).filter((edge) => !ends.has(edge.source) || !ends.has(edge.target))).toEqual([])
  close()
})

function copyTree(from: string, to: string, wanted = /./): void {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (entry.isDirectory()) copyTree(path.join(from, entry.name), path.join(to, entry.name), wanted)
    else if (wanted.test(entry.name)) copyFileSync(path.join(from, entry.name), path.join(to, entry.name))
  }
}

test('a living lock keeps a second writer out and a dead one does not', async ({ expect }) => {
  const project = await indexedInTest(sources)
  const lock = takeLock(project.place.lock)
  if (!('release' in lock)) throw new Error('the lock was not free')

  expect(await project.sync(true)).toEqual({ kind: 'locked', pid: process.pid })

  lock.release()
  writeFileSync(project.place.lock, '999999999 1')
  expect(await project.sync(true)).toMatchObject({ kind: 'done' })
  expect(existsSync(project.place.lock)).toBe(false)
})

test('a build killed at any moment leaves the old index readable', { tags: 'slow' }, async ({ expect }) => {
  const project = await indexedInTest(sources)
  const before = contentOf(project.place)
  for (let copy = 0; copy < 60; copy += 1)
    project.write(
      `src/copy${copy}.ts`,
      readFileSync(path.join(import.meta.dirname, '../../../local/indexer/resolve/evaluate.ts'), 'utf8'),
    )
  const entry = path.join(import.meta.dirname, '../../../local/indexer.ts')
  for (const delayMs of [150, 300, 500, 700, 900]) {
    const child = spawn(process.execPath, [entry, 'index', project.place.root, '--quiet'], { stdio: 'ignore' })
    const ended = once(child, 'exit')
    const timer = setTimeout(() => child.kill('SIGKILL'), delayMs)
    await ended
    clearTimeout(timer)
    const content = contentOf(project.place)
    expect(content === before || content.includes('copy59.ts')).toBe(true)
  }
  expect(await project.sync()).toMatchObject({ kind: 'done' })
  expect(readdirSync(project.place.folder).filter((name) => name.includes('building'))).toEqual([])
})

test('an index that cannot be read says why', async ({ expect }) => {
  const project = projectInTest(sources)
  const failureOf = (): string => {
    const opened = openIndex(project.place)
    if (opened.ok) opened.value.close()
    return opened.ok ? 'ok' : opened.failure
  }
  const setMeta = (key: string, value: string): void => {
    const database = new DatabaseSync(project.place.database)
    database.prepare('UPDATE meta SET value = ? WHERE key = ?').run(value, key)
    database.close()
  }

  expect(failureOf()).toBe('absent')
  await project.sync()
  expect(failureOf()).toBe('ok')
  setMeta('extraction_version', '0')
  expect(failureOf()).toBe('older')
  setMeta('extraction_version', '99')
  expect(failureOf()).toBe('newer')
  setMeta('extraction_version', String(extractionVersion))
  setMeta('index_state', 'indexing')
  expect(failureOf()).toBe('building')
  setMeta('index_state', 'complete')
  expect(failureOf()).toBe('ok')
  const database = new DatabaseSync(project.place.database)
  database.exec('CREATE VIEW v AS SELECT 1')
  database.close()
  expect(failureOf()).toBe('damaged')
  writeFileSync(project.place.database, 'this is no database')
  expect(failureOf()).toBe('damaged')
  await project.sync()
  expect(failureOf()).toBe('ok')
})

test('what was found whole is not checked again, until a byte of it changes', async ({ expect, onTestFinished }) => {
  const project = projectInTest(sources)
  const home = createProject({})
  onTestFinished(home.dispose)
  await project.sync()
  const checked = checkedIndexes(path.join(home.place.root, 'checked'))
  const asked: boolean[] = []
  const open = (): string => {
    const opened = openIndex(
      project.place,
      new KeptIndex({
        add: checked.add,
        has: (database, stamp) => {
          asked.push(checked.has(database, stamp))
          return asked.at(-1) === true
        },
      }),
    )
    if (opened.ok) opened.value.close()
    return opened.ok ? 'ok' : opened.failure
  }

  expect([open(), open()]).toEqual(['ok', 'ok'])
  expect(asked).toEqual([false, true])

  const bytes = readFileSync(project.place.database)
  writeFileSync(project.place.database, bytes.fill(0x7f, bytes.length / 2, bytes.length / 2 + 4096))
  expect([open(), open()]).toEqual(['damaged', 'damaged'])
  expect(asked.slice(2)).toEqual([false, false])
})

test.for([['resolving'], ['writing']] as const)(
  'a signal is heard while an index is %s, and leaves the published one',
  async ([stage], { expect }) => {
    const project = await indexedInTest(sources)
    const before = contentOf(project.place)
    project.write('more.ts', 'export const more = 1\n')
    const stop = new AbortController()
    const told: string[] = []

    const outcome = await syncIndex({
      place: project.place,
      isFull: true,
      nowMs: 1,
      version: 'test',
      signal: stop.signal,
      onProgress: (at, done, total) => {
        told.push(`${at} ${done}/${total}`)
        // What a signal does: it comes from outside, and only when the work lets go of the thread.
        if (at === stage) setImmediate(() => stop.abort())
      },
    })

    expect(outcome).toEqual({ kind: 'stopped' })
    expect(told.at(-1)).toMatch(new RegExp(`^${stage} 1/[1-9]`))
    expect(contentOf(project.place)).toBe(before)
    expect(readdirSync(project.place.folder).filter((name) => name.includes('building'))).toEqual([])
  },
)
