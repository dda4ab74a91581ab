/** Lines that hold a text, by file, each with the symbol it is a line of. */
import { pushTo } from '#shared/kernel/push-to.ts'
import { innermost } from '../../indexer/core/change-reach.ts'
import type { GraphReader } from '../../indexer/core/graph-reader.ts'
import type { FileRow } from '../../indexer/core/rows.ts'
import type { OfIndex, TextAnswer } from '../contract/wire.ts'
import { compareText } from './search.ts'
import { splitLines } from './token-lines.ts'

/** What is shown of a line, and how much of that stands before the first match. */
const charsShown = 300
const charsBefore = 80

export type TextFromIndex = Pick<OfIndex<TextAnswer>, 'files' | 'shown' | 'truncated'>
export type TextFound = TextFromIndex & Pick<TextAnswer, 'searchedFiles'>

export interface TextAsked {
  readonly text: string
  readonly isRegex: boolean
  readonly isCaseKept: boolean
  readonly isWord: boolean
  readonly path: string | undefined
  /** Lines, of all files together. */
  readonly limit: number
}

type TextFile = TextFromIndex['files'][number]
type TextLine = TextFile['lines'][number]

interface Hit {
  readonly file: string
  readonly line: number
  readonly spans: readonly (readonly [from: number, to: number])[]
}

/** Where it is looked: production first, because a search may be ended by the number of its lines. */
export function filesToSearch(reader: GraphReader, path: string | undefined): string[] {
  const wanted = path?.toLowerCase()
  return reader
    .files()
    .filter((one) => wanted === undefined || one.path.toLowerCase().includes(wanted))
    .sort(
      (left, right) =>
        Number(left.isGenerated) - Number(right.isGenerated) ||
        Number(left.isNonProduction) - Number(right.isNonProduction) ||
        compareText(left.path, right.path),
    )
    .map((one) => one.path)
}

/** Text of a file by the one way to it: undefined for one that may not be read, or is gone. */
export type ReadNow = (file: FileRow) => { readonly text: string; readonly isFresh: boolean } | undefined

export function textAnswer(
  reader: GraphReader,
  found: { readonly hits: readonly Hit[]; readonly isCut: boolean },
  read: ReadNow,
  perFileMax: number,
): TextFromIndex {
  const byFile = new Map<string, Hit[]>()
  for (const hit of found.hits) pushTo(byFile, hit.file, hit)
  const files: TextFile[] = []
  for (const [path, hits] of byFile) {
    const file = reader.fileByPath(path)
    const now = file === undefined ? undefined : read(file)
    if (file === undefined || now === undefined) continue
    const lines = splitLines(now.text)
    const owners = now.isFresh ? innermost(reader.graph, file) : undefined
    const shown = hits.slice(0, perFileMax).flatMap((hit) => {
      const text = lines[hit.line - 1]
      return text === undefined ? [] : [{ ...lineOf(text, hit), symbol: symbolOf(reader, file, owners?.[hit.line]) }]
    })
    if (shown.length === 0) continue
    files.push({
      file: file.path,
      language: file.language,
      test: file.isNonProduction,
      generated: file.isGenerated,
      drift: !now.isFresh,
      truncated: hits.length > perFileMax,
      lines: shown,
    })
  }
  return {
    files,
    shown: { files: files.length, lines: files.reduce((sum, one) => sum + one.lines.length, 0) },
    truncated: found.isCut || files.some((one) => one.truncated),
  }
}

/** Of a long line the part around the first match. */
function lineOf(text: string, { line, spans }: Hit): Omit<TextLine, 'symbol'> {
  const first = spans[0]?.[0] ?? 0
  const from = text.length <= charsShown ? 0 : Math.max(0, Math.min(first - charsBefore, text.length - charsShown))
  const part = text.slice(from, from + charsShown)
  const inPart = (at: number): number => Math.min(Math.max(at - from, 0), part.length)
  return {
    line,
    text: part,
    spans: spans
      .map(([start, end]): [number, number] => [inPart(start), inPart(end)])
      .filter(([start, end]) => end > start),
  }
}

function symbolOf(reader: GraphReader, file: FileRow, n: number | undefined): TextLine['symbol'] {
  if (n === undefined || n === file.firstNode) return null
  const { id, kind, qualifiedName } = reader.node(n)
  return { id, kind, name: qualifiedName }
}
