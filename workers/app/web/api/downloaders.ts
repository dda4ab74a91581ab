/** Downloaders and their torrents. */
import type {
  DownloaderBody,
  TestDownloaderBody,
  WireConsoleDownloader,
  WireTestResult,
} from '../../contract/console.ts'
import type { WireTorrentEvent } from '../../contract/console-torrents.ts'
import type { TransferBody, WireTransfer } from '../../contract/console-transfers.ts'
import type { WireDownloader } from '../../contract/downloaders.ts'
import type { TorrentRunBody, WireTorrentRun } from '../../contract/torrent-runs.ts'
import type {
  WireTorrentChange,
  WireTorrentDetails,
  WireTorrentGroups,
  WireTorrentPage,
} from '../../contract/torrents.ts'
import type { Reason } from '../../core/reason/reason.ts'
import type { TorrentTarget } from '../model/torrent-query.ts'
import type { AddAnswer, AddBody } from '../model/torrent-sources.ts'
import { type Answer, app, call, type Done, type Items, own, rowsAt, sitePatienceMs } from './call.ts'

export const {
  list: fetchDownloaderSettings,
  add: addDownloader,
  change: changeDownloader,
  remove: removeDownloader,
} = rowsAt<WireConsoleDownloader, DownloaderBody>(`${own}/downloaders`)

export function testDownloader(body: TestDownloaderBody): Promise<Answer<WireTestResult>> {
  return call({ method: 'POST', path: `${own}/downloaders/test`, body })
}

export function fetchDownloaders(signal?: AbortSignal): Promise<Answer<{ items: WireDownloader[] }>> {
  return call({ method: 'GET', path: `${app}/downloaders`, signal })
}

export function fetchTorrents(parameters: URLSearchParams, signal?: AbortSignal): Promise<Answer<WireTorrentPage>> {
  return call({ method: 'GET', path: `${app}/torrents?${parameters}`, signal })
}

export function fetchTorrentGroups(filters: string, signal?: AbortSignal): Promise<Answer<WireTorrentGroups>> {
  return call({ method: 'GET', path: `${app}/torrents/groups?${filters}`, signal })
}

export type TorrentChange = WireTorrentChange

export function fetchTorrent(target: TorrentTarget, signal?: AbortSignal): Promise<Answer<WireTorrentDetails>> {
  return call({
    method: 'GET',
    path: `${app}/torrents/${target.downloader_id}/${encodeURIComponent(target.task_id)}`,
    signal,
  })
}

export function fetchTorrentHistory(
  { downloader_id, task_id }: TorrentTarget,
  signal?: AbortSignal,
): Promise<Answer<{ items: WireTorrentEvent[] }>> {
  return call({ method: 'GET', path: `${own}/torrents/${downloader_id}/${task_id}/history`, signal })
}

export function fetchTorrentFile({ downloader_id, task_id }: TorrentTarget): Promise<Answer<Blob>> {
  const path = `${own}/torrents/${downloader_id}/${encodeURIComponent(task_id)}/file`
  return call({ method: 'GET', path, read: (response) => response.blob() })
}

export function addTorrent(body: AddBody): Promise<Answer<AddAnswer>> {
  return call({ method: 'POST', path: `${app}/torrents`, body, patienceMs: sitePatienceMs })
}

export function changeTorrents(
  change: TorrentChange,
  targets: readonly TorrentTarget[],
): Promise<Answer<ActionOutcome>> {
  return call({ method: 'POST', path: `${app}/torrents/changes`, body: { change, targets } })
}

export type TorrentAction = 'pause' | 'resume' | 'delete' | 'delete_with_files'
export interface ActionOutcome {
  readonly succeeded: number
  readonly failed: number
  readonly results: readonly (TorrentTarget & { readonly success: boolean; readonly reason?: Reason })[]
}

export function actOnTorrents(
  action: TorrentAction,
  targets: readonly TorrentTarget[],
): Promise<Answer<ActionOutcome>> {
  return call({ method: 'POST', path: `${app}/torrents/actions`, body: { action, targets } })
}

const runs = `${app}/torrent-runs`

export function fetchTorrentRuns(): Promise<Answer<{ items: WireTorrentRun[] }>> {
  return call({ method: 'GET', path: runs })
}

export function fetchTorrentRun(id: number): Promise<Answer<WireTorrentRun>> {
  return call({ method: 'GET', path: `${runs}/${id}` })
}

/** Chooses at every downloader before it answers. */
export function beginTorrentRun(body: TorrentRunBody): Promise<Answer<WireTorrentRun>> {
  return call({ method: 'POST', path: runs, body, patienceMs: sitePatienceMs })
}

export function stopTorrentRun(id: number): Promise<Answer<WireTorrentRun>> {
  return call({ method: 'POST', path: `${runs}/${id}/stop` })
}

export function undoTorrentRun(id: number): Promise<Answer<WireTorrentRun>> {
  return call({ method: 'POST', path: `${runs}/${id}/undo` })
}

export function fetchTransfers(signal?: AbortSignal): Items<WireTransfer> {
  return call({ method: 'GET', path: `${own}/transfers`, signal })
}

export function beginTransfers(body: TransferBody): Promise<Answer<{ readonly begun: number }>> {
  return call({ method: 'POST', path: `${own}/transfers`, body })
}

export function stopTransfer(id: number): Promise<Answer<Done>> {
  return call({ method: 'POST', path: `${own}/transfers/${id}/stop`, body: {} })
}
