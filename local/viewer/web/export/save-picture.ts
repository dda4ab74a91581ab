/** Keeps what is on screen as a file, in the colours of the theme on screen. */
import type { Picture, Tone } from '../layout/marks.ts'
import { fileName, type Look, printable, svgText } from './svg-text.ts'

/** Sharp on dense screens; less where a canvas would become larger than browsers make it. */
const scaleWanted = 2
const canvasSideMax = 16_000
const canvasPixelsMax = 120_000_000

function lookOnScreen(): Look {
  const style = getComputedStyle(document.documentElement)
  const read = (name: string): string => style.getPropertyValue(name).trim()
  const colours = new Map<Tone, string>()
  return {
    colour: (tone) => {
      const known = colours.get(tone) ?? read(`--${tone}`)
      colours.set(tone, known)
      return known
    },
    sans: read('--sans').replace(/\s+/g, ' '),
    mono: read('--mono').replace(/\s+/g, ' '),
  }
}

/** How wide a letter of the code face is on this screen, at a size in px. */
export function codeCell(size: number): number {
  const context = document.createElement('canvas').getContext('2d')
  if (context === null) return size * 0.602
  context.font = `${size}px ${lookOnScreen().mono}`
  return context.measureText('0'.repeat(50)).width / 50
}

export function saveText(name: string, type: string, text: string): void {
  saveBlob(name, new Blob([text], { type }))
}

export function saveSvg(picture: Picture): void {
  saveText(fileName(picture.title, 'svg'), 'image/svg+xml', svgText(picture, lookOnScreen()))
}

/** Resolves to false when the browser cannot make a picture this large. */
export async function savePng(picture: Picture): Promise<boolean> {
  const scale = Math.min(
    scaleWanted,
    canvasSideMax / picture.width,
    canvasSideMax / picture.height,
    Math.sqrt(canvasPixelsMax / (picture.width * picture.height)),
  )
  const canvas = document.createElement('canvas')
  canvas.width = Math.ceil(picture.width * scale)
  canvas.height = Math.ceil(picture.height * scale)
  const context = canvas.getContext('2d')
  if (context === null) return false
  context.scale(scale, scale)
  paint(context, picture, lookOnScreen())
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (blob === null) return false
  saveBlob(fileName(picture.title, 'png'), blob)
  return true
}

/** Draws the marks themselves: no image is loaded, so the page's policy has nothing to forbid. */
function paint(context: CanvasRenderingContext2D, picture: Picture, look: Look): void {
  context.fillStyle = look.colour('ground')
  context.fillRect(0, 0, picture.width, picture.height)
  for (const mark of picture.marks) {
    if (mark.kind === 'text') {
      context.fillStyle = look.colour(mark.tone)
      context.font = `${mark.isStrong === true ? '600 ' : ''}${mark.size}px ${mark.face === 'mono' ? look.mono : look.sans}`
      context.textAlign = mark.isAtEnd === true ? 'right' : 'left'
      context.fillText(printable(mark.text), mark.x, mark.y)
      continue
    }
    const path = new Path2D(mark.kind === 'path' ? mark.d : undefined)
    if (mark.kind === 'rect') path.roundRect(mark.x, mark.y, mark.width, mark.height, mark.radius ?? 0)
    if (mark.fill !== undefined) {
      context.fillStyle = look.colour(mark.fill)
      context.fill(path)
    }
    if (mark.stroke === undefined) continue
    context.strokeStyle = look.colour(mark.stroke)
    context.lineWidth = mark.strokeWidth ?? 1
    context.setLineDash(mark.isDashed === true ? [5, 4] : [])
    context.stroke(path)
  }
}

function saveBlob(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser has taken what it needs once the click is handled.
  setTimeout(() => URL.revokeObjectURL(address), 0)
}
