/** A picture as an SVG that needs nothing beside it: colours written out, faces by name. */
import type { Mark, Picture, Tone } from '../layout/marks.ts'

export interface Look {
  readonly colour: (tone: Tone) => string
  readonly sans: string
  readonly mono: string
}

/** What XML does not allow, and marks that would turn the reading direction of what follows. */
const unprintable = /[^\P{Cc}\t\n\r]|[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/gu

export function printable(text: string): string {
  return text.toWellFormed().replace(unprintable, '\ufffd')
}

function escaped(text: string): string {
  return printable(text).replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)
}

function attributes(given: Readonly<Record<string, string | number | undefined>>): string {
  return Object.entries(given)
    .map(([name, value]) => (value === undefined ? '' : ` ${name}="${escaped(String(value))}"`))
    .join('')
}

function lineOf(mark: Exclude<Mark, { kind: 'text' }>, look: Look): Record<string, string | number | undefined> {
  return {
    fill: mark.fill === undefined ? 'none' : look.colour(mark.fill),
    stroke: mark.stroke === undefined ? undefined : look.colour(mark.stroke),
    'stroke-width': mark.stroke === undefined ? undefined : (mark.strokeWidth ?? 1),
    'stroke-dasharray': mark.isDashed === true ? '5 4' : undefined,
  }
}

function element(mark: Mark, look: Look): string {
  switch (mark.kind) {
    case 'rect': {
      const { x, y, width, height, radius } = mark
      return `<rect${attributes({ x, y, width, height, rx: radius, ...lineOf(mark, look) })}/>`
    }
    case 'path':
      return `<path${attributes({ d: mark.d, ...lineOf(mark, look) })}/>`
    case 'text':
      return `<text${attributes({
        x: mark.x,
        y: mark.y,
        fill: look.colour(mark.tone),
        'font-family': mark.face === 'mono' ? look.mono : look.sans,
        'font-size': mark.size,
        'font-weight': mark.isStrong === true ? 600 : undefined,
        'text-anchor': mark.isAtEnd === true ? 'end' : undefined,
      })}>${escaped(mark.text)}</text>`
  }
}

export function svgText(picture: Picture, look: Look): string {
  const width = Math.ceil(picture.width)
  const height = Math.ceil(picture.height)
  const ground = `<rect width="${width}" height="${height}" fill="${escaped(look.colour('ground'))}"/>`
  const marks = picture.marks.map((mark) => element(mark, look)).join('\n')
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" xml:space="preserve"><title>${escaped(picture.title)}</title>
${ground}
${marks}
</svg>
`
}

/** A file name out of what a picture shows. */
export function fileName(title: string, ending: 'svg' | 'png' | 'md'): string {
  const stem = title
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, 80)
  return `${stem === '' ? 'picture' : stem}.${ending}`
}
