/** Where a line of a text stands in a newer text of the same file. Pure. */

/** Lines around it that count as its surroundings. */
const around = 3

/**
 * The line of `next` that is most like line `at` of `before`: the same text, with most of the same lines around it, and
 * nearest among equals. Undefined where the line is gone.
 */
export function sameLine(before: readonly string[], next: readonly string[], at: number): number | undefined {
  let best: { line: number; score: number } | undefined
  for (let line = 0; line < next.length; line += 1) {
    if (next[line] !== before[at]) continue
    let score = -Math.abs(line - at) / (before.length + next.length + 1)
    for (let step = 1; step <= around; step += 1) {
      if (next[line - step] === before[at - step]) score += 1
      if (next[line + step] === before[at + step]) score += 1
    }
    if (best === undefined || score > best.score) best = { line, score }
  }
  return best?.line
}
