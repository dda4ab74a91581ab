/** What the torrent list shows lives in the address, so that Back, a bookmark and a reload keep it. */
import type { TorrentRunBody } from '../../contract/torrent-runs.ts'
import type { WireTorrent } from '../../contract/torrents.ts'
import { type TorrentCondition, torrentConditions } from '../../core/vocabulary.ts'

export type TorrentState = WireTorrent['state']

/** Typed against the contract, so that a new state does not compile until it stands here. */
const stateOrder: Record<TorrentState, number> = {
  downloading: 0,
  seeding: 1,
  paused: 2,
  stopped: 3,
  queued: 4,
  checking: 5,
  error: 6,
}
export const torrentStates = (Object.keys(stateOrder) as TorrentState[]).sort((a, b) => stateOrder[a] - stateOrder[b])

export const sortColumns = [
  'title',
  'state',
  'progress',
  'size',
  'ratio',
  'seeds',
  'upload_speed',
  'download_speed',
  'eta',
  'added_at',
  'completed_at',
] as const
export type SortColumn = (typeof sortColumns)[number]

export interface TorrentQuery {
  readonly state: TorrentState | undefined
  readonly condition: TorrentCondition | undefined
  readonly downloaderId: number | undefined
  readonly words: string
  readonly sort: SortColumn
  readonly order: 'asc' | 'desc'
}

/** Read at once. */
export const torrentRowsPerPart = 50
const wordsMax = 100

export const everyTorrent: TorrentQuery = {
  state: undefined,
  condition: undefined,
  downloaderId: undefined,
  words: '',
  sort: 'added_at',
  order: 'desc',
}

function oneOf<T extends string>(list: readonly T[], text: string | null): T | undefined {
  return list.find((item) => item === text)
}

function positive(text: string | null): number | undefined {
  return text !== null && /^[1-9][0-9]{0,14}$/.test(text) ? Number(text) : undefined
}

export function readTorrentQuery(search: URLSearchParams): TorrentQuery {
  return {
    state: oneOf(torrentStates, search.get('state')),
    condition: oneOf(torrentConditions, search.get('condition')),
    downloaderId: positive(search.get('downloader')),
    words: [...(search.get('q') ?? '')].slice(0, wordsMax).join(''),
    sort: oneOf(sortColumns, search.get('sort')) ?? everyTorrent.sort,
    order: oneOf(['asc', 'desc'], search.get('order')) ?? everyTorrent.order,
  }
}

export function torrentHash(query: TorrentQuery): string {
  const search = new URLSearchParams()
  if (query.state !== undefined) search.set('state', query.state)
  if (query.condition !== undefined) search.set('condition', query.condition)
  if (query.downloaderId !== undefined) search.set('downloader', String(query.downloaderId))
  if (query.words !== '') search.set('q', query.words)
  if (query.sort !== everyTorrent.sort) search.set('sort', query.sort)
  if (query.order !== everyTorrent.order) search.set('order', query.order)
  const text = search.toString()
  return text === '' ? '#/torrents' : `#/torrents?${text}`
}

/** Parameters of `GET /torrents` in the names of the interface. */
export function torrentParameters(query: TorrentQuery, page = 1, rows = torrentRowsPerPart): URLSearchParams {
  const search = new URLSearchParams({
    sort: query.sort,
    order: query.order,
    page: String(page),
    page_size: String(rows),
  })
  if (query.state !== undefined) search.set('state', query.state)
  if (query.condition !== undefined) search.set('condition', query.condition)
  if (query.downloaderId !== undefined) search.set('downloader_id', String(query.downloaderId))
  if (query.words.trim() !== '') search.set('q', query.words.trim())
  return search
}

/** Parameters of the stream of a list, but for which part of it. */
export function liveFilters(query: TorrentQuery): string {
  const parameters = torrentParameters(query)
  parameters.delete('page')
  parameters.delete('page_size')
  return parameters.toString()
}

/** What the filters say, in the body of an action on all that match. */
export function filterBody(query: TorrentQuery): Pick<TorrentRunBody, 'state' | 'condition' | 'downloader_id' | 'q'> {
  return {
    ...(query.state === undefined ? {} : { state: query.state }),
    ...(query.condition === undefined ? {} : { condition: query.condition }),
    ...(query.downloaderId === undefined ? {} : { downloader_id: query.downloaderId }),
    ...(query.words.trim() === '' ? {} : { q: query.words.trim() }),
  }
}

/** Names and states read best from A to Z, numbers and times from the largest. */
export function sortBy(query: TorrentQuery, column: SortColumn): TorrentQuery {
  const first = column === 'title' || column === 'state' ? 'asc' : 'desc'
  const order = query.sort !== column ? first : query.order === 'asc' ? 'desc' : 'asc'
  return { ...query, sort: column, order }
}

export function isFiltered(query: TorrentQuery): boolean {
  return (
    query.state !== undefined ||
    query.condition !== undefined ||
    query.downloaderId !== undefined ||
    query.words.trim() !== ''
  )
}

export interface TorrentTarget {
  readonly downloader_id: number
  readonly task_id: string
}

export function torrentKey(target: TorrentTarget): string {
  return `${target.downloader_id}/${target.task_id}`
}

/** One action of the interface takes at most this many targets. */
export const targetsPerAction = 100

export function inBatches<T>(items: readonly T[], size: number): T[][] {
  const batches: T[][] = []
  for (let at = 0; at < items.length; at += size) batches.push(items.slice(at, at + size))
  return batches
}
