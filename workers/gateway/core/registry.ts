import { isRecord, type JsonRecord, listOf, numberOf, recordOf, textOf } from '#shared/kernel/json-record.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { Kept } from './kept.ts'
import type { ModelRegistryFault } from './start-fault.ts'

const capabilities = [
  'drop_top_p_with_temperature',
  'drop_sampling',
  'reasoning_budget',
  'reasoning_adaptive',
  'reasoning_string',
  'reasoning_nova',
  'reasoning_flat_effort',
  'reasoning_nested_effort',
  'structured_output',
  'strict_tools',
  'prompt_caching',
  'prompt_cache_tools',
  'prompt_cache_1h',
  'no_prefill',
  'no_tool_choice',
  'context_1m_beta',
  'closed_schema_objects',
] as const
type Capability = (typeof capabilities)[number]

interface ModelParameters {
  readonly maxTokens?: number
  readonly cacheTokensMin?: number
  readonly cachePointsMax?: number
  readonly budgetTokensMin?: number
  readonly budgetRatios?: { readonly low: number; readonly medium: number; readonly high: number }
  /** Served by the provider's compatible endpoint instead of its chat operation. */
  readonly compatibleSurface?: 'responses' | 'chat'
  readonly regions?: readonly string[]
}

interface RegistryEntry {
  readonly match: string
  readonly capabilities: ReadonlySet<Capability>
  readonly parameters: ModelParameters
}

export interface ModelRegistry {
  readonly context1mBetaHeader: string
  /** Short name to the id it stands for. */
  readonly aliases: ReadonlyMap<string, string>
  readonly entries: readonly RegistryEntry[]
  /** Fragments of ids from which the default model is chosen, in order. */
  readonly preferred: readonly string[]
}

export interface ModelTraits {
  readonly capabilities: ReadonlySet<Capability>
  readonly parameters: ModelParameters
}

/** As many ids as are in use at once, of their greatest length. */
const keptIds = { textsMax: 64, charactersMax: 2_048 }
const keptTraits = new WeakMap<ModelRegistry, Kept<ModelTraits>>()

/** Capabilities are the union over all matching entries, parameters those of the first that has any. */
export function traitsOf(registry: ModelRegistry, foundationId: string): ModelTraits {
  let kept = keptTraits.get(registry)
  if (kept === undefined) {
    kept = new Kept((id) => readTraits(registry, id), keptIds)
    keptTraits.set(registry, kept)
  }
  return kept.of(foundationId)
}

function readTraits(registry: ModelRegistry, foundationId: string): ModelTraits {
  const id = foundationId.toLowerCase()
  const found = new Set<Capability>()
  let parameters: ModelParameters | undefined
  for (const entry of registry.entries) {
    if (!id.includes(entry.match)) continue
    for (const capability of entry.capabilities) found.add(capability)
    parameters ??= entry.parameters
  }
  return { capabilities: found, parameters: parameters ?? {} }
}

/** Short names whose target the compatible endpoint serves in this region, and those targets. */
export function compatibleIds(registry: ModelRegistry, region: string): readonly string[] {
  return [...registry.aliases].flatMap(([name, target]) => {
    const { compatibleSurface, regions } = traitsOf(registry, target).parameters
    const isHere = regions === undefined || regions.includes(region)
    return compatibleSurface !== undefined && isHere ? [name, target] : []
  })
}

/** Builds the registry from the parsed file. */
export function readModelRegistry(file: unknown): Result<ModelRegistry, ModelRegistryFault> {
  if (!isRecord(file)) return failWith({ kind: 'no_table' })
  const aliases = new Map<string, string>()
  for (const alias of listOf(file['alias'])) {
    const from = textOf(recordOf(alias)?.['from'])
    const to = textOf(recordOf(alias)?.['to'])
    if (from === undefined || to === undefined) return failWith({ kind: 'alias' })
    aliases.set(from, to)
  }
  const entries: RegistryEntry[] = []
  for (const model of listOf(file['model'])) {
    const read = readEntry(model)
    if (!read.ok) return read
    entries.push(read.value)
  }
  return succeed({
    context1mBetaHeader: textOf(file['context_1m_beta_header']) ?? 'context-1m-2025-08-07',
    aliases,
    entries,
    preferred: listOf(file['preferred']).filter((fragment) => typeof fragment === 'string'),
  })
}

function readEntry(model: unknown): Result<RegistryEntry, ModelRegistryFault> {
  const match = textOf(recordOf(model)?.['match'])
  if (!isRecord(model) || match === undefined || match === '') return failWith({ kind: 'no_match' })
  const found = new Set<Capability>()
  for (const name of listOf(model['capabilities'])) {
    const capability = capabilities.find((known) => known === name)
    if (capability === undefined) return failWith({ kind: 'capability', entry: match, name: String(name) })
    found.add(capability)
  }
  const parameters = readParameters(recordOf(model['params']) ?? {})
  if (parameters === undefined) return failWith({ kind: 'surface', entry: match })
  return succeed({ match: match.toLowerCase(), capabilities: found, parameters })
}

/** Undefined: `compatible_surface` is none of the two. */
function readParameters(params: JsonRecord): ModelParameters | undefined {
  const ratios = recordOf(params['budget_ratios'])
  const surface = params['compatible_surface']
  if (surface !== undefined && surface !== 'responses' && surface !== 'chat') return undefined
  const maxTokens = numberOf(params['max_tokens'])
  const cacheTokensMin = numberOf(params['cache_min_tokens'])
  const cachePointsMax = numberOf(params['max_cache_checkpoints'])
  const budgetTokensMin = numberOf(params['min_budget_tokens'])
  const regions = listOf(params['available_regions']).filter((region) => typeof region === 'string')
  return {
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(cacheTokensMin === undefined ? {} : { cacheTokensMin }),
    ...(cachePointsMax === undefined ? {} : { cachePointsMax }),
    ...(budgetTokensMin === undefined ? {} : { budgetTokensMin }),
    ...(ratios === undefined
      ? {}
      : {
          budgetRatios: {
            low: numberOf(ratios['low']) ?? 0.3,
            medium: numberOf(ratios['medium']) ?? 0.6,
            high: numberOf(ratios['high']) ?? 1,
          },
        }),
    ...(surface === undefined ? {} : { compatibleSurface: surface }),
    ...(regions.length === 0 ? {} : { regions }),
  }
}
