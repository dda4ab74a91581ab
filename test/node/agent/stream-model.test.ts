/**
 * Readers of one session's stream, opened, read, left and opened again in any order while events are committed, with a
 * queue so short that readers may lag (that they do is event-stream.test.ts's): each gets every event once and in order. No sockets: thousands of interleavings.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, test } from 'vitest'
import { openSqlite, type SqliteDatabase } from '../../../local/agent/adapters/node-sqlite.ts'
import { EventStreams } from '../../../local/agent/runtime/event-streams.ts'
import { createIdentifiers } from '../../../local/agent/runtime/identifiers.ts'
import { SessionStore } from '../../../local/agent/runtime/session-store.ts'

const clock = { nowMs: () => 1_790_000_000_000 }
const ids = createIdentifiers(clock)
const bounds = { heartbeatMs: 60_000, subscribersMax: 64, itemsMax: 3, bytesMax: 1_000_000 }
let folder: string
let sql: SqliteDatabase
let store: SessionStore
let streams: EventStreams

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'stream-model-'))
  const options = { busyMs: 100, bytesMax: 1024 ** 3, walBytesMax: 1024 ** 2, versionMin: '3.51.3' }
  sql = openSqlite(path.join(folder, 'x.db'), options)
  // Interleavings are the matter here, not power cuts.
  sql.all('PRAGMA synchronous = OFF')
  store = new SessionStore({ sql, clock, ids, version: '0' })
  streams = new EventStreams(store, ids, bounds)
})

afterAll(async () => {
  streams.close()
  sql.close()
  await rm(folder, { recursive: true, force: true })
})

function createSession(): string {
  const id = ids.make('session')
  const directory = '/project'
  store.commit(id, ({ append }) =>
    append({
      type: 'session.created',
      data: {
        info: {
          id,
          projectID: 'global',
          cost: 0,
          tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
          time: { created: 1, updated: 1 },
          title: 'A session',
          location: { directory },
        },
      },
    }),
  )
  return id
}

function commitEvents(session: string, count: number): void {
  store.commit(session, ({ append }) => {
    for (let index = 0; index < count; index += 1) {
      append({ type: 'session.next.agent.switched', data: { messageID: ids.make('message'), agent: 'build' } })
    }
  })
}

/** One client: what it has seen, and the stream it reads, if it has one. */
class Client {
  readonly #session: string
  readonly seen: number[] = []
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  #reading: Promise<void> | undefined

  constructor(session: string) {
    this.#session = session
  }

  open(): void {
    if (this.#reader !== undefined) return
    const opened = streams.session(this.#session, this.seen.at(-1))
    if (!opened.ok) throw new Error(opened.failure.message)
    this.#reader = opened.value.getReader()
  }

  /** Asks for one more chunk, without waiting for it: it may come only after later events. */
  read(): void {
    const reader = this.#reader
    if (reader === undefined || this.#reading !== undefined) return
    this.#reading = reader.read().then(({ value, done }) => {
      this.#reading = undefined
      if (this.#reader !== reader) return
      if (done) this.#reader = undefined
      else this.#take(new TextDecoder().decode(value))
    })
  }

  /** What was on its way when the client went is lost to it, as on a socket. */
  leave(): void {
    void this.#reader?.cancel()
    this.#reader = undefined
    this.#reading = undefined
  }

  async catchUp(newest: number): Promise<void> {
    while ((this.seen.at(-1) ?? -1) < newest) {
      this.open()
      this.read()
      await this.#reading
    }
    this.leave()
  }

  #take(text: string): void {
    for (const [, seq] of text.matchAll(/^id: [^:]+:(\d+)$/gm)) this.seen.push(Number(seq))
    if (!text.includes('server.stream.lagged')) return
    const cursor = /"lastCursor":(?:null|"[^:]+:(\d+)")/.exec(text)?.[1]
    if (cursor !== undefined && Number(cursor) !== this.seen.at(-1)) throw new Error('lagged at another cursor')
  }
}

test('each reader gets every event once and in order, however reading, leaving and committing interleave', async ({
  expect,
}) => {
  const pauses = fc.boolean()
  const read = {
    kind: fc.constantFrom('open' as const, 'read', 'read', 'read', 'read', 'leave'),
    who: fc.nat(1),
    pauses,
  }
  const action = fc.oneof(
    fc.record({ kind: fc.constant('commit' as const), count: fc.integer({ min: 1, max: 6 }), pauses }),
    { weight: 3, arbitrary: fc.record(read) },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 40 }), async (actions) => {
      const session = createSession()
      const clients = [0, 1].map(() => new Client(session))
      let newest = 0
      for (const step of actions) {
        if (step.kind === 'commit') {
          commitEvents(session, step.count)
          newest += step.count
        } else clients[step.who]?.[step.kind]()
        if (step.pauses) await new Promise((resolve) => setImmediate(resolve))
      }
      for (const client of clients) {
        await client.catchUp(newest)
        expect(client.seen).toEqual(Array.from({ length: newest + 1 }, (_unused, seq) => seq))
      }
    }),
    { numRuns: 300 },
  )
})

test('a stream whose database fails ends, and leaves its place to another one', async ({ expect }) => {
  const options = { busyMs: 100, bytesMax: 1024 ** 3, walBytesMax: 1024 ** 2, versionMin: '3.51.3' }
  const broken = openSqlite(path.join(folder, 'broken.db'), options)
  const lone = new EventStreams(new SessionStore({ sql: broken, clock, ids, version: '0' }), ids, {
    ...bounds,
    subscribersMax: 1,
  })
  const stream = lone.session('ses_one', undefined)
  expect(lone.process().ok).toBe(false)
  broken.close()

  const reader = stream.ok ? stream.value.getReader() : undefined
  await reader?.read()
  await expect(reader?.read()).rejects.toThrow('database is not open')

  expect(lone.process().ok).toBe(true)
})
