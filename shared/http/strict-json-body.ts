import { joinBytes } from '../kernel/join-bytes.ts'
import { failWith, type Result, succeed } from '../kernel/result.ts'

/** Why a body could not be taken. `too_large` is judged while reading, whatever the length header says. */
export type BodyFailure = 'too_large' | 'empty' | 'not_json' | 'too_deep'

export interface BodyBounds {
  readonly bytesMax: number
  /** Nesting of arrays and objects; deeper input is refused before it is parsed. */
  readonly depthMax: number
  readonly rest?: RestOfBody
}

/** What becomes of a body behind its bound: its source is told to stop, or the host sees to it. */
export type RestOfBody = 'cancelled' | 'left'

/** Reads a body of at most `bytesMax` bytes. Reading stops at the bound. */
export async function readBytes(
  body: ReadableStream<Uint8Array> | null,
  bytesMax: number,
  rest: RestOfBody = 'cancelled',
): Promise<Result<Uint8Array, 'too_large'>> {
  if (body === null) return succeed(new Uint8Array())
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let total = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    total += value.length
    if (total > bytesMax) {
      if (rest === 'cancelled') await reader.cancel()
      else reader.releaseLock()
      return failWith('too_large')
    }
    chunks.push(value)
  }
  const [only] = chunks
  if (only !== undefined && chunks.length === 1) return succeed(only)
  return succeed(joinBytes(chunks))
}

/** Reads a body of exactly one JSON value. */
export async function readStrictJson(
  body: ReadableStream<Uint8Array> | null,
  bounds: BodyBounds,
): Promise<Result<unknown, BodyFailure>> {
  const bytes = await readBytes(body, bounds.bytesMax, bounds.rest)
  return bytes.ok ? parseStrictJson(bytes.value, bounds.depthMax) : bytes
}

const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Parses exactly one JSON value: nothing before it, nothing after it, valid UTF-8. */
export function parseStrictJson(
  bytes: Uint8Array,
  depthMax: number,
): Result<unknown, Exclude<BodyFailure, 'too_large'>> {
  if (bytes.length === 0) return failWith('empty')
  let text: string
  try {
    text = strictDecoder.decode(bytes)
  } catch {
    return failWith('not_json')
  }
  if (text.trim() === '') return failWith('empty')
  if (isDeeperThan(text, depthMax)) return failWith('too_deep')
  try {
    return succeed(JSON.parse(text))
  } catch {
    return failWith('not_json')
  }
}

/** Counts open brackets outside strings, so that a bomb is refused without building it. */
function isDeeperThan(text: string, depthMax: number): boolean {
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (inString) {
      if (code === 0x5c) index += 1
      else if (code === 0x22) inString = false
    } else if (code === 0x22) inString = true
    else if (code === 0x7b || code === 0x5b) {
      depth += 1
      if (depth > depthMax) return true
    } else if (code === 0x7d || code === 0x5d) depth -= 1
  }
  return false
}
