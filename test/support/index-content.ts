import type { GraphReader } from '../../local/indexer/core/graph-reader.ts'
import type { EdgeRow, NodeRow } from '../../local/indexer/core/rows.ts'
import type { IndexPlace } from '../../local/indexer/store/index-folder.ts'
import { openIndex } from '../../local/indexer/store/open-index.ts'
import { unwrap } from './unwrap.ts'

const searched = ['parse', 'error', 'schema', 'a', 'get']

export function edgesOf({ graph }: GraphReader): EdgeRow[] {
  return Array.from(graph.edges.source, (_, at) => graph.edge(at))
}

/** Everything an index says, line by line, in an order that does not depend on how it was built. */
export function contentOf(place: IndexPlace): string {
  const opened = unwrap(openIndex(place))
  const { reader, close } = opened
  const name = (n: number): string => {
    const node = reader.node(n)
    return `${node.id} ${reader.file(node.file).path}#${node.qualifiedName}`
  }
  const files = reader.files()
  const nodes = files.flatMap((file) =>
    reader
      .nodesOf(file)
      .map((node) =>
        JSON.stringify([file.path, file.hash, file.size, wholeNode(node, node.parent === 0 ? '' : name(node.parent))]),
      ),
  )
  const edges = edgesOf(reader).map(
    (edge) =>
      `${name(edge.source)} ${edge.kind} ${name(edge.target)} ${edge.line}:${edge.col} ${edge.resolution} ${edge.confidence}`,
  )
  const unresolved = files.flatMap((file) =>
    reader
      .unresolvedOf(file.firstNode, file.firstNode + file.nodeCount - 1)
      .map((one) => `${name(one.source)} ${one.name} ${one.kind} ${one.line}:${one.col}`),
  )
  const words = searched.map(
    (word) =>
      `${word}: ${reader
        .nodesAbout([word], 1e6)
        .map((node) => node.id)
        .sort()}`,
  )
  const meta = [...reader.meta]
    .filter(([key]) => key !== 'indexed_ms' && key !== 'figures')
    .map(([key, value]) => `${key}=${value}`)
  meta.push(JSON.stringify({ ...reader.figures, lastIndexedAt: 0 }))
  const names = [...reader.unresolvedNames()].sort()
  close()
  return [...nodes, ...edges.sort(), ...unresolved.sort(), ...words, ...meta.sort(), ...names].join('\n')
}

/** A symbol with every text of it; its number is a name within one index only. */
function wholeNode(node: NodeRow, parent: string): Omit<NodeRow, 'n' | 'parent' | 'file'> & { parent: string } {
  const { id, kind, name, qualifiedName, line, endLine, col, endCol } = node
  const { isExported, isAsync, isStatic, isAbstract } = node
  const { signature, doc, visibility, decorators, typeParameters, returnType } = node
  return {
    ...{ parent, id, kind, name, qualifiedName, line, endLine, col, endCol },
    ...{ isExported, isAsync, isStatic, isAbstract },
    ...{ signature, doc, visibility, decorators, typeParameters, returnType },
  }
}
