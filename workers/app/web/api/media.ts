/** Libraries, what was put into them, and what there is to be had. */
import type { LibraryBody, WireLibrary } from '../../contract/console-libraries.ts'
import type { WireExploreItem } from '../../contract/explore.ts'
import type { WireMediaRecord } from '../../contract/media.ts'
import { type Answer, app, call, type Done, own, rowsAt } from './call.ts'

export interface MediaPage {
  readonly items: readonly WireMediaRecord[]
  readonly total: number
  readonly page: number
  readonly page_size: number
}

export function fetchMediaHistory(parameters: URLSearchParams, signal?: AbortSignal): Promise<Answer<MediaPage>> {
  return call({ method: 'GET', path: `${app}/media/history?${parameters}`, signal })
}

export function organiseAgain(id: number): Promise<Answer<Done>> {
  return call({ method: 'POST', path: `${own}/media/history/${id}/retry`, body: {} })
}

export const {
  list: fetchLibraries,
  add: addLibrary,
  change: changeLibrary,
  remove: removeLibrary,
} = rowsAt<WireLibrary, LibraryBody>(`${own}/libraries`)

export interface ExplorePage {
  readonly items: readonly WireExploreItem[]
  readonly page: number
  readonly total_pages: number
}

export function fetchExplore(parameters: URLSearchParams, signal?: AbortSignal): Promise<Answer<ExplorePage>> {
  return call({ method: 'GET', path: `${app}/explore?${parameters}`, signal })
}

export function posterOf(size: string, path: string): string {
  return `${app}/images/tmdb/${size}/${encodeURIComponent(path.slice(1))}`
}
