/** Lines of classified tokens. The texts of a line's tokens are exactly that line, and identifiers stand alone. */

export const syntaxClassNames = ['other', 'ident', 'comment', 'string', 'keyword', 'number', 'type', 'def'] as const
export type SyntaxClass = (typeof syntaxClassNames)[number]
export type Token = readonly [number, string]

export interface ClassifiedSpan {
  readonly start: number
  readonly end: number
  readonly of: SyntaxClass
}

const definers =
  /declaration|definition|declarator|_item|_spec|_specifier|class|method|function|signature|module|singleton|enum|struct|trait|interface|assignment/

/** Class of a leaf by its kind in the grammar; the names grammars use are close enough to share one rule. */
export function classify(type: string, isNamed: boolean, field: string, parent: string): SyntaxClass {
  if (/comment/.test(type)) return 'comment'
  if (/string|char_literal|character_literal|regex|heredoc|escape_sequence/.test(type)) return 'string'
  if (/number|integer|float|decimal|_literal$/.test(type) && /int|num|float|decimal|real/.test(type)) return 'number'
  if (!isNamed) return /^[a-z_][\w]*$/i.test(type) ? 'keyword' : 'other'
  if (/^(true|false|null|nil|none|undefined|this|self|super)$/i.test(type)) return 'keyword'
  if (/identifier|constant|name$|word/.test(type)) {
    if ((field === 'name' || field === 'declarator') && definers.test(parent)) return 'def'
    return /type/.test(type) ? 'type' : 'ident'
  }
  return /type|primitive/.test(type) ? 'type' : 'other'
}

/** Splits a text as answers count lines: a trailing carriage return is dropped, a final newline adds no line. */
export function splitLines(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
}

export function plainLines(text: string): Token[][] {
  return tokenLines(text, [])
}

const identifier = /[\p{L}_$][\p{L}\p{N}_$]*/gu

export function tokenLines(text: string, spans: readonly ClassifiedSpan[]): Token[][] {
  const lines: Token[][] = []
  const texts = splitLines(text)
  let offset = 0
  let span = 0
  for (const line of texts) {
    const tokens: Token[] = []
    let at = offset
    const end = offset + line.length
    while (at < end) {
      while ((spans[span]?.end ?? Number.POSITIVE_INFINITY) <= at) span += 1
      const current = spans[span]
      if (current === undefined || current.start >= end) {
        push(tokens, 'other', text.slice(at, end))
        at = end
      } else if (current.start > at) {
        push(tokens, 'other', text.slice(at, current.start))
        at = current.start
      } else {
        const stop = Math.min(current.end, end)
        push(tokens, current.of, text.slice(at, stop))
        at = stop
      }
    }
    lines.push(tokens)
    offset = text.indexOf('\n', end) + 1
    if (offset === 0) break
  }
  return lines
}

const wholeClasses = new Set<SyntaxClass>(['comment', 'string'])

function push(tokens: Token[], of: SyntaxClass, text: string): void {
  if (text === '') return
  if (wholeClasses.has(of)) {
    append(tokens, of, text, true)
    return
  }
  let at = 0
  for (const match of text.matchAll(identifier)) {
    if (match.index > at)
      append(
        tokens,
        of === 'ident' || of === 'def' || of === 'type' || of === 'keyword' ? 'other' : of,
        text.slice(at, match.index),
        true,
      )
    append(tokens, of === 'other' ? 'ident' : of, match[0], false)
    at = match.index + match[0].length
  }
  if (at < text.length) append(tokens, of === 'number' ? 'number' : 'other', text.slice(at), true)
}

function append(tokens: Token[], of: SyntaxClass, text: string, mayMerge: boolean): void {
  const index = syntaxClassNames.indexOf(of)
  const last = tokens.at(-1)
  if (mayMerge && last !== undefined && last[0] === index && !isWord(last[1]))
    tokens[tokens.length - 1] = [index, last[1] + text]
  else tokens.push([index, text])
}

function isWord(text: string): boolean {
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(text)
}
