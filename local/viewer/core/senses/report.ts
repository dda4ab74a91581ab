/** Answers for a reader that pays for every word: what matters first, what was cut said, never more than was asked for. */

/** Of what a model reads no token is longer than a few bytes; code and names come to three or more. */
const bytesPerToken = 3
export const budgetDefault = 2_000
export const budgetMin = 200
export const budgetMax = 20_000

const lineCharsMax = 400
/** Of what is left a part that others follow takes no more than this. */
const shareOfPart = 0.7
const cutNote = (budget: number): string =>
  `Cut to fit ${budget} tokens. Ask again with a larger "budget" (at most ${budgetMax}), or ask something narrower.`

export interface Part {
  readonly title: string
  /** Made only if shown: a row names a line of source, which has to be read. */
  readonly rows: readonly (() => string)[]
}

export interface Report {
  readonly head: readonly string[]
  readonly parts: readonly Part[]
  /** What holds for the whole; asked for when the rows are made, because they are what finds it out. */
  readonly notes?: () => readonly string[]
}

export function writeReport({ head, parts, notes }: Report, budget: number): string {
  const most = budget * bytesPerToken
  const shown = parts.filter((one) => one.rows.length > 0)
  const lines = head.map((one) => clipped(one))
  const heads = shown.map((part) => `\n${clipped(part.title)} (${part.rows.length})`)
  const more = (count: number): string => `  ... ${count} more`
  const fixed = [...lines, ...heads, ...shown.map((part) => more(part.rows.length)), cutNote(budget)]
  // Room for notes is kept before they are known.
  let left = most - costOf(fixed) - notesCharsMax
  let isCut = false
  for (const [at, part] of shown.entries()) {
    lines.push(heads[at] ?? '')
    let room = at === shown.length - 1 ? left : Math.floor(left * shareOfPart)
    let count = 0
    for (const row of part.rows) {
      const text = `  ${clipped(row())}`
      const cost = costOf([text])
      if (cost > room) break
      room -= cost
      left -= cost
      lines.push(text)
      count += 1
    }
    if (count === part.rows.length) continue
    isCut = true
    lines.push(more(part.rows.length - count))
  }
  const noted = notes?.() ?? []
  if (noted.length > 0) lines.push(`\n${noted.join('\n').slice(0, notesCharsMax)}`)
  if (isCut) lines.push(cutNote(budget))
  return atMost(lines, budget)
}

const notesCharsMax = 300

/** Heads alone may be too much for the smallest budgets. */
function atMost(lines: readonly string[], budget: number): string {
  const most = budget * bytesPerToken
  if (costOf(lines) <= most) return lines.join('\n')
  const kept: string[] = []
  let left = most - costOf([cutNote(budget)])
  for (const line of lines) {
    left -= costOf([line])
    if (left < 0) break
    kept.push(line)
  }
  return [...kept, cutNote(budget)].join('\n')
}

const encoder = new TextEncoder()

function costOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + encoder.encode(line).length + 1, 0)
}

/** One line of plain text: nothing in a source file moves a reader's cursor. */
export function clipped(text: string, most = lineCharsMax): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  const plain = text.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, ' ')
  return plain.length <= most ? plain : `${plain.slice(0, most - 3).replace(/[\ud800-\udbff]$/, '')}...`
}
