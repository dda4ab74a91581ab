import { describe, test } from 'vitest'
import { pushQueueMax, pushWaitMs } from '../../../workers/app/limits.ts'
import { PushLine } from '../../../workers/app/services/pushes/push-line.ts'
import { heldWork, manualClock, settled } from '../../support/manual-clock.ts'

describe('the line of pushes before a site', () => {
  test('lets one in at a time, in the order they came', async ({ expect }) => {
    const line = new PushLine(manualClock())
    const begun: number[] = []
    const pushes = [0, 1, 2].map((one) => {
      const { work, end } = heldWork()
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
    const clock = manualClock()
    const line = new PushLine(clock)
    const first = heldWork()
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
    const line = new PushLine(manualClock())
    const first = heldWork()
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
