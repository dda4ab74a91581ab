/** The names that are known at a place of a syntax tree, and what they hold. */
import type { Type, Value } from '../../core/facts.ts'

export const nothing: Value = { k: 'glob', n: '' }
export const anything: Value = { k: 'glob', n: '?' }
export const depthMax = 400

export const alternativesMax = 6

export interface Scope {
  readonly parent: Scope | undefined
  readonly owner: number
  readonly names: Map<string, Value>
  readonly self: Value | undefined
  readonly type: number | undefined
  /** In a class without a name: what it inherits from. */
  readonly above?: Value | undefined
  readonly isTypeBody: boolean
  /** In a function without a name, which belongs to no symbol of its own. */
  readonly isUnnamed?: boolean
  /** Where what is around gives no variables, in languages whose functions have only their own. */
  readonly isApart?: boolean
  /** What the type parameters of a function are known to be. */
  readonly bounds?: ReadonlyMap<string, Type>
}

export function outermostScope(): Scope {
  return { parent: undefined, owner: 0, names: new Map(), self: undefined, type: undefined, isTypeBody: false }
}

export function childScope(parent: Scope, change: Partial<Scope> = {}): Scope {
  return {
    parent,
    owner: parent.owner,
    names: new Map(),
    self: parent.self,
    type: parent.type,
    ...(parent.above === undefined ? {} : { above: parent.above }),
    ...(parent.isUnnamed === true ? { isUnnamed: true } : {}),
    isTypeBody: false,
    ...change,
  }
}

/** Nothing of the project, such as `None`, adds nothing to what a name may hold. */
export function eitherOf(old: Value, now: Value): Value {
  if (now === nothing || now === old) return old
  if (old === nothing) return now
  const known = old.k === 'alt' && old.first !== 1 ? old.v : [old]
  return { k: 'alt', v: [...known.slice(0, alternativesMax), now] }
}
