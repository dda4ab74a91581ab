import { describe, test } from 'vitest'
import { PushLine } from '../../../workers/app/adapters/push-line.ts'
import { pushQueueMax, pushWaitMs } from '../../../workers/app/limits.ts'

/** Waits end when the test's clock reaches them. */
function clockOf() {
  let now = 0
  const waits = new Set<{ at: number; end: () => void }>()
  return {
    wait: (ms: number, signal: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        const one = { at: now + ms, end: resolve }
        waits.add(one)
        signal.addEventListener('abort', () => {
          waits.delete(one)
          reject(signal.reason)
        })
      }),
    async pass(ms: number) {
      now += ms
      for (const one of [...waits].filter(({ at }) => at <= now)) one.end()
      await settled()
    },
    waiting: () => waits.size,
  }
}

/** Everything that can happen without the test's doing has happened. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

function held() {
  const gate = Promise.withResolvers<string>()
  return { work: () => gate.promise, end: () => gate.resolve('done') }
}

describe('the line of pushes before a site', () => {
  test('lets one in at a time, in the order they came', async ({ expect }) => {
    const line = new PushLine(clockOf())
    const begun: number[] = []
    const pushes = [0, 1, 2].map((one) => {
      const { work, end } = held()
      const answer = line.inTurn(() => {
        begun.push(one)
        return work()
      })
      return { end, answer }
    })
    const seen: number[][] = []
    for (const { end } of pushes) {
      await settled()
      seen.push([...begun])
      end()
    }

    expect(await Promise.all(pushes.map(({ answer }) => answer))).toEqual(['done', 'done', 'done'])
    expect(seen).toEqual([[0], [0, 1], [0, 1, 2]])
  })

  test('who waited as long as the bound goes away with nothing done, and not a moment before', async ({ expect }) => {
    const clock = clockOf()
    const line = new PushLine(clock)
    const first = held()
    const begun: string[] = []
    const slow = line.inTurn(first.work)
    await settled()
    const tired = line.inTurn(async () => begun.push('tired'))
    let answered = false
    void tired.then(() => {
      answered = true
    })
    await clock.pass(pushWaitMs - 1)
    const before = answered
    const patient = line.inTurn(async () => begun.push('patient'))
    await clock.pass(1)

    expect([before, answered, await tired]).toEqual([false, true, undefined])
    expect(begun).toEqual([])
    first.end()
    expect([await slow, await patient]).toEqual(['done', 1])
    expect(begun).toEqual(['patient'])
    expect(clock.waiting()).toBe(0)
    expect(pushWaitMs).toBe(60_000)
  })

  test('takes as many as the bound and not one more, and goes on after a failure', async ({ expect }) => {
    const line = new PushLine(clockOf())
    const first = held()
    const failing = line.inTurn(async () => {
      await first.work()
      throw new Error('broken')
    })
    const failed = failing.catch((error: Error) => error.message)
    const others = Array.from({ length: pushQueueMax - 1 }, () => line.inTurn(async () => 'pushed'))

    expect(await line.inTurn(async () => 'one too many')).toBeUndefined()
    first.end()
    expect(await failed).toBe('broken')
    expect(new Set(await Promise.all(others))).toEqual(new Set(['pushed']))
    expect(await line.inTurn(async () => 'room again')).toBe('room again')
  })
})
