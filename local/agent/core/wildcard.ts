/**
 * `*` is any run of characters, `?` is one. Runs in time proportional to the product of the lengths, whatever the
 * pattern: it comes from configuration and the text from a model. A pattern that ends in ` *` also matches what is
 * before the blank, so that `git status *` covers the bare command.
 */
export function matchesWildcard(pattern: string, text: string): boolean {
  if (pattern.endsWith(' *') && matchesGlob(pattern.slice(0, -2), text)) return true
  return matchesGlob(pattern, text)
}

function matchesGlob(pattern: string, text: string): boolean {
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
