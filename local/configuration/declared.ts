/** What the file declares beside settings: downloaders, libraries, sites and channels, with their secrets fetched from where they are. */
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { ConfigurationBody } from '../../workers/app/contract/configuration.ts'
import { type DeclaredKind, declaredKinds } from '../../workers/app/core/vocabulary.ts'
import { secretFileBytesMax } from './limits.ts'
import { type DeclaringFile, unknownName } from './read-settings.ts'

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
): Promise<Result<Declaration | undefined, string>> {
  if (declares === undefined) return succeed(undefined)
  const { file, entries } = declares
  // Only who declares something pays for the shapes.
  const { declaredShapes, declaredMax } = await import('../../workers/app/contract/configuration.ts')
  const read: Record<DeclaredKind, unknown[]> = { downloaders: [], libraries: [], sites: [], channels: [] }
  const wrong = (where: string, why: string) => failWith(`${file}: ${where}: ${why}`)
  for (const kind of declaredKinds) {
    const tables = entries[kind] ?? []
    if (!Array.isArray(tables)) return wrong(kind, `each of them begins with [[${kind}]]`)
    if (tables.length > declaredMax[kind]) return wrong(kind, `there can be ${declaredMax[kind]} at most`)
    for (const [at, table] of tables.entries()) {
      const name: unknown = (table as Table)['name']
      const where = `${kind} ${at + 1}${typeof name === 'string' ? ` (${name})` : ''}`
      const whole = withSecrets(table as Table, path.dirname(file), environment)
      if (!whole.ok) return wrong(where, whole.failure)
      const shape = declaredShapes[kind]
      const checked = shape.safeParse(whole.value)
      const [issue] = checked.error?.issues ?? []
      if (issue?.code === 'unrecognized_keys')
        return wrong(where, unknownName('field', issue.keys[0] ?? '', Object.keys(shape.shape)))
      if (issue !== undefined) return wrong(where, `${issue.path.join('.')}: ${issue.message}`)
      const known = checked.data as { readonly name: string }
      if (read[kind].some((one) => (one as typeof known).name === known.name))
        return wrong(where, 'another one before it has this name')
      read[kind].push(known)
    }
  }
  return succeed(read as Declaration)
}

function withSecrets(table: Table, folder: string, environment: Environment): Result<Table, string> {
  const whole: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(table)) {
    if (field === 'answers' && isTable(value) && referenceIn(value) === undefined) {
      const answers = withSecrets(value, folder, environment)
      if (!answers.ok) return failWith(`answers.${answers.failure}`)
      whole[field] = answers.value
      continue
    }
    const reference = referenceIn(value)
    if (reference === undefined) {
      if (secretFields.has(field))
        return failWith(`${field}: say where it is, as { env = "NAME" } or { file = "PATH" }`)
      whole[field] = value
      continue
    }
    const text = referred(reference, folder, environment)
    if (!text.ok) return failWith(`${field}: ${text.failure}`)
    whole[field] = text.value
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

function referred({ from, name }: Reference, folder: string, environment: Environment): Result<string, string> {
  if (from === 'env') {
    const text = environment[name] ?? ''
    return text === '' ? failWith(`there is no variable ${name}`) : succeed(text)
  }
  const file = path.resolve(folder, name)
  try {
    if (statSync(file).size > secretFileBytesMax) return failWith(`${file} is larger than ${secretFileBytesMax} bytes`)
    const text = readFileSync(file, 'utf8').replace(/\r?\n$/, '')
    return text === '' ? failWith(`${file} is empty`) : succeed(text)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    return failWith(`${file} cannot be read (${code === 'ENOENT' ? 'there is none' : code})`)
  }
}
