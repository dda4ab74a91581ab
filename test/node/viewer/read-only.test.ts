import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  utimesSync,
  watch,
  writeFileSync,
} from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { type TestContext, test } from 'vitest'
import { createViewer } from '../../../local/viewer/app.ts'
import type { ViewerDeps } from '../../../local/viewer/ports.ts'
import { indexedInTest, projectInTest, servedInTest } from '../../support/viewer-in-test.ts'
import { startViewerCommand } from '../../support/viewer-program.ts'
import { createProject, serve, type TestProject, type TestViewer } from '../../support/viewer-server.ts'

const sources = {
  'src/a.ts': "import { b } from './b.ts'\nexport function a() {\n  return b()\n}\n",
  'src/b.ts': 'export function b() {}\n',
}
const targets = ['stats', 'search?q=a', 'file/src/a.ts', 'source?file=src/a.ts', 'map', 'deadcode', 'entrypoints']

type AtEnd = TestContext['onTestFinished']

async function indexed(atEnd: AtEnd): Promise<TestProject> {
  const project = createProject(sources)
  atEnd(project.dispose)
  await project.sync()
  return project
}

async function served(project: TestProject, atEnd: AtEnd): Promise<TestViewer> {
  const viewer = await serve(project.place)
  atEnd(() => viewer.running.close())
  return viewer
}

/** What lies in the index folder, by name, bytes and time. */
function folderOf(project: TestProject): string {
  return readdirSync(project.place.folder)
    .sort()
    .map((name) => {
      const file = path.join(project.place.folder, name)
      const stat = statSync(file)
      return stat.isFile() ? `${name} ${stat.mtimeMs} ${readFileSync(file).toString('base64')}` : name
    })
    .join('\n')
}

async function firstFrame(address: string, settled: () => void): Promise<Record<string, unknown>> {
  const reply = await fetch(`${address}/api/events`)
  let text = ''
  for await (const chunk of reply.body ?? []) {
    text += Buffer.from(chunk).toString('utf8')
    const data = /^data: (.*)$/m.exec(text)?.[1]
    if (data === undefined) continue
    settled()
    return JSON.parse(data) as Record<string, unknown>
  }
  throw new Error(`no frame: ${text}`)
}

test('changed and new sources are neither indexed nor synced, whoever asks and watches', async ({
  expect,
  onTestFinished,
}) => {
  const project = await indexed(onTestFinished)
  const before = folderOf(project)
  const viewer = await servedInTest(project.place, { isWatchWanted: true })
  await firstFrame(viewer.running.address, () => {
    project.write('src/a.ts', 'export function changed() {}\n')
    project.write('src/new.ts', 'export function fresh() {}\n')
  })

  for (const target of targets) expect((await viewer.get(`/api/${target}`)).status, target).toBe(200)

  expect((await viewer.get('/api/search?q=fresh')).body.results.total).toBe(0)
  expect(folderOf(project)).toBe(before)
})

test('an index of an older make is neither migrated nor rebuilt', async ({ expect, onTestFinished }) => {
  const project = await indexed(onTestFinished)
  const database = new DatabaseSync(project.place.database)
  database.exec("UPDATE meta SET value = '0' WHERE key IN ('schema_version', 'extraction_version')")
  database.close()
  const before = folderOf(project)
  const viewer = await served(project, onTestFinished)

  for (const target of targets)
    expect(await viewer.get(`/api/${target}`)).toMatchObject({ status: 503, body: { code: 'index-unusable' } })

  expect(folderOf(project)).toBe(before)
})

test('a request lets go of the index when it is answered', async ({ expect, onTestFinished }) => {
  const project = await indexed(onTestFinished)
  const viewer = await served(project, onTestFinished)
  for (const target of targets) await viewer.get(`/api/${target}`)

  const open = readdirSync('/proc/self/fd').flatMap((one) => {
    try {
      return [readlinkSync(`/proc/self/fd/${one}`)]
    } catch {
      return []
    }
  })

  expect(open.filter((one) => one.startsWith(project.place.folder))).toEqual([])
})

test('an index that another program has locked is waited for or refused, and read when it is free', async ({
  expect,
  onTestFinished,
}) => {
  const project = await indexed(onTestFinished)
  const viewer = await served(project, onTestFinished)
  const holder = new DatabaseSync(project.place.database)
  holder.exec('BEGIN EXCLUSIVE')

  const locked = await viewer.get('/api/stats')
  holder.exec('ROLLBACK')
  holder.close()

  expect(locked).toMatchObject({ status: 503, body: { code: 'index-unusable' } })
  expect((await viewer.get('/api/stats')).status).toBe(200)
})

test('a file of the size and time of its record is taken for unchanged without being read', async ({
  expect,
  onTestFinished,
}) => {
  const project = projectInTest(sources)
  const file = path.join(project.place.root, 'src/b.ts')
  // A whole second, which every clock and file system keeps as it is.
  const second = 1_700_000_000
  utimesSync(file, second, second)
  await project.sync()
  writeFileSync(file, 'export function c() {}\n')
  utimesSync(file, second, second)
  const viewer = await served(project, onTestFinished)

  expect((await viewer.get('/api/source?file=src/b.ts')).body.drift).toBe(false)
  utimesSync(file, second, second + 5)
  expect((await viewer.get('/api/source?file=src/b.ts')).body.drift).toBe(true)
})

test('a trail is written beside its place and renamed into it', async ({ expect, onTestFinished }) => {
  const project = await indexed(onTestFinished)
  const viewer = await served(project, onTestFinished)
  const trails = path.join(project.place.folder, 'ui', 'trails')
  mkdirSync(trails, { recursive: true })
  const seen: string[] = []
  const watching = watch(trails, (_kind, name) => seen.push(name ?? ''))
  onTestFinished(() => watching.close())
  const id = (await viewer.get('/api/search?q=a')).body.results.items[0].id as string

  expect((await viewer.send('POST', '/api/trails', { name: 'way', hops: [{ id }] })).status).toBe(200)

  await expect.poll(() => seen.includes('way.json')).toBe(true)
  expect(seen[0]).toMatch(/^way\.json\.[0-9a-f]{12}\.new$/)
  expect(readdirSync(trails)).toEqual(['way.json'])
})

test('what a power cut leaves of a trail is counted and harms no other', async ({ expect, onTestFinished }) => {
  const project = await indexed(onTestFinished)
  const viewer = await served(project, onTestFinished)
  const trails = path.join(project.place.folder, 'ui', 'trails')
  const id = (await viewer.get('/api/search?q=a')).body.results.items[0].id as string
  const save = (name: string) => viewer.send('POST', '/api/trails', { name, hops: [{ id }] })
  for (const name of ['whole', 'cut', 'empty', 'zeros']) await save(name)
  const text = readFileSync(path.join(trails, 'cut.json'), 'utf8')
  writeFileSync(path.join(trails, 'cut.json'), text.slice(0, text.length / 2))
  writeFileSync(path.join(trails, 'empty.json'), '')
  writeFileSync(path.join(trails, 'zeros.json'), Buffer.alloc(text.length))
  writeFileSync(path.join(trails, 'left.json.4711-1.tmp'), text.slice(0, 9))

  const listed = (await viewer.get('/api/trails')).body

  expect(listed.trails.map((one: { id: string }) => one.id)).toEqual(['whole'])
  expect(listed.skipped).toBe(3)
  expect((await viewer.send('DELETE', '/api/trails/cut')).status).toBe(200)
  await save('again')
  expect((await viewer.get('/api/trails')).body).toMatchObject({ skipped: 2, trails: { length: 2 } })
})

test('a file swapped for a link while it is asked for never shows what the link leads to', {
  timeout: 120_000,
}, async ({ expect, onTestFinished }) => {
  const project = projectInTest({ ...sources, 'deep/in/c.ts': 'export const c = 1\n' })
  const outside = createProject({ 'c.ts': 'the secret outside\n', 'b.ts': 'the secret outside\n' })
  onTestFinished(outside.dispose)
  await project.sync()
  const viewer = await served(project, onTestFinished)
  const { root } = project.place
  const swaps = [
    { place: path.join(root, 'src/b.ts'), link: path.join(outside.place.root, 'b.ts'), asked: 'src/b.ts' },
    { place: path.join(root, 'deep/in'), link: outside.place.root, asked: 'deep/in/c.ts' },
  ]
  const seen = new Set<number>()

  for (const { place, link, asked } of swaps) {
    const stop = new Int32Array(new SharedArrayBuffer(4))
    // In a thread of its own, so that a swap can fall between any two steps of an answer.
    const swapping = new Worker(
      `const { workerData: { place, link, stop } } = require('node:worker_threads')
       const fs = require('node:fs')
       while (Atomics.load(stop, 0) === 0) {
         fs.renameSync(place, place + '.kept')
         fs.symlinkSync(link, place)
         fs.rmSync(place)
         fs.renameSync(place + '.kept', place)
         Atomics.wait(stop, 0, 0, 1)
       }`,
      { eval: true, workerData: { place, link, stop } },
    )
    const gone = once(swapping, 'exit')
    for (let round = 0; round < 60; round += 1) {
      for (const target of [`source?file=${asked}&ondrift=current`, `file/${asked}`, `source?file=${asked}`]) {
        const reply = await viewer.get(`/api/${target}`)
        seen.add(reply.status)
        expect(reply.text).not.toContain('the secret outside')
        expect([200, 403, 404]).toContain(reply.status)
      }
    }
    Atomics.store(stop, 0, 1)
    await gone
  }

  expect(seen.has(200)).toBe(true)
  expect((await viewer.get('/api/source?file=src/b.ts')).status).toBe(200)
})

test('nobody signs in: what is sent as credentials changes nothing', async ({ expect, onTestFinished }) => {
  const project = await indexed(onTestFinished)
  const viewer = await served(project, onTestFinished)
  const plain = await viewer.get('/api/nodes?id=x')

  for (const headers of [{ Authorization: 'Basic eDp5' }, { Authorization: 'Bearer x' }, { Cookie: 'session=x' }]) {
    const reply = await viewer.get('/api/nodes?id=x', headers as Record<string, string>)
    expect([reply.status, reply.text]).toEqual([plain.status, plain.text])
    for (const name of ['www-authenticate', 'set-cookie']) expect(reply.headers.has(name)).toBe(false)
  }
})

test('GET, HEAD, POST and DELETE pass the rule of methods and no other does', async ({ expect, onTestFinished }) => {
  const project = await indexed(onTestFinished)
  const viewer = await served(project, onTestFinished)
  const statusOf = async (method: string): Promise<number> =>
    (
      await viewer.send(
        method,
        method === 'DELETE' ? '/api/trails/x' : '/api/trails',
        method === 'POST' ? {} : undefined,
      )
    ).status

  expect(await Promise.all(['GET', 'HEAD', 'POST', 'DELETE'].map(statusOf))).toEqual([200, 200, 400, 404])
  expect(await Promise.all(['PUT', 'PATCH', 'OPTIONS'].map(statusOf))).toEqual([405, 405, 405])
})

test('an answer that fails for a reason of ours is internal, and does not say which', async ({ expect }) => {
  const told: string[] = []
  const { app } = createViewer({
    index: {
      use: () => {
        throw new Error('the secret reason')
      },
    },
    report: (text: string) => told.push(text),
  } as unknown as ViewerDeps)

  const reply = await app.request('/api/stats')

  expect(reply.status).toBe(500)
  const text = await reply.text()
  expect(JSON.parse(text)).toMatchObject({ code: 'internal' })
  expect(text).not.toContain('secret')
  expect(told.join()).toContain('the secret reason')
})

test('routers of Go are not read as routes', async ({ expect, onTestFinished }) => {
  const handlers = ['list', 'show', 'save', 'drop'].map((name) => `func ${name}(w Writer, r *Request) {}`).join('\n')
  const project = await indexedInTest({
    'main.go': `package main\n\nimport "net/http"\n\nfunc main() {\n\thttp.HandleFunc("/list", list)\n\thttp.HandleFunc("GET /show", show)\n\trouter := gin.Default()\n\trouter.GET("/save", save)\n\trouter.POST("/drop", drop)\n}\n\n${handlers}\n`,
  })
  const viewer = await served(project, onTestFinished)

  expect((await viewer.get('/api/search?q=show')).body.results.total).toBeGreaterThan(0)
  expect((await viewer.get('/api/routes')).body).toMatchObject({ routed: false, routeCount: 0, entries: [] })
})

test('VIEWER_NO_WATCH and a root that is the home folder turn the source watcher off', async ({
  expect,
  onTestFinished,
}) => {
  const project = await indexed(onTestFinished)
  const { root } = project.place
  const watchingOf = async (environment: Record<string, string>): Promise<unknown> => {
    const viewer = await startViewerCommand([root, '--port', '0'], environment)
    onTestFinished(viewer.stop)
    return (await firstFrame(viewer.address, () => {}))['watching']
  }

  expect(await watchingOf({})).toEqual({ source: true, index: true })
  expect(await watchingOf({ VIEWER_NO_WATCH: '1' })).toEqual({ source: false, index: true })
  expect(await watchingOf({ HOME: root })).toEqual({ source: false, index: true })
  expect(await watchingOf({ HOME: path.join(root, 'src') })).toEqual({ source: false, index: true })
})

test('without a port the command takes 4747, or the next when that is taken', async ({ expect, onTestFinished }) => {
  const project = await indexed(onTestFinished)
  const taken = net.createServer()
  const wasFree = await new Promise<boolean>((resolve) => {
    taken.once('error', () => resolve(false))
    taken.listen(4747, '127.0.0.1', () => resolve(true))
  })
  onTestFinished(() => void taken.close())
  const moved = await startViewerCommand([project.place.root], {})
  onTestFinished(moved.stop)

  expect(Number(new URL(moved.address).port)).toBeGreaterThan(4747)
  expect(Number(new URL(moved.address).port)).toBeLessThanOrEqual(4767)
  if (!wasFree) return
  await new Promise((resolve) => taken.close(resolve))
  const first = await startViewerCommand([project.place.root], {})
  onTestFinished(first.stop)
  expect(new URL(first.address).port).toBe('4747')
  expect(existsSync(project.place.database)).toBe(true)
})
