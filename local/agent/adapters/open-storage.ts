/**
 * The database of a data folder, whatever has become of it: on a full disk and where it is damaged it can still be read,
 * the latter from the last good copy. What is wrong is said once here, for the start, for `GET /api/health` and for what is
 * refused.
 */
import { existsSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs'
import path from 'node:path'
import { programFile } from '../../../bin/installation.mjs'
import { journalLossOf } from '../../sqlite/journal.ts'
import { startProgram } from '../../starter/start-program.ts'
import type { Refusal } from '../core/refusal.ts'
import { startRoomBytesMin, storageCopyAgeMsMax, storageCopyBytesMax, storageCopyHeapMbMax } from '../limits.ts'
import type { Logger } from '../ports.ts'
import {
  damagedDatabase,
  openSqlite,
  openSqliteToRead,
  reserveFileOf,
  SqliteDamage,
  type SqliteDatabase,
  SqliteFull,
  type SqliteOptions,
} from './node-sqlite.ts'

export interface Storage {
  readonly sql: SqliteDatabase
  /** Nothing can be written until the next start, at which the problem is gone. */
  readonly isReadOnly: boolean
  /** What a damaged journal took away, told at the start; undefined where nothing was lost. */
  readonly loss?: string | undefined
  /** Why nothing more can be stored; undefined while it can. */
  problem(): Refusal | undefined
  /** The same of something that was refused just now, when there may be room again for something smaller. */
  reasonOf(cause: unknown): Refusal | undefined
}

const noRoom: Refusal = { kind: 'no_room' }

export function openStorage(file: string, options: SqliteOptions): Storage {
  if (existsSync(file) && statSync(file).size > 0 && roomFor(file) < startRoomBytesMin)
    return onlyToRead(openSqliteToRead(file), { kind: 'no_room_at_start' })
  // Whoever opens it takes what is left of its journal for the whole.
  const lost = journalLossOf(file)
  try {
    if (lost?.isMixed === true) throw damagedDatabase(file)
    const sql = openSqlite(file, options)
    return {
      sql,
      isReadOnly: false,
      loss: lost === undefined ? undefined : `what was written into ${file} last is lost: its journal is damaged`,
      problem: () => damaged(sql.damage()) ?? (sql.isFull() ? noRoom : undefined),
      reasonOf: (cause) =>
        cause instanceof SqliteDamage ? damaged(cause.message) : cause instanceof SqliteFull ? noRoom : undefined,
    }
  } catch (error) {
    const copy = copyOf(file)
    if (!(error instanceof SqliteDamage) || !existsSync(copy)) throw error
    const taken = statSync(copy).mtime.toISOString()
    const problem: Refusal = { kind: 'storage_copy', said: error.message, taken, copy }
    return onlyToRead(openSqliteToRead(copy), problem)
  }
}

const damaged = (said: string | undefined): Refusal | undefined =>
  said === undefined ? undefined : { kind: 'storage_damaged', said }

function onlyToRead(sql: SqliteDatabase, problem: Refusal): Storage {
  return { sql, isReadOnly: true, problem: () => problem, reasonOf: () => problem }
}

/** What the owner of the folder can still write beside the database, with what is kept back for it. */
function roomFor(file: string): number {
  const { bavail, bsize } = statfsSync(path.dirname(file))
  return bavail * bsize + (statSync(reserveFileOf(file), { throwIfNoEntry: false })?.size ?? 0)
}

export function copyOf(file: string): string {
  return `${file}-copy`
}

/** What the program that copies says at its end, on a line. */
export type CopyOutcome = { readonly problem: string | undefined }

/**
 * Checks the database and keeps a copy of it, once a day and beside the work: a damaged page in its middle shows when it
 * is read, and then a copy from before it is what helps. A large database is its owner's to copy. It begins after a while:
 * a start has enough to do.
 */
export function keepGoodCopy(
  file: string,
  nowMs: number,
  logger: Logger,
  afterMs: number,
): { end(): Promise<void> } | undefined {
  const target = copyOf(file)
  const copied = statSync(target, { throwIfNoEntry: false })?.mtimeMs ?? 0
  const bytes = statSync(file).size
  const isDue = nowMs - copied >= storageCopyAgeMsMax
  if (!isDue || bytes > storageCopyBytesMax || roomFor(file) < 2 * bytes + startRoomBytesMin) return undefined
  let copying: ReturnType<typeof startCopy> | undefined
  const timer = setTimeout(() => {
    copying = startCopy(file, target, logger)
  }, afterMs).unref()
  return {
    async end() {
      clearTimeout(timer)
      await copying?.end()
    },
  }
}

function startCopy(file: string, target: string, logger: Logger): { end(): Promise<void> } {
  const part = `${target}.part`
  const heap = `--max-old-space-size=${storageCopyHeapMbMax}`
  const program = startProgram(process.execPath, [heap, programFile('storage-copy-worker'), file, part], {
    cwd: path.dirname(file),
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: false,
  })
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  let isEnding = false
  let said = ''
  program.stdin?.on('error', () => undefined)
  program.stdout?.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8')
  })
  program.on('error', (cause) => {
    logger.error('storage_copy_failed', { cause })
    resolve()
  })
  program.on('close', (code, signal) => {
    if (said.endsWith('\n')) {
      const { problem } = JSON.parse(said) as CopyOutcome
      if (problem === undefined) renameSync(part, target)
      else logger.error('storage_damaged', { file, problem })
    } else if (!isEnding) {
      logger.error('storage_copy_failed', { cause: new Error(`the copying ended with ${signal ?? code}`) })
    }
    for (const end of ['', '-wal', '-shm']) rmSync(`${part}${end}`, { force: true })
    resolve()
  })
  return {
    async end() {
      isEnding = true
      program.kill('SIGKILL')
      await ended
    },
  }
}
