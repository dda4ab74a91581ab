/**
 * Splits a shell line into the simple commands it runs, so that each can be judged by itself. The grammar covered is
 * the part whose meaning is in the text: words, quotes, `;`, `&&`, `||`, `|`, `&` and line ends. Whatever can run or
 * change something that the words do not show (expansion, substitution, redirection to a file, assignments, compound
 * commands) makes the whole line opaque, and an opaque line is never approved by a rule for particular commands.
 */
import { coveringPattern, doesMore } from './command-grammar.ts'
import type { PermissionResource } from './permission.ts'
import type { OpaqueReason } from './vocabulary.ts'

interface SimpleCommand {
  /** The words, quoted again where needed: one spelling for one meaning. */
  readonly text: string
  /** What `always` would store: a pattern, or the very text, or nothing where the text would be taken for a pattern. */
  readonly always: string | undefined
  /** Only a rule of the same text vouches for it among those that were stored. */
  readonly isExact: boolean
  /** No rule for particular texts vouches for it. */
  readonly doesMore: boolean
}

export type ShellLine =
  | { readonly kind: 'simple'; readonly commands: readonly SimpleCommand[] }
  | { readonly kind: 'opaque'; readonly reason: OpaqueReason }

const opaqueCharacters = new Map<string, OpaqueReason>([
  ['$', 'an expansion'],
  ['`', 'a substitution'],
  ['(', 'a group'],
  [')', 'a group'],
  ['{', 'a brace'],
  ['}', 'a brace'],
  ['!', 'a history expansion or negation'],
  ['~', 'a home directory'],
])

export function splitShellLine(line: string): ShellLine {
  const commands: SimpleCommand[] = []
  let words: string[] = []
  let word: string | undefined
  let isQuoted = false
  let position = 0

  function endWord() {
    if (word === undefined) return
    words.push(word)
    word = undefined
  }
  function endCommand(): OpaqueReason | undefined {
    endWord()
    if (words.length === 0) return undefined
    const refused = refuseWords(words, isQuoted)
    if (refused !== undefined) return refused
    commands.push(describeCommand(words))
    words = []
    isQuoted = false
    return undefined
  }
  const opaque = (reason: OpaqueReason): ShellLine => ({ kind: 'opaque', reason })

  while (position < line.length) {
    const character = line.charAt(position)
    const redirect =
      word === undefined || /^\d$/.test(word) ? harmlessRedirect(line, position, word !== undefined) : undefined
    if (redirect !== undefined) {
      word = undefined
      position += redirect
      continue
    }
    const why = opaqueCharacters.get(character)
    if (why !== undefined) return opaque(why)
    if (character === '<' || character === '>') return opaque('a redirection')
    if (character === '\\') {
      const next = line[position + 1]
      if (next === undefined || next === '\n') return opaque('a continued line')
      word = (word ?? '') + next
      if (words.length === 0) isQuoted = true
      position += 2
    } else if (character === "'") {
      const end = line.indexOf("'", position + 1)
      if (end < 0) return opaque('an open quote')
      word = (word ?? '') + line.slice(position + 1, end)
      if (words.length === 0) isQuoted = true
      position = end + 1
    } else if (character === '"') {
      const quoted = readDoubleQuoted(line, position + 1)
      if (quoted === undefined) return opaque('a quote with an expansion, or an open one')
      word = (word ?? '') + quoted.text
      if (words.length === 0) isQuoted = true
      position = quoted.end
    } else if (character === ' ' || character === '\t') {
      endWord()
      position += 1
    } else if (character === '#' && word === undefined) {
      const end = line.indexOf('\n', position)
      position = end < 0 ? line.length : end
    } else if (character === ';' || character === '|' || character === '&' || character === '\n') {
      const refused = endCommand()
      if (refused !== undefined) return opaque(refused)
      const next = line[position + 1]
      if (character === ';' && next === ';') return opaque('a case branch')
      if (character === '|' && next === '&') return opaque('a redirection')
      position += (character === '&' || character === '|') && next === character ? 2 : 1
    } else if (character < ' ' || character === '\u007f') return opaque('a control character')
    else {
      word = (word ?? '') + character
      position += 1
    }
  }
  const refused = endCommand()
  if (refused !== undefined) return opaque(refused)
  return commands.length === 0 ? opaque('nothing to run') : { kind: 'simple', commands }
}

/** Length of a redirection that changes no file: to another stream, or away. */
function harmlessRedirect(line: string, position: number, hasStream: boolean): number | undefined {
  const rest = line.slice(position, position + 32)
  const match = hasStream
    ? /^>(?:&[12]|>? ?\/dev\/null)(?=[\s;&|]|$)/.exec(rest)
    : /^(?:>(?:&[12]|>? ?\/dev\/null)|<\/dev\/null)(?=[\s;&|]|$)/.exec(rest)
  return match?.[0].length
}

function readDoubleQuoted(line: string, start: number): { text: string; end: number } | undefined {
  let text = ''
  let position = start
  while (position < line.length) {
    const character = line.charAt(position)
    if (character === '"') return { text, end: position + 1 }
    if (character === '$' || character === '`' || character === '!') return undefined
    if (character === '\\') {
      const next = line[position + 1]
      if (next === undefined || next === '\n') return undefined
      text += '"\\$`'.includes(next) ? next : `\\${next}`
      position += 2
    } else {
      text += character
      position += 1
    }
  }
  return undefined
}

const reservedWords = new Set(
  'if then else elif fi for in do done while until case esac select function time coproc [[ ]] [ test'.split(' '),
)

function refuseWords(words: readonly string[], firstIsQuoted: boolean): OpaqueReason | undefined {
  const [first] = words
  if (first === undefined || first === '') return 'an empty command'
  if (/^[A-Za-z_][A-Za-z0-9_]*(\[.*\])?\+?=/.test(first)) return 'an assignment'
  if (!firstIsQuoted && reservedWords.has(first)) return 'a compound command'
  if (/[*?[\]]/.test(first)) return 'a pattern in the place of a command'
  return undefined
}

function quoteWord(word: string): string {
  if (/^[A-Za-z0-9_@%+=:,./*?[\]-]+$/.test(word)) return word
  return `'${word.replaceAll("'", "'\\''")}'`
}

function describeCommand(words: readonly string[]): SimpleCommand {
  const text = words.map(quoteWord).join(' ')
  const pattern = coveringPattern(words)
  return {
    text,
    always: pattern ?? (/[*?]/.test(text) ? undefined : text),
    isExact: pattern === undefined,
    doesMore: doesMore(words),
  }
}

/** A shell line as rules judge it: one entry for each command, or one for a line that cannot be split. */
export function shellResources(line: ShellLine, command: string): PermissionResource[] {
  if (line.kind === 'opaque') return [{ text: command, isOpaque: true }]
  return line.commands.map(({ text, isExact, doesMore: isOpaque }) => ({ text, isExact, isOpaque }))
}
