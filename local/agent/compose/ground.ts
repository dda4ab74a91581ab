/** What all parts of one agent stand on: its data folder, its clock, and what tells of its events. */
import { realpathSync } from 'node:fs'
import path from 'node:path'
import type { Clock } from '#shared/kernel/clock.ts'
import { openStorage } from '../adapters/open-storage.ts'
import { joinServers } from '../adapters/server-presence.ts'
import { databaseBusyMs, databaseBytesMax, databaseReserveBytes, sqliteVersionMin, walBytesMax } from '../limits.ts'
import type { Logger } from '../ports.ts'
import { defaultStreamBounds, EventStreams } from '../runtime/event-streams.ts'
import { createIdentifiers } from '../runtime/identifiers.ts'
import { SessionStore } from '../runtime/session-store.ts'
import type { AgentOptions } from './options.ts'

export const systemClock: Clock = { nowMs: () => Date.now() }

export type Ground = ReturnType<typeof openGround>

export function openGround(options: AgentOptions) {
  const clock = options.clock ?? systemClock
  const logger: Logger = options.logger ?? { error: () => undefined }
  const ids = createIdentifiers(clock)
  const searchPath = options.environment['PATH'] ?? '/usr/local/bin:/usr/bin:/bin'
  const databaseFile = path.join(options.dataDir, 'agent.db')
  const storage = openStorage(databaseFile, {
    busyMs: databaseBusyMs,
    bytesMax: options.databaseBytesMax ?? databaseBytesMax,
    reserveBytes: databaseReserveBytes,
    walBytesMax,
    versionMin: sqliteVersionMin,
  })
  const { sql } = storage
  const presence = joinServers(options.dataDir)
  const store = new SessionStore({ sql, clock, ids, version: options.version })
  const streams = new EventStreams(store, ids, { ...defaultStreamBounds, ...options.streamBounds })
  // As tools see them, which follow links.
  const data = realpathSync(options.dataDir)
  const withheld = [data, ...(options.withheldFolder === undefined ? [] : [realpathSync(options.withheldFolder)])]
  const folders = {
    withheld,
    configuration: options.places.userFolder,
    outputs: path.join(data, 'tool-output'),
    copies: path.join(data, 'reference'),
    workTrees: path.join(data, 'work-tree'),
  }
  return {
    clock,
    logger,
    ids,
    searchPath,
    databaseFile,
    storage,
    sql,
    presence,
    store,
    streams,
    data,
    withheld,
    folders,
  }
}
