/** What the text of a function says of a name: handed to it, made in it, handed out by it. And where blocks end. */
import type { NodeRow } from '../../../indexer/core/rows.ts'
import { argumentsOf } from './chains.ts'
import type { CodeFile } from './code-file.ts'

const receiverOfFunction = new Set(['self', 'cls', '&self', '&mut self'])

function headOf(code: CodeFile, { line, name }: NodeRow): readonly { readonly text: string }[] {
  const start = code.offset(line, 0)
  const named = code.text.indexOf(name, start)
  const open = code.text.indexOf('(', named === -1 ? start : named)
  return open === -1
    ? []
    : argumentsOf(code.text, open, code.endOfCall(open)).filter((one) => !receiverOfFunction.has(one.text))
}

/** Which of the things handed to a function has this name. */
export function parameterPlace(code: CodeFile, around: NodeRow, name: string): number | undefined {
  const place = headOf(code, around).findIndex(({ text }) => {
    // The name stands before its type, or behind it.
    const words = (text.split(/[:=]/)[0] ?? '').match(/[A-Za-z_]\w*/g) ?? []
    return (words[0] === 'mut' ? words[1] : words[0]) === name || words.at(-1) === name
  })
  return place === -1 ? undefined : place
}

function bodyOf(code: CodeFile, { line, endLine }: NodeRow): string {
  return code.text
    .slice(code.offset(line, 0), code.offset(endLine + 1, 0) || undefined)
    .slice(0, code.bounds.functionChars)
}

export function isLocal(code: CodeFile, around: NodeRow, name: string): boolean {
  if (parameterPlace(code, around, name) !== undefined) return true
  return new RegExp(`(?:^|[^.\\w$])\\$?${escaped(name)}\\s*(?::[^=\\n]*)?:?=[^=>]`).test(bodyOf(code, around))
}

/** Whether a function ends with the router of this name. */
export function isHandedOut(code: CodeFile, around: NodeRow, name: string): boolean {
  const word = escaped(name)
  return new RegExp(`\\breturn\\s+\\$?${word}\\b|\\n\\s*${word}\\s*\\n?\\s*\\}?\\s*$`).test(bodyOf(code, around))
}

function escaped(name: string): string {
  return name.replace(/[^\w]/g, String.raw`\$&`)
}

/** Where a block ends whose first and last line are indented alike. */
export function endOfIndented(code: CodeFile, from: number): number {
  const line = code.line(from)
  const indent = /^[ \t]*/.exec(code.lines[line - 1] ?? '')?.[0] ?? ''
  const rest = code.lines.slice(line).findIndex((one) => one.startsWith(`${indent}end`))
  return rest === -1 ? code.text.length : code.offset(line + 1 + rest, 0)
}
