/** Why a start is refused, where the machine is to blame: what, where, and the way out. One line each, for a terminal. */

import type { MachineProblem } from '../../workers/app/core/operating/machine.ts'
import { inEnglish } from '../../workers/app/core/reason/english.ts'
import type { Damage } from './databases.ts'
import { diskProblem, isFull, spaceOn } from './disk.ts'

/** Undefined for a failure that has nothing to do with the disk. */
export function storageFault(error: unknown, dataFolder: string): string | undefined {
  if (isFull(error)) return fullDisk(dataFolder)
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code !== 'EROFS' && code !== 'EIO') return undefined
  return code === 'EIO'
    ? `The disk that holds ${dataFolder} fails (input/output error); look at it before anything else, and copy the folder to another one`
    : `The disk that holds ${dataFolder} is mounted read-only; mount it writable, or choose another folder with --data`
}

/** What a start cannot do without. */
export function diskRefusal(dataFolder: string): string | undefined {
  const problem = diskProblem(dataFolder)
  if (problem?.kind === 'machine.disk_full') return fullDisk(dataFolder)
  if (problem?.kind === 'machine.disk_unwritable')
    return `The data folder ${dataFolder} cannot be written; mount its disk writable, or choose another with --data`
  return undefined
}

function fullDisk(dataFolder: string): string {
  const mebibytes = Math.floor(spaceOn(dataFolder).freeBytes / 1024 ** 2)
  return `The disk that holds ${dataFolder} is full (${mebibytes} MiB are left); free some space on it and start again, or choose another folder with --data`
}

/** Without these nothing can be served. */
export function damageRefusal(
  damages: readonly Damage[],
  dataFolder: string,
  newestBackup: string | undefined,
): string | undefined {
  const damage = damages.find(({ kind }) => kind !== 'object')
  if (damage === undefined) return undefined
  const command = `npm run restore -- ${newestBackup ?? 'FILE'} --data ${dataFolder}`
  return `The database ${damage.file} is damaged (${damage.why}). Put a backup back (${command}), or move this file away to start without what it holds`
}

/** What a start goes on with. */
export function warnings(problems: readonly MachineProblem[]): string[] {
  return problems.map((problem) => inEnglish(problem))
}
