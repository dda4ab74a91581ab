import { isRecord, type JsonRecord } from '#shared/kernel/json-record.ts'

/** What the provider reads of a JSON schema. */
const plain = ['$id', '$ref', '$anchor', 'type', 'format', 'title', 'description', 'enum', 'required'] as const
const bounds = ['minItems', 'maxItems', 'minimum', 'maximum', 'propertyOrdering'] as const
const lists = ['prefixItems', 'anyOf', 'oneOf'] as const
const tables = ['$defs', 'properties'] as const

/** What it has no word for, and the model is told in the description instead. */
const told = [
  'pattern',
  'minLength',
  'maxLength',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'default',
] as const

/** A schema in the provider's subset. Bounds outside it are words for the model, and bind no longer. */
export function geminiSchema(schema: unknown): unknown {
  if (!isRecord(schema)) return schema
  const { allOf, const: only, definitions } = schema
  // One way to refer to something with words of its own beside it.
  if (Array.isArray(allOf) && allOf.length === 1 && isRecord(allOf[0])) {
    const { allOf: _, ...rest } = schema
    return geminiSchema({ ...allOf[0], ...rest })
  }
  const written: Record<string, unknown> = {}
  for (const name of [...plain, ...bounds]) if (schema[name] !== undefined) written[name] = schema[name]
  if (only !== undefined) written['enum'] = [only]
  for (const name of lists) {
    const members = schema[name]
    if (Array.isArray(members)) written[name] = members.map(geminiSchema)
  }
  for (const name of tables) {
    const members = schema[name]
    if (isRecord(members)) written[name] = mapped(members)
  }
  if (isRecord(definitions)) written['$defs'] = { ...mapped(definitions), ...Object(written['$defs']) }
  for (const name of ['items', 'additionalProperties'] as const) {
    if (schema[name] !== undefined) written[name] = geminiSchema(schema[name])
  }
  if (typeof written['$ref'] === 'string') {
    // Beside a reference nothing else may stand.
    const target = written['$ref'].replace('#/definitions/', '#/$defs/')
    const definition = written['$defs'] === undefined ? {} : { $defs: written['$defs'] }
    return { $ref: target, ...definition }
  }
  const words = told.flatMap((name) => (schema[name] === undefined ? [] : [`${name}: ${JSON.stringify(schema[name])}`]))
  if (words.length > 0) written['description'] = [schema['description'], ...words].filter(Boolean).join('; ')
  return written
}

function mapped(members: JsonRecord): JsonRecord {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, geminiSchema(member)]))
}
