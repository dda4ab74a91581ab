import type { Value } from '../../core/facts.ts'
import type { Naming } from '../languages/tree-language.ts'

/** What a name is given of a value that is taken apart. */
export function takenOut({ isElement, part }: Naming, value: Value): Value {
  const one: Value = isElement === true ? { k: 'elem', v: value, each: 1 } : value
  return part === undefined ? one : { k: 'elem', v: one, each: 1, n: part }
}
