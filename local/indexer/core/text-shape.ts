/** How a text is built, told in one look and without a parser, which some texts end. */

/**
 * How deep brackets nest anywhere in a text. What stands between two quotation marks of a line is passed over, so that
 * a text about brackets is none that nests; in a language in which a mark opens nothing, some depth may go unseen.
 */
export function bracketDepth(text: string): number {
  let depth = 0
  let deepest = 0
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at)
    if (char >= isMark.length || isMark[char] === 0) continue
    switch (char) {
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

const isMark = Uint8Array.from({ length: 128 }, (_, char) => ('()[]{}"\''.includes(String.fromCharCode(char)) ? 1 : 0))

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
  let before: number = sort.blank
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at)
    const now = char < sorts.length ? (sorts[char] as number) : sort.sign
    if (now !== sort.blank && (now !== sort.word || before !== sort.word) && ++words > wordsMax) return false
    before = now
  }
  return true
}

const sort = { sign: 0, blank: 1, word: 2 } as const

/** A look at a table costs a third of comparing a sign with all that it may be; every text is gone through. */
const sorts = Uint8Array.from({ length: 128 }, (_, char) => {
  const one = String.fromCharCode(char)
  return /[ \n\t\r]/.test(one) ? sort.blank : /\w/.test(one) ? sort.word : sort.sign
})

/** Behind the bracket that closes the one which begins there, behind blanks at most; undefined where none does before `end`. */
export function bracketEnd(text: string, from: number, end: number): number | undefined {
  let depth = 0
  for (let at = from; at < Math.min(text.length, end); at += 1) {
    const sign = text[at]
    if (sign === '(') depth += 1
    else if (sign === ')') {
      depth -= 1
      if (depth === 0) return at + 1
    } else if (depth === 0 && sign !== ' ') return undefined
  }
  return undefined
}
