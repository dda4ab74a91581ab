import { describe, test } from 'vitest'
import { isOwned } from '../../../../workers/app/core/media/owned-release.ts'
import { progressOf, spanOf, standingOf } from '../../../../workers/app/core/media/progress.ts'

const today = '2026-11-26'
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
const season = { ...film, mediaType: 'tv', season: 2, year: 2024, totalEpisodes: 4 } as const

/** Of a season of four episodes those that are there, and how many are out. */
function ofSeason(title: string, there: readonly number[], aired = 4): boolean | undefined {
  const known = [1, 2, 3, 4].map((number) => ({
    number,
    name: '',
    airDate: number <= aired ? '2026-11-10' : '2026-12-10',
  }))
  const episodes = standingOf(
    known,
    there.map((number) => spanOf(number, null)),
    [{ first: 4, last: 4 }],
    today,
  )
  return isOwned({ title }, season, { progress: progressOf(episodes, 4, today), episodes })
}

function ofFilm(title: string, isThere: boolean): boolean | undefined {
  const known = [{ number: 1, name: '', airDate: '2026-11-10' }]
  const standing = standingOf(known, isThere ? [spanOf(null, null)] : [], [], today)
  return isOwned({ title, subtitle: '' }, film, { progress: progressOf(standing, 1, today), episodes: [] })
}

describe('what a release brings', () => {
  test('of a series is there when each of its episodes is, and not when one is only on its way', ({ expect }) => {
    expect(ofSeason('The.Salt.Road.S02E01.1080p.WEB-DL', [1, 2])).toBe(true)
    expect(ofSeason('The.Salt.Road.S02E01-E02.1080p.WEB-DL', [1, 2])).toBe(true)
    expect(ofSeason('The.Salt.Road.S02E02-E03.1080p.WEB-DL', [1, 2])).toBe(false)
    expect(ofSeason('The.Salt.Road.S02E04.1080p.WEB-DL', [1, 2])).toBe(false)
    expect(ofSeason('盐路 第2季 第1集 1080p', [1])).toBe(true)
  })

  test('of a whole season is there when all is, and unknown while the season goes on', ({ expect }) => {
    expect(ofSeason('The.Salt.Road.S02.1080p.WEB-DL', [1, 2, 3, 4])).toBe(true)
    expect(ofSeason('The.Salt.Road.S02.1080p.WEB-DL', [1, 2, 3])).toBe(false)
    expect(ofSeason('The.Salt.Road.S02.1080p.WEB-DL', [1, 2], 2)).toBeUndefined()
  })

  test('of a film is there when the film is', ({ expect }) => {
    expect(ofFilm('The.Salt.Road.2026.1080p.WEB-DL', true)).toBe(true)
    expect(ofFilm('The.Salt.Road.2026.1080p.WEB-DL', false)).toBe(false)
  })

  test('is unknown of another title, season or year, and of an episode that nobody announced', ({ expect }) => {
    expect(ofSeason('Glass.Pier.S02E01.1080p.WEB-DL', [1])).toBeUndefined()
    expect(ofSeason('The.Salt.Road.S01E01.1080p.WEB-DL', [1])).toBeUndefined()
    expect(ofSeason('The.Salt.Road.S02E04-E05.1080p.WEB-DL', [1, 2, 3, 4])).toBeUndefined()
    expect(ofFilm('The.Salt.Road.1996.1080p.WEB-DL', true)).toBeUndefined()
    expect(ofFilm('The.Salt.Road.1080p.WEB-DL', true)).toBeUndefined()
  })
})
