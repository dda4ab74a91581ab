/** Reads a list from where it is kept. Addresses and keys go there alone, and appear in no fault. */
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { ListEntry } from '../../core/lists/list-entry.ts'
import type { ServiceFault } from '../../core/service-fault.ts'
import type { WatchlistKind } from '../../core/vocabulary.ts'
import {
  watchlistBytesMax,
  watchlistCallMs,
  watchlistEntriesMax,
  watchlistPageSize,
  watchlistPagesMax,
  watchlistPausesMs,
} from '../../limits.ts'
import { callService, jsonIn, type ServiceRuntime } from '../catalogue/call-service.ts'
import { readDouban, readFilmFeed, readImdb, readTrakt } from './list-shapes.ts'

export interface ListPlace {
  readonly kind: WatchlistKind
  /** Of a feed or a file; of an interface its base. */
  readonly address: string
  /** Whose list, where it is asked for by name. */
  readonly account: string
  /** Which one; empty for what the account wants to see. */
  readonly list: string
  readonly key: string
  readonly etag: string
  readonly lastModified: string
  readonly proxy: string | undefined
}

export type ListReading =
  | { readonly kind: 'unchanged' }
  | {
      readonly kind: 'entries'
      readonly entries: readonly ListEntry[]
      /** There is more on the list than is read of one. */
      readonly isCut: boolean
      readonly etag: string
      readonly lastModified: string
    }

/** Where the interfaces are unless the owner says otherwise. */
export const listAddressDefaults: Readonly<Partial<Record<WatchlistKind, string>>> = {
  trakt: 'https://api.trakt.tv',
  douban: 'https://m.douban.com',
}

export async function fetchList(place: ListPlace, runtime: ServiceRuntime): Promise<Result<ListReading, ServiceFault>> {
  switch (place.kind) {
    case 'trakt':
      return pages(runtime, (page) => traktPage(runtime, place, page))
    case 'douban':
      return pages(runtime, (page) => doubanPage(runtime, place, page))
    case 'rss':
      return whole(runtime, place, readFilmFeed)
    case 'imdb':
      return whole(runtime, place, readImdb)
  }
}

/** What was sent as a file. */
export function readExport(text: string): ListEntry[] | undefined {
  const entries = readImdb(text)
  return entries === undefined ? undefined : bounded(entries).entries
}

/** Each entry once, in the order of the list, and no more than are read of one. */
function bounded(all: readonly ListEntry[]): { readonly entries: ListEntry[]; readonly isCut: boolean } {
  const byKey = new Map<string, ListEntry>()
  for (const one of all) if (!byKey.has(one.key)) byKey.set(one.key, one)
  return { entries: [...byKey.values()].slice(0, watchlistEntriesMax), isCut: byKey.size > watchlistEntriesMax }
}

async function whole(
  runtime: ServiceRuntime,
  place: ListPlace,
  read: (text: string) => ListEntry[] | undefined,
): Promise<Result<ListReading, ServiceFault>> {
  let marks = { etag: '', lastModified: '' }
  const answer = await callService(runtime, {
    address: place.address,
    headers: {
      ...(place.etag === '' ? {} : { 'if-none-match': place.etag }),
      ...(place.lastModified === '' ? {} : { 'if-modified-since': place.lastModified }),
    },
    proxy: place.proxy,
    bytesMax: watchlistBytesMax,
    limitMs: watchlistCallMs,
    onHeaders(headers) {
      marks = { etag: markOf(headers.get('etag')), lastModified: markOf(headers.get('last-modified')) }
    },
  })
  if (!answer.ok) {
    const { failure } = answer
    return failure.kind === 'status' && failure.status === 304 ? succeed({ kind: 'unchanged' }) : answer
  }
  // A page that asks for a sign-in comes with 200: it is no empty list.
  const entries = read(new TextDecoder().decode(answer.value))
  return entries === undefined
    ? failWith({ kind: 'broken' })
    : succeed({ kind: 'entries', ...bounded(entries), ...marks })
}

interface Page {
  readonly entries: readonly ListEntry[]
  readonly isLast: boolean
}

async function pages(
  runtime: ServiceRuntime,
  read: (page: number) => Promise<Result<Page, ServiceFault>>,
): Promise<Result<ListReading, ServiceFault>> {
  const entries: ListEntry[] = []
  let isWhole = false
  for (let page = 0; page < watchlistPagesMax && !isWhole; page += 1) {
    if (page > 0) await runtime.wait(watchlistPausesMs, AbortSignal.timeout(watchlistCallMs)).catch(() => undefined)
    const came = await read(page)
    // What is missing would look as if it had been taken off: all of it or nothing.
    if (!came.ok) return came
    entries.push(...came.value.entries)
    isWhole = came.value.isLast
  }
  const kept = bounded(entries)
  return succeed({ kind: 'entries', ...kept, isCut: kept.isCut || !isWhole, etag: '', lastModified: '' })
}

async function traktPage(
  runtime: ServiceRuntime,
  { address, account, list, key, proxy }: ListPlace,
  page: number,
): Promise<Result<Page, ServiceFault>> {
  const of = list === '' ? 'watchlist' : `lists/${encodeURIComponent(list)}/items`
  let pageCount = 1
  const answer = await callService(runtime, {
    address: `${address}/users/${encodeURIComponent(account)}/${of}?page=${page + 1}&limit=${watchlistPageSize}`,
    headers: { 'content-type': 'application/json', 'trakt-api-version': '2', 'trakt-api-key': key },
    proxy,
    bytesMax: watchlistBytesMax,
    limitMs: watchlistCallMs,
    onHeaders(headers) {
      pageCount = Number(headers.get('x-pagination-page-count') ?? '1')
    },
  })
  if (!answer.ok) return answer
  const entries = readTrakt(jsonIn(answer.value))
  return entries === undefined ? failWith({ kind: 'broken' }) : succeed({ entries, isLast: !(page + 1 < pageCount) })
}

async function doubanPage(
  runtime: ServiceRuntime,
  { address, account, proxy }: ListPlace,
  page: number,
): Promise<Result<Page, ServiceFault>> {
  const query = `type=movie&status=mark&start=${page * watchlistPageSize}&count=${watchlistPageSize}&for_mobile=1`
  const answer = await callService(runtime, {
    address: `${address}/rexxar/api/v2/user/${encodeURIComponent(account)}/interests?${query}`,
    // Without its own page as the one that asks it refuses.
    headers: { referer: `${address}/mine/movie`, accept: 'application/json' },
    proxy,
    bytesMax: watchlistBytesMax,
    limitMs: watchlistCallMs,
  })
  if (!answer.ok) return answer
  const came = readDouban(jsonIn(answer.value))
  if (came === undefined) return failWith({ kind: 'broken' })
  return succeed({ entries: came.entries, isLast: came.count === 0 || (page + 1) * watchlistPageSize >= came.total })
}

/** A mark that is longer than any server makes it is left out, rather than sent back cut. */
function markOf(mark: string | null): string {
  return mark === null || mark.length > 256 ? '' : mark
}
