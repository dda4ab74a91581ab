/** The description as this page reads it, and its schemas as rows of a table. */

export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly description?: string
}

interface Content {
  readonly 'application/json'?: { readonly schema?: Schema; readonly example?: unknown }
}

export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly 'x-permission'?: string
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly schema: Schema
    readonly example?: unknown
  }[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>
}

export interface InterfaceDescription {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> }
}

export interface Field {
  readonly name: string
  readonly type: string
  readonly isRequired: boolean
  readonly description: string | undefined
}

/** Deeper than this a reader looks at the example. */
const depthMax = 4

export function fieldsOf(document: InterfaceDescription, schema: Schema, name = '', depth = 0): Field[] {
  const whole = resolved(document, schema)
  if (whole.type === 'array' && whole.items !== undefined) return fieldsOf(document, whole.items, `${name}[]`, depth)
  const parts = whole.allOf ?? []
  const properties = Object.assign({}, ...parts.map((part) => resolved(document, part).properties), whole.properties)
  const required = [whole, ...parts.map((part) => resolved(document, part))].flatMap((each) => each.required ?? [])
  return Object.entries<Schema>(properties).flatMap(([key, value]) => {
    const path = name === '' ? key : `${name}.${key}`
    const field = {
      name: path,
      type: typeOf(document, value),
      isRequired: required.includes(key),
      description: resolved(document, value).description,
    }
    return depth >= depthMax ? [field] : [field, ...fieldsOf(document, value, path, depth + 1)]
  })
}

export function typeOf(document: InterfaceDescription, schema: Schema): string {
  const whole = resolved(document, schema)
  if (whole.enum !== undefined) return whole.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (whole.type === 'array' && whole.items !== undefined) return `${typeOf(document, whole.items)}[]`
  const choices = whole.oneOf ?? whole.anyOf
  if (choices !== undefined) return [...new Set(choices.map((one) => typeOf(document, one)))].join(' | ')
  const bounds = [
    whole.minimum !== undefined && whole.minimum > Number.MIN_SAFE_INTEGER ? `≥ ${whole.minimum}` : '',
    whole.maximum !== undefined && whole.maximum < Number.MAX_SAFE_INTEGER ? `≤ ${whole.maximum}` : '',
    whole.maxLength === undefined ? '' : `≤ ${whole.maxLength}`,
  ].filter((bound) => bound !== '')
  return [whole.type ?? 'object', whole.format ?? '', bounds.length === 0 ? '' : `(${bounds.join(', ')})`]
    .filter((part) => part !== '')
    .join(' ')
}

function resolved(document: InterfaceDescription, schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : (document.components?.schemas?.[name] ?? {})
}
