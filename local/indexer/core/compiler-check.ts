/** How far the compiler that comes along has judged an index, what it could not, and what a change makes doubtful again. */
import type { CodeGraph } from './code-graph.ts'

/** Why the compiler says nothing about a file. */
export const notJudgedReasons = [
  /** It took more time of a processor than one file may. */
  'too_slow',
  'too_much_memory',
  /** The compiler itself broke at it. */
  'compiler_failed',
] as const
export type NotJudgedReason = (typeof notJudgedReasons)[number]

export interface NotJudged {
  readonly path: string
  readonly reason: NotJudgedReason
}

export interface CompilerCheck {
  readonly tool: string
  readonly begunMs: number
  /** Undefined: it is under way, or was ended from outside. */
  readonly endedMs: number | undefined
  readonly notJudged: readonly NotJudged[]
}

export interface CheckedFiles {
  /** Files that the compiler reads. */
  readonly files: number
  readonly judged: number
  readonly notJudged: readonly NotJudged[]
}

/** Whether the compiler reads a file of this name. */
export function isForCompiler(path: string): boolean {
  return /\.[cm]?[jt]sx?$/i.test(path)
}

/** `judged`: the text that something was said about, by path. */
export function checkedFiles(
  graph: CodeGraph,
  check: CompilerCheck | undefined,
  judged: ReadonlyMap<string, string>,
): CheckedFiles {
  const files = graph.files.filter((file) => isForCompiler(file.path))
  const isJudged = new Set(files.filter((file) => judged.get(file.path) === file.hash).map((file) => file.path))
  return {
    files: files.length,
    judged: isJudged.size,
    notJudged: (check?.notJudged ?? []).filter(
      ({ path }) => !isJudged.has(path) && graph.fileByPath(path) !== undefined,
    ),
  }
}

/**
 * Files about which what was said no longer counts: those that are not as they were seen, and all that lead to them, because
 * what a name means may be decided there. A file that is gone leaves no edge by which to find who led to it: then it is all of them.
 */
export function doubtfulFiles(graph: CodeGraph, seen: ReadonlyMap<string, string>): ReadonlySet<string> | 'all' {
  for (const path of seen.keys()) if (graph.fileByPath(path) === undefined) return 'all'
  const changed = graph.files.filter((file) => isForCompiler(file.path) && seen.get(file.path) !== file.hash)
  if (changed.length === 0) return new Set()
  const leading = leadingFiles(graph)
  const reached = new Set(changed.map((file) => file.n))
  for (const n of reached) for (const one of leading.get(n) ?? []) reached.add(one)
  return new Set([...reached].map((n) => graph.file(n).path))
}

/** By file, which others an edge leads from. */
function leadingFiles({ fileOf, edges }: CodeGraph): ReadonlyMap<number, ReadonlySet<number>> {
  const found = new Map<number, Set<number>>()
  for (let at = 0; at < edges.source.length; at += 1) {
    const from = fileOf[edges.source[at] ?? 0] ?? 0
    const to = fileOf[edges.target[at] ?? 0] ?? 0
    if (from === to) continue
    const known = found.get(to)
    if (known === undefined) found.set(to, new Set([from]))
    else known.add(from)
  }
  return found
}
