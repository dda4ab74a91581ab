/** The secrets that a first start makes for this machine, kept in one file only its owner can read. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { replaceFile } from '../files/replace-file.ts'
import type { StartFault } from '../operating/start-faults.ts'
import { secretBytes } from './limits.ts'

export interface HostSecrets {
  /** Seals downloader passwords at rest: base64. */
  readonly MASTER_KEY: string
  /** The one-time code of the set-up link: base64url, it travels in an address. */
  readonly SETUP_CODE: string
  /** The model gateway's key: base64url. */
  readonly API_KEY: string
}

const secretNames = ['MASTER_KEY', 'SETUP_CODE', 'API_KEY'] as const

export function makeSecrets(): HostSecrets {
  return { MASTER_KEY: makeMasterKey(), SETUP_CODE: makeCode(), API_KEY: makeCode() }
}

export function makeMasterKey(): string {
  return randomBytes(secretBytes).toString('base64')
}

export function makeCode(): string {
  return randomBytes(secretBytes).toString('base64url')
}

export function secretsPath(dataFolder: string): string {
  return path.join(dataFolder, 'secrets.json')
}

/** Undefined when there is no file yet. A damaged one is refused: to replace it silently would lose what it seals. */
export function readSecrets(dataFolder: string): Result<HostSecrets | undefined, StartFault> {
  const file = secretsPath(dataFolder)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (isMissingFile(error)) return succeed(undefined)
    return failWith({ kind: 'secrets_unread', file })
  }
  const secrets = parseSecrets(text)
  if (secrets !== undefined) return succeed(secrets)
  return failWith({ kind: 'secrets_damaged', file })
}

export function writeSecrets(dataFolder: string, secrets: HostSecrets): void {
  replaceFile(secretsPath(dataFolder), `${JSON.stringify(secrets, undefined, 2)}\n`, { isSynced: true })
}

function parseSecrets(text: string): HostSecrets | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  const fields = new Map<string, unknown>(Object.entries(value))
  const [masterKey, setupCode, apiKey] = secretNames.map((name) => fields.get(name))
  if (!isSecret(masterKey, 'base64') || !isSecret(setupCode, 'base64url') || !isSecret(apiKey, 'base64url')) {
    return undefined
  }
  return { MASTER_KEY: masterKey, SETUP_CODE: setupCode, API_KEY: apiKey }
}

function isSecret(value: unknown, encoding: 'base64' | 'base64url'): value is string {
  return typeof value === 'string' && Buffer.from(value, encoding).length === secretBytes
}

function isMissingFile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
