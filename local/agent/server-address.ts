/**
 * Where the server of a data folder listens, for the other commands of its owner: beside a server that runs, a second one
 * could drive the same session. The file names no secret, and lies where only the owner reads.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from '@hono/zod-openapi'

const announcement = z.object({
  address: z.url({ protocol: /^http$/ }),
  pid: z.number().int().positive(),
  /** How it knows who may come in. */
  entrance: z.enum(['none', 'password', 'cookie']),
})
export type ServerAddress = z.output<typeof announcement>

const fileOf = (dataDir: string): string => path.join(dataDir, 'server.json')

/** Returns what takes it back. */
export function announceServer(dataDir: string, server: ServerAddress): () => void {
  try {
    writeFileSync(fileOf(dataDir), JSON.stringify(server), { mode: 0o600 })
  } catch {
    // A full disk: the server can be read by whoever knows its address, and half an announcement names nobody.
    rmSync(fileOf(dataDir), { force: true })
  }
  return () => {
    // Another server may have come since.
    if (readServer(dataDir)?.pid === server.pid) rmSync(fileOf(dataDir), { force: true })
  }
}

/** Undefined where none runs: one that was killed leaves the file behind. */
export function readServer(dataDir: string): ServerAddress | undefined {
  try {
    const server = announcement.parse(JSON.parse(readFileSync(fileOf(dataDir), 'utf8')))
    process.kill(server.pid, 0)
    return server
  } catch {
    return undefined
  }
}
