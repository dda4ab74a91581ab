import { failWith, type Result } from '#shared/kernel/result.ts'
import type { DownloaderFault } from '../../../core/downloader-fault.ts'
import type { Torrent } from '../../../core/torrent.ts'
import { folderIn, type TorrentChange, trackerHost } from '../../../core/torrent-details.ts'
import { inTurn } from '../in-turn.ts'
import type { TransmissionCalls } from './calls.ts'
import { fileNames, filesOf, limitsOf, trackerNumbers } from './details.ts'

type Changed = Promise<Result<void, DownloaderFault>>

export async function changeTorrents(
  calls: TransmissionCalls,
  change: TorrentChange,
  torrents: readonly [Torrent, ...Torrent[]],
  signal: AbortSignal,
): Changed {
  const ids = torrents.map(({ infoHash }) => infoHash)
  switch (change.kind) {
    case 'recheck':
    case 'reannounce':
      return calls.tell(change.kind, { ids }, signal)
    case 'queue':
      return calls.tell(`queue_${change.place}`, { ids }, signal)
    case 'move':
      return calls.tell('move', { ids, location: change.folder, move: true }, signal)
    case 'limits':
      return calls.tell('change', { ids, ...limitsOf(change.upload, change.download) }, signal)
    case 'files':
      return calls.tell('change', { ids, ...filesOf(change.indexes, change.priority) }, signal)
    case 'rename':
      // It has one name for both: what it is shown under is what its files lie in.
      return calls.tell('rename', { ids, path: torrents[0].title, name: change.name }, signal)
    case 'rename_file':
      return renameFile(calls, torrents[0].infoHash, change.index, change.path, signal)
    case 'add_tracker':
      return calls.tell('change', { ids, trackerAdd: [change.address] }, signal)
    case 'change_tracker':
    case 'remove_tracker':
      return inTurn(ids, (infoHash) => changeTracker(calls, infoHash, change, signal))
    case 'sequential':
      // Older ones accept what they do not know.
      return calls.session?.dialect === 'json_rpc'
        ? calls.tell('change', { ids, sequentialDownload: change.on }, signal)
        : failWith({ kind: 'unsupported', skill: 'sequential' })
    case 'super_seeding':
    case 'first_last':
      return failWith({ kind: 'unsupported', skill: change.kind })
    case 'category':
    case 'tags':
      // Labels are one list, of which the first stands for the category: what is not changed is sent again.
      return inTurn(torrents, ({ infoHash, category, tags }) => {
        const others = change.kind === 'tags' ? change.tags : tags.split(',')
        const labels = [change.kind === 'category' ? change.category : category, ...others]
        const known = [...new Set(labels)].filter((label) => label !== '')
        return calls.tell('change', { ids: [infoHash], labels: known }, signal)
      })
  }
}

/** Inside the folder it is in: it has no way to another one. */
async function renameFile(
  calls: TransmissionCalls,
  infoHash: string,
  index: number,
  wanted: string,
  signal: AbortSignal,
): Changed {
  const answer = await calls.call('listTorrents', () => ({ ids: [infoHash], fields: ['files'] }), signal)
  if (!answer.ok) return answer
  const path = fileNames(answer.value.result)[index]
  if (path === undefined || folderIn(path) !== folderIn(wanted)) return failWith({ kind: 'rejected' })
  return calls.tell('rename', { ids: [infoHash], path, name: wanted.slice(folderIn(wanted).length) }, signal)
}

/** It numbers a torrent's trackers. */
async function changeTracker(
  calls: TransmissionCalls,
  infoHash: string,
  change: Extract<TorrentChange, { kind: 'change_tracker' | 'remove_tracker' }>,
  signal: AbortSignal,
): Changed {
  const answer = await calls.call(
    'listTorrents',
    (dialect) => ({ ids: [infoHash], fields: [dialect === 'legacy' ? 'trackerStats' : 'tracker_stats'] }),
    signal,
  )
  if (!answer.ok) return answer
  const meant = trackerNumbers(answer.value.result).flatMap(({ id, announce }) =>
    trackerHost(announce) === change.host ? [id] : [],
  )
  if (meant.length === 0) return failWith({ kind: 'rejected' })
  return calls.tell(
    'change',
    {
      ids: [infoHash],
      ...(change.kind === 'remove_tracker'
        ? { trackerRemove: meant }
        : { trackerReplace: meant.flatMap((id) => [id, change.address]) }),
    },
    signal,
  )
}
