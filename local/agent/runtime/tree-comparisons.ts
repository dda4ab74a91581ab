/** Compares git trees, and remembers the last pairs: trees never change, and a revert asks again what its steps asked. */
import { readCounts } from '../core/changed-files.ts'
import { type Difference, readDifferences } from '../core/tree-differences.ts'
import { snapshotPairPathsMax, snapshotPairsMax } from '../limits.ts'

type Git = (args: readonly string[]) => Promise<string>

export const comparing = ['diff-tree', '-r', '--no-renames', '--no-ext-diff', '--no-textconv']

export class TreeComparisons {
  readonly #differences = new Map<string, readonly Difference[]>()
  readonly #counts = new Map<string, ReturnType<typeof readCounts>>()

  differences(git: Git, from: string, to: string): Promise<readonly Difference[]> {
    return remembered(this.#differences, `${from} ${to}`, async () => {
      const found = readDifferences(await git([...comparing, '-z', '--raw', '--no-abbrev', from, to]))
      return { found, size: found.length }
    })
  }

  /** Lines that were added and deleted, by path. */
  counts(git: Git, from: string, to: string): Promise<ReturnType<typeof readCounts>> {
    return remembered(this.#counts, `${from} ${to}`, async () => {
      const found = readCounts(await git([...comparing, '-z', '--numstat', from, to]))
      return { found, size: found.size }
    })
  }
}

async function remembered<T>(
  pairs: Map<string, T>,
  pair: string,
  find: () => Promise<{ readonly found: T; readonly size: number }>,
): Promise<T> {
  const known = pairs.get(pair)
  if (known !== undefined) return known
  const { found, size } = await find()
  if (size > snapshotPairPathsMax) return found
  pairs.set(pair, found)
  const [oldest] = pairs.keys()
  if (pairs.size > snapshotPairsMax && oldest !== undefined) pairs.delete(oldest)
  return found
}
