/** What keeps a service from being asked too much: slots for images, a pace for lists. */
import { describe, test } from 'vitest'
import { Pace } from '../../../workers/app/adapters/catalogue/pace.ts'
import { Slots } from '../../../workers/app/adapters/catalogue/slots.ts'
import {
  imageSlots,
  imageWaitingMax,
  imageWaitMs,
  metadataPauseMs,
  metadataWaitingMax,
} from '../../../workers/app/limits.ts'
import { heldWork, manualClock, settled } from '../../support/manual-clock.ts'

const bounds = { atOnce: imageSlots, waitingMax: imageWaitingMax, waitMs: imageWaitMs }

describe('the slots for images', () => {
  test('are four for all, and go to who waits longest', async ({ expect }) => {
    const slots = new Slots(manualClock(), bounds)
    const begun: number[] = []
    const fetches = Array.from({ length: imageSlots + 2 }, (_, at) => {
      const { work, end } = heldWork()
      const answer = slots.use(() => {
        begun.push(at)
        return work()
      })
      return { end, answer }
    })
    await settled()
    const first = [...begun]
    fetches[2]?.end()
    await settled()
    const second = [...begun]
    for (const { end } of fetches) end()

    expect(first).toEqual([0, 1, 2, 3])
    expect(second).toEqual([0, 1, 2, 3, 4])
    expect(await Promise.all(fetches.map(({ answer }) => answer))).toEqual(Array(imageSlots + 2).fill('done'))
    expect(imageSlots).toBe(4)
  })

  test('who waited ten seconds goes away with nothing done, and not a moment before', async ({ expect }) => {
    const clock = manualClock()
    const slots = new Slots(clock, bounds)
    const { work, end } = heldWork()
    const first = Array.from({ length: imageSlots }, () => slots.use(work))
    const begun: string[] = []
    const answers: unknown[] = []
    const tired = slots.use(async () => begun.push('tired')).then((answer) => answers.push(answer))
    await clock.pass(imageWaitMs - 1)
    const before = [...answers]
    const patient = slots.use(async () => begun.push('patient'))
    await clock.pass(1)
    await tired

    expect([before, answers, begun]).toEqual([[], [undefined], []])
    end()
    expect(await Promise.all(first)).toEqual(Array(imageSlots).fill('done'))
    expect(await patient).toBe(1)
    expect(clock.waiting()).toBe(0)
    expect(imageWaitMs).toBe(10_000)
  })

  test('a slot that comes free in the moment the wait is over is used and not lost', async ({ expect }) => {
    const clock = manualClock()
    const slots = new Slots(clock, { ...bounds, atOnce: 1 })
    const { work, end } = heldWork()
    const first = slots.use(work)
    const late = slots.use(async () => 'used')
    end()
    void clock.pass(imageWaitMs)

    expect([await first, await late]).toEqual(['done', 'used'])
    expect(await slots.use(async () => 'free again')).toBe('free again')
  })

  test('are waited for by as many as the bound and not one more, and go on after a failure', async ({ expect }) => {
    const slots = new Slots(manualClock(), bounds)
    const gate = heldWork()
    const failing = Array.from({ length: imageSlots }, () =>
      slots.use(async () => {
        await gate.work()
        throw new Error('broken')
      }),
    )
    const failed = Promise.allSettled(failing)
    const others = Array.from({ length: imageWaitingMax }, () => slots.use(async () => 'fetched'))

    expect(await slots.use(async () => 'one too many')).toBeUndefined()
    gate.end()
    expect((await failed).every(({ status }) => status === 'rejected')).toBe(true)
    expect(new Set(await Promise.all(others))).toEqual(new Set(['fetched']))
    expect(await slots.use(async () => 'room again')).toBe('room again')
  })
})

describe('the pace of calls to the provider', () => {
  const paceBounds = { pauseMs: metadataPauseMs, waitingMax: metadataWaitingMax }

  test('is eight a second', async ({ expect }) => {
    const clock = manualClock(1000)
    const pace = new Pace(clock, paceBounds)
    const madeAt: number[] = []
    const turns = Array.from({ length: 10 }, () => pace.turn().then(() => madeAt.push(clock.nowMs())))
    await settled()
    for (let step = 0; step < 10; step += 1) await clock.pass(metadataPauseMs)
    await Promise.all(turns)

    expect(madeAt.toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: 10 }, (_, at) => 1000 + at * metadataPauseMs),
    )
    expect(metadataPauseMs * 8).toBe(1000)
  })

  test('is not waited for after a rest, and by no more than the bound', async ({ expect }) => {
    const clock = manualClock(1000)
    const pace = new Pace(clock, paceBounds)
    const turns = Array.from({ length: metadataWaitingMax + 1 }, () => pace.turn())

    expect(await pace.turn()).toEqual({ ok: false, failure: { kind: 'rate_limited', retryAfterSeconds: 9 } })
    await clock.pass(metadataPauseMs * (metadataWaitingMax + 1))
    expect((await Promise.all(turns)).every(({ ok }) => ok)).toBe(true)
    expect(await pace.turn()).toEqual({ ok: true })
  })

  test('rests for as long as the provider asked, and for nobody else', async ({ expect }) => {
    const clock = manualClock(1000)
    const pace = new Pace(clock, paceBounds)
    await pace.turn()
    pace.beQuiet(7)

    expect(await pace.turn()).toEqual({ ok: false, failure: { kind: 'rate_limited', retryAfterSeconds: 7 } })
    await clock.pass(6999)
    expect((await pace.turn()).ok).toBe(false)
    await clock.pass(1)
    expect((await pace.turn()).ok).toBe(true)
  })
})
