/** Lists of films and series that make subscriptions. */
import type {
  TryWatchlistBody,
  WatchlistBody,
  WireWatchlist,
  WireWatchlistItem,
  WireWatchlistTrial,
} from '../../contract/console-watchlists.ts'
import { type Answer, call, type Done, own, rowsAt, subscriptionSearchPatienceMs } from './call.ts'

export const {
  list: fetchWatchlists,
  add: addWatchlist,
  change: changeWatchlist,
  remove: removeWatchlist,
} = rowsAt<WireWatchlist, WatchlistBody>(`${own}/watchlists`)

export function tryWatchlist(body: TryWatchlistBody): Promise<Answer<WireWatchlistTrial>> {
  return call({ method: 'POST', path: `${own}/watchlists/try`, body, patienceMs: subscriptionSearchPatienceMs })
}

export function runWatchlist(id: number): Promise<Answer<Done>> {
  return call({ method: 'POST', path: `${own}/watchlists/${id}/run`, body: {} })
}

export function fetchWatchlistItems(
  status: WireWatchlistItem['status'] | '',
  signal?: AbortSignal,
): Promise<Answer<{ readonly items: readonly WireWatchlistItem[] }>> {
  return call({ method: 'GET', path: `${own}/watchlist-items${status === '' ? '' : `?status=${status}`}`, signal })
}

export function chooseWatchlistTitle(
  id: number,
  { media_type, tmdb_id }: Pick<WireWatchlistItem['choices'][number], 'media_type' | 'tmdb_id'>,
): Promise<Answer<Done>> {
  return call({ method: 'POST', path: `${own}/watchlist-items/${id}/choose`, body: { media_type, tmdb_id } })
}

export function leaveWatchlistItem(id: number): Promise<Answer<Done>> {
  return call({ method: 'POST', path: `${own}/watchlist-items/${id}/leave`, body: {} })
}
