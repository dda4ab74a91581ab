import { rmSync } from 'node:fs'
import { copyFile, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, test } from 'vitest'
import { openSqlite, SqliteFault } from '../../../local/agent/adapters/node-sqlite.ts'
import { copyOf, keepGoodCopy, openStorage } from '../../../local/agent/adapters/open-storage.ts'
import { storageCopyAfterMs, storageCopyAgeMsMax, storageCopyBytesMax } from '../../../local/agent/limits.ts'
import { createIdentifiers } from '../../../local/agent/runtime/identifiers.ts'
import { SessionStore } from '../../../local/agent/runtime/session-store.ts'
import { appendEvent, eventLogSchema, newestSeq, readEvents } from '../../../shared/event-log/event-log.ts'
import { migrate } from '../../../shared/sql/migrate.ts'
import { BoundedSubscriber } from '../../../shared/sse/bounded-subscriber.ts'
import { startTestServer } from '../../support/agent-server.ts'

let folder: string
let file: string
const options = { busyMs: 100, bytesMax: 64 * 1024 * 1024, walBytesMax: 1024 * 1024, versionMin: '3.51.3' }

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'storage-'))
  file = path.join(folder, 'x.db')
})

afterEach(() => rm(folder, { recursive: true, force: true }))

const event = (id: string) => ({ id, type: 'x', version: 1, data: '{}' })

describe('the database', () => {
  test('is refused on an engine that can damage it', ({ expect }) => {
    expect(() => openSqlite(file, { ...options, versionMin: '99.0.0' })).toThrow(/99\.0\.0 or newer is needed/)
  })

  test.for([
    ['is no database', 'x'.repeat(8192), /x\.db is damaged; put a copy of it in its place, or move it away/],
    ['was cut to a part of its first page', 'SQLite format 3\0'.padEnd(60, '\x07'), /x\.db is damaged/],
    ['was emptied', '', /x\.db was emptied; put a copy of it in its place, or move it away/],
  ] as const)('that %s is named, and left as it is', async ([, text, said], { expect }) => {
    const reserved = { ...options, reserveBytes: 4096 }
    openSqlite(file, reserved).close()
    await writeFile(file, text)

    expect(() => openSqlite(file, reserved)).toThrow(said)
    expect(() => openSqlite(file, reserved)).toThrow(SqliteFault)
    expect(await readFile(file, 'utf8')).toBe(text)
  })

  test('of which a first start left nothing but its name begins anew', async ({ expect }) => {
    await writeFile(file, '')
    const sql = openSqlite(file, { ...options, reserveBytes: 4096 })
    expect(sql.all('SELECT 1 AS one')).toMatchObject([{ one: 1 }])
    sql.close()
  })

  test('tells what its engine refuses as its own fault', ({ expect }) => {
    const sql = openSqlite(file, options)
    expect(() => sql.run('nonsense')).toThrow(SqliteFault)
    expect(() => sql.all('SELECT * FROM nowhere')).toThrow(SqliteFault)
    sql.close()
  })

  test('that is full refuses to write, goes on reading, and has lost nothing', ({ expect }) => {
    const small = openSqlite(file, { ...options, bytesMax: 200 * 1024 })
    migrate(small, [eventLogSchema])
    let written = 0
    expect(() => {
      for (;;) {
        small.transaction(() =>
          appendEvent(small, 'a', { ...event(`e${written}`), data: JSON.stringify('x'.repeat(2_000)) }),
        )
        written += 1
      }
    }).toThrow(/full/)
    expect(newestSeq(small, 'a')).toBe(written - 1)
    small.close()

    const large = openSqlite(file, options)
    expect(readEvents(large, 'a', { after: -1, upTo: written, limit: 10_000 })).toHaveLength(written)
    large.transaction(() => appendEvent(large, 'a', event('next')))
    expect(newestSeq(large, 'a')).toBe(written)
    large.close()
  })
})

test('its journal is made longer ahead of what is written, by zeros that are read as its end', async ({ expect }) => {
  const sql = openSqlite(file, options)
  migrate(sql, [eventLogSchema])
  sql.transaction(() => appendEvent(sql, 'a', event('before')))
  const { size } = await stat(`${file}-wal`)
  let pieces = 1
  while (sql.lengthenJournal()) pieces += 1
  const made = (await stat(`${file}-wal`)).size
  expect(pieces).toBeGreaterThan(10)
  expect(made).toBeGreaterThan(size + 4 * 1024 * 1024)
  expect(sql.lengthenJournal()).toBe(false)
  sql.transaction(() => appendEvent(sql, 'a', event('after')), 'with_next')
  expect((await stat(`${file}-wal`)).size).toBe(made)
  expect(sql.all('PRAGMA synchronous')).toEqual([{ synchronous: 2 }])

  // As a kill leaves it.
  const killed = path.join(folder, 'killed.db')
  for (const end of ['', '-wal', '-shm']) await copyFile(file + end, killed + end)
  sql.close()
  const again = openStorage(killed, options)
  expect(again.loss).toBeUndefined()
  expect(readEvents(again.sql, 'a', { after: -1, upTo: 9, limit: 9 }).map(({ id }) => id)).toEqual(['before', 'after'])
  again.sql.close()
})

test('a full database says so until something was removed', ({ expect }) => {
  const small = openSqlite(file, { ...options, bytesMax: 200 * 1024, reserveBytes: 40 * 1024 })
  migrate(small, [eventLogSchema])
  const append = (id: string) =>
    small.transaction(() => appendEvent(small, 'a', { ...event(id), data: JSON.stringify('x'.repeat(2_000)) }))
  let written = 0
  expect(small.isFull()).toBe(false)
  expect(() => {
    for (; ; written += 1) append(`e${written}`)
  }).toThrow(/full/)
  expect(small.isFull()).toBe(true)
  // The reserve holds one more, and is still not room.
  append('last')
  expect(small.isFull()).toBe(true)
  small.run('DELETE FROM event WHERE seq < ?', written / 2)
  expect(small.isFull()).toBe(false)
  append('again')
  small.close()
})

describe('a bounded subscriber', () => {
  const bounds = { itemsMax: 3, bytesMax: 10 }

  test('at its bound it holds everything, past it it says how much is missing after what it holds', async ({
    expect,
  }) => {
    const at = new BoundedSubscriber<string>(bounds, (item) => item.length)
    for (const item of ['a', 'b', 'c']) at.offer(item)
    expect(await at.take(0)).toEqual({ kind: 'items', items: ['a', 'b', 'c'] })
    expect(await at.take(0)).toEqual({ kind: 'quiet' })

    const past = new BoundedSubscriber<string>(bounds, (item) => item.length)
    for (const item of ['a', 'b', 'c', 'd', 'e']) past.offer(item)
    expect(await past.take(0)).toEqual({ kind: 'items', items: ['a', 'b', 'c'] })
    past.offer('f')
    expect(await past.take(0)).toEqual({ kind: 'lagged', dropped: 3 })
  })

  test('counts bytes as well as items', async ({ expect }) => {
    const subscriber = new BoundedSubscriber<string>(bounds, (item) => item.length)
    subscriber.offer('12345')
    subscriber.offer('67890')
    subscriber.offer('x')
    expect(await subscriber.take(0)).toEqual({ kind: 'items', items: ['12345', '67890'] })
    expect(await subscriber.take(0)).toEqual({ kind: 'lagged', dropped: 1 })
  })

  test('wakes its reader for an item and for its end', async ({ expect }) => {
    const subscriber = new BoundedSubscriber<string>(bounds, (item) => item.length)
    const first = subscriber.take(60_000)
    subscriber.offer('a')
    expect(await first).toEqual({ kind: 'items', items: ['a'] })
    const second = subscriber.take(60_000)
    subscriber.close()
    expect(await second).toEqual({ kind: 'closed' })
    subscriber.offer('b')
    expect(await subscriber.take(0)).toEqual({ kind: 'closed' })
  })
})

test('a damaged database is told as such, without a detail', async ({ expect }) => {
  const server = await startTestServer({ logger: { error: () => undefined } })
  const session = await server.createSession()
  const other = new DatabaseSync(path.join(server.dataDir, 'agent.db'))
  other.exec('DROP TABLE session_input')
  other.close()

  const refused = await server.prompt(session, 'Hello', { id: 'msg_one' })

  expect(refused).toMatchObject({
    status: 500,
    body: { error: { code: 'database_error', message: 'The server could not complete the request' } },
  })
  expect(refused.text).not.toContain('session_input')
  await server.close()
})

test('a page that is torn while the server runs is named with its path and the way out, and told to who asks', async ({
  expect,
}) => {
  const server = await startTestServer({ logger: { error: () => undefined } })
  const session = await server.createSession()
  const database = path.join(server.dataDir, 'agent.db')
  await server.restart()
  // All but the first page, of which the server has a part in memory: what it reads next is not there.
  const bytes = await readFile(database)
  await writeFile(database, bytes.fill(0xa5, 4096))

  const refused = await server.prompt(session, 'Hello')

  const damaged = `the database ${database} is damaged; put a copy of it in its place, or move it away to begin anew`
  expect(refused).toMatchObject({ status: 500, body: { error: { code: 'database_error', message: damaged } } })
  expect(await server.send('GET', '/api/health')).toMatchObject({ status: 503, body: { error: { message: damaged } } })
  await server.close()
})

test('a journal that was cut is told of at the start, and what it lost is gone', async ({ expect }) => {
  const sql = openSqlite(file, options)
  sql.run('CREATE TABLE t (a TEXT)')
  sql.run("INSERT INTO t VALUES ('kept')")
  const { size } = await stat(`${file}-wal`)
  sql.run("INSERT INTO t VALUES ('lost')")
  const killed = `${file}-killed`
  for (const end of ['', '-wal', '-shm']) await copyFile(file + end, killed + end)
  sql.close()
  await truncate(`${killed}-wal`, size)

  const storage = openStorage(killed, options)

  expect(storage.loss).toBe(`what was written into ${killed} last is lost: its journal is damaged`)
  expect(storage.sql.all('SELECT a FROM t')).toEqual([{ a: 'kept' }])
  expect([storage.isReadOnly, storage.problem()]).toEqual([false, undefined])
  storage.sql.close()
  expect(openStorage(killed, options).loss).toBeUndefined()
})

test('stored projections are those the log alone gives, after a turn, a switch and a revert', async ({ expect }) => {
  const server = await startTestServer()
  await server.write('a.txt', 'one\n')
  server.model.script(
    {
      reasoning: ['hm'],
      text: ['a', 'b'],
      calls: [{ id: 'c1', name: 'bash', input: { command: 'echo two > a.txt' } }],
    },
    { text: ['done'] },
    { text: ['more'] },
  )
  const session = await server.createSession()
  const first = await server.prompt(session, 'One')
  await server.wait(session)
  await server.send('POST', `/api/session/${session}/agent`, { agent: 'plan' })
  const second = await server.prompt(session, 'Two')
  await server.wait(session)
  await server.send('POST', `/api/session/${session}/revert/stage`, { messageID: second.body.data.id })
  await server.send('POST', `/api/session/${session}/revert/commit`)
  await server.send('POST', `/api/session/${session}/revert/stage`, { messageID: first.body.data.id })

  const sql = openSqlite(path.join(server.dataDir, 'agent.db'), options)
  const clock = { nowMs: () => 0 }
  const store = new SessionStore({ sql, clock, ids: createIdentifiers(clock), version: '0' })
  const rebuilt = store.rebuild(session)
  expect(rebuilt.messages).toEqual(store.messagesFrom(session, 0))
  expect(rebuilt.messages.length).toBeGreaterThan(2)
  expect(rebuilt.record).toEqual(store.find(session))
  expect(rebuilt.record?.revert?.files).toHaveLength(1)
  sql.close()
  await server.close()
})

describe('a copy of the database', () => {
  test('is taken once a day while it is written to, and is what a damaged one is shown from', async ({ expect }) => {
    const server = await startTestServer({ goodCopyAfterMs: 0 })
    const session = await server.createSession()
    const database = path.join(server.dataDir, 'agent.db')
    const copy = copyOf(database)
    await server.restart()
    await expect.poll(() => stat(copy).catch(() => undefined), { timeout: 20_000 }).toBeDefined()
    const { mtimeMs, mode } = await stat(copy)
    expect(mode & 0o777).toBe(0o600)
    await expect.poll(async () => (await readdir(server.dataDir)).filter((name) => name.includes('.part'))).toEqual([])
    const later = await server.createSession()
    await server.restart()
    expect((await stat(copy)).mtimeMs).toBe(mtimeMs)
    await server.suspend()
    await writeFile(database, 'x'.repeat(8192))

    const problems: unknown[] = []
    await server.restart({ logger: { error: (name, fields) => void problems.push(name, fields) } })

    const damaged = `the database ${database} is damaged; put a copy of it in its place`
    expect(problems).toEqual(['storage_read_only', { problem: expect.stringContaining(damaged) }])
    expect((await server.send('GET', `/api/session/${session}`)).status).toBe(200)
    expect((await server.send('GET', `/api/session/${later}`)).status).toBe(404)
    const refused = await server.prompt(session, 'Hello')
    expect(refused).toMatchObject({ status: 500, body: { error: { message: expect.stringContaining(copy) } } })
    expect(await readFile(database, 'utf8')).toBe('x'.repeat(8192))
    await server.close()
  })

  test('is not made where a page is damaged, which is told, and the one before it stays', async ({ expect }) => {
    const sql = openSqlite(file, options)
    sql.run('CREATE TABLE t (a TEXT)')
    for (let row = 0; row < 200; row += 1) sql.run('INSERT INTO t VALUES (?)', 'x'.repeat(1000))
    sql.close()
    const bytes = await readFile(file)
    await writeFile(file, bytes.fill(0xa5, 5 * 4096, 5 * 4096 + 64))
    await writeFile(copyOf(file), 'before')
    const told: unknown[] = []

    // A file may be of a part of this very millisecond.
    keepGoodCopy(file, Date.now() + storageCopyAgeMsMax + 1, { error: (name) => void told.push(name) }, 0)

    await expect.poll(() => told, { timeout: 20_000 }).toEqual(['storage_damaged'])
    expect(await readFile(copyOf(file), 'utf8')).toBe('before')
  })

  test('is not there where it could not be made, which is told', async ({ expect }) => {
    openSqlite(file, options).close()
    const told: unknown[] = []
    keepGoodCopy(file, Date.now(), { error: (name) => void told.push(name) }, 0)
    // Before what copies has begun.
    rmSync(file)

    await expect.poll(() => told, { timeout: 20_000 }).toEqual(['storage_copy_failed'])
    await expect(stat(copyOf(file))).rejects.toThrow('ENOENT')
  })

  test('is not made before its time', async ({ expect }) => {
    openSqlite(file, options).close()
    const copying = keepGoodCopy(file, Date.now(), { error: () => undefined }, storageCopyAfterMs)
    await copying?.end()
    expect(copying).toBeDefined()
    expect(await readdir(folder)).toEqual(['x.db'])
  })

  test.for([
    ['a younger copy', storageCopyAgeMsMax - 1000, 4096, false],
    ['an older copy', storageCopyAgeMsMax + 1000, 4096, true],
    ['a database past its bound', storageCopyAgeMsMax + 1000, storageCopyBytesMax + 4096, false],
  ] as const)('%s: %s ms, %s bytes, taken %s', async ([, ageMs, bytes, isTaken], { expect }) => {
    openSqlite(file, options).close()
    await truncate(file, bytes)
    await writeFile(copyOf(file), '')
    const before = await stat(copyOf(file))
    const copying = keepGoodCopy(file, before.mtimeMs + ageMs, { error: () => undefined }, 0)
    expect(copying !== undefined).toBe(isTaken)
    await copying?.end()
  })
})
