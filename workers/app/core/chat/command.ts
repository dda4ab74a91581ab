/** What somebody wrote to the bot. */
import type { ChatCommand } from '../vocabulary.ts'

export type Written =
  | { readonly kind: 'help' | 'new' }
  | { readonly kind: 'command'; readonly command: Exclude<ChatCommand, 'push' | 'assistant'>; readonly words: string }
  | { readonly kind: 'resume'; readonly words: string }
  | { readonly kind: 'pair'; readonly code: string }
  | { readonly kind: 'unknown' }
  /** No command: for the assistant. */
  | { readonly kind: 'text'; readonly text: string }

/** As the platform offers them; `@name` after one says which bot is meant. */
const pattern = /^\/([A-Za-z_]{1,32})(?:@\w{1,64})?(?:\s+([\s\S]*))?$/

export function readWritten(text: string): Written {
  const whole = text.trim()
  const match = pattern.exec(whole)
  if (match === null) return whole.startsWith('/') ? { kind: 'unknown' } : { kind: 'text', text: whole }
  const words = (match[2] ?? '').trim()
  const name = (match[1] ?? '').toLowerCase()
  switch (name) {
    case 'start':
      // A link that the console shows brings the code; without one somebody says hello.
      return words === '' ? { kind: 'help' } : { kind: 'pair', code: words }
    case 'pair':
      return { kind: 'pair', code: words }
    case 'help':
    case 'new':
      return { kind: name }
    case 'resume':
      return { kind: 'resume', words }
    case 'status':
    case 'sites':
    case 'torrents':
    case 'search':
    case 'pause':
    case 'brush':
      return { kind: 'command', command: name, words }
    default:
      return { kind: 'unknown' }
  }
}

/** In pieces that the platform takes, cut at ends of lines where there are some; `most` of them, the last one marked. */
export function inPieces(text: string, charactersMax: number, most: number): string[] {
  const pieces: string[] = []
  let rest = text
  while (rest.length > charactersMax && pieces.length < most - 1) {
    const line = rest.lastIndexOf('\n', charactersMax)
    let end = line > charactersMax / 2 ? line : charactersMax
    // Not between the halves of a character.
    if (end < rest.length && /[\uDC00-\uDFFF]/.test(rest.charAt(end))) end -= 1
    pieces.push(rest.slice(0, end))
    rest = rest.slice(end).replace(/^\n/, '')
  }
  if (rest.length <= charactersMax) return [...pieces, rest]
  const end = charactersMax - 1
  return [...pieces, `${rest.slice(0, /[\uDC00-\uDFFF]/.test(rest.charAt(end)) ? end - 1 : end)}…`]
}
