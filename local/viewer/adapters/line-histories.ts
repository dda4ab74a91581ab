/** Asks git whose change made each line: one file after another, each kept by its text and by the commit that is checked out. */
import path from 'node:path'
import { findRepository, type Repository } from '../../git/find-repository.ts'
import { askRepository } from '../../git/read-repository.ts'
import { type LineHistory, lineHistory } from '../core/line-history.ts'
import { blameBytesMax, blameFilesKept, blameMsMax } from '../limits.ts'
import type { LineHistories } from '../ports.ts'

export function createLineHistories(root: string, searchPath: string): LineHistories {
  const kept = new Map<string, LineHistory | undefined>()
  let last: Promise<unknown> = Promise.resolve()
  const ask = (repository: Repository, args: readonly string[]): Promise<string | undefined> =>
    askRepository(repository, args, searchPath, { msMax: blameMsMax, outputBytesMax: blameBytesMax })
  const find = async (file: string, hash: string): Promise<LineHistory | undefined> => {
    // A folder may hold several repositories: the one that the file lies in knows of it.
    const repository = findRepository(path.dirname(path.join(root, file)))
    if (repository === undefined) return undefined
    const head = await ask(repository, ['rev-parse', '--verify', '--quiet', 'HEAD'])
    if (head === undefined) return undefined
    const key = `${head.trim()} ${hash} ${file}`
    if (kept.has(key)) return kept.get(key)
    const own = path.relative(repository.top, path.join(root, file))
    const text = await ask(repository, ['blame', '--incremental', '--no-textconv', '--', own])
    const found = text === undefined ? undefined : lineHistory(text)
    if (kept.size >= blameFilesKept) kept.delete(kept.keys().next().value ?? '')
    kept.set(key, found)
    return found
  }
  return {
    of({ path: file, hash }) {
      const found = last.then(() => find(file, hash))
      last = found.catch(() => undefined)
      return found
    },
  }
}
