import type { z } from '@hono/zod-openapi'
import { type Failure, failure } from '../core/failure.ts'
import type { Reason, RuleUnit } from '../core/reason/reason.ts'
import { isReason } from '../core/reason/stored-reason.ts'
import { redact } from '../core/redact.ts'

/**
 * Turns what the schema found into one failure. An unknown field, or a value of the wrong type in a body, means the
 * caller sent something else than the endpoint takes: `invalid_body`. A value that is missing or out of range is a
 * wrong parameter: `invalid_argument`, and the reason names it.
 */
export function describeIssues(where: 'params' | 'query' | 'body', input: unknown, error: z.ZodError): Failure {
  const issues = error.issues
  const malformed = where === 'body' ? issues.find((issue) => isMalformed(issue, input)) : undefined
  const issue = malformed ?? issues[0]
  if (issue === undefined) throw new Error('a schema refused an input without an issue')
  if (issue.code === 'unrecognized_keys')
    return failure('invalid_body', { kind: 'field.unknown', fields: issue.keys.map((key) => quote(key)) })
  const field = quote(issue.path.map(String).join('.'))
  const rule = ruleOf(issue)
  const withRule = rule === undefined ? {} : { rule }
  if (malformed !== undefined) {
    return failure(
      'invalid_body',
      field === '' ? { kind: 'body.not_an_object' } : { kind: 'field.wrong_type', field, ...withRule },
    )
  }
  const part = where === 'body' ? 'field' : 'parameter'
  return failure(
    'invalid_argument',
    valueAt(input, issue.path) === undefined
      ? { kind: 'field.missing', field, part }
      : { kind: 'field.wrong', field, part, ...withRule },
  )
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

function ruleOf(issue: z.core.$ZodIssue): Reason | undefined {
  switch (issue.code) {
    case 'invalid_value':
      return { kind: 'rule.one_of', values: issue.values.map(String) }
    case 'too_big':
      return { kind: 'rule.at_most', limit: Number(issue.maximum), unit: unitOf(issue.origin) }
    case 'too_small':
      return { kind: 'rule.at_least', limit: Number(issue.minimum), unit: unitOf(issue.origin) }
    case 'custom': {
      const rule: unknown = issue.params?.['rule']
      return isReason(rule) ? rule : undefined
    }
    default:
      return undefined
  }
}

function unitOf(origin: string): RuleUnit {
  if (origin === 'number' || origin === 'int') return 'number'
  return origin === 'string' ? 'characters' : 'items'
}

/** Names come from the caller: shown short, without control characters and without what reads as a secret. */
function quote(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed
  return redact(name.replace(/[\u0000-\u001f\u007f]/g, '').slice(0, 64))
}
