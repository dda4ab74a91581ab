/** Processes of this machine by a text in their command line: those in a sandbox have other numbers inside of it. */
import { readdirSync, readFileSync } from 'node:fs'

export function processesWith(text: string): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return []
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').includes(text) ? [Number(name)] : []
    } catch {
      // It ended meanwhile.
      return []
    }
  })
}
