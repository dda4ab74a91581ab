/** One writer at a time: a file made exclusively, holding the writer's process id and when that process started. */
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { readSmallFile } from '../../git/find-repository.ts'
import { lockBytesMax } from '../limits.ts'

export interface LockHolder {
  readonly pid: number
  readonly isAlive: boolean
}

export function readLock(file: string): LockHolder | undefined {
  const text = readSmallFile(file, lockBytesMax)
  if (text === undefined) return undefined
  const [pidText = '', started = ''] = text.trim().split(' ')
  const pid = Number(pidText)
  if (!Number.isSafeInteger(pid) || pid <= 0) return { pid: 0, isAlive: false }
  return { pid, isAlive: isAlive(pid) && (started === '' || startOf(pid) === undefined || startOf(pid) === started) }
}

/** Takes the lock; a lock whose process is gone is taken over. Answers the living holder when it cannot. */
export function takeLock(file: string): { release(): void } | LockHolder {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    try {
      const handle = openSync(file, 'wx', 0o600)
      writeSync(handle, `${process.pid} ${startOf(process.pid) ?? ''}`)
      closeSync(handle)
      return { release: () => rmSync(file, { force: true }) }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      const holder = readLock(file)
      if (holder?.isAlive === true) return holder
      rmSync(file, { force: true })
    }
  }
  return readLock(file) ?? { pid: 0, isAlive: true }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** When a process started, on systems that say so: a reused process id is then told apart. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}
