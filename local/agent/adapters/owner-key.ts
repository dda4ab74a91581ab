/** Keys of the data folder that outlive the process: what they signed or sealed stays good. */
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { OwnerKeyFault } from '../core/owner-key-fault.ts'

const keyBytes = 32

/** The key of a folder, made at its first use. One that others could have read or that is damaged is refused. */
export function loadOwnerKey(folder: string): Result<Uint8Array, OwnerKeyFault> {
  const file = path.join(folder, 'key')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
  const known = readKey(file)
  if (known !== undefined) return known
  makeKey(file)
  return readKey(file) ?? failWith({ kind: 'unmade', file })
}

function readKey(file: string): Result<Uint8Array, OwnerKeyFault> | undefined {
  let handle: number
  try {
    handle = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    return failWith({ kind: 'unread', file })
  }
  try {
    const facts = fstatSync(handle)
    if (!facts.isFile() || facts.size !== keyBytes) {
      return failWith({ kind: 'damaged', file })
    }
    if ((facts.mode & 0o077) !== 0) {
      return failWith({ kind: 'open', file })
    }
    const key = new Uint8Array(keyBytes)
    readSync(handle, key)
    return succeed(key)
  } finally {
    closeSync(handle)
  }
}

/** Complete or absent: written beside and linked into place, where the key of another server that was first stays. */
function makeKey(file: string): void {
  const fresh = `${file}.${randomBytes(6).toString('hex')}`
  const handle = openSync(fresh, 'wx', 0o600)
  try {
    writeSync(handle, randomBytes(keyBytes))
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  try {
    linkSync(fresh, file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    rmSync(fresh)
  }
}
