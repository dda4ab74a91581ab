/** What an interface asks for since a change, and who says that it is one and has not got it. */
import type { CodeGraph } from '../../indexer/core/code-graph.ts'
import type { GraphReader } from '../../indexer/core/graph-reader.ts'
import { languageFamily } from '../../indexer/core/language-of.ts'
import type { FileRow } from '../../indexer/core/rows.ts'
import type { NodeKind } from '../../indexer/core/vocabulary.ts'

/** Types whose members have no body unless they say so. */
const promises: ReadonlySet<NodeKind> = new Set(['interface', 'trait', 'protocol'])

/** Whether each type below the member's own must have it: by what the index knows, and the member's own text. */
export function isRequired(reader: GraphReader, n: number, file: FileRow, text: string): boolean {
  const { graph } = reader
  if (graph.has(n, 'abstract')) return true
  if (!promises.has(graph.kindOf(graph.parentOf(n)))) return false
  const { kind, name, line, endLine, col, endCol } = reader.node(n)
  const lines = text.split('\n').slice(line - 1, endLine)
  const last = lines.length - 1
  const own = lines.map((one, at) => one.slice(at === 0 ? col : 0, at === last ? endCol : undefined)).join('\n')
  if (languageFamily(file.language) === 'script') {
    const behind = own.slice(own.indexOf(name) + name.length).trimStart()
    return (kind === 'method' || kind === 'property') && !behind.startsWith('?')
  }
  return kind === 'method' && !/\{|=>|\bstatic\b/.test(own)
}

interface Unmet {
  /** A type that lacks the member, and the line by which it says what it is. */
  readonly lacking: readonly { readonly n: number; readonly line: number }[]
  /** How many more perhaps lack it: what they come from is outside of the index, or a guess. */
  readonly possible: number
}

export function whoLacks(reader: GraphReader, member: number): Unmet {
  const { graph } = reader
  const holder = graph.parentOf(member)
  const name = graph.nameOf(member)
  const seen = new Set([holder])
  const open = [holder]
  const lacking: { n: number; line: number }[] = []
  let possible = 0
  for (let from = open.pop(); from !== undefined; from = open.pop())
    for (const place of graph.incomingPlaces(from)) {
      const { source, kind, line } = graph.edge(place)
      if ((kind !== 'extends' && kind !== 'implements') || seen.has(source)) continue
      seen.add(source)
      const found = hasMember(reader, source, name, holder)
      if (found === 'yes') continue
      if (promises.has(graph.kindOf(source)) || isUnfinished(reader, source)) open.push(source)
      else if (found === 'perhaps' || !graph.isCertain(place)) possible += 1
      else lacking.push({ n: source, line })
    }
  return { lacking, possible }
}

/** Whether a type has a member of that name, its own or from above, the holder of the promise left out. */
function hasMember(reader: GraphReader, n: number, name: string, holder: number): 'yes' | 'no' | 'perhaps' {
  const { graph } = reader
  const seen = new Set([n, holder])
  let isKnown = true
  for (const at of seen) {
    if (at === holder) continue
    if (declares(graph, at, name)) return 'yes'
    const isScript = languageFamily(graph.fileOfNode(at).language) === 'script'
    // Whatever a class outside has; an interface has bodies in some languages.
    if (reader.unresolvedOf(at, at).some((one) => one.kind === 'extends' || (one.kind === 'implements' && !isScript)))
      isKnown = false
    for (const edge of reader.outgoing(at))
      if (edge.kind === 'extends' || edge.kind === 'implements') seen.add(edge.target)
  }
  return isKnown ? 'no' : 'perhaps'
}

function declares(graph: CodeGraph, n: number, name: string): boolean {
  return graph.childrenOf(n).some((one) => graph.nameOf(one) === name)
}

/** An abstract class leaves to those below it what it has not got. */
function isUnfinished(reader: GraphReader, n: number): boolean {
  const { graph } = reader
  return (
    graph.has(n, 'abstract') ||
    /\babstract\b/.test(reader.node(n).signature ?? '') ||
    graph.childrenOf(n).some((one) => graph.has(one, 'abstract'))
  )
}
