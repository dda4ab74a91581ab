/** What is committed is acknowledged once it is on the disk, and the disk holds up nobody else. */
import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { Commits } from '../../../local/runtime/commits.ts'
import { openRuntime } from '../../../local/runtime/compose.ts'
import type { ObjectContext } from '../../../local/runtime/durable-objects.ts'
import type { SyncFile } from '../../../local/runtime/log-sync.ts'
import { type FileHooks, SqliteFile } from '../../../local/runtime/sqlite-file.ts'
import { quickFolder } from '../../support/memory-folder.ts'

/** A disk that is done when the test says so. */
function slowDisk() {
  const asked: ((error: Error | null) => void)[] = []
  const sync: SyncFile = (_, done) => void asked.push(done)
  return { sync, asked, done: (error: Error | null = null) => asked.shift()?.(error) }
}

async function folderOfTest(): Promise<string> {
  const folder = await mkdtemp(path.join(quickFolder(), 'wharf-log-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function open(sync: SyncFile, hooks: FileHooks = {}) {
  const commits = new Commits(sync)
  const database = new SqliteFile(path.join(await folderOfTest(), 'one.sqlite'), commits, true, hooks)
  onTestFinished(() => database.close())
  return { commits, database }
}

/** What has come of a promise by now. */
async function stateOf(promise: Promise<void> | undefined): Promise<string> {
  const pending = new Promise((resolve) => setImmediate(() => resolve('pending')))
  return String(await Promise.race([pending, (promise ?? Promise.resolve()).then(() => 'kept', String)]))
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('a write is kept when the log is on the disk, and not when it is committed', async () => {
  const disk = slowDisk()
  const { database, commits } = await open(disk.sync)
  database.execute('create table t (a)', [])
  const written = database.settled()
  commits.flush()
  expect(await stateOf(written)).toBe('pending')
  expect(new DatabaseSync(database.file, { readOnly: true }).prepare('select * from t').all()).toEqual([])
  disk.done()
  expect(await stateOf(written)).toBe('kept')
  expect(database.settled()).toBeUndefined()
})

test('who reads what is not on the disk yet waits for it too', async () => {
  const disk = slowDisk()
  const { database, commits } = await open(disk.sync)
  database.execute('create table t (a)', [])
  commits.flush()
  database.execute('select * from t', [])
  const read = database.settled()
  expect(await stateOf(read)).toBe('pending')
  disk.done()
  expect(await stateOf(read)).toBe('kept')
})

test('what is committed while the disk is at work shares the next wait, and never the one under way', async () => {
  const disk = slowDisk()
  const { database, commits } = await open(disk.sync)
  database.execute('create table t (a)', [])
  const written = [database.settled()]
  commits.flush()
  for (const value of [1, 2, 3]) {
    database.execute('insert into t values (?)', [value])
    written.push(database.settled())
    commits.flush()
  }
  expect(disk.asked).toHaveLength(1)
  disk.done()
  expect(await Promise.all(written.map(stateOf))).toEqual(['kept', 'pending', 'pending', 'pending'])
  expect(disk.asked).toHaveLength(1)
  disk.done()
  expect(await Promise.all(written.map(stateOf))).toEqual(['kept', 'kept', 'kept', 'kept'])
  expect(disk.asked).toHaveLength(0)
})

test('a disk that fails is told to those who wait, and to whoever holds what was written for true', async () => {
  const disk = slowDisk()
  const lost: string[] = []
  const { database, commits } = await open(disk.sync, { onLost: ({ message }) => lost.push(message) })
  database.execute('create table t (a)', [])
  const written = database.settled()
  commits.flush()
  disk.done(Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' }))
  expect(await stateOf(written)).toContain('i/o error')
  expect(lost).toEqual([expect.stringContaining('i/o error')])
  database.execute('insert into t values (1)', [])
  const next = database.settled()
  commits.flush()
  disk.done()
  expect(await stateOf(next)).toBe('kept')
})

test('a database that is closed has all on the disk, whatever the disk still says', async () => {
  const disk = slowDisk()
  const { database, commits } = await open(disk.sync)
  database.execute('create table t (a)', [])
  const first = database.settled()
  commits.flush()
  database.execute('insert into t values (1)', [])
  const second = database.settled()
  database.close()
  expect([await stateOf(first), await stateOf(second)]).toEqual(['kept', 'kept'])
  disk.done(new Error('too late'))
  expect(disk.asked).toHaveLength(0)
})

test('a log that cannot be had is a failure', async () => {
  const disk = slowDisk()
  const { database, commits } = await open(disk.sync)
  database.execute('create table t (a)', [])
  const written = database.settled()
  rmSync(`${database.file}-wal`)
  commits.flush()
  expect(await stateOf(written)).toContain('ENOENT')
})

/** Writes a row, and tells the time of an alarm. */
class Noted {
  readonly ctx: ObjectContext
  constructor(ctx: ObjectContext) {
    this.ctx = ctx
  }
  async at(ms: number): Promise<void> {
    await this.ctx.storage.setAlarm(ms)
  }
  async none(): Promise<void> {
    await this.ctx.storage.deleteAlarm()
  }
}

test('an alarm that is put off is noted once the object has it, one that is put forward before, and the last one counts', async () => {
  const disk = slowDisk()
  const folder = await folderOfTest()
  const runtime = openRuntime({
    shape: { name: 'test', databases: [], objects: [{ binding: 'NOTED', className: 'Noted' }] },
    stateFolder: folder,
    bindings: {},
    log: (line) => expect.fail(line),
    sync: disk.sync,
  })
  onTestFinished(() => runtime.close())
  await runtime.load(() => ({ default: { fetch: () => new Response() }, Noted }))
  const noted = () => {
    const alarms = new DatabaseSync(path.join(folder, 'do', 'test-Noted', 'metadata.sqlite'), { readOnly: true })
    try {
      return alarms
        .prepare('select scheduled_time / 1000000 as at from _cf_ALARM')
        .all()
        .map(({ at }) => at)
    } finally {
      alarms.close()
    }
  }
  const later = Date.now() + 1_000_000
  const one = runtime.objects.get('NOTED')?.getByName('one')
  const answers = [one.at(later)]
  await turn()
  await turn()
  expect(noted()).toEqual([later])
  disk.done()
  answers.push(one.none())
  await turn()
  await turn()
  expect(noted()).toEqual([later])
  answers.push(one.at(later - 5000))
  await turn()
  await turn()
  expect(noted()).toEqual([later - 5000])
  // What takes the alarm away comes to the disk now: it was said before the last one.
  disk.done()
  await turn()
  expect(noted()).toEqual([later - 5000])
  disk.done()
  await Promise.all(answers)
  expect(noted()).toEqual([later - 5000])
  const last = one.none()
  await turn()
  await turn()
  expect(noted()).toEqual([later - 5000])
  disk.done()
  await last
  await turn()
  expect(noted()).toEqual([])
})
