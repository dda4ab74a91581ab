/** What somebody wants to see, as a list names it, and which title is meant. */
import { foldName } from '../media/fold-name.ts'
import type { Title } from '../title.ts'
import type { MediaType } from '../vocabulary.ts'

export interface ListEntry {
  /** By which the list knows it, or, where it has nothing of the kind, its name and year. */
  readonly key: string
  readonly title: string
  /** Left out where the list does not tell; so below. */
  readonly mediaType?: MediaType
  readonly originalTitle?: string
  readonly year?: number
  readonly imdbId?: string
  readonly tmdbId?: number
  readonly season?: number
}

export type TitleChoice =
  | { readonly kind: 'one'; readonly title: Title }
  /** Which of these, only the owner knows. */
  | { readonly kind: 'unclear'; readonly titles: readonly Title[] }
  | { readonly kind: 'none' }

/**
 * One alone that has the very name and the very year is meant. Everything else is a guess: a remake has the name, and a
 * list may name the year of another country's release.
 */
export function chooseTitle(entry: ListEntry, found: readonly Title[], choicesMax: number): TitleChoice {
  const names = new Set([entry.title, entry.originalTitle ?? ''].map(foldName).filter((name) => name !== ''))
  const sameName = found.filter(
    ({ title, originalTitle }) => names.has(foldName(title)) || names.has(foldName(originalTitle)),
  )
  const exact = sameName.filter(({ year }) => year !== undefined && year === entry.year)
  const [only] = exact
  if (only !== undefined && exact.length === 1) return { kind: 'one', title: only }
  const near = sameName.length > 0 ? sameName : found
  return near.length === 0 ? { kind: 'none' } : { kind: 'unclear', titles: near.slice(0, choicesMax) }
}

/** `Name (2024)`, as feeds write it; the year stays undefined where there is none. */
export function nameAndYear(text: string): { readonly title: string; readonly year?: number } {
  const whole = text.replace(/\s{1,100}/g, ' ').trim()
  const match = /^(.{1,400}?)[\s,]*[([（]?((?:19|20)\d{2})[)\]）]?$/u.exec(whole)
  const [, title = '', year = ''] = match ?? []
  return match === null || title.trim() === '' ? { title: whole } : { title: title.trim(), year: Number(year) }
}

/** Ids that an address or a text names. */
export function idsIn(text: string): Pick<ListEntry, 'imdbId' | 'tmdbId' | 'mediaType'> {
  const imdbId = /\btt\d{7,10}\b/.exec(text)?.[0]
  const [, kind, tmdb] = /themoviedb\.org\/(movie|tv)\/(\d{1,9})/.exec(text) ?? []
  return {
    ...(imdbId === undefined ? {} : { imdbId }),
    ...(kind === undefined ? {} : { mediaType: kind as MediaType, tmdbId: Number(tmdb) }),
  }
}
