import fc from 'fast-check'
import { describe, test } from 'vitest'
import { type PruneCandidate, type PruneRules, selectForPruning } from '../../../local/agent/core/prune-selection.ts'

const rules: PruneRules = { by: 'updated', untilMs: 100, recentMs: undefined, sessionsMax: 10 }

function candidate(id: string, more: Partial<PruneCandidate> = {}): PruneCandidate {
  return {
    id,
    parentId: undefined,
    createdMs: 0,
    updatedMs: 50,
    newestSeq: 1,
    isRunning: false,
    hasStagedRevert: false,
    ...more,
  }
}

const selectedIds = (candidates: readonly PruneCandidate[], more: Partial<PruneRules> = {}) =>
  selectForPruning(candidates, { ...rules, ...more }).selected.map(({ id }) => id)

describe('age', () => {
  test.for([
    ['one that is just old enough', { updatedMs: 100 }, {}, ['a']],
    ['one that is a millisecond younger', { updatedMs: 101 }, {}, []],
    ['an old one that changed lately', { createdMs: 0, updatedMs: 500 }, {}, []],
    ['the same, by its creation', { createdMs: 0, updatedMs: 500 }, { by: 'created' }, ['a']],
    ['one that was created too late', { createdMs: 101, updatedMs: 500 }, { by: 'created' }, []],
  ] as const)('%s', ([, session, more, expected], { expect }) => {
    expect(selectedIds([candidate('a', session)], more)).toEqual(expected)
  })

  test('the oldest come first, and no more than a round takes, families whole', ({ expect }) => {
    const candidates = [
      candidate('a', { updatedMs: 30 }),
      candidate('b', { updatedMs: 10 }),
      candidate('c', { updatedMs: 20 }),
      candidate('d', { updatedMs: 15, parentId: 'c' }),
    ]
    expect(selectedIds(candidates)).toEqual(['b', 'c', 'd', 'a'])
    expect(selectedIds(candidates, { sessionsMax: 4 })).toHaveLength(4)
    const cut = selectForPruning(candidates, { ...rules, sessionsMax: 3 })
    expect([cut.isCut, cut.selected.map(({ id }) => id)]).toEqual([true, ['b', 'c', 'd']])
  })
})

describe('families', () => {
  test('a task goes with the session it worked for, and keeps it when it is young', ({ expect }) => {
    const family = [candidate('top'), candidate('task', { parentId: 'top' }), candidate('below', { parentId: 'task' })]
    expect(selectedIds(family)).toEqual(['top', 'task', 'below'])
    const young = [...family.slice(0, 2), candidate('below', { parentId: 'task', updatedMs: 101 })]
    expect(selectedIds(young)).toEqual([])
  })

  test('a task whose session is gone stands for itself', ({ expect }) => {
    expect(selectedIds([candidate('task', { parentId: 'gone' })])).toEqual(['task'])
  })
})

describe('protection', () => {
  test.for([
    ['running', { isRunning: true }],
    ['recent', { updatedMs: 91 }],
    ['revert_staged', { hasStagedRevert: true }],
  ] as const)('a session that is %s keeps its whole family', ([reason, more], { expect }) => {
    const { selected, excluded } = selectForPruning(
      [candidate('top'), candidate('task', { parentId: 'top', ...more }), candidate('other')],
      { ...rules, recentMs: 90 },
    )
    expect(selected.map(({ id }) => id)).toEqual(['other'])
    expect(excluded).toEqual([
      { id: 'top', reasons: [reason] },
      { id: 'task', reasons: [reason] },
    ])
  })

  test('whatever the sessions are, nothing protected, young or doubled is selected', ({ expect }) => {
    const session = fc.record({
      parentId: fc.option(fc.constantFrom('s0', 's1', 's2', 'gone'), { nil: undefined }),
      updatedMs: fc.integer({ min: 0, max: 200 }),
      isRunning: fc.boolean(),
      hasStagedRevert: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(session, { maxLength: 8 }), fc.integer({ min: 0, max: 8 }), (sessions, sessionsMax) => {
        // A parent is always older than its task.
        const candidates = sessions.map(({ parentId, ...more }, index) =>
          candidate(`s${index}`, {
            ...more,
            parentId: parentId !== undefined && parentId < `s${index}` ? parentId : undefined,
          }),
        )
        const { selected, excluded } = selectForPruning(candidates, { ...rules, recentMs: 90, sessionsMax })
        expect(selected.length).toBeLessThanOrEqual(sessionsMax)
        const ids = [...selected, ...excluded].map(({ id }) => id)
        expect(new Set(ids).size).toBe(ids.length)
        for (const one of selected) {
          expect(one).toMatchObject({ isRunning: false, hasStagedRevert: false })
          expect(one.updatedMs).toBeLessThanOrEqual(90)
        }
      }),
    )
  })
})
