import fc from 'fast-check'
import { test } from 'vitest'
import { Scrollback } from '../../../local/agent/core/scrollback.ts'

test('what is kept is the end of what was appended, at its position, however it was cut', ({ expect }) => {
  const chunk = fc.uint8Array({ maxLength: 20 })
  fc.assert(
    fc.property(fc.array(chunk, { maxLength: 12 }), fc.integer({ min: 1, max: 16 }), fc.nat(), (chunks, max, pick) => {
      const kept = new Scrollback(max)
      for (const bytes of chunks) kept.append(bytes)
      const all = Buffer.concat(chunks)

      expect(kept.end).toBe(all.length)
      expect(kept.start).toBe(Math.max(0, all.length - max))
      const from = kept.start + (pick % (kept.end - kept.start + 1))
      expect(Buffer.from(kept.read(from, max))).toEqual(all.subarray(from))
      expect(Buffer.from(kept.read(from, 3))).toEqual(all.subarray(from, from + 3))
    }),
  )
})

test('as many bytes as there is room for are kept, and of one more the first is dropped', ({ expect }) => {
  const kept = new Scrollback(4)
  kept.append(Uint8Array.from([1, 2, 3, 4]))
  expect([kept.start, ...kept.read(0, 4)]).toEqual([0, 1, 2, 3, 4])
  kept.append(Uint8Array.from([5]))
  expect([kept.start, ...kept.read(1, 4)]).toEqual([1, 2, 3, 4, 5])
})
