/** The torrents that a query leaves, however many: read in parts, as far as they are looked at. */
import type { ReadonlySignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { WireTorrent, WireTorrentPage } from '../contract/torrents.ts'
import type { Answer } from './api/call.ts'
import { fetchTorrents } from './api/downloaders.ts'
import { partsOf, type RowRange } from './model/row-window.ts'
import { type TorrentQuery, torrentKey, torrentParameters, torrentRowsPerPart } from './model/torrent-query.ts'
import { type Resource, useResource } from './resource.ts'

export interface TorrentRows extends Pick<WireTorrentPage, 'total' | 'total_size' | 'counts' | 'failures'> {
  /** Those read for what is looked at now. */
  readonly items: readonly WireTorrent[]
  /** By place; undefined while it is on its way. A torrent that moved between two reads is there once. */
  readonly at: ReadonlyMap<number, WireTorrent>
}

const listEveryMs = 3000
/** Where one scrolls by is not read. */
const settleMs = 60
/** The parts that are kept beside those looked at: 2,000 rows. */
const partsKeptMax = 40

export function useTorrentRows(query: TorrentQuery, range: ReadonlySignal<RowRange>): Resource<TorrentRows> {
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
    return { ok: true, value: { ...page, items: pages.flatMap(({ items }) => items), at } }
  }

  const rows = useResource(key, read, listEveryMs)
  const lacks = partsOf(range.value, torrentRowsPerPart).some((part) => !kept.current.parts.has(part))
  const { from, to } = range.value
  useEffect(() => {
    if (!lacks || rows.state.peek().data === undefined) return
    const timer = setTimeout(() => void rows.reload(), settleMs)
    return () => clearTimeout(timer)
  }, [lacks, from, to])
  return rows
}
