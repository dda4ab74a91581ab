/** The events of a list that is kept up to date. Pure: what they make of what was there. */
import type { WireDownloader } from '../../contract/downloaders.ts'
import type { WireTorrent, WireTorrentGroups, WireTorrentPage } from '../../contract/torrents.ts'

/** Rows by their place; `was` is the place that one had before, `null` a field that is gone. A new row is whole. */
interface RowChanges {
  readonly length: number
  readonly rows: readonly ({ readonly at: number; readonly was?: number } & Readonly<Record<string, unknown>>)[]
}

type Facts = Pick<WireTorrentPage, 'total' | 'total_size' | 'counts' | 'failures'>

export interface LiveList extends Facts {
  /** The place of the first of the rows. */
  readonly from: number
  readonly items: readonly WireTorrent[]
}

export interface LiveState {
  readonly list: LiveList | undefined
  readonly downloaders: readonly WireDownloader[] | undefined
  readonly groups: WireTorrentGroups | undefined
}

export const nothingLive: LiveState = { list: undefined, downloaders: undefined, groups: undefined }

/** What the server sends of each name; it is our own server, and its events are held to this by a test. */
export function takeLiveEvent(state: LiveState, name: string, text: string): LiveState {
  if (name === 'list') return { ...state, list: JSON.parse(text) as LiveList }
  if (name === 'downloaders') return { ...state, downloaders: (JSON.parse(text) as { items: WireDownloader[] }).items }
  if (name === 'groups') return { ...state, groups: JSON.parse(text) as WireTorrentGroups }
  const { items, ...facts } = JSON.parse(text) as Partial<Facts> & { readonly items?: RowChanges }
  if (state.list === undefined) return state
  const rows = items === undefined ? state.list.items : withChanges(state.list.items, items)
  return { ...state, list: { ...state.list, ...facts, items: rows } }
}

export function withChanges<R extends object>(before: readonly R[], { length, rows }: RowChanges): R[] {
  const now = before.slice(0, length)
  for (const { at, was, ...fields } of rows) {
    const row: Record<string, unknown> = was === undefined ? {} : { ...before[was] }
    for (const [name, value] of Object.entries(fields)) {
      if (value === null) delete row[name]
      else row[name] = value
    }
    now[at] = row as R
  }
  return now
}
