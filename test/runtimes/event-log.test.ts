import fc from 'fast-check'
import { beforeEach, test } from 'vitest'
import { appendEvent, eventLogSchema, newestSeq, readEvents } from '../../shared/event-log/event-log.ts'
import { migrate } from '../../shared/sql/migrate.ts'
import { newDatabase, type TestDatabase } from './engine.ts'

let database: TestDatabase

const event = (id: string, data = '{}') => ({ id, type: 'x', version: 1, data })

async function newLog(): Promise<TestDatabase> {
  const made = await newDatabase()
  await made.use((sql) => migrate(sql, [eventLogSchema]))
  return made
}

beforeEach(async () => {
  database = await newLog()
  return () => database.close()
})

test('a log begins at 0, answers with what it wrote, and a log without events is at -1', async ({ expect }) => {
  await database.use((sql) => {
    expect(newestSeq(sql, 'a')).toBe(-1)
    const data = JSON.stringify({ text: '名字 "quoted" \u2028' })
    const logged = sql.transaction(() => appendEvent(sql, 'a', event('e0', data)))
    expect(logged).toEqual({ aggregateId: 'a', seq: 0, id: 'e0', type: 'x', version: 1, data })
    expect(newestSeq(sql, 'a')).toBe(0)
    expect(newestSeq(sql, 'b')).toBe(-1)
    expect(readEvents(sql, 'a', { after: -1, upTo: 9, limit: 9 })).toEqual([logged])
  })
})

test('a page is what lies after one number, up to another, and no longer than its limit', async ({ expect }) => {
  const pages = [
    { range: { after: -1, upTo: 9, limit: 9 }, seqs: [0, 1, 2, 3] },
    { range: { after: 0, upTo: 2, limit: 9 }, seqs: [1, 2] },
    { range: { after: 0, upTo: 9, limit: 2 }, seqs: [1, 2] },
    { range: { after: 3, upTo: 9, limit: 9 }, seqs: [] },
    { range: { after: -1, upTo: -1, limit: 9 }, seqs: [] },
  ]
  await database.use((sql) => {
    for (const id of ['e0', 'e1', 'e2', 'e3']) sql.transaction(() => appendEvent(sql, 'a', event(id)))
    sql.transaction(() => appendEvent(sql, 'b', event('other')))
    for (const { range, seqs } of pages) expect(readEvents(sql, 'a', range).map((one) => one.seq)).toEqual(seqs)
  })
})

test('sequence numbers are dense for each log, whatever is appended, rolled back and restarted', async ({ expect }) => {
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('append' as const),
      log: fc.constantFrom('a', 'b'),
      count: fc.integer({ min: 1, max: 4 }),
    }),
    fc.record({ kind: fc.constant('fail' as const), log: fc.constantFrom('a', 'b') }),
    fc.constant({ kind: 'restart' as const }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      const own = await newLog()
      const expected: Record<string, string[]> = { a: [], b: [] }
      let count = 0
      for (const action of steps) {
        if (action.kind === 'restart') {
          await own.restart()
        } else if (action.kind === 'fail') {
          const failing = own.use((sql) =>
            sql.transaction(() => {
              appendEvent(sql, action.log, event('never'))
              throw new Error('rolled back')
            }),
          )
          await expect(failing).rejects.toThrow('rolled back')
        } else {
          const ids = Array.from({ length: action.count }, () => `e${count++}`)
          await own.use((sql) =>
            sql.transaction(() => {
              for (const id of ids) appendEvent(sql, action.log, event(id))
            }),
          )
          expected[action.log]?.push(...ids)
        }
      }
      for (const [log, ids] of Object.entries(expected)) {
        const found = await own.use((sql) => readEvents(sql, log, { after: -1, upTo: 1e9, limit: 1e9 }))
        expect(found.map((one) => [one.seq, one.id])).toEqual(ids.map((id, seq) => [seq, id]))
      }
      await own.close()
    }),
    { numRuns: 25 },
  )
})
