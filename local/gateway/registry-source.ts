import { readFileSync } from 'node:fs'

export type RegistryFile = 'models.toml' | 'embeddings.toml' | 'prices.toml'

/** The registries that come with the gateway. The one-file build puts their texts in place of this module. */
export function builtInRegistry(file: RegistryFile): string {
  return readFileSync(new URL(`../../workers/gateway/config/${file}`, import.meta.url), 'utf8')
}
