import fc from 'fast-check'
import { describe, test } from 'vitest'
import type { Candidate, FilterRule, RuleCondition } from '../../../workers/app/core/rules/filter-rule.ts'
import { defaultTarget } from '../../../workers/app/core/rules/filter-rule.ts'
import { clausesByRule, judge, prepareInOrder } from '../../../workers/app/core/rules/judge.ts'
import { Subject } from '../../../workers/app/core/rules/subject.ts'
import { type Widened, widened } from '../../../workers/app/core/rules/widen.ts'

const gib = 1024 ** 3
const nowUnix = 1_800_000_000
const bounds = { numberMax: 1000, wordsMax: 3, wordCharactersMax: 8 }
const torrent: Candidate = {
  ...{ site: 'cedar', feed: 'fresh', torrentId: '7', subtitle: '远山来信' },
  ...{ title: 'Letters.from.Far.Hills.2022.2160p.WEB-DL-QUAY', promotion: 'NONE', hasHr: true },
  ...{ sizeBytes: 15.42 * gib, seeders: 12, uploadedAtUnix: nowUnix - 66, category: 'Films', tags: ['Dolby', 'HDR'] },
}

function widen(
  conditions: readonly RuleCondition[],
  change: { candidate?: Partial<Candidate>; rule?: Partial<FilterRule>; taken?: number } = {},
): Widened | undefined {
  const subject = new Subject({ ...torrent, ...change.candidate }, nowUnix)
  const rule = { action: 'take', conditions, target: defaultTarget, ...change.rule } as const
  const takenToday = () => ({ count: change.taken ?? 0, bytes: 0 })
  const [clauses = []] = clausesByRule(subject, prepareInOrder([{ id: 1, rule }]), { mayWait: false, takenToday })
  return widened(clauses, subject, defaultTarget, bounds)
}

const size = (op: 'at_least' | 'at_most', value: number): RuleCondition => ({ field: 'size_gib', op, value })
const title = (op: 'has_all' | 'has_any' | 'has_none' | 'like' | 'not_like' | 'not_matches', value: string[]) =>
  ({ field: 'title', op, value }) as const
const kept = { field: 'seeders', op: 'at_most', value: 20 } as const

describe('what a rule would ask to take what it left', () => {
  const table: readonly [string, RuleCondition, RuleCondition | 'nothing' | undefined][] = [
    ['a bound above goes up to the next round number', size('at_most', 15), size('at_most', 16)],
    ['a bound below goes down', size('at_least', 20), size('at_least', 15)],
    [
      'small ones in tenths',
      { field: 'age_minutes', op: 'at_most', value: 1 },
      { field: 'age_minutes', op: 'at_most', value: 1.1 },
    ],
    [
      'what is allowed has it as well',
      { field: 'site', op: 'is_any', value: ['fern'] },
      { field: 'site', op: 'is_any', value: ['fern', 'cedar'] },
    ],
    [
      'of tags one',
      { field: 'tag', op: 'is_any', value: ['REMUX'] },
      { field: 'tag', op: 'is_any', value: ['REMUX', 'Dolby'] },
    ],
    [
      'what is forbidden has it no longer',
      { field: 'category', op: 'is_none', value: ['films', 'Music'] },
      { field: 'category', op: 'is_none', value: ['Music'] },
    ],
    ['of tags each', { field: 'tag', op: 'is_none', value: ['hdr', 'dolby'] }, 'nothing'],
    ['a mark is not asked for', { field: 'hit_and_run', op: 'is', value: false }, 'nothing'],
    [
      'what nobody told counts as met',
      { field: 'leechers', op: 'at_least', value: 3 },
      { field: 'leechers', op: 'at_least', value: 3, or_unknown: true },
    ],
    ['words that it lacks are not asked for', title('has_all', ['far', 'near']), title('has_all', ['far'])],
    ['words that it has are not forbidden', title('has_none', ['hills', 'CAM']), title('has_none', ['CAM'])],
    ['nor forms', title('not_like', ['*hills*']), 'nothing'],
    ['nor patterns', title('not_matches', ['x265', '\\d{4}p']), title('not_matches', ['x265'])],
    ['of no word that it should have had one is left', title('has_all', ['near']), undefined],
    ['nobody guesses a word', title('has_any', ['near']), undefined],
    ['nor a form', title('like', ['near*']), undefined],
    ['a list that is full', { field: 'site', op: 'is_any', value: ['a', 'b', 'c'] }, undefined],
  ]
  test.for(table)('%s', ([, was, now], { expect }) => {
    expect(widen([kept, was])).toEqual(
      now === undefined
        ? undefined
        : {
            conditions: now === 'nothing' ? [kept] : [kept, now],
            changed: [now === 'nothing' ? { was } : { was, now }],
          },
    )
  })

  test('is everything that was against it, and nothing where that would leave nothing to ask', ({ expect }) => {
    const noMark = { field: 'hit_and_run', op: 'is', value: false } as const
    expect(widen([size('at_most', 2), noMark])).toEqual({
      conditions: [size('at_most', 16)],
      changed: [{ was: size('at_most', 2), now: size('at_most', 16) }, { was: noMark }],
    })
    expect(widen([noMark])).toBeUndefined()
    expect(widen([size('at_most', 2), title('has_any', ['near'])])).toBeUndefined()
    // It would take it as it is, or its day is full.
    expect(widen([kept])).toBeUndefined()
    expect(widen([size('at_most', 2)], { rule: { per_day_max: 4 }, taken: 3 })).toBeDefined()
    expect(widen([size('at_most', 2)], { rule: { per_day_max: 4 }, taken: 4 })).toBeUndefined()
  })

  test('no number beyond the bound, and no word that is too long', ({ expect }) => {
    const seeders = (value: number) => ({ field: 'seeders', op: 'at_most', value }) as const
    expect(widen([seeders(3)], { candidate: { seeders: 1000 } })?.conditions).toEqual([seeders(1000)])
    expect(widen([seeders(3)], { candidate: { seeders: 1001 } })).toBeUndefined()
    const site = { field: 'site', op: 'is_any', value: ['fern'] } as const
    expect(widen([site], { candidate: { site: 'eightlet' } })).toBeDefined()
    expect(widen([site], { candidate: { site: 'nineleter' } })).toBeUndefined()
  })

  test('takes it then, and still what it took before', ({ expect }) => {
    let widenedRules = 0
    fc.assert(
      fc.property(
        candidates,
        candidates,
        fc.array(conditions, { minLength: 1, maxLength: 5 }),
        (left, other, asked) => {
          const wider = widen(asked, { candidate: left })
          if (wider === undefined) return
          widenedRules += 1
          const takes = (candidate: Partial<Candidate>, by: readonly RuleCondition[]) =>
            judge(
              new Subject({ ...torrent, ...candidate }, nowUnix),
              prepareInOrder([{ id: 1, rule: { action: 'take', conditions: by, target: defaultTarget } }]),
              { mayWait: false },
            ).act === 'take'
          expect(takes(left, asked)).toBe(false)
          expect(takes(left, wider.conditions)).toBe(true)
          if (takes(other, asked)) expect(takes(other, wider.conditions)).toBe(true)
        },
      ),
      { seed: 20, numRuns: 3000 },
    )
    expect(widenedRules).toBeGreaterThan(500)
  })
})

const unknownable = <T>(known: fc.Arbitrary<T>) => fc.option(known, { nil: undefined })
const candidates: fc.Arbitrary<Partial<Candidate>> = fc.record({
  title: fc.constantFrom('Far.Hills.2022.2160p.WEB-DL-QUAY', 'Near.Shore.S01.1080p.BluRay-REED', 'Hills'),
  sizeBytes: unknownable(fc.integer({ min: 0, max: 99 }).map((tenths) => (tenths * gib) / 7)),
  seeders: unknownable(fc.integer({ min: 0, max: 40 })),
  promotion: unknownable(fc.constantFrom('FREE', 'NONE', 'PERCENT_50')),
  hasHr: unknownable(fc.boolean()),
  tags: unknownable(fc.subarray(['HDR', 'Dolby', 'REMUX'])),
})
const words = (from: string[]) => fc.subarray(from, { minLength: 1, maxLength: 2 })
const conditions: fc.Arbitrary<RuleCondition> = fc.oneof(
  fc.record({
    field: fc.constantFrom('size_gib', 'seeders', 'year'),
    op: fc.constantFrom('at_least', 'at_most'),
    value: fc.integer({ min: 0, max: 30 }),
  }),
  fc.record({
    field: fc.constantFrom('promotion'),
    op: fc.constantFrom('is_any', 'is_none'),
    value: words(['FREE', '2XFREE', 'PERCENT_50']),
  }),
  fc.record({ field: fc.constant('tag'), op: fc.constantFrom('is_any', 'is_none'), value: words(['hdr', 'REMUX']) }),
  fc.record({
    field: fc.constant('title'),
    op: fc.constantFrom('has_all', 'has_any', 'has_none', 'not_like', 'matches', 'not_matches'),
    value: words(['hills', 'near', '2160p']),
  }),
  fc.record({ field: fc.constant('hit_and_run'), op: fc.constant('is'), value: fc.boolean() }),
) as fc.Arbitrary<RuleCondition>
