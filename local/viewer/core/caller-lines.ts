/** The lines by which a symbol is used, beside those who use it. */
import type { NodeAnswer, Relation } from '../contract/wire.ts'
import { splitLines } from './token-lines.ts'

type Incoming = NodeAnswer['incoming']

interface CallerLineBounds {
  readonly files: number
  readonly chars: number
}

/** `textOf`: the text of a file as it was indexed; undefined where it is another one now, or none. */
export function withCallerLines(
  incoming: Incoming,
  textOf: (file: string) => string | undefined,
  { files, chars }: CallerLineBounds,
): Incoming {
  const read = new Map<string, readonly string[]>()
  const linesOf = (file: string): readonly string[] => {
    const known = read.get(file)
    if (known !== undefined || read.size >= files) return known ?? []
    const text = textOf(file)
    const lines = text === undefined ? [] : splitLines(text)
    read.set(file, lines)
    return lines
  }
  const told = (one: Relation) => {
    // Where a file imports what it uses, the use says more.
    const line = one.edges.find((edge) => edge.kind !== 'imports')?.line ?? one.lines[0]
    const text = line === undefined ? undefined : linesOf(one.node.file)[line - 1]?.trim().slice(0, chars)
    return text === undefined || text === '' ? one : { ...one, text }
  }
  return { ...incoming, items: incoming.items.map(told) }
}
