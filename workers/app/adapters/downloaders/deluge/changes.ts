import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { DownloaderFault } from '../../../core/downloader-fault.ts'
import type { Torrent } from '../../../core/torrent.ts'
import { type TorrentChange, trackerHost } from '../../../core/torrent-details.ts'
import { inTurn } from '../in-turn.ts'
import type { DelugeCalls } from './calls.ts'
import { type DelugeDetails, delugeDetailFields, delugeDetails, delugeLimit, delugePriorities } from './details.ts'

const notThisKind: DownloaderFault = { kind: 'not_this_kind' }
/** Its Label plugin: in lower case, and nothing else. */
const labelPattern = /^[a-z0-9_-]+$/

type Changed = Promise<Result<void, DownloaderFault>>

export async function readInFull(
  calls: DelugeCalls,
  infoHash: string,
  signal: AbortSignal,
): Promise<Result<DelugeDetails | undefined, DownloaderFault>> {
  const answer = await calls.call('core.get_torrent_status', [infoHash, delugeDetailFields], signal)
  // It has no fault of its own for a torrent that is not there.
  if (!answer.ok) return answer.failure.kind === 'rejected' ? succeed(undefined) : answer
  const told = delugeDetails.safeParse(answer.value)
  if (told.success) return succeed(told.data)
  return Object.keys(answer.value ?? {}).length === 0 ? succeed(undefined) : failWith(notThisKind)
}

export async function changeTorrents(
  calls: DelugeCalls,
  change: TorrentChange,
  torrents: readonly [Torrent, ...Torrent[]],
  signal: AbortSignal,
): Changed {
  const ids = torrents.map(({ infoHash }) => infoHash)
  const set = (options: object) => calls.tell('core.set_torrent_options', [ids, options], signal)
  switch (change.kind) {
    case 'recheck':
    case 'reannounce':
      return calls.tell(`core.force_${change.kind}`, [ids], signal)
    case 'queue':
      return calls.tell(`core.queue_${change.place}`, [ids], signal)
    case 'move':
      return calls.tell('core.move_storage', [ids, change.folder], signal)
    case 'limits':
      return set({ max_upload_speed: delugeLimit(change.upload), max_download_speed: delugeLimit(change.download) })
    case 'category':
      return labelTorrents(calls, ids, change.category, signal)
    case 'tags':
      return failWith({ kind: 'unsupported', skill: 'tags' })
    case 'super_seeding':
      return set({ super_seeding: change.on })
    case 'sequential':
      return set({ sequential_download: change.on })
    case 'first_last':
      return set({ prioritize_first_last_pieces: change.on })
    case 'rename':
      return set({ name: change.name })
    case 'rename_file':
      return calls.tell('core.rename_files', [ids[0], [[change.index, change.path]]], signal)
    case 'files':
      return eachInFull(calls, ids, signal, (id, { file_priorities }) =>
        calls.tell(
          'core.set_torrent_options',
          [
            [id],
            {
              file_priorities: file_priorities.map((now, index) =>
                change.indexes.includes(index) ? delugePriorities[change.priority] : now,
              ),
            },
          ],
          signal,
        ),
      )
    case 'add_tracker':
    case 'change_tracker':
    case 'remove_tracker':
      return eachInFull(calls, ids, signal, (id, { trackers }) => {
        const kept = trackers.map(({ url, tier }) => ({ url, tier }))
        const wanted = trackersAfter(kept, change)
        if (wanted === undefined) return Promise.resolve(failWith({ kind: 'rejected' } as const))
        return calls.tell('core.set_torrent_trackers', [id, wanted], signal)
      })
  }
}

/** What is a whole list to it is read first and sent back changed. */
function eachInFull(
  calls: DelugeCalls,
  ids: readonly string[],
  signal: AbortSignal,
  write: (id: string, told: DelugeDetails) => Changed,
): Changed {
  return inTurn(ids, async (id) => {
    const told = await readInFull(calls, id, signal)
    if (!told.ok) return told
    return told.value === undefined ? succeed(undefined) : write(id, told.value)
  })
}

export async function labelTorrents(
  calls: DelugeCalls,
  ids: readonly string[],
  category: string,
  signal: AbortSignal,
): Changed {
  const label = category.toLowerCase()
  if (label !== '' && !labelPattern.test(label)) return failWith({ kind: 'label_letters' })
  const known = await calls.call('label.get_labels', [], signal, 'labels_off')
  if (!known.ok) return known
  const labels = Array.isArray(known.value) ? known.value : []
  if (label !== '' && !labels.includes(label)) {
    const added = await calls.tell('label.add', [label], signal)
    if (!added.ok) return added
  }
  return inTurn(ids, (id) => calls.tell('label.set_torrent', [id, label], signal))
}

interface TieredTracker {
  readonly url: string
  readonly tier: number
}

/** Undefined where no tracker has that host. */
function trackersAfter(
  trackers: readonly TieredTracker[],
  change: Extract<TorrentChange, { kind: 'add_tracker' | 'change_tracker' | 'remove_tracker' }>,
): TieredTracker[] | undefined {
  if (change.kind === 'add_tracker') {
    if (trackers.some(({ url }) => url === change.address)) return [...trackers]
    return [...trackers, { url: change.address, tier: Math.max(-1, ...trackers.map(({ tier }) => tier)) + 1 }]
  }
  const isMeant = ({ url }: TieredTracker) => trackerHost(url) === change.host
  if (!trackers.some(isMeant)) return undefined
  if (change.kind === 'remove_tracker') return trackers.filter((tracker) => !isMeant(tracker))
  return trackers.map((tracker) => (isMeant(tracker) ? { ...tracker, url: change.address } : tracker))
}
