/** Saved trails at their bounds, written by several at once, and on a disk that is full. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'vitest'
import {
  trailFileBytesMax,
  trailFilesMax,
  trailHopsMax,
  trailNameCharsMax,
  trailNoteCharsMax,
} from '../../../local/viewer/limits.ts'
import { startViewerCommand } from '../../support/viewer-program.ts'
import { createProject, serve, type TestProject, type TestViewer } from '../../support/viewer-server.ts'

interface Stage {
  readonly project: TestProject
  readonly viewer: TestViewer
  readonly folder: string
  readonly id: string
}

async function open(atEnd: TestContext['onTestFinished']): Promise<Stage> {
  const project = createProject({ 'a.ts': 'export function a() {}\n' })
  atEnd(project.dispose)
  await project.sync()
  const viewer = await serve(project.place)
  atEnd(() => viewer.running.close())
  const id: string = (await viewer.get('/api/search?q=a&limit=1')).body.results.items[0].id
  return { project, viewer, folder: path.join(project.place.folder, 'ui', 'trails'), id }
}

test('a trail is saved at every bound of it and refused one past', async ({ expect, onTestFinished }) => {
  const { viewer, id } = await open(onTestFinished)
  const hops = (count: number) => Array.from({ length: count }, () => ({ id }))
  const save = async (body: object) => (await viewer.send('POST', '/api/trails', body)).status

  expect(await save({ name: 'n'.repeat(trailNameCharsMax), hops: hops(1) })).toBe(200)
  expect(await save({ name: 'n'.repeat(trailNameCharsMax + 1), hops: hops(1) })).toBe(400)
  expect(await save({ name: 'note', note: 'n'.repeat(trailNoteCharsMax), hops: hops(1) })).toBe(200)
  expect(await save({ name: 'note', note: 'n'.repeat(trailNoteCharsMax + 1), hops: hops(1) })).toBe(400)
  expect(await save({ name: 'hops', hops: hops(trailHopsMax) })).toBe(200)
  expect(await save({ name: 'hops', hops: hops(trailHopsMax + 1) })).toBe(400)
})

test('as many trails as the bound are listed whole, and one more says there are more', async ({
  expect,
  onTestFinished,
}) => {
  const { viewer, folder, id } = await open(onTestFinished)
  await viewer.send('POST', '/api/trails', { name: 'one', hops: [{ id }] })
  const text = readFileSync(path.join(folder, 'one.json'), 'utf8')
  const copy = (at: number): void => writeFileSync(path.join(folder, `t${at}.json`), text)
  for (let at = 1; at < trailFilesMax; at += 1) copy(at)
  const listed = async () => (await viewer.get('/api/trails')).body

  expect(await listed()).toMatchObject({ trails: { length: trailFilesMax }, bounded: false })
  copy(trailFilesMax)
  expect(await listed()).toMatchObject({ trails: { length: trailFilesMax }, bounded: true })
})

test('a trail file is read at its bound of bytes and skipped one past', async ({ expect, onTestFinished }) => {
  const { viewer, folder, id } = await open(onTestFinished)
  await viewer.send('POST', '/api/trails', { name: 'one', hops: [{ id }] })
  const text = readFileSync(path.join(folder, 'one.json'), 'utf8')
  const skipped = async () => (await viewer.get('/api/trails')).body.skipped

  writeFileSync(path.join(folder, 'one.json'), text.padEnd(trailFileBytesMax, ' '))
  expect(await skipped()).toBe(0)
  writeFileSync(path.join(folder, 'one.json'), text.padEnd(trailFileBytesMax + 1, ' '))
  expect(await skipped()).toBe(1)
})

test('two writers of one trail leave it whole at any moment, and nothing beside it', {
  tags: 'slow',
  timeout: 120_000,
}, async ({ expect, onTestFinished }) => {
  const { project, viewer, folder, id } = await open(onTestFinished)
  const other = await startViewerCommand(['--port', '0', project.place.root], {})
  onTestFinished(other.stop)
  const body = (note: string) => ({ name: 'shared', note: note.repeat(300), hops: [{ id }] })
  const notes = new Set<string>()
  let isRunning = true
  const write = async (address: string, note: string): Promise<void> => {
    for (let at = 0; at < 40; at += 1) {
      const reply = await fetch(`${address}/api/trails`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-viewer-ui': '1' },
        body: JSON.stringify(body(note)),
      })
      expect(reply.status, await reply.text()).toBe(200)
    }
  }
  const read = async (): Promise<void> => {
    while (isRunning) {
      const { trails, skipped } = (await viewer.get('/api/trails')).body
      expect(skipped).toBe(0)
      for (const one of trails) notes.add(one.note)
    }
  }
  const reading = read()
  await Promise.all([write(viewer.running.address, 'a'), write(other.address, 'b')])
  isRunning = false
  await reading

  expect([...notes].every((one) => one === 'a'.repeat(300) || one === 'b'.repeat(300))).toBe(true)
  expect(readdirSync(folder)).toEqual(['shared.json'])
})

test('on a full disk a save fails, what was saved stays whole, and the list is served', async ({
  expect,
  onTestFinished,
}) => {
  const { project, folder, id } = await open(onTestFinished)
  // Files may hold 1,024 bytes, as if no more were left.
  const small = await startViewerCommand(['--port', '0', project.place.root], { XDG_CACHE_HOME: '/nonexistent' }, 2)
  onTestFinished(small.stop)
  const save = async (note: string, hops: number): Promise<number> => {
    const reply = await fetch(`${small.address}/api/trails`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-viewer-ui': '1' },
      body: JSON.stringify({ name: 'way', note, hops: Array.from({ length: hops }, () => ({ id })) }),
    })
    return reply.status
  }
  expect(await save('short', 1)).toBe(200)
  const before = readFileSync(path.join(folder, 'way.json'), 'utf8')

  expect(await save('long', 20)).toBe(500)

  expect(readFileSync(path.join(folder, 'way.json'), 'utf8')).toBe(before)
  expect(readdirSync(folder)).toEqual(['way.json'])
  expect(await (await fetch(`${small.address}/api/trails`)).json()).toMatchObject({ trails: [{ note: 'short' }] })
})
