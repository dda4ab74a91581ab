/** What of a subscription is there, on its way, missing, or to come; and which season is the latest. */
import { describe, test } from 'vitest'
import { episodesOf, progressOf, spanOf, standingOf } from '../../../../workers/app/core/media/progress.ts'
import { firstStatus } from '../../../../workers/app/core/media/subscription.ts'
import {
  type AnnouncedSeason,
  chooseSeason,
  filmDetails,
  seasonDetails,
} from '../../../../workers/app/core/media/title-details.ts'

const today = '2026-11-22'
const episodes = [
  { number: 1, name: 'a', airDate: '2026-11-01' },
  { number: 2, name: 'b', airDate: today },
  { number: 3, name: 'c', airDate: '2026-11-23' },
  { number: 4, name: 'd' },
]
const states = (held: [number | null, number | null][], downloading: [number | null, number | null][]) =>
  standingOf(
    episodes,
    held.map(([first, last]) => spanOf(first, last)),
    downloading.map(([first, last]) => spanOf(first, last)),
    today,
  ).map(({ state }) => state)

describe('episodes', () => {
  test.for([
    [
      'is missing from the day it airs, and upcoming before and without a day',
      [],
      [],
      'missing missing upcoming upcoming',
    ],
    ['is downloading once a torrent covers it, aired or not', [], [[2, 3]], 'missing downloading downloading upcoming'],
    ['is in the library, whatever else covers it', [[1, null]], [[1, 2]], 'library downloading upcoming upcoming'],
    ['is covered by a whole season', [[null, null]], [], 'library library library library'],
  ] as const)('an episode %s', ([, held, downloading, expected], { expect }) => {
    expect(states(held as never, downloading as never).join(' ')).toBe(expected)
  })
})

describe('progress', () => {
  test('counts what is announced, what has aired, and names what is missing', ({ expect }) => {
    const standing = standingOf(episodes, [spanOf(1, null)], [spanOf(3, null)], today)

    expect(progressOf(standing, 8, today)).toEqual({ total: 8, aired: 2, inLibrary: 1, downloading: 1, missing: [2] })
    expect(progressOf(standing, 3, today).total).toBe(4)
  })

  test.for([
    [
      'one of two is done',
      [
        [2, 2, 100],
        [3, 3, 0],
      ],
      50,
    ],
    ['a pack brings both', [[1, 4, 12.34]], 12.3],
    [
      'the further of two counts',
      [
        [2, 3, 10],
        [2, 2, 30],
      ],
      20,
    ],
    ['nobody knows', [], undefined],
  ] as const)('of what is on its way %s', ([, spans, expected], { expect }) => {
    const downloads = spans.map(([first, last, percent]) => ({ first, last, percent }))
    const standing = standingOf(episodes, [spanOf(1, null)], [{ first: 2, last: 3 }], today)
    expect(progressOf(standing, 0, today, downloads).downloadingPercent).toBe(expected)
  })

  test.for([
    ['released today', today, [], { aired: 1, missing: [1] }],
    ['to be released tomorrow', '2026-11-23', [], { aired: 0, missing: [] }],
    ['that nobody dates', undefined, [], { aired: 1, missing: [1] }],
    ['in the library', today, [spanOf(null, null)], { aired: 1, inLibrary: 1, missing: [] }],
  ] as const)('of a film %s is that of one episode', ([, releasedOn, held, expected], { expect }) => {
    const film = { mediaType: 'movie', ...(releasedOn === undefined ? {} : { releasedOn }) } as const

    const standing = standingOf(episodesOf(film, [], today), held, [], today)

    expect(progressOf(standing, 0, today)).toEqual({ total: 1, inLibrary: 0, downloading: 0, ...expected })
  })
})

test.for([
  ['2026-11-23', 'pending'],
  [today, 'active'],
  ['2020-01-01', 'active'],
  [undefined, 'active'],
] as const)('what is released on %s begins as %s', ([releasedOn, status], { expect }) => {
  expect(firstStatus(releasedOn, today)).toBe(status)
})

describe('seasons', () => {
  const season = (number: number, airDate?: string): AnnouncedSeason => ({
    number,
    episodeCount: 1,
    ...(airDate === undefined ? {} : { airDate }),
  })
  const announced = [season(3), season(1, '2020-01-01'), season(2, today), season(4, '2027-01-01'), season(0, today)]

  test.for([
    ['is the one that was asked for', 1, announced, 1],
    ['is none where the series has no such season', 5, announced, undefined],
    ['that is the latest began by today', 0, announced, 2],
    ['is the first to come where none began', 0, [season(2, '2027-05-01'), season(1, '2027-01-01')], 1],
    ['is the first announced where nobody dates any', 0, [season(2), season(1)], 1],
    ['is none of a series of specials', 0, [season(0, '2020-01-01')], undefined],
  ] as const)('the season %s', ([, wanted, seasons, expected], { expect }) => {
    expect(chooseSeason(seasons, wanted, today)?.number).toBe(expected)
  })
})

describe('details', () => {
  const chinese = { title: '盐路', originalTitle: 'Le Sel', date: '2026-01-02', posterPath: '/a.jpg' }

  test('of a film take what the first language lacks from the second, and are searched for by the second', ({
    expect,
  }) => {
    expect(filmDetails(7, 'zh', { ...chinese, title: '' }, { title: 'The Salt', originalTitle: 'Le Sel' })).toEqual({
      mediaType: 'movie',
      tmdbId: 7,
      season: 0,
      title: 'The Salt',
      originalTitle: 'Le Sel',
      searchTitle: 'The Salt',
      year: 2026,
      posterPath: '/a.jpg',
      releasedOn: '2026-01-02',
      totalEpisodes: 0,
      episodes: [],
    })
    expect(filmDetails(7, 'zh', chinese, undefined)).toMatchObject({ title: '盐路', searchTitle: 'Le Sel' })
  })

  test('of a season list each episode once and in order, and begin with the first that airs', ({ expect }) => {
    const series = { ...chinese, seasons: [] }
    const made = seasonDetails(
      7,
      'zh',
      { number: 2, episodeCount: 5, airDate: '2026-02-01' },
      [series, undefined],
      [
        [
          { number: 2, name: '', airDate: '2026-02-08' },
          { number: 1, name: '一' },
          { number: 2, name: '', airDate: '2026-02-08' },
        ],
        [{ number: 2, name: 'Two' }],
      ],
    )

    expect(made).toMatchObject({ season: 2, year: 2026, releasedOn: '2026-02-08', totalEpisodes: 5 })
    expect(made.episodes).toEqual([
      { number: 1, name: '一' },
      { number: 2, name: 'Two', airDate: '2026-02-08' },
    ])
  })
})
