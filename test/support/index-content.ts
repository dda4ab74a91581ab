import type { IndexPlace } from '../../local/indexer/store/index-folder.ts'
import { openIndex } from '../../local/indexer/store/open-index.ts'

const searched = ['parse', 'error', 'schema', 'a', 'get']

/** Everything an index says, line by line, in an order that does not depend on how it was built. */
export function contentOf(place: IndexPlace): string {
  const opened = openIndex(place, new Set())
  if (!opened.ok) throw new Error(opened.failure)
  const { reader, close } = opened.value
  const name = (n: number): string => {
    const node = reader.node(n)
    return `${node.id} ${reader.file(node.file).path}#${node.qualifiedName}`
  }
  const files = reader.files()
  const nodes = files.flatMap((file) =>
    reader
      .nodesOf(file)
      .map((node) =>
        JSON.stringify([file.path, file.hash, file.size, { ...node, n: 0, parent: node.parent && name(node.parent) }]),
      ),
  )
  const edges = reader
    .allEdges()
    .map(
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
  const meta = [...reader.meta].filter(([key]) => key !== 'indexed_ms').map(([key, value]) => `${key}=${value}`)
  const names = [...reader.unresolvedNames()].sort()
  close()
  return [...nodes, ...edges.sort(), ...unresolved.sort(), ...words, ...meta.sort(), ...names].join('\n')
}
