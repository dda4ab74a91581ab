/** The rules of the list of torrents over rows of the wire, for the stand-in of the console. Its source is our own listing. */
import type { WireDownloader } from '../../workers/app/contract/downloaders.ts'
import type { WireTorrent, WireTorrentGroups } from '../../workers/app/contract/torrents.ts'
import type { DownloaderTarget, TorrentFilter } from '../../workers/app/core/downloader.ts'
import { inChinese } from '../../workers/app/core/reason/chinese.ts'
import { groupTorrents } from '../../workers/app/core/torrent-groups.ts'
import {
  isAmong,
  isIn,
  isNamed,
  type ListedTorrent,
  listed,
  wantedTexts,
} from '../../workers/app/core/torrent-listing.ts'
import { readTorrentGroups } from '../../workers/app/http/torrent-groups.ts'
import { type AskedFilter, toFilter } from '../../workers/app/http/torrent-list.ts'
import type { AppDeps } from '../../workers/app/ports.ts'
import { torrentFixture } from './torrent-fixture.ts'

interface State {
  readonly torrents: readonly WireTorrent[]
  readonly statuses: readonly WireDownloader[]
}

function entryOf(row: WireTorrent): ListedTorrent {
  return listed(
    torrentFixture(row.task_id, {
      title: row.title,
      sizeBytes: row.size,
      state: row.state,
      category: row.category ?? '',
      tags: row.tags ?? '',
      savePath: row.save_path ?? '',
      ...(row.tracker === undefined ? {} : { tracker: row.tracker }),
      ...(row.condition === undefined
        ? {}
        : {
            condition: {
              kind: row.condition,
              ...(row.condition_said === undefined ? {} : { said: row.condition_said }),
            },
          }),
    }),
  )
}

/** Those that the filters leave whatever their state, and of them those in the state that is asked for. */
export function filtered(
  torrents: readonly WireTorrent[],
  asked: AskedFilter & { readonly downloader_id?: number },
): { readonly counted: WireTorrent[]; readonly chosen: WireTorrent[] } {
  const filter = toFilter(asked)
  const wanted = wantedTexts(filter.keyword ?? '')
  const counted = torrents.filter((torrent) => {
    if (asked.downloader_id !== undefined && torrent.downloader_id !== asked.downloader_id) return false
    const entry = entryOf(torrent)
    return isNamed(entry, wanted) && isAmong(entry, filter)
  })
  return { counted, chosen: counted.filter((torrent) => isIn(entryOf(torrent), filter)) }
}

export function groupsOf(
  { torrents, statuses }: State,
  asked: AskedFilter & { readonly downloader_id?: number },
): Promise<WireTorrentGroups> {
  const deps = {
    downloaders: {
      targets: async () => statuses.map(({ id, name }) => ({ id, name }) as DownloaderTarget),
    } as AppDeps['downloaders'],
    fleet: {
      groups: async (target: DownloaderTarget, filter: TorrentFilter) => {
        const wanted = wantedTexts(filter.keyword ?? '')
        const own = torrents.filter(({ downloader_id }) => downloader_id === target.id).map(entryOf)
        return {
          ok: true,
          value: groupTorrents(
            own.filter((entry) => isNamed(entry, wanted)),
            filter,
          ),
        }
      },
    } as unknown as AppDeps['fleet'],
  }
  return readTorrentGroups(deps, asked, inChinese)
}
