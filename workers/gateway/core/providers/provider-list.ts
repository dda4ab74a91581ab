import { entryOf, isRecord, type JsonRecord, parseJson, textOf } from '#shared/kernel/json-record.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { SettingFault } from '../start-fault.ts'
import { type ModelRoute, routeOf, routeStepsMax, routesMax, wholeOf } from './model-route.ts'
import { type DialectName, dialectNames } from './provider-dialect.ts'

/** A provider beside the account's own. */
export interface ExternalProvider {
  /** Stands before the slash in names of its models. */
  readonly name: string
  readonly dialect: DialectName
  /** Up to and without the path of an operation, `/chat/completions` for instance. */
  readonly address: string
  readonly key: string | undefined
  /** Calls at once; more go to the next step of a route, or are refused. */
  readonly callsMax: number
  readonly firstByteTimeoutMs: number
  /** Which member bounds the output: servers of open models know only the older one. */
  readonly maxTokensName: 'max_tokens' | 'max_completion_tokens'
  /** The table of prices that its models are in; `free`: they cost nothing. */
  readonly prices: string
}

export interface ProviderList {
  readonly providers: ReadonlyMap<string, ExternalProvider>
  readonly routes: ReadonlyMap<string, ModelRoute>
}

export const noProviders: ProviderList = { providers: new Map(), routes: new Map() }

const namePattern = /^[a-z][a-z0-9-]{0,31}$/
const providersMax = 32
const callsAtOnce = 64
const firstByteSeconds = 120

/** Reads the two settings. */
export function readProviders(
  providersText: string | undefined,
  routesText: string | undefined,
): Result<ProviderList, SettingFault> {
  const providers = new Map<string, ExternalProvider>()
  for (const [name, entry] of entriesOf(providersText) ?? [['', undefined] as const]) {
    const provider = isRecord(entry) && namePattern.test(name) ? providerOf(name, entry) : undefined
    if (provider === undefined) return failWith(providersFault)
    providers.set(name, provider)
  }
  const routes = new Map<string, ModelRoute>()
  for (const [name, entry] of entriesOf(routesText) ?? [['', undefined] as const]) {
    const route = routeOf(name, entry)
    if (route === undefined) return failWith(routesFault)
    routes.set(name, route)
  }
  if (providers.size > providersMax) return failWith(providersFault)
  if (routes.size > routesMax) return failWith(routesFault)
  return succeed({ providers, routes })
}

const providersFault: SettingFault = { setting: 'PROVIDERS', must: 'providers', most: providersMax }
const routesFault: SettingFault = { setting: 'MODEL_ROUTES', must: 'routes', most: routesMax, stepsMax: routeStepsMax }

/** Undefined: no object. */
function entriesOf(text: string | undefined): readonly (readonly [string, unknown])[] | undefined {
  if (text === undefined) return []
  const document = parseJson(text)
  return isRecord(document) ? Object.entries(document) : undefined
}

/** What is known of those whose address it is. */
const officialHosts: Readonly<Record<string, { readonly dialect: DialectName; readonly prices: string }>> = {
  'api.anthropic.com': { dialect: 'messages', prices: 'anthropic' },
  'generativelanguage.googleapis.com': { dialect: 'gemini', prices: 'gemini' },
}

function providerOf(name: string, entry: JsonRecord): ExternalProvider | undefined {
  const address = textOf(entry['address'])?.replace(/\/+$/, '')
  const url = address === undefined ? null : URL.parse(address)
  if (address === undefined || url === null || !/^https?:$/.test(url.protocol) || url.username !== '') return undefined
  const known = ['address', 'dialect', 'key', 'calls_at_once', 'first_byte_seconds', 'max_tokens_name', 'prices']
  if (Object.keys(entry).some((member) => !known.includes(member))) return undefined
  const callsMax = wholeOf(entry['calls_at_once'], callsAtOnce)
  const seconds = wholeOf(entry['first_byte_seconds'], firstByteSeconds)
  // The same maker offers the chat dialect below this path.
  const official = url.pathname.endsWith('/openai') ? undefined : entryOf(officialHosts, url.hostname)
  const dialect = dialectNames.find((one) => one === (entry['dialect'] ?? official?.dialect ?? 'chat'))
  const isReference = url.hostname === 'api.openai.com'
  const maxTokensName = entry['max_tokens_name'] ?? (isReference ? 'max_completion_tokens' : 'max_tokens')
  if (callsMax === undefined || seconds === undefined || dialect === undefined) return undefined
  if (maxTokensName !== 'max_tokens' && maxTokensName !== 'max_completion_tokens') return undefined
  return {
    name,
    dialect,
    address,
    key: textOf(entry['key']),
    callsMax,
    firstByteTimeoutMs: seconds * 1_000,
    maxTokensName,
    prices: textOf(entry['prices']) ?? official?.prices ?? name,
  }
}
