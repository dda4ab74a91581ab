import { failWith, type Result } from '#shared/kernel/result.ts'
import type { DownloaderFault } from '../../../core/downloader-fault.ts'
import { labelsAs } from '../../../core/rtorrent-torrent.ts'
import type { Torrent } from '../../../core/torrent.ts'
import type { TorrentChange } from '../../../core/torrent-details.ts'
import type { DownloaderSkill } from '../../../core/vocabulary.ts'
import type { RtorrentCall, RtorrentCalls } from './calls.ts'
import { rtorrentPriorities } from './details.ts'
import { eachTorrent, hashOf, moveRtorrent } from './files.ts'

export async function changeTorrents(
  calls: RtorrentCalls,
  change: TorrentChange,
  torrents: readonly [Torrent, ...Torrent[]],
  signal: AbortSignal,
): Promise<Result<void, DownloaderFault>> {
  const cannot = (skill: DownloaderSkill) => failWith({ kind: 'unsupported', skill } as const)
  const each = (call: (hash: string, torrent: Torrent) => readonly RtorrentCall[]) =>
    calls.each(
      signal,
      torrents.flatMap((torrent) => call(hashOf(torrent.infoHash), torrent)),
    )
  switch (change.kind) {
    case 'recheck':
      return each((hash) => [['d.check_hash', hash]])
    case 'reannounce':
      return each((hash) => [['d.tracker_announce', hash]])
    case 'move':
      return eachTorrent(torrents, (hash) => moveRtorrent(calls, hash, change.folder, signal))
    case 'category':
      return each((hash, { tags }) => [['d.custom1.set', hash, labelsAs(change.category, tags.split(','))]])
    case 'tags':
      return each((hash, { category }) => [['d.custom1.set', hash, labelsAs(category, change.tags)]])
    case 'first_last': {
      const verb = change.on ? 'enable' : 'disable'
      return each((hash) => [
        ['f.multicall', hash, '', `f.prioritize_first.${verb}=`, `f.prioritize_last.${verb}=`],
        ['d.update_priorities', hash],
      ])
    }
    case 'files': {
      const priority = rtorrentPriorities[change.priority]
      if (priority === undefined) return cannot('low_priority')
      return each((hash) => [
        ...change.indexes.map((index): RtorrentCall => ['f.priority.set', `${hash}:f${index}`, priority]),
        ['d.update_priorities', hash],
      ])
    }
    case 'add_tracker':
      // Into a group of its own, after the others.
      return each((hash) => [['d.tracker.insert', hash, '32', change.address]])
    case 'limits':
    case 'queue':
    case 'super_seeding':
    case 'sequential':
    case 'rename':
    case 'rename_file':
    case 'change_tracker':
    case 'remove_tracker':
      return cannot(change.kind)
  }
}
