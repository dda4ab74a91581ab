/**
 * Categories of the protocol (torznab.github.io, specification 1.3 draft), by number, and which of them a torrent is in:
 * sites have their own words for theirs, in two languages.
 */
import { readReleaseName } from '../media/release-name.ts'

interface Category {
  readonly id: number
  readonly name: string
  readonly parts: readonly { readonly id: number; readonly name: string }[]
}

export const categoryTree: readonly Category[] = [
  { id: 1000, name: 'Console', parts: [] },
  {
    id: 2000,
    name: 'Movies',
    parts: [
      { id: 2030, name: 'Movies/SD' },
      { id: 2040, name: 'Movies/HD' },
      { id: 2045, name: 'Movies/UHD' },
    ],
  },
  { id: 3000, name: 'Audio', parts: [{ id: 3030, name: 'Audio/Audiobook' }] },
  { id: 4000, name: 'PC', parts: [{ id: 4050, name: 'PC/Games' }] },
  {
    id: 5000,
    name: 'TV',
    parts: [
      { id: 5030, name: 'TV/SD' },
      { id: 5040, name: 'TV/HD' },
      { id: 5045, name: 'TV/UHD' },
      { id: 5060, name: 'TV/Sport' },
      { id: 5070, name: 'TV/Anime' },
      { id: 5080, name: 'TV/Documentary' },
    ],
  },
  { id: 6000, name: 'XXX', parts: [] },
  { id: 7000, name: 'Books', parts: [] },
  { id: 8000, name: 'Other', parts: [] },
]

const movies = 2000
const television = 5000
const other = 8000

/** The first that fits says it, so what is narrower stands before what is wider. */
const words: readonly (readonly [RegExp, number])[] = [
  [/xxx|porn|adult|9kg|成人/, 6000],
  [/audio ?book|有声/, 3030],
  [/anim[ea]|动漫|動漫|动画|動畫/, 5070],
  [/document|纪录|紀錄|记录/, 5080],
  [/sport|体育|體育/, 5060],
  [/movie|film|电影|電影|影片/, movies],
  [/\btv\b|series|season|episode|show|variety|剧|劇|综艺|綜藝/, television],
  [/music|audio|\bmv\b|concert|flac|音乐|音樂|演唱/, 3000],
  [/console|playstation|xbox|nintendo|switch/, 1000],
  [/game|游戏|遊戲/, 4050],
  [/soft|\bapps?\b|\bpc\b|软件|軟體/, 4000],
  [/book|comic|magazine|书|書|漫画|漫畫|杂志|学习|學習/, 7000],
]

/** The numbers of a torrent, the widest first: what its site calls it, else what its name says, and how fine it is. */
export function categoriesOf(siteWord: string | undefined, title: string): readonly number[] {
  const said = (siteWord ?? '').toLowerCase()
  const release = readReleaseName(title)
  const isEpisode = release.seasons !== undefined || release.episodes !== undefined
  const found = words.find(([pattern]) => pattern.test(said))?.[1] ?? (isEpisode ? television : other)
  const head = Math.floor(found / 1000) * 1000
  if (found !== head) return [head, found]
  if (head !== movies && head !== television) return [head]
  const { resolution } = release.quality
  if (resolution === undefined) return [head]
  return [head, head + (resolution === '2160p' ? 45 : resolution === '1080p' || resolution === '720p' ? 40 : 30)]
}

/** Whoever asks for a head asks for all below it. Nothing asked for is everything. */
export function isAsked(numbers: readonly number[], asked: readonly number[]): boolean {
  return asked.length === 0 || numbers.some((number) => asked.includes(number))
}

/** The word of our searches that holds all that is asked for, where there is one. */
export function searchWordOf(asked: readonly number[]): 'movie' | 'tv' | undefined {
  const heads = new Set(asked.map((number) => Math.floor(number / 1000) * 1000))
  if (heads.size !== 1) return undefined
  return heads.has(movies) ? 'movie' : heads.has(television) ? 'tv' : undefined
}
