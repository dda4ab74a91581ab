/** What a saved picture is made of. Colours are names of the page's tokens, so that a picture takes on either theme. */
export type Tone =
  | 'ground'
  | 'surface'
  | 'line'
  | 'line-2'
  | 'edge'
  | 'ink'
  | 'ink-2'
  | 'ink-3'
  | 'accent'
  | 'accent-soft'
  | 'bad'
  | 'plot-2'
  | 'code-line'
  | 'c-comment'
  | 'c-string'
  | 'c-keyword'
  | 'c-number'
  | 'c-type'
  | 'c-def'

export type Mark =
  | {
      readonly kind: 'rect'
      readonly x: number
      readonly y: number
      readonly width: number
      readonly height: number
      readonly radius?: number
      readonly fill?: Tone
      readonly stroke?: Tone
      readonly strokeWidth?: number
      readonly isDashed?: boolean
    }
  | {
      readonly kind: 'path'
      readonly d: string
      readonly fill?: Tone
      readonly stroke?: Tone
      readonly strokeWidth?: number
      readonly isDashed?: boolean
    }
  | {
      readonly kind: 'text'
      readonly x: number
      /** The baseline. */
      readonly y: number
      readonly text: string
      readonly tone: Tone
      readonly size: number
      readonly face: 'mono' | 'sans'
      readonly isStrong?: boolean
      readonly isAtEnd?: boolean
    }

type TextMark = Extract<Mark, { kind: 'text' }>

/** Text in the prose face unless `more` says otherwise. */
export function textMark(
  x: number,
  y: number,
  text: string,
  tone: Tone,
  size: number,
  more: Partial<Pick<TextMark, 'face' | 'isStrong' | 'isAtEnd'>> = {},
): TextMark {
  return { kind: 'text', x, y, text, tone, size, face: 'sans', ...more }
}

export interface Picture {
  readonly width: number
  readonly height: number
  readonly title: string
  readonly marks: readonly Mark[]
}

/** Wide letters of East Asia take two cells of a fixed-width face. */
const wide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/

export function cellsOf(text: string): number {
  let cells = 0
  for (const letter of text) cells += wide.test(letter) ? 2 : 1
  return cells
}

/** A name that keeps its end, where names of folders and files differ. */
export function keepEnd(text: string, cellsMax: number): string {
  if (cellsOf(text) <= cellsMax) return text
  const letters = [...text]
  let cells = 1
  let from = letters.length
  while (from > 0) {
    const letter = letters[from - 1] ?? ''
    if (cells + cellsOf(letter) > cellsMax) break
    cells += cellsOf(letter)
    from -= 1
  }
  return `…${letters.slice(from).join('')}`
}

export function keepStart(text: string, cellsMax: number): string {
  if (cellsOf(text) <= cellsMax) return text
  let kept = ''
  let cells = 1
  for (const letter of text) {
    cells += cellsOf(letter)
    if (cells > cellsMax) break
    kept += letter
  }
  return `${kept}…`
}

/** Prose in lines of at most so many cells; a word longer than a line is cut. */
export function wrapWords(text: string, cellsMax: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/).flatMap((one) => pieces(one, cellsMax))) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && cellsOf(longer) > cellsMax) {
      lines.push(line)
      line = word
    } else line = longer
  }
  return line === '' ? lines : [...lines, line]
}

function pieces(word: string, cellsMax: number): string[] {
  const found: string[] = []
  let piece = ''
  let cells = 0
  for (const letter of word) {
    if (piece !== '' && cells + cellsOf(letter) > cellsMax) {
      found.push(piece)
      piece = ''
      cells = 0
    }
    piece += letter
    cells += cellsOf(letter)
  }
  return piece === '' ? found : [...found, piece]
}
