/**
 * What a model says that tells its thoughts in its text, as many open ones do: between two tags, before everything else.
 * Anywhere later the same words are part of the answer.
 */
export interface SaidPiece {
  readonly kind: 'reasoning' | 'text'
  readonly text: string
}

const begin = '<think>'
const end = '</think>'

export class ThoughtSplitter {
  #state: 'undecided' | 'thinking' | 'between' | 'answering' = 'undecided'
  /** What cannot be told apart from a tag yet. */
  #held = ''

  push(text: string): SaidPiece[] {
    let rest = this.#held + text
    this.#held = ''
    const said: SaidPiece[] = []
    if (this.#state === 'undecided') {
      const first = rest.trimStart()
      if (first === '' || (first.length < begin.length && begin.startsWith(first))) {
        this.#held = rest
        return said
      }
      this.#state = first.startsWith(begin) ? 'thinking' : 'answering'
      if (this.#state === 'thinking') rest = first.slice(begin.length)
    }
    if (this.#state === 'thinking') {
      const at = rest.indexOf(end)
      const cut = at === -1 ? rest.length - partOfTag(rest) : at
      if (cut > 0) said.push({ kind: 'reasoning', text: rest.slice(0, cut) })
      if (at === -1) {
        this.#held = rest.slice(cut)
        return said
      }
      rest = rest.slice(at + end.length)
      this.#state = 'between'
    }
    if (this.#state === 'between') {
      // Blank lines that set the answer apart are not part of it.
      rest = rest.trimStart()
      if (rest === '') return said
      this.#state = 'answering'
    }
    if (rest !== '') said.push({ kind: 'text', text: rest })
    return said
  }

  /** What was held back, when nothing more comes. */
  end(): SaidPiece[] {
    const text = this.#held
    this.#held = ''
    return text === '' ? [] : [{ kind: this.#state === 'thinking' ? 'reasoning' : 'text', text }]
  }
}

/** How many characters at the end may be the beginning of the closing tag. */
function partOfTag(text: string): number {
  for (let length = Math.min(end.length - 1, text.length); length > 0; length -= 1) {
    if (text.endsWith(end.slice(0, length))) return length
  }
  return 0
}
