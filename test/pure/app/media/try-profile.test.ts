import { describe, test } from 'vitest'
import { type EpisodeStanding, progressOf } from '../../../../workers/app/core/media/progress.ts'
import { builtInRules, type QualityRules } from '../../../../workers/app/core/media/quality-profile.ts'
import {
  byName,
  isSameChoice,
  type ProfileChoices,
  type TriedRelease,
  tryProfile,
} from '../../../../workers/app/core/media/try-profile.ts'
import type { Candidate } from '../../../../workers/app/core/rules/filter-rule.ts'

const gib = 1024 ** 3
const film = {
  mediaType: 'movie',
  season: 0,
  title: '盐路',
  originalTitle: '',
  searchTitle: 'The Salt Road',
  year: 2026,
  totalEpisodes: 0,
  upgrade: false,
} as const
const season = { ...film, mediaType: 'tv', season: 1, totalEpisodes: 4 } as const

const turnedUp = (torrentId: string, title: string, more: Partial<Candidate> = {}): Candidate => ({
  site: 'lantern',
  feed: 'newest',
  torrentId,
  title,
  subtitle: '',
  sizeBytes: 4 * gib,
  seeders: 9,
  promotion: 'NONE',
  ...more,
})
const past = [
  turnedUp('hd', 'The.Salt.Road.2026.1080p.WEB-DL.H264-LAMP'),
  turnedUp('uhd', 'The.Salt.Road.2026.2160p.WEB-DL.H265-QUAY', { sizeBytes: 20 * gib }),
  turnedUp('free', 'The.Salt.Road.2026.720p.WEB-DL.H264-LAMP', { promotion: 'FREE', freeUntilUnix: 2_000_000_000 }),
  turnedUp('open', 'The.Salt.Road.2026.480p.WEB-DL.H264-LAMP', { promotion: 'FREE' }),
  turnedUp('other', 'Glass.Pier.2026.1080p.WEB-DL.H264-LAMP'),
  turnedUp('local', '盐路 2026 1080p BluRay x265-QUAY', { seeders: 1 }),
]

function choices(
  tried: Partial<QualityRules>,
  { title = film, episodes = [] }: { title?: typeof film | typeof season; episodes?: readonly EpisodeStanding[] } = {},
  found = past,
): ProfileChoices {
  const progress = progressOf(episodes, title.totalEpisodes, '2026-11-26')
  const subject = { title, progress, episodes, releases: byName(found).of(title) }
  return tryProfile(subject, { stored: builtInRules, tried: { ...builtInRules, ...tried } }, 10)
}
const told = (list: readonly TriedRelease[]) => list.map(({ candidate, against }) => [candidate.torrentId, against])

describe('what turned up', () => {
  test('is found by each of the names that a title has', ({ expect }) => {
    const ids = byName(past)
      .of(film)
      .map(({ torrentId }) => torrentId)

    expect(ids.sort()).toEqual(['free', 'hd', 'local', 'open', 'uhd'])
    expect(byName(past).of({ title: '', originalTitle: '', searchTitle: 'Nothing' })).toEqual([])
  })
})

describe('a changed profile', () => {
  test('says what it would have chosen, and what the other one has against each', ({ expect }) => {
    const changed = choices({ resolutions: ['2160p'] })

    expect(told(changed.stored)).toEqual([['hd', 'resolution']])
    // The present one takes it as well, and prefers another.
    expect(told(changed.tried)).toEqual([['uhd', undefined]])
    expect(isSameChoice(changed)).toBe(false)
  })

  test.for<[string, Partial<QualityRules>, unknown[]]>([
    ['a size', { maxGib: 3 }, []],
    ['a source', { sources: ['bluray'] }, [['local', undefined]]],
    ['what is free with a certain end', { resolutions: ['720p', '480p'], freeOnly: true }, [['free', undefined]]],
    [
      'what is free without one',
      { resolutions: ['480p'], freeOnly: true, unknownEnd: 'open' },
      [['open', 'resolution']],
    ],
    ['no end for certain', { resolutions: ['480p'], freeOnly: true }, []],
    ['another site', { sites: ['elsewhere'] }, []],
  ])('goes by %s', ([, tried, expected], { expect }) => {
    expect(told(choices(tried).tried)).toEqual(expected)
  })

  test('that changes nothing chooses the same', ({ expect }) => {
    const same = choices({ minSeeders: 2 })

    expect(isSameChoice(same)).toBe(true)
    expect(told(same.tried)).toEqual([['hd', undefined]])
  })

  test('is tried as if nothing were there, and of what is out alone', ({ expect }) => {
    const episodes = (['library', 'downloading', 'missing', 'upcoming'] as const).map((state, at) => ({
      ...{ number: at + 1, name: '', state },
      ...(state === 'upcoming' ? {} : { airDate: `2026-11-0${at + 1}` }),
    }))
    const found = [1, 2, 3, 4].map((number) =>
      turnedUp(`e${number}`, `The.Salt.Road.S01E0${number}.2160p.WEB-DL.H265-QUAY`),
    )

    const changed = choices({ resolutions: ['1080p'] }, { title: season, episodes }, found)

    expect(told(changed.stored)).toEqual([
      ['e1', 'resolution'],
      ['e2', 'resolution'],
      ['e3', 'resolution'],
    ])
    expect(changed.tried).toEqual([])
  })
})
