import { beforeAll, expect, test } from 'vitest'
import { extractFile, prepareLanguages } from '../../../local/indexer/extract/extract-file.ts'
import { FactBuilder } from '../../../local/indexer/extract/fact-builder.ts'
import { GivenUpError, SyntaxCount } from '../../../local/indexer/extract/read-bounds.ts'
import { factsPerFileMax, scriptWordsMax, syntaxNodesMax } from '../../../local/indexer/limits.ts'

beforeAll(() => prepareLanguages(['c', 'csharp', 'python']))

const symbol = { kind: 'function', name: 'f', parent: 0, line: 1, col: 0, endLine: 1, endCol: 1 } as const
const nothing = { k: 'glob', n: '' } as const

/** A builder that may take this much more. */
function withRoomFor(facts: number): FactBuilder {
  const builder = new FactBuilder('a.ts', 'typescript', '')
  for (let at = facts; at < factsPerFileMax; at += 1) builder.addLocal(nothing)
  return builder
}

test.for<[string, number, (builder: FactBuilder) => void]>([
  ['a value', 1, (builder) => builder.addLocal(nothing)],
  [
    'a reference',
    1,
    (builder) => builder.addReference({ from: 0, kind: 'calls', value: nothing, name: 'f', line: 1, col: 0 }),
  ],
  ['a symbol', 3, (builder) => builder.addSymbol(symbol)],
])('%s counts as %i, and the last that has room is taken', ([, facts, add]) => {
  expect(() => add(withRoomFor(facts))).not.toThrow()
  expect(() => add(withRoomFor(facts - 1))).toThrow(GivenUpError)
})

test('a tree has as many nodes as the bound and not one more', () => {
  const count = new SyntaxCount()
  for (let at = 0; at < syntaxNodesMax; at += 1) count.add()

  expect(() => count.add()).toThrow(GivenUpError)
})

/** Each call is a reference and what it answers. */
const calls = (times: number): string => 'b();'.repeat(times)

test.for<[string, string, () => string, string | undefined]>([
  ['as many facts as are kept', 'a.ts', () => calls(factsPerFileMax / 2), undefined],
  ['one fact more', 'a.ts', () => calls(factsPerFileMax / 2 + 1), 'too_many_facts'],
  ['as many words and signs as are read', 'a.ts', () => `x=[${'1,'.repeat(scriptWordsMax / 2 - 2)}]`, undefined],
  ['one more', 'a.ts', () => `x=[${'1,'.repeat(scriptWordsMax / 2 - 2)}1]`, 'too_many_facts'],
  ['more functions than are kept', 'a.py', () => 'def f(): g()\n'.repeat(20_000), 'too_many_facts'],
  ['more syntax than is read', 'a.c', () => 'x;\n'.repeat(syntaxNodesMax / 2), 'too_many_facts'],
  ['what the parser looks at for seconds', 'A.cs', () => `class A { ${'= => < > ? : '.repeat(400_000)}`, 'too_slow'],
])('%s: %s', ([, file, text, givenUp]) => {
  const facts = extractFile(file, text())

  expect(facts.givenUp).toBe(givenUp)
  if (givenUp !== undefined) expect([facts.symbols.length, facts.references.length]).toEqual([1, 0])
})
