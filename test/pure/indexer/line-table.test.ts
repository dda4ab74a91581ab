import { test } from 'vitest'
import { LineTable } from '../../../local/indexer/core/line-table.ts'
import { FactBuilder } from '../../../local/indexer/extract/fact-builder.ts'

const text = 'one\n\nthree\n  four'

test('a place is in the same line in whatever order places are asked for', ({ expect }) => {
  const lines = text.split('\n')
  const expected = lines.flatMap((line, at) => Array.from({ length: line.length + 1 }, (_, col) => [at + 1, col]))
  const offsets = expected.map((_, offset) => offset)
  const shuffled = [...offsets].sort((left, right) => ((left * 7) % 19) - ((right * 7) % 19))
  for (const order of [offsets, offsets.toReversed(), shuffled]) {
    const table = new LineTable(text)
    for (const offset of order) expect([table.line(offset), table.column(offset)]).toEqual(expected[offset])
  }
})

test.for([
  ['', 0, 0],
  ['\n', 1, 0],
  ['one', 1, 3],
  ['one\n', 1, 3],
  ['one\n\n', 2, 0],
  [text, 4, 6],
] as const)('a file of %j has as many lines as an editor shows', ([content, lines, endCol], { expect }) => {
  const { symbols, lines: counted } = new FactBuilder('a.ts', 'typescript', content).build()
  expect([counted, symbols[0]?.endLine, symbols[0]?.endCol]).toEqual([lines, Math.max(1, lines), endCol])
})
