/** A flow as one tall picture: cards down a spine, solid where the link is known and dashed where it is not. */
import { cardWidthMax } from './limits.ts'
import { keepEnd, keepStart, type Mark, type Picture, type Tone, textMark, wrapWords } from './marks.ts'

/** A piece of a source line with its colour. */
export type Piece = readonly [tone: Tone, text: string]

interface CardLine {
  readonly number: number
  readonly pieces: readonly Piece[]
  readonly isHit: boolean
}

export interface Card {
  readonly name: string
  readonly kind: string
  readonly place: string
  readonly lines: readonly CardLine[]
  /** Why there are no lines. */
  readonly reason: string | undefined
}

interface Stop {
  readonly title: string
  readonly tag: string | undefined
  readonly text: readonly string[]
  readonly candidates: readonly { readonly name: string; readonly place: string }[]
}

export interface FlowDrawing {
  readonly title: string
  readonly subtitle: string
  readonly cards: readonly Card[]
  /** What is said between a card and the next; the last one leads to the stop, if there is one. */
  readonly links: readonly { readonly text: string; readonly isKnown: boolean }[]
  readonly stop: Stop | undefined
}

export const codeSize = 12
/** Letters of code faces are this wide when nothing measured them. */
const usualCell = 7.23
const lineHeight = 18
const headHeight = 32
const linkHeight = 30
const margin = 24
const spineWidth = 36
const numberWidth = 48

/** Source lines in rows of at most so many cells, each piece cut where the row is full. */
export function wrapPieces(pieces: readonly Piece[], cellsMax: number): Piece[][] {
  const rows: Piece[][] = [[]]
  let room = cellsMax
  for (const [tone, text] of pieces) {
    let rest = [...text.replaceAll('\t', '  ')]
    while (rest.length > 0) {
      if (room === 0) {
        rows.push([])
        room = cellsMax
      }
      const part = rest.slice(0, room)
      rows.at(-1)?.push([tone, part.join('')])
      rest = rest.slice(room)
      room -= part.length
    }
  }
  return rows
}

export function drawFlow(drawing: FlowDrawing, width: number, codeCell: number = usualCell): Picture {
  const marks: Mark[] = []
  const cardWidth = Math.min(cardWidthMax, width - 2 * margin - spineWidth)
  const left = margin + spineWidth
  const spine = margin + 11
  const codeCells = Math.max(8, Math.floor((cardWidth - numberWidth - 12) / codeCell))
  const proseCells = Math.max(16, Math.floor((cardWidth - 24) / 6.6))
  const headCells = Math.max(8, Math.floor((cardWidth - 24) / 7.9))
  let y = margin
  const text = (...words: Parameters<typeof textMark>): void => {
    marks.push(textMark(...words))
  }
  for (const line of wrapWords(drawing.title, Math.floor((width - 2 * margin) / 9.5))) {
    text(margin, y + 14, line, 'ink', 16, { isStrong: true })
    y += 22
  }
  for (const line of wrapWords(drawing.subtitle, Math.floor((width - 2 * margin) / 6.6))) {
    text(margin, y + 11, line, 'ink-2', 12)
    y += 18
  }
  y += 14
  for (const [n, card] of drawing.cards.entries()) {
    const top = y
    const rows = card.lines.map((line) => ({ line, rows: wrapPieces(line.pieces, codeCells) }))
    const body =
      card.reason === undefined ? rows.reduce((sum, one) => sum + one.rows.length * lineHeight, 0) + 8 : lineHeight + 12
    const height = headHeight + body
    marks.push({
      kind: 'rect',
      x: left,
      y: top,
      width: cardWidth,
      height,
      radius: 8,
      fill: 'surface',
      stroke: 'line-2',
    })
    const nameCells = Math.max(8, Math.floor(headCells * 0.55))
    const name = keepStart(card.name, nameCells)
    text(left + 12, top + 21, name, 'ink', 12.5, { face: 'mono', isStrong: true })
    text(left + cardWidth - 12, top + 21, keepEnd(card.place, headCells - name.length - 4), 'ink-3', 11.5, {
      face: 'mono',
      isAtEnd: true,
    })
    marks.push({ kind: 'path', d: `M${left} ${top + headHeight}h${cardWidth}`, stroke: 'line', strokeWidth: 1 })
    let at = top + headHeight + 4
    if (card.reason !== undefined) text(left + 12, at + 15, keepStart(card.reason, proseCells), 'ink-2', 12)
    for (const { line, rows: found } of rows) {
      if (line.isHit)
        marks.push({
          kind: 'rect',
          x: left + 1,
          y: at,
          width: cardWidth - 2,
          height: found.length * lineHeight,
          fill: 'code-line',
        })
      text(left + numberWidth - 12, at + 13, String(line.number), line.isHit ? 'ink' : 'ink-3', codeSize, {
        face: 'mono',
        isAtEnd: true,
      })
      for (const row of found) {
        let x = left + numberWidth
        for (const [tone, piece] of row) {
          if (piece.trim() !== '')
            text(Math.round(x * 10) / 10, at + 13, piece, tone, codeSize, {
              face: 'mono',
              ...(tone === 'c-def' ? { isStrong: true } : {}),
            })
          x += [...piece].length * codeCell
        }
        at += lineHeight
      }
    }
    marks.push({ kind: 'path', d: circle(spine, top + 16, 10), fill: 'ground', stroke: 'ink-2', strokeWidth: 1.5 })
    text(spine - (n < 9 ? 3.2 : 6.4), top + 20, String(n + 1), 'ink', 11)
    y = top + height
    const link = drawing.links[n]
    if (link === undefined) continue
    marks.push({
      kind: 'path',
      d: `M${spine} ${top + 26}V${y + linkHeight + (n + 1 < drawing.cards.length ? 6 : 4)}`,
      stroke: link.isKnown ? 'ink-2' : 'edge',
      strokeWidth: 1.5,
      isDashed: !link.isKnown,
    })
    text(left, y + 19, keepStart(link.text, proseCells), 'ink-2', 12)
    y += linkHeight
  }
  if (drawing.stop !== undefined) y = drawStop(marks, drawing.stop, left, y, cardWidth, proseCells, spine)
  return { width, height: y + margin, title: drawing.title, marks }
}

function drawStop(
  marks: Mark[],
  stop: Stop,
  left: number,
  top: number,
  width: number,
  cells: number,
  spine: number,
): number {
  const lines = stop.text.flatMap((one) => wrapWords(one, cells))
  const height = 20 + 18 * (1 + lines.length + stop.candidates.length) + (lines.length > 0 ? 4 : 0)
  marks.push({
    kind: 'rect',
    x: left,
    y: top,
    width,
    height,
    radius: 8,
    fill: 'ground',
    stroke: 'edge',
    strokeWidth: 1.5,
    isDashed: true,
  })
  marks.push({
    kind: 'path',
    d: circle(spine, top + 16, 10),
    fill: 'ground',
    stroke: 'edge',
    strokeWidth: 1.5,
    isDashed: true,
  })
  const title = stop.tag === undefined ? stop.title : `${stop.title} · ${stop.tag}`
  let y = top + 22
  marks.push(textMark(left + 12, y, keepStart(title, cells), 'ink', 13, { isStrong: true }))
  y += 2
  for (const line of lines) {
    y += 18
    marks.push(textMark(left + 12, y, line, 'ink-2', 12))
  }
  y += lines.length > 0 ? 2 : 0
  for (const { name, place } of stop.candidates) {
    y += 18
    marks.push(textMark(left + 12, y, keepStart(name, Math.floor(cells * 0.5)), 'ink', 12, { face: 'mono' }))
    marks.push(
      textMark(left + width - 12, y, keepEnd(place, Math.floor(cells * 0.4)), 'ink-3', 11.5, {
        face: 'mono',
        isAtEnd: true,
      }),
    )
  }
  return top + height
}

function circle(x: number, y: number, radius: number): string {
  return `M${x - radius} ${y}a${radius} ${radius} 0 1 1 ${2 * radius} 0a${radius} ${radius} 0 1 1 ${-2 * radius} 0Z`
}
