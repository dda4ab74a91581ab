import fc from 'fast-check'
import { beforeEach, test } from 'vitest'
import {
  askDecision,
  type Decision,
  pendingDecisionSchema,
  pendingDecisions,
  settleDecision,
} from '../../shared/decision/pending-decision.ts'
import { migrate } from '../../shared/sql/migrate.ts'
import { newDatabase, type TestDatabase } from './engine.ts'

let database: TestDatabase

const asked: Decision = { id: 'd1', ownerId: 'o1', kind: 'permission', request: '{}' }

beforeEach(async () => {
  database = await newDatabase()
  await database.use((sql) => migrate(sql, [pendingDecisionSchema]))
  return () => database.close()
})

test('a decision is settled once, by its owner, as the kind it is', async ({ expect }) => {
  await database.use((sql) => {
    askDecision(sql, asked, 1)
    const settle = (key: Partial<Decision>) => settleDecision(sql, { ...asked, ...key }, '"yes"', 2)
    expect(settle({ ownerId: 'o2' })).toBeUndefined()
    expect(settle({ kind: 'question' })).toBeUndefined()
    expect(settle({ id: 'd2' })).toBeUndefined()
    expect(pendingDecisions(sql, 'permission')).toEqual([asked])
    expect(settle({})).toEqual(asked)
    expect(settle({})).toBeUndefined()
    expect(pendingDecisions(sql, 'permission', 'o1')).toEqual([])
  })
})

test('is asked once under its name', async ({ expect }) => {
  await database.use((sql) => {
    askDecision(sql, asked, 1)
    expect(() => askDecision(sql, { ...asked, ownerId: 'o2' }, 2)).toThrow('UNIQUE constraint failed')
    expect(pendingDecisions(sql, 'permission')).toEqual([asked])
  })
})

test('what is pending is listed oldest first, of one owner or of all', async ({ expect }) => {
  await database.use((sql) => {
    askDecision(sql, { ...asked, id: 'late' }, 3)
    askDecision(sql, { ...asked, id: 'early', ownerId: 'o2' }, 1)
    askDecision(sql, { ...asked, id: 'b' }, 2)
    askDecision(sql, { ...asked, id: 'a' }, 2)
    askDecision(sql, { ...asked, id: 'question', kind: 'question' }, 1)
    const ids = (owner?: string) => pendingDecisions(sql, 'permission', owner).map((one) => one.id)
    expect(ids()).toEqual(['early', 'a', 'b', 'late'])
    expect(ids('o1')).toEqual(['a', 'b', 'late'])
  })
})

test('of any number of answers, whatever is rolled back or restarted between them, one wins', async ({ expect }) => {
  let runs = 0
  const answer = fc.constantFrom('answer', 'answer and fail', 'restart')
  await fc.assert(
    fc.asyncProperty(fc.array(answer, { maxLength: 8 }), async (answers) => {
      runs += 1
      const own = { ...asked, id: `d${runs}` }
      await database.use((sql) => askDecision(sql, own, 1))
      const won: number[] = []
      for (const [index, action] of answers.entries()) {
        if (action === 'restart') {
          await database.restart()
          continue
        }
        const settled = database.use((sql) =>
          sql.transaction(() => {
            const found = settleDecision(sql, own, String(index), 2)
            if (action === 'answer and fail') throw new Error('rolled back')
            return found
          }),
        )
        if (action === 'answer and fail') await expect(settled).rejects.toThrow('rolled back')
        else if ((await settled) !== undefined) won.push(index)
      }
      const first = answers.indexOf('answer')
      expect(won).toEqual(first === -1 ? [] : [first])
      const [row] = await database.use((sql) =>
        sql.all('SELECT status, outcome FROM pending_decision WHERE id = ?', own.id),
      )
      expect(row).toEqual(
        first === -1 ? { status: 'pending', outcome: null } : { status: 'settled', outcome: String(first) },
      )
    }),
    { numRuns: 25 },
  )
})
