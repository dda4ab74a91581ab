import type { GraphReader } from '../../indexer/core/graph-reader.ts'
import type { NodeRow } from '../../indexer/core/rows.ts'
import { languages, type NodeKind, nodeKinds } from '../../indexer/core/vocabulary.ts'
import type { SearchAnswer } from '../contract/wire.ts'
import { nodeRef } from './graph-shapes.ts'

interface SearchQuery {
  readonly text: string
  readonly kinds: readonly string[]
  readonly languages: readonly string[]
  readonly paths: readonly string[]
  readonly names: readonly string[]
}

type SearchRow = SearchAnswer['results']['items'][number]
type MatchKind = SearchRow['matchKind']

/** The closest first. */
const matchRanks = { exact: 0, prefix: 1, substring: 2, qualified: 3, file: 4, related: 5 } satisfies Record<
  MatchKind,
  number
>

/** Splits filters from free text. What is not a filter we know stays text: nothing typed is thrown away. */
function parseSearch(query: string): SearchQuery {
  const found = { kinds: [] as string[], languages: [] as string[], paths: [] as string[], names: [] as string[] }
  const words: string[] = []
  for (const token of tokens(query)) {
    const colon = token.indexOf(':')
    const key = colon === -1 ? '' : token.slice(0, colon)
    const value = token.slice(colon + 1)
    if (value === '') words.push(token)
    else if (key === 'kind' && nodeKinds.includes(value as NodeKind)) found.kinds.push(value)
    else if ((key === 'lang' || key === 'language') && (languages as readonly string[]).includes(value.toLowerCase()))
      found.languages.push(value.toLowerCase())
    else if (key === 'path') found.paths.push(value)
    else if (key === 'name') found.names.push(value)
    else words.push(token)
  }
  return { text: words.join(' '), ...found }
}

function tokens(query: string): string[] {
  const found: string[] = []
  let token = ''
  let isQuoted = false
  for (const char of query) {
    if (char === '"') isQuoted = !isQuoted
    else if (!isQuoted && /\s/.test(char)) {
      if (token !== '') found.push(token)
      token = ''
    } else token += char
  }
  if (token !== '') found.push(token)
  return found
}

const lowTier = new Set<NodeKind>(['import', 'export', 'parameter'])
const containerTier = new Set<NodeKind>(['file', 'module', 'namespace'])
const valueTier = new Set<NodeKind>(['variable', 'constant', 'property', 'field', 'enum_member'])

function kindTier(kind: NodeKind): number {
  if (lowTier.has(kind)) return 3
  if (containerTier.has(kind)) return 2
  return valueTier.has(kind) ? 1 : 0
}

export function searchSymbols(reader: GraphReader, query: string, limit: number, poolMax: number): SearchAnswer {
  const parsed = parseSearch(query)
  const hasFilter = parsed.kinds.length + parsed.languages.length + parsed.paths.length + parsed.names.length > 0
  const found = new Map<number, { node: NodeRow; match: MatchKind }>()
  const add = (node: NodeRow, match: MatchKind): void => {
    if (!found.has(node.n) && passes(reader, node, parsed)) found.set(node.n, { node, match })
  }
  if (parsed.text !== '') {
    for (const node of reader.nodesNamed(parsed.text)) add(node, 'exact')
    const wanted = parsed.text.toLowerCase()
    for (const node of reader.nodesContaining(parsed.text, hasFilter ? 100_000 : poolMax))
      add(node, matchOf(node, wanted))
    const words = parsed.text.split(/[^\p{L}\p{N}_]+/u).filter((one) => one !== '')
    for (const node of reader.nodesAbout(words, hasFilter ? 100_000 : poolMax)) add(node, 'related')
    if (found.size === 0) for (const node of nearNames(reader, wanted, poolMax)) add(node, 'related')
  } else if (hasFilter) {
    for (const node of reader.allNodes()) add(node, 'related')
  }
  const ranked = [...found.values()].sort((left, right) => compare(reader, left, right))
  const items = ranked.slice(0, limit).map(({ node, match }) => ({ ...nodeRef(reader, node), matchKind: match }))
  const results = { total: ranked.length, shown: items.length, truncated: items.length < ranked.length, items }
  const groups = new Map<string, SearchRow[]>()
  for (const row of results.items) groups.set(row.kind, [...(groups.get(row.kind) ?? []), row])
  return {
    query,
    text: parsed.text,
    filters: { kinds: parsed.kinds, languages: parsed.languages, paths: parsed.paths, names: parsed.names },
    results,
    groups: [...groups].map(([kind, items]) => ({ kind, count: items.length, items })),
  }
}

function matchOf(node: NodeRow, wanted: string): MatchKind {
  const name = node.name.toLowerCase()
  // The same letters in another case come right after the name itself.
  if (name === wanted) return 'prefix'
  if (node.kind === 'file' && !name.startsWith(wanted)) return 'file'
  if (name.startsWith(wanted)) return 'prefix'
  return name.includes(wanted) ? 'substring' : 'qualified'
}

function passes(reader: GraphReader, node: NodeRow, query: SearchQuery): boolean {
  if (query.kinds.length > 0 && !query.kinds.includes(node.kind)) return false
  const file = reader.file(node.file)
  if (query.languages.length > 0 && !query.languages.includes(file.language)) return false
  const path = file.path.toLowerCase()
  if (query.paths.length > 0 && !query.paths.some((one) => path.includes(one.toLowerCase()))) return false
  const name = node.name.toLowerCase()
  return query.names.length === 0 || query.names.some((one) => name.includes(one.toLowerCase()))
}

function compare(
  reader: GraphReader,
  left: { node: NodeRow; match: MatchKind },
  right: { node: NodeRow; match: MatchKind },
): number {
  const leftFile = reader.file(left.node.file)
  const rightFile = reader.file(right.node.file)
  return (
    matchRanks[left.match] - matchRanks[right.match] ||
    kindTier(left.node.kind) - kindTier(right.node.kind) ||
    Number(leftFile.isNonProduction) - Number(rightFile.isNonProduction) ||
    left.node.name.length - right.node.name.length ||
    compareText(leftFile.path, rightFile.path) ||
    left.node.line - right.node.line ||
    left.node.n - right.node.n
  )
}

export function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}

/** Names a slip or two away, for a query that nothing matches. */
function nearNames(reader: GraphReader, wanted: string, poolMax: number): NodeRow[] {
  if (wanted.length < 3 || wanted.length > 64) return []
  const allowed = wanted.length < 6 ? 1 : 2
  const found: NodeRow[] = []
  for (const node of reader.allNodes()) {
    if (node.kind === 'import' || Math.abs(node.name.length - wanted.length) > allowed) continue
    if (isWithin(node.name.toLowerCase(), wanted, allowed)) found.push(node)
    if (found.length >= poolMax) break
  }
  return found
}

function isWithin(left: string, right: string, allowed: number): boolean {
  let before = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row]
    let best = row
    for (let column = 1; column <= right.length; column += 1) {
      const cost = left[row - 1] === right[column - 1] ? 0 : 1
      const value = Math.min(
        (before[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (before[column - 1] ?? 0) + cost,
      )
      current.push(value)
      best = Math.min(best, value)
    }
    if (best > allowed) return false
    before = current
  }
  return (before[right.length] ?? allowed + 1) <= allowed
}
