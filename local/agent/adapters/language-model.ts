/**
 * The package that speaks a provider's interface. Each takes some 20 MB and a tenth of a second to load, so only the
 * one that a turn needs is loaded, when it needs it.
 */
import type { LanguageModelV4, SharedV4ProviderMetadata } from '@ai-sdk/provider'
import type { JsonObject } from '../core/session/message.ts'
import { languageModelsMax } from '../limits.ts'
import { inLaterPass } from '../runtime/loop-share.ts'
import type { ModelEndpoint } from '../runtime/model-port.ts'

/** Ahead of the first turn: the package that most providers are spoken to with, which shares most of what it loads. */
export async function warmLanguageModels(): Promise<void> {
  // A package that cannot be loaded is reported by the call that needs it. This part of it leads to what it shares with the others, which is the most.
  await import('@ai-sdk/openai-compatible/internal').catch(() => undefined)
  await inLaterPass()
  await import('@ai-sdk/openai-compatible').catch(() => undefined)
}

/** Models as they were last spoken to: each is made with the schemas of all it may answer, which takes a millisecond. */
export class LanguageModels {
  readonly #fetch: typeof fetch
  readonly #kept = new Map<string, Promise<LanguageModelV4>>()

  constructor(fetchModel: typeof fetch) {
    this.#fetch = fetchModel
  }

  of(endpoint: ModelEndpoint): Promise<LanguageModelV4> {
    const { ref, package: name, url, apiKey, headers } = endpoint
    const key = JSON.stringify([ref.providerID, ref.id, name, url, apiKey, headers])
    const known = this.#kept.get(key)
    if (known !== undefined) return known
    const made = makeLanguageModel(endpoint, this.#fetch)
    // A package that cannot be loaded now may be there later.
    made.catch(() => this.#kept.delete(key))
    if (this.#kept.size >= languageModelsMax) this.#kept.clear()
    this.#kept.set(key, made)
    return made
  }
}

async function makeLanguageModel(endpoint: ModelEndpoint, fetchModel: typeof fetch): Promise<LanguageModelV4> {
  const { id, providerID } = endpoint.ref
  const settings = {
    name: providerID,
    baseURL: endpoint.url,
    // Without a key of ours these packages would take one from the environment and send it to a configured address.
    apiKey: endpoint.apiKey ?? '',
    headers: { ...endpoint.headers },
    fetch: fetchModel,
  }
  switch (endpoint.package) {
    case '@ai-sdk/openai-compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      const { apiKey, ...rest } = settings
      const provider = createOpenAICompatible({ ...rest, ...(apiKey === '' ? {} : { apiKey }), includeUsage: true })
      return provider.chatModel(id)
    }
    case '@ai-sdk/openai': {
      const { createOpenAI } = await import('@ai-sdk/openai')
      return createOpenAI(settings).responses(id)
    }
    case '@ai-sdk/anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return createAnthropic(settings).languageModel(id)
    }
    case '@ai-sdk/google': {
      const { createGoogle } = await import('@ai-sdk/google')
      return createGoogle(settings).languageModel(id)
    }
  }
}

/**
 * Our own gateway tells what a model thought between tags in its text, each time it did, as its interface document has it.
 * Signed thoughts come back in the ids of calls, so none are sent as text again.
 */
export function tellsThoughtsAnywhere({ ref }: ModelEndpoint): boolean {
  return ref.providerID === 'wharf'
}

/** Nothing is kept at the provider, and what was sent before is paid for as cached where that must be asked for. */
const ownOptions: Readonly<Record<string, JsonObject>> = {
  openai: { store: false },
  anthropic: { cacheControl: { type: 'ephemeral' } },
}

/** Each package looks for its options under its own name, the common one under that of the provider. */
export function providerOptionsOf({ package: name, ref, options }: ModelEndpoint): SharedV4ProviderMetadata {
  const own =
    name === '@ai-sdk/openai-compatible'
      ? (ref.providerID.split('.')[0] ?? '').replace(/[_-]([a-z])/g, (_whole, letter: string) => letter.toUpperCase())
      : name.slice('@ai-sdk/'.length)
  return { [own]: { ...ownOptions[own], ...options } } as SharedV4ProviderMetadata
}

/** What must come back with a call in the next request. Only this provider signs its calls. */
export function callMetadata(metadata: Readonly<Record<string, unknown>> | undefined): JsonObject | undefined {
  const google = metadata?.['google']
  return google === undefined ? undefined : { google }
}

/** What must come back with a thought, which providers tell with any piece of it: its seal, or the number it has there. */
export function withSeal(
  known: JsonObject | undefined,
  metadata: SharedV4ProviderMetadata | undefined,
): JsonObject | undefined {
  let sealed = known
  for (const [name, facts] of Object.entries(metadata ?? {})) {
    const told = Object.entries(facts).filter(([, value]) => value !== null && value !== undefined)
    if (!sealers.has(name) || told.length === 0) continue
    sealed = { ...sealed, [name]: { ...(sealed?.[name] as JsonObject | undefined), ...Object.fromEntries(told) } }
  }
  return sealed
}

const sealers = new Set(['anthropic', 'openai', 'google'])
