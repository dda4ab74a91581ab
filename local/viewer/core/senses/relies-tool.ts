/** What relies on lines of a file: asked before they are changed, by whoever changes them. */
import { succeed } from '#shared/kernel/result.ts'
import { changedSymbols } from '../../../indexer/core/change-reach.ts'
import type { GraphReader } from '../../../indexer/core/graph-reader.ts'
import type { EdgeRow, FileRow } from '../../../indexer/core/rows.ts'
import { badRequest, notFound } from '../failure.ts'
import { Evidence, labelOf } from './evidence.ts'
import { testParts } from './reach-tools.ts'
import { usesOf, wholeKinds, withParts } from './relations.ts'
import type { IndexTool } from './tool.ts'

const pathCharsMax = 500
const linesCharsMax = 1_000
const symbolsMax = 20

export const reliesTool: IndexTool = {
  name: 'relies',
  description:
    'Before lines of a file are changed: who calls the symbols that they are lines of, certain callers and possible ones apart, and the tests that reach them.',
  parameters: {
    file: { kind: 'text', about: 'Path of the file from the root.', charsMax: pathCharsMax, isRequired: true },
    lines: {
      kind: 'text',
      about: 'Lines as they were indexed: "12", "3-7", "20+" for what is put in after line 20; several with commas.',
      charsMax: linesCharsMax,
      isRequired: true,
    },
  },
  ask(sensed, given) {
    const { reader } = sensed
    const path = String(given['file'])
    const file = reader.fileByPath(path)
    if (file === undefined) return notFound(`the index has no file "${path.slice(0, 200)}"`)
    if (sensed.read(file) === undefined) return notFound(`${path} is not as it was indexed, so its lines are others`)
    const places = placesIn(String(given['lines']), file.lines)
    if (places === undefined)
      return badRequest(`lines must be like "3-7, 12, 20+", within the ${file.lines} of the file`)
    const symbols = symbolsAt(reader, file, places)
    if (symbols.length === 0) return notFound('these lines are of no symbol')
    const nodes = symbols.slice(0, symbolsMax).map((n) => reader.node(n))
    const evidence = new Evidence(sensed)
    const uses = nodes.map((node) => ({
      of: nodes.length === 1 ? '' : `, of ${node.qualifiedName}`,
      ...usesOf(reader, node),
    }))
    const row = (edge: EdgeRow, of: string) => () => evidence.ofEdge(edge, edge.source, of)
    const tests = testParts(
      reader,
      symbols.flatMap((n) => withParts(reader, reader.node(n))),
      evidence,
    )
    const parts = [
      { title: 'Certain callers', rows: uses.flatMap(({ certain, of }) => certain.map((edge) => row(edge, of))) },
      {
        title: 'Possible callers',
        rows: uses.flatMap(({ possible, above, unknown, of }) => [
          ...[...possible, ...above].map((edge) => row(edge, of)),
          ...unknown.map((one) => () => evidence.ofUnknown(one)),
        ]),
      },
      { title: 'Tests that surely reach it', rows: tests.certain },
      { title: 'Tests that may reach it', rows: tests.possible },
    ]
    const rest = symbols.length - nodes.length
    return succeed({
      head: [
        `Relying on ${nodes.map(labelOf).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`,
        ...(parts.every(({ rows }) => rows.length === 0) ? ['Nothing in the index does.'] : []),
      ],
      parts,
      notes: () => evidence.notes(),
    })
  },
}

interface Places {
  readonly lines: readonly number[]
  /** Lines behind which something is put in. */
  readonly gaps: readonly number[]
}

function placesIn(text: string, linesMax: number): Places | undefined {
  const lines: number[] = []
  const gaps: number[] = []
  for (const part of text.split(',')) {
    const [, from, to, plus] = /^\s*(\d{1,7})(?:-(\d{1,7})|(\+))?\s*$/.exec(part) ?? []
    if (from === undefined) return undefined
    const first = Number(from)
    const last = to === undefined ? first : Number(to)
    if (last < first || last > linesMax || (first === 0 && plus === undefined)) return undefined
    if (plus !== undefined) gaps.push(first)
    else for (let line = first; line <= last; line += 1) lines.push(line)
  }
  return { lines, gaps }
}

/** Something new in a class, or between two functions, changes none of those that are there. */
function symbolsAt({ graph }: GraphReader, { path, firstNode }: FileRow, { lines, gaps }: Places): readonly number[] {
  const changed = changedSymbols(graph, [{ path, lines, gaps: [] }]).symbols
  const widened = changedSymbols(graph, [{ path, lines: [], gaps }]).symbols
  return [...new Set([...changed, ...widened.filter((n) => !wholeKinds.has(graph.kindOf(n)))])].filter(
    (n) => n !== firstNode,
  )
}
