/**
 * Which servers live on a data folder. Each holds a shared lock on one file for as long as its process lives, so the
 * kernel lets go of it however the process ends; only a server that finds no other can take the lock alone.
 */
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export interface ServerPresence {
  /** No other server was there when this one came: what looks as if it ran was left behind by a crash. */
  readonly isAlone: boolean
  leave(): void
}

const lookRoundMsMax = 2_000

export function joinServers(dataDir: string): ServerPresence {
  const file = new DatabaseSync(path.join(dataDir, 'servers.lock'), { timeout: 0 })
  let isAlone = true
  try {
    file.exec('BEGIN EXCLUSIVE')
    file.exec('COMMIT')
  } catch {
    isAlone = false
  }
  // Reading takes the shared lock, and the open transaction keeps it. Another one that looks round holds it for a moment.
  file.exec(`PRAGMA busy_timeout = ${lookRoundMsMax}`)
  file.exec('BEGIN')
  file.prepare('SELECT name FROM sqlite_schema').all()
  return { isAlone, leave: () => file.close() }
}
