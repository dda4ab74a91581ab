/** References without a target, as one row of numbers a file: there are as many of them as edges, and each is asked for with its file. */
import type { UnresolvedReference } from '../core/graph.ts'
import { DamagedIndexError } from '../core/rows.ts'
import { edgeKinds } from '../core/vocabulary.ts'

/** Of one file: its symbol by place, the number of the name. */
export interface UnresolvedEntry {
  readonly from: number
  readonly name: number
  readonly kind: number
  readonly line: number
  readonly col: number
}

const numbersEach = 5

export function packUnresolved(
  references: readonly UnresolvedReference[],
  numberOf: (name: string) => number,
): Uint8Array {
  const numbers = new Uint32Array(references.length * numbersEach)
  let at = 0
  for (const { from, name, kind, line, col } of references) {
    numbers[at] = from
    numbers[at + 1] = numberOf(name)
    numbers[at + 2] = edgeKinds.indexOf(kind)
    numbers[at + 3] = line
    numbers[at + 4] = col
    at += numbersEach
  }
  return new Uint8Array(numbers.buffer)
}

export function* unpackUnresolved(data: unknown): Generator<UnresolvedEntry> {
  const numbers = numbersOf(data)
  for (let at = 0; at < numbers.length; at += numbersEach) {
    const number = (slot: number): number => numbers[at + slot] ?? 0
    yield { from: number(0), name: number(1), kind: number(2), line: number(3), col: number(4) }
  }
}

/** The number of each one's name. */
export function namesOfUnresolved(data: unknown): Uint32Array {
  return numbersOf(data).filter((_, at) => at % numbersEach === 1)
}

function numbersOf(data: unknown): Uint32Array {
  if (!(data instanceof Uint8Array) || data.length % (numbersEach * 4) !== 0)
    throw new DamagedIndexError('references without a target are cut off')
  return new Uint32Array(data.slice().buffer)
}
