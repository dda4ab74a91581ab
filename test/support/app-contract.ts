/** Judges answers by the committed document itself, as a client generated from it would. */
import { readFileSync } from 'node:fs'
import { Ajv, type AnySchema, type ValidateFunction } from 'ajv'
import { parse } from 'yaml'

interface Operation {
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: AnySchema }>> }>
  >
}

const document: {
  readonly servers: readonly [{ readonly url: string }]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: object
} = parse(readFileSync('workers/app/contract/app-api-v1.yaml', 'utf8'))

const prefix = document.servers[0].url
const ajv = new Ajv({ strict: false, validateFormats: false })
ajv.addSchema({ $id: 'document', components: document.components })
const validators = new Map<AnySchema, ValidateFunction>()

/** Throws when the document does not allow this answer. Paths outside the App API are not its matter. */
export function checkAnswer(method: string, pathAndQuery: string, status: number, body: unknown): void {
  const path = pathAndQuery.split('?')[0] ?? ''
  if (!path.startsWith(`${prefix}/`)) return
  const operation = operationOf(method, path.slice(prefix.length))
  // An unknown path or method has no entry; its answer is the error shape all entries share.
  const schema =
    operation === undefined
      ? { $ref: '#/components/schemas/Error' }
      : operation.responses[status]?.content?.['application/json']?.schema
  if (schema === undefined) throw new Error(`${method} ${path} answered ${status}, which app-api-v1.yaml does not list`)
  const validate = validators.get(schema) ?? ajv.compile(absolute(schema))
  validators.set(schema, validate)
  if (!validate(body)) throw new Error(`${method} ${path} ${status}: ${ajv.errorsText(validate.errors)}`)
}

function operationOf(method: string, path: string): Operation | undefined {
  const entries = Object.entries(document.paths).sort(
    ([left], [right]) => Number(left.includes('{')) - Number(right.includes('{')),
  )
  const found = entries.find(([pattern]) => new RegExp(`^${pattern.replace(/\{[a-z_]+\}/g, '[^/]+')}$`).test(path))
  return found?.[1][method.toLowerCase()]
}

/** References of the document are relative to it; a schema taken out of it needs them whole. */
function absolute(schema: AnySchema): AnySchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components'))
}
