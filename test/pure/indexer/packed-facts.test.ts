import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'vitest'
import type { FileFacts, Value } from '../../../local/indexer/core/facts.ts'
import { languageOf } from '../../../local/indexer/core/language-of.ts'
import { PartWriter } from '../../../local/indexer/core/part-table.ts'
import { extractFile, prepareLanguages } from '../../../local/indexer/extract/extract-file.ts'
import { NumberReader, NumberWriter } from '../../../local/indexer/store/number-bytes.ts'
import { packFacts, takenFacts, unpackFacts } from '../../../local/indexer/store/packed-facts.ts'

const corpus = path.join(import.meta.dirname, '../../fixtures/code')
const nothing: Value = { k: 'glob', n: '' }

test('facts of every language come back as they were, but for locals that nothing hangs on', async ({ expect }) => {
  const names = readdirSync(corpus, { recursive: true, encoding: 'utf8' })
  const sources = names.flatMap((name) => languageOf(name) ?? []).length
  await prepareLanguages(names.flatMap((name) => languageOf(name) ?? []))
  let kept = 0

  for (const name of names) {
    if (languageOf(name) === undefined) continue
    const facts = extractFile(name, readFileSync(path.join(corpus, name), 'utf8'))
    const packed = packFacts(facts)
    const taken = takenFacts(packed)
    const isKept = (slot: number): boolean => JSON.stringify(taken.locals[slot] ?? nothing) !== JSON.stringify(nothing)
    const locals = facts.locals.map((one, slot) => (isKept(slot) ? one : nothing)).slice(0, taken.locals.length)
    kept += locals.filter((_, slot) => isKept(slot)).length

    expect(taken, name).toEqual({ ...facts, locals })
    expect(unpackFacts(packed.body), name).toEqual(taken)
    expect(
      heldLocals(taken).filter((slot) => facts.locals[slot] !== undefined && taken.locals[slot] === undefined),
    ).toEqual([])
  }

  expect([sources > 100, kept > 100]).toEqual([true, true])
})

function heldLocals(facts: FileFacts): number[] {
  const text = JSON.stringify(facts, (_key, part: unknown) => (part instanceof Map ? [...part] : part))
  return [...text.matchAll(/"k":"loc","i":(\d+)/g)].map(([, slot]) => Number(slot))
}

test('what two values hold is written once, and is one again when it is read', ({ expect }) => {
  const calls = Array.from({ length: 100 }, (_, at) => `start.of.all.step${at}()\n`).join('')
  const packed = packFacts(extractFile('a.ts', `import { start } from './b.ts'\n${calls}`))

  const receivers = takenFacts(packed).references.flatMap(({ kind, value }) =>
    kind === 'calls' && value.k === 'get' ? value.o : [],
  )

  expect([receivers.length, new Set(receivers).size]).toEqual([100, 1])
  expect(Buffer.from(packed.body).toString('latin1').split('./b.ts')).toHaveLength(2)
})

function chained(length: number): Value {
  let value: Value = { k: 'sym', s: 0 }
  for (let at = 1; at < length; at += 1) value = { k: 'await', v: value }
  return value
}

const pair = (v: Value): Value => ({ k: 'alt', v: [v, v] })

test.for<[string, Value, string | undefined]>([
  ['a part at the depth allowed', chained(6), undefined],
  ['a part one deeper', chained(7), 'too_deep'],
  ['as many parts as are allowed', { k: 'alt', v: Array.from({ length: 19 }, () => chained(1)) }, undefined],
  ['one part more', { k: 'alt', v: Array.from({ length: 20 }, () => chained(1)) }, 'too_many_facts'],
  ['parts that are few only because they are shared', pair(pair(pair(pair(chained(1))))), 'too_many_facts'],
])('%s: %o is %s', ([, value, told], { expect }) => {
  const writer = new PartWriter([], { value: () => {}, type: () => {} }, { parts: 20, depth: 5 })

  writer.value(value)

  expect(writer.tooMuch).toBe(told)
})

/** Packed facts with nothing in them but these numbers: parts, locals, symbols, references. */
function ofNumbers(names: readonly string[], numbers: readonly number[]): Uint8Array {
  const writer = new NumberWriter()
  for (const one of numbers) writer.put(one)
  const written = writer.done()
  const head = Buffer.alloc(8)
  head.writeUInt32LE(written.length, 4)
  return Buffer.concat([head, written, Buffer.from(JSON.stringify({ names, exports: [], routes: [] }))])
}

test.for<[string, readonly string[], readonly number[]]>([
  ['a part of no kind', [], [1, 99]],
  ['a place where no part is', [], [0, 1, 3]],
  ['a symbol of no kind', ['a'], [0, 0, 1, 99, 0, 0, -1, 1, 0, 1, 0, 0]],
  ['a reference of no kind', ['a'], [2, 0, 0, 0, 0, 1, 0, 18, 0, 0, 1, 0]],
  ['a name that is not there', ['a'], [2, 17, 1]],
  ['a list longer than all that is there', [], [1000]],
  ['numbers that end too early', [], [0, 0]],
])('%s is refused', ([, names, numbers], { expect }) => {
  const { links } = packFacts(extractFile('a.ts', ''))

  expect(() => takenFacts({ body: ofNumbers(names, numbers), links })).toThrow()
})

test('a byte of kept facts that changed is noticed, wherever it is', ({ expect }) => {
  const { body } = packFacts(extractFile('a.ts', 'export const one = two(three)\n'))
  const taken: number[] = []
  for (let at = 0; at < body.length; at += 1) {
    const damaged = body.slice()
    damaged[at] = (damaged[at] ?? 0) ^ 4
    try {
      unpackFacts(damaged)
      taken.push(at)
    } catch {}
  }

  expect(unpackFacts(body).path).toBe('a.ts')
  expect(taken).toEqual([])
})

test('numbers from -1 to the largest come back as they were', ({ expect }) => {
  const numbers = [-1, 0, 1, 126, 127, 128, 16_382, 16_383, 2_097_151, 2 ** 30, 2 ** 31 - 2]
  const writer = new NumberWriter()
  writer.list(numbers)
  writer.optionalList(undefined)

  const reader = new NumberReader(writer.done())

  expect(reader.list(reader.next)).toEqual(numbers)
  expect(reader.optionalList(reader.next)).toBe(undefined)
})
