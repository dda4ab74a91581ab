/**
 * What a model says that tells its thoughts in its text, as many open ones do: between two tags, before everything else.
 * Anywhere later the same words are part of the answer, but for whoever is known to tell thoughts there as well.
 */
export interface SaidPiece {
  readonly kind: 'reasoning' | 'text'
  readonly text: string
}

const begin = '<think>'
const end = '</think>'

export class ThoughtSplitter {
  readonly #isAnywhere: boolean
  #state: 'undecided' | 'thinking' | 'between' | 'answering' = 'undecided'
  /** What cannot be told apart from a tag yet. */
  #held = ''

  constructor(isAnywhere = false) {
    this.#isAnywhere = isAnywhere
  }

  push(text: string): SaidPiece[] {
    const said: SaidPiece[] = []
    let rest: string | undefined = this.#held + text
    this.#held = ''
    while (rest !== undefined) rest = this.#read(rest, said)
    return said
  }

  /** Answers what follows a tag; undefined when all was read, or waits for more. */
  #read(whole: string, said: SaidPiece[]): string | undefined {
    let rest = whole
    if (this.#state === 'undecided') {
      const first = rest.trimStart()
      if (first === '' || (first.length < begin.length && begin.startsWith(first))) {
        this.#held = rest
        return undefined
      }
      this.#state = first.startsWith(begin) ? 'thinking' : 'answering'
      if (this.#state === 'thinking') rest = first.slice(begin.length)
    }
    if (this.#state === 'thinking') {
      const after = this.#upTo(end, 'reasoning', rest, said)
      if (after === undefined) return undefined
      rest = after
      this.#state = 'between'
    }
    if (this.#state === 'between') {
      // Blank lines that set the answer apart are not part of it.
      rest = rest.trimStart()
      if (rest === '') return undefined
      this.#state = 'answering'
    }
    if (this.#isAnywhere) {
      const after = this.#upTo(begin, 'text', rest, said)
      if (after !== undefined) this.#state = 'thinking'
      return after
    }
    if (rest !== '') said.push({ kind: 'text', text: rest })
    return undefined
  }

  /** Says what comes before the tag, and answers what follows it; what may be the tag's beginning is held back. */
  #upTo(tag: string, kind: SaidPiece['kind'], text: string, said: SaidPiece[]): string | undefined {
    const at = text.indexOf(tag)
    const cut = at === -1 ? text.length - partOf(tag, text) : at
    if (cut > 0) said.push({ kind, text: text.slice(0, cut) })
    if (at !== -1) return text.slice(at + tag.length)
    this.#held = text.slice(cut)
    return undefined
  }

  /** What was held back, when nothing more comes. */
  end(): SaidPiece[] {
    const text = this.#held
    this.#held = ''
    return text === '' ? [] : [{ kind: this.#state === 'thinking' ? 'reasoning' : 'text', text }]
  }
}

/** How many characters at the end may be the beginning of the tag. */
function partOf(tag: string, text: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length -= 1) {
    if (text.endsWith(tag.slice(0, length))) return length
  }
  return 0
}
