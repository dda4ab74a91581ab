import { connect } from 'node:net'
import fc from 'fast-check'
import { afterEach, describe, test } from 'vitest'
import { readEvents, type StreamedEvent, startTestServer, type TestServer } from '../../support/agent-server.ts'

const servers: TestServer[] = []

async function start(options: Parameters<typeof startTestServer>[0] = {}): Promise<TestServer> {
  const server = await startTestServer(options)
  servers.push(server)
  return server
}

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

/** Adds one event to the session: the smallest durable write there is. */
async function addEvent(server: TestServer, session: string): Promise<void> {
  const answer = await server.send('POST', `/api/session/${session}/model`, {
    model: { id: 'one', providerID: 'fake' },
  })
  if (answer.status !== 204) throw new Error(answer.text)
}

function seqs(events: readonly StreamedEvent[]): number[] {
  return events.map((event) => event.data.durable?.seq ?? -1)
}

const upTo = (seq: number) => (events: readonly StreamedEvent[]) => events.at(-1)?.data.durable?.seq === seq

describe('a session stream', () => {
  test('replays what is stored, then follows, without a gap or a double', async ({ expect }) => {
    const server = await start()
    const session = await server.createSession()
    for (let index = 0; index < 5; index += 1) await addEvent(server, session)

    const following = server.events(`/api/session/${session}/event`, upTo(10))
    for (let index = 0; index < 5; index += 1) await addEvent(server, session)
    const events = await following

    expect(seqs(events)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    for (const event of events) {
      expect(event.event).toBe('message')
      expect(event.id).toBe(`${session}:${event.data.durable?.seq}`)
      expect(event.data).toMatchObject({
        id: expect.stringMatching(/^evt_/),
        type: expect.any(String),
        durable: { aggregateID: session, version: expect.any(Number) },
        data: { sessionID: session, timestamp: expect.any(Number) },
      })
    }
  })

  test('sets the headers that keep proxies from buffering it', async ({ expect }) => {
    const server = await start()
    const session = await server.createSession()
    for (const target of ['/api/event', `/api/session/${session}/event`]) {
      const leave = new AbortController()
      const response = await fetch(`${server.address}${target}`, { signal: leave.signal })
      expect(response.headers.get('content-type')).toContain('text/event-stream')
      expect(response.headers.get('cache-control')).toContain('no-cache')
      expect(response.headers.get('x-accel-buffering')).toBe('no')
      leave.abort()
    }
  })

  test('continues after the cursor the client has, by header or by query', async ({ expect }) => {
    const server = await start()
    const session = await server.createSession()
    for (let index = 0; index < 4; index += 1) await addEvent(server, session)
    const target = `/api/session/${session}/event`

    expect(seqs(await server.events(target, upTo(4), { 'last-event-id': `${session}:2` }))).toEqual([3, 4])
    expect(seqs(await server.events(`${target}?after=2`, upTo(4)))).toEqual([3, 4])
    expect(seqs(await server.events(`${target}?after=${session}:3`, upTo(4)))).toEqual([4])
  })

  test('a cursor at the newest event waits for the next one', async ({ expect }) => {
    const server = await start()
    const session = await server.createSession()
    const following = server.events(`/api/session/${session}/event?after=0`, upTo(1))
    await addEvent(server, session)

    expect(seqs(await following)).toEqual([1])
  })

  test.for([
    ['of another session', (_own: string, other: string) => `${other}:0`],
    ['beyond the newest event', (own: string) => `${own}:1`],
    ['without a session', () => '0'],
    ['negative', (own: string) => `${own}:-1`],
    ['with a leading zero', (own: string) => `${own}:00`],
    ['in another notation', (own: string) => `${own}:0x0`],
    ['with something behind it', (own: string) => `${own}:0 `.concat('x')],
    ['without a number', (own: string) => `${own}:`],
    ['of rubbish', () => 'rubbish'],
  ] as const)('a Last-Event-ID %s is refused', async ([, cursorOf], { expect }) => {
    const server = await start()
    const session = await server.createSession()
    const other = await server.createSession()

    const refused = await server.send('GET', `/api/session/${session}/event`, undefined, {
      'last-event-id': cursorOf(session, other),
    })

    expect(refused).toMatchObject({ status: 400, body: { error: { code: 'invalid_event_request' } } })
  })

  test.for(['after=-1', 'after=1', 'after=x', 'after=1.0', 'after='])('%s is refused', async (query, { expect }) => {
    const server = await start()
    const session = await server.createSession()

    const refused = await server.send('GET', `/api/session/${session}/event?${query}`)

    expect(refused).toMatchObject({ status: 400, body: { error: { code: 'invalid_event_request' } } })
  })

  test('an idle stream is kept alive by comments', async ({ expect }) => {
    const server = await start({ streamBounds: { heartbeatMs: 20 } })
    const session = await server.createSession()
    for (const target of ['/api/event', `/api/session/${session}/event`]) {
      const leave = new AbortController()
      const response = await fetch(`${server.address}${target}`, { signal: leave.signal })
      let text = ''
      const decoder = new TextDecoder()
      for await (const chunk of response.body ?? []) {
        text += decoder.decode(chunk, { stream: true })
        if (text.split(': heartbeat\n\n').length > 3) break
      }
      leave.abort()
      expect(text).toContain(': heartbeat\n\n: heartbeat\n\n')
    }
  })

  test('a reader that falls behind is told where it was, and continues from there; others are not slowed', async ({
    expect,
  }) => {
    const server = await start({ streamBounds: { itemsMax: 4, bytesMax: 1_000_000 } })
    const session = await server.createSession()
    const stalled = stallingReader(server.port, `/api/session/${session}/event`)
    await stalled.opened
    const count = 40
    const big = 'x'.repeat(500_000)
    const other = server.events(`/api/session/${session}/event`, upTo(count))
    for (let index = 0; index < count; index += 1) {
      const admitted = await server.prompt(session, big, { resume: false })
      expect(admitted.status).toBe(200)
    }

    expect(seqs(await other)).toEqual(Array.from({ length: count + 1 }, (_unused, seq) => seq))
    const events = await stalled.readRest()
    const last = events.at(-1)
    expect(last?.data.type).toBe('server.stream.lagged')
    expect(last?.id).toBeUndefined()
    const lastCursor = last?.data.data.lastCursor as string
    expect(lastCursor).toBe(events.at(-2)?.id)
    expect(last?.data.data).toMatchObject({ sessionID: session, action: 'reconnect', dropped: expect.any(Number) })
    const before = seqs(events.slice(0, -1))
    const after = seqs(
      await server.events(`/api/session/${session}/event`, upTo(count), { 'last-event-id': lastCursor }),
    )
    expect([...before, ...after]).toEqual(Array.from({ length: count + 1 }, (_unused, seq) => seq))
  }, 60_000)

  test('over the number of streams that may be open, one more is refused; a closed one makes room', async ({
    expect,
  }) => {
    const server = await start({ streamBounds: { subscribersMax: 3 } })
    const session = await server.createSession()
    const leave = new AbortController()
    for (let index = 0; index < 3; index += 1) {
      const target = index === 0 ? '/api/event' : `/api/session/${session}/event`
      expect((await fetch(`${server.address}${target}`, { signal: leave.signal })).status).toBe(200)
    }

    const refused = await server.send('GET', `/api/session/${session}/event`)
    expect(refused).toMatchObject({ status: 503, body: { error: { code: 'backend_unavailable' } } })

    leave.abort()
    await expect
      .poll(
        async () => {
          const again = new AbortController()
          const response = await fetch(`${server.address}/api/event`, { signal: again.signal })
          again.abort()
          return response.status
        },
        { timeout: 20_000 },
      )
      .toBe(200)
  })

  test('whatever is appended, read and reconnected in whatever order, each reader gets every event once', async ({
    expect,
  }) => {
    const server = await start()
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.constant({ kind: 'append' as const }) },
      {
        weight: 2,
        arbitrary: fc.record({
          kind: fc.constant('read' as const),
          reader: fc.nat(2),
          count: fc.integer({ min: 1, max: 4 }),
        }),
      },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 20 }), async (steps) => {
        const session = await server.createSession()
        const readers: number[][] = [[], [], []]
        let newest = 0
        const pending: Promise<unknown>[] = []
        for (const action of steps) {
          if (action.kind === 'append') {
            newest += 1
            pending.push(addEvent(server, session))
            continue
          }
          const seen = readers[action.reader] ?? []
          const from = seen.at(-1)
          const target = Math.min(newest, (from ?? -1) + action.count)
          if (from !== undefined && target <= from) continue
          const events = await server.events(
            `/api/session/${session}/event`,
            upTo(target),
            from === undefined ? {} : { 'last-event-id': `${session}:${from}` },
          )
          seen.push(...seqs(events))
        }
        await Promise.all(pending)
        for (const seen of readers) {
          const from = seen.at(-1)
          if (from === newest) continue
          const rest = await server.events(
            `/api/session/${session}/event`,
            upTo(newest),
            from === undefined ? {} : { 'last-event-id': `${session}:${from}` },
          )
          seen.push(...seqs(rest))
        }
        for (const seen of readers) expect(seen).toEqual(Array.from({ length: newest + 1 }, (_unused, seq) => seq))
      }),
      { numRuns: 30 },
    )
  }, 60_000)
})

describe('the process stream', () => {
  test('begins with server.connected, replays nothing, and carries events of every session', async ({ expect }) => {
    const server = await start()
    const before = await server.createSession()
    const following = server.events('/api/event', (events) => events.filter((event) => event.data.durable).length === 2)
    // The stream is open once its first event is there; until then an event could come before it.
    await readEvents(`${server.address}/api/event`, (events) => events.length === 1)
    await addEvent(server, before)
    const second = await server.createSession()
    const events = await following

    expect(events[0]).toEqual({ data: { id: expect.stringMatching(/^evt_/), type: 'server.connected', data: {} } })
    const durable = events.filter((event) => event.data.durable !== undefined)
    expect(durable.map((event) => [event.data.type, event.id])).toEqual([
      ['session.next.model.switched', `${before}:1`],
      ['session.created', `${second}:0`],
    ])
    expect(durable[0]?.data).toMatchObject({ location: { directory: server.project } })
  })

  test('a reader that falls behind is told to reconnect', async ({ expect }) => {
    const server = await start({ streamBounds: { itemsMax: 4, bytesMax: 1_000_000 } })
    const session = await server.createSession()
    const stalled = stallingReader(server.port, '/api/event')
    await stalled.opened
    for (let index = 0; index < 40; index += 1) await server.prompt(session, 'x'.repeat(500_000), { resume: false })

    const events = await stalled.readRest()

    expect(events.at(-1)).toMatchObject({
      data: { type: 'server.stream.lagged', data: { action: 'reconnect', dropped: expect.any(Number) } },
    })
  }, 60_000)
})

test('two clients of one session see the same events', async ({ expect }) => {
  const server = await start()
  server.model.otherwise({ text: ['Hello', ' there'] })
  const session = await server.createSession()
  const isDone = (events: readonly StreamedEvent[]) => events.at(-1)?.data.type === 'session.next.step.ended'
  const clients = [0, 1].map(() => server.events(`/api/session/${session}/event`, isDone))
  await server.prompt(session, 'Hi')

  const [one, two] = await Promise.all(clients)

  expect(one?.length).toBeGreaterThan(5)
  expect(one).toEqual(two)
})

/** Opens a stream and reads nothing until it is asked to: the socket fills up, then the server's queue. */
function stallingReader(port: number, target: string) {
  const socket = connect({ port, host: '127.0.0.1' })
  let text = ''
  socket.setEncoding('utf8')
  socket.write(`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`)
  const opened = new Promise<void>((resolve) =>
    socket.once('data', (chunk: string) => {
      text += chunk
      socket.pause()
      resolve()
    }),
  )
  return {
    opened,
    readRest(): Promise<StreamedEvent[]> {
      return new Promise((resolve, reject) => {
        socket.on('data', (chunk: string) => {
          text += chunk
          if (!chunk.includes('0\r\n\r\n')) return
          socket.destroy()
          resolve(parseChunked(text))
        })
        socket.on('error', reject)
        socket.resume()
      })
    },
  }
}

/** The events of a chunked answer. Sizes are in bytes; all text here is ASCII. */
function parseChunked(answer: string): StreamedEvent[] {
  let rest = answer.slice(answer.indexOf('\r\n\r\n') + 4)
  let body = ''
  for (;;) {
    const end = rest.indexOf('\r\n')
    const size = Number.parseInt(rest.slice(0, end), 16)
    if (!(size > 0)) break
    body += rest.slice(end + 2, end + 2 + size)
    rest = rest.slice(end + 2 + size + 2)
  }
  return body.split('\n\n').flatMap((frame) => {
    const data = /^data: (.*)$/m.exec(frame)?.[1]
    const id = /^id: (.*)$/m.exec(frame)?.[1]
    return data === undefined ? [] : [{ ...(id === undefined ? {} : { id }), data: JSON.parse(data) }]
  })
}

test('a request for the head of a stream keeps no place among those that follow it', async ({ expect }) => {
  const other = await startTestServer({ streamBounds: { subscribersMax: 2 } })
  for (let count = 0; count < 4; count += 1) {
    expect((await fetch(`${other.address}/api/event`, { method: 'HEAD' })).status).toBe(200)
  }
  await other.close()
})
