/**
 * What a command in the background says. Its beginning is in a file from the first byte on, so that it is known however the
 * server ends; beyond the bound of the file the newest is held, and added to the file at the end. A mark is a position in
 * all that was said.
 */
import { closeSync, fstatSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs'
import path from 'node:path'
import type { OutputBounds } from './command-output.ts'
import { fromWhole, openBytes } from './whole-text.ts'

export interface OutputPiece {
  readonly text: string
  /** Where what follows begins. */
  readonly mark: number
  readonly leftOutBytes: number
}

export class BackgroundOutput {
  readonly #bounds: OutputBounds
  #file: number | undefined
  #loggedBytes = 0
  #held: Buffer = Buffer.alloc(0)
  #totalBytes = 0
  #hasEnded = false

  constructor(file: string, bounds: OutputBounds) {
    this.#bounds = bounds
    try {
      mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
      this.#file = openSync(file, 'wx+', 0o600)
    } catch {
      // A full disk must not keep the command from running: its end is still shown.
    }
  }

  get totalBytes(): number {
    return this.#totalBytes
  }

  add(chunk: Buffer): void {
    const isInOrder = this.#loggedBytes === this.#totalBytes
    const room = isInOrder ? Math.max(0, this.#bounds.logBytesMax - this.#loggedBytes) : 0
    const fitting = this.#put(chunk.subarray(0, room))
    this.#loggedBytes += fitting
    this.#totalBytes += chunk.length
    const rest = chunk.subarray(fitting)
    if (rest.length === 0) return
    const held = Buffer.concat([this.#held, rest])
    this.#held = Buffer.from(held.subarray(Math.max(0, held.length - this.#bounds.endBytesMax)))
  }

  read(since: number, bytesMax: number): OutputPiece {
    if (this.#file === undefined) return pieceOf([this.#tail()], this.#totalBytes, since, bytesMax, this.#hasEnded)
    const stretches = [stretchOf(this.#file, 0, this.#loggedBytes), this.#tail()]
    return pieceOf(stretches, this.#totalBytes, since, bytesMax, this.#hasEnded)
  }

  /** Nothing is said any more: what is only held is put into the file too. */
  end(): void {
    this.#hasEnded = true
    if (this.#held.length > 0) this.#put(Buffer.concat([Buffer.from(gapNote(this.#gapBytes())), this.#held]))
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
  }

  #gapBytes(): number {
    return this.#totalBytes - this.#loggedBytes - this.#held.length
  }

  #tail(): Stretch {
    const held = this.#held
    const from = this.#totalBytes - held.length
    return { from, to: this.#totalBytes, read: (start, end) => held.subarray(start - from, end - from) }
  }

  /** How much of it the disk took. */
  #put(bytes: Buffer): number {
    let written = 0
    try {
      while (this.#file !== undefined && written < bytes.length) written += writeSync(this.#file, bytes, written)
    } catch {
      return written
    }
    return this.#file === undefined ? 0 : written
  }
}

/** The same of a command that ended, from its file alone. */
export function readKept(
  file: string,
  totalBytes: number,
  bounds: OutputBounds,
  since: number,
  bytesMax: number,
): OutputPiece {
  let opened: number
  try {
    opened = openSync(file, 'r')
  } catch {
    return pieceOf([], totalBytes, since, bytesMax, true)
  }
  try {
    const { size } = fstatSync(opened)
    const logged = Math.min(size, totalBytes, bounds.logBytesMax)
    const held = Math.min(totalBytes - logged, bounds.endBytesMax)
    const hasHeld = size >= logged + held
    const tail = stretchOf(opened, totalBytes - held, totalBytes, size - totalBytes)
    return pieceOf([stretchOf(opened, 0, logged), ...(hasHeld ? [tail] : [])], totalBytes, since, bytesMax, true)
  } finally {
    closeSync(opened)
  }
}

/** A part of what was said that can still be had. */
interface Stretch {
  readonly from: number
  readonly to: number
  read(start: number, end: number): Buffer
}

/** `shift` is how far the file is ahead of the positions. */
function stretchOf(file: number, from: number, to: number, shift = 0): Stretch {
  return {
    from,
    to,
    read(start, end) {
      const bytes = Buffer.alloc(end - start)
      return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, start + shift))
    },
  }
}

/** All since the mark, or both ends of it. */
function pieceOf(
  stretches: readonly Stretch[],
  totalBytes: number,
  since: number,
  bytesMax: number,
  isOver: boolean,
): OutputPiece {
  const from = Math.min(since, totalBytes)
  const half = Math.floor(bytesMax / 2)
  const ends: readonly (readonly [number, number])[] =
    totalBytes - from <= bytesMax
      ? [[from, totalBytes]]
      : [
          [from, from + half],
          [totalBytes - half, totalBytes],
        ]
  const found = ends.flatMap(([start, end]) =>
    stretches.flatMap((stretch) => {
      const first = Math.max(start, stretch.from)
      const last = Math.min(end, stretch.to)
      return first < last ? [{ first, bytes: stretch.read(first, last) }] : []
    }),
  )
  let text = ''
  let at = from
  let leftOutBytes = 0
  for (const [index, { first, bytes }] of found.entries()) {
    const missing = first - at
    if (missing > 0) text += gapNote(missing)
    leftOutBytes += missing
    const isLast = index === found.length - 1
    const open = isLast && isOver ? 0 : openBytes(bytes)
    const whole = bytes.subarray(0, bytes.length - open)
    text += missing > 0 ? fromWhole(whole) : whole.toString('utf8')
    at = first + (isLast ? whole.length : bytes.length)
  }
  const isCutShort = found.length === 0
  return { text, mark: isCutShort ? totalBytes : at, leftOutBytes: leftOutBytes + (isCutShort ? totalBytes - from : 0) }
}

function gapNote(bytes: number): string {
  return `\n… (${bytes} bytes are left out)\n`
}
