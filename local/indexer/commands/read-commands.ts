import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { readSource } from '../build/changes.ts'
import { checkedFiles } from '../core/compiler-check.ts'
import type { GraphReader } from '../core/graph-reader.ts'
import { impactOf } from '../core/impact.ts'
import type { EdgeRow, NodeRow } from '../core/rows.ts'
import { extractionVersion, type NodeKind, nodeKinds } from '../core/vocabulary.ts'
import { listFiles } from '../files/list-files.ts'
import { readProjectConfig } from '../files/project-config.ts'
import type { IndexPlace } from '../store/index-folder.ts'
import { readIndexState } from '../store/index-state.ts'
import { type OpenFailure, type OpenIndex, openIndex } from '../store/open-index.ts'
import { judgedTexts, readCheck } from '../store/proof-store.ts'
import { checkLines } from './check-lines.ts'
import { gapLines, gapsOfIndex, givenUpSentences } from './index-gaps.ts'
import { CommandRefusal, type Output, printJson } from './output.ts'

export interface ReadContext {
  readonly output: Output
  readonly place: IndexPlace
  readonly isJson: boolean
}

const remedies: Readonly<Record<OpenFailure, string>> = {
  absent: 'there is no index here; "indexer init" builds one',
  building: 'the index is being built; try again when it is done',
  older: 'the index was made by an older version; "indexer index" rebuilds it',
  newer: 'the index was made by a newer version; use that version, or "indexer index" to rebuild it with this one',
  damaged: 'the index file is damaged; "indexer index" rebuilds it',
}

const impactNodesMax = 5000
const lineShownMax = 160

export function withIndex<T>(place: IndexPlace, use: (open: OpenIndex) => T): T {
  const opened = openIndex(place)
  if (!opened.ok) throw new CommandRefusal(remedies[opened.failure])
  try {
    return use(opened.value)
  } finally {
    opened.value.close()
  }
}

interface Place {
  readonly id: string
  readonly kind: NodeKind
  readonly name: string
  readonly qualifiedName: string
  readonly file: string
  readonly line: number
  readonly endLine: number
}

function placeOf(reader: GraphReader, node: NodeRow): Place {
  return {
    id: node.id,
    kind: node.kind,
    name: node.name,
    qualifiedName: node.qualifiedName,
    file: reader.file(node.file).path,
    line: node.line,
    endLine: node.endLine,
  }
}

function placeText(place: Place): string {
  return `${place.kind.padEnd(10)} ${place.qualifiedName}  ${place.file}:${place.line}`
}

export function statusCommand(context: ReadContext): void {
  const { place, output } = context
  const state = readIndexState(place.database)
  const listing = listFiles(place.root, readProjectConfig(place.root).exclude)
  const listed = new Set(listing.files.map((one) => one.path))
  const records = state?.files ?? new Map()
  const opened = openIndex(place)
  // What was left out for what it holds stays left out until it is another file.
  const known = new Set(opened.ok ? opened.value.reader.leftOut().map((one) => one.path) : [])
  const pendingChanges = {
    added: listing.files.filter((one) => !records.has(one.path) && !known.has(one.path)).length,
    modified: listing.files.filter((one) => {
      const record = records.get(one.path)
      return record !== undefined && (record.size !== one.size || record.modifiedMs !== one.modifiedMs)
    }).length,
    removed: [...records.keys()].filter((one) => !listed.has(one)).length,
  }
  if (!opened.ok) {
    if (context.isJson)
      printJson(output, {
        initialized: opened.failure !== 'absent',
        projectPath: place.root,
        indexPath: place.folder,
        problem: opened.failure,
        remedy: remedies[opened.failure],
        pendingChanges,
      })
    else output.line(remedies[opened.failure])
    return
  }
  const { reader, sizeBytes, close } = opened.value
  const check = readCheck(place)
  const checked = checkedFiles(reader.graph, check, judgedTexts(place))
  const nodesByKind: Record<string, number> = {}
  for (const node of reader.allNodes()) nodesByKind[node.kind] = (nodesByKind[node.kind] ?? 0) + 1
  const answer = {
    initialized: true,
    version: reader.meta.get('indexed_with_version'),
    projectPath: place.root,
    indexPath: place.folder,
    lastIndexed: new Date(Number(reader.meta.get('indexed_ms'))).toISOString(),
    fileCount: reader.files().length,
    nodeCount: Object.values(nodesByKind).reduce((sum, one) => sum + one, 0),
    edgeCount: Number(reader.meta.get('edges')),
    dbSizeBytes: sizeBytes,
    nodesByKind,
    languages: [...new Set(reader.files().map((one) => one.language))].sort(),
    pendingChanges,
    gaps: gapsOfIndex(reader),
    check:
      check === undefined
        ? null
        : { tool: check.tool, begunMs: check.begunMs, endedMs: check.endedMs ?? null, ...checked },
    index: {
      builtWithExtractionVersion: extractionVersion,
      currentExtractionVersion: extractionVersion,
      state: 'complete',
      pendingRefs: reader.unresolvedCount(),
    },
  }
  close()
  if (context.isJson) printJson(output, answer)
  else {
    output.line(
      `${answer.fileCount} files, ${answer.nodeCount} symbols, ${answer.edgeCount} edges, indexed ${answer.lastIndexed}`,
    )
    const { added, modified, removed } = pendingChanges
    output.line(
      added + modified + removed === 0
        ? 'up to date'
        : `not yet indexed: ${added} added, ${modified} changed, ${removed} removed; "indexer sync" brings them in`,
    )
    for (const one of [...checkLines(check, checked), ...gapLines(answer.gaps)]) output.line(one)
  }
}

export function filesCommand(context: ReadContext): void {
  withIndex(context.place, ({ reader }) => {
    const files = reader.files().map((one) => ({
      path: one.path,
      language: one.language,
      lines: one.lines,
      symbols: one.nodeCount,
      errors: one.errors,
      ...(one.givenUp === undefined ? {} : { givenUp: one.givenUp }),
    }))
    if (context.isJson) printJson(context.output, files)
    else
      for (const one of files)
        context.output.line(
          `${one.path}  ${one.language}  ${one.lines} lines, ${one.symbols} symbols${one.givenUp === undefined ? '' : `  (${givenUpSentences[one.givenUp]})`}${one.errors.length === 0 ? '' : '  (syntax errors)'}`,
        )
  })
}

export function queryCommand(context: ReadContext, text: string, limit: number, kind: string | undefined): void {
  if (kind !== undefined && !nodeKinds.includes(kind as NodeKind))
    throw new CommandRefusal(`no kind "${kind}"; kinds are ${nodeKinds.join(', ')}`)
  withIndex(context.place, ({ reader }) => {
    const exact = reader.nodesNamed(text)
    const known = new Set(exact.map((one) => one.n))
    const found = [...exact, ...reader.nodesContaining(text, limit * 4).filter((one) => !known.has(one.n))]
      .filter((one) => (kind === undefined ? one.kind !== 'import' : one.kind === kind))
      .slice(0, limit)
      .map((one) => placeOf(reader, one))
    if (context.isJson) printJson(context.output, found)
    else if (found.length === 0) context.output.line(`nothing is named like "${text}"`)
    else for (const one of found) context.output.line(placeText(one))
  })
}

/** The symbol a name or an id means; several are an answer to choose from, not a guess. */
function findSymbol(reader: GraphReader, text: string): Result<NodeRow, readonly NodeRow[]> {
  const byId = reader.nodeById(text)
  if (byId !== undefined) return succeed(byId)
  const parts = text.split(/::|\.|#/)
  const last = parts.at(-1) ?? text
  const named = reader
    .nodesNamed(last)
    .filter((one) => one.kind !== 'import' && `::${one.qualifiedName}`.endsWith(`::${parts.join('::')}`))
  const [only] = named
  return only !== undefined && named.length === 1 ? succeed(only) : failWith(named)
}

function symbolOrRefusal(reader: GraphReader, text: string): NodeRow {
  const found = findSymbol(reader, text)
  if (found.ok) return found.value
  if (found.failure.length === 0) throw new CommandRefusal(`nothing is named "${text}"`)
  const choices = found.failure.map((one) => `  ${one.id}  ${placeText(placeOf(reader, one))}`).join('\n')
  throw new CommandRefusal(`"${text}" names ${found.failure.length} symbols; give one of these ids:\n${choices}`)
}

export function relationsCommand(context: ReadContext, text: string, side: 'callers' | 'callees'): void {
  withIndex(context.place, ({ reader }) => {
    const symbol = symbolOrRefusal(reader, text)
    const edges = (side === 'callers' ? reader.incoming(symbol.n) : reader.outgoing(symbol.n)).filter(
      (one) => one.kind === 'calls' || one.kind === 'instantiates',
    )
    const lineOf = indexedLines(context.place.root, reader)
    const found = edges.map((edge) => ({
      ...relationOf(reader, edge, side),
      verdict: edge.verdict ?? null,
      text: lineOf(edge),
    }))
    if (context.isJson) printJson(context.output, { symbol: placeOf(reader, symbol), [side]: found })
    else if (found.length === 0) context.output.line(`no ${side} in the index`)
    else
      for (const one of found)
        context.output.line(
          `${placeText(one)}  at line ${one.atLine}${one.isUncertain ? '  (uncertain)' : ''}${one.verdict === null ? '' : `  (${one.verdict})`}${one.text === null ? '' : `  | ${one.text}`}`,
        )
  })
}

/** The line of source that makes an edge; null where the file is not as it was indexed, and its lines mean nothing. */
function indexedLines(root: string, reader: GraphReader): (edge: EdgeRow) => string | null {
  const known = new Map<number, readonly string[]>()
  return (edge) => {
    const file = reader.file(reader.node(edge.source).file)
    let lines = known.get(file.n)
    if (lines === undefined) {
      const source = readSource(root, file.path)
      lines = typeof source === 'object' && source.hash === file.hash ? source.text.split('\n') : []
      known.set(file.n, lines)
    }
    return lines[edge.line - 1]?.trim().slice(0, lineShownMax) ?? null
  }
}

function relationOf(
  reader: GraphReader,
  edge: EdgeRow,
  side: 'callers' | 'callees',
): Place & { edge: string; atLine: number; resolvedBy: string; confidence: number; isUncertain: boolean } {
  return {
    ...placeOf(reader, reader.node(side === 'callers' ? edge.source : edge.target)),
    edge: edge.kind,
    atLine: edge.line,
    resolvedBy: edge.resolution,
    confidence: edge.confidence,
    isUncertain: !edge.isCertain,
  }
}

export function impactCommand(context: ReadContext, text: string, hops: number): void {
  withIndex(context.place, ({ reader }) => {
    const symbol = symbolOrRefusal(reader, text)
    const reached = impactOf(reader.graph, symbol.n, { hops, nodesMax: impactNodesMax })
    const found = reached.nodes.map((n) => ({ ...placeOf(reader, reader.node(n)), distance: reached.hops[n] ?? 0 }))
    found.sort(
      (left, right) => left.distance - right.distance || left.file.localeCompare(right.file) || left.line - right.line,
    )
    if (context.isJson)
      printJson(context.output, {
        symbol: placeOf(reader, symbol),
        hops,
        total: found.length,
        bounded: found.length >= impactNodesMax,
        symbols: found,
      })
    else {
      context.output.line(
        `${found.length} symbols in ${new Set(found.map((one) => one.file)).size} files reach it within ${hops} hops`,
      )
      for (const one of found) context.output.line(`${one.distance}  ${placeText(one)}`)
    }
  })
}
