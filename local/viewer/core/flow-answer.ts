import { succeed } from '#shared/kernel/result.ts'
import type { GraphReader } from '../../indexer/core/graph-reader.ts'
import type { NodeRow } from '../../indexer/core/rows.ts'
import type { FlowAnswer, NodeRef, OfIndex } from '../contract/wire.ts'
import {
  definitionsOf,
  longestChain,
  nameTokens,
  type PathStep,
  pathNodesMax,
  recordedPath,
  shortestPath,
} from './call-path.ts'
import { type DispatchSite, dispatchSites } from './dispatch-sites.ts'
import { type Answer, badRequest } from './failure.ts'
import { listOf, nodeRef, wireEdge } from './graph-shapes.ts'

const candidatesPerEnd = 12
const bodiesMax = 8
const bodyCharsMax = 200_000
const sitesMax = 3
const candidatesShown = 4
const furtherShown = 6
const windowLines = 3

export type FlowQuestion =
  | { readonly kind: 'directed'; readonly from: string; readonly to: string }
  | { readonly kind: 'symbols'; readonly text: string }
  | { readonly kind: 'trail'; readonly hops: readonly string[] }

export type FlowFromIndex = OfIndex<FlowAnswer>
export type Flow = FlowFromIndex['flows'][number]
type Boundary = NonNullable<Flow['boundary']>
/** Lines of a file around a call, or why they are left out. */
export type FlowSource = NonNullable<Flow['hops'][number]['source']>

export interface FlowPorts {
  readonly window: (node: NodeRow, from: number, to: number) => FlowSource
  /** The text of a symbol's body; undefined when its file has drifted. */
  readonly body: (node: NodeRow) => string | undefined
}

function parseHop(raw: string): { direction: 's' | 'd' | 'u'; id: string } | undefined {
  const direction = raw[0]
  if (direction !== 's' && direction !== 'd' && direction !== 'u') return undefined
  return raw.length > 1 ? { direction, id: raw.slice(1) } : undefined
}

export function flowAnswer(
  reader: GraphReader,
  question: FlowQuestion,
  limit: number,
  ports: FlowPorts,
): Answer<FlowFromIndex> {
  switch (question.kind) {
    case 'directed':
      return succeed(directed(reader, question.from, question.to, limit, ports))
    case 'symbols':
      return succeed(bySymbols(reader, question.text, ports))
    case 'trail':
      return trail(reader, question.hops, ports)
  }
}

function directed(reader: GraphReader, from: string, to: string, limit: number, ports: FlowPorts): FlowFromIndex {
  const starts = endsOf(reader, from)
  const ends = endsOf(reader, to)
  const query = { kind: 'directed', from, to, symbols: [] } as const
  const unresolved = [...(starts.length === 0 ? [from] : []), ...(ends.length === 0 ? [to] : [])]
  if (unresolved.length > 0)
    return {
      query,
      flows: [],
      ambiguous: [],
      unresolved,
      reason: `nothing in the index is named ${unresolved.join(' or ')}`,
    }
  const found: PathStep[][] = []
  for (const start of starts) {
    for (const end of ends) {
      if (start.n === end.n) continue
      const path = shortestPath(reader, start, end)
      if (path !== undefined) found.push(path)
    }
  }
  found.sort((left, right) => left.length - right.length)
  const flows = distinctPaths(found)
    .slice(0, limit)
    .map((path) => toFlow(reader, path, ports, null))
  const onPath = new Set(found[0]?.map((one) => one.node.n))
  const ambiguous = [...ambiguity(reader, from, starts, onPath), ...ambiguity(reader, to, ends, onPath)]
  if (flows.length > 0) return { query, flows, ambiguous, unresolved: [], reason: null }
  const [start] = starts
  const [end] = ends
  const boundary = start === undefined || end === undefined ? undefined : stopOf(reader, start, [end], ports)
  const partial =
    start === undefined || boundary === undefined
      ? []
      : [toFlow(reader, [{ node: start, edge: undefined, upward: false }], ports, boundary)]
  return {
    query,
    flows: partial.map((one) => ({ ...one, partial: true })),
    ambiguous,
    unresolved: [],
    reason: `no chain of calls within ${pathNodesMax} steps; the way may run through a call whose target is chosen at run time`,
  }
}

function endsOf(reader: GraphReader, text: string): NodeRow[] {
  const byId = reader.nodeById(text)
  if (byId !== undefined) return [byId]
  const [token = text] = nameTokens(text)
  return definitionsOf(reader, token).slice(0, candidatesPerEnd)
}

function ambiguity(
  reader: GraphReader,
  token: string,
  choices: readonly NodeRow[],
  onPath: ReadonlySet<number>,
): FlowAnswer['ambiguous'] {
  if (choices.length < 2) return []
  const chosen = choices.find((one) => onPath.has(one.n))
  return [
    {
      token,
      chosen: chosen === undefined ? null : nodeRef(reader, chosen),
      others: choices.filter((one) => one !== chosen).map((one) => nodeRef(reader, one)),
    },
  ]
}

function distinctPaths(paths: readonly PathStep[][]): PathStep[][] {
  const kept: PathStep[][] = []
  const keys: string[] = []
  for (const path of paths) {
    const key = `>${path.map((one) => one.node.id).join('>')}>`
    if (keys.some((one) => one.includes(key) || key.includes(one))) continue
    keys.push(key)
    kept.push(path)
  }
  return kept
}

function bySymbols(reader: GraphReader, text: string, ports: FlowPorts): FlowFromIndex {
  const tokens = nameTokens(text)
  const query = { kind: 'symbols', from: null, to: null, symbols: tokens } as const
  const choices = tokens.map((token) => ({ token, nodes: definitionsOf(reader, token) }))
  const unresolved = choices.filter((one) => one.nodes.length === 0).map((one) => one.token)
  const known = choices.filter((one) => one.nodes.length > 0)
  if (known.length === 0)
    return {
      query,
      flows: [],
      ambiguous: [],
      unresolved,
      reason: tokens.length === 0 ? 'name at least two symbols' : `nothing in the index is named ${tokens.join(', ')}`,
    }
  const path = longestChain(
    reader,
    known.flatMap((one) => one.nodes.slice(0, candidatesPerEnd)),
  )
  const onPath = new Set(path?.map((one) => one.node.n))
  const ambiguous = known.flatMap((one) => ambiguity(reader, one.token, one.nodes, onPath))
  if (known.length < 2)
    return { query, flows: [], ambiguous, unresolved, reason: 'name at least two symbols: a path has two ends' }
  if (path === undefined) {
    const [first] = known[0]?.nodes ?? []
    const rest = known.slice(1).flatMap((one) => one.nodes.slice(0, 1))
    const boundary = first === undefined ? undefined : stopOf(reader, first, rest, ports)
    const flows =
      first === undefined || boundary === undefined
        ? []
        : [{ ...toFlow(reader, [{ node: first, edge: undefined, upward: false }], ports, boundary), partial: true }]
    return {
      query,
      flows,
      ambiguous,
      unresolved,
      reason: 'those symbols do not call one another, directly or through one other',
    }
  }
  const missed = known
    .filter((one) => !one.nodes.some((node) => onPath.has(node.n)))
    .flatMap((one) => one.nodes.slice(0, 1))
  const last = path.at(-1)
  const boundary =
    missed.length === 0 || last === undefined ? undefined : stopOf(reader, last.node, missed, ports, true)
  return { query, flows: [toFlow(reader, path, ports, boundary ?? null)], ambiguous, unresolved, reason: null }
}

function trail(reader: GraphReader, raw: readonly string[], ports: FlowPorts): Answer<FlowFromIndex> {
  const hops: { node: NodeRow; direction: 's' | 'd' | 'u' }[] = []
  const unresolved: string[] = []
  for (const one of raw) {
    const hop = parseHop(one)
    if (hop === undefined) return badRequest(`hop must be s, d or u and an id, not "${one.slice(0, 80)}"`)
    const node = reader.nodeById(hop.id)
    if (node === undefined) unresolved.push(hop.id)
    else hops.push({ node, direction: hop.direction })
  }
  const query = { kind: 'trail', from: null, to: null, symbols: raw } as const
  if (hops.length === 0)
    return succeed({ query, flows: [], ambiguous: [], unresolved, reason: 'none of these symbols is in the index now' })
  return succeed({
    query,
    flows: [toFlow(reader, recordedPath(reader, hops), ports, null)],
    ambiguous: [],
    unresolved,
    reason: null,
  })
}

function toFlow(reader: GraphReader, path: readonly PathStep[], ports: FlowPorts, boundary: Boundary | null): Flow {
  const hops = path.map((step, index): Flow['hops'][number] => {
    const next = path[index + 1]
    const isBackwards = next?.upward === true
    const callLine =
      next?.edge !== undefined && !isBackwards
        ? next.edge.line
        : step.upward && step.edge !== undefined
          ? step.edge.line
          : stopLine(boundary, step.node)
    return {
      node: nodeRef(reader, step.node),
      edge:
        step.edge === undefined
          ? null
          : {
              ...wireEdge(step.edge),
              label: step.edge.kind,
              upward: step.upward,
              uncertain: !step.edge.isCertain,
              synthesized: false,
            },
      callRef:
        next?.edge === undefined
          ? null
          : {
              line: next.edge.line,
              col: next.edge.col,
              name: next.node.name,
              targetId: next.node.id,
              backwards: isBackwards,
            },
      source: ports.window(step.node, Math.max(1, callLine - windowLines), callLine + windowLines),
    }
  })
  return {
    id: path.map((one) => one.node.id).join('>'),
    label: path.map((one) => one.node.name).join(' → '),
    hops,
    boundary,
    partial: false,
  }
}

/** The dispatch, where it is in this symbol's own body; it may be in that of a symbol it calls. */
function stopLine(boundary: Boundary | null, node: NodeRow): number {
  const [site] = boundary?.node.id === node.id ? boundary.sites : []
  return site?.line ?? node.line
}

/** Where the static graph stops on the way from a symbol: a dispatch in its body or in what it calls. */
function stopOf(
  reader: GraphReader,
  start: NodeRow,
  missed: readonly NodeRow[],
  ports: FlowPorts,
  evenWithoutSite = false,
): Boundary | undefined {
  const calls = reader.outgoing(start.n).filter((one) => one.kind === 'calls')
  const bodies = [start, ...calls.filter((one) => one.isCertain).map((one) => reader.node(one.target))].slice(
    0,
    bodiesMax,
  )
  let chars = 0
  const sites: (DispatchSite & { owner: NodeRow })[] = []
  for (const node of bodies) {
    const text = ports.body(node)
    if (text === undefined || chars + text.length > bodyCharsMax) continue
    chars += text.length
    for (const site of dispatchSites(text, node.line, reader.file(node.file).language, sitesMax + 1))
      sites.push({ ...site, owner: node })
  }
  if (sites.length === 0 && !evenWithoutSite) return undefined
  const [firstSite] = sites
  const owner = firstSite?.owner ?? start
  const own = sites.filter((one) => one.owner === owner)
  const relation = (edge: (typeof calls)[number]): { node: NodeRef; line: number; confidence: number } => ({
    node: nodeRef(reader, reader.node(edge.target)),
    line: edge.line,
    confidence: edge.confidence,
  })
  const ownCalls = reader.outgoing(owner.n).filter((one) => one.kind === 'calls')
  return {
    node: nodeRef(reader, owner),
    sites: own.slice(0, sitesMax).map(({ owner: _owner, ...site }) => {
      const candidates = candidatesFor(reader, site.key, missed)
      return {
        ...site,
        keyIsType: false,
        moreSites: Math.max(0, own.length - sitesMax),
        candidates,
        candidateNote:
          site.key === null
            ? 'the target is named by a value that only exists at run time'
            : candidates.length === 0
              ? 'nothing in the index is named like the key'
              : null,
      }
    }),
    uncertain: listOf(ownCalls.filter((one) => !one.isCertain).map(relation), furtherShown),
    further: listOf(ownCalls.filter((one) => one.isCertain).map(relation), furtherShown),
    missed: missed.slice(0, candidatesShown).map((one) => nodeRef(reader, one)),
  }
}

/** Symbols a literal key may mean: the name itself and the usual spellings of a handler of it. */
function candidatesFor(
  reader: GraphReader,
  key: string | null,
  missed: readonly NodeRow[],
): Boundary['sites'][number]['candidates'] {
  if (key === null) return []
  const word = key.replace(/[^\p{L}\p{N}_$]+(.)/gu, (_whole, next: string) => next.toUpperCase())
  const capital = word.charAt(0).toUpperCase() + word.slice(1)
  const names = [word, `on${capital}`, `handle${capital}`, `${word}Handler`, `on_${word}`, `handle_${word}`]
  const found = names
    .flatMap((name) => reader.nodesNamed(name))
    .filter((one) => ['function', 'method', 'component', 'class'].includes(one.kind))
  return [...new Map(found.map((one) => [one.n, one])).values()].slice(0, candidatesShown).map((one) => ({
    node: nodeRef(reader, one),
    display: one.qualifiedName,
    named: missed.some((other) => other.n === one.n),
  }))
}
