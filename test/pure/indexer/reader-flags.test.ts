import { test } from 'vitest'
import { readersFor } from '../../../local/indexer/extract/reader-flags.ts'
import {
  extractOldHeapMb,
  extractYoungHeapMb,
  quickGrammarCharsMax,
  roomyReadingCharsMax,
  tightYoungHeapMb,
} from '../../../local/indexer/limits.ts'

const text = (chars: number): string => ' '.repeat(chars)

test.for([
  { of: 'up to the bound', files: { 'a.go': 1, 'b.rb': quickGrammarCharsMax - 1 }, isQuick: true },
  { of: 'one sign past it', files: { 'a.go': 2, 'b.rb': quickGrammarCharsMax - 1 }, isQuick: false },
  { of: 'scripts, which need no grammar', files: { 'a.ts': quickGrammarCharsMax + 1, 'b.vue': 1 }, isQuick: true },
])('grammars are read as they are compiled at first for $of', ({ files, isQuick }, { expect }) => {
  const tasks = Object.entries(files).map(([path, chars]) => ({ path, text: text(chars) }))

  expect(readersFor(tasks).flags.includes('--liftoff-only')).toBe(isQuick)
})

test('readers have room up to so much text, and are tight beyond', ({ expect }) => {
  const readers = (chars: number) =>
    readersFor([
      { path: 'a.ts', text: text(chars - 1) },
      { path: 'b.go', text: text(1) },
    ])
  const room = (chars: number): readonly string[] =>
    readers(chars).flags.filter((one) => /^--(initial-old|max-semi)-space-size=/.test(one))

  expect(readers(roomyReadingCharsMax).areTight).toBe(false)
  expect(room(roomyReadingCharsMax)).toEqual([
    `--initial-old-space-size=${extractOldHeapMb}`,
    `--max-semi-space-size=${extractYoungHeapMb}`,
  ])
  expect(readers(roomyReadingCharsMax + 1).areTight).toBe(true)
  expect(room(roomyReadingCharsMax + 1)).toEqual([`--max-semi-space-size=${tightYoungHeapMb}`])
})
