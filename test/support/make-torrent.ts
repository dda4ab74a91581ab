/** Small torrents with data of our own, so that real daemons have something to do without any other peer. */
import { createHash, randomBytes } from 'node:crypto'
import { bencode } from './bencode.ts'

export interface MadeTorrent {
  readonly name: string
  readonly data: Buffer
  readonly file: Buffer
  /** SHA-1 of `info`; of a torrent with a v2 part alone, the beginning of its SHA-256. */
  readonly infoHash: string
  /** Of a hybrid: under which some downloaders show it. */
  readonly v2Hash: string
}

interface TorrentOptions {
  readonly format?: 'v1' | 'v2' | 'hybrid'
  /** Without one: a closed port of this machine, so that the daemons announce to nobody. */
  readonly announce?: string
}

const blockBytes = 16 * 1024
/** One piece holds the whole file, so that a v2 torrent needs no layers of hashes. */
const largePieceBytes = 64 * 1024

export function makeTorrent(name: string, sizeBytes = 40_000, options: TorrentOptions = {}): MadeTorrent {
  const format = options.format ?? 'v1'
  const data = randomBytes(sizeBytes)
  const pieceBytes = format === 'v1' ? blockBytes : largePieceBytes
  if (format !== 'v1' && sizeBytes > largePieceBytes) throw new Error('a v2 torrent of a test has one piece')
  const pieces = piecesOf(data, pieceBytes).map((piece) => createHash('sha1').update(piece).digest())
  const info = {
    name,
    'piece length': pieceBytes,
    private: 1,
    ...(format === 'v2' ? {} : { length: data.length, pieces: Buffer.concat(pieces) }),
    ...(format === 'v1'
      ? {}
      : { 'meta version': 2, 'file tree': { [name]: { '': { length: data.length, 'pieces root': rootOf(data) } } } }),
  }
  const file = bencode({ announce: options.announce ?? 'http://127.0.0.1:9/announce', info })
  const v2Hash = createHash('sha256').update(bencode(info)).digest('hex').slice(0, 40)
  const infoHash = format === 'v2' ? v2Hash : createHash('sha1').update(bencode(info)).digest('hex')
  return { name, data, file, infoHash, v2Hash }
}

/** A torrent of several files in a folder, without data. */
export function makeFolderTorrent(
  name: string,
  files: readonly (readonly [path: string, bytes: number])[],
): MadeTorrent {
  const data = randomBytes(files.reduce((sum, [, bytes]) => sum + bytes, 0))
  const info = {
    name,
    'piece length': blockBytes,
    private: 1,
    files: files.map(([one, bytes]) => ({ length: bytes, path: one.split('/') })),
    pieces: Buffer.concat(piecesOf(data, blockBytes).map((piece) => createHash('sha1').update(piece).digest())),
  }
  const file = bencode({ announce: 'http://127.0.0.1:9/announce', info })
  const infoHash = createHash('sha1').update(bencode(info)).digest('hex')
  return { name, data, file, infoHash, v2Hash: infoHash }
}

function piecesOf(data: Buffer, pieceBytes: number): Buffer[] {
  const pieces: Buffer[] = []
  for (let start = 0; start < data.length; start += pieceBytes) pieces.push(data.subarray(start, start + pieceBytes))
  return pieces
}

/** The root of the tree of hashes over the blocks, filled up with zeros to a power of two. */
function rootOf(data: Buffer): Buffer {
  let layer = piecesOf(data, blockBytes).map((block) => createHash('sha256').update(block).digest())
  while (layer.length < largePieceBytes / blockBytes) layer.push(Buffer.alloc(32))
  while (layer.length > 1) {
    layer = Array.from({ length: layer.length / 2 }, (_, index) =>
      createHash('sha256')
        .update(Buffer.concat(layer.slice(2 * index, 2 * index + 2)))
        .digest(),
    )
  }
  return layer[0] ?? Buffer.alloc(32)
}
