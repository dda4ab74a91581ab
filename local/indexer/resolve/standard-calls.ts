/** What functions of the languages themselves give back of what they are given. */
import type { Value } from '../core/facts.ts'
import { type Denotation, type Environment, outside } from './denotation.ts'
import type { Evaluation } from './evaluation.ts'

type Call = Extract<Value, { k: 'call' }>

export function standardResult(whole: Evaluation, f: number, call: Call, env?: Environment): Denotation {
  const [first, second] = call.a ?? []
  const { language } = whole.file(f)
  const given = (value: Value): Denotation | undefined => {
    const found = whole.evaluate(f, value, env)
    return found === undefined ? undefined : whole.held(found)
  }
  const listOf = (of: Denotation | undefined): Denotation => ({ t: 'list', of })
  const inside = (each?: 1): Denotation | undefined =>
    first === undefined ? undefined : whole.contents.element(given(first), language, each === 1 ? { each } : {})
  switch (first === undefined ? '' : fullName(call.f)) {
    case 'Object.values':
      return listOf(inside())
    case 'Object.entries':
      return (first === undefined ? undefined : whole.contents.pairs(given(first), language)) ?? outside
    case 'Array.from':
      return listOf(second === undefined ? inside(1) : madeBy(whole, f, second, env))
    case 'Promise.all':
      return { t: 'promise', of: allOf(whole, f, first, env, given) }
    case 'enumerate':
      return listOf({ t: 'tuple', of: [outside, inside(1)] })
    case 'zip':
      return listOf({
        t: 'tuple',
        of: (call.a ?? []).map((one) => whole.contents.element(given(one), language, { each: 1 })),
      })
    case 'list':
    case 'sorted':
    case 'reversed':
    case 'set':
    case 'tuple':
    case 'iter':
      return listOf(inside(1))
    case 'next':
      return inside(1) ?? outside
    default:
      return outside
  }
}

function fullName(value: Value): string {
  if (value.k === 'glob') return value.n
  return value.k === 'get' && value.o.k === 'glob' ? `${value.o.n}.${value.n}` : ''
}

/** What a function that is handed gives back. */
function madeBy(whole: Evaluation, f: number, handed: Value, env: Environment | undefined): Denotation | undefined {
  const maker = whole.evaluate(f, handed, env)
  return maker === undefined ? undefined : whole.calls.callResult(maker, f)
}

function allOf(
  whole: Evaluation,
  f: number,
  first: Value | undefined,
  env: Environment | undefined,
  given: (value: Value) => Denotation | undefined,
): Denotation | undefined {
  if (first?.k === 'arr' && first.v.k === 'alt')
    return { t: 'tuple', of: first.v.v.map((one) => whole.calls.awaited(whole.evaluate(f, one, env))) }
  const list = first === undefined ? undefined : given(first)
  if (list?.t === 'external') return outside
  return list?.t === 'list' ? { t: 'list', of: whole.calls.awaited(list.of) } : undefined
}
