/** The service's own lines in files of the data folder: one that is written to, and a few older ones. */
import { closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, readSync, renameSync, writeSync } from 'node:fs'
import path from 'node:path'
import { succeedOr } from './quietly.ts'

export const logFileName = 'wharf.log'

export function logFolderOf(dataFolder: string): string {
  return path.join(dataFolder, 'logs')
}

export interface LogFileOptions {
  readonly folder: string
  /** A file that a line would make larger than this is put aside first. */
  readonly bytesMax: number
  /** The one that is written to, and older ones: at least 1. */
  readonly filesMax: number
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/**
 * Each line is written whole, once, in the file that is written to; files are put aside by renaming, and the last of them
 * goes. What cannot be written is left out whole, and counted by the next line that can.
 */
export class LogFile {
  readonly #options: LogFileOptions
  readonly #file: string
  #handle: number | undefined
  #bytes = 0
  #lost = 0
  #isClosed = false

  constructor(options: LogFileOptions) {
    this.#options = options
    this.#file = path.join(options.folder, logFileName)
  }

  write(line: string): void {
    if (this.#isClosed) return
    const nowMs = this.#options.now()
    const text = asLogLine(line, nowMs)
    const isPut = this.#put(this.#lost === 0 ? text : `${lostLine(this.#lost, nowMs)}\n${text}`)
    this.#lost = isPut ? 0 : this.#lost + 1
  }

  close(): void {
    this.#isClosed = true
    this.#release()
  }

  #release(): void {
    if (this.#handle !== undefined) closeSync(this.#handle)
    this.#handle = undefined
  }

  #put(text: string): boolean {
    const bytes = Buffer.from(`${text}\n`)
    if (!this.#open()) return false
    if (this.#bytes > 0 && this.#bytes + bytes.length > this.#options.bytesMax) this.#putAside()
    const handle = this.#handle
    if (handle === undefined) return false
    const written = succeedOr(0, () => writeSync(handle, bytes))
    if (written < bytes.length) {
      // A part of a line is none; to make a file shorter takes no room on a full disk.
      if (written > 0) succeedOr(undefined, () => ftruncateSync(handle, this.#bytes))
      return false
    }
    this.#bytes += written
    return true
  }

  #open(): boolean {
    if (this.#handle !== undefined) return true
    return succeedOr(false, () => {
      mkdirSync(this.#options.folder, { recursive: true, mode: 0o700 })
      const handle = openSync(this.#file, 'a+', 0o600)
      try {
        const bytes = fstatSync(handle).size
        // The last line of a process that was ended in the middle of it.
        this.#bytes = bytes + (endsWithLine(handle, bytes) ? 0 : writeSync(handle, '\n'))
      } catch (error) {
        closeSync(handle)
        throw error
      }
      this.#handle = handle
      return true
    })
  }

  #putAside(): void {
    const { filesMax } = this.#options
    if (filesMax === 1) {
      const handle = this.#handle
      if (handle !== undefined && succeedOr(false, () => ftruncateSync(handle, 0) === undefined)) this.#bytes = 0
      return
    }
    const isAside = succeedOr(false, () => {
      for (let older = filesMax - 1; older >= 1; older -= 1) renameIfThere(this.#nameOf(older - 1), this.#nameOf(older))
      return true
    })
    // Where nothing can be renamed, the one file goes on.
    if (!isAside) return
    this.#release()
    this.#open()
  }

  #nameOf(age: number): string {
    return age === 0 ? this.#file : `${this.#file}.${age}`
  }
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
}

function endsWithLine(handle: number, bytes: number): boolean {
  if (bytes === 0) return true
  const last = Buffer.alloc(1)
  readSync(handle, last, 0, 1, bytes - 1)
  return last.toString('latin1') === '\n'
}

/** Lines for people become one JSON object each, as the others are; every one has its time. */
function asLogLine(line: string, nowMs: number): string {
  const time = new Date(nowMs).toISOString()
  const facts = factsOf(line)
  if (facts === undefined) return JSON.stringify({ time, level: 'info', event: 'host', message: line.trim() })
  return 'time' in facts && 'level' in facts ? line : JSON.stringify({ time, level: 'info', ...facts })
}

function factsOf(line: string): object | undefined {
  if (!line.startsWith('{')) return undefined
  return succeedOr(undefined, () => {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? value : undefined
  })
}

function lostLine(lines: number, nowMs: number): string {
  return JSON.stringify({ time: new Date(nowMs).toISOString(), level: 'error', event: 'log_lines_lost', lines })
}
