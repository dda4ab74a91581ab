/** A program that copies a database while others write to it, and looks through the copy: what it took is given back with it. */
import { chmodSync, closeSync, openSync, rmSync } from 'node:fs'
import { backup, DatabaseSync } from 'node:sqlite'
import { syncToDisk } from '../../files/replace-file.ts'
import type { CopyOutcome } from './open-storage.ts'

const [, , file = '', target = ''] = process.argv
// With its server: the next one makes a copy of its own, at the same place.
process.stdin.on('end', () => process.exit()).resume()
/** In one go: a copy that lets others write between its steps begins anew with each of them. */
const pagesAtOnce = 2_147_483_647

async function copy(): Promise<string | undefined> {
  rmSync(target, { force: true })
  closeSync(openSync(target, 'wx', 0o600))
  chmodSync(target, 0o600)
  const source = new DatabaseSync(file, { readOnly: true })
  try {
    await backup(source, target, { rate: pagesAtOnce })
  } finally {
    source.close()
  }
  const made = new DatabaseSync(target, { readOnly: true })
  try {
    const found = Object.values(made.prepare('PRAGMA quick_check(1)').get() ?? {})[0]
    if (found !== 'ok') return String(found)
  } finally {
    made.close()
  }
  syncToDisk(target)
  return undefined
}

const outcome: CopyOutcome = { problem: await copy() }
process.stdout.write(`${JSON.stringify(outcome)}\n`, () => process.exit())
