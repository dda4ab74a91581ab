import { describe, test } from 'vitest'
import { createLookUpPace } from '../../../workers/app/core/assistant/look-up-pace.ts'

const bounds = { atOnce: 3, pauseMs: 100, waitingMax: 2, callersMax: 2 }

function paceAt(nowMs = 1000) {
  const pace = createLookUpPace(bounds)
  let now = nowMs
  return {
    pass(ms: number) {
      now += ms
    },
    take: (caller = 'a') => pace.take(caller, now),
    release: (caller = 'a') => pace.release(caller, now),
  }
}

const times = (count: number, take: () => number | undefined) => Array.from({ length: count }, take)

describe('who looks for what is not there', () => {
  test('does so a few times at once, then waits, and is refused when as many wait as may', ({ expect }) => {
    const { take, pass } = paceAt()

    expect(times(7, take)).toEqual([0, 0, 0, 100, 200, undefined, undefined])
    pass(100)
    expect(times(2, take)).toEqual([200, undefined])
    pass(10_000)
    expect(times(6, take)).toEqual([0, 0, 0, 100, 200, undefined])
  })

  test('is not counted for what is there, however much that is', ({ expect }) => {
    const { take, release } = paceAt()
    for (let at = 0; at < 1000; at += 1) {
      expect(take()).toBe(0)
      release()
    }

    expect(times(4, take)).toEqual([0, 0, 0, 100])
  })

  test('is counted alone', ({ expect }) => {
    const { take } = paceAt()
    times(6, take)

    expect(take()).toBeUndefined()
    expect(take('b')).toBe(0)
  })

  test('makes room for the callers of later, the one who asked longest ago first', ({ expect }) => {
    const { take } = paceAt()
    times(6, () => take('a'))
    times(6, () => take('b'))

    expect([take('a'), take('b')]).toEqual([undefined, undefined])
    take('c')
    expect([take('b'), take('a')]).toEqual([undefined, 0])
  })

  test('waits for no time of a clock that was set back', ({ expect }) => {
    const { take, pass } = paceAt(1_000_000)
    times(6, take)
    pass(-900_000)

    expect(take()).toBe(0)
  })
})
