import { mkdirSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { onTestFinished, test } from 'vitest'
import { createEventFeed } from '../../../local/viewer/adapters/event-feed.ts'
import { createIndexAccess } from '../../../local/viewer/adapters/published-index.ts'
import { git } from '../../support/git-in-test.ts'
import { indexedInTest, projectInTest, servedInTest } from '../../support/viewer-in-test.ts'
import { serve } from '../../support/viewer-server.ts'

interface Frame {
  readonly type: string
  readonly [key: string]: unknown
}

interface Follower {
  readonly frames: Frame[]
  readonly text: () => string
  readonly ended: Promise<void>
  next(type: string, atLeast?: number): Promise<Frame>
  close(): void
}

/** Follows the channel; a frame that does not come within the bound fails the test. */
async function follow(address: string): Promise<Follower> {
  const frames: Frame[] = []
  const waiting = new Set<() => void>()
  let text = ''
  let markEnded = (): void => {}
  const ended = new Promise<void>((resolve) => {
    markEnded = resolve
  })
  const request = http.get(`${address}/api/events`)
  onTestFinished(() => void request.destroy())
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    request.on('response', resolve)
    request.on('error', reject)
  })
  response.setEncoding('utf8')
  response.on('data', (chunk: string) => {
    text += chunk
    for (const match of chunk.matchAll(/^data: (.*)$/gm)) frames.push(JSON.parse(match[1] ?? '{}') as Frame)
    for (const wake of waiting) wake()
  })
  response.on('close', markEnded)
  response.on('error', () => {})
  request.on('error', () => {})
  return {
    frames,
    text: () => text,
    ended,
    async next(type, atLeast = 1) {
      const deadline = Date.now() + 8000
      for (;;) {
        const found = frames.filter((one) => one.type === type)
        const frame = found[atLeast - 1]
        if (frame !== undefined) return frame
        if (Date.now() > deadline) throw new Error(`no ${type} frame; got ${text}`)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(done, 200)
          function done(): void {
            clearTimeout(timer)
            waiting.delete(done)
            resolve()
          }
          waiting.add(done)
        })
      }
    },
    close: () => request.destroy(),
  }
}

test('hello, changed and index come in their turn', async ({ expect }) => {
  const project = await indexedInTest({ 'src/a.ts': 'export const a = 1\n' })
  const viewer = await servedInTest(project.place, { isWatchWanted: true })
  const follower = await follow(viewer.running.address)

  const hello = await follower.next('hello')
  expect(hello).toMatchObject({
    index: { files: 1, lastIndexedAt: expect.any(Number) },
    watching: { source: true, index: true },
    degraded: null,
    heartbeatMs: 25_000,
  })
  expect(follower.text().startsWith('retry: 3000\n\n')).toBe(true)

  project.write('src/a.ts', 'export const a = 2\n')
  project.write('notes.txt', 'not source')
  expect(await follower.next('changed')).toMatchObject({ files: ['src/a.ts'], total: 1, truncated: false, scan: false })

  await project.sync()
  expect(await follower.next('index')).toMatchObject({ index: { files: 1 }, files: ['src/a.ts'], total: 1 })
  expect(follower.frames.map((one) => one.type)).toEqual(['hello', 'changed', 'index'])
})

test('tracked source where tools put what they produce is watched, and nothing else there', async ({ expect }) => {
  const project = projectInTest({ 'a.ts': 'export const a = 1\n', 'lib/build/own.ts': 'export const own = 1\n' })
  project.write('lib/build/made.ts', 'export const made = 1\n')
  project.write('build/made.ts', 'export const made = 1\n')
  git(project.place.root, 'init', '-q')
  git(project.place.root, 'add', 'a.ts', 'lib/build/own.ts')
  await project.sync()
  const viewer = await servedInTest(project.place, { isWatchWanted: true })
  const follower = await follow(viewer.running.address)
  await follower.next('hello')

  project.write('build/made.ts', 'export const made = 2\n')
  project.write('lib/build/made.ts', 'export const made = 2\n')
  project.write('lib/build/own.ts', 'export const own = 2\n')

  expect(await follower.next('changed')).toMatchObject({ files: ['lib/build/own.ts'], total: 1, scan: false })
})

test('a change that cannot be told per file asks for a scan', async ({ expect }) => {
  const project = await indexedInTest({ 'src/a.ts': 'export const a = 1\n' })
  const viewer = await servedInTest(project.place, { isWatchWanted: true })
  const follower = await follow(viewer.running.address)
  await follower.next('hello')

  mkdirSync(path.join(project.place.root, 'src/new'))
  for (let index = 0; index < 30; index += 1)
    writeFileSync(path.join(project.place.root, 'src/new', `f${index}.ts`), '')

  expect(await follower.next('changed')).toMatchObject({ scan: true, files: [], total: 0 })
})

test('more than 200 changed files are named 200 at a time with the real total', async ({ expect }) => {
  const project = await indexedInTest({ 'src/a.ts': 'export const a = 1\n' })
  const viewer = await servedInTest(project.place, { isWatchWanted: true })
  const follower = await follow(viewer.running.address)
  await follower.next('hello')

  for (let index = 0; index < 250; index += 1) project.write(`src/f${index}.ts`, 'export const x = 1\n')
  const changed = await follower.next('changed')
  await project.sync()
  const index = await follower.next('index')

  expect(changed).toMatchObject({ total: 250, truncated: true, scan: false })
  expect(changed['files']).toHaveLength(200)
  expect(index).toMatchObject({ total: 250, truncated: true })
  expect(index['files']).toHaveLength(200)
})

test('only a moved revision becomes an index event', async ({ expect }) => {
  const project = await indexedInTest({ 'a.ts': 'export const a = 1\n' })
  const viewer = await servedInTest(project.place)
  const follower = await follow(viewer.running.address)
  await follower.next('hello')

  writeFileSync(path.join(project.place.folder, 'other-file'), 'x')
  await project.sync()
  project.write('a.ts', 'export const a = 3\n')
  await project.sync()
  await follower.next('index')

  expect(follower.frames.filter((one) => one.type === 'index')).toHaveLength(1)
})

test('settings turn the source watch off and hello says so', async ({ expect }) => {
  const project = await indexedInTest({ 'a.ts': 'export const a = 1\n', 'indexer.json': '{"watch":{"enabled":false}}' })
  for (const isWatchWanted of [true, false]) {
    const viewer = await serve(project.place, { isWatchWanted })
    const follower = await follow(viewer.running.address)
    expect(await follower.next('hello')).toMatchObject({ watching: { source: false, index: true } })
    follower.close()
    await viewer.running.close()
  }
})

test('without an index hello says null', async ({ expect }) => {
  const project = projectInTest({ 'a.ts': 'export const a = 1\n' })
  const viewer = await servedInTest(project.place)
  const follower = await follow(viewer.running.address)

  expect(await follower.next('hello')).toMatchObject({ index: null })
})

test('open streams end when the viewer stops', async ({ expect }) => {
  const project = await indexedInTest({ 'a.ts': 'export const a = 1\n' })
  const viewer = await serve(project.place)
  const follower = await follow(viewer.running.address)
  await follower.next('hello')
  const started = performance.now()

  await viewer.running.close()
  await follower.ended

  expect(performance.now() - started).toBeLessThan(1500)
})

test('observers exist only while someone listens, and a watch that fails says degraded once', ({ expect }) => {
  const project = projectInTest({})
  let open = 0
  let fail: (reason: string) => void = () => {}
  const watch = (): { close(): void } => {
    open += 1
    return {
      close: () => {
        open -= 1
      },
    }
  }
  const feed = createEventFeed({
    clock: { nowMs: () => 5 },
    index: createIndexAccess(project.place),
    watchSource: (_onChange, onDegraded) => {
      fail = onDegraded
      return watch()
    },
    watchIndex: watch,
  })
  const first: string[] = []
  const second: string[] = []

  expect(open).toBe(0)
  const one = feed.subscribe(
    (frame) => first.push(frame),
    () => {},
  )
  const two = feed.subscribe(
    (frame) => second.push(frame),
    () => {},
  )
  expect(open).toBe(2)
  one.close()
  expect(open).toBe(2)
  fail('no watches left')
  expect(open).toBe(1)
  expect(second.at(-1)).toBe('event: degraded\ndata: {"type":"degraded","reason":"no watches left","at":5}\n\n')
  two.close()
  expect(open).toBe(0)
  expect(first.some((frame) => frame.includes('degraded","reason'))).toBe(false)
})

test('watching is on, or lost for good: who follows later is told, and nothing is watched again', ({
  expect,
  onTestFinished,
}) => {
  const project = projectInTest({})
  let started = 0
  let fail: (reason: string) => void = () => {}
  const feed = createEventFeed({
    clock: { nowMs: () => 5 },
    index: createIndexAccess(project.place),
    watchSource: (_onChange, onDegraded) => {
      started += 1
      fail = onDegraded
      return { close: () => {} }
    },
    watchIndex: () => ({ close: () => {} }),
  })
  onTestFinished(() => feed.endAll())
  const helloOf = (): Frame => {
    const frames: string[] = []
    const own = feed.subscribe(
      (frame) => frames.push(frame),
      () => {},
    )
    own.close()
    return JSON.parse(/data: (.*)/.exec(frames[1] ?? '')?.[1] ?? '{}') as Frame
  }

  expect(helloOf()).toMatchObject({ watching: { source: true, index: true }, degraded: null })
  expect(helloOf()).toMatchObject({ watching: { source: true, index: true }, degraded: null })
  const one = feed.subscribe(
    () => {},
    () => {},
  )
  fail('no watches left')
  one.close()

  expect(helloOf()).toMatchObject({ watching: { source: false, index: true }, degraded: 'no watches left' })
  expect(helloOf()).toMatchObject({ watching: { source: false, index: true }, degraded: 'no watches left' })
  expect(feed.isWatching).toBe(false)
  expect(started).toBe(3)
})

test('the sixty-fifth listener takes the place of the oldest, which is told', ({ expect, onTestFinished }) => {
  const project = projectInTest({})
  const feed = createEventFeed({
    clock: { nowMs: () => 5 },
    index: createIndexAccess(project.place),
    watchSource: () => undefined,
    watchIndex: () => undefined,
  })
  onTestFinished(() => feed.endAll())
  const ended: number[] = []
  const frames: string[][] = []
  for (let listener = 0; listener < 65; listener += 1) {
    const own: string[] = []
    frames.push(own)
    feed.subscribe(
      (frame) => own.push(frame),
      () => ended.push(listener),
    )
  }

  expect(ended).toEqual([0])
  expect(frames[0]?.at(-1)).toContain('event: degraded')
  expect(frames[64]?.at(-1)).toContain('event: hello')
})
