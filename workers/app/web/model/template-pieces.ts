/** A template as it is drawn: its lines, and in them what is text, what is a tag, and what is a name in one. */
export interface Piece {
  readonly kind: 'text' | 'tag' | 'name'
  readonly text: string
}

const inTag = /"[^"]*"|'[^']*'|[\p{L}_][\p{L}\p{N}_.]*|[^\p{L}_"']+|["']/gu
const tagWords = new Set(
  'if elsif else endif unless endunless case when endcase for in endfor break continue assign echo comment endcomment raw endraw and or contains reversed limit offset true false nil empty blank'.split(
    ' ',
  ),
)

export function templateLines(text: string): readonly (readonly Piece[])[] {
  const lines: Piece[][] = [[]]
  for (const piece of piecesOf(text)) {
    piece.text.split('\n').forEach((part, at) => {
      if (at > 0) lines.push([])
      if (part !== '') lines.at(-1)?.push({ kind: piece.kind, text: part })
    })
  }
  return lines
}

function piecesOf(text: string): Piece[] {
  return text.split(/(\{\{.*?(?:\}\}|$)|\{%.*?(?:%\}|$))/su).flatMap((part, at): Piece[] => {
    if (part === '') return []
    return at % 2 === 0 ? [{ kind: 'text', text: part }] : tagPieces(part)
  })
}

function tagPieces(tag: string): Piece[] {
  return (tag.match(inTag) ?? []).map((text) => ({
    kind: /^[\p{L}_]/u.test(text) && !tagWords.has(text) ? 'name' : 'tag',
    text,
  }))
}
