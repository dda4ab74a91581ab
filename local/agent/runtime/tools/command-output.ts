/**
 * What a command says: its beginning and its end are held, and once that is not all of it, the whole of it is in a file.
 * The file is bounded as well; what it leaves out is before the end, and said in it.
 */
import { closeSync, ftruncateSync, mkdirSync, openSync, writeSync } from 'node:fs'
import path from 'node:path'
import { fromWhole } from './whole-text.ts'

export interface OutputBounds {
  /** Held of the beginning, and as much of the end. */
  readonly endBytesMax: number
  readonly logBytesMax: number
}

export interface CollectedOutput {
  readonly text: string
  readonly wasCut: boolean
  /** Where the whole output is, if `text` is not all of it and the disk had room. */
  readonly log: string | undefined
}

export class CommandOutput {
  readonly #file: string
  readonly #bounds: OutputBounds
  readonly #head: Buffer[] = []
  #headBytes = 0
  #tail: Buffer[] = []
  #tailBytes = 0
  #passedBytes = 0
  #log: number | undefined
  #loggedBytes = 0
  #hasFailed = false

  /** `file` is made when it is needed. */
  constructor(file: string, bounds: OutputBounds) {
    this.#file = file
    this.#bounds = bounds
  }

  add(chunk: Buffer): void {
    const room = this.#bounds.endBytesMax - this.#headBytes
    const first = chunk.subarray(0, room)
    if (first.length > 0) {
      this.#head.push(first)
      this.#headBytes += first.length
    }
    const rest = chunk.subarray(first.length)
    if (rest.length === 0) return
    this.#tail.push(rest)
    this.#tailBytes += rest.length
    while (this.#tail[0] !== undefined && this.#tailBytes - this.#tail[0].length >= this.#bounds.endBytesMax) {
      // What is no longer held is in the log from now on, with all that came before it.
      if (this.#passedBytes === 0) for (const held of this.#head) this.#write(held)
      const passed = this.#tail.shift() ?? Buffer.alloc(0)
      this.#tailBytes -= passed.length
      this.#passedBytes += passed.length
      this.#write(passed)
    }
  }

  /** The last of what was said so far. */
  newest(bytesMax: number): string {
    const held = Buffer.concat(this.#tailBytes >= bytesMax ? this.#tail : [...this.#head, ...this.#tail])
    return fromWhole(held.subarray(Math.max(0, held.length - bytesMax)))
  }

  end(): CollectedOutput {
    const head = Buffer.concat(this.#head)
    const held = Buffer.concat(this.#tail)
    const tail = held.subarray(Math.max(0, held.length - this.#bounds.endBytesMax))
    const leftOut = this.#passedBytes + held.length - tail.length
    if (leftOut === 0) return { text: Buffer.concat([head, held]).toString('utf8'), wasCut: false, log: undefined }
    if (this.#passedBytes === 0) this.#write(head)
    const unlogged = this.#headBytes + this.#passedBytes - this.#loggedBytes
    if (unlogged > 0) this.#put(Buffer.from(`\n… (${unlogged} bytes are left out)\n`))
    this.#put(held)
    if (this.#log !== undefined) closeSync(this.#log)
    const log = this.#hasFailed ? undefined : this.#file
    const where = log === undefined ? 'the disk had no room for them' : `the whole output is in ${log}`
    const start = new TextDecoder().decode(head, { stream: true })
    return { text: `${start}\n… (${leftOut} bytes are left out; ${where})\n${fromWhole(tail)}`, wasCut: true, log }
  }

  #write(bytes: Buffer): void {
    const fitting = bytes.subarray(0, Math.max(0, this.#bounds.logBytesMax - this.#loggedBytes))
    this.#loggedBytes += fitting.length
    if (fitting.length > 0) this.#put(fitting)
  }

  /** A full disk must not end the command: its end is still shown. */
  #put(bytes: Buffer): void {
    if (this.#hasFailed) return
    try {
      if (this.#log === undefined) {
        mkdirSync(path.dirname(this.#file), { recursive: true, mode: 0o700 })
        this.#log = openSync(this.#file, 'wx', 0o600)
      }
      for (let written = 0; written < bytes.length; ) written += writeSync(this.#log, bytes, written)
    } catch {
      this.#hasFailed = true
      // The room it took is given back, so that what runs can be recorded.
      if (this.#log !== undefined) ftruncateSync(this.#log, 0)
    }
  }
}
