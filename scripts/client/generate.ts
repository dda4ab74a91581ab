/**
 * The client that is published with the package: made of the very descriptions that the service serves, App API and
 * settings in one, into `dist/client`. It is kept nowhere, so it cannot be behind.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { build } from 'esbuild'
import { buildOpenApi, settingsApi } from '../../workers/app/contract/openapi.ts'
import { appRouteDeclarations } from '../../workers/app/contract/routes.ts'
import { settingRouteDeclarations } from '../../workers/app/contract/settings-api.ts'
import type { Operation } from './client.ts'
import { nameOf, type Schema, typeOf } from './declare-types.ts'

interface Described {
  readonly operationId: string
  readonly summary: string
  readonly parameters?: readonly { name: string; in: string; required?: boolean; schema: Schema }[]
  readonly requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> }
  readonly responses: Readonly<Record<string, { content?: Record<string, { schema: Schema }> }>>
}

interface Description {
  readonly servers: readonly { url: string }[]
  readonly paths: Readonly<Record<string, Record<string, Described>>>
  readonly components: { schemas?: Record<string, Schema> }
}

const json = 'application/json'

export async function generateClient(folder: string): Promise<void> {
  const operations: Record<string, Operation> = {}
  const schemas: string[] = []
  const calls: string[] = []
  const descriptions = [
    ['', buildOpenApi(appRouteDeclarations, '')],
    ['Setting', buildOpenApi(settingRouteDeclarations, '', [], settingsApi)],
  ] as unknown as readonly (readonly [prefix: string, Description])[]
  for (const [prefix, { servers, paths, components }] of descriptions) {
    for (const [name, schema] of Object.entries(components.schemas ?? {}))
      schemas.push(`export type ${nameOf(name, prefix)} = ${typeOf(schema, prefix)}`)
    for (const [place, methods] of Object.entries(paths))
      for (const [method, described] of Object.entries(methods)) {
        const { operationId } = described
        if (operations[operationId] !== undefined) throw new Error(`two operations are called ${operationId}`)
        const answers = Object.entries(described.responses).filter(([status]) => status.startsWith('2'))
        const answer = answers.map(([, { content }]) => content?.[json]?.schema)
        const isBinary = answer.every((schema) => schema === undefined)
        operations[operationId] = {
          method: method.toUpperCase(),
          path: `${servers[0]?.url ?? ''}${place}`,
          ...(isBinary ? { isBinary } : {}),
        }
        const type = isBinary ? 'Blob' : answer.map((schema) => `(${typeOf(schema ?? {}, prefix)})`).join(' | ')
        calls.push(`  /** ${described.summary} */\n  ${operationId}(${inputOf(described, prefix)}): Promise<${type}>`)
      }
  }
  await mkdir(folder, { recursive: true })
  await build({
    entryPoints: [path.join(import.meta.dirname, 'client.ts')],
    define: { OPERATIONS: JSON.stringify(operations) },
    outfile: path.join(folder, 'index.mjs'),
    bundle: true,
    format: 'esm',
    target: 'es2022',
    logLevel: 'error',
  })
  await writeFile(
    path.join(folder, 'index.d.mts'),
    `${head}\n${schemas.join('\n')}\n\nexport interface Client {\n${calls.join('\n')}\n}\n`,
  )
}

function inputOf({ parameters = [], requestBody }: Described, prefix: string): string {
  const part = (name: string, place: string) => {
    const own = parameters.filter((one) => one.in === place)
    if (own.length === 0) return []
    const fields = own.map((one) => `${one.name}${one.required === true ? '' : '?'}: ${typeOf(one.schema, prefix)}`)
    return [`${name}${own.some((one) => one.required === true) ? '' : '?'}: { ${fields.join('; ')} }`]
  }
  const body = requestBody?.content[json]?.schema
  const parts = [
    ...part('params', 'path'),
    ...part('query', 'query'),
    ...(body === undefined ? [] : [`body${requestBody?.required === true ? '' : '?'}: ${typeOf(body, prefix)}`]),
  ]
  const mayBeLeftOut = parts.every((one) => /^\w+\?:/.test(one))
  return `input${mayBeLeftOut ? '?' : ''}: { ${parts.join('; ')} }, init?: { signal?: AbortSignal }`
}

const head = `export interface ClientOptions {
  /** Of the service, as https://wharf.example. */
  address: string
  token: string
  /** Of messages: \`en\` or \`zh\`. */
  language?: string
  fetch?: typeof globalThis.fetch
}
/** What the service refused: act on \`code\`, and on \`reason.kind\`. */
export declare class WharfError extends Error {
  readonly status: number
  readonly code: string
  readonly reason: unknown
}
export declare function createClient(options: ClientOptions): Client
`
