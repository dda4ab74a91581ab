import type { Value } from '../../core/facts.ts'
import type { Naming, PatternStep, TreeReader } from '../languages/tree-language.ts'
import type { Scope } from './scope.ts'

/** What a name is given of a value that is taken apart. */
export function takenOut({ isElement, part, steps }: Naming, value: Value, reader: TreeReader, scope: Scope): Value {
  const one: Value = isElement === true ? { k: 'elem', v: value, each: 1 } : value
  if (steps !== undefined) return steps.reduce((of, step) => stepInto(of, step, reader, scope), one)
  return part === undefined ? one : { k: 'elem', v: one, each: 1, n: part }
}

function stepInto(v: Value, step: PatternStep, reader: TreeReader, scope: Scope): Value {
  if (step === 'inside') return { k: 'elem', v, each: 1 }
  if (typeof step === 'number') return { k: 'elem', v, each: 1, n: step }
  if ('part' in step) return { k: 'elem', v: reader.value(step.of, scope), each: 1, n: step.part }
  const ofType: Value = { k: 'is', t: reader.typeOf(step.of, scope) }
  // What is taken apart may say more than the type alone; a variant is not told apart from the whole.
  const forms = [v, ofType].map((o): Value => ({ k: 'get', o, n: step.field }))
  return { k: 'alt', v: forms, first: 1 }
}
