/** Which lines of a listing are asked for first. Pure. */

/** Lines of a file, both ends included. */
export interface Lines {
  readonly from: number
  readonly to: number
}

/** Rows that a list draws together: what a laptop's screen has room for, below what stands above a list. */
export const blockRows = 32
/** What stands on the tallest screen, and a little more: of a longer listing the rest is asked for later. */
const firstRows = 5 * blockRows

/** Whole blocks, the one before the line that is looked for among them. */
export function firstWindow({ from, to }: Lines, line: number | undefined): Lines {
  if (to - from < 2 * firstRows) return { from, to }
  const block = line === undefined ? 0 : Math.floor((Math.min(Math.max(line, from), to) - from) / blockRows)
  const start = from + Math.max(0, block - 1) * blockRows
  return { from: start, to: Math.min(to, start + firstRows - 1) }
}
