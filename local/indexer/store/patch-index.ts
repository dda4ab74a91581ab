/** Makes the next index out of the published one, by replacing the rows of a few files. */
import type { DatabaseSync } from 'node:sqlite'
import type { FileFacts } from '../core/facts.ts'
import { symbolKeys } from '../core/file-surface.ts'
import type { LeftOut } from '../core/left-out.ts'
import { finish } from '../core/steps.ts'
import { nodeKinds } from '../core/vocabulary.ts'
import type { Links } from '../resolve/link.ts'
import { type ColumnsWriter, readColumns } from './graph-columns.ts'
import type { IndexPlace } from './index-folder.ts'
import { type IndexedFile, RowWriter } from './row-writer.ts'
import { type IndexCounts, publish } from './write-index.ts'

export interface FilePatch {
  /** Place of the file among all files. */
  readonly f: number
  readonly before: FileFacts
  readonly after: IndexedFile
}

export interface IndexPatch {
  readonly files: readonly FilePatch[]
  /** Files whose bytes are what they were, under another time or size on disk. */
  readonly touched: readonly { readonly f: number; readonly modifiedMs: number; readonly size: number }[]
  /** Files whose edges are made anew; those of `files` are among them. */
  readonly relinked: ReadonlySet<number>
  readonly links: Links
  readonly leftOut: readonly LeftOut[]
  readonly meta: Readonly<Record<string, string>>
}

/** An edge would lose its end: the index has to be made whole instead. */
export class UnpatchableError extends Error {}

export function patchIndex(place: IndexPlace, patch: IndexPatch): IndexCounts {
  // A few files are one step.
  const steps = publish(place, true, function* (database, columns) {
    yield 0
    columns.take(readColumns(database))
    new IndexPatcher(database, columns, patch).apply()
    return patch.meta
  })
  return finish(steps)
}

interface NodeRange {
  readonly first: number
  readonly count: number
}

class IndexPatcher {
  readonly #database: DatabaseSync
  readonly #columns: ColumnsWriter
  readonly #patch: IndexPatch
  readonly #rows: RowWriter
  readonly #ranges: NodeRange[] = []
  #nextNode: number

  constructor(database: DatabaseSync, columns: ColumnsWriter, patch: IndexPatch) {
    this.#database = database
    this.#columns = columns
    this.#patch = patch
    this.#rows = new RowWriter(database, columns)
    let last = 0
    for (const row of database.prepare('SELECT n, node_first, node_count FROM files').all()) {
      const range = { first: Number(row['node_first']), count: Number(row['node_count']) }
      this.#ranges[Number(row['n']) - 1] = range
      last = Math.max(last, range.first + range.count - 1)
    }
    this.#nextNode = last + 1
  }

  apply(): void {
    this.#removeLinks([...this.#patch.relinked].map((f) => this.#range(f)))
    for (const file of this.#patch.files) this.#replaceFile(file)
    const nodeOf = (f: number, s: number): number => this.#range(f).first + s
    this.#rows.putEdges(this.#patch.links.edges, nodeOf)
    this.#rows.putUnresolved(this.#patch.relinked, this.#patch.links.unresolved)
    this.#rows.putGivenUp(this.#patch.relinked, this.#patch.links.givenUp)
    this.#rows.putLeftOut(this.#patch.leftOut)
    this.#rows.removeUnusedNames()
    const touch = this.#database.prepare('UPDATE files SET modified_ms = ?, size = ? WHERE n = ?')
    for (const one of this.#patch.touched) touch.run(one.modifiedMs, one.size, one.f + 1)
  }

  #range(f: number): NodeRange {
    const range = this.#ranges[f]
    if (range === undefined) throw new UnpatchableError(`file ${f} has no nodes`)
    return range
  }

  #removeLinks(ranges: readonly NodeRange[]): void {
    const isLinkedAgain = new Set<number>()
    for (const { first, count } of ranges) {
      for (let n = first; n < first + count; n += 1) isLinkedAgain.add(n)
    }
    this.#columns.changeEdges((edge) => (isLinkedAgain.has(edge.source) ? undefined : edge))
  }

  #replaceFile({ f, before, after }: FilePatch): void {
    const range = this.#range(f)
    const end = range.first + range.count - 1
    const nodes = this.#database.prepare('SELECT n, kind, name, doc FROM nodes WHERE n BETWEEN ? AND ?')
    for (const row of nodes.all(range.first, end)) {
      const kind = nodeKinds[Number(row['kind'])]
      if (kind === undefined) throw new UnpatchableError('a node of no known kind')
      const doc = row['doc'] === null ? {} : { doc: String(row['doc']) }
      this.#rows.removeWords(Number(row['n']), { kind, name: String(row['name']), ...doc })
    }
    this.#database.prepare('DELETE FROM nodes WHERE n BETWEEN ? AND ?').run(range.first, end)
    this.#columns.removeNodes(range.first, range.count)
    // Nodes of a file lie together. A file that grew moves behind all others; the numbers it had stay free.
    const { symbols } = after.facts
    const first = symbols.length <= range.count ? range.first : this.#nextNode
    if (first !== range.first) this.#nextNode += symbols.length
    this.#rows.putFile(f + 1, first, after)
    this.#ranges[f] = { first, count: symbols.length }
    this.#moveTargets(range, before, first, after.facts)
  }

  /** Edges of files that are not linked again still end in the symbols they ended in. */
  #moveTargets(range: NodeRange, before: FileFacts, first: number, after: FileFacts): void {
    const now = new Map(symbolKeys(after).map((key, s) => [key, s]))
    const old = symbolKeys(before)
    this.#columns.changeEdges((edge) => {
      const was = edge.target - range.first
      if (was < 0 || was >= range.count) return edge
      const s = was === 0 ? 0 : now.get(old[was] ?? '')
      if (s === undefined) throw new UnpatchableError('an edge of another file ends in a symbol that is gone')
      return { ...edge, target: first + s }
    })
  }
}
