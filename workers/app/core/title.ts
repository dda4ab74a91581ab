/** Films and series as the metadata provider lists them. */
import type { MediaType, TitleList } from './vocabulary.ts'

export interface Title {
  /** The provider's. */
  readonly id: number
  readonly mediaType: MediaType
  readonly title: string
  /** Empty, or absent, for what is not known. */
  readonly originalTitle: string
  readonly overview: string
  readonly year?: number
  /** With the leading `/`; only what the service would fetch as an image. */
  readonly posterPath?: string
  readonly voteAverage?: number
}

export interface TitlePage {
  readonly titles: readonly Title[]
  readonly totalPages: number
}

/** What somebody wants to see; `words` are for a search, which has one page. */
export interface TitleQuery {
  readonly mediaType: MediaType
  readonly list: TitleList
  readonly words: string
  readonly page: number
}

/** Names of image files at the provider: nothing that could lead anywhere else. */
export const imageFilePattern = /^[A-Za-z0-9_-]{1,128}\.(?:jpg|jpeg|png|webp)$/

/** Below the provider's address, without key and language. */
export function titleListPath({ mediaType, list, words, page }: TitleQuery): string {
  const pages = `page=${page}`
  if (list === 'trending') return `/trending/${mediaType}/week?${pages}`
  if (list === 'popular') return `/${mediaType}/popular?${pages}`
  return `/search/${mediaType}?query=${encodeURIComponent(words)}&include_adult=false&${pages}`
}

/** Whether the second language has something to add. */
export function hasGaps({ titles }: TitlePage): boolean {
  return titles.some(({ title, overview }) => title === '' || overview === '')
}

/** What the first language leaves empty is taken from the second; a title without any name is left out. */
export function fillGaps(first: TitlePage, second: TitlePage | undefined): TitlePage {
  const others = new Map(second?.titles.map((title) => [title.id, title]))
  const titles = first.titles.map((title) => {
    const other = others.get(title.id)
    return {
      ...title,
      title: title.title || other?.title || title.originalTitle,
      overview: title.overview || (other?.overview ?? ''),
    }
  })
  return { ...first, titles: titles.filter(({ title }) => title !== '') }
}
