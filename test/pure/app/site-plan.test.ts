/** A plan for a level: the fewest torrents that bring it soonest, and nothing counted that nobody tells. */
import fc from 'fast-check'
import { describe, test } from 'vitest'
import type { SiteUser } from '../../../workers/app/core/site-figures.ts'
import type { HistoryPoint, Level } from '../../../workers/app/core/site-levels.ts'
import {
  type PushChoice,
  roomFor,
  type SeedChoice,
  simulatePlan,
  worthOf,
} from '../../../workers/app/core/site-plan.ts'
import { sitePlanStepsMax } from '../../../workers/app/limits.ts'

const gib = 1024 ** 3
const day = 86_400
const now = 1_800_000_000

const levels: readonly Level[] = [
  { name: 'User' },
  { name: 'Power User', days: 30, seeding_size: 100 * gib, bonus: 10_000 },
  { name: 'Elite User', days: 60, other: true },
]
const account: SiteUser = {
  username: 'walker',
  level: 'User',
  uploadedBytes: 300 * gib,
  downloadedBytes: 100 * gib,
  ratio: 3,
  bonus: 4000,
  bonusPerHour: 10,
  seeding: 20,
  seedingSizeBytes: 80 * gib,
  joinedAtUnix: now - 100 * day,
}
const seedOf = (title: string, sizeGib: number): SeedChoice => ({
  ...{ kind: 'seed', downloaderId: 1, downloader: 'nas-1', infoHash: title.padEnd(40, '0'), title },
  sizeBytes: sizeGib * gib,
})
const pushOf = (torrentId: string, sizeGib: number): PushChoice => ({
  ...{ kind: 'push', torrentId, title: torrentId, sizeBytes: sizeGib * gib, freeUntilUnix: now + 5 * day },
})
const plan = (change: Partial<Parameters<typeof simulatePlan>[0]> = {}) =>
  simulatePlan({
    ...{ levels, user: account, history: [], nowUnix: now, held: [], offered: [], roomBytes: 500 * gib },
    ...{ choicesMax: sitePlanStepsMax, ...change },
  })
const titles = (found: ReturnType<typeof plan>) => found?.choices.map(({ title }) => title)

describe('a plan for the next level', () => {
  test('seeds what lies there, the largest first, and tells the day with and without it', ({ expect }) => {
    const found = plan({ held: [seedOf('a', 5), seedOf('b', 30), seedOf('c', 12)] })

    // 6000 points at 240 a day; with 47 GiB more at 3 a GiB and day from tomorrow on.
    expect(found?.atUnix).toBeUndefined()
    expect(found?.plannedAtUnix).toBe(Math.ceil(now + day + ((6000 - 240) / (240 + 47 * 3)) * day))
    expect(titles(found)).toEqual(['b', 'c', 'a'])
    expect(found?.conditions).toEqual([
      { condition: 'days', need: 30, have: 100, isMet: true },
      {
        ...{ condition: 'bonus', need: 10_000, have: 4000, isMet: false, perDay: 240, paceFrom: 'site' },
        ...{ atUnix: now + 25 * day, plannedAtUnix: found?.plannedAtUnix, addsPerDay: 47 * 3 },
      },
      {
        ...{ condition: 'seeding_size', need: 100 * gib, have: 80 * gib, isMet: false },
        ...{ plannedAtUnix: now + day, adds: 47 * gib },
      },
    ])
    expect(found?.gaps).toEqual([])
  })

  test('takes what is free only where that brings the level sooner, and only as far as there is room', ({ expect }) => {
    const offered = [pushOf('x', 60), pushOf('y', 45), pushOf('z', 30)]
    expect(titles(plan({ held: [seedOf('a', 5)], offered, roomBytes: 100 * gib }))).toEqual(['a', 'x', 'z'])
    expect(titles(plan({ held: [seedOf('a', 5)], offered, roomBytes: 0 }))).toEqual(['a'])
  })

  test('is no longer than it has to be: what helps no more is left', ({ expect }) => {
    const bySize: Level[] = [{ name: 'User' }, { name: 'Power User', days: 130, seeding_size: 100 * gib }]
    const held = [seedOf('a', 15), seedOf('b', 14), seedOf('c', 13)]
    const found = plan({ levels: bySize, held })
    // The membership takes 30 days whatever is seeded.
    expect([titles(found), found?.plannedAtUnix]).toEqual([['a', 'b'], now + 30 * day])
  })

  test('of torrents that are only counted takes the smallest', ({ expect }) => {
    const counted: Level[] = [{ name: 'User' }, { name: 'Power User', seeding: 22 }]
    const found = plan({ levels: counted, held: [seedOf('a', 9), seedOf('b', 1), seedOf('c', 4)] })
    expect([titles(found), found?.plannedAtUnix]).toEqual([['b', 'c'], now + day])
  })

  test('does nothing where seeding brings nothing nearer', ({ expect }) => {
    const byRatio: Level[] = [{ name: 'User' }, { name: 'Power User', uploaded: 400 * gib, ratio: 2 }]
    const history: HistoryPoint[] = [
      { day: '2027-01-01', uploaded: 200 * gib },
      { day: '2027-01-11', uploaded: 300 * gib },
    ]
    const found = plan({ levels: byRatio, history, held: [seedOf('a', 50)] })
    expect(found).toMatchObject({ choices: [], atUnix: now + 10 * day, plannedAtUnix: now + 10 * day })
    expect(found?.conditions[0]).toMatchObject({ perDay: 10 * gib, paceFrom: 'history' })
  })

  test('has no day where something the level asks is told by nobody, and goes as near as it can', ({ expect }) => {
    const found = plan({ user: { ...account, level: 'Power User' }, held: [seedOf('a', 50)] })
    expect([found?.level, found?.plannedAtUnix, found?.choices]).toEqual(['Elite User', undefined, []])
    const untold = plan({ user: { ...account, bonus: undefined } as never, held: [seedOf('a', 50)] })
    expect([titles(untold), untold?.plannedAtUnix]).toEqual([['a'], undefined])
  })

  test.for([
    ['bonus_per_hour', { bonusPerHour: undefined }],
    ['seeding_size', { seedingSizeBytes: undefined }],
    ['seeding_size', { doubts: [{ figure: 'seeding_size', rule: 'places' }] }],
  ] as const)('says that %s is not told, and counts nothing for it', ([gap, change], { expect }) => {
    const found = plan({ user: { ...account, ...change } as SiteUser, held: [seedOf('a', 50)] })
    expect(found?.gaps).toContain(gap)
    expect(found?.conditions.find(({ condition }) => condition === 'bonus')).not.toHaveProperty('addsPerDay')
  })

  test('says that nobody tells how much room there is, and downloads nothing', ({ expect }) => {
    const found = plan({ offered: [pushOf('x', 60)], roomBytes: undefined })
    expect([found?.choices, found?.gaps]).toEqual([[], ['room']])
  })

  test('is none where the level is not known, or nobody rises', ({ expect }) => {
    expect(plan({ user: { ...account, level: 'Emperor' } })).toBeUndefined()
    expect(plan({ user: { ...account, level: 'Elite User' } })).toBeUndefined()
    expect(plan({ levels: [] })).toBeUndefined()
  })

  test.for([
    [sitePlanStepsMax, sitePlanStepsMax],
    [sitePlanStepsMax + 1, sitePlanStepsMax],
  ] as const)('of %i torrents takes %i', ([count, taken], { expect }) => {
    const far: Level[] = [{ name: 'User' }, { name: 'Power User', seeding_size: 1_000_000 * gib, bonus: 1_000_000 }]
    const held = Array.from({ length: count }, (_, at) => seedOf(String(at), 1))
    expect(plan({ levels: far, held })?.choices).toHaveLength(taken)
  })

  test('is never later than doing nothing, whatever lies there', ({ expect }) => {
    const sizes = fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 12 })
    fc.assert(
      fc.property(sizes, sizes, fc.integer({ min: 0, max: 1000 }), (held, offered, room) => {
        const found = plan({
          held: held.map((size, at) => seedOf(`s${at}`, size)),
          offered: offered.map((size, at) => pushOf(`p${at}`, size)),
          roomBytes: room * gib,
        })
        expect(found?.plannedAtUnix ?? Number.MAX_VALUE).toBeLessThanOrEqual(found?.atUnix ?? Number.MAX_VALUE)
        const pushed = found?.choices.filter(({ kind }) => kind === 'push') ?? []
        expect(pushed.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)).toBeLessThanOrEqual(room * gib)
      }),
    )
  })
})

describe('what one torrent brings', () => {
  test('is what the seeding of now gives by its size', ({ expect }) => {
    expect(worthOf(seedOf('a', 8), account, [])).toEqual({ bonusPerDay: 24 })
    const { seedingSizeBytes: _, ...untold } = account
    expect(worthOf(seedOf('a', 8), untold, [])).toEqual({})
  })
})

describe('the room for what is new', () => {
  test.for([
    ['of the disk, less what stays free', 100 * gib, 10 * gib, 0, 90 * gib],
    ['of the site, where that is less', 100 * gib, 10 * gib, 100, 20 * gib],
    ['none below nothing', 5 * gib, 10 * gib, 0, 0],
    ['none where the site is full', 100 * gib, 0, 70, 0],
    ['not known where the disk is not told', undefined, 0, 0, undefined],
  ] as const)('is %s', ([_, free, kept, capacity, room], { expect }) => {
    expect(roomFor(free, kept, capacity, account)).toBe(room)
  })

  test('is not known of a site with a bound whose seeding is not told', ({ expect }) => {
    const { seedingSizeBytes: _, ...untold } = account
    expect(roomFor(100 * gib, 0, 70, untold)).toBeUndefined()
  })
})
