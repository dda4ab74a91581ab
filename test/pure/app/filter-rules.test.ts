import { describe, test } from 'vitest'
import { matchesWildcard } from '#shared/kernel/wildcard.ts'
import { disksToAsk, lessTaken } from '../../../workers/app/core/rules/disks-left.ts'
import { dryRun } from '../../../workers/app/core/rules/dry-run.ts'
import {
  type Candidate,
  defaultTarget,
  type FilterRule,
  type RuleCondition,
} from '../../../workers/app/core/rules/filter-rule.ts'
import {
  type JudgedAt,
  judge as judgeSubject,
  type OrderedRule,
  prepareRules,
} from '../../../workers/app/core/rules/judge.ts'
import { Subject } from '../../../workers/app/core/rules/subject.ts'
import { isTitlePattern } from '../../../workers/app/core/rules/title-pattern.ts'

const nowUnix = 1_800_000_000
const now: JudgedAt = { mayWait: false }
const judge = (candidate: Candidate, rules: readonly OrderedRule[], at: JudgedAt) =>
  judgeSubject(new Subject(candidate, nowUnix), prepareRules(rules), at)
const gib = 1024 ** 3
const film: Candidate = {
  site: 'shelf',
  feed: 'fresh',
  torrentId: '1',
  title: 'Harbour.Lights.2021.1080p.BluRay.x264-QUAY',
  subtitle: '港口灯火',
  sizeBytes: 10 * gib,
  seeders: 3,
  leechers: 12,
  uploadedAtUnix: nowUnix - 1800,
  category: 'Movies',
  tags: ['官方', '中字'],
  promotion: 'FREE',
  freeUntilUnix: nowUnix + 12 * 3600,
  hasHr: false,
  isOwned: true,
  disks: [
    { downloaderId: 1, isDefault: false, folder: '', leftBytes: 7 * gib },
    { downloaderId: 3, isDefault: true, folder: '', leftBytes: 40 * gib },
    { downloaderId: 3, isDefault: true, folder: '/films', leftBytes: 2 * gib },
  ],
}
const bare: Candidate = { site: 'shelf', feed: 'fresh', torrentId: '2', title: 'Something', subtitle: '' }

const ruleOf = (conditions: readonly RuleCondition[], change: Partial<FilterRule> = {}): FilterRule => ({
  action: 'take',
  conditions,
  target: defaultTarget,
  ...change,
})
const ordered = (...rules: FilterRule[]): OrderedRule[] => rules.map((rule, at) => ({ id: at + 1, rule }))
const stateOf = (candidate: Candidate, asked: RuleCondition) =>
  judge(candidate, ordered(ruleOf([asked])), now).clauses[0]?.state

describe('a condition', () => {
  const table: readonly [RuleCondition, 'met' | 'unmet'][] = [
    [{ field: 'size_gib', op: 'at_most', value: 10 }, 'met'],
    [{ field: 'size_gib', op: 'at_most', value: 9.99 }, 'unmet'],
    [{ field: 'size_gib', op: 'at_least', value: 10 }, 'met'],
    [{ field: 'size_gib', op: 'at_least', value: 10.01 }, 'unmet'],
    [{ field: 'seeders', op: 'at_most', value: 3 }, 'met'],
    [{ field: 'seeders', op: 'at_most', value: 2 }, 'unmet'],
    [{ field: 'leechers', op: 'at_least', value: 12 }, 'met'],
    [{ field: 'leechers', op: 'at_least', value: 13 }, 'unmet'],
    [{ field: 'age_minutes', op: 'at_most', value: 30 }, 'met'],
    [{ field: 'age_minutes', op: 'at_most', value: 29 }, 'unmet'],
    [{ field: 'free_hours', op: 'at_least', value: 12 }, 'met'],
    [{ field: 'free_hours', op: 'at_least', value: 12.1 }, 'unmet'],
    [{ field: 'year', op: 'at_least', value: 2021 }, 'met'],
    [{ field: 'year', op: 'at_least', value: 2022 }, 'unmet'],
    [{ field: 'free_gib', op: 'at_least', value: 40 }, 'met'],
    [{ field: 'free_gib', op: 'at_least', value: 40.01 }, 'unmet'],
    [{ field: 'site', op: 'is_any', value: ['quay', 'Shelf'] }, 'met'],
    [{ field: 'site', op: 'is_none', value: ['shelf'] }, 'unmet'],
    [{ field: 'feed', op: 'is_any', value: ['fresh'] }, 'met'],
    [{ field: 'category', op: 'is_any', value: ['movies'] }, 'met'],
    [{ field: 'tag', op: 'is_any', value: ['中字'] }, 'met'],
    [{ field: 'tag', op: 'is_none', value: ['中字'] }, 'unmet'],
    [{ field: 'promotion', op: 'is_any', value: ['FREE', '2XFREE'] }, 'met'],
    [{ field: 'promotion', op: 'is_any', value: ['2XFREE'] }, 'unmet'],
    [{ field: 'resolution', op: 'is_any', value: ['1080p'] }, 'met'],
    [{ field: 'resolution', op: 'is_none', value: ['1080p'] }, 'unmet'],
    [{ field: 'source', op: 'is_any', value: ['bluray'] }, 'met'],
    [{ field: 'group', op: 'is_any', value: ['quay'] }, 'met'],
    [{ field: 'title', op: 'has_all', value: ['harbour', '灯火'] }, 'met'],
    [{ field: 'title', op: 'has_all', value: ['harbour', '2160p'] }, 'unmet'],
    [{ field: 'title', op: 'has_any', value: ['2160p', '1080P'] }, 'met'],
    [{ field: 'title', op: 'has_none', value: ['cam'] }, 'met'],
    [{ field: 'title', op: 'has_none', value: ['bluray'] }, 'unmet'],
    [{ field: 'title', op: 'like', value: ['harbour.*.1080p*'] }, 'met'],
    [{ field: 'title', op: 'like', value: ['lights*'] }, 'unmet'],
    [{ field: 'title', op: 'not_like', value: ['*-RIVAL'] }, 'met'],
    [{ field: 'hit_and_run', op: 'is', value: false }, 'met'],
    [{ field: 'hit_and_run', op: 'is', value: true }, 'unmet'],
    [{ field: 'leaked', op: 'is', value: false }, 'met'],
    [{ field: 'owned', op: 'is', value: true }, 'met'],
    [{ field: 'owned', op: 'is', value: false }, 'unmet'],
    [{ field: 'title', op: 'has_all', value: ['ＨＡＲＢＯＵＲ'] }, 'met'],
    [{ field: 'title', op: 'matches', value: ['x26[45]-quay$'] }, 'met'],
    [{ field: 'title', op: 'matches', value: ['^Lights', '^Film|^quay'] }, 'unmet'],
    [{ field: 'title', op: 'not_matches', value: ['s\\d{2}(e\\d+)?'] }, 'met'],
  ]
  for (const [asked, state] of table)
    test(`${asked.field} ${asked.op} ${asked.value} is ${state}`, ({ expect }) => {
      expect(stateOf(film, asked)).toBe(state)
    })

  test('about what nobody told is unknown, and met only where the rule says so', ({ expect }) => {
    const unknown: readonly RuleCondition[] = [
      { field: 'size_gib', op: 'at_most', value: 100 },
      { field: 'seeders', op: 'at_most', value: 100 },
      { field: 'age_minutes', op: 'at_most', value: 100 },
      { field: 'free_hours', op: 'at_least', value: 0 },
      { field: 'year', op: 'at_least', value: 0 },
      { field: 'free_gib', op: 'at_least', value: 0 },
      { field: 'category', op: 'is_none', value: ['x'] },
      { field: 'tag', op: 'is_none', value: ['x'] },
      { field: 'promotion', op: 'is_none', value: ['NONE'] },
      { field: 'resolution', op: 'is_none', value: ['480p'] },
      { field: 'hit_and_run', op: 'is', value: false },
      { field: 'owned', op: 'is', value: false },
    ]
    for (const asked of unknown) {
      expect([asked.field, stateOf(bare, asked)]).toEqual([asked.field, 'unknown'])
      expect(stateOf(bare, { ...asked, or_unknown: true } as RuleCondition)).toBe('met')
    }
  })

  test('a promotion whose end is over is none, and a billed torrent has no free hours left', ({ expect }) => {
    const over = { ...film, freeUntilUnix: nowUnix }
    expect(stateOf(over, { field: 'promotion', op: 'is_any', value: ['FREE'] })).toBe('unmet')
    expect(stateOf(over, { field: 'free_hours', op: 'at_least', value: 0.1 })).toBe('unmet')
    const billed = { ...film, promotion: 'NONE' as const, freeUntilUnix: undefined }
    expect(stateOf(billed, { field: 'free_hours', op: 'at_least', value: 0.1 })).toBe('unmet')
    const endless = { ...film, freeUntilUnix: undefined }
    expect(stateOf(endless, { field: 'free_hours', op: 'at_least', value: 0.1 })).toBe('unknown')
  })
})

describe('what the disk has left', () => {
  const roomy: RuleCondition = { field: 'free_gib', op: 'at_least', value: 5 }
  const found = (downloader_id: number, save_path: string) =>
    judge(film, ordered(ruleOf([roomy], { target: { ...defaultTarget, downloader_id, save_path } })), now).clauses[0]

  test('is that of the downloader and folder that the rule names, and unknown of any other', ({ expect }) => {
    expect(found(0, '')).toMatchObject({ state: 'met', found: 40 })
    expect(found(3, '')).toMatchObject({ state: 'met', found: 40 })
    expect(found(1, '')).toMatchObject({ state: 'met', found: 7 })
    expect(found(0, '/films')).toMatchObject({ state: 'unmet', found: 2 })
    expect(found(1, '/films')).toEqual({ asked: roomy, state: 'unknown' })
    expect(found(2, '')).toEqual({ asked: roomy, state: 'unknown' })
  })

  test('is asked of each rule by itself, where two ask in the same words', ({ expect }) => {
    const to = (save_path: string) => ruleOf([roomy], { target: { ...defaultTarget, save_path } })
    expect(judge(film, ordered(to('/films'), to('')), now)).toMatchObject({ act: 'take', ruleId: 2 })
  })

  test('is asked of each downloader and folder once, up to a bound, and of no rule that does not ask', ({ expect }) => {
    const enabled = [
      { id: 1, isDefault: false },
      { id: 3, isDefault: true },
    ]
    const to = (downloader_id: number, save_path: string, asked = roomy) => ({
      rule: ruleOf([asked], { target: { ...defaultTarget, downloader_id, save_path } }),
    })
    const year: RuleCondition = { field: 'year', op: 'at_least', value: 2020 }
    const rules = [to(0, ''), to(3, ''), to(1, ''), to(2, ''), to(1, '/films', year), to(0, '/films')]
    const asked = (most: number) =>
      disksToAsk(rules, enabled, most).map(({ downloader, isDefault, folder }) => [downloader.id, isDefault, folder])
    const all = [
      [3, true, ''],
      [1, false, ''],
      [3, true, '/films'],
    ]
    expect(asked(3)).toEqual(all)
    expect(asked(2)).toEqual(all.slice(0, 2))
  })

  test('is less by what is taken, in each folder of that downloader', ({ expect }) => {
    const left = (downloader_id: number, bytes: number) =>
      lessTaken(film.disks ?? [], { downloader_id, save_path: '' }, bytes).map(({ leftBytes }) => leftBytes / gib)
    expect(left(0, 2 * gib)).toEqual([7, 38, 0])
    expect(left(1, 8 * gib)).toEqual([0, 40, 2])
  })
})

describe('a verdict', () => {
  test('is that of the first rule whose clauses are all met', ({ expect }) => {
    const rules = ordered(
      ruleOf([{ field: 'title', op: 'has_any', value: ['cam'] }], { action: 'skip' }),
      ruleOf([{ field: 'size_gib', op: 'at_most', value: 20 }]),
      ruleOf([{ field: 'size_gib', op: 'at_most', value: 30 }], { action: 'notify' }),
    )
    expect(judge(film, rules, now)).toMatchObject({ act: 'take', ruleId: 2 })
    expect(judge({ ...film, sizeBytes: 25 * gib }, rules, now)).toMatchObject({ act: 'notify', ruleId: 3 })
    expect(judge({ ...film, title: 'Film CAM' }, rules, now)).toMatchObject({ act: 'skip', ruleId: 1 })
  })

  test('that no rule wants it names the rule that came nearest', ({ expect }) => {
    const rules = ordered(
      ruleOf([
        { field: 'site', op: 'is_any', value: ['quay'] },
        { field: 'size_gib', op: 'at_most', value: 1 },
      ]),
      ruleOf([
        { field: 'site', op: 'is_any', value: ['shelf'] },
        { field: 'size_gib', op: 'at_most', value: 1 },
      ]),
    )
    expect(judge(film, rules, now)).toMatchObject({
      act: 'leave',
      ruleId: 2,
      clauses: [{ state: 'met' }, { state: 'unmet', found: 10 }],
    })
  })

  test('waits only for what may still be told, and only where nothing else is against it', ({ expect }) => {
    const free: RuleCondition = { field: 'promotion', op: 'is_any', value: ['FREE'] }
    const open = { mayWait: true }
    expect(judge(bare, [], open).act).toBe('wait')
    expect(judge(bare, [], now).act).toBe('leave')
    expect(judge(bare, ordered(ruleOf([free])), open).act).toBe('wait')
    const elsewhere = ruleOf([free, { field: 'site', op: 'is_any', value: ['quay'] }])
    expect(judge(bare, ordered(elsewhere), open).act).toBe('leave')
    // What an earlier rule might refuse is not taken by a later one meanwhile.
    const skip = ruleOf([{ field: 'hit_and_run', op: 'is', value: true }], { action: 'skip' })
    const all = ruleOf([{ field: 'site', op: 'is_any', value: ['shelf'] }])
    expect(judge(bare, ordered(skip, all), open)).toMatchObject({ act: 'wait', ruleId: 1 })
    expect(judge(bare, ordered(skip, all), now)).toMatchObject({ act: 'take', ruleId: 2 })
  })

  test('without any rule is for what is free alone', ({ expect }) => {
    expect(judge(film, [], now)).toMatchObject({ act: 'take', ruleId: undefined })
    expect(judge({ ...film, promotion: 'PERCENT_50' }, [], now).act).toBe('leave')
    expect(judge({ ...film, freeUntilUnix: nowUnix - 1 }, [], now).act).toBe('leave')
  })

  test('holds the bound of a day at the limit and not past it', ({ expect }) => {
    const rules = ordered(ruleOf([{ field: 'site', op: 'is_any', value: ['shelf'] }], { per_day_max: 4 }))
    expect(judge(film, rules, { ...now, takenToday: () => ({ count: 3, bytes: 0 }) }).act).toBe('take')
    expect(judge(film, rules, { ...now, takenToday: () => ({ count: 4, bytes: 0 }) })).toMatchObject({
      act: 'leave',
      clauses: [{ state: 'met' }, { asked: { field: 'per_day' }, state: 'unmet', found: 4 }],
    })
  })

  test('holds the GiB of a day at the limit and not past it, and takes nothing of unknown size', ({ expect }) => {
    const rules = ordered(ruleOf([{ field: 'site', op: 'is_any', value: ['shelf'] }], { per_day_gib_max: 25 }))
    const having = (bytes: number, candidate = film) =>
      judge(candidate, rules, { ...now, takenToday: () => ({ count: 1, bytes }) })
    expect(having(15 * gib).act).toBe('take')
    expect(having(15 * gib + 1)).toMatchObject({
      act: 'leave',
      clauses: [{ state: 'met' }, { asked: { field: 'per_day_gib', value: 25 }, state: 'unmet', found: 15 }],
    })
    const unsized = { ...film, sizeBytes: undefined }
    expect(having(0, unsized)).toMatchObject({ act: 'leave', clauses: [{}, { state: 'unknown', found: 0 }] })
    expect(having(25 * gib, unsized)).toMatchObject({ act: 'leave', clauses: [{}, { state: 'unmet' }] })
    // The site's list may still tell its size.
    const fresh = { ...unsized, promotion: undefined }
    expect(judge(fresh, rules, { ...now, mayWait: true }).act).toBe('wait')
  })
})

describe('a wildcard', () => {
  const table: readonly [string, string, boolean][] = [
    ['', '', true],
    ['', '*', true],
    ['a', '', false],
    ['a', '?', true],
    ['', '?', false],
    ['abc', 'a*c', true],
    ['abc', 'a*b', false],
    ['a.b.c', 'a?b?c', true],
    ['aXbXc', 'a*b*c', true],
    ['mississippi', '*issip*', true],
    ['mississippi', '*issi*issi*', false],
    ['[x](y)+.*', '[x](y)+.?', true],
  ]
  for (const [text, pattern, is] of table)
    test(`${JSON.stringify(pattern)} ${is ? 'fits' : 'does not fit'} ${JSON.stringify(text)}`, ({ expect }) => {
      expect(matchesWildcard(pattern, text)).toBe(is)
    })

  test('agrees with a plain search of all ways', ({ expect }) => {
    const slow = (text: string, pattern: string): boolean => {
      const [sign, ...rest] = pattern
      if (sign === undefined) return text === ''
      if (sign === '*') return slow(text, rest.join('')) || (text !== '' && slow(text.slice(1), pattern))
      return text !== '' && (sign === '?' || sign === text[0]) && slow(text.slice(1), rest.join(''))
    }
    const words = (letters: string, length: number): string[] =>
      length === 0 ? [''] : words(letters, length - 1).flatMap((word) => ['', ...letters].map((one) => word + one))
    for (const text of new Set(words('ab', 4)))
      for (const pattern of new Set(words('ab*?', 4))) expect(matchesWildcard(pattern, text)).toBe(slow(text, pattern))
  })
})

describe('a pattern over titles', () => {
  const table: readonly [string, boolean][] = [
    ['a{100}', true],
    ['a{101}', false],
    ['(a{10}){10}', true],
    ['(a{10}){11}', false],
    ['(a+)+$', true],
    ['(?=a)b', false],
    ['(a)\\1', false],
    ['(a', false],
    ['a)|(b', false],
  ]
  for (const [source, is] of table)
    test(`${source} is ${is ? 'kept' : 'refused'}`, ({ expect }) => {
      expect(isTitlePattern(source)).toBe(is)
    })

  test('takes no more steps where others would try every way', ({ expect }) => {
    const title = `${'a'.repeat(512)}!`
    const condition: RuleCondition = { field: 'title', op: 'matches', value: ['(a+)+$', '(a|a)*b', '(a?){50}c'] }
    expect(stateOf({ ...film, title }, condition)).toBe('unmet')
  })
})

describe('a dry run', () => {
  const hour = 3600
  const past = Array.from({ length: 30 }, (_, at) => ({
    candidate: {
      ...film,
      torrentId: String(at),
      promotion: at % 2 === 0 ? ('FREE' as const) : ('NONE' as const),
      freeUntilUnix: undefined,
    },
    atUnix: nowUnix + at * hour,
  }))

  test('adds up what would have been taken and billed, within the bound of each 24 hours', ({ expect }) => {
    const free = ruleOf([{ field: 'promotion', op: 'is_any', value: ['FREE'] }])
    expect(dryRun(past, [{ id: 1, rule: free }])).toMatchObject({ taken: 15, billed: 0, bytes: 150 * gib, unsized: 0 })
    const any = ruleOf([{ field: 'site', op: 'is_any', value: ['shelf'] }], { per_day_max: 4 })
    // Hours 0 to 3, and 24 to 27.
    const run = dryRun(past, [{ id: 1, rule: any }])
    expect(run).toMatchObject({ taken: 8, billed: 4, bytes: 80 * gib })
    expect(run.verdicts.flatMap(({ act }, at) => (act === 'take' ? [at] : []))).toEqual([0, 1, 2, 3, 24, 25, 26, 27])
    expect(run.busiest).toEqual({ count: 4, bytes: 40 * gib, untilUnix: nowUnix + 3 * hour })
    const byBytes = ruleOf([{ field: 'site', op: 'is_any', value: ['shelf'] }], { per_day_gib_max: 39 })
    const inBytes = dryRun(past, [{ id: 1, rule: byBytes }])
    expect(inBytes.verdicts.flatMap(({ act }, at) => (act === 'take' ? [at] : []))).toEqual([0, 1, 2, 24, 25, 26])
    // Of all rules together; of what is taken for nothing there is no such day.
    const two = dryRun(past, [
      { id: 1, rule: { ...free, per_day_max: 1 } },
      { id: 2, rule: any },
    ])
    expect(two.busiest).toMatchObject({ count: 5 })
    expect(dryRun(past, [{ id: 1, rule: { ...any, action: 'notify' } }]).busiest).toBeUndefined()
  })

  test('goes by what the disk had left then, and by nothing where that was not kept', ({ expect }) => {
    const roomy = ruleOf([{ field: 'free_gib', op: 'at_least', value: 40 }])
    const less = film.disks?.map((disk) => ({ ...disk, leftBytes: disk.leftBytes - 1 }))
    const run = dryRun(
      [film, { ...film, disks: less }, bare].map((candidate) => ({ candidate, atUnix: nowUnix })),
      [{ id: 1, rule: roomy }],
    )
    expect(run.verdicts.map(({ act, clauses }) => [act, clauses[0]?.state])).toEqual([
      ['take', 'met'],
      ['leave', 'unmet'],
      ['leave', 'unknown'],
    ])
  })

  test('names what has no size, and counts a promotion that nobody told as billed', ({ expect }) => {
    const any = ruleOf([{ field: 'site', op: 'is_any', value: ['shelf'] }])
    expect(dryRun([{ candidate: bare, atUnix: nowUnix }], [{ id: 1, rule: any }])).toMatchObject({
      taken: 1,
      billed: 1,
      bytes: 0,
      unsized: 1,
    })
  })
})
