/**
 * Whether the whole text is as a pattern wants it: `*` is any run of characters, `?` is one. Both come from outside, so
 * the only way back is to the last star: time is bounded by the product of the lengths, whatever the pattern.
 */
export function matchesWildcard(pattern: string, text: string): boolean {
  let at = 0
  let position = 0
  let starAt = -1
  let starPosition = 0
  while (position < text.length) {
    const symbol = pattern[at]
    if (symbol === '*') {
      starAt = at
      starPosition = position
      at += 1
    } else if (symbol !== undefined && (symbol === '?' || symbol === text[position])) {
      at += 1
      position += 1
    } else if (starAt >= 0) {
      at = starAt + 1
      starPosition += 1
      position = starPosition
    } else return false
  }
  while (pattern[at] === '*') at += 1
  return at === pattern.length
}
