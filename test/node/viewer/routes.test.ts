import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, test } from 'vitest'
import { textCharsMax, treeLimitMax } from '../../../local/viewer/limits.ts'
import { indexedInTest, projectInTest, servedInTest } from '../../support/viewer-in-test.ts'
import { createProject, serve } from '../../support/viewer-server.ts'

const sources = {
  'src/index.ts': "import { run } from './run.ts'\nrun('go')\n",
  'src/run.ts': `import { Store } from './store.ts'
/** Runs the whole thing. */
export function run(name: string): void {
  const store = new Store()
  store.put(name)
  dispatch(name)
}
function dispatch(name: string): void {
  table[name]()
}
const table: Record<string, () => void> = {}
function unused(): number {
  return 1
}
`,
  'src/store.ts': `export interface Saves {
  put(name: string): void
}
export class Store implements Saves {
  put(name: string): void {
    this.#write(name)
  }
  #write(name: string): string {
    return name.trim()
  }
}
export class FastStore extends Store {
  override put(name: string): void {
    super.put(name)
  }
}
`,
  'test/run.test.ts': "import { run } from '../src/run.ts'\nrun('x')\n",
}

const project = createProject(sources)
await project.sync()
const viewer = await serve(project.place)

afterAll(async () => {
  await viewer.running.close()
  project.dispose()
})

async function idOf(name: string, kind: string): Promise<string> {
  const { body } = await viewer.get(`/api/search?q=${encodeURIComponent(`${name} kind:${kind}`)}`)
  const found = body.results.items.find((one: { name: string }) => one.name === name)
  if (found === undefined) throw new Error(`no ${kind} ${name}`)
  return found.id
}

test('GET /api lists what is answered, with and without a trailing slash', async ({ expect }) => {
  const plain = await viewer.get('/api')

  expect(plain.body).toMatchObject({ readOnly: false, writes: ['POST /api/trails', 'DELETE /api/trails/<id>'] })
  expect(plain.body.endpoints.length).toBeGreaterThan(15)
  expect((await viewer.get('/api/')).body).toEqual(plain.body)
})

test('GET /api/stats counts the graph', async ({ expect }) => {
  const { body } = await viewer.get('/api/stats')

  expect(body).toMatchObject({
    project: { root: project.place.root },
    index: { state: 'complete', stale: false, backend: 'node:sqlite' },
    graph: { files: 4, filesByLanguage: { typescript: 4 } },
    thresholds: { hub: 40, uncertainBelow: 0.6 },
    blastScale: { hops: 3, estimated: true },
  })
  expect(body.graph.nodesByKind.class).toBe(2)
  expect(body.graph.edges).toBe(
    Object.values(body.graph.edgesByKind as Record<string, number>).reduce((sum, one) => sum + one, 0),
  )
})

test('GET /api/search ranks the exact name first and takes filters', async ({ expect }) => {
  const ranked = await viewer.get('/api/search?q=Store')
  const filtered = await viewer.get(`/api/search?q=${encodeURIComponent('kind:class path:src/store')}`)
  const unknown = await viewer.get(`/api/search?q=${encodeURIComponent('kind:zzz run')}`)

  expect(ranked.body.results.items[0]).toMatchObject({ name: 'Store', kind: 'class', matchKind: 'exact' })
  expect(ranked.body.groups.flatMap((group: { items: object[] }) => group.items)).toHaveLength(
    ranked.body.results.shown,
  )
  expect(
    filtered.body.results.items.map((one: { name: string; matchKind: string }) => `${one.name} ${one.matchKind}`),
  ).toEqual(['Store related', 'FastStore related'])
  expect(unknown.body).toMatchObject({ text: 'kind:zzz run', filters: { kinds: [] } })
})

test.for(['a_b', '0_0', '_', 'one-two', 'x*', '"', 'NEAR(a b)', 'a:b', '名字_a', 'e\u0301_x', 'a\u{1E900}b_c'])(
  'GET /api/search takes %s as words, never as an operator',
  async (words, { expect }) => {
    const reply = await viewer.get(`/api/search?q=${encodeURIComponent(words)}`)

    expect(reply.status, reply.text).toBe(200)
  },
)

test('GET /api/search for nothing answers nothing', async ({ expect }) => {
  expect((await viewer.get('/api/search?q=')).body.results).toEqual({ total: 0, shown: 0, truncated: false, items: [] })
})

test('GET /api/node answers callers, callees, members, hierarchy and tests', async ({ expect }) => {
  const run = await viewer.get(`/api/node/${encodeURIComponent(await idOf('run', 'function'))}`)
  const store = await viewer.get(`/api/node/${await idOf('Store', 'class')}`)

  expect(run.body.node).toMatchObject({
    name: 'run',
    docstring: 'Runs the whole thing.',
    exported: true,
    line: 3,
    endLine: 7,
  })
  expect(run.body.incoming.items.map((one: { node: { file: string } }) => one.node.file)).toEqual([
    'src/index.ts',
    'test/run.test.ts',
  ])
  expect(run.body.incoming.items[1].text).toBe("run('x')")
  expect(
    run.body.outgoing.items.map(
      (one: { node: { name: string }; edgeKinds: string[] }) => `${one.edgeKinds[0]} ${one.node.name}`,
    ),
  ).toEqual(['instantiates Store', 'calls put', 'calls dispatch'])
  expect(run.body.counts).toMatchObject({ callers: 2, callees: 3, hub: false })
  expect(run.body.tests).toMatchObject({ reached: true, hops: 1, files: ['test/run.test.ts'], exhaustive: true })
  expect(run.body.drift).toBe(false)
  expect(store.body.members.items.map((one: { name: string }) => one.name)).toEqual(['put', '#write'])
  expect(store.body.hierarchy.ancestors.items[0]).toMatchObject({ name: 'Saves', relation: 'implements', depth: 1 })
  expect(store.body.hierarchy.descendants.items[0]).toMatchObject({ name: 'FastStore', relation: 'extends' })
})

test('an override names the member it overrides', async ({ expect }) => {
  const fast = await viewer.get(`/api/node/${await idOf('FastStore', 'class')}`)

  expect(fast.body.members.items[0].overrides).toMatchObject({ baseTypeName: 'Store', relation: 'extends' })
})

test('GET /api/nodes answers in the order asked, folded, with what is missing', async ({ expect }) => {
  const [store, run] = [await idOf('Store', 'class'), await idOf('run', 'function')]

  const { body } = await viewer.get(`/api/nodes?id=${run}&id=nothing&id=${store}&id=${run}&id=`)

  expect(body.items.map((one: { id: string }) => one.id)).toEqual([run, store])
  expect(body.missing).toEqual(['nothing'])
})

test('60 ids are served and 61 refused', async ({ expect }) => {
  const ids = (count: number): string => Array.from({ length: count }, (_, index) => `id=x${index}`).join('&')

  expect((await viewer.get(`/api/nodes?${ids(60)}`)).status).toBe(200)
  expect(await viewer.get(`/api/nodes?${ids(61)}`)).toMatchObject({ status: 400, body: { code: 'bad-request' } })
})

test('an answer from the index alone is not sent twice', async ({ expect }) => {
  const first = await viewer.get('/api/search?q=run')
  const again = await viewer.get('/api/search?q=run', { 'if-none-match': first.headers.get('etag') ?? '' })

  expect(again.status).toBe(304)
  expect(again.text).toBe('')
})

test('GET /api/source gives verbatim lines whose tokens add up to them', async ({ expect }) => {
  const { body } = await viewer.get('/api/source?file=src/run.ts&from=2&to=4')
  const whole = await viewer.get('/api/source?file=./src/run.ts')

  expect(body).toMatchObject({ drift: false, showing: 'indexed', from: 2, to: 4, totalLines: 14, truncated: false })
  expect(body.lines).toEqual(sources['src/run.ts'].split('\n').slice(1, 4))
  expect(body.highlight.lines.map((tokens: [number, string][]) => tokens.map(([, text]) => text).join(''))).toEqual(
    body.lines,
  )
  expect(body.highlight).toMatchObject({
    engine: 'tree-sitter',
    classes: ['other', 'ident', 'comment', 'string', 'keyword', 'number', 'type', 'def'],
  })
  expect(body.highlight.lines[0]).toEqual([[2, '/** Runs the whole thing. */']])
  expect(whole.body.lines).toHaveLength(14)
})

test('a window inside a comment is coloured as a comment', async ({ expect }) => {
  const own = await indexedInTest({ 'a.ts': '/*\n  const notCode = 1\n*/\nconst code = 1\n' })
  const ownViewer = await servedInTest(own.place)

  const { body } = await ownViewer.get('/api/source?file=a.ts&from=2&to=2')

  expect(body.highlight.lines).toEqual([[[2, '  const notCode = 1']]])
})

test('GET /api/file answers outline, imports in and out', async ({ expect }) => {
  const { body } = await viewer.get('/api/file/src/run.ts')

  expect(body.outline.items.map((one: { qualifiedName: string }) => one.qualifiedName)).toEqual([
    'run',
    'dispatch',
    'table',
    'unused',
  ])
  expect(body.imports.items).toMatchObject([{ file: 'src/store.ts', symbolCount: 1, symbols: [{ name: 'Store' }] }])
  expect(body.importedBy.items.map((one: { file: string; test: boolean }) => [one.file, one.test])).toEqual([
    ['src/index.ts', false],
    ['test/run.test.ts', true],
  ])
  expect(body).toMatchObject({
    dependencies: ['src/store.ts'],
    dependents: ['src/index.ts', 'test/run.test.ts'],
    drift: false,
  })
})

test('a file that runs something at top level says how often', async ({ expect }) => {
  expect((await viewer.get('/api/file/src/index.ts')).body.topLevel).toEqual({ calls: 1 })
})

test('GET /api/filecode answers call sites by calling symbol and what leaves the index', async ({ expect }) => {
  const { body } = await viewer.get('/api/filecode/src/store.ts')

  expect(
    body.calls.items.map(
      (one: { relation: { node: { name: string }; lines: number[] } }) =>
        `${one.relation.node.name}@${one.relation.lines}`,
    ),
  ).toContain('#write@6')
  expect(body.outside.items).toContainEqual({ line: 9, col: 16, name: 'name.trim', kind: 'calls' })
  expect(body.file.totalLines).toBe(16)
})

test('GET /api/filecode answers for some lines what it answers for all', async ({ expect }) => {
  interface Sites {
    readonly outline: { readonly items: readonly { readonly line: number; readonly endLine: number }[] }
    readonly calls: { readonly items: readonly { readonly relation: { readonly lines: readonly number[] } }[] }
    readonly outside: { readonly items: readonly { readonly line: number }[] }
    readonly intraFileCalls: number
  }
  const whole: Sites = (await viewer.get('/api/filecode/src/store.ts')).body
  for (const [from, to] of [
    [1, 6],
    [6, 6],
    [7, 16],
    [15, 5_000_000],
  ] as const) {
    const part: Sites = (await viewer.get(`/api/filecode/src/store.ts?from=${from}&to=${to}`)).body
    const isWanted = (line: number): boolean => line >= from && line <= to
    expect(part.calls.items).toEqual(whole.calls.items.filter((one) => one.relation.lines.some(isWanted)))
    expect(part.outside.items).toEqual(whole.outside.items.filter((one) => isWanted(one.line)))
    expect(part.outline.items).toEqual(whole.outline.items.filter((one) => one.line <= to && one.endLine >= from))
    expect(part.intraFileCalls).toBe(whole.intraFileCalls)
  }
})

test.for(['from=0', 'to=0', 'from=5000001', 'from=x', 'from=1.5', 'from=6&to=5'])(
  'GET /api/filecode refuses %s',
  async (query, { expect }) => {
    expect(await viewer.get(`/api/filecode/src/store.ts?${query}`)).toMatchObject({
      status: 400,
      body: { code: 'bad-request' },
    })
  },
)

test('GET /api/routes is an answer even without routes', async ({ expect }) => {
  expect((await viewer.get('/api/routes')).body).toEqual({
    routed: false,
    routeCount: 0,
    shown: 0,
    truncated: false,
    topHandlerFile: null,
    topHandlerFileCount: 0,
    entries: [],
  })
})

test('GET /api/entrypoints names files that run, tests that reach and hubs', async ({ expect }) => {
  const { body } = await viewer.get('/api/entrypoints')

  expect(body.files.items.map((one: { file: string; calls: number }) => [one.file, one.calls])).toEqual([
    ['src/index.ts', 1],
  ])
  expect(body.tests.items).toMatchObject([{ file: 'test/run.test.ts', reaches: 1 }])
  expect(body.hubs.items[0].dependents).toBeGreaterThan(0)
})

test('GET /api/map gives modules and declared links, the same each time', async ({ expect }) => {
  const { body } = await viewer.get('/api/map?root=.&depth=1')
  const again = await viewer.get('/api/map?root=&depth=1')

  expect(body.modules.map((one: { id: string; test: boolean }) => [one.id, one.test])).toEqual([
    ['src', false],
    ['test', true],
  ])
  expect(body.links).toMatchObject([{ source: 'test', target: 'src', declared: body.links[0].count }])
  expect(body.cycles.total).toBe(0)
  expect((await viewer.get('/api/map?root=.&depth=1&production=1')).body.links).toEqual([])
  expect((await viewer.get('/api/map?root=./src/')).body.root).toBe('src')
  expect((await viewer.get('/api/map?root=nowhere')).body.modules).toEqual([])
  expect(again.body.depth).toBe(1)
})

test('GET /api/tree answers one folder with what lies in it, and refuses a folder nobody has', async ({ expect }) => {
  const { body } = await viewer.get('/api/tree')
  const inner = await viewer.get('/api/tree?folder=./src/')

  expect(body.folders.items).toEqual([
    { path: 'src', files: 3, leftOut: 0 },
    { path: 'test', files: 1, leftOut: 0 },
  ])
  expect(body).toMatchObject({ folder: '', files: 4, leftOut: 0, here: { total: 0 }, leftOutHere: { total: 0 } })
  expect(inner.body).toMatchObject({ folder: 'src', files: 3, languages: [{ language: 'typescript', files: 3 }] })
  expect(inner.body.here.items.map((one: { path: string }) => one.path)).toEqual([
    'src/index.ts',
    'src/run.ts',
    'src/store.ts',
  ])
  expect((await viewer.get('/api/tree?folder=src&limit=2')).body.here).toMatchObject({ total: 3, shown: 2 })
  for (const folder of ['nowhere', 'src/run.ts', '../', 'sr'])
    expect(await viewer.get(`/api/tree?folder=${folder}`)).toMatchObject({ status: 404, body: { code: 'not-found' } })
})

test('GET /api/deadcode lists what nothing reaches and counts every exclusion', async ({ expect }) => {
  const { body } = await viewer.get('/api/deadcode')

  expect(body.rows.items.map((one: { name: string }) => one.name)).toEqual(['unused'])
  expect(body.candidates).toBe(body.rows.total + body.excludedTotal)
  expect(body.excludedTotal).toBe(body.excluded.reduce((sum: number, one: { count: number }) => sum + one.count, 0))
  expect(
    (await viewer.get('/api/deadcode?exported=1')).body.rows.items.map((one: { name: string }) => one.name),
  ).toContain('FastStore')
})

test('GET /api/flow finds the way from one symbol to another', async ({ expect }) => {
  const { body } = await viewer.get('/api/flow?from=run&to=%23write')

  expect(body.flows[0].hops.map((one: { node: { name: string } }) => one.node.name)).toEqual(['run', 'put', '#write'])
  expect(body.flows[0].hops[0].callRef).toMatchObject({ line: 5, name: 'put' })
  expect(body.flows[0].hops[0].source.lines).toEqual(sources['src/run.ts'].split('\n').slice(1, 8))
  expect(body.reason).toBeNull()
})

test('GET /api/flow says where the static graph stops and why', async ({ expect }) => {
  const { body } = await viewer.get('/api/flow?from=dispatch&to=unused')

  expect(body.flows[0]).toMatchObject({ partial: true, boundary: { sites: [{ form: 'computed-call', line: 9 }] } })
  expect(body.reason).toContain('no chain of calls')
})

test('GET /api/flow takes names and recorded hops', async ({ expect }) => {
  const [run, put] = [await idOf('run', 'function'), await idOf('put', 'method')]
  const byNames = await viewer.get('/api/flow?symbols=run,Store.put,Store.%23write')
  const recorded = await viewer.get(`/api/flow?hop=s${run}&hop=d${put}&hop=dgone`)
  const upward = await viewer.get(`/api/flow?hop=s${await idOf('dispatch', 'function')}&hop=u${run}`)
  const alone = await viewer.get('/api/flow?symbols=run')

  expect(byNames.body.flows[0].label).toBe('run → put → #write')
  expect(recorded.body.unresolved).toEqual(['gone'])
  expect(upward.body.flows[0].hops[1].edge.upward).toBe(true)
  expect(alone.body).toMatchObject({ flows: [], unresolved: [], reason: expect.stringContaining('two symbols') })
})

test('GET /api/screens is the empty answer and /api/steps is not served', async ({ expect }) => {
  expect((await viewer.get('/api/screens')).body).toMatchObject({
    routed: false,
    entry: null,
    screens: [],
    origins: [],
    links: [],
    dropped: 0,
  })
  expect(await viewer.get('/api/steps')).toMatchObject({
    status: 404,
    body: { code: 'not-found', hint: expect.stringContaining('GET /api') },
  })
})

test.for([
  '/api/search',
  '/api/search?q=x&limit=0',
  '/api/search?q=x&limit=201',
  '/api/search?q=x&limit=1.5',
  '/api/search?q=x&limit=ten',
  `/api/search?q=${'x'.repeat(2001)}`,
  '/api/search?q=a&q=b',
  '/api/node/',
  '/api/nodes',
  '/api/source',
  '/api/source?file=src/run.ts&from=0',
  '/api/source?file=src/run.ts&from=15',
  '/api/source?file=src/run.ts&from=3&to=2',
  '/api/source?file=src/run.ts&to=5000001',
  '/api/source?file=src/run.ts&ondrift=maybe',
  '/api/file/',
  '/api/filecode/',
  '/api/routes?limit=2',
  '/api/routes?limit=501',
  '/api/entrypoints?limit=51',
  '/api/entrypoints?routes=2',
  '/api/entrypoints?routes=301',
  '/api/map?depth=5',
  '/api/map?production=0',
  '/api/map?depth=1.5',
  '/api/map?depth=2abc',
  '/api/tree?limit=0',
  `/api/tree?limit=${treeLimitMax + 1}`,
  `/api/tree?folder=${'x'.repeat(textCharsMax + 1)}`,
  '/api/tree?folder=a&folder=b',
  '/api/deadcode?limit=301',
  '/api/deadcode?kinds=zzz',
  '/api/deadcode?kinds=function,',
  '/api/deadcode?exported=yes',
  '/api/deadcode?tests=0',
  '/api/flow',
  '/api/flow?from=a',
  '/api/flow?from=a&to=a',
  '/api/flow?from=a&to=b&limit=5',
  '/api/flow?hop=sx',
  '/api/flow?hop=xx&hop=yy',
])('%s is refused, not clamped', async (target, { expect }) => {
  expect(await viewer.get(target)).toMatchObject({ status: 400, body: { code: 'bad-request' } })
})

test.for([
  '/api/search?q=x&limit=1',
  '/api/search?q=x&limit=200',
  '/api/search?q=x&limit=',
  '/api/source?file=src/run.ts&from=14',
  '/api/source?file=src/run.ts&to=5000000',
  '/api/routes?limit=3',
  '/api/routes?limit=500',
  '/api/entrypoints?limit=50&routes=300',
  '/api/map?depth=4',
  '/api/tree?limit=1',
  `/api/tree?limit=${treeLimitMax}`,
  '/api/deadcode?limit=300&exported=1&tests=1&generated=1',
  '/api/flow?from=run&to=dispatch&limit=4',
])('%s is at its bound and answered', async (target, { expect }) => {
  expect((await viewer.get(target)).status).toBe(200)
})

describe('the file gate', () => {
  test.for<[string, number, string]>([
    ['/api/source?file=/etc/passwd', 403, 'refused'],
    ['/api/source?file=../outside.ts', 403, 'refused'],
    ['/api/source?file=src/../../outside.ts', 403, 'refused'],
    ['/api/source?file=C:\\windows\\win.ini', 403, 'refused'],
    ['/api/source?file=a%00b', 403, 'refused'],
    ['/api/source?file=linked/secret.ts', 403, 'refused'],
    ['/api/file/linked/secret.ts', 403, 'refused'],
    ['/api/file//etc/passwd', 403, 'refused'],
    ['/api/source?file=.git/config', 404, 'not-found'],
    ['/api/source?file=package.json', 404, 'not-found'],
    ['/api/file/nothing.ts', 404, 'not-found'],
    ['/api/filecode/nothing.ts', 404, 'not-found'],
  ])('%s is %i %s', async ([target, status, code], { expect }) => {
    const outside = path.join(project.place.root, '..', `${path.basename(project.place.root)}-outside`)
    mkdirSync(outside, { recursive: true })
    writeFileSync(path.join(outside, 'secret.ts'), 'export const secret = 1\n')
    rmSync(path.join(project.place.root, 'linked'), { force: true })
    symlinkSync(outside, path.join(project.place.root, 'linked'))
    const reply = await viewer.get(target)
    rmSync(path.join(project.place.root, 'linked'), { force: true })
    rmSync(outside, { recursive: true })

    expect(reply).toMatchObject({ status, body: { code } })
    expect(reply.text).not.toContain('secret =')
  })

  test('an indexed file that became a link out is never read', async ({ expect }) => {
    const own = await indexedInTest({ 'a.ts': 'export const a = 1\n' })
    const ownViewer = await servedInTest(own.place)
    rmSync(path.join(own.place.root, 'a.ts'))
    symlinkSync('/etc/hostname', path.join(own.place.root, 'a.ts'))

    expect(await ownViewer.get('/api/source?file=a.ts&ondrift=current')).toMatchObject({
      status: 403,
      body: { code: 'refused' },
    })
  })
})

describe('drift', () => {
  test('a changed file is omitted, shown on request, and gone when it is gone', async ({ expect }) => {
    const own = await indexedInTest({ 'a.ts': 'export const a = 1\n' })
    const ownViewer = await servedInTest(own.place)

    const file = path.join(own.place.root, 'a.ts')
    const later = new Date(Date.now() + 5000)
    utimesSync(file, later, later)
    expect((await ownViewer.get('/api/source?file=a.ts')).body).toMatchObject({ drift: false, showing: 'indexed' })

    own.write('a.ts', 'export const other = 2\n')
    const omitted = (await ownViewer.get('/api/source?file=a.ts')).body
    expect(omitted).toMatchObject({ drift: true, showing: 'none', totalLines: null, reason: expect.any(String) })
    expect(omitted.lines).toBeUndefined()
    expect((await ownViewer.get('/api/source?file=a.ts&ondrift=current')).body).toMatchObject({
      drift: true,
      showing: 'current',
      lines: ['export const other = 2'],
    })
    expect((await ownViewer.get('/api/source?file=a.ts&ondrift=current&from=9')).body).toMatchObject({
      showing: 'current',
      lines: [],
    })
    expect((await ownViewer.get('/api/file/a.ts')).body.drift).toBe(true)

    own.remove('a.ts')
    expect((await ownViewer.get('/api/source?file=a.ts&ondrift=current')).body).toMatchObject({
      drift: true,
      showing: 'none',
    })
  })
})

describe('the index', () => {
  test('each request sees the index that is published then', async ({ expect }) => {
    const own = projectInTest({ 'a.ts': 'export const before = 1\n' })
    const ownViewer = await servedInTest(own.place)

    expect(await ownViewer.get('/api/search')).toMatchObject({
      status: 503,
      body: { code: 'no-index', hint: expect.stringContaining('indexer init') },
    })
    expect((await ownViewer.get('/api')).status).toBe(200)
    await own.sync()
    expect((await ownViewer.get('/api/search?q=before')).body.results.total).toBe(1)
    own.write('a.ts', 'export const after = 1\n')
    await own.sync()
    expect((await ownViewer.get('/api/search?q=after')).body.results.total).toBe(1)
    writeFileSync(own.place.database, 'garbage')
    expect(await ownViewer.get('/api/stats')).toMatchObject({ status: 503, body: { code: 'index-unusable' } })
    rmSync(own.place.database)
    expect(await ownViewer.get('/api/stats')).toMatchObject({ status: 503, body: { code: 'no-index' } })
    writeFileSync(own.place.lock, `${process.pid}`)
    expect(await ownViewer.get('/api/stats')).toMatchObject({
      status: 503,
      body: { code: 'index-unusable', hint: expect.stringContaining('wait') },
    })
  })

  test.for([
    ['0', /indexer index/],
    ['99', /newer|that version/],
  ] as const)('extraction version %s has its own remedy', async ([version, remedy], { expect }) => {
    const own = await indexedInTest({ 'a.ts': 'export const a = 1\n' })
    const database = new DatabaseSync(own.place.database)
    database.prepare("UPDATE meta SET value = ? WHERE key = 'extraction_version'").run(version)
    database.close()
    const ownViewer = await servedInTest(own.place)

    const { status, body } = await ownViewer.get('/api/stats')
    expect(status).toBe(503)
    expect(body.code).toBe('index-unusable')
    expect(body.hint).toMatch(remedy)
  })

  test('serving changes nothing in the project but saved trails', async ({ expect }) => {
    const before = readdirSync(project.place.folder).sort()
    await viewer.get('/api/stats')
    await viewer.get('/api/deadcode')
    expect(
      readdirSync(project.place.folder)
        .filter((one) => one !== 'ui')
        .sort(),
    ).toEqual(before.filter((one) => one !== 'ui'))
  })
})

describe('trails', () => {
  test('a trail is saved, replaced, listed, re-resolved and deleted', async ({ expect }) => {
    const own = await indexedInTest({
      'a.ts': 'export function first() {\n  second()\n}\nexport function second() {}\n',
    })
    const ownViewer = await servedInTest(own.place)
    const ids = async (): Promise<string[]> => {
      const { body } = await ownViewer.get('/api/file/a.ts')
      return body.outline.items.map((one: { id: string }) => one.id)
    }
    const [first = '', second = ''] = await ids()

    const saved = await ownViewer.send('POST', '/api/trails', {
      name: '  How   it saves! ',
      note: 'n',
      hops: [{ id: first }, { id: second, dir: 'down' }],
    })
    expect(saved.body).toMatchObject({
      saved: 'how-it-saves',
      replaced: false,
      trails: [{ name: 'How it saves!', intact: true, openCount: 2 }],
    })
    expect(saved.body.trails[0].encoded).toBe(`s${encodeURIComponent(first)},d${encodeURIComponent(second)}`)
    const file = path.join(own.place.folder, 'ui', 'trails', 'how-it-saves.json')
    expect(readFileSync(file, 'utf8').endsWith('}\n')).toBe(true)
    expect(JSON.parse(readFileSync(file, 'utf8')).hops[1]).toMatchObject({
      dir: 'down',
      name: 'second',
      qualifiedName: 'second',
      kind: 'function',
      file: 'a.ts',
      line: 4,
      id: second,
    })
    expect(readdirSync(path.dirname(file))).toEqual(['how-it-saves.json'])

    const replaced = await ownViewer.send('POST', '/api/trails', {
      name: 'How it saves!',
      hops: [{ id: second, dir: 'up' }],
    })
    expect(replaced.body).toMatchObject({ replaced: true, trails: [{ hops: [{ dir: 'start' }] }] })
    const other = await ownViewer.send('POST', '/api/trails', { name: 'how it saves?', hops: [{ id: second }] })
    expect(other.body.saved).toBe('how-it-saves-2')

    own.write('a.ts', '\n\nexport function first() {}\n')
    own.write('b.ts', 'export function second() {}\n')
    await own.sync()
    const moved = await ownViewer.get('/api/trails')
    expect(moved.body.trails[0].hops[0]).toMatchObject({ status: 'moved', file: 'b.ts', savedFile: 'a.ts' })
    own.write('c.ts', 'export function second() {}\n')
    await own.sync()
    expect((await ownViewer.get('/api/trails')).body.trails[0].hops[0]).toMatchObject({
      status: 'ambiguous',
      id: expect.any(String),
      note: expect.stringContaining('guess'),
    })
    own.remove('b.ts')
    own.remove('c.ts')
    await own.sync()
    expect((await ownViewer.get('/api/trails')).body.trails[0].hops[0]).toMatchObject({ status: 'missing', id: null })

    expect((await ownViewer.send('DELETE', '/api/trails/how-it-saves')).body).toMatchObject({ deleted: 'how-it-saves' })
    expect(await ownViewer.send('DELETE', '/api/trails/how-it-saves')).toMatchObject({ status: 404 })
    expect(await ownViewer.send('DELETE', '/api/trails/UPPER')).toMatchObject({ status: 400 })
    expect(await ownViewer.send('DELETE', '/api/trails')).toMatchObject({ status: 400 })
  })

  test.for<[string, unknown]>([
    ['no name', { hops: [{ id: 'x' }] }],
    ['an empty name', { name: '   ', hops: [{ id: 'x' }] }],
    ['a name over 120 characters', { name: 'x'.repeat(121), hops: [{ id: 'x' }] }],
    ['no hops', { name: 'x', hops: [] }],
    ['65 hops', { name: 'x', hops: Array.from({ length: 65 }, () => ({ id: 'x' })) }],
    ['a hop that is not in the index', { name: 'x', hops: [{ id: 'gone' }] }],
    ['an unknown field', { name: 'x', hops: [{ id: 'x' }], path: '/etc' }],
    ['a list', []],
    ['broken JSON', '{'],
  ])('%s is refused', async ([, body], { expect }) => {
    expect(await viewer.send('POST', '/api/trails', body)).toMatchObject({ status: 400, body: { code: 'bad-request' } })
  })

  test('a damaged or badly named file is counted, not shown', async ({ expect }) => {
    const own = await indexedInTest({ 'a.ts': 'export const a = 1\n' })
    const directory = path.join(own.place.folder, 'ui', 'trails')
    mkdirSync(directory, { recursive: true })
    writeFileSync(path.join(directory, 'broken.json'), '{')
    writeFileSync(path.join(directory, 'Bad Name.json'), '{}')
    writeFileSync(path.join(directory, 'large.json'), ' '.repeat(65_537))
    const ownViewer = await servedInTest(own.place)

    expect((await ownViewer.get('/api/trails')).body).toMatchObject({ trails: [], skipped: 3, bounded: false })
  })

  test('--read-only lists trails and refuses to save or delete them', async ({ expect }) => {
    const own = await servedInTest(project.place, { isReadOnly: true })

    expect((await own.get('/api/trails')).body).toMatchObject({ readOnly: true, readOnlyReason: expect.any(String) })
    expect(await own.send('POST', '/api/trails', { name: 'x', hops: [{ id: 'x' }] })).toMatchObject({
      status: 403,
      body: { code: 'refused' },
    })
    expect(await own.send('DELETE', '/api/trails/x')).toMatchObject({ status: 403, body: { code: 'refused' } })
  })
})
