/** What a call of a tool is about, in one line. */
import type { JsonObject } from './message.ts'

/** The inputs that say most, in this order. */
const subjects = ['command', 'path', 'pattern', 'description', 'url', 'name', 'query', 'symbol', 'text']

export function textIn(values: JsonObject, name: string): string | undefined {
  const value = values[name]
  return typeof value === 'string' ? value : undefined
}

export function toolSubject(tool: string, input: JsonObject): string {
  const pattern = textIn(input, 'pattern')
  const path = textIn(input, 'path')
  if (pattern !== undefined) return path === undefined ? pattern : `${pattern}  ${path}`
  if (tool === 'apply_patch') {
    const names = [...(textIn(input, 'patchText') ?? '').matchAll(/^\*\*\* (?:Update|Add|Delete) File: (.+)$/gm)]
    return names.map(([, name]) => name).join(', ')
  }
  if (tool === 'question' && Array.isArray(input['questions'])) {
    const [first] = input['questions'] as readonly ({ readonly question?: unknown } | null)[]
    return typeof first?.question === 'string' ? (first.question.split('\n', 1)[0] ?? '') : ''
  }
  if (tool === 'flow') return ['from', 'to'].flatMap((name) => textIn(input, name) ?? []).join(' → ')
  for (const name of subjects) {
    const text = textIn(input, name)
    if (text !== undefined) return text.split('\n', 1)[0] ?? ''
  }
  const [first] = Object.values(input)
  return typeof first === 'string' ? first : ''
}
