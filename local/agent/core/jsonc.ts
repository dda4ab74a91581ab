/** JSON with comments and trailing commas, and errors that name the line. */
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'

export interface JsoncProblem {
  readonly line: number
  readonly message: string
}

export function parseJsonc(text: string): Result<unknown, JsoncProblem> {
  const plain = blankComments(text)
  if (!plain.ok) return plain
  try {
    return succeed(JSON.parse(plain.value))
  } catch {
    const position = firstMistake(plain.value)
    const found = position >= text.length ? 'the text ends too early' : `unexpected ${JSON.stringify(text[position])}`
    return failWith({ line: lineAt(text, position), message: found })
  }
}

/** Where a text stops being JSON. The engine's own message names the place only sometimes. */
function firstMistake(text: string): number {
  const token = /\s*(?:[{}[\]:,]|"(?:[^"\\\n]|\\.)*"|-?\d[\d.eE+-]*|true|false|null)/y
  const open: ('{' | '[')[] = []
  // What may come next: a value, a key, the colon after it, or what follows a value.
  let wanted: 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'next' | 'nothing' = 'value'
  let position = 0
  for (;;) {
    token.lastIndex = position
    const match = token.exec(text)
    const start = position + (/^\s*/.exec(text.slice(position))?.[0].length ?? 0)
    if (match === null) return start
    const symbol = match[0].trim()
    const isClosing = symbol === '}' || symbol === ']'
    if (isClosing) {
      const mayClose = wanted === 'next' || (symbol === '}' ? wanted === 'key or end' : wanted === 'value or end')
      if (!mayClose || open.pop() !== (symbol === '}' ? '{' : '[')) return start
      wanted = open.length === 0 ? 'nothing' : 'next'
    } else if (wanted === 'colon') {
      if (symbol !== ':') return start
      wanted = 'value'
    } else if (wanted === 'next') {
      if (symbol !== ',') return start
      wanted = open.at(-1) === '{' ? 'key' : 'value'
    } else if (wanted === 'key' || wanted === 'key or end') {
      if (!symbol.startsWith('"')) return start
      wanted = 'colon'
    } else if (wanted === 'nothing' || symbol === ':' || symbol === ',') return start
    else if (symbol === '{' || symbol === '[') {
      open.push(symbol)
      wanted = symbol === '{' ? 'key or end' : 'value or end'
    } else wanted = open.length === 0 ? 'nothing' : 'next'
    position = token.lastIndex
  }
}

function lineAt(text: string, position: number): number {
  return text.slice(0, position).split('\n').length
}

/** Line on which a key path is written, as well as can be told without a full parse: the last key found in order. */
export function lineOfPath(text: string, path: readonly PropertyKey[]): number {
  let position = 0
  for (const key of path) {
    if (typeof key !== 'string') continue
    const found = text.indexOf(`"${key}"`, position)
    if (found < 0) break
    position = found
  }
  return lineAt(text, position)
}

/** Comments and trailing commas become blanks, so that positions stay what they were. */
function blankComments(text: string): Result<string, JsoncProblem> {
  const out = [...text]
  let position = 0
  let lastComma = -1
  while (position < out.length) {
    const character = out[position]
    if (character === '"') {
      const start = position
      position += 1
      while (position < out.length && out[position] !== '"') position += out[position] === '\\' ? 2 : 1
      if (position >= out.length) return failWith({ line: lineAt(text, start), message: 'a text is not closed' })
      lastComma = -1
    } else if (character === '/' && out[position + 1] === '/') {
      while (position < out.length && out[position] !== '\n') {
        out[position] = ' '
        position += 1
      }
      continue
    } else if (character === '/' && out[position + 1] === '*') {
      const start = position
      while (position < out.length && !(out[position] === '*' && out[position + 1] === '/')) {
        if (out[position] !== '\n') out[position] = ' '
        position += 1
      }
      if (position >= out.length) return failWith({ line: lineAt(text, start), message: 'a comment is not closed' })
      out[position] = ' '
      out[position + 1] = ' '
      position += 1
    } else if (character === ',') lastComma = position
    else if ((character === '}' || character === ']') && lastComma >= 0) {
      out[lastComma] = ' '
      lastComma = -1
    } else if (character !== undefined && !/\s/.test(character)) lastComma = -1
    position += 1
  }
  return succeed(out.join(''))
}
