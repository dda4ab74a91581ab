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
  } catch (error) {
    const said = error instanceof Error ? error.message : ''
    const position = /position (\d+)/.exec(said)?.[1]
    const line = position === undefined ? text.split('\n').length : lineAt(text, Number(position))
    return failWith({ line, message: said.replace(/ in JSON at position.*$/, '').replace(/, ".*$/s, '') || 'not JSON' })
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
