/** The list of rTorrent's torrents, one row of values each. */
import type { RtorrentFields } from '../../../core/rtorrent-torrent.ts'
import type { XmlRpcValue } from '../../../core/xml-rpc.ts'
import { rowsIn } from './details.ts'

/** Our name of each field, the command that tells it, and whether that is a text. */
const fields: readonly (readonly [
  name: Exclude<keyof RtorrentFields, 'trackers'>,
  command: string,
  isText?: 'text',
])[] = [
  ['hash', 'd.hash=', 'text'],
  ['name', 'd.name=', 'text'],
  ['sizeBytes', 'd.size_bytes='],
  ['completedBytes', 'd.completed_bytes='],
  ['leftBytes', 'd.left_bytes='],
  ['state', 'd.state='],
  ['isActive', 'd.is_active='],
  ['hashing', 'd.hashing='],
  ['isHashChecking', 'd.is_hash_checking='],
  ['chunksHashed', 'd.chunks_hashed='],
  ['sizeChunks', 'd.size_chunks='],
  ['complete', 'd.complete='],
  ['isPartiallyDone', 'd.is_partially_done='],
  ['ratio', 'd.ratio='],
  ['upRate', 'd.up.rate='],
  ['downRate', 'd.down.rate='],
  ['upTotal', 'd.up.total='],
  ['downTotal', 'd.down.total='],
  ['peersComplete', 'd.peers_complete='],
  ['peersAccounted', 'd.peers_accounted='],
  ['peersConnected', 'd.peers_connected='],
  ['message', 'd.message=', 'text'],
  ['custom1', 'd.custom1=', 'text'],
  ['addTime', 'd.custom=addtime', 'text'],
  ['linkName', 'd.custom=linkname', 'text'],
  ['loadDate', 'd.load_date='],
  ['finishedAt', 'd.timestamp.finished='],
  ['directory', 'd.directory=', 'text'],
  ['isMultiFile', 'd.is_multi_file='],
  ['isMeta', 'd.is_meta='],
]

/** What each row is asked for, in order. */
export const rowCommands: readonly string[] = [...fields.map(([, command]) => command), 't.multicall=,t.url=']

/** Undefined for a row that is not of these fields. */
export function readRow(row: readonly XmlRpcValue[]): RtorrentFields | undefined {
  const read: Record<string, string | number | readonly string[]> = {}
  for (const [index, [name, , isText]] of fields.entries()) {
    const value = row[index]
    if (isText === 'text' ? typeof value !== 'string' : typeof value !== 'number') return undefined
    read[name] = value as string | number
  }
  read['trackers'] = (rowsIn(row[fields.length]) ?? []).flatMap(([address]) =>
    typeof address === 'string' ? [address] : [],
  )
  return /^[0-9A-F]{40}$/.test(String(read['hash'])) ? (read as unknown as RtorrentFields) : undefined
}
