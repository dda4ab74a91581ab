/**
 * Makes this machine's gateway a model provider of the agent server beside it. The key goes through the credentials
 * file in its data folder, which only the owner can read, and not through its environment, which shells of its model
 * inherit.
 */
import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { knownProviders } from './agent/core/known-providers.ts'
import { replaceFile } from './files/replace-file.ts'

type Environment = Readonly<Record<string, string | undefined>>
type Keys = Readonly<Record<string, { readonly key?: unknown } | undefined>>

export interface ServedGateway {
  readonly address: string
  /** Undefined: it lies where this process does not look, so the owner names it. */
  readonly key: string | undefined
  readonly isSandboxed: boolean
}

const provider = 'wharf'

/** Answers the environment in which the agent server is to start. */
export function offerGateway(gateway: ServedGateway, environment: Environment, agentDataFolder: string): Environment {
  const file = path.join(agentDataFolder, 'credentials.json')
  const hasOwnModel = knownProviders.some((one) => one.keyVariables.some((name) => environment[name]))
  // A sandbox must not come before a model that the owner has a key for.
  if (gateway.isSandboxed && hasOwnModel) {
    forgetKey(file, gateway.key)
    return environment
  }
  if (gateway.key !== undefined) keepKey(file, gateway.key)
  return { WHARF_GATEWAY_URL: gateway.address, ...environment }
}

function keepKey(file: string, key: string): void {
  const known = readKeys(file)
  // What cannot be read is the owner's to mend: nothing of it is lost.
  if (known === undefined || known[provider]?.key === key) return
  writeKeys(file, { ...known, [provider]: { type: 'api', key } })
}

function forgetKey(file: string, key: string | undefined): void {
  const { [provider]: kept, ...others } = readKeys(file) ?? {}
  if (kept !== undefined && kept.key === key) writeKeys(file, others)
}

function writeKeys(file: string, keys: object): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  replaceFile(file, `${JSON.stringify(keys, undefined, 2)}\n`, { isSynced: true })
}

function readKeys(file: string): Keys | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? {} : undefined
  }
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : undefined
  } catch {
    return undefined
  }
}
