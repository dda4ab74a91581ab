/** A sync changes the published index where it lies: whoever reads has one moment of it, and a cut leaves the one before. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, linkSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { test } from 'vitest'
import { indexPlace } from '../../../local/indexer/store/index-folder.ts'
import { openIndex } from '../../../local/indexer/store/open-index.ts'
import { syncIndex } from '../../../local/indexer/sync.ts'
import { contentOf } from '../../support/index-content.ts'
import { unwrap } from '../../support/unwrap.ts'
import { indexedInTest } from '../../support/viewer-in-test.ts'
import type { TestProject } from '../../support/viewer-server.ts'

const entry = path.join(import.meta.dirname, '../../../local/indexer.ts')

/** Large enough for an index of many pages, a few of which one file changes. */
function manyFiles(): Record<string, string> {
  const file = (at: number): string =>
    Array.from(
      { length: 40 },
      (_, n) => `/** Says ${n} of ${at}. */\nexport function say${at}x${n}() {\n  return hear${at}x${n}()\n}\n`,
    ).join('')
  return Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`src/f${at}.ts`, file(at)]))
}

async function freshContent(project: TestProject): Promise<string> {
  const whole = indexPlace(project.place.root, '.whole')
  await syncIndex({ place: whole, isFull: true, nowMs: Date.now(), version: 'test' })
  return contentOf(whole)
}

function grow(project: TestProject, file = 'src/f7.ts'): void {
  appendFileSync(path.join(project.place.root, file), 'export function grown() {\n  return say7x1()\n}\n')
}

test('a change of one file is written into the file that is there, a part of it', async ({ expect }) => {
  const project = await indexedInTest(manyFiles())
  const before = statSync(project.place.database)
  const pagesBefore = pagesOf(project)

  grow(project)
  expect(await project.sync()).toMatchObject({ report: { linked: 1 } })

  expect(statSync(project.place.database).ino).toBe(before.ino)
  const changed = pagesOf(project).filter((page, at) => page !== pagesBefore[at])
  expect(pagesBefore.length).toBeGreaterThan(80)
  expect(changed.length).toBeLessThan(pagesBefore.length / 2)
  expect(contentOf(project.place)).toBe(await freshContent(project))
})

function pagesOf({ place }: TestProject): string[] {
  const bytes = readFileSync(place.database)
  return Array.from({ length: bytes.length / 8192 }, (_, at) => bytes.toString('latin1', at * 8192, (at + 1) * 8192))
}

test('who reads meanwhile is answered from one moment to the end, and the change waits for nobody', async ({
  expect,
}) => {
  const project = await indexedInTest(manyFiles())
  const before = statSync(project.place.database)
  const opened = unwrap(openIndex(project.place))
  expect(opened.reader.nodesNamed('grown')).toEqual([])

  grow(project)
  expect(await project.sync()).toMatchObject({ report: { linked: 1 } })

  // Asked of the file only now, and of what it was.
  expect(opened.reader.graph.size).toBe(50 * 41 + 1)
  expect(opened.reader.nodesNamed('grown')).toEqual([])
  expect(opened.reader.unresolvedCount()).toBe(50 * 40)
  opened.close()
  const now = unwrap(openIndex(project.place))
  expect(now.reader.nodesNamed('grown')).toHaveLength(1)
  now.close()
  expect(statSync(project.place.database).ino).not.toBe(before.ino)
  expect(contentOf(project.place)).toBe(await freshContent(project))
})

test('an index that has another name is not changed under it', async ({ expect }) => {
  const project = await indexedInTest(manyFiles())
  const other = `${project.place.folder}/kept.db`
  linkSync(project.place.database, other)
  const before = readFileSync(other)

  grow(project)
  await project.sync()

  expect(readFileSync(other).equals(before)).toBe(true)
  expect(contentOf(project.place)).toBe(await freshContent(project))
})

/** Pages are written as soon as they are changed, and the process is killed when all are but none is said to be final. */
const killedBeforeCommit = `
  const { DatabaseSync } = await import('node:sqlite')
  const exec = DatabaseSync.prototype.exec
  DatabaseSync.prototype.exec = function (sql) {
    if (sql === 'BEGIN IMMEDIATE') exec.call(this, 'PRAGMA cache_size = 1; PRAGMA cache_spill = ON')
    if (sql === 'COMMIT' && this.location().endsWith('index.db')) process.kill(process.pid, 'SIGKILL')
    return exec.call(this, sql)
  }`

test.for(['is read', 'is brought up to date', 'is made whole'] as const)(
  'a sync killed in the middle of writing is taken back when the index %s',
  async (next, { expect }) => {
    const project = await indexedInTest(manyFiles())
    const content = contentOf(project.place)
    const pages = pagesOf(project)
    grow(project)

    const preload = `data:text/javascript,${encodeURIComponent(killedBeforeCommit)}`
    const ended = spawnSync(process.execPath, ['--import', preload, entry, 'sync', project.place.root])

    expect(ended.signal).toBe('SIGKILL')
    expect(existsSync(`${project.place.database}-journal`)).toBe(true)
    expect(pagesOf(project)).not.toEqual(pages)
    if (next === 'is read') expect(contentOf(project.place)).toBe(content)
    await project.sync(next === 'is made whole')
    expect(existsSync(`${project.place.database}-journal`)).toBe(false)
    expect(contentOf(project.place)).toBe(await freshContent(project))
  },
)

/** Without the version of who made it: programs of this test are of another one than the test. */
const saidOf = (content: string): string => content.replace(/^indexed_with_version=.*$/m, '')

test('syncs killed at any moment leave the index of before or of after', { timeout: 60_000, tags: 'slow' }, async ({
  expect,
}) => {
  const project = await indexedInTest(manyFiles())
  for (const delayMs of [200, 350, 450, 550, 650, 750, 900]) {
    const before = saidOf(contentOf(project.place))
    grow(project)
    const child = spawn(process.execPath, [entry, 'sync', project.place.root, '--quiet'], { stdio: 'ignore' })
    const ended = once(child, 'exit')
    const timer = setTimeout(() => child.kill('SIGKILL'), delayMs)
    await ended
    clearTimeout(timer)
    const after = saidOf(contentOf(project.place))
    expect([before, saidOf(await freshContent(project))]).toContain(after)
  }
  await project.sync()
  expect(saidOf(contentOf(project.place))).toBe(saidOf(await freshContent(project)))
})
