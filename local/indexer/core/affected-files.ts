/** Which files have to be linked again after a few of them changed. */
import { type FileLinks, hashName } from './file-links.ts'

export interface LinkedFile {
  readonly links: FileLinks
  /** Files that its specifiers name. */
  readonly targets: readonly number[]
}

export interface FileChange {
  readonly file: number
  /** Undefined: any name may be touched. */
  readonly names: ReadonlySet<string> | undefined
  /** Methods that the project has more or fewer of by that name: a call on something unknown may mean the only one. */
  readonly methods: ReadonlySet<string>
}

/**
 * Linking a file asks nothing but files it reaches through specifiers, and asks them by names that some file on
 * the way has written. So a change matters to those that reach the changed file and either write a touched name
 * themselves or get something from a file that does. All others have the edges they had.
 */
export function affectedFiles(files: readonly LinkedFile[], changes: readonly FileChange[]): Set<number> {
  const importers: number[][] = files.map(() => [])
  files.forEach((file, f) => {
    for (const target of file.targets) importers[target]?.push(f)
  })
  const affected = new Set(changes.map((one) => one.file))
  for (const change of changes) {
    const reaching = reachedBackwards(importers, [change.file])
    const hashes = change.names === undefined ? undefined : new Set([...change.names].map(hashName))
    if (hashes?.size === 0) continue
    const carriers: number[] = []
    for (const f of reaching) {
      const links = files[f]?.links
      if (links === undefined) continue
      if (hashes === undefined || links.names.some((one) => hashes.has(one))) affected.add(f)
      if (hashes === undefined || links.offeredNames.some((one) => hashes.has(one))) carriers.push(f)
    }
    for (const f of reachedBackwards(importers, carriers)) if (reaching.has(f)) affected.add(f)
  }
  const methods = new Set(changes.flatMap((one) => [...one.methods].map(hashName)))
  if (methods.size > 0)
    files.forEach((file, f) => {
      if (file.links.names.some((one) => methods.has(one))) affected.add(f)
    })
  return affected
}

function reachedBackwards(importers: readonly (readonly number[])[], from: readonly number[]): Set<number> {
  const reached = new Set(from)
  const queue = [...from]
  for (let f = queue.pop(); f !== undefined; f = queue.pop()) {
    for (const importer of importers[f] ?? []) {
      if (reached.has(importer)) continue
      reached.add(importer)
      queue.push(importer)
    }
  }
  return reached
}
