import net from 'node:net'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { textSteps } from '../../../local/gateway/sandbox/provider-shapes.ts'
import type { Answer } from '../../../local/gateway/sandbox/provider-wire.ts'
import {
  bodiesInFlightBytesMaxEdge,
  bodiesInFlightBytesMaxNode,
  mebibyte,
  openStreamsMax,
  retryWaitMaxMs,
} from '../../../workers/gateway/limits.ts'
import { type FakeBedrock, startFakeBedrock } from '../../support/fake-bedrock.ts'
import { type GatewayHostUnderTest, gatewayHosts, isOnNode } from '../../support/gateway-hosts.ts'
import { sonnet, testKey } from '../../support/gateway-under-test.ts'

const never = new Promise(() => {})
const user = { role: 'user', content: 'hello there' }

/** How a client goes: most close their side, some reset the connection, a killed one may do either. */
const ways = {
  'closes its connection': (socket: net.Socket) => socket.destroy(),
  'resets its connection': (socket: net.Socket) => socket.resetAndDestroy(),
}

interface Moment {
  readonly name: string
  readonly stream: boolean
  readonly answer: Answer
  /** Whether the client has something to read before it goes. */
  readonly isRead: boolean
}

const moments: readonly Moment[] = [
  { name: 'before a whole answer', stream: false, answer: { hang: never }, isRead: false },
  { name: 'before the first piece of a stream', stream: true, answer: { hang: never }, isRead: false },
  {
    name: 'in a stream that speaks',
    stream: true,
    answer: { steps: textSteps(Array.from({ length: 400 }, () => 'word ')).flatMap((step) => [step, { pauseMs: 50 }]) },
    isRead: true,
  },
  {
    name: 'in a stream that has fallen silent',
    stream: true,
    answer: { steps: [...textSteps(['word ']).slice(0, 2), { gate: never }] },
    isRead: true,
  },
]

describe.each(gatewayHosts)('on %s', (name, start) => {
  const bodiesHeld = (isOnNode(name) ? bodiesInFlightBytesMaxNode : bodiesInFlightBytesMaxEdge) / mebibyte
  let bedrock: FakeBedrock
  let host: GatewayHostUnderTest

  beforeAll(async () => {
    bedrock = await startFakeBedrock()
    host = await start(bedrock, { LOG_LEVEL: 'debug' })
  })
  afterAll(async () => {
    await host.close()
    await bedrock.close()
  })

  /** A client that has sent its request. */
  function ask(stream: boolean, bodyBytes?: number): net.Socket {
    const body = JSON.stringify({ model: sonnet, messages: [user], stream })
    const { hostname, port, pathname } = new URL(host.url)
    const socket = net.connect({ host: hostname, port: Number(port) })
    socket.on('error', () => {})
    socket.write(
      `POST ${pathname}/chat/completions HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${testKey}\r\n` +
        `content-type: application/json\r\ncontent-length: ${bodyBytes ?? body.length}\r\n\r\n${body}`,
    )
    return socket
  }

  const statusOf = async (stream: boolean) => {
    const answer = await fetch(`${host.url}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${testKey}` },
      body: JSON.stringify({ model: sonnet, messages: [user], stream }),
    })
    await answer.text()
    return answer.status
  }

  const modelCalls = () => bedrock.calls.filter(({ target }) => target.startsWith('/model/')).length

  const requestsLogged = () => host.events.filter((event) => event === 'request').length

  describe.each(Object.entries(ways))('a client that %s', (_way, leave) => {
    test.for(moments)('$name ends the provider’s call', async ({ stream, answer, isRead }, { expect }) => {
      const before = modelCalls()
      bedrock.next(answer)
      const client = ask(stream)
      if (isRead) await new Promise((resolve) => client.once('data', resolve))
      await expect.poll(modelCalls).toBe(before + 1)
      await expect.poll(() => bedrock.openCalls()).toBe(1)
      leave(client)

      // Sooner than anything else would end it.
      await expect.poll(() => bedrock.openCalls()).toBe(0)
      expect(await statusOf(stream)).toBe(200)
      expect(modelCalls()).toBe(before + 2)
    })
  })

  test('a client that leaves while the gateway waits to ask again ends the wait', async ({ expect }) => {
    const before = { calls: modelCalls(), requests: requestsLogged() }
    bedrock.next({
      status: 429,
      error: 'ThrottlingException',
      message: 'slow down',
      headers: { 'retry-after': String(retryWaitMaxMs / 1_000) },
    })
    const client = ask(false)
    await expect.poll(() => host.events.includes('provider-retry')).toBe(true)
    client.destroy()

    await expect.poll(requestsLogged).toBe(before.requests + 1)
    expect(modelCalls()).toBe(before.calls + 1)
  })

  test('clients that left hold none of the streams that may be open', async ({ expect }) => {
    const before = modelCalls()
    bedrock.next(...Array.from({ length: openStreamsMax }, () => ({ hang: never })))
    const clients = Array.from({ length: openStreamsMax }, () => ask(true))
    await expect.poll(modelCalls).toBe(before + openStreamsMax)
    expect(await statusOf(true)).toBe(429)
    for (const client of clients) client.destroy()

    await expect.poll(() => bedrock.openCalls()).toBe(0)
    await expect.poll(() => statusOf(true)).toBe(200)
  })

  test('clients that left in the middle of their bodies hold no room for others', async ({ expect }) => {
    const clients = Array.from({ length: bodiesHeld }, () => ask(false, mebibyte))
    await expect.poll(() => statusOf(false)).toBe(429)
    for (const client of clients) client.destroy()

    await expect.poll(() => statusOf(false)).toBe(200)
  })
})
