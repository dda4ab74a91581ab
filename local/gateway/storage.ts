import { chmodSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { causeOf } from '#shared/kernel/fault-words.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { SqlRow, SyncSql } from '#shared/sql/sync-sql.ts'
import { keyStoreOver, responseStoreOver, routeStoreOver } from '../../workers/gateway/compose.ts'
import type { KeyStore, ResponseStore, RouteStore } from '../../workers/gateway/ports.ts'
import { oldBodiesEveryMs, writtenInMemoryMs } from './limits.ts'
import type { NodeStartFault } from './node-start-fault.ts'

export interface OpenStorage {
  readonly keyStore: KeyStore
  readonly responseStore: ResponseStore
  readonly routeStore: RouteStore
  /** Releases what a process had reserved which is gone. */
  release(reservationIds: readonly string[]): void
  close(): void
}

/** What this machine keeps: in databases of that folder, which one process has to itself, or in memory. */
export function openStorage(folder: string | undefined): Result<OpenStorage, NodeStartFault> {
  const opened: DatabaseSync[] = []
  let writing: NodeJS.Timeout | undefined
  let looking: NodeJS.Timeout | undefined
  const open = (name: string) => {
    const database = folder === undefined ? new DatabaseSync(':memory:') : openFile(folder, name)
    opened.push(database)
    return sqlOf(database)
  }
  const close = () => {
    clearTimeout(writing)
    clearInterval(looking)
    for (const database of opened) database.close()
  }
  const isDurable = folder !== undefined
  try {
    const defer = (task: () => void) => {
      if (isDurable) setImmediate(task)
      else writing = setTimeout(task, writtenInMemoryMs).unref()
    }
    const { keyStore, release, forgetOldBodies } = keyStoreOver(open('gateway-keys.sqlite'), isDurable, defer)
    const look = () => forgetOldBodies(Date.now())
    look()
    looking = setInterval(look, oldBodiesEveryMs).unref()
    const responseStore = responseStoreOver(open('gateway-responses.sqlite'), isDurable)
    const routeStore = routeStoreOver(open('gateway-routes.sqlite'))
    return succeed({ keyStore, responseStore, routeStore, release, close })
  } catch (error) {
    close()
    return failWith({ kind: 'storage', cause: causeOf(error) })
  }
}

function openFile(folder: string, name: string): DatabaseSync {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = path.join(folder, name)
  const database = new DatabaseSync(file)
  chmodSync(file, 0o600)
  // What is committed survives the death of the process; of a power cut, the last moments may be missing.
  database.exec('PRAGMA locking_mode = EXCLUSIVE')
  database.exec('PRAGMA journal_mode = WAL')
  database.exec('PRAGMA synchronous = NORMAL')
  // Takes the lock now: a second process is told at its start.
  database.exec('BEGIN EXCLUSIVE; COMMIT')
  return database
}

function sqlOf(database: DatabaseSync): SyncSql {
  const statements = new Map<string, StatementSync>()
  const prepared = (sql: string): StatementSync => {
    const known = statements.get(sql)
    if (known !== undefined) return known
    const statement = database.prepare(sql)
    statements.set(sql, statement)
    return statement
  }
  return {
    all: (sql, ...values) => prepared(sql).all(...values) as SqlRow[],
    run: (sql, ...values) => {
      prepared(sql).run(...values)
    },
    transaction(work) {
      prepared('BEGIN').run()
      try {
        const value = work()
        prepared('COMMIT').run()
        return value
      } catch (error) {
        if (database.isTransaction) prepared('ROLLBACK').run()
        throw error
      }
    },
  }
}
