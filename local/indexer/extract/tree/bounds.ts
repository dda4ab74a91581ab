import type { Type } from '../../core/facts.ts'
import type { TreeLanguage, TreeReader } from '../languages/tree-language.ts'
import type { Scope } from './scope.ts'
import type { TreeNode } from './tree-node.ts'

/** What the type parameters of a declaration are at least, by name: one that is bound more than once is all of that. */
export function boundTypes(spec: TreeLanguage, node: TreeNode, reader: TreeReader, scope: Scope): Map<string, Type> {
  const bounds = new Map<string, Type>()
  for (const { name, type } of spec.bounds(node)) {
    const one = reader.typeOf(type, scope)
    const known = bounds.get(name)
    const all = known?.k === 'any-of' ? known.ts : known === undefined ? [] : [known]
    bounds.set(name, all.length === 0 ? one : { k: 'any-of', ts: [...all, one] })
  }
  return bounds
}
