/** Small torrents with data of our own, so that real daemons have something to do without any other peer. */
import { createHash, randomBytes } from 'node:crypto'

type Bencoded = number | string | Buffer | readonly Bencoded[] | { readonly [key: string]: Bencoded }

export interface MadeTorrent {
  readonly name: string
  readonly data: Buffer
  readonly file: Buffer
  readonly infoHash: string
}

const pieceBytes = 16 * 1024

export function makeTorrent(name: string, sizeBytes = 40_000): MadeTorrent {
  const data = randomBytes(sizeBytes)
  const pieces: Buffer[] = []
  for (let start = 0; start < data.length; start += pieceBytes) {
    pieces.push(
      createHash('sha1')
        .update(data.subarray(start, start + pieceBytes))
        .digest(),
    )
  }
  const info = {
    length: data.length,
    name,
    'piece length': pieceBytes,
    pieces: Buffer.concat(pieces),
    private: 1,
  }
  // A closed port of this machine: the daemons announce to nobody.
  const file = bencode({ announce: 'http://127.0.0.1:9/announce', info })
  return { name, data, file, infoHash: createHash('sha1').update(bencode(info)).digest('hex') }
}

function bencode(value: Bencoded): Buffer {
  if (typeof value === 'number') return Buffer.from(`i${value}e`)
  if (typeof value === 'string') return bencode(Buffer.from(value))
  if (Buffer.isBuffer(value)) return Buffer.concat([Buffer.from(`${value.length}:`), value])
  if (isList(value)) return Buffer.concat([Buffer.from('l'), ...value.map(bencode), Buffer.from('e')])
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return Buffer.concat([
    Buffer.from('d'),
    ...entries.flatMap(([key, item]) => [bencode(key), bencode(item)]),
    Buffer.from('e'),
  ])
}

function isList(value: Bencoded): value is readonly Bencoded[] {
  return Array.isArray(value)
}
