/** Replaces what the published index holds of a few files. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { FileFacts } from '../core/facts.ts'
import { GraphTally, parseFigures } from '../core/figures.ts'
import { symbolKeys } from '../core/file-surface.ts'
import type { LeftOut } from '../core/left-out.ts'
import type { Links } from '../resolve/link.ts'
import { nodeNumbersMax, withTargets } from './file-graph.ts'
import { FoundByFile } from './found-by-file.ts'
import { type IndexCounts, putMeta } from './index-meta.ts'
import { type IndexedFile, RowWriter } from './row-writer.ts'

/** A file that is not what it was: it came where nothing was before, and is gone where nothing is after. */
export interface FilePatch {
  readonly path: string
  readonly before: FileFacts | undefined
  readonly after: IndexedFile | undefined
}

export interface IndexPatch {
  /** Paths of all files that the index is of from now on, in their order. */
  readonly paths: readonly string[]
  readonly files: readonly FilePatch[]
  /** Files whose bytes are what they were, under another time or size on disk. */
  readonly touched: readonly { readonly path: string; readonly modifiedMs: number; readonly size: number }[]
  /** Files whose edges are made anew; those that changed or came are among them. */
  readonly relinked: ReadonlySet<number>
  readonly links: Links
  readonly leftOut: readonly LeftOut[]
  readonly meta: Readonly<Record<string, string>>
}

/** An edge would lose its end: the index has to be made whole instead. */
export class UnpatchableError extends Error {}

interface NodeRange {
  readonly first: number
  readonly count: number
}

/** Inside of a transaction on the published index, or on a copy of it. */
export function patchIndex(database: DatabaseSync, patch: IndexPatch): IndexCounts {
  const said = (key: string): string =>
    String(database.prepare('SELECT value FROM meta WHERE key = ?').get(key)?.['value'] ?? '')
  const rows = new RowWriter(database, new GraphTally(parseFigures(said('figures'))))
  new FileReplacement(database, rows, patch).apply()
  if (said('left_out_hash') !== patch.meta['left_out_hash']) rows.putLeftOut(patch.leftOut)
  const touch = database.prepare('UPDATE files SET modified_ms = ?, size = ? WHERE path = ?')
  for (const one of patch.touched) touch.run(one.modifiedMs, one.size, one.path)
  rows.finish()
  return putMeta(database, rows.tally, patch.meta)
}

class FileReplacement {
  readonly #database: DatabaseSync
  readonly #rows: RowWriter
  readonly #patch: IndexPatch
  readonly #find: StatementSync
  /** Of the files that turned: where their symbols were, and where they are. */
  readonly #before = new Map<string, NodeRange>()
  readonly #now = new Map<string, NodeRange>()

  constructor(database: DatabaseSync, rows: RowWriter, patch: IndexPatch) {
    this.#database = database
    this.#rows = rows
    this.#patch = patch
    this.#find = database.prepare('SELECT first, nodes FROM files WHERE path = ?')
    for (const { path } of patch.files) {
      const range = this.#publishedRange(path)
      if (range !== undefined) this.#before.set(path, range)
    }
  }

  apply(): void {
    const { files, links, paths, relinked } = this.#patch
    this.#number()
    this.#moveTargets()
    for (const { first, count } of this.#before.values()) this.#rows.removeFile(first, count)
    const found = new FoundByFile(links)
    const turned = new Map(files.map((one) => [one.path, one.after]))
    const nodeOf = (f: number, s: number): number => this.#firstOf(paths[f] ?? '') + s
    for (const f of [...relinked].sort((left, right) => left - right)) {
      const path = paths[f] ?? ''
      const file = turned.get(path)
      if (file === undefined) this.#rows.relink(this.#firstOf(path), found.take(f), nodeOf)
      else this.#rows.putFile(this.#firstOf(path), file, found.take(f), nodeOf)
    }
  }

  #publishedRange(path: string): NodeRange | undefined {
    const row = this.#find.get(path)
    return row === undefined ? undefined : { first: Number(row['first']), count: Number(row['nodes']) }
  }

  readonly #firsts = new Map<string, number>()

  #firstOf(path: string): number {
    const first = this.#firsts.get(path) ?? (this.#now.get(path) ?? this.#publishedRange(path))?.first
    if (first === undefined) throw new UnpatchableError(`${path} has no symbols`)
    this.#firsts.set(path, first)
    return first
  }

  /** Symbols of a file lie together. One that grew or came lies where nobody is. */
  #number(): void {
    const grown: { readonly path: string; readonly count: number }[] = []
    for (const { path, after } of this.#patch.files) {
      if (after === undefined) continue
      const before = this.#before.get(path)
      const count = after.facts.symbols.length
      if (before !== undefined && count <= before.count) this.#now.set(path, { first: before.first, count })
      else grown.push({ path, count })
    }
    if (grown.length === 0) return
    const staying = this.#database
      .prepare('SELECT path, first, nodes FROM files')
      .all()
      .filter((row) => !this.#before.has(String(row['path'])))
      .map((row): NodeRange => ({ first: Number(row['first']), count: Number(row['nodes']) }))
    for (const { path, count } of grown)
      this.#now.set(path, { first: freePlace([...staying, ...this.#now.values()], count), count })
  }

  /** Edges of files that are not linked again still end in the symbols they ended in. */
  #moveTargets(): void {
    const moves = this.#patch.files.flatMap(({ path, before, after }) => {
      const range = this.#before.get(path)
      if (range === undefined || before === undefined) return []
      const places = after === undefined ? [] : placesNow(before, after.facts)
      const first = this.#now.get(path)?.first
      const stays = first === range.first && places.every((now, was) => now === was)
      return stays && places.length === range.count
        ? []
        : [{ ...range, end: range.first + range.count, places, now: first }]
    })
    if (moves.length === 0) return
    const moved = (target: number): number => {
      const move = moves.find((one) => target >= one.first && target < one.end)
      if (move === undefined) return target
      const place = move.places[target - move.first]
      if (place === undefined || move.now === undefined)
        throw new UnpatchableError('an edge of another file ends in a symbol that is gone')
      return move.now + place
    }
    const madeAnew = new Set([...this.#before.values()].map((one) => one.first))
    for (const f of this.#patch.relinked) madeAnew.add(this.#publishedRange(this.#patch.paths[f] ?? '')?.first ?? 0)
    const changed: [number, Uint8Array][] = []
    for (const { first, edges } of this.#database.prepare('SELECT first, edges FROM graph').iterate()) {
      if (madeAnew.has(Number(first))) continue
      const now = withTargets(edges as Uint8Array, moved)
      if (now !== undefined) changed.push([Number(first), now])
    }
    const put = this.#database.prepare('UPDATE graph SET edges = ? WHERE first = ?')
    for (const [first, edges] of changed) put.run(edges, first)
  }
}

function freePlace(ranges: readonly NodeRange[], count: number): number {
  let [next, nodes] = [1, count]
  for (const range of ranges.toSorted((left, right) => left.first - right.first)) {
    if (range.first - next >= count) return next
    next = range.first + range.count
    nodes += range.count
  }
  if (next > nodeNumbersMax(nodes)) throw new UnpatchableError('too many numbers are free')
  return next
}

/** The place that each symbol of before has now; undefined where it is gone. A file itself is always there. */
function placesNow(before: FileFacts, after: FileFacts): (number | undefined)[] {
  const now = new Map(symbolKeys(after).map((key, s) => [key, s]))
  return symbolKeys(before).map((key, s) => (s === 0 ? 0 : now.get(key)))
}
