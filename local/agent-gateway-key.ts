/**
 * Hands the key of the gateway to the agent server beside it: through the credentials file in its data folder, which
 * only the owner can read, and not through its environment, which shells of its model inherit.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const provider = 'wharf'

export function keepGatewayKey(agentDataFolder: string, key: string): void {
  const file = path.join(agentDataFolder, 'credentials.json')
  const known = readKeys(file)
  // What cannot be read is the owner's to mend: nothing of it is lost.
  if (known === undefined || known[provider]?.key === key) return
  mkdirSync(agentDataFolder, { recursive: true, mode: 0o700 })
  const beside = `${file}.${process.pid}`
  const keys = { ...known, [provider]: { type: 'api', key } }
  writeFileSync(beside, `${JSON.stringify(keys, undefined, 2)}\n`, { mode: 0o600 })
  renameSync(beside, file)
}

function readKeys(file: string): Readonly<Record<string, { readonly key?: unknown } | undefined>> | undefined {
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
