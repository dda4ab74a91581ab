/** The one folder that holds everything this machine's wharf keeps. */
import { accessSync, chmodSync, constants, mkdirSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { isBuilt } from '../../bin/installation.mjs'
import type { StartFault } from '../operating/start-faults.ts'

/** A checkout keeps its data beside its sources; what is installed is started from anywhere. */
export function defaultDataFolder(environment: Readonly<Record<string, string | undefined>>): string {
  const named = environment['WHARF_DATA'] ?? ''
  if (named !== '') return named
  if (!isBuilt) return '.data'
  const shared = environment['XDG_DATA_HOME'] ?? ''
  return path.join(path.isAbsolute(shared) ? shared : path.join(homedir(), '.local', 'share'), 'wharf')
}

/** Makes the folder when it is missing, closes it to other users, and answers its one true path. */
export function openDataFolder(wanted: string): Result<string, StartFault> {
  const folder = path.resolve(wanted)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    chmodSync(folder, 0o700)
    return succeed(realpathSync(folder))
  } catch (error) {
    return failWith({ kind: 'data_folder', folder, cause: reasonOf(error) })
  }
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const reasons: Readonly<Record<string, string>> = {
    EACCES: 'permission denied',
    EPERM: 'it belongs to someone else',
    EEXIST: 'a file is in the way',
    ENOTDIR: 'a file is in the way',
    EROFS: 'read-only file system',
    ENOSPC: 'the disk is full',
  }
  return reasons[code] ?? (code === '' ? String(error) : code)
}
