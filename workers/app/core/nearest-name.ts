/** Of the known names the one that differs least from what was written, where it differs little enough to have been meant. */
export function nearestName(written: string, known: readonly string[]): string | undefined {
  const allowed = Math.min(3, Math.floor(written.length / 2))
  let nearest: string | undefined
  let least = allowed + 1
  for (const name of known) {
    const distance = distanceOf(written, name)
    if (distance < least) {
      nearest = name
      least = distance
    }
  }
  return nearest
}

/** Letters to add, take away or replace. */
function distanceOf(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let at = 1; at <= from.length; at += 1) {
    const next = [at]
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = (row[column - 1] ?? 0) + (from[at - 1] === to[column - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
