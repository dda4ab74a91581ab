// @module-tag slow
/** Tools against a program that keeps swapping a folder, and a file in it, for links that lead out of the project. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, test } from 'vitest'
import { ProjectFiles } from '../../../local/agent/runtime/project-files.ts'
import { openPinned, withinFolder } from '../../../local/agent/runtime/tools/pinned-path.ts'
import {
  readTarget,
  removeTarget,
  resolveTarget,
  type Target,
  writeTarget,
} from '../../../local/agent/runtime/tools/tool-files.ts'

const secret = 'SECRET outside of the project'
const roundsEach = 1_500
let base: string
let project: string
let outside: string
let racer: ChildProcess

/** Each name is swapped between the real thing and a link out, as fast as it goes. */
const program = `
  const { renameSync, rmSync } = require('node:fs')
  const swap = (name, other) => {
    renameSync(name, name + '.was')
    for (;;) {
      // A tool that finds no folder makes one, and the name is taken until that is gone.
      try {
        renameSync(other, name)
        break
      } catch {}
      try {
        rmSync(name, { recursive: true, force: true })
      } catch {}
    }
    renameSync(name + '.was', other)
  }
  process.send('ready')
  const step = () => {
    for (let count = 0; count < 50; count += 1) {
      swap('folder', 'folder-link')
      swap('note.txt', 'note-link')
    }
    setImmediate(step)
  }
  step()
`

beforeEach(async () => {
  base = await realpath(await mkdtemp(path.join(tmpdir(), 'race-')))
  project = path.join(base, 'project')
  outside = path.join(base, 'outside')
  await mkdir(path.join(project, 'folder', 'deep'), { recursive: true })
  await mkdir(path.join(outside, 'deep'), { recursive: true })
  await writeFile(path.join(outside, 'note.txt'), secret)
  await writeFile(path.join(outside, 'deep', 'note.txt'), secret)
  await writeFile(path.join(project, 'note.txt'), 'inside')
  await writeFile(path.join(project, 'folder', 'deep', 'note.txt'), 'inside')
  await symlink(outside, path.join(project, 'folder-link'))
  await symlink(path.join(outside, 'note.txt'), path.join(project, 'note-link'))
  racer = spawn(process.execPath, ['-e', program], { cwd: project, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  await once(racer, 'message')
})

afterEach(async () => {
  await endRacer()
  await rm(base, { recursive: true, force: true })
})

async function endRacer(): Promise<void> {
  if (racer.exitCode !== null || racer.signalCode !== null) return
  const exited = once(racer, 'exit')
  racer.kill('SIGKILL')
  await exited
}

/** Judged while the real thing was there: as a tool holds it after the owner said yes. */
function judged(name: string): Target {
  return { full: path.join(project, name), shown: name, isOutside: false }
}

test.for(['note.txt', 'folder/deep/note.txt'] as const)(
  'reading %s never answers what lies outside',
  async (name, { expect }) => {
    const outcomes = { read: 0, refused: 0 }
    for (let round = 0; round < roundsEach; round += 1) {
      const read = await readTarget(judged(name))
      if (read.ok) expect(read.value.bytes.toString()).toBe('inside')
      outcomes[read.ok ? 'read' : 'refused'] += 1
    }

    // The race was one: sometimes the file was met and sometimes the link.
    expect(outcomes.read).toBeGreaterThan(0)
    expect(outcomes.refused).toBeGreaterThan(0)
  },
)

test('writing, replacing and removing never touch what lies outside', async ({ expect }) => {
  const outcomes = { done: 0, refused: 0 }
  for (let round = 0; round < roundsEach / 3; round += 1) {
    const target = judged(`folder/deep/${round % 2 === 0 ? 'note.txt' : 'made.txt'}`)
    const done = await writeTarget(target, 'inside', undefined)
      .then(() => (target.shown === 'folder/deep/made.txt' ? removeTarget(target) : undefined))
      .then(
        () => true,
        () => false,
      )
    outcomes[done ? 'done' : 'refused'] += 1
  }

  expect(racer.exitCode).toBeNull()
  expect(outcomes.done).toBeGreaterThan(0)
  expect(outcomes.refused).toBeGreaterThan(0)
  expect(await readdir(path.join(outside, 'deep'))).toEqual(['note.txt'])
  expect(await readFile(path.join(outside, 'deep', 'note.txt'), 'utf8')).toBe(secret)
})

test('the routes answer no byte and no name of what lies outside', async ({ expect }) => {
  await writeFile(path.join(outside, 'deep', 'elsewhere.txt'), '')
  const files = new ProjectFiles([path.join(base, 'data')], path.join(base, 'data', 'work-tree'), '/usr/bin:/bin')
  const { signal } = new AbortController()
  const outcomes = { read: 0, refused: 0 }
  const names = new Set<string>()
  for (let round = 0; round < roundsEach; round += 1) {
    const name = round % 2 === 0 ? 'note.txt' : 'folder/deep/note.txt'
    const [read, listed] = await Promise.all([
      files.read(project, name, signal),
      files.list(project, 'folder/deep', signal),
    ])
    if (read.ok) expect(await new Response(read.value.body).text()).toBe('inside')
    outcomes[read.ok ? 'read' : 'refused'] += 1
    if (listed.ok) for (const entry of listed.value.entries) names.add(entry.path)
    if (round % 50 > 0) continue
    const found = await files.find(project, { query: 'elsewhere', limit: 10 }, signal)
    expect(found.ok ? found.value.entries : []).toEqual([])
  }

  expect(outcomes.read).toBeGreaterThan(0)
  expect(outcomes.refused).toBeGreaterThan(0)
  expect([...names].map((name) => path.basename(name))).toEqual(['note.txt'])
})

test('listing a folder never answers the names of another', async ({ expect }) => {
  await writeFile(path.join(outside, 'deep', 'elsewhere.txt'), '')
  const seen = new Set<string>()
  for (let round = 0; round < roundsEach; round += 1) {
    const names = await withinFolder(path.join(project, 'folder', 'deep'), (at) => readdir(at)).catch(() => [])
    for (const name of names) seen.add(name)
  }

  expect([...seen]).toEqual(['note.txt'])
})

test('what is judged as inside is inside when it is judged, and a link out is told as such', async ({ expect }) => {
  for (let round = 0; round < roundsEach; round += 1) {
    const target = await resolveTarget(project, 'folder/deep/note.txt').catch(() => undefined)
    if (target === undefined) continue
    expect(target.isOutside).toBe(target.full.startsWith(outside))
  }
})

test('without a race, a link in any part of the path is not followed', async ({ expect }) => {
  await endRacer()
  await symlink(outside, path.join(project, 'way-out'))
  await symlink(path.join(outside, 'note.txt'), path.join(project, 'file-out'))

  await expect(openPinned(path.join(project, 'file-out'))).rejects.toThrow(/ELOOP/)
  await expect(openPinned(path.join(project, 'way-out', 'note.txt'))).rejects.toThrow('became a link')
  await expect(withinFolder(path.join(project, 'way-out'), async () => undefined)).rejects.toThrow()
  const handle = await openPinned(path.join(outside, 'note.txt'))
  expect(await handle.readFile('utf8')).toBe(secret)
  await handle.close()
})
