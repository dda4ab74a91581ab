/** Two transactions share their wait for the disk, and nobody is told of the first before it is there. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setImmediate as nextPass } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSqlite, type SqliteDatabase } from '../../../local/agent/adapters/node-sqlite.ts'
import { createIdentifiers } from '../../../local/agent/runtime/identifiers.ts'
import { SessionStore } from '../../../local/agent/runtime/session-store.ts'
import type { Durability, SettlingSql } from '../../../local/agent/runtime/settling.ts'

const clock = { nowMs: () => 1_790_000_000_000 }
const ids = createIdentifiers(clock)
const session = ids.make('session')
let folder: string
let database: SqliteDatabase
let store: SessionStore
/** How each transaction was committed, and which events were published, in order. */
let seen: string[]
let refuses = false

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'settling-'))
  const options = { busyMs: 100, bytesMax: 1024 ** 3, walBytesMax: 1024 ** 2, versionMin: '3.51.3' }
  database = openSqlite(path.join(folder, 'x.db'), options)
  refuses = false
  const sql: SettlingSql = {
    all: (...query) => database.all(...query),
    run: (...query) => database.run(...query),
    transaction<T>(work: () => T, durability: Durability = 'settled') {
      if (refuses && durability === 'settled') throw new Error('the disk refuses')
      const value = database.transaction(work, durability)
      seen.push(durability)
      return value
    },
  }
  seen = []
  store = new SessionStore({ sql, clock, ids, version: '0' })
  store.onCommit((events) => void seen.push(...events.map(({ seq }) => `event ${seq}`)))
  store.commit(session, ({ append }) =>
    append({
      type: 'session.created',
      data: {
        info: {
          id: session,
          projectID: 'global',
          cost: 0,
          tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
          time: { created: 1, updated: 1 },
          title: 'A session',
          location: { directory: '/project' },
        },
      },
    }),
  )
  seen = []
})

afterEach(async () => {
  database.close()
  await rm(folder, { recursive: true, force: true })
})

const change = (agent: string) =>
  ({ type: 'session.next.agent.switched', data: { messageID: ids.make('message'), agent } }) as const
const ahead = () => store.commitAhead(session, ({ append }) => append(change('plan')))
const commit = () => store.commit(session, ({ append }) => append(change('build')))

test('the first is told with the second, in order, after what follows from that at once', async () => {
  ahead()
  store.settling.tell(() => void seen.push('told between'))
  expect(store.settling.settled()).toBeDefined()
  commit()
  seen.push('what follows')
  await store.settling.settled()
  expect(seen).toEqual(['with_next', 'settled', 'what follows', 'event 1', 'told between', 'event 2'])
  expect(store.settling.settled()).toBeUndefined()
})

test('where none follows it is brought to the disk a moment later', async () => {
  ahead()
  await store.settling.settled()
  expect(seen).toEqual(['with_next', 'settled', 'event 1'])
})

test('what was read is on the disk before it is told', () => {
  ahead()
  store.settling.settle()
  expect(seen).toEqual(['with_next', 'settled', 'event 1'])
  store.settling.settle()
  expect(seen).toHaveLength(3)
})

test('one that comes while the one before it waits to be told is not taken for settled', async () => {
  ahead()
  commit()
  ahead()
  expect(seen).toEqual(['with_next', 'settled', 'with_next', 'event 1', 'event 2'])
  await nextPass()
  await store.settling.settled()
  expect(seen.slice(5)).toEqual(['settled', 'event 3'])
})

test('a disk that refuses is told to those who wait, and what was committed is told once it takes it', async () => {
  refuses = true
  ahead()
  await expect(store.settling.settled()).rejects.toThrow('the disk refuses')
  expect(() => ahead()).toThrow('the disk refuses')
  expect(seen).toEqual(['with_next'])
  refuses = false
  ahead()
  await expect.poll(() => seen).toEqual(['with_next', 'settled', 'event 1', 'event 2'])
  expect(store.newestSeq(session)).toBe(2)
})
