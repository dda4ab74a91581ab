/** Answers of the responses interface over one connection, by the official client and by hand. */
import { once } from 'node:events'
import OpenAI from 'openai'
import { ResponsesWS } from 'openai/resources/responses/ws'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { WebSocket } from 'ws'
import { mebibyte } from '../../../workers/gateway/limits.ts'
import { type FakeBedrock, startFakeBedrock } from '../../support/fake-bedrock.ts'
import { type GatewayHostUnderTest, gatewayHosts, isOnNode } from '../../support/gateway-hosts.ts'
import { sonnet, testKey } from '../../support/gateway-under-test.ts'

type Event = Record<string, unknown> & { readonly type: string }

describe.each(gatewayHosts)('on %s', (name, start) => {
  const isClosing = isOnNode(name)
  let bedrock: FakeBedrock
  let host: GatewayHostUnderTest
  beforeAll(async () => {
    bedrock = await startFakeBedrock()
    host = await start(bedrock)
  }, 120_000)
  afterAll(async () => {
    await host?.close()
    await bedrock?.close()
  })

  const address = () => `${host.url.replace('http', 'ws')}/responses`

  async function opened() {
    const socket = new WebSocket(address(), { headers: { authorization: `Bearer ${testKey}` } })
    const events: Event[] = []
    socket.on('message', (data) => events.push(JSON.parse(String(data))))
    await once(socket, 'open')
    const isLast = ({ type }: Event) => type === 'error' || /^response\.(completed|incomplete|failed)$/.test(type)
    return {
      socket,
      /** The events of one turn. */
      async ask(message: object | string): Promise<readonly Event[]> {
        events.length = 0
        socket.send(typeof message === 'string' ? message : JSON.stringify(message))
        while (!events.some(isLast)) await once(socket, 'message')
        return [...events]
      },
      async [Symbol.asyncDispose]() {
        if (socket.readyState === WebSocket.CLOSED) return
        socket.close()
        await once(socket, 'close')
      },
    }
  }
  const create = (more: object) => ({ type: 'response.create', model: sonnet, max_output_tokens: 50, ...more })
  const responseOf = (events: readonly Event[]) => events.at(-1)?.['response'] as OpenAI.Responses.Response

  test('the official client goes on from an answer that is kept nowhere', async ({ expect }) => {
    const client = new OpenAI({ baseURL: host.url, apiKey: testKey })
    const socket = new ResponsesWS(client)
    const turn = (more: object) => {
      const done = Promise.withResolvers<OpenAI.Responses.Response>()
      socket.once('response.completed', ({ response }) => done.resolve(response))
      socket.once('error', done.reject)
      socket.send(create({ store: false, ...more }) as Parameters<typeof socket.send>[0])
      return done.promise
    }
    const first = await turn({ input: 'The word is heron.' })
    const second = await turn({ input: 'Which word?', previous_response_id: first.id })
    const called = bedrock.calls.at(-1)?.body
    socket.close()

    expect(second.previous_response_id).toBe(first.id)
    expect(JSON.stringify(called)).toMatch(/The word is heron\..*Which word\?/)
    const elsewhere = await opened()
    const [refused] = await elsewhere.ask(create({ input: 'x', previous_response_id: second.id }))
    await elsewhere[Symbol.asyncDispose]()
    expect(refused).toMatchObject({ type: 'error', status: 400, error: { code: 'previous_response_not_found' } })
  })

  test('events are those of a stream, each a message, with the lane that was named', async ({ expect }) => {
    await using connection = await opened()
    const events = await connection.ask(create({ input: 'hi', stream_id: 'left' }))
    const stream = await fetch(`${host.url}/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${testKey}` },
      body: JSON.stringify({ model: sonnet, max_output_tokens: 50, input: 'hi', stream: true }),
    })
    const types = [...(await stream.text()).matchAll(/^event: (.*)$/gm)].map(([, type]) => type)

    expect([...new Set(events.map(({ type }) => type))]).toEqual([...new Set(types)])
    expect(events.map((event) => event['sequence_number'])).toEqual(events.map((_event, index) => index))
    expect([...new Set(events.map((event) => event['stream_id']))]).toEqual(['left'])
    const kept = await fetch(`${host.url}/responses/${responseOf(events).id}`, {
      headers: { authorization: `Bearer ${testKey}` },
    })
    expect(kept.status).toBe(200)
  })

  test('what is prepared costs no call, and is gone on from', async ({ expect }) => {
    await using connection = await opened()
    const before = bedrock.calls.length
    const prepared = await connection.ask(create({ input: 'The word is crane.', store: false, generate: false }))
    const callsOfIt = bedrock.calls.length - before
    await connection.ask(
      create({ input: 'Which word?', store: false, previous_response_id: responseOf(prepared).id, user: 'me' }),
    )

    expect(responseOf(prepared)).toMatchObject({ status: 'completed', output: [] })
    expect(callsOfIt).toBe(0)
    expect(JSON.stringify(bedrock.calls.at(-1)?.body)).toMatch(/The word is crane\..*Which word\?/)
  })

  test('a refused turn ends nothing', async ({ expect }) => {
    await using connection = await opened()
    const refused: (readonly [unknown, unknown, unknown])[] = []
    const table: readonly (readonly [object | string, number, string, string | null])[] = [
      ['no JSON', 400, 'bad_request', null],
      ['[]', 400, 'bad_request', null],
      [{ type: 'response.steer' }, 400, 'unsupported', 'type'],
      [create({ background: true, input: 'x' }), 400, 'unsupported', 'background'],
      [create({ stream_id: 'x'.repeat(257), input: 'x' }), 400, 'bad_request', 'stream_id'],
      [create({ input: 7 }), 400, 'bad_request', 'input'],
      [create({ model: 'no-such..model', input: 'x' }), 400, 'bad_request', 'model'],
    ]
    for (const [message] of table) {
      const [event] = await connection.ask(message)
      const error = event?.['error'] as Record<string, unknown>
      refused.push([event?.['status'], error['code'], error['param']])
    }
    const answered = await connection.ask(create({ input: 'hi', stream_id: 'x'.repeat(256) }))

    expect(refused).toEqual(table.map(([, ...rest]) => rest))
    expect(answered.at(-1)?.type).toBe('response.completed')
  })

  test('a message is as long as a body may be, and no longer', async ({ expect }) => {
    const messageOf = (bytes: number) => {
      const empty = JSON.stringify(create({ input: 'hi', padding: '' }))
      return JSON.stringify(create({ input: 'hi', padding: 'x'.repeat(bytes - empty.length) }))
    }
    await using connection = await opened()
    const longest = await connection.ask(messageOf(mebibyte))
    expect(longest.at(-1)?.type).toBe('response.completed')

    const calls = bedrock.calls.length
    const { socket } = connection
    const told = once(socket, 'message').then(([data]) => JSON.parse(String(data)).status)
    const closed = once(socket, 'close').then(([code]) => code)
    // At the edge a message is read whole, and its body counts, which is shorter by what belongs to the connection alone.
    socket.send(messageOf(mebibyte + (isClosing ? 1 : 64)))
    expect(await (isClosing ? closed : told)).toBe(isClosing ? 1009 : 413)
    expect(bedrock.calls.length).toBe(calls)
  })

  test('what is passed over is told with the first event', async ({ expect }) => {
    await using connection = await opened()
    const [first, second] = await connection.ask(create({ input: 'hi', service_tier: 'flex' }))

    expect([first?.['x_gateway_ignored'], second?.['x_gateway_ignored']]).toEqual(['service_tier', undefined])
  })

  test('a wrong key opens no connection', async ({ expect }) => {
    const socket = new WebSocket(address(), { headers: { authorization: 'Bearer wrong-key' } })
    const [error] = await once(socket, 'error')

    expect(String(error)).toContain('401')
    const plain = await fetch(`${host.url}/responses`, { headers: { authorization: `Bearer ${testKey}` } })
    expect([plain.status, plain.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
  })
})
