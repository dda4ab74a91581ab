/** What a text in YAML may look like before it is taken apart: others wrote it, and parsers are patient. */
import { isMap, isSeq, Lexer, type ParsedNode } from 'yaml'

/** Tables and lists in each other; the deepest definition in use has 7. */
export const definitionDepthMax = 30
/** Anchors, tags and directives of one definition; those in use have none. */
export const definitionMarksMax = 100

/** Signs of the format: brackets, words, line ends. The largest definition in use has 26,000. */
export const definitionSignsMax = 50_000

/** The signs of a text; undefined for one nested too deeply, ended more often than begun, or full of marks or signs. */
export function signsOf(source: string): readonly string[] | undefined {
  const found: string[] = []
  let depth = 0
  let marks = 0
  let lists = 0
  let isText = false
  for (const sign of new Lexer().lex(source)) {
    found.push(sign)
    if (found.length > definitionSignsMax) return undefined
    if (isText || sign === textFollows) {
      isText = !isText
      continue
    }
    const first = sign[0] ?? ''
    if (first === '\n' || first === '\r') lists = 0
    else if (first === '[' || first === '{') depth += 1
    else if (first === ']' || first === '}') depth -= 1
    else if (sign === '-' || sign === '?') lists += 1
    else if ('&!%'.includes(first)) marks += 1
    if (depth < 0 || depth > definitionDepthMax || lists > definitionDepthMax || marks > definitionMarksMax)
      return undefined
  }
  return found
}

const textFollows = '\u001f'

/** Where a table has a name for the second time. */
export function nameTwice(root: unknown): number | undefined {
  const open: unknown[] = [root]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (isSeq(node)) open.push(...node.items)
    if (!isMap(node)) continue
    const names = new Set<string>()
    for (const { key, value } of node.items) {
      const name = String((key as { value?: unknown } | null)?.value ?? key)
      if (names.has(name)) return (key as ParsedNode | null)?.range?.[0] ?? 0
      names.add(name)
      if (value !== null) open.push(value)
    }
  }
  return undefined
}
