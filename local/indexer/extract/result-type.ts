import type { Type } from '../core/facts.ts'

/** What a function is declared to give back. Where that is a type of a function, it is not the function's own. */
export function resultType(declared: Type): Type {
  return declared.k === 'fn' ? { k: 'fn', r: declared } : declared
}
