/** Calls that have ended, of a gateway that keeps nothing on a disk. */
import { test, vi } from 'vitest'
import { writtenInMemoryMs } from '../../../local/gateway/limits.ts'
import { openStorage } from '../../../local/gateway/storage.ts'
import { type CallRecord, noTokens } from '../../../workers/gateway/core/keys/call-record.ts'
import { masterGrant } from '../../../workers/gateway/core/keys/key-record.ts'
import { calendarOf } from '../../../workers/gateway/core/keys/moment.ts'
import { endedCallsWaitingMax } from '../../../workers/gateway/limits.ts'
import { unwrap } from '../../support/unwrap.ts'

const now = calendarOf('UTC')(Date.UTC(2026, 10, 1))

function ended(requestId: string): CallRecord {
  const times = { atMs: now.ms, tookMs: 1 }
  const call = { provider: 'bedrock', model: 'm', outcome: 'answered', tokens: noTokens, isEstimated: false } as const
  return { requestId, route: '/chat/completions', ...times, ...call }
}

/** A store and how many of its settled calls are known to be written. */
function emptyStore() {
  const { keyStore, close } = unwrap(openStorage(undefined))
  let written = 0
  const settle = (count: number, reservationId?: string) => {
    for (let index = 0; index < count; index += 1) {
      const settled = keyStore.settle(masterGrant.id, ended(`r${index}`), reservationId, now)
      void settled.then(() => {
        written += 1
      })
    }
  }
  return { keyStore, settle, close, written: () => written }
}

/** Lets what is decided come to those who wait for it, and no time pass. */
async function told(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve()
}

test('are written down together after a while, and found by whoever asks before', async ({
  expect,
  onTestFinished,
}) => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { keyStore, settle, close, written } = emptyStore()
  onTestFinished(close)
  settle(3)
  await told()
  expect(written()).toBe(0)
  expect(await keyStore.calls(10)).toHaveLength(3)
  expect((await keyStore.usage(now.day, now.day)).map((row) => row.requests)).toEqual([3])

  settle(2)
  await vi.advanceTimersByTimeAsync(writtenInMemoryMs)
  expect(written()).toBe(5)

  settle(1)
  await told()
  expect(written()).toBe(5)
  await vi.advanceTimersByTimeAsync(writtenInMemoryMs)
  expect(written()).toBe(6)
})

test('wait at most so many at once, and not at all with a reservation', async ({ expect, onTestFinished }) => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { settle, close, written } = emptyStore()
  onTestFinished(close)
  settle(endedCallsWaitingMax - 1)
  await told()
  expect(written()).toBe(0)
  settle(1)
  await told()
  expect(written()).toBe(endedCallsWaitingMax)

  settle(1, 'reserved')
  await told()
  expect(written()).toBe(endedCallsWaitingMax + 1)
})

test.for([1, 15, 16, 17, 40])(
  'are listed once each, the newest first, when %i were written together',
  async (count, { expect, onTestFinished }) => {
    const { keyStore, settle, close } = emptyStore()
    onTestFinished(close)
    settle(count)
    const listed = await keyStore.calls(count + 1)
    expect(listed.map(({ record }) => record.requestId)).toEqual(
      Array.from({ length: count }, (_, back) => `r${count - 1 - back}`),
    )
  },
)

test('are no one’s concern once the gateway is closed', async ({ expect, onTestFinished }) => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { settle, close, written } = emptyStore()
  settle(1)
  close()
  await vi.advanceTimersByTimeAsync(writtenInMemoryMs)
  expect(written()).toBe(0)
  expect(vi.getTimerCount()).toBe(0)
})
