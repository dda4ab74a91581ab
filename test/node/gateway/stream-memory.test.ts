/** What a stream holds while it waits for its provider. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { test } from 'vitest'
import { eventFrame } from '../../../local/gateway/sandbox/frames.ts'
import { webRandom, webTimers } from '../../../workers/gateway/adapters/edge-platform.ts'
import { bearerAuthentication } from '../../../workers/gateway/adapters/provider-authentication.ts'
import { ProviderClient } from '../../../workers/gateway/adapters/provider-client.ts'
import { sonnet } from '../../support/gateway-under-test.ts'
import { unwrap } from '../../support/unwrap.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

test('nothing of the batches it gave is left in a stream that waits', async ({ expect }) => {
  const gate = Promise.withResolvers<void>()
  const pieces: WeakRef<Uint8Array>[] = []
  const events: WeakRef<object>[] = []
  const body = {
    async next(): Promise<IteratorResult<Uint8Array>> {
      if (pieces.length === 2) {
        await gate.promise
        return { done: true, value: undefined }
      }
      const piece = Uint8Array.from(eventFrame('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'hi' } }))
      pieces.push(new WeakRef(piece))
      return { done: false, value: piece }
    },
    [Symbol.asyncIterator]: () => body,
  }
  const provider = new ProviderClient({
    outgoing: async () => ({ status: 200, header: () => undefined, body }),
    authentication: bearerAuthentication('key'),
    settings: {
      region: 'us-west-2',
      endpoints: { runtime: 'http://provider', control: 'http://provider' } as never,
      attemptsMax: 1,
      firstByteTimeoutMs: 60_000,
      streamIdleTimeoutMs: 60_000,
    },
    clock: { nowMs: () => 0 },
    random: webRandom,
    timers: webTimers,
    log: () => {},
  })
  const { signal } = new AbortController()
  const stream = unwrap(await provider.converseStream(sonnet, { messages: [] }, { requestId: 'r', signal } as never))
  const readOne = async () => {
    const { value } = await stream.next()
    events.push(new WeakRef(unwrap(value)))
  }
  await readOne()
  await readOne()
  const last = stream.next()
  // A weak reference holds what it was made of until the turn of the loop is over.
  await new Promise((resolve) => setImmediate(resolve))
  collect()

  expect([...pieces, ...events].map((one) => one.deref() === undefined)).toEqual([true, true, true, true])
  gate.resolve()
  expect((await last).done).toBe(true)
})
