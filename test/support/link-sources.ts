import type { FileFacts } from '../../local/indexer/core/facts.ts'
import { type FileMacros, fileMacros, isOfC, ProjectMacros } from '../../local/indexer/core/project-macros.ts'
import { extractFile } from '../../local/indexer/extract/extract-file.ts'
import { link } from '../../local/indexer/resolve/link.ts'
import type { ProjectSettings } from '../../local/indexer/resolve/modules.ts'
import { FactsInMemory } from '../../local/indexer/resolve/project-facts.ts'
import { withRoutes } from '../../local/indexer/resolve/routes.ts'

export interface PlainEdge {
  readonly from: string
  readonly to: string
  readonly kind: string
  readonly line: number
  readonly resolution: string
  readonly confidence: number
}

export const noSettings: ProjectSettings = { packages: [], aliases: [], goModules: [], crates: [], usings: [] }

/** Edges of a small project, symbols written as `file#qualified name`. */
export function linkSources(
  sources: Readonly<Record<string, string>>,
  settings: ProjectSettings = noSettings,
): PlainEdge[] {
  const ofC = new Map(
    Object.entries(sources).flatMap(([path, text]): [string, FileMacros][] =>
      isOfC(path) ? [[path, fileMacros(path, text)]] : [],
    ),
  )
  const macros = new ProjectMacros(ofC.values())
  const read = (path: string, text: string): string => {
    const own = ofC.get(path)
    return own === undefined ? text : macros.applied(text, own)
  }
  const files = Object.entries(sources)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([path, text]): FileFacts => withRoutes(extractFile(path, read(path, text)), settings.packages))
  const name = (f: number, s: number): string => {
    const file = files[f]
    const symbol = file?.symbols[s]
    return symbol === undefined || file === undefined
      ? '?'
      : s === 0
        ? file.path
        : `${file.path}#${symbol.qualifiedName}`
  }
  return Array.from(link(new FactsInMemory(files), settings).edges, (edge) => ({
    from: name(edge.sourceFile, edge.source),
    to: name(edge.targetFile, edge.target),
    kind: edge.kind,
    line: edge.line,
    resolution: edge.resolution,
    confidence: edge.confidence,
  }))
}
