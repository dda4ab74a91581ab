import type { Result } from '#shared/kernel/result.ts'
import type { CheckedDefinition, DefinitionFacts, PlacedFault } from '../core/cardigann/checked-definition.ts'

/** What is shown of a definition that the owner brought. */
export interface OwnDefinition {
  readonly id: string
  readonly facts: DefinitionFacts
  /** Empty for one that was given as a text. */
  readonly address: string
  readonly updatedAtUnix: number
  /** Sites that are made from it. */
  readonly sites: number
}

export interface OwnDefinitions {
  /** By name. */
  list(): Promise<OwnDefinition[]>
  find(id: string): Promise<OwnDefinition | undefined>
  /** In place of one with the same id: its sites are read by the new one from then on. */
  put(checked: CheckedDefinition, address: string): Promise<Result<OwnDefinition, 'too_many'>>
  remove(id: string): Promise<Result<true, 'not_found' | 'in_use'>>
}

/** Reads definitions. */
export interface DefinitionDesk {
  check(source: string): Result<CheckedDefinition, readonly PlacedFault[]>
  /** Asks an address for one; `undefined` for what cannot be reached or is too long. */
  fetch(address: string): Promise<string | undefined>
}
