/** TypeScript's types of what a description in OpenAPI 3.0 says. */

export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly nullable?: boolean
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly description?: string
}

/** `prefix` keeps two descriptions apart that name a schema alike. */
export function typeOf(schema: Schema, prefix: string): string {
  const text = plainTypeOf(schema, prefix)
  return schema.nullable === true ? `${text} | null` : text
}

function plainTypeOf(schema: Schema, prefix: string): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref, prefix)
  const all = schema.allOf?.map((one) => `(${typeOf(one, prefix)})`)
  if (all !== undefined) return all.join(' & ')
  const several = schema.oneOf ?? schema.anyOf
  if (several !== undefined) return several.map((one) => `(${typeOf(one, prefix)})`).join(' | ')
  if (schema.enum !== undefined) return schema.enum.map((one) => JSON.stringify(one)).join(' | ')
  switch (schema.type) {
    case 'string':
    case 'boolean':
      return schema.type
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      return `(${schema.items === undefined ? 'unknown' : typeOf(schema.items, prefix)})[]`
    case 'object':
      return objectType(schema, prefix)
    default:
      return 'unknown'
  }
}

function objectType({ properties = {}, required = [], additionalProperties }: Schema, prefix: string): string {
  const fields = Object.entries(properties).map(
    ([name, one]) => `${JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${typeOf(one, prefix)}`,
  )
  if (fields.length > 0) return `{ ${fields.join('; ')} }`
  if (typeof additionalProperties === 'object') return `Record<string, ${typeOf(additionalProperties, prefix)}>`
  return additionalProperties === false ? 'Record<string, never>' : 'Record<string, unknown>'
}

export function nameOf(ref: string, prefix: string): string {
  return `${prefix}${ref.slice(ref.lastIndexOf('/') + 1)}`
}
