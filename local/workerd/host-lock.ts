/**
 * One host for one data folder. Two runtimes over the same files would both serve the same Durable Object, so a second
 * host is refused, and what a dead one left running is ended before the folder is opened.
 *
 * Two parts: `host.mutex` is held by the kernel for as long as this process lives, so of two hosts that start at once
 * one gets it, and it never outlives a crash. `host.lock` says who holds it: both processes with their start times,
 * and the address to name in the refusal.
 */
import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { replaceFile } from '../files/replace-file.ts'
import type { StartFault } from '../operating/start-faults.ts'
import { endProcess, identifyProcess, isAlive, type ProcessIdentity, processesWithSetting } from './process-identity.ts'

/** SQLITE_BUSY: another process holds the lock. */
const sqliteBusy = 5

/** Set in the runtime's environment, so that one whose host died before writing its pid down is found as well. */
export const dataFolderSetting = 'WHARF_DATA_FOLDER'

interface LockRecord {
  readonly host: ProcessIdentity
  readonly runtime: ProcessIdentity | undefined
  readonly address: string | undefined
}

export interface HostLock {
  /** Rewrites who is running; called for every new runtime process. */
  record(runtime: ProcessIdentity | undefined, address: string | undefined): void
  release(): void
}

export interface HostLockOptions {
  readonly dataFolder: string
  readonly log: (line: string) => void
}

export async function takeHostLock(options: HostLockOptions): Promise<Result<HostLock, StartFault>> {
  const file = path.join(options.dataFolder, 'host.lock')
  const mutex = takeMutex(path.join(options.dataFolder, 'host.mutex'))
  const left = readRecord(file)
  if (mutex === undefined || (left !== undefined && left.host.pid !== process.pid && isAlive(left.host))) {
    mutex?.close()
    return failWith({ kind: 'running', dataFolder: options.dataFolder, pid: left?.host.pid, address: left?.address })
  }
  for (const runtime of leftRunning(options.dataFolder, left)) {
    options.log(`Ending the runtime a crashed start left behind (pid ${runtime.pid})`)
    if (await endProcess(runtime)) continue
    mutex.close()
    return failWith({ kind: 'runtime_left', pid: runtime.pid })
  }
  const host = identifyProcess(process.pid)
  if (host === undefined) throw new Error('this process has no entry in the process table')
  const record = (runtime: ProcessIdentity | undefined, address: string | undefined): void =>
    replaceFile(file, `${JSON.stringify({ host, runtime, address } satisfies LockRecord)}\n`)
  record(undefined, undefined)
  return succeed({
    record,
    release() {
      rmSync(file, { force: true })
      mutex.close()
    },
  })
}

function takeMutex(file: string): DatabaseSync | undefined {
  const database = new DatabaseSync(file, { timeout: 0 })
  try {
    database.exec('BEGIN EXCLUSIVE')
    return database
  } catch (error) {
    database.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return undefined
    throw error
  }
}

function leftRunning(dataFolder: string, left: LockRecord | undefined): ProcessIdentity[] {
  const recorded = left?.runtime !== undefined && isAlive(left.runtime) ? [left.runtime] : []
  const marked = processesWithSetting(dataFolderSetting, dataFolder)
  return [...recorded, ...marked.filter((one) => recorded.every((other) => other.pid !== one.pid))]
}

function readRecord(file: string): LockRecord | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (typeof value !== 'object' || value === null || !('host' in value) || !isIdentity(value.host)) return undefined
    return {
      host: value.host,
      runtime: 'runtime' in value && isIdentity(value.runtime) ? value.runtime : undefined,
      address: 'address' in value && typeof value.address === 'string' ? value.address : undefined,
    }
  } catch {
    // No file, or one that a full disk cut short: the mutex and the process table decide alone.
    return undefined
  }
}

function isIdentity(value: unknown): value is ProcessIdentity {
  return (
    typeof value === 'object' &&
    value !== null &&
    'pid' in value &&
    Number.isSafeInteger(value.pid) &&
    'startedAt' in value &&
    typeof value.startedAt === 'string'
  )
}
