/** Which torrents come to their end, by rules: each condition, the guards, room on the disk, and files that others live on. */
import { describe, test } from 'vitest'
import { endRule } from '../../../workers/app/contract/console-ends.ts'
import { type EndRule, prepareEndRules } from '../../../workers/app/core/ends/end-rule.ts'
import { endsToCarryOut, type HeldTorrent, planEnds } from '../../../workers/app/core/ends/plan-ends.ts'
import type { RuleCondition } from '../../../workers/app/core/rules/filter-rule.ts'
import type { Torrent } from '../../../workers/app/core/torrent.ts'
import { ruleConditionsMax } from '../../../workers/app/limits.ts'
import { torrentFixture } from '../../support/torrent-fixture.ts'

const gib = 1024 ** 3
const hour = 3600
const nowUnix = 2_000_000_000

function held(name: string, change: Partial<Torrent> = {}, known: Partial<HeldTorrent> = {}): HeldTorrent {
  const torrent = torrentFixture(name, {
    ...{ title: name, sizeBytes: 10 * gib, progressPercent: 100, state: 'seeding', uploadedBytes: 20 * gib },
    ...{
      seedingSeconds: 100 * hour,
      addedAtUnix: nowUnix - 200 * hour,
      savePath: '/data',
      category: 'tv',
      tags: 'a,b',
    },
    ...{ seeds: 1, peers: 2 },
    ...change,
  })
  return { torrent, downloader: 'nas-1', site: 'shelf', hasHr: false, isDutyDone: true, bonusPerGib: 0.5, ...known }
}

const ruleOf = (conditions: readonly RuleCondition[], change: Partial<EndRule> = {}): EndRule => ({
  action: 'remove_with_files',
  conditions,
  ...change,
})
const always: RuleCondition = { field: 'ratio', op: 'at_least', value: 0 }
const plan = (
  torrents: readonly HeldTorrent[],
  rules: readonly EndRule[],
  at: { freeBytes?: number | undefined; ended?: number } = {},
) =>
  planEnds(torrents, prepareEndRules(rules.map((rule, id) => ({ id: id + 1, rule }))), {
    nowUnix,
    freeBytes: 'freeBytes' in at ? at.freeBytes : 50 * gib,
    endedToday: () => at.ended ?? 0,
  })
const namesOf = (verdicts: ReturnType<typeof plan>) => verdicts.map((one) => [one.held.torrent.title, one.action])

describe('a condition about what a downloader holds', () => {
  const refused = (said?: string): Partial<Torrent> => ({
    condition: { kind: 'tracker_error', ...(said === undefined ? {} : { said }) },
  })
  test.for<[RuleCondition, boolean, Partial<Torrent>?, Partial<HeldTorrent>?]>([
    [{ field: 'ratio', op: 'at_least', value: 2 }, true],
    [{ field: 'ratio', op: 'at_least', value: 2.01 }, false],
    [{ field: 'ratio', op: 'at_least', value: 0 }, false, { sizeBytes: 0 }],
    [{ field: 'seeding_hours', op: 'at_least', value: 100 }, true],
    [{ field: 'seeding_hours', op: 'at_least', value: 100.1 }, false],
    [{ field: 'added_hours', op: 'at_least', value: 200 }, true],
    [{ field: 'added_hours', op: 'at_least', value: 201 }, false],
    [{ field: 'added_hours', op: 'at_least', value: 0 }, false, { addedAtUnix: 0 }],
    [{ field: 'uploaded_gib', op: 'at_least', value: 20 }, true],
    [{ field: 'uploaded_gib', op: 'at_least', value: 20.1 }, false],
    [{ field: 'peers', op: 'at_most', value: 3 }, true],
    [{ field: 'peers', op: 'at_most', value: 2 }, false],
    [{ field: 'free_gib', op: 'at_most', value: 50 }, true],
    [{ field: 'free_gib', op: 'at_most', value: 49.9 }, false],
    [{ field: 'bonus_per_gib', op: 'at_most', value: 0.5 }, true],
    [{ field: 'bonus_per_gib', op: 'at_most', value: 0.4 }, false],
    [{ field: 'bonus_per_gib', op: 'at_most', value: 9 }, false, {}, { bonusPerGib: undefined }],
    [{ field: 'downloader', op: 'is_any', value: ['NAS-1'] }, true],
    [{ field: 'state', op: 'is_any', value: ['paused'] }, false],
    [{ field: 'site', op: 'is_any', value: ['shelf'] }, true],
    [{ field: 'site', op: 'is_none', value: ['other'] }, false, {}, { site: undefined }],
    [{ field: 'category', op: 'is_any', value: ['tv'] }, true],
    [{ field: 'tag', op: 'is_any', value: ['b'] }, true],
    [{ field: 'complete', op: 'is', value: true }, true],
    [{ field: 'complete', op: 'is', value: true }, false, { progressPercent: 99.9 }],
    [{ field: 'unregistered', op: 'is', value: true }, false],
    [{ field: 'unregistered', op: 'is', value: true }, true, refused('torrent not registered with this tracker')],
    [{ field: 'unregistered', op: 'is', value: true }, true, refused('Unregistered torrent')],
    [{ field: 'unregistered', op: 'is', value: true }, true, refused('Torrent has been deleted: trumped')],
    [{ field: 'unregistered', op: 'is', value: true }, true, refused('种子已被删除')],
    [
      { field: 'unregistered', op: 'is', value: true },
      true,
      refused('Requested download is not authorized for use with this tracker.'),
    ],
    [{ field: 'unregistered', op: 'is', value: true }, false, refused('Invalid passkey')],
    [{ field: 'unregistered', op: 'is', value: true }, false, refused('Connection timed out')],
    [{ field: 'unregistered', op: 'is', value: false }, false, refused()],
    [{ field: 'duty_done', op: 'is', value: true }, true],
    [{ field: 'duty_done', op: 'is', value: true }, false, {}, { isDutyDone: undefined }],
  ])('%o is met: %s', ([condition, isMet, torrent, known], { expect }) => {
    expect(plan([held('one', torrent, known)], [ruleOf([condition])])).toHaveLength(isMet ? 1 : 0)
  })
})

describe('the plan', () => {
  test('keeps what still has to be seeded unless a rule speaks of it, and says so', ({ expect }) => {
    const owed = held('owed', {}, { isDutyDone: false })
    const stranger = held('stranger', {}, { isDutyDone: undefined, site: undefined })
    expect(namesOf(plan([owed, stranger], [ruleOf([always])]))).toEqual([['stranger', 'remove_with_files']])
    const spoken = ruleOf([{ field: 'duty_done', op: 'is', value: false }])
    const [verdict] = plan([owed], [spoken])
    expect(verdict?.clauses).toEqual([{ asked: spoken.conditions[0], state: 'met', found: false, from: 'site' }])
    const [guarded] = plan([held('done')], [ruleOf([always])])
    expect(guarded?.clauses.map(({ asked, state }) => [asked.field, state])).toEqual([
      ['ratio', 'met'],
      ['duty_done', 'met'],
    ])
  })

  test('ends no more than makes room, those seeded longest first', ({ expect }) => {
    const torrents = [1, 2, 3, 4].map((at) => held(`t${at}`, { seedingSeconds: at * hour }))
    const rule = ruleOf([{ field: 'free_gib', op: 'at_most', value: 60 }])
    expect(namesOf(plan(torrents, [rule]))).toEqual([
      ['t4', 'remove_with_files'],
      ['t3', 'remove_with_files'],
    ])
    expect(plan(torrents, [rule], { freeBytes: undefined })).toEqual([])
    // What leaves its files behind makes no room, so all of them go.
    expect(plan(torrents, [{ ...rule, action: 'remove' }])).toHaveLength(4)
  })

  test('leaves files that another torrent lives on, until the last of them goes', ({ expect }) => {
    const pair = [held('film', { seedingSeconds: 2 }), held('film', { seedingSeconds: 1, category: 'kept' })]
    const both = ruleOf([always])
    const one = ruleOf([{ field: 'category', op: 'is_any', value: ['tv'] }])
    expect(namesOf(plan(pair, [one]))).toEqual([['film', 'remove']])
    expect(namesOf(plan(pair, [both]))).toEqual([
      ['film', 'remove'],
      ['film', 'remove_with_files'],
    ])
    expect(namesOf(plan(pair, [{ ...both, action: 'pause' }])).map(([, action]) => action)).toEqual(['pause', 'pause'])
  })

  test('asks rules in their order: what is kept is kept, and what is paused is not paused again', ({ expect }) => {
    const keep = ruleOf([{ field: 'category', op: 'is_any', value: ['tv'] }], { action: 'keep' })
    expect(plan([held('one')], [keep, ruleOf([always])])).toEqual([])
    expect(plan([held('one', { state: 'paused' })], [ruleOf([always], { action: 'pause' })])).toEqual([])
    expect(namesOf(plan([held('one')], [ruleOf([always], { action: 'pause' }), ruleOf([always])]))).toEqual([
      ['one', 'pause'],
    ])
  })

  test.for([
    [0, 2],
    [1, 1],
    [2, 0],
  ] as const)('after %i in a day a rule of two ends %i more', ([ended, more], { expect }) => {
    const torrents = [held('a'), held('b'), held('c')]
    expect(plan(torrents, [ruleOf([always], { per_day_max: 2 })], { ended })).toHaveLength(more)
  })

  test('is carried out by its bound, and files only with all that live on them', ({ expect }) => {
    const film = [held('film', { infoHash: 'x' }), held('film', { infoHash: 'y' })]
    const torrents = [...film, held('b'), held('c')]
    const verdicts = plan(torrents, [ruleOf([always])])
    const done = (isRipe: (name: string) => boolean, max: number) =>
      endsToCarryOut(verdicts, torrents, (one) => isRipe(one.held.torrent.infoHash), max).map(
        ({ action, held: { torrent } }) => [torrent.infoHash, action],
      )
    expect(done(() => true, 9)).toEqual([
      ['x', 'remove'],
      ['b', 'remove_with_files'],
      ['c', 'remove_with_files'],
      ['y', 'remove_with_files'],
    ])
    expect(done((name) => name !== 'x', 9).map(([name]) => name)).toEqual(['b', 'c'])
    expect(done(() => true, 2)).toHaveLength(2)
  })
})

describe('the rule as it is sent', () => {
  const condition = { field: 'ratio', op: 'at_least', value: 2 }
  test.for<[string, unknown, boolean]>([
    ['a ratio', { action: 'remove', conditions: [condition] }, true],
    [
      'as many conditions as there may be',
      { action: 'keep', conditions: Array(ruleConditionsMax).fill(condition) },
      true,
    ],
    ['one more', { action: 'keep', conditions: Array(ruleConditionsMax + 1).fill(condition) }, false],
    ['none', { action: 'keep', conditions: [] }, false],
    ['what feeds do', { action: 'take', conditions: [condition] }, false],
    ['a promotion', { action: 'keep', conditions: [{ field: 'promotion', op: 'is_any', value: ['FREE'] }] }, false],
    ['a flag', { action: 'pause', conditions: [{ field: 'unregistered', op: 'is', value: true }] }, true],
    ['an unknown field', { action: 'pause', conditions: [condition], more: 1 }, false],
  ])('with %s', ([, rule, isRight], { expect }) => {
    expect(endRule.safeParse(rule).success).toBe(isRight)
  })
})
