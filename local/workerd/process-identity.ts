/** A process that cannot be mistaken for a later one with the same number: its pid and when it started. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { processEndWaitMs, processPollMs } from './limits.ts'

export interface ProcessIdentity {
  readonly pid: number
  /** Ticks since boot where /proc exists, else the start time that `ps` prints. */
  readonly startedAt: string
}

/** Undefined when no such process lives. A zombie has ended: only its parent has not looked yet. */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  const startedAt = process.platform === 'linux' ? startTicks(pid) : startFromPs(pid)
  return startedAt === undefined ? undefined : { pid, startedAt }
}

export function isAlive(identity: ProcessIdentity): boolean {
  return identifyProcess(identity.pid)?.startedAt === identity.startedAt
}

/** Kills and waits until it is gone. False when it is still there after the wait. */
export async function endProcess(identity: ProcessIdentity): Promise<boolean> {
  const deadline = performance.now() + processEndWaitMs
  while (isAlive(identity)) {
    if (performance.now() > deadline) return false
    try {
      process.kill(identity.pid, 'SIGKILL')
    } catch {
      // It ended between the look and the signal, or belongs to someone else: the next look tells.
    }
    await delay(processPollMs)
  }
  return true
}

/** Processes of this user whose environment holds exactly this setting. Only where /proc shows environments. */
export function processesWithSetting(name: string, value: string): ProcessIdentity[] {
  if (process.platform !== 'linux') return []
  const wanted = `${name}=${value}`
  return readdirSync('/proc')
    .filter((entry) => /^[0-9]+$/.test(entry) && Number(entry) !== process.pid)
    .filter((entry) => readProc(`/proc/${entry}/environ`)?.split('\0').includes(wanted) === true)
    .flatMap((entry) => identifyProcess(Number(entry)) ?? [])
}

function startTicks(pid: number): string | undefined {
  const stat = readProc(`/proc/${pid}/stat`)
  if (stat === undefined) return undefined
  // The name in brackets may itself hold spaces and brackets: fields are counted from the last one.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return state === 'Z' || state === 'X' ? undefined : fields[18]
}

function startFromPs(pid: number): string | undefined {
  const outcome = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' })
  return outcome.status === 0 ? outcome.stdout.trim() : undefined
}

function readProc(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
