/** The providers of a directory, from what is built in and configured, with the keys they are used with. */
import { readFile, stat } from 'node:fs/promises'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { ListedModel } from '#shared/models/listed-model.ts'
import type { PriceList } from '#shared/models/price-list.ts'
import type { ProviderConfiguration } from '../contract/configuration.ts'
import { present } from '../core/fields.ts'
import { type KnownProvider, knownProviders } from '../core/known-providers.ts'
import { modelEntries } from '../core/model-entries.ts'
import { type ModelEntry, modelEntry, type ProviderEntry } from '../core/provider-catalogue.ts'
import type { ModelRef } from '../core/session/message.ts'
import type { StepFault } from '../core/step-fault.ts'
import type { LoadedConfiguration } from './configuration.ts'
import type { ListingProvider } from './model-lists.ts'
import type { ModelEndpoint } from './model-port.ts'

export interface ResolvedProvider extends ProviderEntry {
  readonly apiKey: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly keySource:
    | { readonly type: 'env'; readonly name: string }
    | { readonly type: 'credential' }
    | { readonly type: 'configuration' }
    | undefined
  readonly isUsable: boolean
  /** Whether it is asked what it has: the owner may have said it all. */
  readonly isListed: boolean
}

interface Keys {
  /** Variables of the environment. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Keys of the credentials file, by provider. */
  readonly credentials: Readonly<Record<string, string>>
}

/** What is known of models beside the configuration. */
export interface ModelFactSources {
  readonly listed: (provider: ListingProvider) => readonly ListedModel[] | undefined
  /** Read when a provider is used that it is about. */
  readonly prices: () => Promise<PriceList>
}

export async function resolveProviders(
  loaded: LoadedConfiguration,
  keys: Keys,
  sources: ModelFactSources,
): Promise<ResolvedProvider[]> {
  const configured: Record<string, ProviderConfiguration> = {}
  const disabled = new Set<string>()
  let enabled: readonly string[] | undefined
  for (const { values, isTrusted } of loaded.layers) {
    for (const id of values.disabled_providers ?? []) disabled.add(id)
    enabled = isTrusted ? (values.enabled_providers ?? enabled) : bothOf(enabled, values.enabled_providers)
    if (!isTrusted) continue
    for (const [id, entry] of Object.entries(values.provider ?? {})) configured[id] = { ...configured[id], ...entry }
  }
  const ids = new Set([...Object.keys(configured), ...knownProviders.map((provider) => provider.id)])
  const resolved = await Promise.all(
    [...ids]
      .filter((id) => !disabled.has(id) && enabled?.includes(id) !== false)
      .map((id) => resolveProvider(id, configured[id], keys, sources)),
  )
  return resolved.filter((provider) => provider !== undefined)
}

/** A project may use fewer than the owner lets it, never others. */
function bothOf(own: readonly string[] | undefined, more: readonly string[] | undefined) {
  return own === undefined ? more : own.filter((id) => more?.includes(id) !== false)
}

async function resolveProvider(
  id: string,
  own: ProviderConfiguration | undefined,
  { environment, credentials }: Keys,
  sources: ModelFactSources,
): Promise<ResolvedProvider | undefined> {
  const builtIn = knownProviders.find((provider) => provider.id === id)
  const moved = builtIn?.urlVariable === undefined ? undefined : environment[builtIn.urlVariable]
  const url = own?.baseURL ?? moved ?? builtIn?.url
  if (url === undefined) return undefined
  const keyVariables = builtIn?.keyVariables ?? []
  const variable = keyVariables.find((name) => (environment[name] ?? '') !== '')
  const keySource =
    own?.apiKey !== undefined
      ? ({ type: 'configuration' } as const)
      : variable !== undefined
        ? ({ type: 'env', name: variable } as const)
        : credentials[id] !== undefined
          ? ({ type: 'credential' } as const)
          : undefined
  const apiKey = own?.apiKey ?? (variable === undefined ? credentials[id] : environment[variable])
  const asked = {
    id,
    package: own?.package ?? builtIn?.package ?? '@ai-sdk/openai-compatible',
    url: url.replace(/\/+$/, ''),
    apiKey,
    headers: own?.headers ?? {},
  } as const
  // A configured address may need no key; a known one always does.
  const isUsable = apiKey !== undefined || own?.baseURL !== undefined
  const isListed = isUsable && (own?.baseURL === undefined || own.models === undefined)
  return {
    ...asked,
    name: own?.name ?? builtIn?.name ?? id,
    keyVariables,
    // Of one that cannot be used nobody chooses.
    models: isUsable
      ? resolveModels(await knownModels(builtIn, isListed ? asked : undefined, sources), own?.models ?? {})
      : [],
    quietMsMax: own?.timeout,
    keySource,
    isUsable,
    isListed,
  }
}

async function knownModels(
  known: KnownProvider | undefined,
  asked: ListingProvider | undefined,
  { listed, prices }: ModelFactSources,
): Promise<readonly ModelEntry[]> {
  const list = asked === undefined ? undefined : listed(asked)
  return known === undefined && list === undefined ? [] : modelEntries(known ?? { preferred: [] }, list, await prices())
}

function resolveModels(
  builtIn: readonly ModelEntry[],
  own: NonNullable<ProviderConfiguration['models']>,
): readonly ModelEntry[] {
  const models = new Map(builtIn.map((model) => [model.id, model]))
  for (const [id, { cost, ...facts }] of Object.entries(own)) {
    const known = models.get(id) ?? modelEntry(id)
    models.set(id, {
      ...known,
      ...present(facts),
      ...(cost === undefined ? {} : { cost: { cacheRead: 0, cacheWrite: 0, ...present(cost) } }),
    } as ModelEntry)
  }
  return [...models.values()]
}

type ModelChoiceFault = Extract<StepFault, { readonly kind: 'no_model' | 'no_variant' }>

/** The endpoint of a model, when its provider can be used. A model the catalogue does not list is tried as it is. */
export function endpointOf(
  providers: readonly ResolvedProvider[],
  ref: ModelRef | undefined,
): Result<{ readonly endpoint: ModelEndpoint; readonly model: ModelEntry }, ModelChoiceFault> {
  const provider = providers.find((candidate) => candidate.id === ref?.providerID)
  if (ref === undefined || provider === undefined || !provider.isUsable) {
    return failWith({ kind: 'no_model' })
  }
  const listed = provider.models.find((candidate) => candidate.id === ref.id)
  const variant = ref.variant === undefined ? {} : listed?.variants?.[ref.variant]
  if (variant === undefined) {
    const known = Object.keys(listed?.variants ?? {})
    return failWith({ kind: 'no_variant', model: `${ref.providerID}/${ref.id}`, variant: ref.variant ?? '', known })
  }
  return succeed({
    model: listed ?? modelEntry(ref.id),
    endpoint: {
      ref,
      package: provider.package,
      url: provider.url,
      apiKey: provider.apiKey,
      headers: provider.headers,
      // Only this interface must be told; elsewhere the provider's own limit is the better one.
      outputTokensMax: provider.package === '@ai-sdk/anthropic' ? listed?.output : undefined,
      mediaTypes: listed?.input,
      options: { ...listed?.options, ...variant },
      quietMsMax: provider.quietMsMax,
    },
  })
}

/** Keys by provider. A file that others may read is not used: its keys are no secret any more. */
export async function readCredentials(file: string): Promise<Readonly<Record<string, string>>> {
  try {
    const facts = await stat(file)
    if (!facts.isFile() || (facts.mode & 0o077) !== 0) return {}
    const parsed: unknown = JSON.parse(await readFile(file, 'utf8'))
    if (typeof parsed !== 'object' || parsed === null) return {}
    return Object.fromEntries(
      Object.entries(parsed).flatMap(([id, entry]: [string, unknown]) =>
        typeof entry === 'object' && entry !== null && 'key' in entry && typeof entry.key === 'string'
          ? [[id, entry.key]]
          : [],
      ),
    )
  } catch {
    return {}
  }
}
