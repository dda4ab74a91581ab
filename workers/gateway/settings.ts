import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { TelemetryTarget } from '#shared/telemetry/otlp-exporter.ts'
import { readTelemetryHeaders } from '#shared/telemetry/telemetry-headers.ts'
import { isTimeZone } from './core/keys/moment.ts'
import { noProviders, type ProviderList, readProviders } from './core/providers/provider-list.ts'
import { type Keyring, parseKeyring } from './core/reasoning-capsule.ts'
import type { SettingFault } from './core/start-fault.ts'
import { apiKeyCharactersMin, clientConnectionsMax, openStreamsMax, settableConnectionsMax } from './limits.ts'

export type EnvironmentText = Readonly<Record<string, string | undefined>>
type CacheTtl = '5m' | '1h'
type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error'
const logLevels: readonly LogLevel[] = ['trace', 'debug', 'info', 'warn', 'error']

interface Endpoints {
  readonly control: string
  readonly runtime: string
  readonly secretsManager: string
  readonly parameterStore: string
  readonly tokenService: string
}

export interface CompatibleEndpointSettings {
  /** Base address of the surface that serves responses. */
  readonly responsesBaseUrl: string
  readonly chatBaseUrl: string
  /** Undefined: requests are signed with the gateway's own identity. */
  readonly apiKey: string | undefined
}

export interface TelemetrySettings extends TelemetryTarget {
  readonly serviceName: string
}

export interface Settings {
  readonly region: string
  readonly endpoints: Endpoints
  /** Starts with a slash and ends without one; empty for the root. */
  readonly routePrefix: string
  readonly bodyBytesMax: number
  /** Streams served at once, and connections of clients where this process listens itself. */
  readonly openStreamsMax: number
  readonly clientConnectionsMax: number
  readonly catalogRefreshMs: number
  /** Undefined: chosen from what the account can call. */
  readonly defaultModel: string | undefined
  readonly defaultEmbeddingModel: string | undefined
  readonly isPromptCachingEnabled: boolean
  readonly promptCacheTtl: CacheTtl
  /** Fragments of ids; empty lists everything. Narrows the list of models, not what may be called. */
  readonly allowedModels: readonly string[]
  /** Names of hosts, each with those below it; empty: images may be fetched from any public one. */
  readonly imageHosts: readonly string[]
  readonly hasCrossRegionProfiles: boolean
  readonly hasApplicationProfiles: boolean
  readonly bearerToken: string | undefined
  readonly compatibleEndpoint: CompatibleEndpointSettings | undefined
  /** Undefined: made of the key that clients sign in with. */
  readonly capsuleKeyring: Keyring | undefined
  readonly attemptsMax: number
  readonly connectTimeoutMs: number
  readonly firstByteTimeoutMs: number
  readonly streamIdleTimeoutMs: number
  readonly logLevel: LogLevel
  /** Providers beside the account's, and routes over all of them. */
  readonly providers: ProviderList
  /** Days and months of budgets begin by its clock. */
  readonly timeZone: string
  /** Where a host with a disk keeps what lasts; undefined: in memory. */
  readonly dataFolder: string | undefined
  /** Where a collector takes traces and metrics; undefined: none are sent. */
  readonly telemetry: TelemetrySettings | undefined
  /** Where prices and limits of models are read anew; undefined: they stay those of the file. */
  readonly priceFeed: string | undefined
  readonly apiKeyParameterName: string | undefined
  readonly apiKeySecretArn: string | undefined
  readonly apiKey: string | undefined
}

export const defaultRoutePrefix = '/api/v1'

/** A setting under its name or its `APP_` name. An empty one is none. */
function settingOf(environment: EnvironmentText, name: string): string | undefined {
  return [environment[name], environment[`APP_${name}`]].map((value) => value?.trim()).find(Boolean)
}

/** Where the routes lie, without a trailing slash; empty for the root. `reserved` paths may lie neither below nor above. */
export function readRoutePrefix(
  environment: EnvironmentText,
  reserved: readonly string[],
): Result<string, SettingFault> {
  const prefix = (settingOf(environment, 'API_ROUTE_PREFIX') ?? defaultRoutePrefix).replace(/\/+$/, '')
  if (prefix !== '' && !/^(\/[A-Za-z0-9._~-]+)+$/.test(prefix)) {
    return failWith({ setting: 'API_ROUTE_PREFIX', must: 'path' })
  }
  const taken = reserved.find((path) => `${path}/`.startsWith(`${prefix}/`) || prefix.startsWith(`${path}/`))
  return taken === undefined ? succeed(prefix) : failWith({ setting: 'API_ROUTE_PREFIX', must: 'apart', from: taken })
}

/** Reads every setting, or says of each that cannot be read what it must be. */
export function readSettings(
  environment: EnvironmentText,
  reservedPrefixes: readonly string[] = [],
): Result<Settings, readonly SettingFault[]> {
  const refusals: SettingFault[] = []
  const read = (name: string) => settingOf(environment, name)
  const flag = (name: string, otherwise: boolean): boolean => {
    const value = read(name)?.toLowerCase()
    if (value === undefined) return otherwise
    if (value === 'true' || value === '1') return true
    if (value === 'false' || value === '0') return false
    refusals.push({ setting: name, must: 'boolean' })
    return otherwise
  }
  const whole = (name: string, otherwise: number, least: number, most: number): number => {
    const value = read(name)
    if (value === undefined) return otherwise
    const parsed = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
    if (parsed >= least && parsed <= most) return parsed
    refusals.push({ setting: name, must: 'whole', least, most })
    return otherwise
  }
  const oneOf = <T extends string>(name: string, values: readonly T[], otherwise: T): T => {
    const value = read(name)?.toLowerCase()
    if (value === undefined) return otherwise
    const found = values.find((candidate) => candidate === value)
    if (found === undefined) refusals.push({ setting: name, must: 'one_of', values })
    return found ?? otherwise
  }
  const list = (name: string): readonly string[] =>
    (read(name) ?? '')
      .split(',')
      .map((part) => part.trim().toLowerCase())
      .filter((part) => part !== '')
  const address = (name: string): string | undefined => {
    const value = read(name)
    if (value === undefined) return undefined
    if (isHttpAddress(value)) return value.replace(/\/+$/, '')
    refusals.push({ setting: name, must: 'http_address' })
    return undefined
  }

  const region = read('AWS_REGION') ?? read('AWS_DEFAULT_REGION') ?? 'us-west-2'
  if (!/^[a-z]{2,}(-[a-z0-9]+)+$/.test(region)) refusals.push({ setting: 'AWS_REGION', must: 'region' })

  const prefix = readRoutePrefix(environment, reservedPrefixes)
  if (!prefix.ok) refusals.push(prefix.failure)
  const routePrefix = prefix.ok ? prefix.value : defaultRoutePrefix

  const everywhere = address('AWS_ENDPOINT_URL')
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'
  const endpoint = (setting: string, host: string) =>
    address(setting) ?? everywhere ?? `https://${host}.${region}.${domain}`
  const endpoints: Endpoints = {
    control: endpoint('AWS_ENDPOINT_URL_BEDROCK', 'bedrock'),
    runtime: endpoint('AWS_ENDPOINT_URL_BEDROCK_RUNTIME', 'bedrock-runtime'),
    secretsManager: endpoint('AWS_ENDPOINT_URL_SECRETS_MANAGER', 'secretsmanager'),
    parameterStore: endpoint('AWS_ENDPOINT_URL_SSM', 'ssm'),
    tokenService: endpoint('AWS_ENDPOINT_URL_STS', 'sts'),
  }

  const bearerToken = read('AWS_BEARER_TOKEN_BEDROCK')
  const compatibleEndpoint = flag('DISABLE_MANTLE', true)
    ? undefined
    : readCompatibleEndpoint(region, read, oneOf, refusals)

  const keyring = parseKeyring({
    isEnabled:
      read('CHAT_REASONING_CAPSULE_ENABLED') === undefined ? undefined : flag('CHAT_REASONING_CAPSULE_ENABLED', true),
    activeKeyId: read('CHAT_REASONING_CAPSULE_ACTIVE_KID'),
    keys: read('CHAT_REASONING_CAPSULE_KEYS'),
  })
  if (!keyring.ok) refusals.push(keyring.failure)

  const apiKey = read('API_KEY')
  if (apiKey !== undefined && apiKey.length < apiKeyCharactersMin) {
    refusals.push({ setting: 'API_KEY', must: 'long', charactersMin: apiKeyCharactersMin })
  }
  const timeZone = read('TIME_ZONE') ?? 'UTC'
  if (!isTimeZone(timeZone)) refusals.push({ setting: 'TIME_ZONE', must: 'time_zone' })
  const providers = readProviders(read('PROVIDERS'), read('MODEL_ROUTES'))
  if (!providers.ok) refusals.push(providers.failure)
  const telemetryAddress = address('OTEL_EXPORTER_OTLP_ENDPOINT')
  const telemetryHeaders = readTelemetryHeaders(read('OTEL_EXPORTER_OTLP_HEADERS'))
  if (telemetryHeaders === undefined) refusals.push({ setting: 'OTEL_EXPORTER_OTLP_HEADERS', must: 'headers' })
  const serviceName = read('OTEL_SERVICE_NAME') ?? 'wharf-gateway'
  const isDebug = flag('DEBUG', false)
  const settings: Omit<Settings, 'capsuleKeyring'> = {
    region,
    endpoints,
    routePrefix,
    bodyBytesMax: whole('MAX_BODY_SIZE_MB', 20, 1, 1_024) * 1_048_576,
    openStreamsMax: whole('MAX_OPEN_STREAMS', openStreamsMax, 1, settableConnectionsMax),
    clientConnectionsMax: whole('MAX_CLIENT_CONNECTIONS', clientConnectionsMax, 1, settableConnectionsMax),
    catalogRefreshMs: whole('MODEL_CATALOG_REFRESH_SECS', 3_600, 0, 31_536_000) * 1_000,
    defaultModel: read('DEFAULT_MODEL'),
    defaultEmbeddingModel: read('DEFAULT_EMBEDDING_MODEL'),
    isPromptCachingEnabled: flag('ENABLE_PROMPT_CACHING', true),
    promptCacheTtl: oneOf('PROMPT_CACHE_TTL', ['5m', '1h'], '5m'),
    allowedModels: list('ALLOWED_MODELS'),
    imageHosts: list('IMAGE_HOSTS'),
    hasCrossRegionProfiles: flag('ENABLE_CROSS_REGION_INFERENCE', true),
    hasApplicationProfiles: flag('ENABLE_APPLICATION_INFERENCE_PROFILES', true),
    bearerToken,
    compatibleEndpoint,
    attemptsMax: whole('AWS_MAX_RETRY_ATTEMPTS', 3, 1, 20),
    connectTimeoutMs: whole('AWS_CONNECT_TIMEOUT_SECS', 60, 1, 600) * 1_000,
    firstByteTimeoutMs: whole('AWS_READ_TIMEOUT_SECS', 900, 1, 3_600) * 1_000,
    streamIdleTimeoutMs: whole('RESPONSES_STREAM_IDLE_TIMEOUT_SECS', 180, 1, 3_600) * 1_000,
    logLevel: oneOf('LOG_LEVEL', logLevels, isDebug ? 'debug' : 'info'),
    timeZone,
    providers: providers.ok ? providers.value : noProviders,
    dataFolder: read('DATA_DIR'),
    priceFeed: address('PRICES_FEED'),
    telemetry:
      telemetryAddress === undefined
        ? undefined
        : { address: telemetryAddress, headers: telemetryHeaders ?? {}, serviceName },
    apiKeyParameterName: read('API_KEY_PARAM_NAME'),
    apiKeySecretArn: read('API_KEY_SECRET_ARN'),
    apiKey,
  }
  if (!keyring.ok || refusals.length > 0) return failWith(refusals)
  return succeed({ ...settings, capsuleKeyring: keyring.value })
}

function readCompatibleEndpoint(
  region: string,
  read: (name: string) => string | undefined,
  oneOf: <T extends string>(name: string, values: readonly T[], otherwise: T) => T,
  refusals: SettingFault[],
): CompatibleEndpointSettings | undefined {
  const base = (name: string, otherwise: string): string => {
    const filled = (read(name) ?? otherwise).replaceAll('{region}', region).replace(/\/+$/, '')
    if (!isHttpAddress(filled)) refusals.push({ setting: name, must: 'http_address' })
    return filled
  }
  const responsesBaseUrl = base('MANTLE_BASE_URL_TEMPLATE', 'https://bedrock-mantle.{region}.api.aws/openai/v1')
  const chatBaseUrl = base('MANTLE_CHAT_BASE_URL_TEMPLATE', 'https://bedrock-mantle.{region}.api.aws/v1')
  const apiKey = read('BEDROCK_API_KEY') ?? read('AWS_BEARER_TOKEN_BEDROCK')
  // The provider's runtime address serves the same surface to the gateway's own identity.
  const isRuntimeAddress = /^https:\/\/bedrock-runtime\./.test(responsesBaseUrl)
  const authentication = oneOf('MANTLE_AUTHENTICATION', ['key', 'signature'], isRuntimeAddress ? 'signature' : 'key')
  if (authentication === 'signature') return { responsesBaseUrl, chatBaseUrl, apiKey: undefined }
  if (apiKey === undefined) {
    refusals.push({ setting: 'BEDROCK_API_KEY', must: 'compatible_key' })
    return undefined
  }
  return { responsesBaseUrl, chatBaseUrl, apiKey }
}

function isHttpAddress(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') && url.username === ''
}
