/** Cuts a long text where a paragraph ends, outside of code, so that its pieces are drawn apart. Pure. */
const pieceCharacters = 4_000
const fence = /^\s*(`{3,}|~{3,})/

export function piecesOf(text: string): readonly string[] {
  if (text.length <= pieceCharacters) return [text]
  const pieces: string[] = []
  let from = 0
  let at = 0
  let open: string | undefined
  while (at < text.length) {
    const end = text.indexOf('\n', at)
    const line = text.slice(at, end === -1 ? text.length : end)
    const mark = fence.exec(line)?.[1]
    if (mark !== undefined) {
      if (open === undefined) open = mark
      else if (mark.startsWith(open) && line.trim() === mark) open = undefined
    }
    if (end === -1) break
    at = end + 1
    if (open === undefined && line.trim() === '' && at - from >= pieceCharacters) {
      pieces.push(text.slice(from, at))
      from = at
    }
  }
  pieces.push(text.slice(from))
  return pieces
}
