/** Settings of the model gateway that this machine's environment holds, for the Worker script hosted on it. */

/** Beside these, everything that begins with `AWS_`: region, addresses and credentials under their standard names. */
const settingNames: readonly string[] = [
  'ALLOWED_MODELS',
  'API_KEY',
  'API_KEY_PARAM_NAME',
  'API_KEY_SECRET_ARN',
  'API_ROUTE_PREFIX',
  'BEDROCK_API_KEY',
  'CHAT_REASONING_CAPSULE_ACTIVE_KID',
  'CHAT_REASONING_CAPSULE_ENABLED',
  'CHAT_REASONING_CAPSULE_KEYS',
  'DEBUG',
  'DEFAULT_EMBEDDING_MODEL',
  'DEFAULT_MODEL',
  'DISABLE_MANTLE',
  'ENABLE_APPLICATION_INFERENCE_PROFILES',
  'ENABLE_CROSS_REGION_INFERENCE',
  'ENABLE_PROMPT_CACHING',
  'IMAGE_HOSTS',
  'LOG_LEVEL',
  'MANTLE_AUTHENTICATION',
  'MAX_BODY_SIZE_MB',
  'MAX_OPEN_STREAMS',
  'MODEL_CATALOG_REFRESH_SECS',
  'MODEL_ROUTES',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_SERVICE_NAME',
  'PRICES_FEED',
  'PROMPT_CACHE_TTL',
  'PROVIDERS',
  'RESPONSES_STREAM_IDLE_TIMEOUT_SECS',
  'TIME_ZONE',
]

/** Each also under its `APP_` name. */
const isSetting = (name: string) => name.startsWith('AWS_') || settingNames.includes(name.replace(/^APP_/, ''))

/** An empty value is none, as the gateway itself reads it: otherwise it would stand before what this machine keeps. */
export function gatewayVariables(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const entries = Object.entries(environment)
  return Object.fromEntries(
    entries.filter(
      (pair): pair is [string, string] => pair[1] !== undefined && pair[1].trim() !== '' && isSetting(pair[0]),
    ),
  )
}
