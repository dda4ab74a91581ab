import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { Catalogue } from './catalogue.ts'
import { type Failure, failure } from './failure.ts'
import { type ModelRegistry, type ModelTraits, traitsOf } from './registry.ts'

export interface ResolvedModel {
  /** Goes to the provider exactly like this. */
  readonly id: string
  readonly foundationId: string
  readonly traits: ModelTraits
  /** Undefined when the catalogue does not know the model: then the provider decides. */
  readonly hasImages: boolean | undefined
}

const idPattern = /^[A-Za-z0-9][A-Za-z0-9._:/-]{0,2047}$/
const profilePrefix = /^(?:us-gov|us|eu|apac|jp|au|ca|global)\./

/** Finds what a name in a request stands for: a short name, a profile, or a model id as it is. */
export function resolveModel(
  name: string,
  registry: ModelRegistry,
  catalogue: Catalogue,
  region: string,
): Result<ResolvedModel, Failure> {
  const id = registry.aliases.get(name) ?? name
  if (!idPattern.test(id) || id.includes('..')) return failWith(unknownModel(name))
  if (id.startsWith('arn:') && id.split(':')[3] !== region) {
    return failWith(failure('bad_request', `model ${name} is outside the region of this gateway`, { param: 'model' }))
  }
  const known = catalogue.byId.get(id)
  const foundationId = known?.foundationId ?? foundationOf(id)
  const traits = traitsOf(registry, foundationId)
  if (traits.parameters.regions !== undefined && !traits.parameters.regions.includes(region)) {
    return failWith(failure('bad_request', `model ${name} is not available in ${region}`, { param: 'model' }))
  }
  return succeed({ id, foundationId, traits, hasImages: known?.hasImages })
}

export function unknownModel(name: string): Failure {
  const shown = name.length > 100 ? `${name.slice(0, 100)}…` : name
  return failure('bad_request', `unknown model ${shown}`, { param: 'model' })
}

function foundationOf(id: string): string {
  const last = id.startsWith('arn:') ? id.slice(id.lastIndexOf('/') + 1) : id
  return last.toLowerCase().replace(profilePrefix, '')
}
