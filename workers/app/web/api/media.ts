/** Libraries, what was put into them, and what there is to be had. */
import type { LibraryBody, WireLibrary } from '../../contract/console-libraries.ts'
import type { WireExploreItem } from '../../contract/explore.ts'
import type { WireMediaRecord } from '../../contract/media.ts'
import { type Answer, app, call, type Done, type Items, own } from './call.ts'

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

export function fetchLibraries(signal?: AbortSignal): Items<WireLibrary> {
  return call({ method: 'GET', path: `${own}/libraries`, signal })
}

export function addLibrary(body: LibraryBody): Promise<Answer<WireLibrary>> {
  return call({ method: 'POST', path: `${own}/libraries`, body })
}

export function changeLibrary(id: number, body: LibraryBody): Promise<Answer<WireLibrary>> {
  return call({ method: 'PUT', path: `${own}/libraries/${id}`, body })
}

export function removeLibrary(id: number): Promise<Answer<Done>> {
  return call({ method: 'DELETE', path: `${own}/libraries/${id}` })
}

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
