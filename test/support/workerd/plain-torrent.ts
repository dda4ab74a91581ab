/** A torrent of one file, without its data, for tests that run where Node does not. */
import { toHex } from '../../../workers/app/core/bytes.ts'

interface PlainTorrent {
  readonly name: string
  readonly length: number
  /** What makes the same files another torrent. */
  readonly source: string
}

export const pieceBytes = 4 * 1024 ** 2
const text = (written: string) => `${new TextEncoder().encode(written).length}:${written}`

const piecesOf = (length: number) => '\u0001'.repeat(20 * Math.max(1, Math.ceil(length / pieceBytes)))

function infoOf({ name, length, source }: PlainTorrent): string {
  const pieces = text(piecesOf(length))
  return `d6:lengthi${length}e4:name${text(name)}12:piece lengthi${pieceBytes}e6:pieces${pieces}6:source${text(source)}e`
}

export function plainTorrent(torrent: PlainTorrent): Uint8Array {
  return new TextEncoder().encode(`d8:announce${text('http://127.0.0.1:1/')}4:info${infoOf(torrent)}e`)
}

export function plainHash(torrent: PlainTorrent): Promise<string> {
  return sha1(infoOf(torrent))
}

/** Of all pieces of one that is so long. */
export function piecesHash(length: number): Promise<string> {
  return sha1(piecesOf(length))
}

async function sha1(written: string): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-1', new TextEncoder().encode(written))))
}
