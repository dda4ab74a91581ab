import fc from 'fast-check'
import { describe, test } from 'vitest'
import { siteRulesOf } from '../../../workers/app/adapters/sites/site-rules.ts'
import { siteRules } from '../../../workers/app/contract/site-rules.ts'
import type { SiteUser } from '../../../workers/app/core/site-figures.ts'
import { type HistoryPoint, type Level, levelOf, paceOf, standingOf } from '../../../workers/app/core/site-levels.ts'
import namedFile from '../../../workers/app/definitions/named-sites.json' with { type: 'json' }
import rulesFile from '../../../workers/app/definitions/site-rules.json' with { type: 'json' }
import kindsFile from '../../../workers/app/definitions/sites.json' with { type: 'json' }

const gib = 1024 ** 3
const daySeconds = 86_400
const now = 1_800_000_000

const levels: readonly Level[] = [
  { name: 'User' },
  { name: 'Power User', aka: ['高级会员'], days: 30, downloaded: 50 * gib, ratio: 1.5 },
  { name: 'Elite User', days: 60, any_of: [{ bonus: 1000 }, { seeding_size: 100 * gib }] },
  { name: 'VIP', group: 'vip' },
]
const account: SiteUser = {
  username: 'walker',
  level: 'User',
  uploadedBytes: 60 * gib,
  downloadedBytes: 40 * gib,
  ratio: 1.5,
  bonus: 400,
  joinedAtUnix: now - 20 * daySeconds,
}
/** Ten days, so much more each day. */
const grown = (perDay: Partial<Omit<HistoryPoint, 'day'>>): HistoryPoint[] =>
  Array.from({ length: 11 }, (_, at) => ({
    day: `2026-11-${String(at + 1).padStart(2, '0')}`,
    ...Object.fromEntries(Object.entries(perDay).map(([name, value]) => [name, at * value])),
  }))
const next = (user: SiteUser, history: readonly HistoryPoint[] = []) =>
  standingOf(levels, user, paceOf(history), now).next

describe('the level that a site shows', () => {
  test.for([
    ['User', 'User'],
    ['power user', 'Power User'],
    ['(Elite User)', 'Elite User'],
    ['高级会员', 'Power User'],
    ['高级会员（Power User）', 'Power User'],
    ['Super User', undefined],
    ['', undefined],
  ] as const)('%s is found by its whole name', ([shown, expected], { expect }) => {
    expect(levelOf(levels, shown)?.name).toBe(expected)
  })

  test('is none where two have the name', ({ expect }) => {
    expect(levelOf([{ name: 'A' }, { name: 'a' }], 'A')).toBeUndefined()
  })

  test('of a name that stands in brackets at the site is found by either part', ({ expect }) => {
    const bracketed: Level[] = [{ name: '贵宾(VIP)' }, { name: '主管(Staff)' }]
    expect(levelOf(bracketed, 'VIP')?.name).toBe('贵宾(VIP)')
    expect(levelOf(bracketed, '贵宾')?.name).toBe('贵宾(VIP)')
  })
})

describe('the pace', () => {
  test.for([
    ['growth a day between the days on which it was known', grown({ uploaded: 5 }), { uploaded: 5 }],
    ['nothing of one day', [{ day: '2026-11-01', uploaded: 5 }], {}],
    ['nothing of what shrank', grown({ bonus: -1 }), {}],
    [
      'over days on which nothing was known',
      [
        { day: '2026-10-31', bonus: 1 },
        { day: '2026-11-02', bonus: 5 },
      ],
      { bonus: 2 },
    ],
    ['nothing of no history', [], {}],
  ] as const)('is %s', ([_, history, expected], { expect }) => {
    expect(paceOf(history)).toEqual(expected)
  })
})

describe('the way to the next level', () => {
  test('says of each condition what is there, what is missing, and when it will be', ({ expect }) => {
    const found = next(account, grown({ uploaded: 3 * gib, downloaded: gib }))

    expect(found).toEqual({
      level: levels[1],
      conditions: [
        { condition: 'days', need: 30, have: 20, isMet: false, perDay: 1, atUnix: now + 10 * daySeconds },
        {
          ...{ condition: 'downloaded', need: 50 * gib, have: 40 * gib, isMet: false, perDay: gib },
          atUnix: now + 10 * daySeconds,
        },
        { condition: 'ratio', need: 1.5, have: 1.5, isMet: true },
      ],
      anyOf: [],
      atUnix: now + 10 * daySeconds,
    })
  })

  test.for([
    ['a figure that is absent', { joinedAtUnix: undefined }, { downloaded: gib }],
    ['a figure that is doubtful', { doubts: [{ figure: 'downloaded', rule: 'growth' }] }, { downloaded: gib }],
    ['one that does not grow', {}, { downloaded: 0 }],
    ['no history', {}, {}],
    ['a date too far off', {}, { downloaded: 1 }],
  ] as const)('has no date with %s', ([_, change, pace], { expect }) => {
    const user = Object.fromEntries(
      Object.entries({ ...account, ...change }).filter(([, value]) => value !== undefined),
    ) as unknown as SiteUser
    const found = next(user, grown(pace))

    expect(found?.level.name).toBe('Power User')
    expect(found).not.toHaveProperty('atUnix')
  })

  test('does not tell what is absent or doubtful as a number', ({ expect }) => {
    const { joinedAtUnix: _, ...unknown } = account
    const found = next({ ...unknown, doubts: [{ figure: 'downloaded', rule: 'growth' }] })

    expect(found?.conditions).toEqual([
      { condition: 'days', need: 30, isMet: undefined },
      { condition: 'downloaded', need: 50 * gib, isMet: undefined },
      { condition: 'ratio', need: 1.5, have: 1.5, isMet: true },
    ])
  })

  test.for([
    ['that grows', { uploaded: 3 * gib, downloaded: gib }, now + Math.ceil((20 / 1.5) * daySeconds)],
    ['that falls', { uploaded: gib, downloaded: gib }, undefined],
    ['that nothing moves', { uploaded: 0, downloaded: 0 }, undefined],
  ] as const)('a ratio %s is reached when uploads have caught up', ([_, pace, expected], { expect }) => {
    const found = next({ ...account, uploadedBytes: 40 * gib, ratio: 1 }, grown(pace))

    expect(found?.conditions.find(({ condition }) => condition === 'ratio')?.atUnix).toBe(expected)
  })

  test('any ratio is that of an account which downloaded nothing', ({ expect }) => {
    const { ratio: _, ...none } = account
    expect(next({ ...none, downloadedBytes: 0 })?.conditions.at(-1)).toMatchObject({ condition: 'ratio', isMet: true })
  })

  test('goes by the one of several conditions that is there first', ({ expect }) => {
    const power = { ...account, level: 'Power User', joinedAtUnix: now - 90 * daySeconds, seedingSizeBytes: gib }
    const found = next(power, grown({ bonus: 60, seeding_size: gib }))

    expect(found?.anyOf).toEqual([
      [{ condition: 'bonus', need: 1000, have: 400, isMet: false, perDay: 60, atUnix: now + 10 * daySeconds }],
      [
        {
          condition: 'seeding_size',
          need: 100 * gib,
          have: gib,
          isMet: false,
          perDay: gib,
          atUnix: now + 99 * daySeconds,
        },
      ],
    ])
    expect(found?.atUnix).toBe(now + 10 * daySeconds)
  })

  test('goes by what the site says it gives an hour, where there is no history', ({ expect }) => {
    const power = { ...account, level: 'Power User', joinedAtUnix: now - 90 * daySeconds, bonusPerHour: 2.5 }
    expect(next(power)?.atUnix).toBe(now + 10 * daySeconds)
  })

  test.for([
    ['the highest level', { level: 'Elite User' }, 'Elite User'],
    ['a level that nobody rises to', { level: 'VIP' }, 'VIP'],
    ['a level of another name', { level: 'Emperor' }, undefined],
    ['a doubtful level', { doubts: [{ figure: 'level', rule: 'places' }] }, undefined],
  ] as const)('is none from %s', ([_, change, level], { expect }) => {
    const standing = standingOf(levels, { ...account, ...change }, {}, now)
    expect([standing.level?.name, standing.next]).toEqual([level, undefined])
  })

  test('never has a date before now, or for what nobody can say', ({ expect }) => {
    const amount = fc.option(fc.integer({ min: 0, max: 1000 * gib }), { nil: undefined })
    fc.assert(
      fc.property(amount, amount, amount, fc.integer({ min: 0, max: gib }), (uploaded, downloaded, bonus, perDay) => {
        const user = Object.fromEntries(
          Object.entries({
            ...{ username: 'w', level: 'User', joinedAtUnix: now - 20 * daySeconds },
            ...{ uploadedBytes: uploaded, downloadedBytes: downloaded, bonus },
          }).filter(([, value]) => value !== undefined),
        ) as unknown as SiteUser
        const found = next(user, grown({ uploaded: perDay, downloaded: perDay }))
        for (const one of found?.conditions ?? []) {
          expect(one.atUnix ?? now).toBeGreaterThanOrEqual(now)
          if (one.isMet === undefined) expect(one.atUnix).toBeUndefined()
        }
        if (found?.conditions.some(({ isMet }) => isMet === undefined)) expect(found.atUnix).toBeUndefined()
      }),
    )
  })
})

describe('what is known of certain sites', () => {
  test('is right, and of sites that there are', ({ expect }) => {
    expect(siteRules.safeParse(rulesFile).error).toBeUndefined()
    const known = new Set([...namedFile, ...kindsFile].map(({ id }) => id))
    expect(Object.keys(rulesFile).filter((id) => !known.has(id))).toEqual([])
    expect(Object.values(rulesFile).filter((one) => 'levels' in one).length).toBeGreaterThanOrEqual(130)
  })

  test('finds each level by its own name, but for those that a site has twice', ({ expect }) => {
    const lost = Object.keys(rulesFile).flatMap((id) => {
      const own = siteRulesOf(id).levels ?? []
      return own.filter((level) => levelOf(own, level.name) !== level).map(({ name }) => `${id} ${name}`)
    })
    expect(lost).toEqual([])
  })

  test('is nothing of other sites', ({ expect }) => {
    expect(siteRulesOf('')).toEqual({})
    expect(siteRulesOf('toString')).toEqual({})
  })
})
