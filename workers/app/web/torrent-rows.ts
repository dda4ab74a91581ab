/** The torrents that a query leaves, however many: read in parts, as far as they are looked at. */
import { type ReadonlySignal, useComputed, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { WireDownloader } from '../contract/downloaders.ts'
import type { WireTorrent, WireTorrentGroups, WireTorrentPage } from '../contract/torrents.ts'
import type { Answer } from './api/call.ts'
import { fetchTorrents } from './api/downloaders.ts'
import type { LiveList } from './model/live-list.ts'
import { partsOf, type RowRange } from './model/row-window.ts'
import {
  liveFilters,
  type TorrentQuery,
  torrentKey,
  torrentParameters,
  torrentRowsPerPart,
} from './model/torrent-query.ts'
import { type Resource, useResource } from './resource.ts'
import { useLiveList } from './use-live-list.ts'

interface TorrentRows extends Pick<WireTorrentPage, 'total' | 'total_size' | 'counts' | 'failures'> {
  /** Those read for what is looked at now. */
  readonly items: readonly WireTorrent[]
  /** By place; undefined while it is on its way. A torrent that moved between two reads is there once. */
  readonly at: ReadonlyMap<number, WireTorrent>
  readonly readAtMs: number
}

export interface FollowedRows extends Resource<TorrentRows> {
  readonly downloaders: readonly WireDownloader[] | undefined
  /** As the server tells them by itself. */
  readonly groups: WireTorrentGroups | undefined
  /** Whether the server tells changes by itself. */
  readonly isLive: boolean
}

const listEveryMs = 3000
/** Where one scrolls by is not read. */
const settleMs = 60
/** The most that one stream tells. */
const liveRowsMax = 200
/** The parts that are kept beside those looked at: 2,000 rows. */
const partsKeptMax = 40

export function useTorrentRows(query: TorrentQuery, range: ReadonlySignal<RowRange>): FollowedRows {
  const key = torrentParameters(query).toString()
  const kept = useRef<{ key: string; parts: Map<number, readonly WireTorrent[]> }>({ key, parts: new Map() })

  async function read(signal: AbortSignal): Promise<Answer<TorrentRows>> {
    // Another list is looked at from its beginning.
    const isOther = kept.current.key !== key
    if (isOther) kept.current = { key, parts: new Map() }
    const { parts } = kept.current
    const { from, to } = range.peek()
    let wanted = partsOf(isOther ? { from: 0, to: to - from } : { from, to }, torrentRowsPerPart)
    const readPart = (part: number) => fetchTorrents(torrentParameters(query, part + 1), signal)
    let answers = await Promise.all(wanted.map(readPart))
    // It may have become shorter than where one is.
    if (answers.every((answer) => answer.ok && answer.value.items.length === 0) && !wanted.includes(0)) {
      wanted = [0]
      answers = [await readPart(0)]
    }
    const failed = answers.find((answer) => !answer.ok)
    if (failed !== undefined && !failed.ok) return failed
    const pages = answers.flatMap((answer) => (answer.ok ? [answer.value] : []))
    const [page] = pages
    if (page === undefined) throw new Error('no part was asked for')
    wanted.forEach((part, index) => {
      parts.delete(part)
      parts.set(part, pages[index]?.items ?? [])
    })
    // Those looked at longest ago are at the front.
    for (const part of parts.keys()) {
      if (parts.size <= Math.max(partsKeptMax, wanted.length)) break
      parts.delete(part)
    }
    const at = new Map<number, WireTorrent>()
    const seen = new Set<string>()
    for (const [part, rows] of [...parts].reverse()) {
      rows.forEach((row, index) => {
        const place = part * torrentRowsPerPart + index
        if (place >= page.total || seen.has(torrentKey(row))) return
        seen.add(torrentKey(row))
        at.set(place, row)
      })
    }
    return { ok: true, value: { ...page, items: pages.flatMap(({ items }) => items), at, readAtMs: Date.now() } }
  }

  // Read first, and followed from then on: what the stream told since the last read is shown over it.
  const { from, to } = range.value
  const parts = partsOf({ from, to }, torrentRowsPerPart)
  const firstPlace = (parts[0] ?? 0) * torrentRowsPerPart
  const count = Math.min(liveRowsMax, Math.max(1, parts.length) * torrentRowsPerPart)
  const wasRead = useSignal(false)
  const filters = liveFilters(query)
  const live = useLiveList(wasRead.value ? `${filters}&from=${firstPlace}&count=${count}` : undefined)
  const told = live.value?.of.startsWith(`${filters}&from=`) === true ? live.value : undefined
  const rows = useResource(key, read, told === undefined ? listEveryMs : undefined)
  const hasData = rows.state.value.data !== undefined
  useEffect(() => {
    if (hasData) wasRead.value = true
  }, [hasData, wasRead])
  const lacks = parts.some((part) => !kept.current.parts.has(part))
  useEffect(() => {
    if (!lacks || rows.state.peek().data === undefined) return
    const timer = setTimeout(() => void rows.reload(), settleMs)
    return () => clearTimeout(timer)
  }, [lacks, from, to])
  const now = useRef({ filters, key })
  now.current = { filters, key }
  const state = useComputed(() => {
    const read = rows.state.value
    const last = live.value
    const isOfThis = read.key === now.current.key && last?.of.startsWith(`${now.current.filters}&from=`) === true
    if (!isOfThis || last?.list === undefined || read.data === undefined || last.atMs < read.data.readAtMs) return read
    return { ...read, data: withTold(read.data, last.list), at: Math.floor(last.atMs / 1000), failure: undefined }
  })
  return {
    ...rows,
    state,
    downloaders: told?.downloaders,
    groups: told?.groups,
    isLive: told !== undefined,
  }
}

/** What was read, with a part of it as it was told since. A torrent that went to another place is there once. */
function withTold(data: TorrentRows, { from, items, ...facts }: LiveList): TorrentRows {
  const here = new Set(items.map(torrentKey))
  const at = new Map<number, WireTorrent>()
  for (const [place, row] of data.at) {
    const isTold = place >= from && place < from + items.length
    if (!isTold && place < facts.total && !here.has(torrentKey(row))) at.set(place, row)
  }
  for (const [index, row] of items.entries()) at.set(from + index, row)
  return { ...data, ...facts, items, at }
}
