/** How a text is built, told in one look and without a parser, which some texts end. */

/**
 * How deep brackets nest anywhere in a text. What stands between two quotation marks of a line is passed over, so that
 * a text about brackets is none that nests; in a language in which a mark opens nothing, some depth may go unseen.
 */
export function bracketDepth(text: string): number {
  let depth = 0
  let deepest = 0
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case 0x28: // (
      case 0x5b: // [
      case 0x7b: // {
        depth += 1
        if (depth > deepest) deepest = depth
        break
      case 0x29: // )
      case 0x5d: // ]
      case 0x7d: // }
        if (depth > 0) depth -= 1
        break
      case 0x22: // "
      case 0x27: // '
        at = closingMark(text, at)
        break
    }
  }
  return deepest
}

/** Where the mark at a place is closed in its line, or that place itself. */
function closingMark(text: string, from: number): number {
  const mark = text.charCodeAt(from)
  for (let at = from + 1; at < text.length; at += 1) {
    const char = text.charCodeAt(at)
    if (char === mark) return at
    if (char === 0x5c) at += 1
    else if (char === 0x0a) return from
  }
  return from
}

/** Whether a text has no more than so many words and signs: it can nest no deeper than that. */
export function isShort(text: string, wordsMax: number, charsMax: number): boolean {
  if (text.length > charsMax) return false
  if (text.length <= wordsMax) return true
  let words = 0
  let wasInWord = false
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at)
    const isBlank = char === 0x20 || char === 0x0a || char === 0x09 || char === 0x0d
    const isInWord =
      (char >= 0x30 && char <= 0x39) ||
      (char >= 0x41 && char <= 0x5a) ||
      (char >= 0x61 && char <= 0x7a) ||
      char === 0x5f
    if (!isBlank && !(isInWord && wasInWord) && ++words > wordsMax) return false
    wasInWord = isInWord
  }
  return true
}
