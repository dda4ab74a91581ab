/** Why a gateway cannot serve, as facts for its owner: settings and entries by name, never by value. */

import { type FaultOf, sayBy } from '#shared/kernel/fault-words.ts'
import { type PriceFault, sayPriceFault } from '#shared/models/price-list.ts'

/** A setting that is not what it must be. */
export type SettingFault = { readonly setting: string } & (
  | {
      readonly must:
        | 'boolean'
        | 'http_address'
        | 'region'
        | 'path'
        | 'time_zone'
        | 'headers'
        | 'keyring'
        | 'key_of_ring'
    }
  | { readonly must: 'whole'; readonly least: number; readonly most: number }
  | { readonly must: 'one_of'; readonly values: readonly string[] }
  /** Paths of other interfaces served beside this one. */
  | { readonly must: 'apart'; readonly from: string }
  | { readonly must: 'long'; readonly charactersMin: number }
  | { readonly must: 'providers'; readonly most: number }
  | { readonly must: 'routes'; readonly most: number; readonly stepsMax: number }
  | { readonly must: 'compatible_key' }
)

/** What is wrong with an entry of `models.toml`. */
const modelSentences = {
  no_table: 'the model registry is not a table',
  alias: 'an alias needs from and to',
  no_match: 'a model entry needs match',
  capability: ({ entry, name }: { entry: string; name: string }) => `model entry ${entry}: unknown capability ${name}`,
  surface: ({ entry }: { entry: string }) => `model entry ${entry}: compatible_surface must be responses or chat`,
}

/** What is wrong with an entry of `embeddings.toml`. */
const embeddingSentences = {
  no_table: 'the embedding registry is not a table',
  embedding: 'an embedding entry needs model_id and a family of A, B or C',
  short_names: ({ entry }: { entry: string }) => `embedding entry ${entry}: short_names must be texts`,
}

export type ModelRegistryFault = FaultOf<typeof modelSentences>
export type EmbeddingRegistryFault = FaultOf<typeof embeddingSentences>
export const sayModelRegistryFault = sayBy(modelSentences)

const startSentences = {
  settings: ({ faults }: { faults: readonly SettingFault[] }) => faults.map(saySettingFault).join('; '),
  models: ({ fault }: { fault: ModelRegistryFault }) => `models.toml: ${sayModelRegistryFault(fault)}`,
  embeddings: ({ fault }: { fault: EmbeddingRegistryFault }) => `embeddings.toml: ${sayBy(embeddingSentences)(fault)}`,
  prices: ({ fault }: { fault: PriceFault }) => `prices.toml ${sayPriceFault(fault)}`,
  no_key: 'no API key: set API_KEY, API_KEY_SECRET_ARN or API_KEY_PARAM_NAME',
}

export type GatewayStartFault = FaultOf<typeof startSentences>
/** One line for whoever started it. */
export const sayStartFault = sayBy(startSentences)

function saySettingFault(fault: SettingFault): string {
  return fault.must === 'compatible_key'
    ? `DISABLE_MANTLE is false, so ${fault.setting} must hold a provider API key`
    : `${fault.setting} must ${sayMust(fault)}`
}

function sayMust(fault: Exclude<SettingFault, { must: 'compatible_key' }>): string {
  switch (fault.must) {
    case 'boolean':
      return 'be true or false'
    case 'http_address':
      return 'be an http or https address'
    case 'region':
      return 'be a region name'
    case 'path':
      return 'be a path such as /api/v1'
    case 'time_zone':
      return 'be the name of a time zone'
    case 'headers':
      return 'be a list such as name=value,name=value'
    case 'keyring':
      return 'be id:key pairs, keys of 16 bytes or more in base64url'
    case 'key_of_ring':
      return 'name a key of CHAT_REASONING_CAPSULE_KEYS'
    case 'whole':
      return `be a whole number from ${fault.least} to ${fault.most}`
    case 'one_of':
      return `be one of ${fault.values.join(', ')}`
    case 'apart':
      return `lie apart from ${fault.from}`
    case 'long':
      return `have at least ${fault.charactersMin} characters`
    case 'providers':
      return `be a JSON object of at most ${fault.most} providers, each {"address": "https://…/v1"}`
    case 'routes':
      return `be a JSON object of at most ${fault.most} routes, each a list of one to ${fault.stepsMax} {"model": "…"}`
  }
}
