/** Why a gateway cannot serve, as facts for its owner: settings and entries by name, never by value. */

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

/** What is wrong with an entry of a registry file. */
export type RegistryFault =
  | { readonly kind: 'no_table' | 'alias' | 'no_match' | 'embedding' }
  | { readonly kind: 'capability'; readonly entry: string; readonly name: string }
  | { readonly kind: 'surface' | 'short_names'; readonly entry: string }

/** What is wrong with a list of prices. */
export type PriceFault =
  | { readonly kind: 'no_date' }
  | { readonly kind: 'no_entry' | 'no_price'; readonly entry: string }
  | { readonly kind: 'no_provider'; readonly provider: string }

export type GatewayStartFault =
  | { readonly kind: 'settings'; readonly faults: readonly SettingFault[] }
  | { readonly kind: 'registry'; readonly file: 'models' | 'embeddings'; readonly fault: RegistryFault }
  | { readonly kind: 'prices'; readonly fault: PriceFault }
  | { readonly kind: 'no_key' }

/** One line for whoever started it. */
export function sayStartFault(fault: GatewayStartFault): string {
  switch (fault.kind) {
    case 'settings':
      return fault.faults.map(saySettingFault).join('; ')
    case 'registry':
      return `${fault.file}.toml: ${sayRegistryFault(fault.file, fault.fault)}`
    case 'prices':
      return `prices.toml ${sayPriceFault(fault.fault)}`
    case 'no_key':
      return 'no API key: set API_KEY, API_KEY_SECRET_ARN or API_KEY_PARAM_NAME'
  }
}

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

export function sayRegistryFault(file: 'models' | 'embeddings', fault: RegistryFault): string {
  switch (fault.kind) {
    case 'no_table':
      return `the ${file === 'models' ? 'model' : 'embedding'} registry is not a table`
    case 'alias':
      return 'an alias needs from and to'
    case 'no_match':
      return 'a model entry needs match'
    case 'capability':
      return `model entry ${fault.entry}: unknown capability ${fault.name}`
    case 'surface':
      return `model entry ${fault.entry}: compatible_surface must be responses or chat`
    case 'embedding':
      return 'an embedding entry needs model_id and a family of A, B or C'
    case 'short_names':
      return `embedding entry ${fault.entry}: short_names must be texts`
  }
}

/** What follows the name of the list. */
export function sayPriceFault(fault: PriceFault): string {
  switch (fault.kind) {
    case 'no_date':
      return 'has no date'
    case 'no_provider':
      return `has no ${fault.provider}`
    case 'no_entry':
      return `${fault.entry} is no table`
    case 'no_price':
      return `${fault.entry} has a price that is none`
  }
}
