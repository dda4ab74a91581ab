import { compileDefinition } from '../../../core/cardigann/compile-definition.ts'
import type { Definition } from '../../../core/cardigann/definition.ts'
import type { Tree } from '../../../core/cardigann/definition-reader.ts'
import { definitionFaultsMax } from '../../../limits.ts'
import { isPageSelector } from './page-tree.ts'

/** From the form it is kept in, which was checked before. Undefined for one that today's rules refuse. */
export function keptDefinition(json: string): Definition | undefined {
  const compiled = compileDefinition(JSON.parse(json) as Tree, { isSelector: isPageSelector }, definitionFaultsMax)
  return compiled.ok ? compiled.value : undefined
}
