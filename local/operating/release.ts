/** What is known of the version that runs. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..', '..')

export const releaseVersion = String(JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).version)

/** When the newest step of the database was made; the version that runs is not older. */
export function releaseMadeAtUnix(): number {
  const journal = readFileSync(path.join(root, 'migrations', 'meta', '_journal.json'), 'utf8')
  const { entries }: { entries: { when: number }[] } = JSON.parse(journal)
  return Math.floor(Math.max(0, ...entries.map(({ when }) => when)) / 1000)
}

/** Steps of the main database that this version knows. */
export function stepsOfRelease(): string[] {
  return readdirSync(path.join(root, 'migrations')).filter((name) => name.endsWith('.sql'))
}
