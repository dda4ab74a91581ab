/** What takes back an action on torrents, from how they were before it. Pure. */
import type { WireTorrent, WireTorrentChange } from '../../contract/torrents.ts'

/** Something that is done to several torrents at once. */
export type Deed = 'pause' | 'resume' | 'delete' | 'delete_with_files' | WireTorrentChange

export interface UndoStep {
  readonly deed: Deed
  readonly torrents: readonly WireTorrent[]
}

const isHeld = ({ state }: WireTorrent) => state === 'paused' || state === 'stopped'

/** Each with those that were different before; none where it cannot be taken back, or where nothing had changed. */
export function undoOf(deed: Deed, before: readonly WireTorrent[]): readonly UndoStep[] {
  if (deed === 'pause') return steps([['resume', before.filter((one) => !isHeld(one))]])
  if (deed === 'resume') return steps([['pause', before.filter(isHeld)]])
  if (typeof deed === 'string') return []
  if (deed.kind === 'category')
    return steps(
      grouped(before, ({ category }) => category ?? '', deed.category).map(([category, torrents]) => [
        { kind: 'category', category },
        torrents,
      ]),
    )
  if (deed.kind === 'tags')
    return steps(
      grouped(before, ({ tags }) => tags ?? '', deed.tags).map(([tags, torrents]) => [
        { kind: 'tags', tags },
        torrents,
      ]),
    )
  return []
}

/** How a torrent is afterwards, as far as the action says it. */
export function afterDeed(deed: Deed, torrent: WireTorrent): WireTorrent {
  if (deed === 'pause') return { ...torrent, state: 'paused' }
  if (deed === 'resume')
    return isHeld(torrent) ? { ...torrent, state: torrent.progress < 100 ? 'downloading' : 'seeding' } : torrent
  if (typeof deed === 'string') return torrent
  if (deed.kind === 'category') return { ...torrent, category: deed.category }
  return deed.kind === 'tags' ? { ...torrent, tags: deed.tags } : torrent
}

function steps(all: readonly (readonly [Deed, readonly WireTorrent[]])[]): readonly UndoStep[] {
  return all.filter(([, torrents]) => torrents.length > 0).map(([deed, torrents]) => ({ deed, torrents }))
}

function grouped(
  torrents: readonly WireTorrent[],
  read: (torrent: WireTorrent) => string,
  now: string,
): (readonly [string, readonly WireTorrent[]])[] {
  const groups = new Map<string, WireTorrent[]>()
  for (const torrent of torrents) {
    const was = read(torrent)
    if (was !== now) groups.set(was, [...(groups.get(was) ?? []), torrent])
  }
  return [...groups]
}
