/** What the standard library of Rust hands on: iterators, options, and what types say that they hand out or point to. */
import type { Denotation, Instance } from './denotation.ts'
import type { Evaluation } from './evaluation.ts'
import { pairsOf } from './known-types.ts'

/** What gives the same list or option again, beside what other languages have too. */
export const sameListInRust = new Set(
  `as_deref_mut as_mut_slice as_slice by_ref chain copied cycle drain fuse inspect into_boxed_slice
  into_values into_vec map_err ok_or_else or or_else peekable skip skip_while split_off step_by take_while to_vec
  transpose values_mut xor entry rev into_sorted_vec`.split(/\s+/),
)
/** What gives one of them. */
export const oneOfListInRust = new Set(
  `first_mut get_or_insert get_or_insert_with get_unchecked get_unchecked_mut last_mut max max_by_key min min_by_key next_back
  next_if nth nth_back or_default or_insert or_insert_with peek_mut reduce rfind swap_remove unwrap_unchecked`.split(
    /\s+/,
  ),
)
/** What hands each of a list of Rust to the function it is given. */
export const elementCallbacksInRust = new Set(
  `all any binary_search_by binary_search_by_key dedup_by_key filter filter_map find find_map flat_map for_each inspect
  is_some_and map map_while max_by_key min_by_key partition position retain retain_mut rfind rposition skip_while sort_by_key
  sort_unstable_by_key sort_by_cached_key take_while try_for_each and_then`.split(/\s+/),
)
/** What hands two of a list of Rust to its callback. */
export const comparatorsInRust = new Set(
  'dedup_by max_by min_by sort_by sort_unstable_by is_sorted_by reduce'.split(' '),
)
/** Functions of iterators and options whose callback is not the first that they are given, or not given each first. */
export const laterCallbacksInRust: ReadonlyMap<string, { readonly argument: number; readonly parameter: number }> =
  new Map([
    ['map_or', { argument: 1, parameter: 0 }],
    ['map_or_else', { argument: 1, parameter: 0 }],
    ['fold', { argument: 1, parameter: 1 }],
    ['try_fold', { argument: 1, parameter: 1 }],
    ['scan', { argument: 1, parameter: 1 }],
  ])
/** What gives what the callback gives, where that is an option or a list already. */
export const callbackResultsInRust = new Set('and_then filter_map find_map flat_map map_while or_else'.split(' '))

const ofIterators = [
  ...[elementCallbacksInRust, comparatorsInRust, callbackResultsInRust, sameListInRust, oneOfListInRust, pairsOf],
  ...[
    new Set(laterCallbacksInRust.keys()),
    new Set(['collect', 'filter', 'into_iter', 'next', 'last', 'peek', 'rev', 'take', 'cloned']),
  ],
]

/** Whether what iterates has a method of that name from the standard library, which hands on what it iterates over. */
function isOfIterators(name: string): boolean {
  return ofIterators.some((one) => one.has(name))
}

/** What a type says that it hands out, one by one or at a place. */
export function itemInRust(whole: Evaluation, of: Instance, isEach: boolean): Denotation | undefined {
  const items = whole.children(of.f, of.s, isEach ? 'Item' : 'Output')
  if (items.length > 0)
    return whole.either(
      items.map((s) => {
        const { type } = whole.symbol(of.f, s)
        return type === undefined ? undefined : whole.typed(of.f, type, of.env)
      }),
    )
  const above = isEach ? whole.member(of, 'Item', true) : undefined
  return above?.t === 'symbol' ? whole.calls.instanceOf(above, of.f, undefined, of.env) : undefined
}

/** What a type has of what it is a pointer to, or an iterator over. */
export function handedOnInRust(
  whole: Evaluation,
  of: Instance,
  name: string,
  isCalled: boolean,
): Denotation | undefined {
  const [target] = whole.children(of.f, of.s, 'Target')
  const type = target === undefined ? undefined : whole.symbol(of.f, target).type
  const pointed = type === undefined ? undefined : whole.typed(of.f, type, of.env)
  const found = pointed === undefined ? undefined : whole.member(pointed, name, false, isCalled)
  if (found !== undefined && found.t !== 'external') return found
  if (!isOfIterators(name) || whole.children(of.f, of.s, 'Item').length === 0) return undefined
  const each = whole.contents.element(of, 'rust', { each: 1 })
  return each === undefined ? undefined : { t: 'built-in', on: { t: 'list', of: each }, n: name }
}
