/** What nothing reaches, by each language's own rules of what is public, with every exclusion counted. */

import { succeed } from '#shared/kernel/result.ts'
import type { CodeGraph } from '../../indexer/core/code-graph.ts'
import type { GraphReader } from '../../indexer/core/graph-reader.ts'
import type { FileRow, NodeRow } from '../../indexer/core/rows.ts'
import type { NodeKind } from '../../indexer/core/vocabulary.ts'
import type { DeadCodeAnswer, OfIndex } from '../contract/wire.ts'
import { furtherKinds, usualKinds } from './dead-code-kinds.ts'
import { type Answer, badRequest } from './failure.ts'
import { FrameworkUse } from './framework-use.ts'
import { nodeRef, shownOf } from './graph-shapes.ts'
import { MentionCount, type ProjectTexts } from './mentions.ts'
import { isPublic, NameScopes } from './name-scope.ts'
import { compareText } from './search.ts'

const candidatesMax = 20_000
const membersShown = 12
const ancestorLevelsMax = 8

export const exclusionLabels = {
  tests: 'in tests and samples',
  generated: 'in generated files',
  exported: 'exported, so code outside may use them',
  declarations: 'declarations without a body of their own',
  implicit: 'called by the language itself',
  vendored: 'in code brought from elsewhere',
  testScope: 'inside a test scope',
  markup: 'in files whose markup may use them',
  unreachableFile: 'in files nothing else reaches',
  decorated: 'carries a decorator, an attribute or an annotation',
  framework: 'called by a framework, by name or place',
  overriding: 'override or implement an inherited member',
  unresolvedName: 'their name is used where the target is not known',
  ambiguousName: 'another symbol of the same name is used',
  mentioned: 'mentioned in text that could be a use',
  unreadable: 'in files that could not be read, or not as a whole',
  nested: 'inside something already listed',
} as const
export type SparedFor = keyof typeof exclusionLabels

export interface DeadCodeOptions {
  readonly limit: number
  readonly kinds: readonly NodeKind[]
  readonly includeExported: boolean
  readonly includeTests: boolean
  readonly includeGenerated: boolean
  /** Only what is in this file or below this folder; uses are looked for everywhere. */
  readonly within?: string | undefined
}

export type DeadCode = OfIndex<DeadCodeAnswer>
type DeadRow = DeadCode['groups'][number]['rows'][number]

export function parseKinds(raw: string | undefined): Answer<readonly NodeKind[]> {
  if (raw === undefined || raw.trim() === '') return succeed(usualKinds)
  const allowed = [...usualKinds, ...furtherKinds]
  const kinds: NodeKind[] = []
  for (const part of raw.split(',')) {
    const kind = allowed.find((one) => one === part.trim())
    if (kind === undefined) return badRequest(`kinds knows no "${part.slice(0, 80)}"; it takes ${allowed.join(', ')}`)
    if (!kinds.includes(kind)) kinds.push(kind)
  }
  return succeed(kinds)
}

/** What nothing uses, as far as the index can tell, and what is spared for a reason. */
interface FoundDead {
  /** The outermost of them, the largest first. */
  readonly outer: readonly NodeRow[]
  readonly nestedIn: ReadonlyMap<number, readonly NodeRow[]>
  readonly spared: ReadonlyMap<SparedFor, readonly NodeRow[]>
  readonly candidates: number
  readonly isBounded: boolean
  /** Whether every text was looked through for the names. */
  readonly isCorroborated: boolean
}

export function findDead(reader: GraphReader, options: Omit<DeadCodeOptions, 'limit'>, texts: ProjectTexts): FoundDead {
  const { graph } = reader
  const kinds = new Set<string>(options.kinds)
  const uses = usesIn(graph)
  const unresolvedTails = new Set([...reader.unresolvedNames()].map((name) => name.split(/[.:]/).at(-1) ?? name))
  const candidates: NodeRow[] = []
  let isBounded = false
  for (let n = 1; n < graph.size; n += 1) {
    if (uses.reached[n] === 1 || graph.fileOf[n] === 0 || !kinds.has(graph.kindOf(n))) continue
    if (options.within !== undefined && !isWithin(graph.fileOfNode(n).path, options.within)) continue
    if (candidates.length >= candidatesMax) {
      isBounded = true
      break
    }
    candidates.push(reader.node(n))
  }
  const spared = new Map<SparedFor, NodeRow[]>()
  const spare = (node: NodeRow, reason: SparedFor): void => {
    const others = spared.get(reason)
    if (others === undefined) spared.set(reason, [node])
    else others.push(node)
  }
  const dead: NodeRow[] = []
  const holders = new Map<number, SparedFor>()
  const mentions = new MentionCount(graph, texts)
  const ancestry = new Ancestry(reader)
  const frameworks = new FrameworkUse(graph)
  const scopes = new NameScopes(graph)
  for (const node of candidates) {
    const reason = exclusion(graph, node, graph.file(node.file), options, {
      ...uses,
      unresolvedTails,
      mentions,
      ancestry,
      frameworks,
      scopes,
    })
    if (reason === undefined) dead.push(node)
    else spare(node, reason)
    // What is called from outside keeps what holds it; a holder that is never made is used by its members alone.
    if (reason === 'decorated' || reason === 'framework' || (reason !== undefined && doubts.has(reason)))
      for (let at = graph.parentOf(node.n); at !== 0; at = graph.parentOf(at))
        if (!doubts.has(reason) || /\bstatic\b/.test(reader.node(at).signature ?? '')) holders.set(at, reason)
  }
  const isKept = (node: NodeRow): boolean => scopes.of(node, graph.file(node.file)) !== undefined
  const isWritten = mentions.everywhere(dead.filter((node) => !isKept(node)))
  const certain = dead.filter((node) => {
    const reason = holders.get(node.n) ?? (!isKept(node) && isWritten(node) ? 'mentioned' : undefined)
    if (reason !== undefined) spare(node, reason)
    return reason === undefined
  })
  const deadNumbers = new Set(certain.map((one) => one.n))
  const nestedIn = new Map<number, NodeRow[]>()
  const outer = certain.filter((node) => {
    const holder = outermostDead(graph, node.n, deadNumbers)
    if (holder === undefined) return true
    spare(node, 'nested')
    nestedIn.set(holder, [...(nestedIn.get(holder) ?? []), node])
    return false
  })
  outer.sort(
    (left, right) =>
      linesOf(right) - linesOf(left) ||
      compareText(graph.file(left.file).path, graph.file(right.file).path) ||
      left.line - right.line,
  )
  return {
    outer,
    nestedIn,
    spared,
    candidates: candidates.length,
    isBounded: isBounded || mentions.isBounded,
    isCorroborated: !mentions.isBounded,
  }
}

function linesOf(node: NodeRow): number {
  return node.endLine - node.line + 1
}

export function isWithin(path: string, within: string): boolean {
  return within === '' || path === within || path.startsWith(`${within}/`)
}

export function deadCode(reader: GraphReader, options: DeadCodeOptions, texts: ProjectTexts): DeadCode {
  const found = findDead(reader, options, texts)
  const { outer, nestedIn } = found
  const shown = shownOf(
    outer,
    options.limit,
    (node): DeadRow => ({
      ...nodeRef(reader, node),
      lines: linesOf(node),
      members: shownOf(nestedIn.get(node.n) ?? [], membersShown, (one) => nodeRef(reader, one)),
    }),
  )
  const groups = new Map<string, DeadRow[]>()
  for (const row of shown.items) groups.set(row.file, [...(groups.get(row.file) ?? []), row])
  const excluded = (Object.keys(exclusionLabels) as SparedFor[]).flatMap((reason) => {
    const count = found.spared.get(reason)?.length ?? 0
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
    candidates: found.candidates,
    excluded,
    excludedTotal: excluded.reduce((sum, one) => sum + one.count, 0),
    kinds: options.kinds,
    includeExported: options.includeExported,
    includeTests: options.includeTests,
    includeGenerated: options.includeGenerated,
    bounded: found.isBounded,
    corroborated: found.isCorroborated,
  }
}

interface Uses {
  /** 1 for what something outside it uses. */
  readonly reached: Uint8Array
  readonly reachedNames: ReadonlySet<string>
  /** 1 for files that another file uses. */
  readonly filesReached: Uint8Array
}

function usesIn(graph: CodeGraph): Uses {
  const reached = new Uint8Array(graph.size)
  const filesReached = new Uint8Array(graph.files.length + 1)
  const { source: sources, target: targets } = graph.edges
  for (let edge = 0; edge < sources.length; edge += 1) {
    const source = sources[edge] ?? 0
    const target = targets[edge] ?? 0
    if (source === target) continue
    // Nothing inside a symbol keeps the symbol alive, and neither does a bare import of it.
    if (graph.edgeKindOf(edge) !== 'imports' && !(graph.isInside(source, target) && graph.kindOf(target) !== 'file'))
      reach(graph, source, target, reached)
    const targetFile = graph.fileOf[target] ?? 0
    if (graph.fileOf[source] !== targetFile) filesReached[targetFile] = 1
  }
  const reachedNames = new Set<string>()
  reached.forEach((is, n) => {
    if (is === 1) reachedNames.add(graph.nameOf(n))
  })
  return { reached, reachedNames, filesReached }
}

/** Whoever uses a member uses what holds it, from outside of it. */
function reach(graph: CodeGraph, source: number, target: number, reached: Uint8Array): void {
  reached[target] = 1
  for (let at = graph.parentOf(target); at !== 0 && graph.kindOf(at) !== 'file'; at = graph.parentOf(at))
    if (at !== source && !graph.isInside(source, at)) reached[at] = 1
}

function outermostDead(graph: CodeGraph, n: number, dead: ReadonlySet<number>): number | undefined {
  let found: number | undefined
  for (let at = graph.parentOf(n); at !== 0; at = graph.parentOf(at)) if (dead.has(at)) found = at
  return found
}

const doubts: ReadonlySet<SparedFor> = new Set(['unresolvedName', 'ambiguousName', 'mentioned'])
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
  // What Java's serialization looks for.
  'readobject',
  'writeobject',
  'readobjectnodata',
  'readresolve',
  'writereplace',
])
/** Protocols of Python and PHP, destructors and operators, and what a template is for certain types. */
const implicitName = /^__.*__$|^__[a-z]+$|[<>]|^~|^operator\b|^[^\p{L}_$#@]+$/u
const vendoredFolder =
  /(^|\/)(third_party|third-party|vendor|vendored|external|deps)\/|(^|\/)public\/.*\.js$|\.min\.[cm]?js$/
const markupLanguages = new Set(['svelte', 'vue'])
const contractKinds = new Set(['interface', 'trait', 'protocol'])

interface Evidence extends Uses {
  readonly unresolvedTails: ReadonlySet<string>
  readonly mentions: MentionCount
  readonly ancestry: Ancestry
  readonly frameworks: FrameworkUse
  readonly scopes: NameScopes
}

/** The first reason, in a fixed order, for which a candidate may be alive after all. */
function exclusion(
  graph: CodeGraph,
  node: NodeRow,
  file: FileRow,
  options: Omit<DeadCodeOptions, 'limit'>,
  evidence: Evidence,
): SparedFor | undefined {
  if (!options.includeTests && file.isNonProduction) return 'tests'
  if (!options.includeGenerated && file.isGenerated) return 'generated'
  if (!options.includeExported && (isPublic(graph, node.n, file) || headers.test(file.path))) return 'exported'
  if (node.isAbstract || isAddedElsewhere(graph, node, file)) return 'declarations'
  const name = node.name.toLowerCase()
  if (implicitNames.has(name) || implicitName.test(node.name)) return 'implicit'
  // A constructor that nobody calls may be there so that nobody does.
  if (node.kind === 'method' && node.name === graph.nameOf(node.parent)) return 'implicit'
  if (vendoredFolder.test(file.path)) return 'vendored'
  if (/(^|::)(tests?|specs?)(::|$)/i.test(node.qualifiedName)) return 'testScope'
  if (markupLanguages.has(file.language)) return 'markup'
  if (
    evidence.filesReached[file.n] === 0 &&
    !options.includeExported &&
    node.parent === file.firstNode &&
    isModuleLanguage(file)
  )
    return 'unreachableFile'
  if (graph.has(node.n, 'decorated')) return 'decorated'
  if (evidence.frameworks.calls(node.n, file)) return 'framework'
  if (contractKinds.has(graph.kindOf(node.parent))) return 'declarations'
  if (node.kind === 'method' && evidence.ancestry.mayDeclare(node.parent, node.name)) return 'overriding'
  if (file.language === 'rust' && evidence.mentions.isOfTrait(node, file)) return 'overriding'
  const scope = evidence.scopes.of(node, file)
  if (scope === undefined) {
    if (evidence.unresolvedTails.has(node.name)) return 'unresolvedName'
    if (evidence.reachedNames.has(node.name)) return 'ambiguousName'
  }
  if (evidence.mentions.hasAttribute(node, file)) return 'decorated'
  if (file.errors.length > 0 || file.givenUp !== undefined) return 'unreadable'
  const mentions = scope === undefined ? evidence.mentions.of(node, file) : evidence.mentions.within(node, scope)
  if (mentions === 'unreadable') return 'unreadable'
  return mentions ? 'mentioned' : undefined
}

/** Types further in, around which there is no symbol, are told of what `declare module` or `declare global` names. */
function isAddedElsewhere(graph: CodeGraph, node: NodeRow, file: FileRow): boolean {
  return (
    (file.language === 'typescript' || file.language === 'tsx') &&
    (node.parent === file.firstNode || graph.nameOf(node.parent) === 'global') &&
    node.col > 0 &&
    ['interface', 'type_alias', 'class'].includes(node.kind)
  )
}

/** Languages in which a file that nothing imports is an entry, run by hand or by a tool. */
function isModuleLanguage(file: FileRow): boolean {
  return ['typescript', 'tsx', 'javascript', 'jsx', 'python', 'ruby', 'php'].includes(file.language)
}

/** What types inherit. Each type is looked at once, however many members ask. */
class Ancestry {
  readonly #reader: GraphReader
  readonly #isOpaque = new Map<number, boolean>()

  constructor(reader: GraphReader) {
    this.#reader = reader
  }

  /** Whether an ancestor declares a member of this name, or may. */
  mayDeclare(owner: number, name: string): boolean {
    const { graph } = this.#reader
    const seen = new Set([owner])
    let level = [owner]
    for (let depth = 0; depth <= ancestorLevelsMax && level.length > 0; depth += 1) {
      const next: number[] = []
      for (const type of level) {
        if (this.#hasUnknownBase(type)) return true
        for (const edge of this.#reader.outgoing(type)) {
          if ((edge.kind !== 'extends' && edge.kind !== 'implements') || seen.has(edge.target)) continue
          seen.add(edge.target)
          if (graph.childrenOf(edge.target).some((one) => graph.nameOf(one) === name)) return true
          next.push(edge.target)
        }
      }
      level = next
    }
    return false
  }

  /** An ancestor outside the index may declare anything. */
  #hasUnknownBase(type: number): boolean {
    let isOpaque = this.#isOpaque.get(type)
    if (isOpaque === undefined) {
      isOpaque = this.#reader
        .unresolvedOf(type, type)
        .some((one) => one.kind === 'extends' || one.kind === 'implements')
      this.#isOpaque.set(type, isOpaque)
    }
    return isOpaque
  }
}
