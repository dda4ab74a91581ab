/** A disk of few bytes for one process: a file system in memory, in a mount namespace of its own. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const probe = spawnSync('unshare', ['-rm', 'sh', '-c', 'mount -t tmpfs -o size=64k tmpfs /mnt'], { timeout: 10_000 })

/** Not every machine lets its users have one. */
export const hasSmallDisks = probe.status === 0

/** The command, with this folder on a disk of so many MiB. */
export function onSmallDisk(folder: string, mebibytes: number, command: readonly string[]): readonly string[] {
  const script = `mount -t tmpfs -o size=${mebibytes}m tmpfs "$0" && exec "$@"`
  return ['unshare', '-rm', 'sh', '-c', script, folder, ...command]
}

export interface SmallDisk {
  /** A process that keeps the disk, for `fillDisk`. */
  readonly pid: number
  /** Before the command of a program that is to see it. */
  readonly within: readonly string[]
  remove(): void
}

/** A disk of so many MiB on this folder that outlives the programs on it. */
export async function smallDisk(folder: string, mebibytes: number): Promise<SmallDisk> {
  const [program = '', ...args] = onSmallDisk(folder, mebibytes, ['sh', '-c', 'echo ready; exec cat'])
  const keeper = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  await once(keeper.stdout, 'data')
  const pid = keeper.pid ?? 0
  return {
    pid,
    within: ['nsenter', '-U', '-m', '--preserve-credentials', '-t', String(pid), '--wd=/proc/self/cwd'],
    remove: () => void keeper.kill(),
  }
}

/** Fills the disk of the process to its last byte; what is given back makes room again. */
export function fillDisk(pid: number, folder: string): () => void {
  const file = path.join('/proc', String(pid), 'root', folder, 'filler')
  const piece = Buffer.alloc(64 * 1024, 1)
  for (let size = piece.length; size >= 1; )
    try {
      writeFileSync(file, piece.subarray(0, size), { flag: 'a' })
    } catch {
      size = size === 1 ? 0 : Math.floor(size / 2)
    }
  return () => rmSync(file, { force: true })
}
