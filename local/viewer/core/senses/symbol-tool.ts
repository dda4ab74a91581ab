import { succeed } from '#shared/kernel/result.ts'
import type { GraphReader } from '../../../indexer/core/graph-reader.ts'
import type { EdgeRow, NodeRow } from '../../../indexer/core/rows.ts'
import { searchSymbols } from '../search.ts'
import { aboutSymbol } from './about-symbol.ts'
import { Evidence, labelOf } from './evidence.ts'
import { usesOf } from './relations.ts'
import type { Part } from './report.ts'
import type { IndexTool } from './tool.ts'

const searchShown = 200
const searchPool = 400
const queryCharsMax = 500
const docLinesShown = 6

export const searchTool: IndexTool = {
  name: 'search',
  description:
    'Symbols by name, the closest first. Filters in the text: kind:function, lang:go, path:src/app, name:user. Finds declarations, not text.',
  parameters: {
    query: { kind: 'text', about: 'A name or a part of one, and filters.', charsMax: queryCharsMax, isRequired: true },
  },
  ask(sensed, given) {
    const { reader } = sensed
    const query = String(given['query'])
    const evidence = new Evidence(sensed)
    const { results } = searchSymbols(reader, query, searchShown, searchPool)
    const row = (one: (typeof results.items)[number]) => () => {
      const file = reader.fileByPath(one.file)
      return file === undefined ? one.qualifiedName : evidence.at(file.n, one.line, `${one.kind} ${one.qualifiedName}`)
    }
    const of = (isNear: boolean): Part['rows'] =>
      results.items.filter((one) => (one.matchKind === 'related') === isNear).map(row)
    return succeed({
      head:
        results.total === 0
          ? [`Nothing is named like "${query}".`]
          : [
              `${results.total} symbols match "${query}"${results.truncated ? `, of which the first ${results.shown} are looked at` : ''}.`,
            ],
      parts: [
        { title: 'By name', rows: of(false) },
        { title: 'Close, or about it', rows: of(true) },
      ],
      notes: () => evidence.notes(),
    })
  },
}

export const symbolTool = aboutSymbol({
  name: 'symbol',
  description:
    'One symbol: where it is, its signature, documentation, types above and below, members, how many callers it has, and its source. For a file: its outline.',
  report({ reader }, node, evidence) {
    const uses = usesOf(reader, node)
    const file = reader.file(node.file)
    return {
      head: [
        `${labelOf(node)}  ${file.path}:${node.line}-${node.endLine}`,
        ...(node.signature === undefined || !evidence.mayShow(node.file) ? [] : [`signature: ${node.signature}`]),
        `${file.language}${node.isExported ? ', exported' : ''}${node.visibility === undefined ? '' : `, ${node.visibility}`}${file.isTest ? ', in tests' : ''}`,
        `used: ${uses.certain.length} certain calls, ${uses.possible.length + uses.above.length + uses.unknown.length} possible ones, ${uses.others.length} other uses`,
        ...((evidence.mayShow(node.file) ? node.doc : undefined) ?? '')
          .split('\n')
          .filter((one) => one.trim() !== '')
          .slice(0, docLinesShown),
      ],
      parts: [
        ...heritage(reader, node, evidence),
        { title: 'Members', rows: members(reader, node, evidence) },
        ...(node.kind === 'file' ? [] : [{ title: 'Source', rows: sourceRows(node, evidence) }]),
      ],
    }
  },
})

/** One step up and down; a guessed one says so in its row. */
function heritage(reader: GraphReader, node: NodeRow, evidence: Evidence): Part[] {
  const isHeritage = (one: EdgeRow): boolean => one.kind === 'extends' || one.kind === 'implements'
  const up = reader.outgoing(node.n).filter(isHeritage)
  const down = reader.incoming(node.n).filter(isHeritage)
  return [
    { title: 'Extends or implements', rows: up.map((one) => () => evidence.ofEdge(one, one.target)) },
    { title: 'Extended or implemented by', rows: down.map((one) => () => evidence.ofEdge(one, one.source)) },
  ]
}

function members(reader: GraphReader, node: NodeRow, evidence: Evidence): Part['rows'] {
  const inside = Array.from(reader.graph.childrenOf(node.n)).filter(
    (n) => !['import', 'export', 'parameter'].includes(reader.graph.kindOf(n)),
  )
  // The variables of a function are in its source, which is shown.
  if (node.kind === 'function' || node.kind === 'method') return []
  return inside.map((n) => () => evidence.ofNode(reader.node(n)))
}

function sourceRows(node: NodeRow, evidence: Evidence): Part['rows'] {
  const lines = evidence.linesOf(node.file)
  return (lines ?? []).slice(node.line - 1, node.endLine).map((text, at) => () => `${node.line + at}  ${text}`)
}
