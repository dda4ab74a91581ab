import { test } from 'vitest'
import { KeptResults, keptMax, keptMs, keptRowsMax } from '../../../../workers/app/web/model/kept-results.ts'

test('what was found is kept for its time, and not a moment longer', ({ expect }) => {
  const kept = new KeptResults<string>(() => 1)
  kept.keep('salt', 'seven', 1000)
  expect(kept.find('salt', 1000)).toBe('seven')
  expect(kept.find('salt', 1000 + keptMs - 1)).toBe('seven')
  expect(kept.find('salt', 1000 + keptMs)).toBe(undefined)
  // A clock that was put back says nothing about its age.
  expect(kept.find('salt', 999)).toBe(undefined)
  expect(kept.find('pepper', 1000)).toBe(undefined)
})

test('of many the one that was found longest ago goes, and finding again makes it young', ({ expect }) => {
  const kept = new KeptResults<number>(() => 1)
  for (let at = 0; at < keptMax; at += 1) kept.keep(`word ${at}`, at, at)
  kept.keep('word 0', 100, keptMax)
  kept.keep('one more', 200, keptMax)
  expect(kept.find('word 1', keptMax)).toBe(undefined)
  expect(kept.find('word 0', keptMax)).toBe(100)
  expect(kept.find('word 2', keptMax)).toBe(2)
  expect(kept.find('one more', keptMax)).toBe(200)
})

test('together they have so many rows and not one more, but the newest stays whatever it has', ({ expect }) => {
  const kept = new KeptResults<{ rows: number }>(({ rows }) => rows)
  const [old, young] = [{ rows: keptRowsMax / 2 }, { rows: keptRowsMax / 2 }]
  kept.keep('old', old, 0)
  kept.keep('young', young, 0)
  kept.shrink()
  expect(kept.find('old', 0)).toBe(old)
  // A search that is under way has more of them from moment to moment.
  young.rows += 1
  kept.shrink()
  expect(kept.find('old', 0)).toBe(undefined)
  young.rows = keptRowsMax * 2
  kept.shrink()
  expect(kept.find('young', 0)).toBe(young)
})
