/** Random edits of a whole library: what sync says must be what a full build says. */
import { cp, mkdtemp, realpath, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { indexPlace } from '../../local/indexer/store/index-folder.ts'
import { checkRandomEdits } from '../support/random-edits.ts'

const library = path.join(import.meta.dirname, '../../node_modules/zod/src')

export async function runEdits(rounds: number, seed: number, log: (line: string) => void): Promise<boolean> {
  const root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'wharf-edits-')))
  try {
    await cp(library, root, { recursive: true, filter: (file) => !/locales|node_modules\/.*\/tests/.test(file) })
    const { patched, differences } = await checkRandomEdits(indexPlace(root, undefined), seed, rounds, {
      log,
      moves: true,
    })
    for (const one of differences) log(`DIFFERENT: ${one}`)
    log(`${patched} syncs replaced rows, ${differences.length} differ from a full build`)
    return differences.length === 0
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}
