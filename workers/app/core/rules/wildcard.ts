/**
 * Whether a text is as a pattern wants it: `*` for any characters, `?` for one. One pass that goes back to the last star
 * only, so time is bounded by the product of both lengths.
 */
export function isLike(text: string, pattern: string): boolean {
  let at = 0
  let wanted = 0
  let star = -1
  let resumed = 0
  while (at < text.length) {
    const sign = pattern[wanted]
    if (sign === '*') {
      star = wanted
      resumed = at
      wanted += 1
    } else if (sign === '?' || sign === text[at]) {
      at += 1
      wanted += 1
    } else if (star >= 0) {
      resumed += 1
      at = resumed
      wanted = star + 1
    } else return false
  }
  while (pattern[wanted] === '*') wanted += 1
  return wanted === pattern.length
}
