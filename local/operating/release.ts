/** What is known of the version that runs. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { installationRoot } from '../../bin/installation.mjs'

export const releaseVersion = String(
  JSON.parse(readFileSync(path.join(installationRoot, 'package.json'), 'utf8')).version,
)

/** When the newest step of the database was made; the version that runs is not older. */
export function releaseMadeAtUnix(): number {
  const journal = readFileSync(path.join(installationRoot, 'migrations', 'meta', '_journal.json'), 'utf8')
  const { entries }: { entries: { when: number }[] } = JSON.parse(journal)
  return Math.floor(Math.max(0, ...entries.map(({ when }) => when)) / 1000)
}

/** Steps of the main database that this version knows. */
export function stepsOfRelease(): string[] {
  return readdirSync(path.join(installationRoot, 'migrations')).filter((name) => name.endsWith('.sql'))
}
