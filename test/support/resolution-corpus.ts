import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { languageOf } from '../../local/indexer/core/language-of.ts'
import type { PlainEdge } from './link-sources.ts'

/**
 * A corpus is a folder of sources with its expectations written beside the code they are about:
 * `//=> kind file#name` (or `#=>`) says that this line has that edge, `//=/> kind file#name` that it has not.
 */
export interface Expectation {
  readonly file: string
  readonly line: number
  readonly kind: string
  readonly target: string
  readonly isWanted: boolean
}

export function readCorpus(folder: string): { sources: Record<string, string>; expectations: Expectation[] } {
  const sources: Record<string, string> = {}
  const expectations: Expectation[] = []
  const visit = (inner: string): void => {
    for (const entry of readdirSync(path.join(folder, inner), { withFileTypes: true })) {
      const file = inner === '' ? entry.name : `${inner}/${entry.name}`
      if (entry.isDirectory()) visit(file)
      else if (languageOf(file) !== undefined) {
        const text = readFileSync(path.join(folder, file), 'utf8')
        sources[file] = text
        expectations.push(...expectationsOf(file, text))
      }
    }
  }
  visit('')
  return { sources, expectations }
}

function expectationsOf(file: string, text: string): Expectation[] {
  return text.split('\n').flatMap((line, index) =>
    [...line.matchAll(/(?:\/\/|#|\*)=(\/?)> (\w+) (\S+)/g)].map(([, not = '', kind = '', target = '']) => ({
      file,
      line: index + 1,
      kind,
      target: target.startsWith('#') ? `${file}${target}` : target,
      isWanted: not === '',
    })),
  )
}

export interface CorpusScore {
  readonly missing: readonly string[]
  /** Edges that must not be, and are shown as certain. */
  readonly falseCertain: readonly string[]
  readonly wanted: number
  readonly unwanted: number
  readonly recall: number
}

export function scoreCorpus(
  expectations: readonly Expectation[],
  edges: readonly PlainEdge[],
  certainFrom: number,
): CorpusScore {
  const fileOf = (name: string): string => name.split('#')[0] ?? name
  const matches = (one: Expectation, edge: PlainEdge): boolean =>
    fileOf(edge.from) === one.file &&
    edge.line === one.line &&
    edge.kind === one.kind &&
    (edge.to === one.target || (one.target === '*' && edge.kind === one.kind))
  const label = (one: Expectation): string => `${one.file}:${one.line} ${one.kind} ${one.target}`
  const wanted = expectations.filter((one) => one.isWanted)
  const unwanted = expectations.filter((one) => !one.isWanted)
  const missing = wanted
    .filter((one) => !edges.some((edge) => matches(one, edge) && edge.confidence >= certainFrom))
    .map(label)
  const falseCertain = unwanted
    .filter((one) => edges.some((edge) => matches(one, edge) && edge.confidence >= certainFrom))
    .map(label)
  return {
    missing,
    falseCertain,
    wanted: wanted.length,
    unwanted: unwanted.length,
    recall: wanted.length === 0 ? 1 : (wanted.length - missing.length) / wanted.length,
  }
}
