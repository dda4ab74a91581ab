/**
 * How a text file is written apart from its words: a mark at its beginning, and how its lines end. Models see and change
 * files without either, and what they change is written the way the file was.
 */

export interface TextForm {
  readonly mark: '' | '\uFEFF'
  /** Every line ends with both characters. A file that mixes them is left as it is. */
  readonly hasPairs: boolean
}

export interface TextFile {
  readonly text: string
  readonly form: TextForm
}

export const plainForm: TextForm = { mark: '', hasPairs: false }

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Undefined for what is not text, or in another encoding: writing it back would spoil what was not understood. */
export function readTextFile(bytes: Uint8Array): TextFile | undefined {
  if (bytes.includes(0)) return undefined
  let whole: string
  try {
    whole = strict.decode(bytes)
  } catch {
    return undefined
  }
  const mark = whole.startsWith('\uFEFF') ? '\uFEFF' : ''
  const words = whole.slice(mark.length)
  const hasPairs = words.includes('\r\n') && !/\r(?!\n)|(?<!\r)\n/.test(words)
  return { text: hasPairs ? words.replaceAll('\r\n', '\n') : words, form: { mark, hasPairs } }
}

/** A text of the model for such a file, as it stands beside what was read of it. */
export function inForm(text: string, { mark, hasPairs }: TextForm): string {
  const words = mark !== '' && text.startsWith(mark) ? text.slice(mark.length) : text
  return hasPairs ? words.replaceAll('\r\n', '\n') : words
}

export function writtenAs(text: string, { mark, hasPairs }: TextForm): string {
  return mark + (hasPairs ? text.replaceAll('\n', '\r\n') : text)
}
