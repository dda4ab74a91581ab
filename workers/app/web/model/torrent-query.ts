/** What the torrent list shows lives in the address, so that Back, a bookmark and a reload keep it. */

import type { TorrentRunBody } from '../../contract/torrent-runs.ts'
import type { WireTorrent } from '../../contract/torrents.ts'
import { trackerWordsCharactersMax } from '../../core/tracker.ts'
import {
  type TorrentCondition,
  type TorrentGrouping,
  torrentConditions,
  torrentGroupings,
  torrentMatters,
} from '../../core/vocabulary.ts'
import { savePathBytesMax } from '../../limits.ts'

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

/** An empty name stands for those that have none. */
export interface TorrentQuery extends Readonly<Partial<Record<TorrentGrouping, string>>> {
  readonly state: TorrentState | undefined
  readonly condition: TorrentCondition | undefined
  /** What was said of the condition, whole. */
  readonly said?: string
  readonly needsOwner?: boolean
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

const namesAsked = ['said', ...torrentGroupings] as const
/** Of the interface. */
const nameMax = {
  said: trackerWordsCharactersMax,
  tracker: savePathBytesMax,
  category: savePathBytesMax,
  tag: savePathBytesMax,
  folder: savePathBytesMax,
}

function named(search: URLSearchParams): Partial<Record<(typeof namesAsked)[number], string>> {
  return Object.fromEntries(
    namesAsked.flatMap((name) => {
      const text = search.get(name)
      return text === null ? [] : [[name, text.slice(0, nameMax[name])]]
    }),
  )
}

function writeNames(search: URLSearchParams, query: TorrentQuery): void {
  for (const name of namesAsked) {
    const text = query[name]
    if (text !== undefined) search.set(name, text)
  }
}

export function readTorrentQuery(search: URLSearchParams): TorrentQuery {
  return {
    state: oneOf(torrentStates, search.get('state')),
    condition: oneOf(torrentConditions, search.get('condition')),
    ...(search.get('needs') === 'owner' ? { needsOwner: true } : {}),
    ...named(search),
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
  if (query.needsOwner === true) search.set('needs', 'owner')
  writeNames(search, query)
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
  if (query.needsOwner === true) search.set('needs_owner', 'true')
  writeNames(search, query)
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
export function filterBody(
  query: TorrentQuery,
): Pick<TorrentRunBody, 'state' | 'condition' | 'needs_owner' | 'downloader_id' | 'q' | (typeof namesAsked)[number]> {
  return {
    ...Object.fromEntries(namesAsked.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]]))),
    ...(query.needsOwner === true ? { needs_owner: true } : {}),
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
    query.needsOwner === true ||
    namesAsked.some((name) => query[name] !== undefined) ||
    query.downloaderId !== undefined ||
    query.words.trim() !== ''
  )
}

/** The same list but for one name; without a name, of all of them. */
export function withName(
  query: TorrentQuery,
  grouping: (typeof namesAsked)[number],
  name: string | undefined,
): TorrentQuery {
  const { [grouping]: _, ...others } = query
  return name === undefined ? others : { ...others, [grouping]: name }
}

/** In a state of its own, or in none. */
export function inState(
  query: TorrentQuery,
  chosen: { readonly state?: TorrentState; readonly condition?: TorrentCondition; readonly needsOwner?: boolean },
): TorrentQuery {
  const { needsOwner: _, said: __, ...others } = query
  return { ...others, state: undefined, condition: undefined, ...chosen }
}

export function countOfMatters(conditions: Readonly<Partial<Record<TorrentCondition, number>>>): number {
  return torrentMatters.reduce((sum, condition) => sum + (conditions[condition] ?? 0), 0)
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
