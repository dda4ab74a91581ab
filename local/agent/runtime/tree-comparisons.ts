/** Compares git trees, and remembers the last pairs: trees never change, and a revert asks again what its steps asked. */
import { readCounts } from '../core/changed-files.ts'
import { type Difference, readDifferences } from '../core/tree-differences.ts'
import { snapshotPairPathsMax, snapshotPairsMax } from '../limits.ts'

type Git = (args: readonly string[]) => Promise<string>

export const comparing = ['diff-tree', '-r', '--no-renames', '--no-ext-diff', '--no-textconv']

export class TreeComparisons {
  readonly #differences = new Map<string, readonly Difference[]>()
  readonly #counts = new Map<string, ReturnType<typeof readCounts>>()

  async differences(git: Git, from: string, to: string): Promise<readonly Difference[]> {
    const known = this.#differences.get(pairOf(from, to))
    if (known !== undefined) return known
    const found = readDifferences(await git([...comparing, '-z', '--raw', '--no-abbrev', from, to]))
    if (found.length <= snapshotPairPathsMax) remember(this.#differences, pairOf(from, to), found)
    return found
  }

  /** Lines that were added and deleted, by path. */
  async counts(git: Git, from: string, to: string): Promise<ReturnType<typeof readCounts>> {
    const known = this.#counts.get(pairOf(from, to))
    if (known !== undefined) return known
    const found = readCounts(await git([...comparing, '-z', '--numstat', from, to]))
    if (found.size <= snapshotPairPathsMax) remember(this.#counts, pairOf(from, to), found)
    return found
  }
}

function pairOf(from: string, to: string): string {
  return `${from} ${to}`
}

function remember<T>(pairs: Map<string, T>, pair: string, found: T): void {
  pairs.set(pair, found)
  const [oldest] = pairs.keys()
  if (pairs.size > snapshotPairsMax && oldest !== undefined) pairs.delete(oldest)
}
