/** What a process has cost so far, as the kernel counts it; undefined where it does not tell. */
import { readFileSync } from 'node:fs'

export interface ProcessCost {
  /** Of a processor, in the kernel and outside of it. */
  readonly cpuMs: number
  readonly residentBytes: number
}

/** `USER_HZ`, which is 100 wherever Linux runs Node, and its pages. */
const tickMs = 10
const pageBytes = 4096

export function processCost(pid: number): ProcessCost | undefined {
  try {
    // What follows the name, which is in brackets and may hold anything.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ')
    const [user, system, pages] = [Number(fields[11]), Number(fields[12]), Number(fields[21])]
    return { cpuMs: (user + system) * tickMs, residentBytes: pages * pageBytes }
  } catch {
    return undefined
  }
}
