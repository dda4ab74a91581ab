/** Which files have to be linked again after a few of them changed. */

import { pushTo } from '#shared/kernel/push-to.ts'
import { type FileLinks, hashName } from './file-links.ts'

export interface LinkedFile {
  readonly links: FileLinks
  /** Languages whose files can name one another's symbols. */
  readonly family: string
  /** Files that its specifiers name; undefined where every file of the family is within reach of every other. */
  readonly targets: readonly number[] | undefined
}

export interface FileChange {
  readonly file: number
  /** Undefined: any name may be touched. */
  readonly names: ReadonlySet<string> | undefined
  /** Methods that the project has more or fewer of by that name: a call on something unknown may mean the only one. */
  readonly methods: ReadonlySet<string>
}

/** Names under which a file passes on what it makes of touched names; undefined: any. */
export type PassedOn = (file: number, isTouched: (name: string) => boolean) => ReadonlySet<string> | undefined

/**
 * Linking a file asks nothing but files within its reach, and asks them by names that some file on the way has written.
 * So a change matters to the files that reach the changed one and write a touched name; and what one of these makes of
 * it and passes on is a change of that file, under the names it passes it on by. All others have the edges they had.
 * Undefined: they are more than `most`, and which ones does not matter.
 */
export function affectedFiles(
  files: readonly LinkedFile[],
  changes: readonly FileChange[],
  passedOn: PassedOn,
  most = files.length,
): Set<number> | undefined {
  let known: Reach | undefined
  /** Who reaches a file and may write one of these names. Who reaches whom is found only where somebody else writes one. */
  const mayBeTouched = (file: number, hashes: ReadonlySet<number> | undefined): Iterable<number> => {
    const isWritten = (): boolean =>
      hashes === undefined || files.some(({ links }, f) => f !== file && hasAny(links.names, hashes))
    if (known === undefined && !isWritten()) return []
    known ??= new Reach(files)
    return known.of(file)
  }
  const affected = new Set(changes.map((one) => one.file))
  /** What each file is known to have changed under. */
  const touched = new Map<number, Set<string> | undefined>()
  const queue: { readonly file: number; readonly names: ReadonlySet<string> | undefined }[] = [...changes]
  for (let change = queue.pop(); change !== undefined; change = queue.pop()) {
    if (change.names?.size === 0) continue
    const names = change.names
    const hashes = names === undefined ? undefined : new Set([...names].map(hashName))
    const isAnyOf = (written: Uint32Array): boolean => hashes === undefined || hasAny(written, hashes)
    for (const f of mayBeTouched(change.file, hashes)) {
      const links = files[f]?.links
      if (links === undefined || f === change.file) continue
      if (affected.size > most) return undefined
      if (isAnyOf(links.names)) affected.add(f)
      if (!isAnyOf(links.offeredNames)) continue
      const found = names === undefined ? undefined : passedOn(f, (name) => names.has(name))
      const more = newOnes(touched, f, found)
      if (more === undefined || more.size > 0) queue.push({ file: f, names: more })
    }
  }
  const methods = new Set(changes.flatMap((one) => [...one.methods].map(hashName)))
  if (methods.size > 0)
    files.forEach((file, f) => {
      if (hasAny(file.links.names, methods)) affected.add(f)
    })
  return affected.size > most ? undefined : affected
}

/** Few are looked for in the lists of very many files: the engine searches numbers faster than we ask of each. */
function hasAny(written: Uint32Array, hashes: ReadonlySet<number>): boolean {
  if (hashes.size > 16) return written.some((one) => hashes.has(one))
  for (const hash of hashes) if (written.includes(hash)) return true
  return false
}

/** Those names that the file was not known to have changed under, which it is from now on. */
function newOnes(
  touched: Map<number, Set<string> | undefined>,
  f: number,
  names: ReadonlySet<string> | undefined,
): ReadonlySet<string> | undefined {
  const known = touched.has(f) ? touched.get(f) : new Set<string>()
  if (known === undefined) return new Set()
  touched.set(f, names === undefined ? undefined : new Set([...known, ...names]))
  return names === undefined ? undefined : new Set([...names].filter((one) => !known.has(one)))
}

/** Who reaches a file. */
class Reach {
  readonly #files: readonly LinkedFile[]
  readonly #importers: number[][]
  readonly #families = new Map<string, number[]>()
  readonly #known = new Map<number, readonly number[]>()

  constructor(files: readonly LinkedFile[]) {
    this.#files = files
    this.#importers = files.map(() => [])
    files.forEach(({ targets, family }, f) => {
      for (const target of targets ?? []) this.#importers[target]?.push(f)
      pushTo(this.#families, family, f)
    })
  }

  of(file: number): readonly number[] {
    const one = this.#files[file]
    if (one !== undefined && one.targets === undefined) return this.#families.get(one.family) ?? []
    let known = this.#known.get(file)
    if (known === undefined) {
      known = [...this.#backwards(file)]
      this.#known.set(file, known)
    }
    return known
  }

  #backwards(from: number): Set<number> {
    const reached = new Set([from])
    const queue = [from]
    for (let f = queue.pop(); f !== undefined; f = queue.pop()) {
      for (const importer of this.#importers[f] ?? []) {
        if (reached.has(importer)) continue
        reached.add(importer)
        queue.push(importer)
      }
    }
    return reached
  }
}
