import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { DownloaderFault } from '../../../core/downloader-fault.ts'
import { isTracker } from '../../../core/qbittorrent-torrent.ts'
import type { Torrent } from '../../../core/torrent.ts'
import { type TorrentChange, trackerHost } from '../../../core/torrent-details.ts'
import { inTurn } from '../in-turn.ts'
import type { QbittorrentCalls } from './calls.ts'
import { fileList, filePriorityNumbers, rowList } from './details.ts'
import { trackerList } from './shapes.ts'

const notThisKind: DownloaderFault = { kind: 'not_this_kind' }

type Changed = Promise<Result<void, DownloaderFault>>

export async function changeTorrents(
  calls: QbittorrentCalls,
  change: TorrentChange,
  torrents: readonly [Torrent, ...Torrent[]],
  signal: AbortSignal,
): Changed {
  const ids = torrents.map(({ infoHash }) => infoHash)
  switch (change.kind) {
    case 'sequential':
    case 'first_last':
      return toggle(calls, change.kind, change.on, ids, signal)
    case 'rename_file':
      return renameFile(calls, torrents[0].infoHash, change.index, change.path, signal)
    case 'change_tracker':
    case 'remove_tracker':
      return inTurn(ids, (infoHash) => changeTracker(calls, infoHash, change, signal))
    case 'add_tracker':
      return inTurn(ids, (hash) => calls.post('torrents/addTrackers', { hash, urls: change.address }, signal))
    default:
      return changeAll(calls, change, ids.join('|'), signal)
  }
}

async function changeAll(calls: QbittorrentCalls, change: PlainChange, hashes: string, signal: AbortSignal): Changed {
  // That there is one of this name already is no fault.
  if (change.kind === 'category' && change.category !== '')
    await calls.post('torrents/createCategory', { category: change.category }, signal)
  return inTurn(callsFor(change, hashes), ({ path, form }) => calls.post(path, form, signal))
}

/** It only turns them round, so those that are as wanted are left out. */
async function toggle(
  calls: QbittorrentCalls,
  kind: 'sequential' | 'first_last',
  on: boolean,
  ids: readonly string[],
  signal: AbortSignal,
): Changed {
  const rows = await calls.json(`torrents/info?hashes=${ids.join('|')}`, signal)
  if (!rows.ok) return rows
  const known = rowList.safeParse(rows.value)
  if (!known.success) return failWith(notThisKind)
  const name = kind === 'sequential' ? 'seq_dl' : 'f_l_piece_prio'
  const others = known.data.flatMap((row) => (row[name] === on ? [] : [row.hash]))
  if (others.length === 0) return succeed(undefined)
  const verb = kind === 'sequential' ? 'toggleSequentialDownload' : 'toggleFirstLastPiecePrio'
  return calls.post(`torrents/${verb}`, { hashes: others.join('|') }, signal)
}

async function renameFile(
  calls: QbittorrentCalls,
  hash: string,
  index: number,
  newPath: string,
  signal: AbortSignal,
): Changed {
  const told = await calls.json(`torrents/files?hash=${hash}`, signal)
  if (!told.ok) return told
  const files = fileList.safeParse(told.value)
  if (!files.success) return failWith(notThisKind)
  // Older ones do not number them.
  const oldPath = files.data.find((file, position) => (file.index ?? position) === index)?.name
  if (oldPath === undefined) return failWith({ kind: 'rejected' })
  return calls.post('torrents/renameFile', { hash, oldPath, newPath }, signal)
}

async function changeTracker(
  calls: QbittorrentCalls,
  hash: string,
  change: Extract<TorrentChange, { kind: 'change_tracker' | 'remove_tracker' }>,
  signal: AbortSignal,
): Changed {
  const told = await calls.json(`torrents/trackers?hash=${hash}`, signal)
  if (!told.ok) return told
  const trackers = trackerList.safeParse(told.value)
  if (!trackers.success) return failWith(notThisKind)
  const meant = trackers.data.filter((one) => isTracker(one) && trackerHost(one.url) === change.host)
  const urls = meant.map(({ url }) => url)
  if (urls.length === 0) return failWith({ kind: 'rejected' })
  if (change.kind === 'remove_tracker')
    return calls.post('torrents/removeTrackers', { hash, urls: urls.join('|') }, signal)
  return inTurn(urls, (origUrl) =>
    calls.post('torrents/editTracker', { hash, origUrl, newUrl: change.address }, signal),
  )
}

/** What it takes for several torrents at once, as it is. */
type PlainChange = Exclude<
  TorrentChange,
  { kind: 'sequential' | 'first_last' | 'rename_file' | 'add_tracker' | 'change_tracker' | 'remove_tracker' }
>

/** What is called for a change, in order. */
function callsFor(
  change: PlainChange,
  hashes: string,
): readonly { readonly path: string; readonly form: Readonly<Record<string, string>> }[] {
  switch (change.kind) {
    case 'recheck':
    case 'reannounce':
      return [{ path: `torrents/${change.kind}`, form: { hashes } }]
    case 'move':
      return [{ path: 'torrents/setLocation', form: { hashes, location: change.folder } }]
    case 'category':
      return [{ path: 'torrents/setCategory', form: { hashes, category: change.category } }]
    case 'tags':
      return [
        // Without a name all of them.
        { path: 'torrents/removeTags', form: { hashes, tags: '' } },
        ...(change.tags.length === 0
          ? []
          : [{ path: 'torrents/addTags', form: { hashes, tags: change.tags.join(',') } }]),
      ]
    case 'limits':
      return [
        { path: 'torrents/setUploadLimit', form: { hashes, limit: String(change.upload) } },
        { path: 'torrents/setDownloadLimit', form: { hashes, limit: String(change.download) } },
      ]
    case 'super_seeding':
      return [{ path: 'torrents/setSuperSeeding', form: { hashes, value: String(change.on) } }]
    case 'rename':
      return [{ path: 'torrents/rename', form: { hash: hashes, name: change.name } }]
    case 'queue':
      return [{ path: `torrents/${queueVerbs[change.place]}`, form: { hashes } }]
    case 'files':
      return [
        {
          path: 'torrents/filePrio',
          form: { hash: hashes, id: change.indexes.join('|'), priority: String(filePriorityNumbers[change.priority]) },
        },
      ]
  }
}

const queueVerbs = { top: 'topPrio', up: 'increasePrio', down: 'decreasePrio', bottom: 'bottomPrio' } as const
