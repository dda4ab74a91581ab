import { readFileSync } from 'node:fs'
import path from 'node:path'

const journalFile = path.resolve(import.meta.dirname, '..', '..', 'migrations', 'meta', '_journal.json')

/** When the newest step of the database was made; the version that runs is not older. */
export function releaseMadeAtUnix(): number {
  const { entries }: { entries: { when: number }[] } = JSON.parse(readFileSync(journalFile, 'utf8'))
  return Math.floor(Math.max(0, ...entries.map(({ when }) => when)) / 1000)
}
