/** What a message says in words: what its user wrote and what the model answered, not what tools were given and gave. */
import type { Message } from './message.ts'

export interface Said {
  readonly by: 'user' | 'assistant'
  readonly excerpt: string
  /** Where in it the words begin. */
  readonly at: number
}

const before = 60
const after = 140

/** The first place of a message that says the words, in lower case; undefined where none does. */
export function findSaid(message: Message, words: string): Said | undefined {
  const wanted = words.toLowerCase()
  for (const text of textsOf(message)) {
    const at = text.toLowerCase().indexOf(wanted)
    if (at === -1) continue
    const by = message.type === 'user' ? 'user' : 'assistant'
    return { by, ...excerptAround(text, at, wanted.length) }
  }
  return undefined
}

function textsOf(message: Message): readonly string[] {
  if (message.type === 'user') return [message.text]
  if (message.type !== 'assistant') return []
  return message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
}

/** Whole characters, on one line. */
function excerptAround(text: string, at: number, length: number): { readonly excerpt: string; readonly at: number } {
  const line = (piece: string) => piece.replace(/\s+/g, ' ').toWellFormed()
  const start = Math.max(0, at - before)
  const end = Math.min(text.length, at + length + after)
  const lead = `${start > 0 ? '…' : ''}${line(text.slice(start, at)).replace(/^[\uFFFD ]+/, '')}`
  const rest = line(text.slice(at, end)).replace(/[\uFFFD ]+$/, '')
  return { excerpt: `${lead}${rest}${end < text.length ? '…' : ''}`, at: lead.length }
}
