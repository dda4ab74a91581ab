import type { z } from '@hono/zod-openapi'
import { type Failure, failure } from '../core/failure.ts'

/**
 * Turns what the schema found into one failure. An unknown field, or a value of the wrong type in a body, means the
 * caller sent something else than the endpoint takes: `invalid_body`. A value that is missing or out of range is a
 * wrong parameter: `invalid_argument`, and the message names it.
 */
export function describeIssues(part: 'params' | 'query' | 'body', input: unknown, error: z.ZodError): Failure {
  const issues = error.issues
  const malformed = part === 'body' ? issues.find((issue) => isMalformed(issue, input)) : undefined
  const issue = malformed ?? issues[0]
  if (issue === undefined) throw new Error('a schema refused an input without an issue')
  if (issue.code === 'unrecognized_keys') {
    return failure('invalid_body', `请求包含未知字段：${issue.keys.map((key) => quote(key)).join('、')}`)
  }
  const name = issue.path.length === 0 ? '' : issue.path.map(String).join('.')
  const rule = ruleOf(issue)
  if (malformed !== undefined) {
    return failure('invalid_body', name === '' ? '请求体必须是 JSON 对象' : `字段 ${quote(name)} 的类型不对${rule}`)
  }
  const missing = valueAt(input, issue.path) === undefined
  const noun = part === 'body' ? '字段' : '参数'
  return failure('invalid_argument', missing ? `缺少${noun} ${quote(name)}` : `${noun} ${quote(name)} 不正确${rule}`)
}

function isMalformed(issue: z.core.$ZodIssue, input: unknown): boolean {
  if (issue.code === 'unrecognized_keys') return true
  const value = valueAt(input, issue.path)
  if (issue.code === 'invalid_type') return value !== undefined
  return issue.code === 'invalid_value' && value !== undefined && typeof value !== typeof issue.values[0]
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Record<PropertyKey, unknown>)[key]
  }
  return value
}

function ruleOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_value':
      return `，可用的值：${issue.values.map(String).join('、')}`
    case 'too_big':
      return issue.origin === 'number' || issue.origin === 'int'
        ? `，最大为 ${issue.maximum}`
        : `，最多 ${issue.maximum} ${issue.origin === 'string' ? '个字符' : '项'}`
    case 'too_small':
      return issue.origin === 'number' || issue.origin === 'int'
        ? `，最小为 ${issue.minimum}`
        : `，至少 ${issue.minimum} ${issue.origin === 'string' ? '个字符' : '项'}`
    case 'custom':
      return issue.message === 'Invalid input' ? '' : `，${issue.message}`
    default:
      return ''
  }
}

/** Names come from the caller: shown short and without control characters. */
function quote(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed
  return name.replace(/[\u0000-\u001f\u007f]/g, '').slice(0, 64)
}
