/**
 * Whether the whole text is as a pattern wants it: `*` is any run of characters, `?` is one. Both come from outside, so
 * nothing that was found is given back: time is bounded by the product of the lengths, whatever the pattern.
 */
export function matchesWildcard(pattern: string, text: string): boolean {
  return wildcardTest(pattern)(text)
}

/** The same for many texts. */
export function wildcardTest(pattern: string): (text: string) => boolean {
  const pieces = pattern.split('*')
  const first = pieces[0] ?? ''
  const last = pieces.at(-1) ?? ''
  const between = pieces.slice(1, -1).filter((piece) => piece !== '')
  if (pieces.length === 1) return (text) => text.length === pattern.length && isAt(pattern, text, 0)
  return (text) => {
    const end = text.length - last.length
    if (end < first.length || !isAt(first, text, 0) || !isAt(last, text, end)) return false
    // The earliest place for each leaves the most for those after it.
    let from = first.length
    for (const piece of between) {
      const at = placeOf(piece, text, from, end)
      if (at < 0) return false
      from = at + piece.length
    }
    return true
  }
}

function placeOf(piece: string, text: string, from: number, end: number): number {
  if (!piece.includes('?')) {
    const at = text.indexOf(piece, from)
    return at + piece.length > end ? -1 : at
  }
  for (let at = from; at + piece.length <= end; at += 1) if (isAt(piece, text, at)) return at
  return -1
}

function isAt(piece: string, text: string, at: number): boolean {
  if (!piece.includes('?')) return text.startsWith(piece, at)
  for (let index = 0; index < piece.length; index += 1)
    if (piece[index] !== '?' && piece[index] !== text[at + index]) return false
  return true
}
