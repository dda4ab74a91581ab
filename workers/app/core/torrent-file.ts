/**
 * Reads what a push needs from a torrent file that a stranger made. One pass over the bytes, nothing is built from them
 * but a name and a sum, and the info hash is taken over the very bytes of `info`: encoding them again would name another
 * torrent. Repeated and unsorted keys are tolerated, as clients do, except where they make it unclear which torrent it is.
 */
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { cutTo } from './redact.ts'

export interface TorrentFile {
  /** A label, never a path; empty when the file has none. */
  readonly name: string
  /** Of all files, without padding. Undefined when the file does not say. */
  readonly sizeBytes?: number
  /** Each with its path below the torrent's own folder, parted by `/`; empty for the one file of a torrent. Of version 1 alone. */
  readonly files?: readonly PlacedFile[]
  /** The hashes of its pieces, one after another. Of version 1 alone. */
  readonly pieces?: Uint8Array
  /** The exact bytes of `info`. */
  readonly info: Uint8Array
  readonly hasV1: boolean
  readonly hasV2: boolean
}

export interface ListedFile {
  readonly path: string
  readonly sizeBytes: number
}

export interface PlacedFile extends ListedFile {
  /** Among all that the torrent lists, padding too, from 0: what programs number it by. */
  readonly place: number
}

interface TorrentFileBounds {
  readonly bytesMax: number
  readonly depthMax: number
  readonly filesMax: number
  readonly nameCharactersMax: number
}

type TorrentFileFault = 'too_large' | 'malformed'

export function readTorrentFile(bytes: Uint8Array, bounds: TorrentFileBounds): Result<TorrentFile, TorrentFileFault> {
  if (bytes.byteLength > bounds.bytesMax) return failWith('too_large')
  try {
    return succeed(new TorrentReader(bytes, bounds).read())
  } catch (error) {
    if (error instanceof Malformed) return failWith('malformed')
    throw error
  }
}

class Malformed extends Error {}

const character = (text: string) => text.charCodeAt(0)
const [dictionaryMark, listMark, integerMark, endMark, colon, minus, zero, nine] = [...'dlie:-09'].map(character) as [
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
]
const lengthDigitsMax = 10
const integerDigitsMax = 19
const pieceHashBytes = 20
const metaVersion2 = 2

/** What the one pass over `info` found. */
interface InfoFacts {
  name?: string
  nameUtf8?: string
  length?: number
  files?: number
  listed?: PlacedFile[]
  tree?: number
  pieces?: Uint8Array
  metaVersion?: number
}

class TorrentReader {
  readonly #bytes: Uint8Array
  readonly #bounds: TorrentFileBounds
  #files = 0

  constructor(bytes: Uint8Array, bounds: TorrentFileBounds) {
    this.#bytes = bytes
    this.#bounds = bounds
  }

  read(): TorrentFile {
    const facts: InfoFacts = {}
    let span: readonly [number, number] | undefined
    this.#dictionary(0, 0, (key, at, depth) => {
      if (key !== 'info') return this.#skip(at, depth)
      // Clients differ in which of two they take: it is not clear which torrent this is.
      if (span !== undefined) throw new Malformed()
      const end = this.#info(at, depth, facts)
      span = [at, end]
      return end
    })
    const hasV1 =
      facts.pieces !== undefined &&
      facts.pieces.byteLength % pieceHashBytes === 0 &&
      (facts.length !== undefined || facts.files !== undefined)
    const hasV2 = facts.metaVersion === metaVersion2 && facts.tree !== undefined
    if (span === undefined || (!hasV1 && !hasV2)) throw new Malformed()
    const sizeBytes = facts.length ?? facts.files ?? facts.tree
    return {
      name: this.#label(facts.nameUtf8 ?? facts.name ?? ''),
      ...(sizeBytes === undefined ? {} : { sizeBytes }),
      ...filesOf(facts),
      ...(facts.pieces === undefined || !hasV1 ? {} : { pieces: facts.pieces }),
      info: this.#bytes.subarray(...span),
      hasV1,
      hasV2,
    }
  }

  #info(at: number, depth: number, facts: InfoFacts): number {
    return this.#dictionary(at, depth, (key, value, below) => {
      switch (key) {
        case 'name':
        case 'name.utf-8': {
          const [text, end] = this.#string(value)
          facts[key === 'name' ? 'name' : 'nameUtf8'] ??= this.#text(text)
          return end
        }
        case 'length': {
          const [length, end] = this.#size(value)
          facts.length ??= length
          return end
        }
        case 'meta version': {
          const [version, end] = this.#integer(value)
          facts.metaVersion ??= version
          return end
        }
        case 'pieces': {
          const [pieces, end] = this.#string(value)
          facts.pieces ??= pieces
          return end
        }
        case 'files': {
          let total = 0
          let place = -1
          const listed: PlacedFile[] = []
          const end = this.#list(value, below, (file, inside) => {
            const [size, after, path] = this.#file(file, inside)
            total = sum(total, size)
            place += 1
            if (path !== undefined) listed.push({ path, sizeBytes: size, place })
            return after
          })
          if (facts.files === undefined) facts.listed = listed
          facts.files ??= total
          return end
        }
        case 'file tree': {
          const [total, end] = this.#tree(value, below)
          facts.tree ??= total
          return end
        }
        default:
          return this.#skip(value, below)
      }
    })
  }

  /** One file of a list, and its path where it stands there. Padding between files is nobody's data. */
  #file(at: number, depth: number): [size: number, end: number, path: string | undefined] {
    this.#countFile()
    let size = 0
    let isPadding = false
    let path: string | undefined
    let pathUtf8: string | undefined
    const end = this.#dictionary(at, depth, (key, value, below) => {
      if (key === 'length') {
        const [length, after] = this.#size(value)
        size = length
        return after
      }
      if (key === 'path' || key === 'path.utf-8') {
        const parts: string[] = []
        const after = this.#list(value, below, (part) => {
          const [name, end] = this.#string(part)
          parts.push(this.#text(name))
          return end
        })
        if (key === 'path') path ??= parts.join('/')
        else pathUtf8 ??= parts.join('/')
        return after
      }
      if (key === 'attr') {
        const [attributes, after] = this.#string(value)
        isPadding = attributes.includes(character('p'))
        return after
      }
      return this.#skip(value, below)
    })
    return isPadding ? [0, end, undefined] : [size, end, pathUtf8 ?? path]
  }

  /** A folder of names; a file is the entry with the empty name. */
  #tree(at: number, depth: number): [number, number] {
    let total = 0
    const end = this.#dictionary(at, depth, (key, value, below) => {
      const [size, after] = key === '' ? this.#file(value, below) : this.#tree(value, below)
      total = sum(total, size)
      return after
    })
    return [total, end]
  }

  #countFile(): void {
    this.#files += 1
    if (this.#files > this.#bounds.filesMax) throw new Malformed()
  }

  /** `entry` reads the value that begins there and gives back where it ends. */
  #dictionary(at: number, depth: number, entry: (key: string, at: number, depth: number) => number): number {
    if (this.#bytes[at] !== dictionaryMark || depth >= this.#bounds.depthMax) throw new Malformed()
    let next = at + 1
    while (this.#bytes[next] !== endMark) {
      const [key, after] = this.#string(next)
      next = entry(this.#key(key), after, depth + 1)
    }
    return next + 1
  }

  #list(at: number, depth: number, item: (at: number, depth: number) => number): number {
    if (this.#bytes[at] !== listMark || depth >= this.#bounds.depthMax) throw new Malformed()
    let next = at + 1
    while (this.#bytes[next] !== endMark) next = item(next, depth + 1)
    return next + 1
  }

  #skip(at: number, depth: number): number {
    switch (this.#bytes[at]) {
      case dictionaryMark:
        return this.#dictionary(at, depth, (_, value, below) => this.#skip(value, below))
      case listMark:
        return this.#list(at, depth, (value, below) => this.#skip(value, below))
      case integerMark:
        return this.#integer(at)[1]
      default:
        return this.#string(at)[1]
    }
  }

  #string(at: number): [Uint8Array, number] {
    const [length, end] = this.#digits(at, lengthDigitsMax)
    if (this.#bytes[end] !== colon || end + 1 + length > this.#bytes.byteLength) throw new Malformed()
    return [this.#bytes.subarray(end + 1, end + 1 + length), end + 1 + length]
  }

  #integer(at: number): [number, number] {
    if (this.#bytes[at] !== integerMark) throw new Malformed()
    const isNegative = this.#bytes[at + 1] === minus
    const [value, end] = this.#digits(at + (isNegative ? 2 : 1), integerDigitsMax)
    if (this.#bytes[end] !== endMark) throw new Malformed()
    return [isNegative ? -value : value, end + 1]
  }

  #size(at: number): [number, number] {
    const [value, end] = this.#integer(at)
    if (value < 0 || !Number.isSafeInteger(value)) throw new Malformed()
    return [value, end]
  }

  #digits(at: number, digitsMax: number): [number, number] {
    let value = 0
    let next = at
    for (
      let digit = this.#bytes[next];
      digit !== undefined && digit >= zero && digit <= nine;
      digit = this.#bytes[next]
    ) {
      if (next - at >= digitsMax) throw new Malformed()
      value = value * 10 + (digit - zero)
      next += 1
    }
    if (next === at) throw new Malformed()
    return [value, next]
  }

  /** Only short names mean anything here; a long one is none of them. */
  #key(bytes: Uint8Array): string {
    return bytes.byteLength > 16 ? 'long name' : String.fromCharCode(...bytes)
  }

  #text(bytes: Uint8Array): string {
    return new TextDecoder().decode(bytes.subarray(0, this.#bounds.nameCharactersMax * 4))
  }

  #label(name: string): string {
    const last = name.split(/[\\/]/).findLast((part) => part.trim() !== '' && part !== '.' && part !== '..') ?? ''
    return cutTo(last.replace(/\p{Cc}/gu, '').trim(), this.#bounds.nameCharactersMax)
  }
}

function filesOf({ length, listed }: InfoFacts): Pick<TorrentFile, 'files'> {
  if (length !== undefined) return { files: [{ path: '', sizeBytes: length, place: 0 }] }
  return listed === undefined ? {} : { files: listed }
}

function sum(one: number, other: number): number {
  if (!Number.isSafeInteger(one + other)) throw new Malformed()
  return one + other
}

/**
 * Also beside a part of version 1: each file ends in a name without characters there, which the reader of older programs
 * (Transmission before 4.0) takes for a fault of the whole file.
 */
export function isOfVersion2(content: Uint8Array | string, bounds: TorrentFileBounds): boolean {
  const file = typeof content === 'string' ? undefined : readTorrentFile(content, bounds)
  return file?.ok === true && file.value.hasV2
}
