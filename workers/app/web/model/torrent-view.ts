/** Which columns the list of torrents has, in which order, and how high its rows are, as one browser keeps it. Pure. */
import { type SortColumn, sortColumns } from './torrent-query.ts'

export type ViewColumn = Exclude<SortColumn, 'title'>

export interface TorrentView {
  readonly rows: 'two' | 'one'
  /** After the title. */
  readonly columns: readonly ViewColumn[]
}

/** Every column, in the order in which those that are not shown are offered. */
export const viewColumns = sortColumns.filter((column) => column !== 'title')

export const usualView: TorrentView = {
  rows: 'two',
  columns: viewColumns.filter((column) => column !== 'completed_at'),
}

/** What another version kept, or somebody wrote there, is read as far as it is known. */
export function readView(text: string | null): TorrentView {
  try {
    const kept = JSON.parse(text ?? '') as { rows?: unknown; columns?: unknown }
    const columns = Array.isArray(kept.columns) ? kept.columns : []
    return {
      rows: kept.rows === 'one' ? 'one' : 'two',
      columns: [...new Set(columns)].filter((column): column is ViewColumn =>
        viewColumns.includes(column as ViewColumn),
      ),
    }
  } catch {
    return usualView
  }
}

export function withColumn(view: TorrentView, column: ViewColumn, isOn: boolean): TorrentView {
  const others = view.columns.filter((one) => one !== column)
  return { ...view, columns: isOn ? [...others, column] : others }
}

/** One place to the left or right; at the ends it stays. */
export function movedColumn(view: TorrentView, column: ViewColumn, step: 1 | -1): TorrentView {
  const from = view.columns.indexOf(column)
  const to = from + step
  const other = view.columns[to]
  if (from < 0 || other === undefined) return view
  const columns = [...view.columns]
  columns[to] = column
  columns[from] = other
  return { ...view, columns }
}

/** A filter with a name, kept as the address that shows it. */
export interface SavedFilter {
  readonly name: string
  readonly hash: string
}

export const savedFiltersMax = 12
export const filterNameMax = 40

export function readFilters(text: string | null): readonly SavedFilter[] {
  try {
    const kept: unknown = JSON.parse(text ?? '')
    if (!Array.isArray(kept)) return []
    return kept.filter(isFilter).slice(0, savedFiltersMax)
  } catch {
    return []
  }
}

function isFilter(one: unknown): one is SavedFilter {
  const { name, hash } = (one ?? {}) as Partial<Record<keyof SavedFilter, unknown>>
  return typeof name === 'string' && name !== '' && typeof hash === 'string' && /^#\/torrents(\?|$)/.test(hash)
}

/** One of the same name is replaced; the oldest goes when there are too many. */
export function withFilter(filters: readonly SavedFilter[], name: string, hash: string): readonly SavedFilter[] {
  return [...filters.filter((one) => one.name !== name), { name, hash }].slice(-savedFiltersMax)
}
