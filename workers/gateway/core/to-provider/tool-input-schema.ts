import type { JsonRecord } from '#shared/kernel/json-record.ts'

/** The provider refuses a schema that does not say it is an object's; clients leave that out of a tool without arguments. */
export function toolInputSchema(parameters: JsonRecord | null | undefined): JsonRecord {
  return parameters?.['type'] === undefined ? { type: 'object', properties: {}, ...parameters } : parameters
}
