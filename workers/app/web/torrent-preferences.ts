/** How the list of torrents looks in this browser, and which filters have a name in it. */
import { signal } from '@preact/signals'
import { recall, remember } from '#shared/pages/preferences.ts'
import { readFilters, readView, type SavedFilter, type TorrentView } from './model/torrent-view.ts'

const keys = {
  view: 'wharf.torrents.view',
  filters: 'wharf.torrents.filters',
  groups: 'wharf.torrents.groups',
} as const

export const torrentView = signal<TorrentView>(readView(recall(keys.view)))
export const torrentFilters = signal<readonly SavedFilter[]>(readFilters(recall(keys.filters)))

/** Whether the groups stand beside the list. */
export const groupsShown = signal(recall(keys.groups) === 'shown')

export function showGroups(areShown: boolean): void {
  groupsShown.value = areShown
  remember(keys.groups, areShown ? 'shown' : 'hidden')
}

export function chooseTorrentView(next: TorrentView): void {
  torrentView.value = next
  remember(keys.view, JSON.stringify(next))
}

export function chooseTorrentFilters(next: readonly SavedFilter[]): void {
  torrentFilters.value = next
  remember(keys.filters, JSON.stringify(next))
}
