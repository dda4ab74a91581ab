/** What nothing reaches, by each language's own rules of what is public, with every exclusion counted. */

import { succeed } from '#shared/kernel/result.ts'
import { DamagedIndexError, type FileRow, type GraphReader, type NodeRow } from '../../indexer/core/rows.ts'
import type { NodeKind } from '../../indexer/core/vocabulary.ts'
import { type Answer, badRequest } from './failure.ts'
import { type List, listOf, type NodeRef, nodeRef } from './graph-shapes.ts'
import { compareText } from './search.ts'
import { nodeAt, type WholeGraph } from './whole-graph.ts'

export const defaultKinds: readonly NodeKind[] = [
  'function',
  'method',
  'class',
  'component',
  'interface',
  'struct',
  'trait',
  'protocol',
  'enum',
  'union',
  'type_alias',
]
export const furtherKinds: readonly NodeKind[] = [
  'variable',
  'constant',
  'property',
  'field',
  'enum_member',
  'namespace',
  'module',
]
const candidatesMax = 20_000
const membersShown = 12
const ancestorLevelsMax = 8

const exclusionLabels = {
  tests: 'in tests and samples',
  generated: 'in generated files',
  exported: 'exported, so code outside may use them',
  declarations: 'declarations without a body of their own',
  implicit: 'called by the language itself',
  vendored: 'in code brought from elsewhere',
  testScope: 'inside a test scope',
  markup: 'in files whose markup may use them',
  unreachableFile: 'in files nothing else reaches',
  decorated: 'handed to a decorator',
  overriding: 'override or implement an inherited member',
  unresolvedName: 'their name is used where the target is not known',
  ambiguousName: 'another symbol of the same name is used',
  mentioned: 'mentioned in text that could be a use',
  unreadable: 'in files that could not be read',
  nested: 'inside something already listed',
} as const
type Reason = keyof typeof exclusionLabels

export interface DeadCodeOptions {
  readonly limit: number
  readonly kinds: readonly NodeKind[]
  readonly includeExported: boolean
  readonly includeTests: boolean
  readonly includeGenerated: boolean
}

type DeadRow = NodeRef & { readonly lines: number; readonly members: List<NodeRef> }

export interface DeadCodeAnswer {
  readonly rows: List<DeadRow>
  readonly groups: readonly {
    readonly file: string
    readonly generated: boolean
    readonly test: boolean
    readonly lines: number
    readonly rows: readonly DeadRow[]
  }[]
  readonly candidates: number
  readonly excluded: readonly { readonly reason: string; readonly count: number; readonly label: string }[]
  readonly excludedTotal: number
  readonly kinds: readonly string[]
  readonly includeExported: boolean
  readonly includeTests: boolean
  readonly includeGenerated: boolean
  readonly bounded: boolean
  readonly corroborated: boolean
}

export function parseKinds(raw: string | undefined): Answer<readonly NodeKind[]> {
  if (raw === undefined || raw.trim() === '') return succeed(defaultKinds)
  const allowed = [...defaultKinds, ...furtherKinds]
  const kinds: NodeKind[] = []
  for (const part of raw.split(',')) {
    const kind = allowed.find((one) => one === part.trim())
    if (kind === undefined) return badRequest(`kinds knows no "${part.slice(0, 80)}"; it takes ${allowed.join(', ')}`)
    if (!kinds.includes(kind)) kinds.push(kind)
  }
  return succeed(kinds)
}

/** Text of the files a name could be mentioned in; undefined for one that cannot be read now. */
export type ReadText = (file: FileRow) => string | undefined

export function deadCode(
  reader: GraphReader,
  graph: WholeGraph,
  options: DeadCodeOptions,
  readText: ReadText,
): DeadCodeAnswer {
  const kinds = new Set<string>(options.kinds)
  const reached = new Uint8Array(graph.nodes.length)
  const filesReached = new Set<number>()
  const reachedNames = new Set<string>()
  const dependents = new Map<number, Set<number>>()
  for (const edge of graph.edges) {
    if (edge.source === edge.target) continue
    const target = nodeAt(graph, edge.target)
    const sourceFile = nodeAt(graph, edge.source).file
    // Nothing inside a symbol keeps the symbol alive, and neither does a bare import of it.
    if (edge.kind !== 'imports' && !isInside(graph, edge.source, edge.target)) {
      reached[edge.target] = 1
      reachedNames.add(target.name)
    }
    if (sourceFile !== target.file) {
      filesReached.add(target.file)
      const list = dependents.get(target.file) ?? new Set()
      list.add(sourceFile)
      dependents.set(target.file, list)
    }
  }
  const unresolvedTails = new Set([...reader.unresolvedNames()].map((name) => name.split(/[.:]/).at(-1) ?? name))
  const candidates: NodeRow[] = []
  let isBounded = false
  for (const node of graph.nodes) {
    if (node === undefined || !kinds.has(node.kind) || reached[node.n] === 1) continue
    if (candidates.length >= candidatesMax) {
      isBounded = true
      break
    }
    candidates.push(node)
  }
  const counts = new Map<Reason, number>()
  const dead: NodeRow[] = []
  const mentions = new MentionCount(graph, dependents, readText)
  for (const node of candidates) {
    const file = fileOf(graph, node)
    const reason = exclusion(reader, graph, node, file, options, {
      filesReached,
      reachedNames,
      unresolvedTails,
      mentions,
    })
    if (reason === undefined) dead.push(node)
    else counts.set(reason, (counts.get(reason) ?? 0) + 1)
  }
  const deadNumbers = new Set(dead.map((one) => one.n))
  const nestedIn = new Map<number, NodeRow[]>()
  const outer = dead.filter((node) => {
    const holder = outermostDead(graph, node, deadNumbers)
    if (holder === undefined) return true
    counts.set('nested', (counts.get('nested') ?? 0) + 1)
    nestedIn.set(holder, [...(nestedIn.get(holder) ?? []), node])
    return false
  })
  const rows = outer
    .map(
      (node): DeadRow => ({
        ...nodeRef(reader, node),
        lines: node.endLine - node.line + 1,
        members: listOf(
          (nestedIn.get(node.n) ?? []).map((one) => nodeRef(reader, one)),
          membersShown,
        ),
      }),
    )
    .sort((left, right) => right.lines - left.lines || compareText(left.file, right.file) || left.line - right.line)
  const shown = listOf(rows, options.limit)
  const groups = new Map<string, DeadRow[]>()
  for (const row of shown.items) groups.set(row.file, [...(groups.get(row.file) ?? []), row])
  const excluded = (Object.keys(exclusionLabels) as Reason[]).flatMap((reason) => {
    const count = counts.get(reason) ?? 0
    return count === 0 ? [] : [{ reason, count, label: exclusionLabels[reason] }]
  })
  return {
    rows: shown,
    groups: [...groups].map(([file, list]) => ({
      file,
      generated: list[0]?.generated === true,
      test: list[0]?.test === true,
      lines: list.reduce((sum, one) => sum + one.lines, 0),
      rows: [...list].sort((left, right) => left.line - right.line),
    })),
    candidates: candidates.length,
    excluded,
    excludedTotal: excluded.reduce((sum, one) => sum + one.count, 0),
    kinds: options.kinds,
    includeExported: options.includeExported,
    includeTests: options.includeTests,
    includeGenerated: options.includeGenerated,
    bounded: isBounded || mentions.isBounded,
    corroborated: !mentions.isBounded,
  }
}

function fileOf(graph: WholeGraph, node: NodeRow): FileRow {
  const file = graph.files[node.file - 1]
  if (file === undefined) throw new DamagedIndexError('the index names a file that it does not hold')
  return file
}

function isInside(graph: WholeGraph, n: number, container: number): boolean {
  let at = nodeAt(graph, n).parent
  while (at !== 0) {
    if (at === container) return nodeAt(graph, container).kind !== 'file'
    at = nodeAt(graph, at).parent
  }
  return false
}

function outermostDead(graph: WholeGraph, node: NodeRow, dead: ReadonlySet<number>): number | undefined {
  let found: number | undefined
  let at = node.parent
  while (at !== 0) {
    if (dead.has(at)) found = at
    at = nodeAt(graph, at).parent
  }
  return found
}

const headers = /\.(h|hh|hpp|hxx|inc|pyi|pxd)$|\.d\.[mc]?ts$/
const implicitNames = new Set([
  'constructor',
  'main',
  'init',
  'deinit',
  'finalize',
  'destructor',
  'dispose',
  'drop',
  'default',
  'tostring',
  'equals',
  'gethashcode',
  'hashcode',
  '__construct',
  'initialize',
])
const vendoredFolder = /(^|\/)(third_party|third-party|vendor|vendored|external|deps)\//
const markupLanguages = new Set(['svelte', 'vue'])
const contractKinds = new Set(['interface', 'trait', 'protocol'])

interface Evidence {
  readonly filesReached: ReadonlySet<number>
  readonly reachedNames: ReadonlySet<string>
  readonly unresolvedTails: ReadonlySet<string>
  readonly mentions: MentionCount
}

/** The first reason, in a fixed order, for which a candidate may be alive after all. */
function exclusion(
  reader: GraphReader,
  graph: WholeGraph,
  node: NodeRow,
  file: FileRow,
  options: DeadCodeOptions,
  evidence: Evidence,
): Reason | undefined {
  if (!options.includeTests && file.isNonProduction) return 'tests'
  if (!options.includeGenerated && file.isGenerated) return 'generated'
  if (!options.includeExported && (isPublic(graph, node, file) || headers.test(file.path))) return 'exported'
  if (node.isAbstract) return 'declarations'
  const name = node.name.toLowerCase()
  if (implicitNames.has(name) || /^__.*__$/.test(node.name)) return 'implicit'
  if (vendoredFolder.test(file.path)) return 'vendored'
  if (/(^|::)(tests?|specs?)(::|$)/i.test(node.qualifiedName)) return 'testScope'
  if (markupLanguages.has(file.language)) return 'markup'
  if (
    !evidence.filesReached.has(file.n) &&
    !options.includeExported &&
    node.parent === file.firstNode &&
    isModuleLanguage(file)
  )
    return 'unreachableFile'
  if (node.decorators.length > 0) return 'decorated'
  const parent = nodeAt(graph, node.parent)
  if (contractKinds.has(parent.kind)) return 'declarations'
  if (node.kind === 'method' && overridesOrUnknown(reader, graph, parent, node.name)) return 'overriding'
  if (evidence.unresolvedTails.has(node.name)) return 'unresolvedName'
  if (evidence.reachedNames.has(node.name)) return 'ambiguousName'
  const mentions = evidence.mentions.of(node, file)
  if (mentions === 'unreadable') return 'unreadable'
  return mentions ? 'mentioned' : undefined
}

/** Languages in which a file that nothing imports is an entry, run by hand or by a tool. */
function isModuleLanguage(file: FileRow): boolean {
  return ['typescript', 'tsx', 'javascript', 'jsx', 'python', 'ruby', 'php'].includes(file.language)
}

/** What each language lets others see. */
function isPublic(graph: WholeGraph, node: NodeRow, file: FileRow): boolean {
  switch (file.language) {
    case 'python':
      if (node.parent === file.firstNode) return node.isExported
      return !node.name.startsWith('_') && !hasPrivateParent(graph, node)
    case 'go':
      return /^\p{Lu}/u.test(node.name)
    case 'ruby':
    case 'php':
      return node.visibility === undefined || node.visibility === 'public'
    default: {
      if (node.visibility === 'private' || node.name.startsWith('#')) return false
      let at: NodeRow = node
      for (;;) {
        if (at.isExported) return true
        if (at.parent === 0) return false
        const parent = nodeAt(graph, at.parent)
        // A function's insides are its own, however public the function is.
        if (parent.kind === 'function' || parent.kind === 'method' || parent.kind === 'component') return false
        at = parent
      }
    }
  }
}

function hasPrivateParent(graph: WholeGraph, node: NodeRow): boolean {
  let at = node.parent
  while (at !== 0) {
    const parent = nodeAt(graph, at)
    if (parent.kind === 'function' || parent.kind === 'method') return true
    if (parent.kind !== 'file' && !parent.isExported) return true
    at = parent.parent
  }
  return false
}

function overridesOrUnknown(reader: GraphReader, graph: WholeGraph, owner: NodeRow, name: string): boolean {
  const seen = new Set([owner.n])
  let level = [owner]
  for (let depth = 0; depth <= ancestorLevelsMax && level.length > 0; depth += 1) {
    const next: NodeRow[] = []
    for (const type of level) {
      // An ancestor outside the index may declare anything.
      if (reader.unresolvedOf(type.n, type.n).some((one) => one.kind === 'extends' || one.kind === 'implements'))
        return true
      for (const edge of reader.outgoing(type.n)) {
        if ((edge.kind !== 'extends' && edge.kind !== 'implements') || seen.has(edge.target)) continue
        seen.add(edge.target)
        const base = nodeAt(graph, edge.target)
        if (reader.nodesOf(fileOf(graph, base)).some((one) => one.parent === base.n && one.name === name)) return true
        next.push(base)
      }
    }
    level = next
  }
  return false
}

const mentionFilesMax = 600

/** Counts words in a symbol's own file and in the files that depend on it, each file read once. */
class MentionCount {
  isBounded = false
  readonly #words = new Map<number, Map<string, number> | undefined>()
  readonly #graph: WholeGraph
  readonly #dependents: ReadonlyMap<number, ReadonlySet<number>>
  readonly #readText: ReadText

  constructor(graph: WholeGraph, dependents: ReadonlyMap<number, ReadonlySet<number>>, readText: ReadText) {
    this.#graph = graph
    this.#dependents = dependents
    this.#readText = readText
  }

  of(node: NodeRow, file: FileRow): boolean | 'unreadable' {
    const own = this.#wordsOf(file)
    if (own === undefined) return 'unreadable'
    const name = node.name.replace(/^#/, '')
    let count = own.get(name) ?? 0
    if (count >= 2) return true
    for (const n of this.#dependents.get(file.n) ?? []) {
      const other = this.#graph.files[n - 1]
      count += (other === undefined ? undefined : this.#wordsOf(other))?.get(name) ?? 0
      if (count >= 2) return true
    }
    return false
  }

  #wordsOf(file: FileRow): ReadonlyMap<string, number> | undefined {
    if (this.#words.has(file.n)) return this.#words.get(file.n)
    if (this.#words.size >= mentionFilesMax) {
      this.isBounded = true
      return undefined
    }
    const text = this.#readText(file)
    let words: Map<string, number> | undefined
    if (text !== undefined) {
      words = new Map()
      for (const [word] of text.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) words.set(word, (words.get(word) ?? 0) + 1)
    }
    this.#words.set(file.n, words)
    return words
  }
}
