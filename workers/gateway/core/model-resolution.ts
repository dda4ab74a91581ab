import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { type Catalogue, defaultModelName, foundationOf, undecorated } from './catalogue.ts'
import { type Failure, failure } from './failure.ts'
import { thinks } from './providers/gemini/gemini-thinking.ts'
import type { DialectName } from './providers/provider-dialect.ts'
import type { ProviderList } from './providers/provider-list.ts'
import { type ModelRegistry, type ModelTraits, traitsOf } from './registry.ts'

export interface ResolvedModel {
  /** Goes to the provider exactly like this. */
  readonly id: string
  readonly foundationId: string
  readonly traits: ModelTraits
  /** Undefined when the catalogue does not know the model: then the provider decides. */
  readonly hasImages: boolean | undefined
  /** What its provider speaks, where that is one beside the account's. */
  readonly dialect?: DialectName
  /** The request of this dialect passes as it is, because its provider, or all of its route, speak it themselves. */
  readonly passes?: DialectName
}

/** What a provider of the chat dialect is taken to understand; it refuses what it does not. */
const chatTraits: ModelTraits = {
  capabilities: new Set(['structured_output', 'strict_tools', 'reasoning_flat_effort']),
  parameters: {},
}

/** Where a model does not think, an effort is told to be without effect. */
function geminiTraits(model: string): ModelTraits {
  const thinking = thinks(model) ? (['reasoning_flat_effort'] as const) : []
  return { capabilities: new Set(['structured_output', ...thinking]), parameters: {} }
}

/** Models under their maker's own address have the abilities that they have with the account's provider. */
function messagesTraits(model: string, registry: ModelRegistry): ModelTraits {
  const { capabilities, parameters } = traitsOf(registry, `anthropic.${model}`)
  // There the long context is no feature to be tried out.
  return { capabilities: new Set([...capabilities].filter((one) => one !== 'context_1m_beta')), parameters }
}

/** A model of a provider beside the account's, as `provider/model`, or a route that begins with one; else undefined. */
export function externalModel(
  name: string,
  { providers, routes }: ProviderList,
  registry: ModelRegistry,
): ResolvedModel | undefined {
  const route = routes.get(name)
  const target = route === undefined ? name : (route.steps[0]?.model ?? '')
  const dialect = dialectOf(target, providers)
  if (dialect === undefined) return undefined
  const model = target.slice(target.indexOf('/') + 1)
  const traits =
    dialect === 'messages' ? messagesTraits(model, registry) : dialect === 'gemini' ? geminiTraits(model) : chatTraits
  const isSpokenByAll = route === undefined || route.steps.every((step) => dialectOf(step.model, providers) === dialect)
  const found = { id: name, foundationId: name, traits, hasImages: undefined, dialect }
  return isSpokenByAll ? { ...found, passes: dialect } : found
}

/** Undefined: the model is none of a provider beside the account's. */
function dialectOf(model: string, providers: ProviderList['providers']): DialectName | undefined {
  const slash = model.indexOf('/')
  return slash < 0 ? undefined : providers.get(model.slice(0, slash))?.dialect
}

const idPattern = /^[A-Za-z0-9][A-Za-z0-9._:/-]{0,2047}$/
/** What stands behind a name at the end of which a client asks for its longest context. */
const contextMark = /\[\d+[km]\]$/i

/** Finds what a name in a request stands for: a short name, a profile, or a model id as it is. */
export function resolveModel(
  name: string,
  registry: ModelRegistry,
  catalogue: Catalogue,
  region: string,
): Result<ResolvedModel, Failure> {
  const wanted = name === defaultModelName ? (catalogue.defaultModel ?? name) : name.replace(contextMark, '')
  const target = registry.aliases.get(wanted) ?? wanted
  if (!idPattern.test(target) || target.includes('..')) return failWith(unknownModel(name))
  if (target.startsWith('arn:') && target.split(':')[3] !== region) {
    return failWith(failure('bad_request', `model ${name} is outside the region of this gateway`, { param: 'model' }))
  }
  const id = callableId(target, registry, catalogue, region)
  if (!id.ok) return id
  const known = catalogue.callable.get(id.value)
  const foundationId = known?.foundationId ?? foundationOf(id.value)
  const traits = traitsOf(registry, foundationId)
  if (traits.parameters.regions !== undefined && !traits.parameters.regions.includes(region)) {
    return failWith(failure('bad_request', `model ${name} is not available in ${region}`, { param: 'model' }))
  }
  return succeed({ id: id.value, foundationId, traits, hasImages: known?.hasImages })
}

/**
 * The id that the provider takes for a model. One that the account does not list goes as it is, because the list may be
 * older than the model.
 */
function callableId(
  target: string,
  registry: ModelRegistry,
  catalogue: Catalogue,
  region: string,
): Result<string, Failure> {
  if (catalogue.callable.has(target)) return succeed(target)
  // The compatible endpoint has its own ids, whatever the provider's own operation calls these models.
  if (traitsOf(registry, target).parameters.compatibleSurface !== undefined) return succeed(target)
  const foundationId = catalogue.waysTo.has(target) ? target : catalogue.shortNames.get(undecoratedName(target))
  const ways = foundationId === undefined ? undefined : catalogue.waysTo.get(foundationId)
  if (ways === undefined) return succeed(target)
  const [way] = ways
  if (way === undefined) {
    return failWith(
      failure(
        'bad_request',
        `model ${target} is called through an inference profile, and the account lists none here`,
        {
          param: 'model',
        },
      ),
    )
  }
  // Whoever names a profile of another part of the world has a reason for it.
  if (target !== foundationOf(target)) {
    return failWith(
      failure('bad_request', `model ${target} cannot be called in ${region}; use ${ways.join(' or ')}`, {
        param: 'model',
      }),
    )
  }
  return succeed(way)
}

/** A date that is given is meant; a name without one stands for the newest. */
function undecoratedName(target: string): string {
  return undecorated(target).replace(/-latest$/, '')
}

export function unknownModel(name: string): Failure {
  const shown = name.length > 100 ? `${name.slice(0, 100)}…` : name
  return failure('bad_request', `unknown model ${shown}`, { param: 'model' })
}
