import { describe, test } from 'vitest'
import { type Choice, chooseReleases, takenKey, type Wish } from '../../../../workers/app/core/media/choose-releases.ts'
import { type Candidate, isBestQuality, judgeOf } from '../../../../workers/app/core/media/judge-release.ts'
import type { QualityRules } from '../../../../workers/app/core/media/quality-profile.ts'
import { readReleaseName } from '../../../../workers/app/core/media/release-name.ts'
import type { ReleaseRefusal } from '../../../../workers/app/core/media/release-refusal.ts'

const gib = 1024 ** 3
const open: QualityRules = {
  resolutions: ['1080p', '2160p', '720p'],
  sources: [],
  requiredWords: [],
  refusedWords: [],
  minGib: 0,
  maxGib: 0,
  minSeeders: 0,
  freeOnly: false,
  refuseHr: false,
  sites: [],
}
let lastId = 0
const found = (title: string, more: Partial<Candidate> = {}): Candidate => {
  lastId += 1
  const usual = {
    site: 'lantern',
    torrentId: String(lastId),
    sizeBytes: 4 * gib,
    seeders: 9,
    isFree: false,
    hasHr: false,
  }
  return { ...usual, title, ...more }
}
const judged = (candidate: Candidate, profile: Partial<QualityRules>, parts = 1) => {
  const judgeRelease = judgeOf({ ...open, ...profile })
  const outcome = judgeRelease(candidate, readReleaseName(candidate.title, candidate.subtitle), parts)
  return outcome.ok ? outcome.value : outcome.failure
}

const film: Wish = {
  title: { mediaType: 'movie', names: ['盐路', 'The Salt Road'], season: 0, years: { from: 2025, to: 2027 } },
  episodes: [1],
  isOver: true,
  missing: [1],
  improvable: new Map(),
  taken: new Set(),
}
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at)
const season: Wish = {
  ...film,
  title: { mediaType: 'tv', names: ['盐路', 'The Salt Road'], season: 2, years: { from: 2023, to: 2027 } },
  episodes: numbers(1, 10),
  missing: numbers(1, 10),
}
const choose = (wish: Wish, candidates: readonly Candidate[], profile: Partial<QualityRules> = {}, max = 10) =>
  chooseReleases(wish, candidates, { ...open, ...profile }, max)
const titles = ({ picks }: Choice) => picks.map(({ candidate }) => candidate.title)

describe('a release against a profile', () => {
  const usual = 'The.Salt.Road.2026.1080p.WEB-DL.H264-LAMP'
  const refusals: readonly (readonly [ReleaseRefusal, Candidate, Partial<QualityRules>, number?])[] = [
    ['site', found(usual), { sites: ['northgate'] }],
    ['leaked', found('The.Salt.Road.2026.HDTS.1080p.x264-LAMP'), {}],
    ['resolution', found('The.Salt.Road.2026.480p.WEB-DL'), {}],
    ['resolution', found('The.Salt.Road.2026.WEB-DL'), {}],
    ['source', found(usual), { sources: ['remux', 'bluray'] }],
    ['source', found('The.Salt.Road.2026.1080p.x264'), { sources: ['web'] }],
    ['words', found(usual), { requiredWords: ['hevc'] }],
    ['words', found(usual), { refusedWords: ['lamp'] }],
    ['words', found(usual, { subtitle: '盐路 ＤＩＹ国语' }), { refusedWords: ['diy'] }],
    ['size', found(usual), { minGib: 5 }],
    ['size', found(usual), { maxGib: 3 }],
    ['size', found(usual, { sizeBytes: undefined }), { maxGib: 3 }],
    ['size', found(usual, { sizeBytes: undefined }), { minGib: 1 }],
    ['seeders', found(usual, { seeders: undefined }), { minSeeders: 1 }],
    ['size', found(usual), { minGib: 1 }, 5],
    ['seeders', found(usual, { seeders: 2 }), { minSeeders: 3 }],
    ['not_free', found(usual), { freeOnly: true }],
    ['not_free', found(usual, { isFree: true }), { freeOnly: true }],
    ['not_free', found(usual, { isFree: true }), { freeOnly: true, unknownEnd: 'ending' }],
    ['hit_and_run', found(usual, { hasHr: true }), { refuseHr: true }],
  ]
  test.for(refusals)('is refused for its %s', ([why, candidate, profile, parts], { expect }) => {
    expect(judged(candidate, profile, parts)).toBe(why)
  })

  test('at the very bounds is taken, and ranked by the places in the lists', ({ expect }) => {
    const bounds = { minGib: 4, maxGib: 4, minSeeders: 9, sites: ['lantern'], requiredWords: ['Web-DL'] } as const
    expect(judged(found(usual), bounds)).toEqual({ resolution: 0, source: 0 })
    expect(judged(found(usual), { sources: ['bluray', 'web'], resolutions: ['720p', '1080p'] })).toEqual({
      resolution: 1,
      source: 1,
    })
    expect(judged(found(usual), { maxGib: 1 }, 4)).toEqual({ resolution: 0, source: 0 })
    const free = found(usual, { isFree: true })
    expect(judged({ ...free, freeEndAtUnix: 1 }, { freeOnly: true })).toEqual({ resolution: 0, source: 0 })
    expect(judged(free, { freeOnly: true, unknownEnd: 'open' })).toEqual({ resolution: 0, source: 0 })
  })

  test('is the best there is only at the head of every list', ({ expect }) => {
    const profile = { ...open, sources: ['bluray', 'web'] } as const
    expect(isBestQuality({ resolution: '1080p', source: 'bluray' }, profile)).toBe(true)
    expect(isBestQuality({ resolution: '1080p', source: 'web' }, profile)).toBe(false)
    expect(isBestQuality({ resolution: '2160p', source: 'bluray' }, profile)).toBe(false)
    expect(isBestQuality({ resolution: '1080p' }, open)).toBe(true)
    expect(isBestQuality({}, open)).toBe(false)
  })
})

describe('for a film', () => {
  test.for([
    ['The.Salt.Road.2026.1080p.WEB-DL', true],
    ['the salt road (2025) 1080p', true],
    ['ＴＨＥ.ＳＡＬＴ.ＲＯＡＤ.2027.1080p', true],
    ['盐路.2026.1080p.WEB-DL', true],
    ['The.Salt.Road.2024.1080p.WEB-DL', false],
    ['The.Salt.Road.2028.1080p.WEB-DL', false],
    ['The.Salt.Road.1080p.WEB-DL', false],
    ['The.Salt.Road.Home.2026.1080p.WEB-DL', false],
    ['Salt.Road.2026.1080p.WEB-DL', false],
    ['The.Salt.Road.2026.S02E05.1080p.WEB-DL', false],
    ['The.Salt.Road.2026.EP05.1080p.WEB-DL', false],
  ] as const)('%s is taken: %s', ([title, isTaken], { expect }) => {
    expect(titles(choose(film, [found(title)]))).toEqual(isTaken ? [title] : [])
  })

  test('the best quality is taken, then what is free, then what more people have', ({ expect }) => {
    const worse = found('The.Salt.Road.2026.720p.WEB-DL', { isFree: true, seeders: 900 })
    const few = found('The.Salt.Road.2026.1080p.WEB-DL-A', { seeders: 3 })
    const many = found('The.Salt.Road.2026.1080p.WEB-DL-B', { seeders: 30 })
    const free = found('The.Salt.Road.2026.1080p.WEB-DL-C', { seeders: 1, isFree: true })

    expect(titles(choose(film, [worse, few, many, free]))).toEqual([free.title])
    expect(titles(choose(film, [worse, few, many]))).toEqual([many.title])
    expect(titles(choose({ ...film, taken: new Set([takenKey(many)]) }, [worse, few, many]))).toEqual([few.title])
    expect(choose(film, [few]).picks[0]).toMatchObject({
      isComplete: true,
      isUpgrade: false,
      quality: { source: 'web' },
    })
  })

  test('that is there, only what is strictly better is taken', ({ expect }) => {
    const there = (resolution: '1080p' | '720p' | '480p') => ({
      ...film,
      missing: [],
      improvable: new Map([[1, { resolution }]]),
    })
    const candidate = found('The.Salt.Road.2026.1080p.WEB-DL')

    expect(choose(there('720p'), [candidate]).picks).toMatchObject([{ isUpgrade: true }])
    // What the profile does not take any more is worse than everything.
    expect(choose(there('480p'), [candidate]).picks).toMatchObject([{ isUpgrade: true }])
    expect(choose(there('1080p'), [candidate]).picks).toEqual([])
    expect(choose({ ...film, missing: [] }, [candidate]).picks).toEqual([])
  })
})

describe('for a season', () => {
  const pack = found('The.Salt.Road.S02.1080p.WEB-DL')
  const single = (number: number, more = '1080p.WEB-DL') =>
    found(`The.Salt.Road.S02E${String(number).padStart(2, '0')}.${more}`)

  test.for([
    ['The.Salt.Road.S02.1080p.WEB-DL', true],
    ['The.Salt.Road.2024.S02.1080p.WEB-DL', true],
    ['盐路 第二季 全10集 1080p', true],
    ['The.Salt.Road.S02E03.1080p', true],
    ['The.Salt.Road.S03.1080p.WEB-DL', false],
    ['The.Salt.Road.S01-S03.1080p.WEB-DL', false],
    ['The.Salt.Road.E03.1080p.WEB-DL', false],
    ['The.Salt.Road.2026.1080p.WEB-DL', false],
    ['The.Salt.Road.2019.S02.1080p.WEB-DL', false],
    ['The.Salt.Road.S02E11.1080p', false],
    ['The.Other.Road.S02.1080p', false],
  ] as const)('%s is taken: %s', ([title, isTaken], { expect }) => {
    expect(titles(choose(season, [found(title)]))).toEqual(isTaken ? [title] : [])
  })

  test('the first, numbers without a season count too', ({ expect }) => {
    const first = { ...season, title: { ...season.title, season: 1 } }
    expect(titles(choose(first, [found('[Lamp] The Salt Road - 03 [1080p]')]))).toHaveLength(1)
    expect(titles(choose(first, [found('盐路 全10集 1080p')]))).toHaveLength(1)
  })

  test('called by a year, the year is its name', ({ expect }) => {
    const named = { ...season, title: { ...season.title, names: ['Space 1999'] } }
    expect(titles(choose(named, [found('Space.1999.S02.1080p.BluRay')]))).toHaveLength(1)
  })

  test('a pack is taken when most is missing, single episodes when little is', ({ expect }) => {
    const all = [pack, ...numbers(1, 10).map((number) => single(number))]

    expect(titles(choose(season, all))).toEqual([pack.title])
    expect(titles(choose({ ...season, missing: numbers(6, 10) }, all))).toEqual([pack.title])
    expect(titles(choose({ ...season, missing: [9, 10] }, all)).toSorted()).toEqual(
      [single(9).title, single(10).title].toSorted(),
    )
    // Better much again than nothing.
    expect(titles(choose({ ...season, missing: [9] }, [pack]))).toEqual([pack.title])
  })

  test('that goes on has no pack yet', ({ expect }) => {
    const airing = { ...season, isOver: false, missing: [1, 2] }
    expect(titles(choose(airing, [pack, single(1), single(2), single(3)])).toSorted()).toEqual(
      [single(1).title, single(2).title].toSorted(),
    )
    expect(choose(airing, [pack]).picks).toEqual([])
  })

  test('no two picks cover the same episode, and there are no more than the bound', ({ expect }) => {
    const spans = [
      found('The.Salt.Road.S02E01-E04.1080p'),
      found('The.Salt.Road.S02E04-E06.1080p'),
      found('The.Salt.Road.S02E07-E08.1080p'),
    ]
    const choice = choose({ ...season, isOver: false }, [...spans, single(4), single(9), single(9, '2160p')])
    const covered = choice.picks.flatMap(({ episodes }) =>
      episodes === undefined ? [] : numbers(episodes.from, episodes.to),
    )
    expect(covered.toSorted((one, other) => one - other)).toEqual([1, 2, 3, 4, 7, 8, 9])

    const singles = numbers(1, 10).map((number) => single(number))
    expect(choose({ ...season, isOver: false }, singles, {}, 10).picks).toHaveLength(10)
    expect(choose({ ...season, isOver: false }, singles, {}, 9).picks).toHaveLength(9)
  })

  test('what is mostly there is not fetched again for a small part', ({ expect }) => {
    const span = found('The.Salt.Road.S02E01-E04.1080p')
    expect(choose({ ...season, isOver: false, missing: [4] }, [span]).picks).toEqual([])
    expect(choose({ ...season, isOver: false, missing: [3, 4] }, [span]).picks).toHaveLength(1)
  })

  test('the size is judged by the episode', ({ expect }) => {
    expect(choose(season, [pack], { maxGib: 0.4 }).picks).toHaveLength(1)
    expect(choose(season, [single(1)], { maxGib: 0.4 }).picks).toEqual([])
  })

  test('why nothing was taken is counted by reason', ({ expect }) => {
    const taken = single(1)
    const { picks, refusals } = choose(
      { ...season, isOver: false, missing: [1, 2], taken: new Set([takenKey(taken)]) },
      [taken, pack, single(3), single(2, '480p'), found('The.Other.Road.S02E02.1080p')],
    )
    expect(picks).toEqual([])
    expect(Object.fromEntries(refusals)).toEqual({ not_wanted: 3, resolution: 1, other_title: 1 })
  })
})
