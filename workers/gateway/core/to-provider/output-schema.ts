import { isRecord, type JsonRecord } from '#shared/kernel/json-record.ts'

export interface OutputSchema {
  readonly name?: string
  readonly description?: string
  readonly schema: JsonRecord
}

/** Some families demand that every object of a schema says it is closed. Where it says nothing, it is. */
export function withClosedObjects(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withClosedObjects)
  if (!isRecord(schema)) return schema
  const copy: Record<string, unknown> = {}
  for (const [member, value] of Object.entries(schema)) copy[member] = withClosedObjects(value)
  const isObject = schema['type'] === 'object' || isRecord(schema['properties'])
  if (isObject && schema['additionalProperties'] === undefined) copy['additionalProperties'] = false
  return copy
}
