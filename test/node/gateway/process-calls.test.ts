/** What processes of one gateway ask one another. */
import { test } from 'vitest'
import { type Channel, processCalls } from '../../../local/gateway/process-calls.ts'

/** Two ends that hear each other, and how many messages went over. */
function twoEnds() {
  const takers: ((message: unknown) => void)[] = []
  let sent = 0
  const end = (own: number): Channel => ({
    send(message) {
      sent += 1
      takers[1 - own]?.(message)
    },
    onMessage(take) {
      takers[own] = take
    },
  })
  return { ends: [end(0), end(1)] as const, sent: () => sent }
}

test('what is asked in one pass goes over together, and so do the answers', async ({ expect }) => {
  const { ends, sent } = twoEnds()
  const asking = processCalls(ends[0], async () => undefined)
  processCalls(ends[1], async (name, args) => {
    if (name === 'broken') throw new Error('it is broken')
    return [name, ...args]
  })
  const asked = await Promise.allSettled([asking.call('one', 1), asking.call('broken'), asking.call('two', undefined)])
  expect(asked).toEqual([
    { status: 'fulfilled', value: ['one', 1] },
    { status: 'rejected', reason: new Error('Error: it is broken') },
    { status: 'fulfilled', value: ['two', undefined] },
  ])
  expect(sent()).toBe(2)
  expect(await asking.call('later')).toEqual(['later'])
  expect(sent()).toBe(4)
})

test('what nobody answers any more is refused, and strange messages are passed over', async ({ expect }) => {
  const { ends } = twoEnds()
  const asking = processCalls(ends[0], async () => undefined)
  const asked = asking.call('one')
  ends[1].send('hello')
  ends[1].send([{ kind: 'other' }, null, { kind: 'answered', id: 99, value: 1 }])
  asking.end()
  await expect(asked).rejects.toThrow('the other process has ended')
})
