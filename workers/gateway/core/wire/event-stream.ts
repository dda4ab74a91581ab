import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { crc32 } from './crc32.ts'

/** One frame of the provider's binary stream. Header values that are not text are left out. */
export class EventStreamMessage {
  readonly headers: ReadonlyMap<string, string>
  /** The payload lies in these bytes from `start` to `end`: an array of its own costs more than most are read for. */
  readonly bytes: Uint8Array
  readonly start: number
  readonly end: number

  constructor(headers: ReadonlyMap<string, string>, bytes: Uint8Array, start: number, end: number) {
    this.headers = headers
    this.bytes = bytes
    this.start = start
    this.end = end
  }

  get payload(): Uint8Array {
    return this.bytes.subarray(this.start, this.end)
  }
}

export interface FrameBounds {
  readonly frameBytesMax: number
  readonly headerBytesMax: number
}

interface KnownHeaders {
  readonly bytes: DataView
  readonly headers: ReadonlyMap<string, string>
}

export type FrameFault = 'prelude_checksum' | 'checksum' | 'headers' | 'large' | 'large_headers' | 'short' | 'cut'

/** For logs and for those who call the gateway. */
export const frameFaultWords: Readonly<Record<FrameFault, string>> = {
  prelude_checksum: 'a frame has a wrong prelude checksum',
  checksum: 'a frame has a wrong checksum',
  headers: 'a frame has malformed headers',
  large: 'a frame is too large',
  large_headers: 'the headers of a frame are too large',
  short: 'a frame is shorter than its headers',
  cut: 'the stream was cut inside a frame',
}

/** One for each kind of event, and some to spare. */
const knownHeadersMax = 12

/** Streams repeat the same few header blocks, so each is read once; whoever reads many streams keeps one of these for all. */
export class HeaderBlocks {
  readonly #known: KnownHeaders[] = []
  #last: KnownHeaders | undefined

  of(bytes: Uint8Array, view: DataView, start: number, end: number): ReadonlyMap<string, string> | undefined {
    if (this.#last !== undefined && isSame(this.#last.bytes, view, start, end)) return this.#last.headers
    const known = this.#known.find((one) => isSame(one.bytes, view, start, end))
    if (known !== undefined) {
      this.#last = known
      return known.headers
    }
    const headers = readHeaders(bytes, view, start, end)
    if (headers !== undefined && this.#known.length < knownHeadersMax) {
      this.#known.push({ bytes: new DataView(Uint8Array.from(bytes.subarray(start, end)).buffer), headers })
    }
    return headers
  }
}
const preludeBytes = 12
const trailerBytes = 4

/**
 * Cuts a byte stream into frames. Chunks may split a frame anywhere, or hold many.
 * Both checksums are verified; after the first fault every later push repeats it.
 */
export class EventStreamDecoder {
  readonly #bounds: FrameBounds
  readonly #headerBlocks: HeaderBlocks
  #rest: Uint8Array = new Uint8Array()
  #fault: FrameFault | undefined

  constructor(bounds: FrameBounds, headerBlocks = new HeaderBlocks()) {
    this.#bounds = bounds
    this.#headerBlocks = headerBlocks
  }

  push(chunk: Uint8Array): Result<readonly EventStreamMessage[], FrameFault> {
    if (this.#fault !== undefined) return failWith(this.#fault)
    const bytes = this.#rest.length === 0 ? chunk : joined(this.#rest, chunk)
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const messages: EventStreamMessage[] = []
    let offset = 0
    while (bytes.length - offset >= preludeBytes) {
      const total = view.getUint32(offset)
      const headerBytes = view.getUint32(offset + 4)
      const preludeChecksum = crc32(view, offset, offset + 8)
      if (preludeChecksum !== view.getUint32(offset + 8)) return this.#failed('prelude_checksum')
      const fault = this.#boundsFault(total, headerBytes)
      if (fault !== undefined) return this.#failed(fault)
      if (bytes.length - offset < total) break
      const end = offset + total - trailerBytes
      if (crc32(view, offset + 8, end, preludeChecksum) !== view.getUint32(end)) {
        return this.#failed('checksum')
      }
      const headersEnd = offset + preludeBytes + headerBytes
      const headers = this.#headerBlocks.of(bytes, view, offset + preludeBytes, headersEnd)
      if (headers === undefined) return this.#failed('headers')
      messages.push(new EventStreamMessage(headers, bytes, headersEnd, end))
      offset += total
    }
    // A copy, so that a small rest does not keep a large chunk alive.
    this.#rest = bytes.slice(offset)
    return succeed(messages)
  }

  /** The fault of a stream that ends now, or undefined when it ends between two frames. */
  end(): FrameFault | undefined {
    if (this.#fault !== undefined) return this.#fault
    return this.#rest.length === 0 ? undefined : 'cut'
  }

  #failed(fault: FrameFault): { readonly ok: false; readonly failure: FrameFault } {
    this.#fault = fault
    this.#rest = new Uint8Array()
    return failWith(fault)
  }

  #boundsFault(total: number, headerBytes: number): FrameFault | undefined {
    if (total > this.#bounds.frameBytesMax) return 'large'
    if (headerBytes > this.#bounds.headerBytesMax) return 'large_headers'
    if (total < preludeBytes + headerBytes + trailerBytes) return 'short'
    return undefined
  }
}

function isSame(known: DataView, view: DataView, start: number, end: number): boolean {
  const length = known.byteLength
  if (length !== end - start) return false
  let index = 0
  for (; index + 4 <= length; index += 4) if (known.getInt32(index) !== view.getInt32(start + index)) return false
  for (; index < length; index += 1) if (known.getUint8(index) !== view.getUint8(start + index)) return false
  return true
}

function joined(left: Uint8Array, right: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(left.length + right.length)
  bytes.set(left, 0)
  bytes.set(right, left.length)
  return bytes
}

const textDecoder = new TextDecoder()
const stringType = 7
/** Bytes of a header value by its type; types 6 and 7 carry their own length. */
const fixedValueBytes: readonly (number | undefined)[] = [0, 0, 1, 2, 4, 8, undefined, undefined, 8, 16]

function readHeaders(
  bytes: Uint8Array,
  view: DataView,
  start: number,
  end: number,
): ReadonlyMap<string, string> | undefined {
  const headers = new Map<string, string>()
  let offset = start
  while (offset < end) {
    const nameEnd = offset + 1 + view.getUint8(offset)
    if (nameEnd + 1 > end) return undefined
    const name = textDecoder.decode(bytes.subarray(offset + 1, nameEnd))
    const type = view.getUint8(nameEnd)
    if (type >= fixedValueBytes.length) return undefined
    offset = nameEnd + 1
    let length = fixedValueBytes[type]
    if (length === undefined) {
      if (offset + 2 > end) return undefined
      length = view.getUint16(offset)
      offset += 2
    }
    if (offset + length > end) return undefined
    if (type === stringType) headers.set(name, textDecoder.decode(bytes.subarray(offset, offset + length)))
    offset += length
  }
  return headers
}
