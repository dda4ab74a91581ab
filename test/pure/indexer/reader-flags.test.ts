import { test } from 'vitest'
import { readerFlags } from '../../../local/indexer/extract/reader-flags.ts'
import { quickGrammarCharsMax, roomyReadingCharsMax } from '../../../local/indexer/limits.ts'

const text = (chars: number): string => ' '.repeat(chars)

test.for([
  { of: 'up to the bound', files: { 'a.go': 1, 'b.rb': quickGrammarCharsMax - 1 }, isQuick: true },
  { of: 'one sign past it', files: { 'a.go': 2, 'b.rb': quickGrammarCharsMax - 1 }, isQuick: false },
  { of: 'scripts, which need no grammar', files: { 'a.ts': quickGrammarCharsMax + 1, 'b.vue': 1 }, isQuick: true },
])('grammars are read as they are compiled at first for $of', ({ files, isQuick }, { expect }) => {
  const tasks = Object.entries(files).map(([path, chars]) => ({ path, text: text(chars) }))

  expect(readerFlags(tasks).includes('--liftoff-only')).toBe(isQuick)
})

test('readers have room for what is no longer needed up to so much text, and not beyond', ({ expect }) => {
  const hasRoom = (chars: number): boolean =>
    readerFlags([
      { path: 'a.ts', text: text(chars - 1) },
      { path: 'b.go', text: text(1) },
    ]).some((one) => one.startsWith('--initial-old-space-size='))

  expect([hasRoom(roomyReadingCharsMax), hasRoom(roomyReadingCharsMax + 1)]).toEqual([true, false])
})
