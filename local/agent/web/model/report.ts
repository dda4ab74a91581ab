/** What the code index says, by its parts, so that it can be drawn and said in the page's language. Pure. */
interface ReportRow {
  /** A file and a line; empty where the row is about neither. */
  readonly place: string
  readonly what: string
  /** The line itself. */
  readonly text: string
}

export type ReportPiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'part'; readonly title: string; readonly count: number; readonly rows: readonly ReportRow[] }

const heading = /^(\S.*) \((\d+)\)$/
const located = /^(\S+:\d+) {2}(.*?)(?: {2}\| (.*))?$/
const relying = 'Relying on '

/** Rows stand below the heading of their part; whatever is neither stays a text in its place. */
export function readReport(report: string): readonly ReportPiece[] {
  const pieces: ReportPiece[] = []
  let rows: ReportRow[] | undefined
  for (const line of report.split('\n')) {
    const [, title, count] = heading.exec(line) ?? []
    if (title !== undefined) {
      rows = []
      pieces.push({ kind: 'part', title, count: Number(count), rows })
    } else if (rows !== undefined && line.startsWith('  ')) {
      const text = line.slice(2)
      const [, place = '', what = text, shown = ''] = located.exec(text) ?? []
      rows.push({ place, what, text: shown })
    } else if (line !== '') {
      rows = undefined
      pieces.push({ kind: 'text', text: line })
    }
  }
  return pieces
}

/** Whom a report says it is about, in a line of its head. */
export function reliedOn(text: string): string | undefined {
  return text.startsWith(relying) ? text.slice(relying.length) : undefined
}

/** What an edit answered, and apart from it what relied on the lines that it changed. */
export function splitReach(output: string): { readonly said: string; readonly reach: string | undefined } {
  const at = output.indexOf(`\n${relying}`)
  if (at === -1) return { said: output, reach: undefined }
  // The line above introduces it to the model.
  return { said: output.slice(0, Math.max(0, output.lastIndexOf('\n', at - 1))), reach: output.slice(at + 1) }
}

/** How many are certain, of a report that tells them from possible ones. */
export function certainIn(report: string): number | undefined {
  const parts = readReport(report).filter((piece) => piece.kind === 'part')
  const certain = parts.filter(({ title }) => title.startsWith('Certain'))
  return certain.length === 0 ? undefined : certain.reduce((sum, { count }) => sum + count, 0)
}
