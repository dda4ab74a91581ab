import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { test } from 'vitest'
import { compiledFolder } from '../../../bin/kept-folder.mjs'
import { isPlainFolderName, refuseRoot } from '../../../local/indexer/store/index-folder.ts'
import { listenOnLoopback } from '../../support/loopback.ts'
import { indexedInTest, projectInTest } from '../../support/viewer-in-test.ts'
import { createProject } from '../../support/viewer-server.ts'

const entry = path.join(import.meta.dirname, '../../../local/indexer.ts')

function run(
  words: readonly string[],
  environment: Record<string, string> = {},
): { code: number | null; out: string; err: string } {
  const { VIEWER_UI: _gate, VIEWER_DIR: _folder, ...inherited } = process.env
  const ended = spawnSync(process.execPath, [entry, ...words], {
    encoding: 'utf8',
    env: { ...inherited, ...environment },
  })
  return { code: ended.status, out: ended.stdout, err: ended.stderr }
}

const sources = {
  'src/a.ts': "import { b } from './b.ts'\nexport function a() {\n  b()\n}\n",
  'src/b.ts': 'export function b() {}\n',
}

test('a second index finds what the first compiled, and so do the processes that read its files', { tags: 'slow' }, ({
  expect,
}) => {
  const lines = Array.from({ length: 1500 }, (_, n) => `def f${n}(): return f${n}`).join('\n')
  const { place } = projectInTest({ 'src/long.py': lines })
  const cache = path.join(place.root, 'kept')
  mkdirSync(cache, { mode: 0o700 })
  const shim = path.resolve(import.meta.dirname, '../../../bin/indexer.mjs')
  const build = () => {
    const { NODE_COMPILE_CACHE: _kept, ...inherited } = process.env
    const ended = spawnSync(process.execPath, [shim, 'init', place.root, '--force'], {
      encoding: 'utf8',
      env: { ...inherited, XDG_CACHE_HOME: cache, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' },
    })
    expect(ended.status).toBe(0)
    return `${ended.stdout}${ended.stderr}`.split('\n').filter((line) => line.includes('no transpile cache for')).length
  }
  const folder = compiledFolder({ XDG_CACHE_HOME: cache }, cache) ?? ''
  const kept = () => readdirSync(folder).map((name) => readdirSync(path.join(folder, name)).length)

  expect(build()).toBeGreaterThan(10)
  const first = kept()
  expect(build()).toBe(0)

  // One part for each set of the engine's flags: this process, the one started in its place, and those that read.
  expect(kept()).toEqual(first)
  expect(first.filter((files) => files > 40)).toHaveLength(2)
})

test('init, status, query, callers, callees, impact, files, sync and unlock work together', ({ expect }) => {
  const project = projectInTest(sources)
  const { root } = project.place

  expect(run(['init', root]).out).toContain('2 files')
  expect(run(['init', root])).toMatchObject({ code: 1, err: expect.stringContaining('already has an index') })
  expect(run(['init', root, '--force']).code).toBe(0)
  expect(JSON.parse(run(['status', root, '--json']).out)).toMatchObject({
    initialized: true,
    fileCount: 2,
    pendingChanges: { added: 0, modified: 0, removed: 0 },
  })
  expect(JSON.parse(run(['query', 'b', '-p', root, '-k', 'function', '-j']).out)).toMatchObject([
    { name: 'b', file: 'src/b.ts' },
  ])
  expect(JSON.parse(run(['callers', 'b', '-p', path.join(root, 'src'), '-j']).out).callers).toMatchObject([
    { name: 'a', atLine: 3, text: 'b()', isUncertain: false },
  ])
  expect(run(['callers', 'b', '-p', root]).out).toContain('at line 3  | b()')
  expect(JSON.parse(run(['callees', 'a', '-p', root, '-j']).out).callees).toMatchObject([{ name: 'b', text: 'b()' }])
  expect(JSON.parse(run(['impact', 'b', '-p', root, '-j']).out).symbols).toMatchObject([
    { name: 'a.ts', distance: 1 },
    { name: 'a', distance: 1 },
  ])
  expect(JSON.parse(run(['files', root, '-j']).out)).toHaveLength(2)
  // Lines of a file that is not as it was indexed would be others.
  project.write('src/a.ts', `// above\n${sources['src/a.ts']}`)
  expect(JSON.parse(run(['callers', 'b', '-p', root, '-j']).out).callers).toMatchObject([{ atLine: 3, text: null }])
  project.write('src/a.ts', sources['src/a.ts'])
  project.write('src/c.ts', 'export const c = 1\n')
  expect(JSON.parse(run(['sync', root, '-j']).out)).toMatchObject({ added: 1, changed: 0, removed: 0 })
  expect(run(['unlock', root]).out).toContain('no lock')
  expect(readFileSync(path.join(project.place.folder, '.gitignore'), 'utf8')).toContain('*')
})

test('a qualified name is matched by whole parts of its end', ({ expect }) => {
  const project = projectInTest({
    'a.ts':
      'export class Shelf {\n  total() {}\n}\nexport class XShelf {\n  total() {}\n}\nnew Shelf().total()\nnew XShelf().total()\n',
  })
  const { root } = project.place
  run(['init', root])

  for (const name of ['Shelf.total', 'Shelf::total', 'Shelf#total'])
    expect(JSON.parse(run(['callers', name, '-p', root, '-j']).out)).toMatchObject({
      symbol: { qualifiedName: 'Shelf::total' },
      callers: [{ atLine: 7 }],
    })
  expect(run(['callers', 'helf.total', '-p', root]).err).toContain('nothing is named "helf.total"')
  expect(run(['callers', 'total', '-p', root]).err).toContain('names 2 symbols')
})

test.for<[string, string[]]>([
  ['an unknown command', ['fly']],
  ['an unknown option', ['status', '--fly']],
  ['a limit that is no number', ['query', 'x', '--limit', 'ten']],
  ['a limit out of range', ['query', 'x', '--limit', '0']],
  ['no symbol', ['callers']],
  ['a folder without an index', ['status', '/nowhere/at/all']],
  ['a system folder', ['init', '/etc']],
])('%s ends with one line and exit code 1', ([, words], { expect }) => {
  const ended = run(words)

  expect(ended.code).toBe(1)
  expect(ended.err.trim().split('\n')).toHaveLength(1)
  expect(ended.err).not.toContain('    at ')
})

test.for(['sync', 'index'])(
  'on a full disk %s says so in one line, and the index is as it was',
  (command, { expect }) => {
    const project = projectInTest(
      Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`src/f${at}.ts`, `export function f${at}() {}\n`])),
    )
    const { root } = project.place
    expect(run(['init', root]).code).toBe(0)
    const before = readFileSync(project.place.database)
    project.write('src/f1.ts', 'export function f1() {\n  more()\n}\nfunction more() {}\n')

    // Files may hold 1,024 bytes, as if no more were left.
    const ended = spawnSync('sh', ['-c', 'ulimit -f 2; exec "$@"', 'sh', process.execPath, entry, command, root], {
      encoding: 'utf8',
      env: { ...process.env, XDG_CACHE_HOME: '/nonexistent' },
    })

    expect(ended).toMatchObject({ status: 1, stderr: expect.stringContaining('the index cannot be written') })
    expect(ended.stderr.trim().split('\n')).toHaveLength(1)
    expect(readFileSync(project.place.database).equals(before)).toBe(true)
    expect(existsSync(project.place.lock)).toBe(false)
    expect(run(['sync', root]).out).toContain('1 changed')
  },
)

test.for(['ui', 'web', 'help ui', 'help web', '--no-color ui', '--color web', 'ui --help'])(
  'without the setting, %s is refused before anything is started',
  (line, { expect }) => {
    for (const environment of [{}, { VIEWER_UI: '0' }, { VIEWER_UI: 'true' }]) {
      expect(run(line.split(' '), environment as Record<string, string>)).toMatchObject({
        code: 1,
        out: '',
        err: expect.stringContaining('VIEWER_UI=1'),
      })
    }
  },
)

test('help names the viewer only with the setting', ({ expect }) => {
  expect(run(['help']).out).not.toContain('ui [path]')
  expect(run(['help'], { VIEWER_UI: '1' }).out).toContain('ui [path]')
  expect(run(['help', 'web'], { VIEWER_UI: '1' })).toMatchObject({
    code: 0,
    out: expect.stringContaining('--read-only'),
  })
})

async function started(child: ReturnType<typeof spawn>): Promise<string> {
  let text = ''
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk)
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0]
    if (address !== undefined) return address
  }
  throw new Error(`the viewer did not start: ${text}`)
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`${signal} ends the viewer with exit code 0, open streams first`, async ({ expect, onTestFinished }) => {
    const project = await indexedInTest(sources)
    const child = spawn(
      process.execPath,
      [entry, 'web', path.join(project.place.root, 'src'), '--port', '0', '--no-open'],
      { env: { ...process.env, VIEWER_UI: '1' }, stdio: ['ignore', 'pipe', 'inherit'] },
    )
    onTestFinished(() => void child.kill('SIGKILL'))
    const exit = new Promise<number | null>((resolve) => child.on('exit', resolve))
    const address = await started(child)
    const events = await fetch(`${address}/api/events`)
    const stats = (await (await fetch(`${address}/api/stats`)).json()) as { project: { root: string } }

    child.kill(signal)
    const rest = await events.text()

    expect(stats.project.root).toBe(project.place.root)
    expect(rest).toContain('event: hello')
    expect(await exit).toBe(0)
  })
}

test('a port that was asked for never moves, and the viewer makes no index', async ({ expect, onTestFinished }) => {
  const project = projectInTest(sources)
  const busy = net.createServer()
  const { port } = await listenOnLoopback(busy)
  onTestFinished(() => void busy.close())

  expect(run(['ui', project.place.root, '--no-open'], { VIEWER_UI: '1' })).toMatchObject({
    code: 1,
    err: expect.stringContaining('indexer init'),
  })
  await project.sync()
  expect(run(['ui', project.place.root, '--no-open', '--port', String(port)], { VIEWER_UI: '1' })).toMatchObject({
    code: 1,
    err: expect.stringContaining('never moves'),
  })
  expect(run(['ui', project.place.root, '--port', '65536'], { VIEWER_UI: '1' }).code).toBe(1)
})

test('sensitive folders are refused as a project', ({ expect }) => {
  const project = projectInTest({ 'a.ts': '' })
  const home = project.place.root
  for (const name of ['.ssh', '.gnupg', '.aws/deep', '.config']) mkdirSync(path.join(home, name), { recursive: true })

  for (const folder of [
    '/',
    '/etc',
    '/usr',
    '/tmp',
    '/root',
    '/proc',
    ...['.ssh', '.gnupg', '.aws', '.aws/deep', '.config'].map((name) => path.join(home, name)),
    path.join(home, 'a.ts'),
    path.join(home, 'nothing'),
  ]) {
    expect(refuseRoot(folder, home), folder).toBeTypeOf('string')
  }
  expect(refuseRoot(home, home)).toBeUndefined()
})

test('the folder setting takes one plain name and nothing else', ({ expect }) => {
  for (const name of ['', '.', '..', 'a/b', 'a\\b', '/abs', 'c:x']) expect(isPlainFolderName(name), name).toBe(false)
  expect(isPlainFolderName('.my-index')).toBe(true)
})

test('VIEWER_DIR chooses the index folder', ({ expect }) => {
  const project = projectInTest(sources)

  expect(run(['init', project.place.root], { VIEWER_DIR: '.elsewhere' }).code).toBe(0)
  expect(JSON.parse(run(['status', project.place.root, '-j'], { VIEWER_DIR: '.elsewhere' }).out).indexPath).toBe(
    path.join(project.place.root, '.elsewhere'),
  )
  expect(run(['status', project.place.root]).code).toBe(1)
})

test('compiled code is kept outside the project, in a folder of the user alone', ({ expect, onTestFinished }) => {
  const project = projectInTest(sources)
  const home = createProject({})
  onTestFinished(home.dispose)
  const cache = path.join(home.place.root, 'cache')
  const shim = path.join(import.meta.dirname, '../../../bin/indexer.mjs')

  const ended = spawnSync(process.execPath, [shim, 'init', project.place.root], {
    encoding: 'utf8',
    env: { ...process.env, NODE_COMPILE_CACHE: undefined, XDG_CACHE_HOME: cache },
  })

  expect(ended.stdout).toContain('2 files')
  expect(existsSync(path.join(cache, 'wharf', 'compiled'))).toBe(true)
  expect(statSync(path.join(cache, 'wharf')).mode & 0o777).toBe(0o700)
  expect(existsSync(path.join(project.place.folder, 'compiled'))).toBe(false)
})

test('compiled code is not taken from a folder that others can write, nor through a link', ({ expect }) => {
  const home = projectInTest({ 'a.ts': '' })
  const { root } = home.place
  const folder = path.join(root, '.cache', 'wharf')

  expect(compiledFolder({}, root)).toBe(path.join(folder, 'compiled'))
  expect(compiledFolder({ XDG_CACHE_HOME: 'relative' }, root)).toBe(path.join(folder, 'compiled'))
  chmodSync(folder, 0o770)
  expect(compiledFolder({}, root)).toBeUndefined()
  rmSync(folder, { recursive: true })
  symlinkSync(root, folder)
  expect(compiledFolder({}, root)).toBeUndefined()
  expect(compiledFolder({ XDG_CACHE_HOME: path.join(root, 'a.ts') }, root)).toBeUndefined()
})
