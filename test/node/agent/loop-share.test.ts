import { test } from 'vitest'
import { LoopShare } from '../../../local/agent/runtime/loop-share.ts'

/** Passes of an event loop whose ends (`|`) the test makes, and a clock that only its work moves. */
function loop(msMax: number) {
  let nowMs = 0
  const planned: (() => void)[] = []
  const share = new LoopShare(
    msMax,
    () => nowMs,
    (work) => void planned.push(work),
  )
  const log: string[] = []
  const spend = (name: string, ms: number) => {
    nowMs += ms
    log.push(name)
  }
  return {
    share,
    log: () => log.join(' '),
    spend,
    async work(name: string, ms: number): Promise<void> {
      if (share.isSpent()) await share.turn()
      spend(name, ms)
    },
    async pass(): Promise<void> {
      log.push('|')
      for (const work of planned.splice(0)) work()
      await new Promise((resolve) => setImmediate(resolve))
    },
    planned: () => planned.length,
  }
}

test('work begins at once while the pass has time, and the rest in later passes, in its order', async ({ expect }) => {
  const { work, pass, log, planned } = loop(5)
  const all = Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => work(name, 3)))
  while (planned() > 0) await pass()
  await all

  // What is begun within the time may end after it. Those who wait go on at the end of a pass, and of the first one the time is spent.
  expect(log()).toBe('a b | | c d | e f')
})

test('work that takes longer than a pass has one of its own', async ({ expect }) => {
  const { work, pass, log, planned } = loop(5)
  for (const name of ['a', 'b', 'c']) void work(name, 50)
  while (planned() > 0) await pass()

  expect(log()).toBe('a | | b | c')
})

test('who waits goes on in the same pass where it has time left', async ({ expect }) => {
  const { work, pass, log, share } = loop(5)
  await work('short', 2)
  void share.turn().then(() => void work('waits', 1))
  await pass()

  expect(log()).toBe('short | waits')
})

test('whether anybody asked is known until the pass is over', async ({ expect }) => {
  const { work, pass, share } = loop(5)
  expect(share.isUsed()).toBe(false)
  await work('short', 2)
  expect(share.isUsed()).toBe(true)
  await pass()
  expect(share.isUsed()).toBe(false)
})

test('nobody overtakes those who wait', async ({ expect }) => {
  const { work, pass, log, share } = loop(5)
  await work('long', 9)
  void work('waits', 1)
  expect(share.isSpent()).toBe(true)
  void work('comes later', 1)
  await pass()
  await pass()

  expect(log()).toBe('long | | waits comes later')
})

test('what follows from a turn at once counts as part of it', async ({ expect }) => {
  const { work, spend, pass, log, planned, share } = loop(5)
  await work('long', 9)
  void share.turn().then(async () => {
    await undefined
    await undefined
    spend('follows', 9)
  })
  void work('waits', 1)
  while (planned() > 0) await pass()

  expect(log()).toBe('long | | follows | waits')
})

test('so does what follows from the first turn of a pass of the real loop', async ({ expect }) => {
  let nowMs = 0
  const log: string[] = []
  const share = new LoopShare(5, () => nowMs)
  share.isSpent()
  setImmediate(() => log.push('|'))
  const first = share.turn().then(async () => {
    for (let step = 0; step < 9; step += 1) await undefined
    nowMs += 9
    log.push('follows')
  })
  const second = share.turn().then(() => log.push('waits'))
  await Promise.all([first, second])

  expect(log.join(' ')).toBe('follows | waits')
})

test('alone it costs nothing', async ({ expect }) => {
  const { share, pass, planned } = loop(5)
  expect(share.isSpent()).toBe(false)
  await pass()
  expect(planned()).toBe(0)
  expect(share.isSpent()).toBe(false)
})
