/** Texts of a step that runs, begun, grown and ended in any order: what is read at every moment is what the log says. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, test } from 'vitest'
import { openSqlite, type SqliteDatabase } from '../../../local/agent/adapters/node-sqlite.ts'
import type { SessionEvent } from '../../../local/agent/core/session/event.ts'
import { createIdentifiers } from '../../../local/agent/runtime/identifiers.ts'
import { SessionStore } from '../../../local/agent/runtime/session-store.ts'
import { StepWriter } from '../../../local/agent/runtime/step-writer.ts'

const clock = { nowMs: () => 1_790_000_000_000 }
const ids = createIdentifiers(clock)
const assistantMessageID = 'msg_1'
let folder: string
let sql: SqliteDatabase
let store: SessionStore

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'open-message-'))
  sql = openSqlite(path.join(folder, 'x.db'), {
    busyMs: 100,
    bytesMax: 1024 ** 3,
    walBytesMax: 1024 ** 2,
    versionMin: '3.51.3',
  })
  sql.all('PRAGMA synchronous = OFF')
  store = new SessionStore({ sql, clock, ids, version: '0' })
})

afterAll(async () => {
  sql.close()
  await rm(folder, { recursive: true, force: true })
})

function beginStep(): string {
  const id = ids.make('session')
  const info = {
    id,
    projectID: 'prj',
    title: 'One',
    cost: 0,
    tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
    time: { created: 1, updated: 1 },
    location: { directory: '/x' },
  }
  store.commit(id, ({ append }) => append({ type: 'session.created', data: { info } } as SessionEvent))
  put(id, {
    type: 'session.next.step.started',
    data: { assistantMessageID, agent: 'build', model: { providerID: 'fake', id: 'one' } },
  })
  return id
}

const put = (session: string, event: SessionEvent) => void store.commit(session, ({ append }) => append(event))
const rowOf = (session: string) => sql.all('SELECT data FROM message WHERE session_id = ?', session)[0]?.['data']

const textsInRow = (session: string) =>
  (JSON.parse(String(rowOf(session))) as { content: { text?: string }[] }).content.map(({ text }) => text ?? '')

const names = ['a', 'b', 'c'] as const
const actions = fc.array(
  fc.record({
    name: fc.constantFrom(...names),
    act: fc.constantFrom('start', 'grow', 'end', 'call'),
    // What a text says may look like the head of another piece.
    said: fc.constantFrom('x', '"textID":"b"', 'ID":"a"', 'é\n'),
    isThought: fc.boolean(),
  }),
  { maxLength: 40 },
)

test('is read as the log has it, and an end rewrites nothing', ({ expect }) => {
  fc.assert(
    fc.property(actions, (steps) => {
      const session = beginStep()
      const texts = new Map<string, { isThought: boolean; text: string; hasEnded: boolean }>()
      for (const [at, { name, act, said, isThought }] of steps.entries()) {
        const known = texts.get(name)
        const before = rowOf(session)
        const of = (thought: boolean) => (thought ? { reasoningID: name } : { textID: name })
        const tell = (thought: boolean, what: string, more: object = {}) =>
          put(session, {
            type: `session.next.${thought ? 'reasoning' : 'text'}.${what}`,
            data: { assistantMessageID, ...of(thought), ...more },
          } as SessionEvent)
        if (act === 'call')
          put(session, {
            type: 'session.next.tool.input.started',
            data: { assistantMessageID, callID: `call_${at}`, name: 'read' },
          })
        else if (act === 'start' && known === undefined) {
          tell(isThought, 'started')
          texts.set(name, { isThought, text: '', hasEnded: false })
        } else if (known !== undefined && !known.hasEnded && act !== 'start') {
          if (act === 'grow') known.text += said
          else known.hasEnded = true
          tell(
            known.isThought,
            act === 'grow' ? 'delta' : 'ended',
            act === 'grow' ? { delta: said } : { text: known.text },
          )
          expect(rowOf(session)).toBe(before)
        }
        expect(store.findMessage(session, assistantMessageID)).toEqual(store.rebuild(session).messages[0])
        // No call of a tool writes what was said before it once more.
        expect(textsInRow(session).join('')).toBe('')
      }
      put(session, {
        type: 'session.next.step.failed',
        data: { assistantMessageID, error: { type: 'unknown', message: 'x' } },
      })
      expect(JSON.parse(String(rowOf(session)))).toEqual(store.rebuild(session).messages[0])
    }),
    { numRuns: 60 },
  )
})

test('goes on where an earlier version wrote the texts into the row of a step that runs', ({ expect }) => {
  const session = beginStep()
  const tell = (type: string, data: object) =>
    put(session, { type: `session.next.${type}`, data: { assistantMessageID, ...data } } as SessionEvent)
  tell('text.started', { textID: 'a' })
  tell('text.delta', { textID: 'a', delta: 'Once ' })
  sql.run(
    'UPDATE message SET data = ?, projected_seq = ? WHERE session_id = ?',
    JSON.stringify(store.findMessage(session, assistantMessageID)),
    store.newestSeq(session),
    session,
  )
  expect(textsInRow(session)).toEqual(['Once '])
  tell('text.delta', { textID: 'a', delta: 'more' })
  tell('tool.input.started', { callID: 'call', name: 'read' })
  const both = () => [store.findMessage(session, assistantMessageID), store.rebuild(session).messages[0]]
  expect(both()[0]).toMatchObject({ content: [{ text: 'Once more' }, { id: 'call' }] })
  expect(both()[0]).toEqual(both()[1])
  tell('step.failed', { error: { type: 'unknown', message: 'x' } })
  expect(both()[0]).toEqual(both()[1])
})

const parts = fc.array(
  fc.oneof(
    fc.record({
      type: fc.constantFrom('text-delta' as const, 'reasoning-delta' as const),
      id: fc.constantFrom(...names),
      text: fc.constantFrom('x', '"', 'é\n'),
    }),
    fc.record({ type: fc.constantFrom('text-end' as const, 'reasoning-end' as const), id: fc.constantFrom(...names) }),
    fc.record({
      type: fc.constant('reasoning-end' as const),
      id: fc.constant('sealed'),
      metadata: fc.constant({ a: 1 }),
    }),
    fc.record({
      type: fc.constant('tool-input-start' as const),
      id: fc.constantFrom('c', 'd'),
      name: fc.constant('read'),
    }),
  ),
  { maxLength: 20 },
)

test('a step ends with what its writer has of its texts, none of which is read again', ({ expect }) => {
  fc.assert(
    fc.property(parts, (written) => {
      const session = beginStep()
      const read: string[] = []
      const watched = new SessionStore({
        sql: {
          all: (text, ...values) => {
            read.push(text)
            return sql.all(text, ...values)
          },
          run: (...statement) => sql.run(...statement),
          transaction: (...work) => sql.transaction(...work),
        },
        ...{ clock, ids, version: '0' },
      })
      const writer = new StepWriter(watched, ids, session, assistantMessageID)
      for (const part of written) writer.write(part)
      writer.endTexts()
      expect(writer.ends).toBeDefined()
      read.length = 0
      const ahead = watched.readAhead(session, assistantMessageID, writer.ends)
      expect(ahead).toEqual(store.readAhead(session, assistantMessageID, undefined))
      const end = {
        type: 'session.next.step.failed' as const,
        data: { assistantMessageID, error: { type: 'unknown' as const, message: 'x' } },
      }
      watched.commit(session, ({ append }) => append(end), ahead)
      expect(read.filter((text) => /FROM event\b/.test(text))).toEqual([])
      expect(rowOf(session)).toBe(JSON.stringify(store.rebuild(session).messages[0]))
    }),
    { numRuns: 60 },
  )
})

test('a text whose end could not be stored is read as far as it was', ({ expect }) => {
  const session = beginStep()
  const writer = new StepWriter(store, ids, session, assistantMessageID)
  writer.write({ type: 'text-delta', id: 'a', text: 'x'.repeat(100_000) })
  const grown = store.findMessage(session, assistantMessageID)
  expect(writer.ends).toBeUndefined()
  sql.all('PRAGMA query_only = ON')
  try {
    expect(() => writer.endTexts()).toThrow()
  } finally {
    sql.all('PRAGMA query_only = OFF')
  }
  expect(writer.ends).toBeUndefined()
  expect(store.readAhead(session, assistantMessageID, writer.ends).message).toEqual(grown)
})
