import { test } from 'vitest'
import { KeptResults, keptMax, keptMs } from '../../../../workers/app/web/model/kept-results.ts'

test('what was found is kept for its time, and not a moment longer', ({ expect }) => {
  const kept = new KeptResults<string>()
  kept.keep('salt', 'seven', 1000)
  expect(kept.find('salt', 1000)).toBe('seven')
  expect(kept.find('salt', 1000 + keptMs - 1)).toBe('seven')
  expect(kept.find('salt', 1000 + keptMs)).toBe(undefined)
  // A clock that was put back says nothing about its age.
  expect(kept.find('salt', 999)).toBe(undefined)
  expect(kept.find('pepper', 1000)).toBe(undefined)
})

test('of many the one that was found longest ago goes, and finding again makes it young', ({ expect }) => {
  const kept = new KeptResults<number>()
  for (let at = 0; at < keptMax; at += 1) kept.keep(`word ${at}`, at, at)
  kept.keep('word 0', 100, keptMax)
  kept.keep('one more', 200, keptMax)
  expect(kept.find('word 1', keptMax)).toBe(undefined)
  expect(kept.find('word 0', keptMax)).toBe(100)
  expect(kept.find('word 2', keptMax)).toBe(2)
  expect(kept.find('one more', keptMax)).toBe(200)
})
