/**
 * What others rely on and a change took from them: public signatures that are not what they were, names that are gone, and
 * members that an interface asks for now and those who implement it have not got.
 */
import type { GraphReader } from '../../indexer/core/graph-reader.ts'
import { languageFamily, languageOf } from '../../indexer/core/language-of.ts'
import type { FileRow } from '../../indexer/core/rows.ts'
import type { EdgeKind, NodeKind, Verdict } from '../../indexer/core/vocabulary.ts'
import type { Change, ReviewedSymbol } from './reviewed-change.ts'
import { compareText } from './search.ts'
import { isRequired, whoLacks } from './unmet-contracts.ts'

export interface ContractCaller extends ReviewedSymbol {
  /** The line by which it relies on the contract. */
  readonly atLine: number
  /** Of the edge by which it does; null where no compiler said anything about it. */
  readonly verdict: Verdict | null
}

export interface BrokenContract {
  readonly name: string
  /** Null for what is gone. */
  readonly kind: NodeKind | null
  readonly file: string
  readonly line: number
  readonly how: 'changed' | 'gone' | 'unmet'
  readonly before: string | null
  readonly now: string | null
  /** Who certainly relies on it, in other files; of what is unmet, who certainly lacks it. */
  readonly callers: readonly ContractCaller[]
  /** How many more perhaps do. */
  readonly possible: number
}

/** Broken contracts that are told, who relies on one of them, and names of one file that are looked for because they are gone. */
export const contractsMax = 200
export const contractCallersMax = 100
export const goneNamesMax = 500
const contractKinds = new Set<NodeKind>(['function', 'method', 'component', 'class', 'interface', 'struct', 'trait'])
const memberKinds = new Set<NodeKind>(['method'])
const relyingKinds = new Set<EdgeKind>(['calls', 'instantiates', 'extends', 'implements', 'overrides'])
const lineShownMax = 200

export function brokenContracts(
  reader: GraphReader,
  change: Change,
  symbols: readonly number[],
  textOf: (file: FileRow) => string | undefined,
): BrokenContract[] {
  const older = new Map<string, string | undefined>()
  const olderOf = (path: string): string | undefined => {
    if (!older.has(path)) older.set(path, change.older(path))
    return older.get(path)
  }
  const changed = symbols.flatMap((n) => {
    const isAsked = isAskedNow(reader, change, n, olderOf, textOf)
    return (isAsked ? unmetContract(reader, n) : changedContract(reader, change, n, olderOf)) ?? []
  })
  return [...changed, ...goneNames(reader, change, textOf)]
    .sort(
      (left, right) =>
        right.callers.length - left.callers.length || compareText(left.file, right.file) || left.line - right.line,
    )
    .slice(0, contractsMax)
}

function changedContract(
  reader: GraphReader,
  { removed }: Change,
  n: number,
  olderOf: (path: string) => string | undefined,
): BrokenContract | undefined {
  const { graph } = reader
  const file = graph.fileOfNode(n)
  if (file.isNonProduction || !contractKinds.has(graph.kindOf(n)) || !isPublic(reader, n)) return undefined
  const { signature, name, qualifiedName, kind, line } = reader.node(n)
  const older = signature === undefined ? undefined : olderOf(file.path)
  // What the older text does not name is new, and nobody relied on it.
  if (signature === undefined || older === undefined || !wordsOf(older).has(name)) return undefined
  if (folded(older).includes(folded(signature.replace(openings, '').replace(/…$/, '')))) return undefined
  const callers: ContractCaller[] = []
  let possible = 0
  for (const place of graph.incomingPlaces(n)) {
    const edge = graph.edge(place)
    if (!relyingKinds.has(edge.kind) || edge.verdict === 'refuted' || graph.fileOf[edge.source] === file.n) continue
    if (!graph.isCertain(place)) possible += 1
    else if (callers.length < contractCallersMax) callers.push(callerAt(reader, edge.source, edge.line, edge.verdict))
  }
  const before = removed.get(file.path)?.find((one) => wordsOf(one).has(name))
  return {
    ...{ name: qualifiedName, kind, file: file.path, line, how: 'changed', callers, possible },
    before: before === undefined ? null : shown(before),
    now: shown(signature),
  }
}

/** A member that came with the change into a type that was there, and that each type below must have. */
function isAskedNow(
  reader: GraphReader,
  { files, removed }: Change,
  n: number,
  olderOf: (path: string) => string | undefined,
  textOf: (file: FileRow) => string | undefined,
): boolean {
  const { graph } = reader
  const file = graph.fileOfNode(n)
  const name = graph.nameOf(n)
  const lines = files.find((one) => one.path === file.path)?.lines
  const isAdded = lines === 'all' || lines?.includes(graph.nodes.line[n] ?? 0) === true
  if (file.isNonProduction || !isAdded || removed.get(file.path)?.some((one) => wordsOf(one).has(name))) return false
  const older = olderOf(file.path)
  if (older === undefined || !wordsOf(older).has(graph.nameOf(graph.parentOf(n)))) return false
  const text = textOf(file)
  return text !== undefined && isRequired(reader, n, file, text)
}

function unmetContract(reader: GraphReader, n: number): BrokenContract | undefined {
  const { lacking, possible } = whoLacks(reader, n)
  if (lacking.length + possible === 0) return undefined
  const { signature, name, qualifiedName, kind, line } = reader.node(n)
  return {
    ...{ name: qualifiedName, kind, file: reader.graph.fileOfNode(n).path, line, how: 'unmet', possible },
    callers: lacking.slice(0, contractCallersMax).map((one) => callerAt(reader, one.n, one.line)),
    ...{ before: null, now: shown(signature ?? name) },
  }
}

/** Exported, or open to others in what is. */
function isPublic(reader: GraphReader, n: number): boolean {
  const { graph } = reader
  if (!memberKinds.has(graph.kindOf(n))) return graph.has(n, 'exported')
  const holder = graph.parentOf(n)
  return !graph.has(n, 'notPublic') && (graph.has(n, 'exported') || graph.has(holder, 'exported'))
}

/** Names that a file had and has no more, and that others still bring in from it. */
function goneNames(
  reader: GraphReader,
  { removed }: Change,
  textOf: (file: FileRow) => string | undefined,
): BrokenContract[] {
  const found: BrokenContract[] = []
  for (const [path, lines] of removed) {
    const language = languageOf(path)
    if (language === undefined || !/^(script|python)$/.test(languageFamily(language))) continue
    const file = reader.fileByPath(path)
    const now = file === undefined ? '' : textOf(file)
    if (now === undefined) continue
    const left = wordsOf(now)
    const gone = [...wordsOf(lines.join('\n'))].filter((one) => !left.has(one)).slice(0, goneNamesMax)
    for (const name of gone) {
      const callers: ContractCaller[] = []
      for (const { source, name: written, line } of reader.unresolvedNamed(name, contractCallersMax)) {
        const user = reader.graph.fileOfNode(source)
        if (written === name && user.path !== path && bringsIn(reader, user, path, name, textOf(user)))
          callers.push(callerAt(reader, source, line))
      }
      if (callers.length === 0) continue
      const before = lines.find((one) => wordsOf(one).has(name)) ?? ''
      found.push({
        ...{ name, kind: null, file: path, line: 1, how: 'gone', callers, possible: 0 },
        ...{ before: shown(before), now: null },
      })
    }
  }
  return found
}

/** Whether an import of one file takes this name out of the other. */
function bringsIn(reader: GraphReader, user: FileRow, path: string, name: string, text: string | undefined): boolean {
  const lines = text?.split('\n')
  return reader
    .nodesOf(user)
    .some(
      (one) =>
        one.kind === 'import' &&
        isOf(one.name, user.path, path) &&
        wordsOf(lines?.slice(one.line - 1, one.endLine).join('\n') ?? '').has(name),
    )
}

/** Whether a specifier names a file, as far as its own text tells: a path, or the modules of Python. */
function isOf(specifier: string, from: string, path: string): boolean {
  const plain = path.replace(/(?:\/(?:index|__init__))?\.\w+$/, '')
  const [, dots = '', modules = ''] = /^(\.*)([\w.]*)$/.exec(specifier) ?? []
  if (/\.pyi?$/.test(path)) {
    const inner = modules.split('.').join('/')
    if (dots === '') return inner !== '' && (plain === inner || plain.endsWith(`/${inner}`))
    const above = from.split('/').slice(0, -dots.length)
    return [...above, ...(inner === '' ? [] : [inner])].join('/') === plain
  }
  if (!specifier.startsWith('.')) return false
  const at = from.split('/').slice(0, -1)
  for (const part of specifier.split('/')) {
    if (part === '..') at.pop()
    else if (part !== '.') at.push(part)
  }
  const named = at.join('/')
  return named === path || named === plain || named.replace(/\.\w+$/, '') === plain
}

function callerAt({ graph }: GraphReader, n: number, atLine: number, verdict?: Verdict): ContractCaller {
  return {
    name: graph.qualifiedNameOf(n),
    kind: graph.kindOf(n),
    file: graph.fileOfNode(n).path,
    line: graph.nodes.line[n] ?? 1,
    atLine,
    verdict: verdict ?? null,
  }
}

/** What may stand before a declaration and asks nothing of who calls it. */
const openings = /^(?:(?:export|default|declare|public|open|final|override)\s+)+/

/** The same for texts that differ in spaces, lines and the comma behind the last part. */
function folded(text: string): string {
  return text.replace(/\s+/g, '').replace(/,([)\]}>])/g, '$1')
}

function wordsOf(text: string): Set<string> {
  return new Set(text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [])
}

function shown(line: string): string {
  return line.trim().slice(0, lineShownMax)
}
