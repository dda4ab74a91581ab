/** What is asked of the sites for a subscription, what is wanted of their answers, and what is told of a search. */
import type { MediaType } from '../vocabulary.ts'
import type { ChoiceRefusal, WantedTitle, Wish } from './choose-releases.ts'
import { isBestQuality } from './judge-release.ts'
import { type EpisodeStanding, type Progress, spanOf } from './progress.ts'
import type { QualityRules } from './quality-profile.ts'
import type { NumberSpan, ReleaseQuality } from './release-name.ts'

interface HuntedTitle {
  readonly mediaType: MediaType
  readonly season: number
  readonly title: string
  readonly originalTitle: string
  readonly searchTitle: string
  readonly year?: number
  readonly totalEpisodes: number
  readonly upgrade: boolean
}

/** A torrent that was taken for a subscription, as far as later searches go by it. */
export interface TakenTorrent {
  readonly key: string
  readonly status: 'downloading' | 'done' | 'failed' | 'replaced'
  /** Null for all of it. */
  readonly episode: number | null
  readonly episodeEnd: number | null
  readonly quality: ReleaseQuality
}

/** Asked one after another until one brings something: the name that sites use, narrowed down, and the local one. */
export function huntKeywords({ mediaType, season, searchTitle, title, year }: HuntedTitle): string[] {
  const narrow = mediaType === 'tv' ? `S${String(season).padStart(2, '0')}` : (year ?? '')
  return [...new Set([words(`${searchTitle} ${narrow}`), words(title)])].filter((keyword) => keyword !== '')
}

/** Sites look for words: signs between them are written in many ways. */
function words(text: string): string {
  return text.replace(/[^\p{L}\p{M}\p{N}']+/gu, ' ').trim()
}

export function wishFor(
  title: HuntedTitle,
  { progress, episodes }: { readonly progress: Progress; readonly episodes: readonly EpisodeStanding[] },
  torrents: readonly TakenTorrent[],
): Wish {
  const isFilm = title.mediaType === 'movie'
  const standing = isFilm
    ? [{ number: 1, state: progress.inLibrary > 0 ? ('library' as const) : ('missing' as const) }]
    : episodes
  const isOnItsWay = coveredBy(torrents.filter(({ status }) => status === 'downloading'))
  const present = torrents.filter(({ status }) => status === 'done')
  const improvable = new Map<number, ReleaseQuality>()
  for (const { number, state } of standing) {
    if (!title.upgrade || state !== 'library' || isOnItsWay(number)) continue
    // What came into the library otherwise is the owner's own choice.
    const torrent = present.findLast((one) => coveredBy([one])(number))
    if (torrent !== undefined) improvable.set(number, torrent.quality)
  }
  return {
    title: wantedTitle(title, episodes),
    episodes: standing.map(({ number }) => number),
    isOver: isFilm || (episodes.length >= title.totalEpisodes && episodes.every(({ state }) => state !== 'upcoming')),
    missing: progress.missing,
    improvable,
    taken: new Set(torrents.map(({ key }) => key)),
  }
}

function coveredBy(torrents: readonly TakenTorrent[]): (episode: number) => boolean {
  const spans = torrents.map(({ episode, episodeEnd }) => spanOf(episode, episodeEnd))
  return (episode) => spans.some(({ first, last }) => first <= episode && episode <= last)
}

function wantedTitle(title: HuntedTitle, episodes: readonly EpisodeStanding[]): WantedTitle {
  const { mediaType, season, year } = title
  const lastAired = Math.max(0, ...episodes.map(({ airDate }) => Number(airDate?.slice(0, 4) ?? 0)))
  const last = mediaType === 'movie' ? year : lastAired
  return {
    mediaType,
    names: [title.title, title.originalTitle, title.searchTitle],
    season,
    ...(year === undefined ? {} : { years: { from: year - 1, to: Math.max(year, last ?? year) + 1 } }),
  }
}

/** Whether nothing more is to be looked for, ever: all of it is there, and as good as the owner wants it. */
export function isAllThere(
  { upgrade }: Pick<HuntedTitle, 'upgrade'>,
  progress: Progress,
  torrents: readonly TakenTorrent[],
  profile: QualityRules,
): boolean {
  if (progress.total === 0 || progress.inLibrary < progress.total) return false
  return !upgrade || torrents.every(({ status, quality }) => status !== 'done' || isBestQuality(quality, profile))
}

/** Of a season; empty for a film. */
export function coveredText(mediaType: MediaType, episodes: NumberSpan | undefined): string {
  if (mediaType === 'movie') return ''
  if (episodes === undefined) return '整季'
  return episodes.from === episodes.to ? `第 ${episodes.from} 集` : `第 ${episodes.from}-${episodes.to} 集`
}

export function seasonTitle({ mediaType, title, season }: Pick<HuntedTitle, 'mediaType' | 'title' | 'season'>): string {
  return mediaType === 'movie' ? title : `${title} 第 ${season} 季`
}

/** What became of one release that was chosen. */
export interface PushTold {
  /** Empty for a film. */
  readonly covers: string
  /** Why it is not on its way; absent when it is. */
  readonly failure?: string
}

export interface HuntTold {
  readonly pushes: readonly PushTold[]
  readonly refusals: ReadonlyMap<ChoiceRefusal, number>
  /** Sites that could not be asked. */
  readonly errors: readonly { readonly site: string; readonly error: string }[]
}

const refusalTexts: Readonly<Record<ChoiceRefusal, string>> = {
  other_title: '不是这部作品或这一季',
  not_wanted: '不含缺少的内容',
  site: '站点不在方案中',
  leaked: '枪版',
  resolution: '分辨率不符',
  source: '来源不符',
  words: '关键词不符',
  size: '大小不符',
  seeders: '做种人数不足',
  not_free: '不是免费',
  hit_and_run: '有 H&R 要求',
}

/** In Chinese, for the owner. */
export function tellHunt({ pushes, refusals, errors }: HuntTold): string {
  const made = pushes.filter(({ failure }) => failure === undefined)
  const covers = made.map((push) => push.covers).filter((text) => text !== '')
  const parts: string[] = []
  if (made.length > 0) parts.push(`推送了 ${made.length} 个种子${covers.length === 0 ? '' : `：${covers.join('、')}`}`)
  for (const { covers: what, failure } of pushes) {
    if (failure !== undefined) parts.push(`${what === '' ? '种子' : what}未能推送：${failure}`)
  }
  if (pushes.length === 0) parts.push(tellRefusals(refusals))
  for (const { site, error } of errors) parts.push(`${site}：${error}`)
  return parts.join('；')
}

function tellRefusals(refusals: ReadonlyMap<ChoiceRefusal, number>): string {
  const total = [...refusals.values()].reduce((sum, count) => sum + count, 0)
  if (total === 0) return '没有找到种子'
  const counts = [...refusals].toSorted((one, other) => other[1] - one[1])
  const reasons = counts.map(([why, count]) => `${count} 个${refusalTexts[why]}`)
  return `没有找到合适的种子，${total} 个结果中：${reasons.join('，')}`
}
