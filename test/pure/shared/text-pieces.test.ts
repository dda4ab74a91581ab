/** A text that is stored in pieces: who writes them, and when. */
import { setImmediate as nextPass } from 'node:timers/promises'
import { test } from 'vitest'
import { TextPieces } from '../../../shared/sse/text-pieces.ts'

function pieces(turn?: () => Promise<void>) {
  const written: string[] = []
  const bounds = { msMax: 1, bytesMax: 100, ...(turn === undefined ? {} : { turn }) }
  return { written, text: new TextPieces(bounds, (piece) => void written.push(piece)) }
}

test('the first piece is written at once, and one that is old by itself', async ({ expect }) => {
  const { written, text } = pieces()
  text.push('a')
  text.push('b')
  expect(written).toEqual(['a'])
  await expect.poll(() => written).toEqual(['a', 'b'])
})

test('one that is old waits for its turn, with what comes meanwhile', async ({ expect }) => {
  const asked = Promise.withResolvers<void>()
  const turn = Promise.withResolvers<void>()
  const { written, text } = pieces(() => {
    asked.resolve()
    return turn.promise
  })
  text.push('a')
  text.push('b')
  await asked.promise
  text.push('c')
  expect(written).toEqual(['a'])
  turn.resolve()
  await expect.poll(() => written).toEqual(['a', 'bc'])
})

test('nothing is written twice where the text ends, or is long enough, before the turn comes', async ({ expect }) => {
  const asked = Promise.withResolvers<void>()
  const turn = Promise.withResolvers<void>()
  const { written, text } = pieces(() => {
    asked.resolve()
    return turn.promise
  })
  text.push('a')
  text.push('b')
  await asked.promise
  const long = 'c'.repeat(100)
  text.push(long)
  expect(text.end()).toBe(`ab${long}`)
  turn.resolve()
  await nextPass()
  expect(written).toEqual(['a', `b${long}`])
})

test('a write that fails by itself is told to whoever goes on', async ({ expect }) => {
  const turn = Promise.withResolvers<void>()
  let isFull = false
  const text = new TextPieces({ msMax: 1, bytesMax: 100, turn: () => turn.promise }, () => {
    if (isFull) throw new Error('full')
  })
  text.push('a')
  isFull = true
  text.push('b')
  turn.resolve()
  await expect
    .poll(() => {
      try {
        text.push('')
        return 'goes on'
      } catch (error) {
        return String(error)
      }
    })
    .toBe('Error: full')
})
