import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'vitest'
import type { FileFacts, Value } from '../../../local/indexer/core/facts.ts'
import { languageOf } from '../../../local/indexer/core/language-of.ts'
import { PartWriter } from '../../../local/indexer/core/part-table.ts'
import { extractFile, prepareLanguages } from '../../../local/indexer/extract/extract-file.ts'
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
  return [...JSON.stringify(facts).matchAll(/"k":"loc","i":(\d+)/g)].map(([, slot]) => Number(slot))
}

test('what two values hold is written once, and is one again when it is read', ({ expect }) => {
  const calls = Array.from({ length: 100 }, (_, at) => `start.of.all.step${at}()\n`).join('')
  const packed = packFacts(extractFile('a.ts', `import { start } from './b.ts'\n${calls}`))

  const receivers = takenFacts(packed).references.flatMap(({ kind, value }) =>
    kind === 'calls' && value.k === 'get' ? value.o : [],
  )

  expect([receivers.length, new Set(receivers).size]).toEqual([100, 1])
  expect(packed.text.split('./b.ts')).toHaveLength(5)
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

test.for<[string, string]>([
  ['a part of no kind', '{"names":[],"parts":[99],"symbols":[],"locals":[],"references":[],"exports":[],"routes":[]}'],
  [
    'a place where no part is',
    '{"names":[],"parts":[],"symbols":[],"locals":[3],"references":[],"exports":[],"routes":[]}',
  ],
  [
    'a reference of no kind',
    '{"names":["a"],"parts":[0,0],"symbols":[],"locals":[],"references":[0,9,0,0,1,0,0],"exports":[],"routes":[]}',
  ],
  [
    'a name that is not there',
    '{"names":["a"],"parts":[17,1],"symbols":[],"locals":[],"references":[],"exports":[],"routes":[]}',
  ],
])('%s is refused', ([, text], { expect }) => {
  const { body, links } = packFacts(extractFile('a.ts', ''))

  expect(() => takenFacts({ body, links, text })).toThrow()
})
