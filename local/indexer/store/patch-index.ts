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
  readonly touched: readonly { readonly f: number; readonly modifiedMs: number; readonly size: number }[]
  /** Files whose edges are made anew; those that changed or came are among them. */
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

interface PublishedFile {
  readonly n: number
  readonly range: NodeRange
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
  readonly #published: ReadonlyMap<string, PublishedFile>
  readonly #ranges: (NodeRange | undefined)[]
  #nextNode = 1

  constructor(database: DatabaseSync, columns: ColumnsWriter, patch: IndexPatch) {
    this.#database = database
    this.#columns = columns
    this.#patch = patch
    this.#rows = new RowWriter(database, columns)
    const rows = database.prepare('SELECT n, path, node_first, node_count FROM files').all()
    this.#published = new Map(
      rows.map((row) => {
        const range = { first: Number(row['node_first']), count: Number(row['node_count']) }
        this.#nextNode = Math.max(this.#nextNode, range.first + range.count)
        return [String(row['path']), { n: Number(row['n']), range }]
      }),
    )
    this.#ranges = patch.paths.map((path) => this.#published.get(path)?.range)
  }

  apply(): void {
    const places = new Map(this.#patch.paths.map((path, f) => [path, f]))
    const gone = this.#patch.files.flatMap(({ path }) => (places.has(path) ? [] : (this.#published.get(path) ?? [])))
    this.#removeLinks(
      [...this.#patch.relinked].flatMap((f) => this.#ranges[f] ?? []).concat(gone.map((one) => one.range)),
    )
    for (const one of gone) this.#removeFile(one)
    this.#number()
    for (const { path, before, after } of this.#patch.files) {
      const f = places.get(path)
      if (f !== undefined && after !== undefined) this.#putFile(f, before, after)
    }
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
    this.#columns.edges.removeFrom((source) => isLinkedAgain.has(source))
  }

  /** Numbers of files are their order; only the row of a file and that of its open references hold them. */
  #number(): void {
    const moved = this.#patch.paths.flatMap((path, f) => {
      const n = this.#published.get(path)?.n
      return n === undefined || n === f + 1 ? [] : [{ from: n, to: f + 1 }]
    })
    for (const [table, column] of [
      ['files', 'n'],
      ['unresolved', 'file'],
    ] as const) {
      // By way of negative ones, so that no two files have one number at any time.
      const move = this.#database.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${column} = ?`)
      for (const { from, to } of moved) move.run(-to, from)
      this.#database.exec(`UPDATE ${table} SET ${column} = -${column} WHERE ${column} < 0`)
    }
  }

  #removeFile({ n, range }: PublishedFile): void {
    this.#removeNodes(range)
    for (const statement of ['DELETE FROM files WHERE n = ?', 'DELETE FROM unresolved WHERE file = ?'])
      this.#database.prepare(statement).run(n)
    this.#columns.edges.changeTargets((target) => {
      const at = target - range.first
      if (at >= 0 && at < range.count) throw new UnpatchableError('an edge of another file ends in a file that is gone')
      return target
    })
  }

  #removeNodes({ first, count }: NodeRange): void {
    const end = first + count - 1
    const nodes = this.#database.prepare('SELECT n, kind, name, doc FROM nodes WHERE n BETWEEN ? AND ?')
    for (const row of nodes.all(first, end)) {
      const kind = nodeKinds[Number(row['kind'])]
      if (kind === undefined) throw new UnpatchableError('a node of no known kind')
      const doc = row['doc'] === null ? {} : { doc: String(row['doc']) }
      this.#rows.removeWords(Number(row['n']), { kind, name: String(row['name']), ...doc })
    }
    this.#database.prepare('DELETE FROM nodes WHERE n BETWEEN ? AND ?').run(first, end)
    this.#columns.removeNodes(first, count)
  }

  #putFile(f: number, before: FileFacts | undefined, after: IndexedFile): void {
    const range = this.#ranges[f]
    if (range !== undefined) this.#removeNodes(range)
    const { symbols } = after.facts
    // Nodes of a file lie together. One that grew or came lies behind all others; numbers that others had stay free.
    const first = range !== undefined && symbols.length <= range.count ? range.first : this.#nextNode
    if (first !== range?.first) this.#nextNode += symbols.length
    this.#rows.putFile(f + 1, first, after)
    this.#ranges[f] = { first, count: symbols.length }
    if (range !== undefined && before !== undefined) this.#moveTargets(range, before, first, after.facts)
  }

  /** Edges of files that are not linked again still end in the symbols they ended in. */
  #moveTargets(range: NodeRange, before: FileFacts, first: number, after: FileFacts): void {
    const now = new Map(symbolKeys(after).map((key, s) => [key, s]))
    const old = symbolKeys(before)
    this.#columns.edges.changeTargets((target) => {
      const was = target - range.first
      if (was < 0 || was >= range.count) return target
      const s = was === 0 ? 0 : now.get(old[was] ?? '')
      if (s === undefined) throw new UnpatchableError('an edge of another file ends in a symbol that is gone')
      return first + s
    })
  }
}
