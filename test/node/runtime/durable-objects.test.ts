/** What the objects of the script stand on, with classes of the test's own; workerd promises the same. */
import { fdatasyncSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { onTestFinished, test } from 'vitest'
import { openRuntime, type Runtime } from '../../../local/runtime/compose.ts'
import type { ObjectContext, ObjectStub } from '../../../local/runtime/durable-objects.ts'
import { alarmDoublingsMax, alarmRetryFirstMs } from '../../../local/runtime/limits.ts'
import type { SyncFile } from '../../../local/runtime/log-sync.ts'
import type { Fetch } from '../../../local/runtime/outgoing-fetch.ts'
import { quickFolder } from '../../support/memory-folder.ts'

const gates = new Map<string, PromiseWithResolvers<void>>()
function gate(name: string): PromiseWithResolvers<void> {
  const known = gates.get(name) ?? Promise.withResolvers<void>()
  gates.set(name, known)
  return known
}

let fetchOf: Fetch = () => Promise.reject(new Error('not loaded'))
const seen: string[] = []

class Shelf {
  readonly ctx: ObjectContext
  readonly env: { DB: ReturnType<Runtime['databases']['get']> }
  failing = 0

  constructor(ctx: ObjectContext, env: never) {
    this.ctx = ctx
    this.env = env
    ctx.storage.sql.exec('create table if not exists rows (value text unique)')
  }

  put(value: string): void {
    this.ctx.storage.sql.exec('insert into rows values (?)', value)
  }

  rows(): unknown[] {
    return [...this.ctx.storage.sql.exec('select value from rows order by value').raw()].flat()
  }

  /** Writes, and asks somebody who looks whether it is kept. */
  async putAndAsk(value: string, address: string): Promise<string> {
    this.put(value)
    return (await fetchOf(address)).text()
  }

  async putAndFail(value: string): Promise<void> {
    this.put(value)
    throw new RangeError('after the row')
  }

  putTwice(value: string): void {
    this.ctx.storage.transactionSync(() => {
      this.put(value)
      this.put(value)
    })
  }

  async slowPut(value: string): Promise<void> {
    await gate(value).promise
    this.put(value)
  }

  async slowAsk(name: string, address: string): Promise<void> {
    await gate(name).promise
    await fetchOf(address)
  }

  later(name: string): void {
    this.ctx.waitUntil(gate(name).promise.then(() => this.put(name)))
  }

  take(value: unknown): unknown {
    return value
  }

  give(): unknown {
    return { run() {} }
  }

  async alarmIn(ms: number, value?: string): Promise<void> {
    if (value !== undefined) this.put(value)
    await this.ctx.storage.setAlarm(clock.ms + ms)
  }

  async alarmAndFail(ms: number): Promise<void> {
    this.ctx.storage.transactionSync(() => {
      void this.ctx.storage.setAlarm(clock.ms + ms)
      throw new Error('taken back')
    })
  }

  fail(times: number): void {
    this.ctx.storage.sql.exec('create table if not exists failing (times)')
    this.ctx.storage.sql.exec('insert into failing values (?)', times)
  }

  async alarm(ring: { retryCount: number }): Promise<void> {
    seen.push(`rung ${ring.retryCount}`)
    this.ctx.storage.sql.exec('create table if not exists failing (times)')
    const [row] = this.ctx.storage.sql.exec<{ times: number }>('select times from failing').toArray()
    if (row === undefined) return
    if (row.times > ring.retryCount) throw new Error('not yet')
  }

  clear(): Promise<void> {
    return this.ctx.storage.deleteAll()
  }
}

/** Whose start takes a while. */
class Slow extends Shelf {
  constructor(ctx: ObjectContext, env: never) {
    super(ctx, env)
    void ctx.blockConcurrencyWhile(async () => {
      seen.push('begun')
      await gate('start').promise
      if (ctx.id.name === 'broken') throw new Error('no start')
      seen.push('started')
    })
  }
}

/** As the system does it, in one turn: time that a test's clock passes is none of the disk's. */
const sync: SyncFile = (handle, done) => {
  fdatasyncSync(handle)
  setImmediate(() => done(null))
}

const clock = {
  ms: 1_000_000,
  tasks: [] as { atMs: number; task: () => void }[],
  /** Everything that is due until then, in its order. */
  async pass(ms: number): Promise<void> {
    const untilMs = clock.ms + ms
    for (;;) {
      const next = clock.tasks.filter(({ atMs }) => atMs <= untilMs).sort((one, other) => one.atMs - other.atMs)[0]
      if (next === undefined) break
      clock.tasks.splice(clock.tasks.indexOf(next), 1)
      clock.ms = Math.max(clock.ms, next.atMs)
      next.task()
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    }
    clock.ms = untilMs
  },
}

const alarmClock = {
  nowMs: () => clock.ms,
  after(ms: number, task: () => void) {
    const entry = { atMs: clock.ms + ms, task }
    clock.tasks.push(entry)
    return () => void (clock.tasks.includes(entry) && clock.tasks.splice(clock.tasks.indexOf(entry), 1))
  },
  fraction: () => 0,
}

interface Opened {
  readonly runtime: Runtime
  readonly folder: string
  readonly shelf: (name?: string, className?: string) => ObjectStub
  close(): Promise<void>
  reopen(): Promise<Opened>
}

async function open(given?: string): Promise<Opened> {
  gates.clear()
  seen.length = 0
  const folder = given ?? (await mkdtemp(path.join(quickFolder(), 'wharf-objects-')))
  if (given === undefined) onTestFinished(() => rm(folder, { recursive: true, force: true }))
  clock.tasks.length = 0
  const runtime = openRuntime({
    shape: {
      name: 'test',
      databases: [{ binding: 'DB', id: 'db' }],
      objects: [
        { binding: 'SHELVES', className: 'Shelf' },
        { binding: 'SLOW', className: 'Slow' },
      ],
    },
    stateFolder: folder,
    bindings: {},
    log: (line) => seen.push(line),
    clock: alarmClock,
    sync,
  })
  let isOpen = true
  const close = async () => {
    if (isOpen) await runtime.close()
    isOpen = false
  }
  onTestFinished(close)
  await runtime.load(({ fetch }) => {
    fetchOf = fetch
    return { default: { fetch: () => new Response() }, Shelf, Slow }
  })
  return {
    runtime,
    folder,
    shelf: (name = 'one', className = 'SHELVES') => runtime.objects.get(className)?.getByName(name),
    close,
    async reopen() {
      await close()
      return open(folder)
    },
  }
}

/** The rows as another process sees them. */
function keptRows({ runtime, folder }: Opened, name = 'one'): unknown[] {
  const id = runtime.objects.get('SHELVES')?.idFromName(name)
  const database = new DatabaseSync(path.join(folder, 'do', 'test-Shelf', `${id}.sqlite`), { readOnly: true })
  try {
    return database
      .prepare('select value from rows order by value')
      .all()
      .map((row) => row['value'])
  } finally {
    database.close()
  }
}

test('an answer never comes before the rows it stands on, and neither does a failure', async ({ expect }) => {
  const opened = await open()
  await opened.shelf().put('one')
  expect(keptRows(opened)).toEqual(['one'])
  await expect(opened.shelf().putAndFail('two')).rejects.toThrow('after the row')
  expect(keptRows(opened)).toEqual(['one', 'two'])
})

test('a request never leaves before the rows it stands on', async ({ expect }) => {
  const opened = await open()
  const server = createServer((_, answer) => answer.end(JSON.stringify(keptRows(opened)))).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  expect(JSON.parse(await opened.shelf().putAndAsk('one', address))).toEqual(['one'])
})

test('a transaction that fails leaves nothing, and the object goes on', async ({ expect }) => {
  const { shelf } = await open()
  await expect(shelf().putTwice('one')).rejects.toThrow('SQLITE_CONSTRAINT_UNIQUE')
  await shelf().put('two')
  expect(await shelf().rows()).toEqual(['two'])
})

test('an object waits for its start with every call, and does not with a start that fails', async ({ expect }) => {
  const { shelf } = await open()
  const asked = shelf('one', 'SLOW').rows()
  await expect.poll(() => seen).toContain('begun')
  expect(seen).not.toContain('started')
  gate('start').resolve()
  expect(await asked).toEqual([])
  expect(seen).toEqual(['begun', 'started'])
  await expect(shelf('broken', 'SLOW').rows()).rejects.toThrow('no start')
})

test('the old life of an object that was reset neither writes nor asks any more', async ({ expect }) => {
  const opened = await open()
  const { shelf, runtime } = opened
  let asked = 0
  const server = createServer((_, answer) => {
    asked += 1
    answer.end()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  await shelf().put('before')
  const outcomes = Promise.allSettled([shelf().slowPut('late'), shelf().slowAsk('asking', address)])
  await shelf().rows()
  runtime.objects.get('SHELVES')?.abortAll('as a crash')
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await shelf().rows()).toEqual(['before'])
  gate('late').resolve()
  gate('asking').resolve()
  await new Promise((resolve) => setImmediate(resolve))
  expect(await shelf().rows()).toEqual(['before'])
  expect(asked).toBe(0)
})

test('work that goes on keeps the object, and what it writes is kept', async ({ expect }) => {
  const opened = await open()
  await opened.shelf().later('afterwards')
  expect(await opened.shelf().rows()).toEqual([])
  gate('afterwards').resolve()
  await expect.poll(() => opened.shelf().rows()).toEqual(['afterwards'])
})

test('only plain data passes, as a copy', async ({ expect }) => {
  const { shelf } = await open()
  const given = { list: [1], bytes: Uint8Array.of(1) }
  expect(await shelf().take(given)).toStrictEqual(given)
  expect(await shelf().take(given)).not.toBe(given)
  await expect(shelf().take(() => 1)).rejects.toThrow(expect.objectContaining({ name: 'DataCloneError' }))
  await expect(shelf().give()).rejects.toThrow(expect.objectContaining({ name: 'DataCloneError' }))
})

test.for(['missing', 'constructor', 'toString', 'ctx', 'failing'])(
  '%s is no method of an object',
  async (name, { expect }) => {
    const { shelf } = await open()
    await expect(shelf()[name]()).rejects.toThrow(`does not implement the method "${name}"`)
  },
)

test('an alarm rings at its time and not before, and once', async ({ expect }) => {
  const { shelf } = await open()
  await shelf().alarmIn(1000)
  await clock.pass(999)
  expect(seen).toEqual([])
  await clock.pass(1)
  expect(seen).toEqual(['rung 0'])
  await clock.pass(1_000_000)
  expect(seen).toEqual(['rung 0'])
})

test('an alarm that was due while nobody listened rings at the next start', async ({ expect }) => {
  const opened = await open()
  await opened.shelf().alarmIn(1000)
  clock.ms += 5000
  await opened.reopen()
  await clock.pass(0)
  expect(seen).toEqual(['rung 0'])
})

test('an alarm that is taken back with its transaction never rings', async ({ expect }) => {
  const { shelf } = await open()
  await expect(shelf().alarmAndFail(1000)).rejects.toThrow('taken back')
  await clock.pass(10_000)
  expect(seen).toEqual([])
})

test('a row that says too early a time costs a look: the object knows better', async ({ expect }) => {
  const opened = await open()
  await opened.shelf().alarmIn(10_000)
  await opened.close()
  const alarms = new DatabaseSync(path.join(opened.folder, 'do', 'test-Shelf', 'metadata.sqlite'))
  alarms.exec('update _cf_ALARM set scheduled_time = 0')
  alarms.close()
  await open(opened.folder)
  await clock.pass(9000)
  expect(seen).toEqual([])
  await clock.pass(1000)
  expect(seen).toEqual(['rung 0'])
})

test('an alarm that fails comes again, each time later, until it is heard', async ({ expect }) => {
  const { shelf } = await open()
  await shelf().fail(2)
  await shelf().alarmIn(0)
  await clock.pass(0)
  expect(seen.filter((line) => line.startsWith('rung'))).toEqual(['rung 0'])
  await clock.pass(alarmRetryFirstMs - 1)
  expect(seen.filter((line) => line.startsWith('rung'))).toHaveLength(1)
  await clock.pass(1 + 2 * alarmRetryFirstMs)
  expect(seen.filter((line) => line.startsWith('rung'))).toEqual(['rung 0', 'rung 1', 'rung 2'])
  await clock.pass(1_000_000)
  expect(seen.filter((line) => line.startsWith('rung'))).toHaveLength(3)
})

test('an alarm that goes on failing comes again at the longest pause, and is heard when its cause is gone', async ({
  expect,
}) => {
  const { shelf } = await open()
  const tries = alarmDoublingsMax + 4
  await shelf().fail(tries)
  await shelf().alarmIn(0)
  const rung = () => seen.filter((line) => line.startsWith('rung')).length
  // First, and again after each pause that is twice the one before.
  await clock.pass(alarmRetryFirstMs * (2 ** (alarmDoublingsMax + 1) - 1))
  expect(rung()).toBe(alarmDoublingsMax + 2)
  const longestMs = alarmRetryFirstMs * 2 ** alarmDoublingsMax
  await clock.pass(longestMs - 1)
  expect(rung()).toBe(alarmDoublingsMax + 2)
  await clock.pass(1)
  expect(rung()).toBe(alarmDoublingsMax + 3)
  await clock.pass(10 * longestMs)
  expect(rung()).toBe(tries + 1)
  expect(seen.filter((line) => line.includes('an_alarm_failed'))).toHaveLength(tries)
})

test('an alarm that cannot be noted, as on a full disk, ends nothing', async ({ expect }) => {
  const opened = await open()
  const { shelf, folder } = opened
  const other = new DatabaseSync(path.join(folder, 'do', 'test-Shelf', 'metadata.sqlite'))
  const refuse = (what: string) =>
    other.exec(`create trigger full_${what} before ${what} on _cf_ALARM begin select raise(abort, 'full'); end`)
  await shelf('one').alarmIn(1000, 'a')
  // A later time is noted when the row is kept; a first one before, so that it rings whatever comes in between.
  refuse('insert')
  await shelf('one').alarmIn(9000, 'b')
  await expect(shelf('two').alarmIn(1000, 'c')).rejects.toThrow('full')
  await shelf('three').put('d')
  expect([keptRows(opened, 'one'), keptRows(opened, 'three')]).toEqual([['a', 'b'], ['d']])
  expect(seen.filter((line) => line.includes('an_alarm_was_not_noted'))).toHaveLength(1)
  refuse('delete')
  await clock.pass(9000)
  expect(seen.filter((line) => line.startsWith('rung'))).toEqual(['rung 0'])
  other.exec('drop trigger full_insert; drop trigger full_delete')
  await clock.pass(1_000_000)
  expect(seen.filter((line) => line.startsWith('rung'))).toEqual(['rung 0'])
  // What could not be taken away costs the next start a look.
  await opened.reopen()
  await clock.pass(0)
  expect(seen.filter((line) => line.startsWith('rung'))).toEqual([])
  expect(other.prepare('select count(*) as count from _cf_ALARM').get()).toEqual({ count: 0 })
  other.close()
})

test('deleting everything takes the file and the alarm', async ({ expect }) => {
  const { shelf, runtime } = await open()
  await shelf().alarmIn(1000, 'one')
  expect(runtime.objects.get('SHELVES')?.storedIds()).toHaveLength(1)
  await shelf().clear()
  expect(runtime.objects.get('SHELVES')?.storedIds()).toEqual([])
  await clock.pass(10_000)
  expect(seen).toEqual([])
})

test('what was written is there after the next start, under the same name', async ({ expect }) => {
  const opened = await open()
  await Promise.all(Array.from({ length: 20 }, (_, at) => opened.shelf(`shelf ${at % 4}`).put(`row ${at}`)))
  const again = await opened.reopen()
  for (let at = 0; at < 20; at += 1) expect(await again.shelf(`shelf ${at % 4}`).rows()).toContain(`row ${at}`)
})
