/** Whether the clock of this machine can be right, as far as the data folder and the release can tell. */
import { statSync } from 'node:fs'
import type { MachineProblem } from '../../workers/app/core/operating/machine.ts'
import { databasesOf } from './databases.ts'
import { clockAheadSecondsMax, clockBackSecondsMax } from './limits.ts'

export interface ClockWitness {
  /** When something was last written here, by the clock of then; undefined in an empty folder. */
  readonly usedAtUnix: number | undefined
  /** When this version was made: no clock is right that shows an earlier time. */
  readonly madeAtUnix: number
}

/** To be asked before anything is opened, which writes. */
export function lastUse(dataFolder: string): number | undefined {
  const times = databasesOf(dataFolder)
    .filter(({ kind }) => kind === 'main')
    .flatMap(({ file }) => [file, `${file}-wal`])
    .flatMap((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? [])
  return times.length === 0 ? undefined : Math.floor(Math.max(...times) / 1000)
}

/** A problem goes as soon as the clock is set. */
export function clockProblem(nowUnix: number, witness: ClockWitness): MachineProblem | undefined {
  const { usedAtUnix, madeAtUnix } = witness
  const seen = Math.max(usedAtUnix ?? 0, madeAtUnix)
  if (nowUnix < seen - clockBackSecondsMax) return { kind: 'machine.clock_behind', now: nowUnix, seen }
  if (usedAtUnix !== undefined && nowUnix > usedAtUnix + clockAheadSecondsMax)
    return { kind: 'machine.clock_ahead', now: nowUnix, seen: usedAtUnix }
  return undefined
}
