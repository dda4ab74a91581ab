/** What the file declares beside settings: downloaders, libraries, sites and channels, with their secrets fetched from where they are. */
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { ConfigurationBody } from '../../workers/app/contract/configuration.ts'
import { type DeclaredKind, declaredKinds } from '../../workers/app/core/vocabulary.ts'
import { secretFileBytesMax } from './limits.ts'
import { type DeclaringFile, unknownName } from './read-settings.ts'
import type { DeclarationFault, EntryFault } from './settings-fault.ts'

/** As it is sent to the service: each entry by the shape of its kind, with its secrets in it. */
export type Declaration = ConfigurationBody

/** A file that lies in a repository holds none of these: it says where they are. */
const secretFields: ReadonlySet<string> = new Set([
  'password',
  'cookie',
  'api_key',
  'proxy',
  'header_value',
  'signing_key',
  'token',
])

type Environment = Readonly<Record<string, string | undefined>>
type Table = Readonly<Record<string, unknown>>

/** Undefined where the file declares nothing. */
export async function readDeclaration(
  declares: DeclaringFile | undefined,
  environment: Environment,
): Promise<Result<Declaration | undefined, DeclarationFault>> {
  if (declares === undefined) return succeed(undefined)
  const { file, entries } = declares
  // Only who declares something pays for the shapes.
  const { declaredShapes, declaredMax } = await import('../../workers/app/contract/configuration.ts')
  const { channelServices } = await import('../../workers/app/core/channel-services/services.ts')
  const read: Record<DeclaredKind, unknown[]> = { downloaders: [], libraries: [], sites: [], channels: [] }
  const wrong = (place: string, fault: EntryFault) => failWith({ file, place, fault })
  for (const kind of declaredKinds) {
    const tables = entries[kind] ?? []
    if (!Array.isArray(tables)) return wrong(kind, { kind: 'no_list', list: kind })
    if (tables.length > declaredMax[kind]) return wrong(kind, { kind: 'too_many', most: declaredMax[kind] })
    for (const [at, table] of tables.entries()) {
      const name: unknown = (table as Table)['name']
      const where = `${kind} ${at + 1}${typeof name === 'string' ? ` (${name})` : ''}`
      const service = channelServices.find(({ type }) => type === (table as Table)['type'])
      const ofService = new Set(service?.fields.filter(({ secret }) => secret === true).map((field) => field.name))
      const place = {
        folder: path.dirname(file),
        environment,
        secretsWithin: { answers: secretFields, fields: ofService },
      }
      const whole = withSecrets(table as Table, secretFields, place)
      if (!whole.ok) return wrong(where, whole.failure)
      const shape = declaredShapes[kind]
      const checked = shape.safeParse(whole.value)
      const [issue] = checked.error?.issues ?? []
      if (issue?.code === 'unrecognized_keys')
        return wrong(where, { kind: 'unknown', ...unknownName(issue.keys[0] ?? '', Object.keys(shape.shape)) })
      if (issue !== undefined)
        return wrong(where, { kind: 'shape', field: issue.path.join('.'), reason: issue.message })
      const known = checked.data as { readonly name: string }
      if (read[kind].some((one) => (one as typeof known).name === known.name)) return wrong(where, { kind: 'twice' })
      read[kind].push(known)
    }
  }
  return succeed(read as Declaration)
}

interface Place {
  readonly folder: string
  readonly environment: Environment
  /** Fields that are tables, and what of each is a secret. */
  readonly secretsWithin: Readonly<Record<string, ReadonlySet<string>>>
}

/** `within` is the field that holds the table, with a dot. */
function withSecrets(table: Table, secrets: ReadonlySet<string>, place: Place, within = ''): Result<Table, EntryFault> {
  const whole: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(table)) {
    const field = `${within}${name}`
    const inner = within === '' ? place.secretsWithin[name] : undefined
    if (inner !== undefined && isTable(value) && referenceIn(value) === undefined) {
      const entries = withSecrets(value, inner, place, `${field}.`)
      if (!entries.ok) return entries
      whole[name] = entries.value
      continue
    }
    const reference = referenceIn(value)
    if (reference === undefined) {
      if (secrets.has(name)) return failWith({ kind: 'plain_secret', field })
      whole[name] = value
      continue
    }
    const text = referred(reference, field, place)
    if (!text.ok) return text
    whole[name] = text.value
  }
  return succeed(whole)
}

interface Reference {
  readonly from: 'env' | 'file'
  readonly name: string
}

function referenceIn(value: unknown): Reference | undefined {
  if (!isTable(value)) return undefined
  const [[from, name] = [], another] = Object.entries(value)
  return another === undefined && (from === 'env' || from === 'file') && typeof name === 'string'
    ? { from, name }
    : undefined
}

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function referred(
  { from, name }: Reference,
  field: string,
  { folder, environment }: Place,
): Result<string, EntryFault> {
  if (from === 'env') {
    const text = environment[name] ?? ''
    return text === '' ? failWith({ kind: 'no_variable', field, variable: name }) : succeed(text)
  }
  const file = path.resolve(folder, name)
  try {
    if (statSync(file).size > secretFileBytesMax)
      return failWith({ kind: 'secret_large', field, file, bytesMax: secretFileBytesMax })
    const text = readFileSync(file, 'utf8').replace(/\r?\n$/, '')
    return text === '' ? failWith({ kind: 'secret_empty', field, file }) : succeed(text)
  } catch (error) {
    const cause = error instanceof Error && 'code' in error ? String(error.code) : ''
    return failWith({ kind: 'secret_unread', field, file, cause })
  }
}
