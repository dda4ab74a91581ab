/** Archives in the form that every `tar` reads (POSIX ustar): regular files, and nothing else. */
import { createReadStream } from 'node:fs'
import { BrokenBackup } from './backup-fault.ts'
import { pieceBytes } from './limits.ts'

const block = 512
const nameBytesMax = 100
const prefixBytesMax = 155
/** Eleven octal digits. */
const bytesMax = 8 ** 11 - 1

export interface ArchiveEntry {
  readonly path: string
  readonly bytes: number
  /** A text, or the file that holds it. */
  readonly content: string | { readonly file: string }
}

export async function* writeArchive(entries: Iterable<ArchiveEntry>, atUnix: number): AsyncGenerator<Buffer> {
  for (const { path, bytes, content } of entries) {
    yield header(path, bytes, atUnix)
    let written = 0
    if (typeof content === 'string') {
      const text = Buffer.from(content)
      written = text.length
      yield text
    } else {
      for await (const piece of createReadStream(content.file, { highWaterMark: pieceBytes })) {
        written += (piece as Buffer).length
        yield piece as Buffer
      }
    }
    if (written !== bytes) throw new Error(`${path} changed while it was packed`)
    yield Buffer.alloc(padding(bytes))
  }
  yield Buffer.alloc(2 * block)
}

function padding(bytes: number): number {
  return (block - (bytes % block)) % block
}

function header(path: string, bytes: number, atUnix: number): Buffer {
  const { name, prefix } = splitPath(path)
  if (bytes > bytesMax) throw new Error(`${path} is too large for a backup`)
  const into = Buffer.alloc(block)
  into.write(name, 0)
  into.write('0000600\0', 100)
  into.write('0000000\0', 108)
  into.write('0000000\0', 116)
  into.write(`${octal(bytes, 11)}\0`, 124)
  into.write(`${octal(Math.max(0, atUnix), 11)}\0`, 136)
  into.fill(' ', 148, 156)
  into.write('0', 156)
  into.write('ustar\x0000', 257, 'latin1')
  into.write(prefix, 345)
  into.write(`${octal(sumOf(into), 6)}\0 `, 148)
  return into
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0')
}

function sumOf(header: Buffer): number {
  return header.reduce((sum, byte) => sum + byte, 0)
}

/** A long path is cut at a slash. */
function splitPath(path: string): { readonly name: string; readonly prefix: string } {
  if (Buffer.byteLength(path) <= nameBytesMax) return { name: path, prefix: '' }
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
    const [prefix, name] = [path.slice(0, at), path.slice(at + 1)]
    if (Buffer.byteLength(name) <= nameBytesMax && Buffer.byteLength(prefix) <= prefixBytesMax) return { name, prefix }
  }
  throw new Error(`The path ${path} is too long for a backup`)
}

export interface ReadEntry {
  readonly path: string
  readonly bytes: number
  /** To be read to its end before the next entry. */
  readonly content: AsyncGenerator<Buffer>
}

/** Believes nothing: whoever made it may have been somebody else. */
export async function* readArchive(source: AsyncIterable<Buffer>): AsyncGenerator<ReadEntry> {
  const reader = new Pieces(source)
  for (;;) {
    const head = await reader.exactly(block)
    if (head.every((byte) => byte === 0)) {
      // Who sealed it is asked to the end whether this is all.
      await reader.drain()
      return
    }
    const sum = Number.parseInt(head.toString('latin1', 148, 156), 8)
    const plain = Buffer.from(head)
    plain.fill(' ', 148, 156)
    if (sum !== sumOf(plain)) throw new BrokenBackup('entry_heading')
    const type = head.toString('latin1', 156, 157)
    if (type !== '0' && type !== '\0') throw new BrokenBackup('entry_type')
    const text = (from: number, to: number) => head.toString('utf8', from, to).replace(/\0.*$/s, '')
    const prefix = text(345, 500)
    const bytes = Number.parseInt(text(124, 136).trim(), 8)
    if (!Number.isSafeInteger(bytes) || bytes < 0) throw new BrokenBackup('entry_heading')
    let left = bytes
    const content = (async function* () {
      while (left > 0) {
        const piece = await reader.some(left)
        left -= piece.length
        yield piece
      }
    })()
    yield { path: prefix === '' ? text(0, 100) : `${prefix}/${text(0, 100)}`, bytes, content }
    if (left > 0) throw new Error('an entry was not read to its end')
    await reader.exactly(padding(bytes))
  }
}

/** Takes from a stream as much as is wanted. */
class Pieces {
  readonly #source: AsyncIterator<Buffer>
  #rest = Buffer.alloc(0)

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  async some(most: number): Promise<Buffer> {
    while (this.#rest.length === 0) {
      const next = await this.#source.next()
      if (next.done === true) throw new BrokenBackup('cut')
      this.#rest = Buffer.from(next.value)
    }
    const piece = this.#rest.subarray(0, most)
    this.#rest = this.#rest.subarray(piece.length)
    return piece
  }

  async exactly(bytes: number): Promise<Buffer> {
    const pieces: Buffer[] = []
    for (let left = bytes; left > 0; ) {
      const piece = await this.some(left)
      left -= piece.length
      pieces.push(piece)
    }
    return Buffer.concat(pieces)
  }

  async drain(): Promise<void> {
    for (let next = await this.#source.next(); next.done !== true; next = await this.#source.next());
  }
}
