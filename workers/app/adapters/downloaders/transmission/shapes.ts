/** What Transmission answers, in either dialect, brought to one set of names. */
import { z } from 'zod'
import type { TransmissionFields } from '../../../core/transmission-torrent.ts'

/** Our name, the legacy dialect's and the JSON-RPC dialect's. `id` is only used to understand which were removed. */
const fieldNames = [
  ['id', 'id', 'id'],
  ['hash', 'hashString', 'hash_string'],
  ['name', 'name', 'name'],
  ['percentDone', 'percentDone', 'percent_done'],
  ['recheckProgress', 'recheckProgress', 'recheck_progress'],
  ['sizeWhenDone', 'sizeWhenDone', 'size_when_done'],
  ['leftUntilDone', 'leftUntilDone', 'left_until_done'],
  ['status', 'status', 'status'],
  ['uploadRatio', 'uploadRatio', 'upload_ratio'],
  ['uploadedEver', 'uploadedEver', 'uploaded_ever'],
  ['downloadedEver', 'downloadedEver', 'downloaded_ever'],
  ['rateUpload', 'rateUpload', 'rate_upload'],
  ['rateDownload', 'rateDownload', 'rate_download'],
  ['eta', 'eta', 'eta'],
  ['addedDate', 'addedDate', 'added_date'],
  ['doneDate', 'doneDate', 'done_date'],
  ['secondsSeeding', 'secondsSeeding', 'seconds_seeding'],
  ['downloadDir', 'downloadDir', 'download_dir'],
  ['labels', 'labels', 'labels'],
  ['error', 'error', 'error'],
  ['errorString', 'errorString', 'error_string'],
  ['metadataPercentComplete', 'metadataPercentComplete', 'metadata_percent_complete'],
  ['peersConnected', 'peersConnected', 'peers_connected'],
  ['peersSendingToUs', 'peersSendingToUs', 'peers_sending_to_us'],
  ['peersGettingFromUs', 'peersGettingFromUs', 'peers_getting_from_us'],
] as const

export type Dialect = 'legacy' | 'json_rpc'

/** Position in the rows of `fieldNames`. */
const column = { legacy: 1, json_rpc: 2 } as const

export function fieldsOf(dialect: Dialect): string[] {
  return fieldNames.map((names) => names[column[dialect]])
}

const number = z.number()

const torrentFields = z.object({
  id: z.int(),
  hash: z.string().regex(/^[0-9a-f]{40}$/),
  name: z.string(),
  percentDone: number,
  recheckProgress: number,
  sizeWhenDone: number,
  leftUntilDone: number,
  status: z.int(),
  uploadRatio: number,
  uploadedEver: number,
  // What it does not tell counts as nothing.
  downloadedEver: number.default(0),
  rateUpload: number,
  rateDownload: number,
  eta: number,
  addedDate: number,
  doneDate: number,
  secondsSeeding: number.optional(),
  downloadDir: z.string(),
  // Before 3.00 torrents had no labels.
  labels: z.array(z.string()).default([]),
  error: z.int(),
  errorString: z.string().optional(),
  metadataPercentComplete: number.optional(),
  peersConnected: number.optional(),
  peersSendingToUs: number,
  peersGettingFromUs: number,
})

type IdentifiedFields = TransmissionFields & { readonly id: number }

const torrentList = z.object({
  torrents: z.array(z.unknown()),
  /** Ids, only in an answer about what changed. */
  removed: z.array(z.int()).optional(),
})

export interface TorrentList {
  readonly torrents: readonly IdentifiedFields[]
  readonly removed: readonly number[]
}

/** Rows are objects, or, in the table format, lists below a first row of names. Undefined when they are neither. */
export function readTorrentList(answer: unknown, dialect: Dialect): TorrentList | undefined {
  const list = torrentList.safeParse(answer)
  if (!list.success) return undefined
  const rows = list.data.torrents
  const torrents: IdentifiedFields[] = []
  const [head] = rows
  const isTable = Array.isArray(head)
  const positions = new Map(isTable ? head.map((name, position) => [name, position]) : [])
  for (const row of isTable ? rows.slice(1) : rows) {
    const torrent: Record<string, unknown> = {}
    for (const names of fieldNames) {
      const name = names[column[dialect]]
      if (isTable) {
        const position = positions.get(name)
        if (Array.isArray(row) && position !== undefined) torrent[names[0]] = row[position]
      } else if (typeof row === 'object' && row !== null && Object.hasOwn(row, name)) {
        torrent[names[0]] = (row as Readonly<Record<string, unknown>>)[name]
      }
    }
    const fields = torrentFields.safeParse(torrent)
    if (!fields.success) return undefined
    torrents.push(fields.data)
  }
  return { torrents, removed: list.data.removed ?? [] }
}

export const legacyAnswer = z.object({ result: z.string(), arguments: z.unknown() })
export const jsonRpcAnswer = z.union([
  z.object({ jsonrpc: z.literal('2.0'), result: z.unknown(), error: z.undefined().optional() }),
  z.object({ jsonrpc: z.literal('2.0'), error: z.object({ code: z.number(), message: z.string() }) }),
])

export const sessionFacts = {
  legacy: z
    .object({ version: z.string(), 'download-dir': z.string() })
    .transform((facts) => ({ version: facts.version, downloadDir: facts['download-dir'] })),
  json_rpc: z
    .object({ version: z.string(), download_dir: z.string() })
    .transform((facts) => ({ version: facts.version, downloadDir: facts.download_dir })),
}

const totals = { uploadedBytes: number, downloadedBytes: number }
export const sessionStatistics = {
  legacy: z
    .object({ uploadSpeed: number, downloadSpeed: number, torrentCount: number, 'cumulative-stats': z.object(totals) })
    .transform((facts) => ({
      ...facts['cumulative-stats'],
      up: facts.uploadSpeed,
      down: facts.downloadSpeed,
      torrentCount: facts.torrentCount,
    })),
  json_rpc: z
    .object({
      upload_speed: number,
      download_speed: number,
      torrent_count: number,
      cumulative_stats: z.object({ uploaded_bytes: number, downloaded_bytes: number }),
    })
    .transform((facts) => ({
      uploadedBytes: facts.cumulative_stats.uploaded_bytes,
      downloadedBytes: facts.cumulative_stats.downloaded_bytes,
      up: facts.upload_speed,
      down: facts.download_speed,
      torrentCount: facts.torrent_count,
    })),
}

export const freeSpace = {
  legacy: z.object({ 'size-bytes': number }).transform((facts) => facts['size-bytes']),
  json_rpc: z.object({ size_bytes: number }).transform((facts) => facts.size_bytes),
}
