import { describe, test } from 'vitest'
import { type EpisodeStanding, progressOf } from '../../../../workers/app/core/media/progress.ts'
import { builtInRules } from '../../../../workers/app/core/media/quality-profile.ts'
import {
  isAllThere,
  type SearchFindings,
  searchKeywords,
  searchReason,
  type TakenTorrent,
  wishFor,
} from '../../../../workers/app/core/media/subscription-search.ts'
import type { EpisodeState } from '../../../../workers/app/core/vocabulary.ts'
import { said, saying } from '../../../support/said.ts'

const today = '2026-11-22'
const film = {
  mediaType: 'movie',
  season: 0,
  title: '盐路',
  originalTitle: 'Yan Lu',
  searchTitle: 'The Salt Road: Part II',
  year: 2026,
  totalEpisodes: 0,
  upgrade: false,
} as const
const { year: _, ...undated } = film
const season = { ...film, mediaType: 'tv', season: 2, year: 2024, totalEpisodes: 4 } as const
const standing = (...states: readonly EpisodeState[]): EpisodeStanding[] =>
  states.map((state, at) => ({
    ...{ number: at + 1, name: '', state },
    ...(state === 'upcoming' ? {} : { airDate: `2026-11-0${at + 1}` }),
  }))
const wish = (states: readonly EpisodeState[], torrents: readonly TakenTorrent[] = [], change: object = {}) => {
  const episodes = standing(...states)
  return wishFor({ ...season, ...change }, { progress: progressOf(episodes, 4, today), episodes }, torrents)
}
const torrent = (status: TakenTorrent['status'], episode: number | null, more: Partial<TakenTorrent> = {}) =>
  ({
    key: `lantern ${episode}`,
    status,
    episode,
    episodeEnd: episode,
    quality: { resolution: '720p' },
    ...more,
  }) as const

describe('what is asked of the sites', () => {
  test.for([
    ['a film by its year', film, ['The Salt Road Part II 2026', '盐路']],
    ['a season by its number', season, ['The Salt Road Part II S02', '盐路']],
    ['a film of no known year', undated, ['The Salt Road Part II', '盐路']],
    ['a name once', { ...undated, searchTitle: '盐路' }, ['盐路']],
    ['no name of signs alone', { ...season, title: '…' }, ['The Salt Road Part II S02']],
  ] as const)('is %s', ([__, title, keywords], { expect }) => {
    expect(searchKeywords(title)).toEqual(keywords)
  })
})

describe('what is wanted', () => {
  test('of a season are the missing episodes, and years in which it was shown', ({ expect }) => {
    expect(wish(['library', 'downloading', 'missing', 'upcoming'])).toMatchObject({
      title: { names: ['盐路', 'Yan Lu', 'The Salt Road: Part II'], season: 2, years: { from: 2023, to: 2027 } },
      episodes: [1, 2, 3, 4],
      isOver: false,
      missing: [3],
    })
  })

  test('of a film is the film, of its year and those beside it', ({ expect }) => {
    const missing = { total: 1, aired: 1, inLibrary: 0, downloading: 0, missing: [1] }
    const { episodes, isOver, title } = wishFor(film, { progress: missing, episodes: [] }, [])
    expect([episodes, isOver, title.years]).toEqual([[1], true, { from: 2025, to: 2027 }])
  })

  test('is over once every announced episode was shown', ({ expect }) => {
    expect(wish(['missing', 'missing', 'missing', 'missing']).isOver).toBe(true)
    expect(wish(['missing', 'missing', 'missing']).isOver).toBe(false)
  })

  test('better is what came from a torrent and is not on its way already', ({ expect }) => {
    const torrents = [torrent('done', 1), torrent('done', 2), torrent('downloading', 2), torrent('failed', 3)]
    const states = ['library', 'library', 'library', 'missing'] as const

    expect([...wish(states, torrents, { upgrade: true }).improvable.keys()]).toEqual([1])
    expect(wish(states, torrents).improvable.size).toBe(0)
    expect([...wish(states, torrents).taken]).toEqual(['lantern 1', 'lantern 2', 'lantern 3'])
  })
})

test.for([
  ['nothing is known of it', 0, 0, false, [], false],
  ['an episode lacks', 4, 3, false, [], false],
  ['all of it is there', 4, 4, false, [torrent('done', null)], true],
  ['all of it is there and may be better', 4, 4, true, [torrent('done', null)], false],
  ['all of it is there at its best', 4, 4, true, [torrent('done', null, { quality: { resolution: '1080p' } })], true],
  ['what was worse was replaced', 4, 4, true, [torrent('replaced', null)], true],
] as const)(
  'where %s, nothing is left to do: %#',
  ([__, total, inLibrary, upgrade, torrents, expected], { expect }) => {
    const progress = { total, inLibrary, aired: total, downloading: 0, missing: [] }
    expect(isAllThere({ upgrade }, progress, torrents, builtInRules)).toBe(expected)
  },
)

describe('what is told of a search', () => {
  const none = { pushes: [], refusals: new Map(), errors: [] } as const

  test('names what was pushed, what was not and why, and sites that are away', ({ expect }) => {
    const pushes: SearchFindings['pushes'] = [
      { covers: { from: 5, to: 5 } },
      { covers: { from: 6, to: 8 } },
      { covers: 'season', reason: saying('空间不足') },
    ]
    expect(
      said(searchReason({ ...none, pushes, errors: [{ site: 'Lantern', reason: { kind: 'site.timeout' } }] })),
    ).toBe('推送了 2 个种子：第 5 集、第 6-8 集；整季未能推送：空间不足；Lantern：站点响应超时')
    expect(said(searchReason({ ...none, pushes: [{ reason: saying('空间不足') }] }))).toBe('种子未能推送：空间不足')
  })

  test('counts why nothing was taken, the most frequent reason first', ({ expect }) => {
    expect(said(searchReason(none))).toBe('没有找到种子')
    const refusals = new Map([
      ['resolution', 1],
      ['other_title', 3],
    ] as const)
    expect(said(searchReason({ ...none, refusals }))).toBe(
      '没有找到合适的种子，4 个结果中：3 个不是这部作品或这一季，1 个分辨率不符',
    )
  })
})
