import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'smol-toml'
import type { GatewayHost } from '../../workers/gateway/compose.ts'
import { builtInRegistry, type RegistryFile } from './registry-source.ts'

/** The registries: the owner's file where there is one that parses, else the one that comes with the gateway. */
export function registryTexts(configFolder: string, log: (line: string) => void): GatewayHost['registries'] {
  const text = (file: RegistryFile): string => ownText(path.join(configFolder, file), log) ?? builtInRegistry(file)
  return { models: text('models.toml'), embeddings: text('embeddings.toml'), prices: text('prices.toml') }
}

function ownText(file: string, log: (line: string) => void): string | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
  try {
    parse(text)
    return text
  } catch {
    log(JSON.stringify({ family: 'gateway', level: 'warn', event: 'registry-unreadable', file: path.basename(file) }))
    return undefined
  }
}
