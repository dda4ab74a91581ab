import fc from 'fast-check'
import { describe, test } from 'vitest'
import { createDoors, type Door, knownBrowser } from '../../../workers/app/core/doors.ts'

const law: Door = {
  own: { atOnce: 3, pauseSeconds: 10 },
  ownMachine: { atOnce: 2, pauseSeconds: 1 },
  strangers: { atOnce: 6, pauseSeconds: 5 },
  newcomers: { atOnce: 1, pauseSeconds: 2 },
}

/** Doors at a time that the test tells, in seconds. */
function doorsAt(bucketsMax = 100) {
  const doors = createDoors({ door: law, other: law }, bucketsMax)
  let now = 1000
  return {
    pass(seconds: number) {
      now += seconds
    },
    take: (from: string, door = 'door') => doors.take(door, from, now * 1000),
    forgive: (from: string) => doors.forgive('door', from, now * 1000),
    size: () => doors.size,
  }
}

const times = (count: number, take: () => number) => Array.from({ length: count }, take)

describe('a door', () => {
  test('lets a few through at once, then one after each pause, and says how long that is', ({ expect }) => {
    const { take, pass } = doorsAt()
    expect(times(5, () => take('a'))).toEqual([0, 0, 0, 10, 10])
    pass(4)
    expect(take('a')).toBe(6)
    pass(6)
    expect(times(2, () => take('a'))).toEqual([0, 10])
    pass(1000)
    expect(times(4, () => take('a'))).toEqual([0, 0, 0, 10])
  })

  test('counts each address, each known browser and each door by itself', ({ expect }) => {
    const { take } = doorsAt()
    times(4, () => take('a'))
    times(4, () => take(knownBrowser('x')))
    expect([take('a'), take(knownBrowser('x'))]).toEqual([10, 10])
    expect([take('b'), take(knownBrowser('y')), take('a', 'other')]).toEqual([0, 0, 0])
  })

  test('has a pace of its own for this machine, which uses up nothing of the strangers’', ({ expect }) => {
    const { take, pass } = doorsAt()
    expect(times(3, () => take('local'))).toEqual([0, 0, 1])
    pass(1)
    expect(times(2, () => take('local'))).toEqual([0, 1])
    expect(times(6, () => take(`a${Math.random()}`))).toEqual([0, 0, 0, 0, 0, 0])
  })

  test('while strangers flood, still lets in a known browser, this machine and an address not seen yet', ({
    expect,
  }) => {
    const { take, pass } = doorsAt()
    times(3, () => take('a'))
    times(3, () => take('b'))
    expect([take('c'), take('d'), take('c')]).toEqual([0, 2, 5])
    pass(2)
    expect([take('e'), take('c')]).toEqual([0, 3])
    expect([take(knownBrowser('x')), take('local')]).toEqual([0, 0])
  })

  test('a right answer is as if it had not been counted', ({ expect }) => {
    const { take, forgive } = doorsAt()
    for (let round = 0; round < 50; round += 1) {
      expect(take('a')).toBe(0)
      forgive('a')
    }
    times(2, () => take('b'))
    expect(times(4, () => take('c'))).toEqual([0, 0, 0, 10])
  })

  test('remembers no more than it may, and forgets who was away longest', ({ expect }) => {
    const { take, pass, size } = doorsAt(3)
    for (const from of ['a', 'b', 'c']) times(3, () => take(from))
    pass(20)
    take('a')
    take('d')
    expect(size()).toBe(3)
    take('e')
    expect(size()).toBe(3)
    expect([take('a'), take('a')]).toEqual([0, expect.any(Number)])
  })

  test('lets nobody try more often than its pace, whatever comes', ({ expect }) => {
    const step = fc.record({ from: fc.constantFrom('a', 'b', 'local', knownBrowser('x')), after: fc.nat(8) })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const { take, pass } = doorsAt()
        const passed: Record<string, number[]> = {}
        let now = 0
        for (const { from, after } of steps) {
          pass(after)
          now += after
          if (take(from) !== 0) continue
          const own = [...(passed[from] ?? []), now]
          passed[from] = own
          const { atOnce, pauseSeconds } = from === 'local' ? law.ownMachine : law.own
          for (const [at, since] of own.entries())
            expect(own.length - at).toBeLessThanOrEqual(atOnce + Math.floor((now - since) / pauseSeconds))
        }
      }),
      { numRuns: 300 },
    )
  })
})
