/** Torrents of all downloaders, counted apart. */
import type { WireTorrentGroups } from '../contract/torrents.ts'
import type { DownloaderTarget, TorrentMatter } from '../core/downloader.ts'
import type { Say } from '../core/reason/say.ts'
import { joinGroups } from '../core/torrent-groups.ts'
import type { TorrentGrouping } from '../core/vocabulary.ts'
import type { AppDeps } from '../ports.ts'
import { explained } from './explained.ts'
import { type AskedFilter, toFilter } from './torrent-list.ts'

export async function readTorrentGroups(
  { downloaders, fleet }: Pick<AppDeps, 'downloaders' | 'fleet'>,
  asked: AskedFilter & { readonly downloader_id?: number | undefined },
  say: Say,
): Promise<WireTorrentGroups> {
  const filter = toFilter(asked)
  const owners = await downloaders.targets()
  const reads = await Promise.all(owners.map(async (owner) => ({ owner, read: await fleet.groups(owner, filter) })))
  const known = reads.flatMap(({ owner, read }) => (read.ok ? [{ owner, groups: read.value }] : []))
  const isWanted = ({ id }: DownloaderTarget) => asked.downloader_id === undefined || asked.downloader_id === id
  const wanted = known.filter(({ owner }) => isWanted(owner))
  const by = (grouping: TorrentGrouping) =>
    joinGroups(wanted.map(({ groups }) => groups.by[grouping])).map(({ name, total, totalBytes }) => ({
      name,
      total,
      total_size: totalBytes,
    }))
  return {
    trackers: by('tracker'),
    categories: by('category'),
    tags: by('tag'),
    folders: by('folder'),
    downloaders: known.map(({ owner, groups }) => ({
      downloader_id: owner.id,
      downloader: owner.name,
      total: groups.total,
    })),
    matters: joinMatters(wanted.map(({ owner, groups }) => ({ owner, matters: groups.matters }))),
    failures: reads.flatMap(({ owner, read }) =>
      read.ok || !isWanted(owner)
        ? []
        : [{ downloader_id: owner.id, downloader: owner.name, ...explained(say, read.failure) }],
    ),
  }
}

/** What a tracker refuses it refuses at every downloader; what is wrong at one is a matter of that one. */
function joinMatters(
  lists: readonly { readonly owner: DownloaderTarget; readonly matters: readonly TorrentMatter[] }[],
): WireTorrentGroups['matters'] {
  const joined = new Map<string, WireTorrentGroups['matters'][number]>()
  for (const { owner, matters } of lists)
    for (const { condition, said, tracker, total } of matters) {
      const at = tracker === '' ? { downloader_id: owner.id, downloader: owner.name } : { tracker }
      const matter = { condition, ...(said === '' ? {} : { condition_said: said }), ...at }
      const key = JSON.stringify(matter)
      joined.set(key, { ...matter, total: total + (joined.get(key)?.total ?? 0) })
    }
  return [...joined.values()].toSorted((one, other) => other.total - one.total)
}
