import type { CodeGraph } from './code-graph.ts'
import type { Figures } from './figures.ts'
import type { LeftOut } from './left-out.ts'
import type { EdgeRow, FileRow, NodeRow, UnresolvedRow } from './rows.ts'

/** Reading access to one published index. Every call answers from the same revision. */
export interface GraphReader {
  readonly meta: ReadonlyMap<string, string>
  readonly graph: CodeGraph
  readonly figures: Figures
  files(): readonly FileRow[]
  /** Files that the index does not hold; of very many only the first ones, and `left_out` of `meta` counts them. */
  leftOut(): readonly LeftOut[]
  file(n: number): FileRow
  fileByPath(path: string): FileRow | undefined
  /** Texts about the symbol are read when they are asked for, so that none outlives the opened index. */
  node(n: number): NodeRow
  nodeById(id: string): NodeRow | undefined
  nodesOf(file: FileRow): readonly NodeRow[]
  /** Nodes of exactly this name. */
  nodesNamed(name: string): readonly NodeRow[]
  /** Nodes whose name holds the text, whatever the case; at most `limit`, shortest names first. */
  nodesContaining(text: string, limit: number): readonly NodeRow[]
  /** Nodes whose words or documentation start with each of the words; at most `limit`. */
  nodesAbout(words: readonly string[], limit: number): readonly NodeRow[]
  allNodes(): Iterable<NodeRow>
  incoming(n: number): readonly EdgeRow[]
  outgoing(n: number): readonly EdgeRow[]
  /** References of these nodes, which are of one file, that found no target. */
  unresolvedOf(first: number, last: number): readonly UnresolvedRow[]
  /** References without a target whose written name ends in this one; at most `limit`. */
  unresolvedNamed(name: string, limit: number): readonly UnresolvedRow[]
  unresolvedNames(): ReadonlySet<string>
  unresolvedCount(): number
}
