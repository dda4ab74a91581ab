/**
 * What a reader sees of a model's text. Some models write down first what they think, between marks; some leave the
 * opening mark out, so that only the closing one tells that all before it was no answer.
 */
const opening = '<think>'
const closing = '</think>'

/** `isWhole`: nothing follows, so what only looks like the beginning of a mark is none. */
export function visibleText(raw: string, isWhole: boolean): string {
  const start = raw.trimStart()
  const end = start.indexOf(closing)
  if (end !== -1 && (start.startsWith(opening) || standsAlone(start, end)))
    return start.slice(end + closing.length).trimStart()
  if (start.startsWith(opening) || (!isWhole && opening.startsWith(start))) return ''
  return start
}

/** On a line of its own: a text that speaks about the mark has it between words. */
function standsAlone(text: string, at: number): boolean {
  const after = text[at + closing.length]
  return (at === 0 || text[at - 1] === '\n') && (after === undefined || after === '\n')
}

/** How what was shown becomes what is to be shown. Undefined when nothing changes. */
export function textChange(
  shown: string,
  next: string,
): { readonly text: string; readonly replace: boolean } | undefined {
  if (next === shown) return undefined
  return next.startsWith(shown) ? { text: next.slice(shown.length), replace: false } : { text: next, replace: true }
}
