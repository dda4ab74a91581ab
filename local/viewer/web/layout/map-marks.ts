/** The map on screen as a picture to keep. */
import { boxHeight, boxWidth } from './limits.ts'
import type { MapPicture, Route } from './map-picture.ts'
import { keepEnd, type Mark, type Picture, type Tone, textMark } from './marks.ts'

/** Cells of the name that fit into a box. */
export const nameCells = 20

interface BoxWords {
  readonly name: string
  readonly files: string
  readonly dependents: string
  /** 0 to 1: files elsewhere that depend on it, against the module with the most. */
  readonly share: number
}

export interface MapWords {
  readonly title: string
  readonly layer: (number: number) => string
  readonly top: string
  readonly bottom: string
  readonly box: (id: string) => BoxWords
  readonly key: readonly { readonly line: 'declared' | 'guessed' | 'upward' | 'bar'; readonly text: string }[]
  readonly notes: readonly string[]
}

/** How a line stands to the chosen module. */
export function routeTone(route: Route, chosen: string | undefined): Tone {
  if (route.isUpward && route.certainty === 'declared') return 'bad'
  if (chosen !== undefined && route.source === chosen) return 'accent'
  if (chosen !== undefined && route.target === chosen) return 'edge'
  return 'line-2'
}

export function arrowhead([x, y]: readonly [number, number]): string {
  return `M${x - 5} ${y + 8}L${x} ${y}L${x + 5} ${y + 8}Z`
}

/** Lines of the chosen module are drawn last, above the others. */
export function inDrawingOrder(routes: readonly Route[], chosen: string | undefined): Route[] {
  const weight = (one: Route): number =>
    chosen !== undefined && (one.source === chosen || one.target === chosen) ? 2 : one.isUpward ? 1 : 0
  return [...routes].sort((left, right) => weight(left) - weight(right))
}

export function keepMap(picture: MapPicture, words: MapWords, chosen: string | undefined): Picture {
  const marks: Mark[] = []
  for (const band of picture.bands) {
    marks.push({ kind: 'path', d: `M0 ${band.y}H${picture.width}`, stroke: 'line', strokeWidth: 1 })
    marks.push(textMark(16, band.y - 8, words.layer(band.number), 'ink-2', 12, { isStrong: true }))
    const role = band.isFirst ? words.top : band.isLast ? words.bottom : ''
    if (role !== '') marks.push(textMark(16, band.y + 16, role, 'ink-3', 12))
  }
  for (const route of inDrawingOrder(picture.routes, chosen)) {
    const tone = routeTone(route, chosen)
    marks.push({
      kind: 'path',
      d: route.path,
      stroke: tone,
      strokeWidth: tone === 'bad' ? Math.min(route.strokeWidth, 1.6) : route.strokeWidth,
      isDashed: route.certainty === 'guessed',
    })
    if (route.tip !== undefined)
      marks.push({
        kind: 'path',
        d: arrowhead(route.tip),
        ...(tone === 'bad' ? { fill: tone } : { stroke: 'edge' as const, fill: 'ground' as const, strokeWidth: 1 }),
      })
  }
  for (const box of picture.boxes) {
    const { name, files, dependents, share } = words.box(box.id)
    const isChosen = box.id === chosen
    marks.push({
      kind: 'rect',
      x: box.x,
      y: box.y,
      width: boxWidth,
      height: boxHeight,
      radius: 3,
      fill: isChosen ? 'accent-soft' : 'surface',
      stroke: isChosen ? 'accent' : 'edge',
      strokeWidth: isChosen ? 2 : 1,
    })
    if (share > 0)
      marks.push({
        kind: 'rect',
        x: box.x,
        y: box.y + boxHeight - 4,
        width: Math.max(2, Math.round(boxWidth * share)),
        height: 4,
        fill: isChosen ? 'accent' : 'plot-2',
      })
    marks.push(textMark(box.x + 12, box.y + 22, keepEnd(name, nameCells), 'ink', 13, { face: 'mono', isStrong: true }))
    marks.push(textMark(box.x + 12, box.y + 40, files, 'ink-3', 12))
    marks.push(textMark(box.x + boxWidth - 12, box.y + 40, dependents, 'ink-3', 12, { isAtEnd: true }))
  }
  // The caption stands below, so that the picture keeps its own grid.
  let y = picture.height + 8
  marks.push(textMark(16, y + 12, words.title, 'ink', 13, { isStrong: true }))
  y += 24
  for (const { line, text } of words.key) {
    if (line === 'bar') marks.push({ kind: 'rect', x: 16, y: y + 6, width: 34, height: 4, fill: 'plot-2' })
    else
      marks.push({
        kind: 'path',
        d: `M16 ${y + 8}h34`,
        stroke: line === 'upward' ? 'bad' : line === 'declared' ? 'edge' : 'line-2',
        strokeWidth: line === 'declared' ? 3 : 1.6,
        isDashed: line === 'guessed',
      })
    marks.push(textMark(62, y + 12, text, 'ink-2', 12))
    y += 20
  }
  for (const text of words.notes) {
    marks.push(textMark(16, y + 12, text, 'ink-3', 12))
    y += 18
  }
  return { width: picture.width, height: y + 16, title: words.title, marks }
}
