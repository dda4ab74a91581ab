import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { setImmediate as nextPass } from 'node:timers/promises'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import fc from 'fast-check'
import { describe, test, vi } from 'vitest'
import { answerBytesAhead, bytesReadAtOnce } from '../../../local/gateway/limits.ts'
import { nodeDigests, sharedWatch } from '../../../local/gateway/node-platform.ts'
import { providerPool } from '../../../local/gateway/outgoing-pool.ts'
import { outgoingBy, webDigests } from '../../../workers/gateway/adapters/edge-platform.ts'
import { startFakeBedrock } from '../../support/fake-bedrock.ts'
import { gatewayOnNode } from '../../support/gateway-on-node.ts'
import { environmentFor, testKey } from '../../support/gateway-under-test.ts'
import { startLettingGo } from '../../support/letting-go.ts'
import { makeCertificate, type OwnCertificate } from '../../support/own-certificate.ts'
import { sendRaw } from '../../support/raw-http.ts'
import { requireReal } from '../../support/real-parts.ts'
import { temporaryFolder } from '../../support/running-wharf.ts'

const openssl = requireReal('openssl')

// Beyond what is kept to be written anew, whose bound is between.
const messageBytesMax = 1_200

test('codes of messages are those of the platform, whatever the length of key and bytes', async ({ expect }) => {
  const long = { maxLength: messageBytesMax, size: 'max' } as const
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.uint8Array(long), async (key, bytes) => {
      const mac = await nodeDigests.hmacSha256(key, bytes)
      expect(Buffer.from(mac)).toEqual(createHmac('sha256', key).update(bytes).digest())
    }),
  )
})

test.for([
  ['Node', nodeDigests],
  ['the web', webDigests],
] as const)('digests in digits are those of the UTF-8 bytes, by the means of %s', async ([, digests], { expect }) => {
  const unit = fc.constantFrom('a', 'ß', '水', '🌊', '\ud83c', '\0')
  const long = fc.string({ unit, maxLength: messageBytesMax, size: 'max' })
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 200 }), long, async (key, text) => {
      const expected = createHash('sha256').update(text).digest('hex')
      expect(await digests.sha256Hex(text)).toBe(expected)
      expect(await digests.sha256Hex(new TextEncoder().encode(text))).toBe(expected)
      expect(await digests.hmacSha256Hex(key, text)).toBe(createHmac('sha256', key).update(text).digest('hex'))
    }),
  )
})

test('watches of a kind share one timer, which ends with the last of them', ({ expect, onTestFinished }) => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const watch = sharedWatch()
  const calls: string[] = []
  const stopFirst = watch(100, () => calls.push('first'))
  const stopSecond = watch(100, () => calls.push('second'))
  const stopOther = watch(70, () => calls.push('other'))
  expect(vi.getTimerCount()).toBe(2)
  vi.advanceTimersByTime(100)
  expect(calls).toEqual(['other', 'first', 'second'])
  stopFirst()
  stopOther()
  vi.advanceTimersByTime(100)
  expect(calls).toEqual(['other', 'first', 'second', 'second'])
  stopSecond()
  vi.advanceTimersByTime(100)
  expect(vi.getTimerCount()).toBe(0)
  watch(100, () => calls.push('again'))
  vi.advanceTimersByTime(100)
  expect(calls.at(-1)).toBe('again')
})

/** A provider whose every answer is written by the test; over TLS with a certificate. */
async function scripted(answer: (response: ServerResponse) => void, own?: OwnCertificate) {
  const listener: RequestListener = (request, response) => {
    request.resume()
    answer(response)
  }
  const server =
    own === undefined
      ? createServer(listener)
      : createTlsServer({ key: readFileSync(own.key), cert: readFileSync(own.certificate) }, listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const pool = providerPool(1_000)
  const abort = new AbortController()
  return {
    abort,
    server,
    send: () =>
      pool.outgoing({
        method: 'GET',
        url: `${own === undefined ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}/path?a=b`,
        headers: {},
        signal: abort.signal,
      }),
    async [Symbol.asyncDispose]() {
      await pool.close()
      server.closeAllConnections()
      server.close()
    },
  }
}

/** What the process trusts until the function is called that this returns. */
function trusting(own: OwnCertificate): () => void {
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, readFileSync(own.certificate, 'utf8')])
  return () => setDefaultCACertificates(before)
}

describe('answers of the pool', () => {
  const wires = [
    ['plain', false],
    ['encrypted', true],
  ] as const

  test.for(wires)(
    'answers that come at once over %s connections do not get into one another, at what is read at once and one byte past it',
    async ([, isEncrypted], { expect, skip, onTestFinished }) => {
      if (isEncrypted && openssl.isMissing) return skip(openssl.skipNote)
      const folder = temporaryFolder()
      onTestFinished(folder.remove)
      const own = isEncrypted ? makeCertificate(openssl.path, folder.path, '127.0.0.1') : undefined
      if (own !== undefined) onTestFinished(trusting(own))
      const sizes = [bytesReadAtOnce, bytesReadAtOnce + 1, 3 * bytesReadAtOnce, 1]
      let asked = 0
      const held: (() => void)[] = []
      await using provider = await scripted((response) => {
        const index = asked
        asked += 1
        held.push(() => response.end(Buffer.alloc(sizes[index] ?? 0, index + 1)))
        // All are under way before the first is answered.
        if (held.length === sizes.length) for (const answer of held) answer()
      }, own)
      const answers = await Promise.all(sizes.map(() => provider.send()))
      const bodies = await Promise.all(
        answers.map(async ({ body }) => {
          const pieces: Uint8Array[] = []
          for await (const piece of body) pieces.push(piece)
          return Buffer.concat(pieces)
        }),
      )
      const expected = sizes.map((size, index) => Buffer.alloc(size, index + 1))
      const found = bodies.toSorted((left, right) => (left[0] ?? 0) - (right[0] ?? 0))
      expect(found.every((body, index) => body.equals(expected[index] ?? Buffer.of()))).toBe(true)
    },
  )

  test('bytes and headers arrive as they were sent', async ({ expect }) => {
    const bytes = Buffer.alloc(1_000_000, 'abcdefg')
    await using provider = await scripted((response) => {
      response.setHeader('x-one', '1')
      response.setHeader('x-many', ['first', 'second'])
      response.end(bytes)
    })
    const answer = await provider.send()
    const pieces: Uint8Array[] = []
    for await (const piece of answer.body) pieces.push(piece)

    expect([answer.status, answer.header('x-one'), answer.header('x-many'), answer.header('x-none')]).toEqual([
      200,
      '1',
      'first',
      undefined,
    ])
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true)
  })

  test('what nobody reads is not taken from the connection beyond its bound', async ({ expect }) => {
    const sentMax = 64 * 1_048_576
    let response: ServerResponse | undefined
    await using provider = await scripted((opened) => {
      response = opened
      opened.write(Buffer.alloc(sentMax))
    })
    const answer = await provider.send()
    const iterator = answer.body[Symbol.asyncIterator]()
    const first = await iterator.next()
    await expect.poll(() => response?.writableLength ?? 0).toBeGreaterThan(0)
    const second = await iterator.next()

    // One more read of the connection may be under way when it is paused.
    expect(second.value?.length).toBeLessThanOrEqual(2 * answerBytesAhead)
    expect(first.done).toBe(false)
    expect(response?.writableFinished).toBe(false)
  })

  test('an abort before, while and after the answer comes ends the call', async ({ expect }) => {
    await using unsent = await scripted(() => {})
    unsent.abort.abort(new Error('early'))
    await expect(unsent.send()).rejects.toThrow('early')

    await using silent = await scripted(() => {})
    const requested = once(silent.server, 'request')
    const waiting = silent.send()
    const [, silentResponse] = (await requested) as [unknown, ServerResponse]
    const closed = once(silentResponse, 'close')
    silent.abort.abort(new Error('meanwhile'))
    await expect(waiting).rejects.toThrow('meanwhile')
    await closed

    await using begun = await scripted((response) => response.write('begun'))
    const answer = await begun.send()
    const iterator = answer.body[Symbol.asyncIterator]()
    await iterator.next()
    const next = iterator.next()
    begun.abort.abort(new Error('later'))
    await expect(next).rejects.toThrow('later')
  })

  test('a reader that stops early gives the connection up', async ({ expect }) => {
    await using provider = await scripted((response) => response.write('endless'))
    const requested = once(provider.server, 'request')
    const answer = await provider.send()
    const [, response] = (await requested) as [unknown, ServerResponse]
    const closed = once(response, 'close')
    for await (const _ of answer.body) break

    await expect(closed).resolves.toBeDefined()
  })

  test('a connection that is cut fails the reader', async ({ expect }) => {
    await using provider = await scripted((response) => {
      response.writeHead(200, { 'content-length': 100 })
      response.write('some', () => response.destroy())
    })
    const answer = await provider.send()
    const readAll = async () => {
      for await (const _ of answer.body);
    }

    await expect(readAll()).rejects.toThrow()
  })
})

describe('what never becomes a request', () => {
  async function host(requestMsMax?: number) {
    const bedrock = await startFakeBedrock()
    const started = await gatewayOnNode(environmentFor(bedrock), {
      ...(requestMsMax === undefined ? {} : { requestMsMax }),
    })
    return {
      bedrock,
      port: Number(new URL(started.url).port),
      async [Symbol.asyncDispose]() {
        await bedrock.close()
        await started.stop()
      },
    }
  }
  const head = `POST /api/v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${testKey}\r\n`

  test.for([
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['headers over their bound', `${head}x-long: ${'x'.repeat(17_000)}\r\n\r\n`, 431],
    ['no host', 'GET /api/v1/health HTTP/1.1\r\n\r\n', 400],
    ['two lengths', `${head}content-length: 1\r\ncontent-length: 2\r\n\r\n{}`, 400],
    ['a length and a coding', `${head}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n{}`, 400],
  ] as const)('%s is refused in the one shape', async ([, text, status], { expect }) => {
    await using gateway = await host()
    const answer = await sendRaw(gateway.port, text)

    expect(answer.status).toBe(status)
    expect(JSON.parse(answer.text.split('\r\n\r\n')[1] ?? '')).toEqual({
      error: { message: expect.any(String), type: 'invalid_request_error', code: 'bad_request' },
    })
    expect(gateway.bedrock.callsOf('converse')).toEqual([])
  })

  test.for([
    ['headers', head],
    ['a body', `${head}content-length: 1000\r\n\r\n{"model"`],
    ['a chunked body', `${head}transfer-encoding: chunked\r\n\r\n8\r\n{"model"\r\n`],
  ] as const)(
    'a client that never finishes %s is sent away, and what it held is free',
    async ([, text], { expect }) => {
      await using gateway = await host(200)
      const answer = await sendRaw(gateway.port, text)

      expect(answer.status).toBe(408)
      expect(JSON.parse(answer.text.split('\r\n\r\n')[1] ?? '')).toMatchObject({
        error: { code: 'request_timeout', message: 'the request was not complete in time' },
      })
      expect(gateway.bedrock.callsOf('converse')).toEqual([])
    },
  )

  test.for([
    ['/api/v1/health', 200],
    ['/api/v1/health?some=query', 200],
    ['http://elsewhere.test/api/v1/health', 200],
    ['/api/v1/models/../health', 200],
    ['/api/v1/hea%6Cth', 200],
    ['/api/v1/models/../../v2', 404],
    ['//api/v1/health', 404],
    ['/api/v1/health/', 404],
    ['*', 404],
    ['http://', 404],
    [`/${'a.'.repeat(4_000)}|`, 404],
  ] as const)('the target %s is read like an address', async ([target, status], { expect }) => {
    await using gateway = await host()
    const answer = await sendRaw(gateway.port, `GET ${target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)

    expect(answer.status).toBe(status)
    expect(answer.text).toContain('\r\naccess-control-allow-origin: *\r\n')
    if (status === 404) expect(JSON.parse(answer.text.split('\r\n\r\n')[1] ?? '').error.code).toBe('not_found')
  })

  test.for(['100-continue', 'the-unexpected'])('a request that expects %s is served', async (expected, { expect }) => {
    await using gateway = await host()
    const body = JSON.stringify({ messages: [{ role: 'user', content: 'x' }] })
    const answer = await sendRaw(
      gateway.port,
      `${head}expect: ${expected}\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
    )

    expect(answer.status).toBe(200)
  })

  test('an answer to HEAD has the head of one to GET and no body', async ({ expect }) => {
    await using gateway = await host()
    const answer = await sendRaw(gateway.port, 'HEAD /api/v1/health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')

    expect(answer.status).toBe(200)
    expect(answer.text).toContain('\r\naccess-control-allow-origin: *\r\n')
    expect(answer.text.split('\r\n\r\n')[1]).toBe('')
  })

  test('a client refused before its body has come gets its answer, and its connection ends', async ({ expect }) => {
    await using gateway = await host()
    const answer = await sendRaw(
      gateway.port,
      'POST /api/v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n{"model"',
    )

    expect(answer.status).toBe(401)
    expect(answer.text).toContain('\r\nconnection: close\r\n')
    expect(gateway.bedrock.callsOf('converse')).toEqual([])
  })

  test('a client that leaves in the middle of its body costs nothing further', async ({ expect }) => {
    await using gateway = await host()
    const socket = connect(gateway.port, '127.0.0.1')
    socket.write(`${head}content-length: 1000\r\n\r\n{"model"`, () => socket.destroy())
    await once(socket, 'close')
    const answer = await sendRaw(gateway.port, 'GET /api/v1/health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')

    expect(answer.status).toBe(200)
    expect(gateway.bedrock.callsOf('converse')).toEqual([])
  })
})

test.for([
  ['GET', true, 2],
  ['PUT', true, 2],
  ['POST', true, 1],
  ['GET', false, 1],
] as const)(
  "of the edge's fetch a %s that may be retried (%s) is sent %i times",
  async ([method, retryable, times], { expect }) => {
    let sent = 0
    const outgoing = outgoingBy(async () => {
      sent += 1
      throw Object.assign(new Error('Network connection lost.'), retryable ? { retryable } : {})
    })
    const request = { method, url: 'https://pictures.example/', headers: {}, signal: new AbortController().signal }

    await expect(outgoing(request)).rejects.toThrow('Network connection lost.')
    expect(sent).toBe(times)
  },
)

describe('a connection that the other side let go of', () => {
  function poolFor(url: string) {
    const pool = providerPool(1_000)
    const send = async (method: 'GET' | 'POST' | 'PUT') => {
      const body = method === 'GET' ? {} : { body: '{}' }
      const answer = await pool.outgoing({
        method,
        url: `${url}/${method}`,
        headers: {},
        signal: new AbortController().signal,
        ...body,
      })
      for await (const _ of answer.body);
      // The connection is idle from the next pass of the loop on.
      await nextPass()
      return answer.status
    }
    return { send, [Symbol.asyncDispose]: () => pool.close() }
  }

  test.for(['GET', 'PUT'] as const)('%s goes over a new one', async (method, { expect }) => {
    await using server = await startLettingGo()
    await using pool = poolFor(server.url)

    expect([await pool.send(method), await pool.send(method)]).toEqual([200, 200])
    expect(server.asked).toEqual([`1 ${method} /${method}`, `1 ${method} /${method}`, `2 ${method} /${method}`])
  })

  test('what changes something is not sent twice', async ({ expect }) => {
    await using server = await startLettingGo()
    await using pool = poolFor(server.url)
    await pool.send('POST')

    await expect(pool.send('POST')).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect(server.asked).toEqual(['1 POST /POST', '1 POST /POST'])
  })

  test.for(['GET', 'POST'] as const)(
    '%s of which nothing was written goes over a new one',
    async (method, { expect }) => {
      await using server = await startLettingGo()
      await using pool = poolFor(server.url)
      await pool.send(method)
      server.letGo()

      // In the same pass of the loop: the process has not seen yet that the connection is gone.
      expect(await pool.send(method)).toBe(200)
      expect(server.asked).toEqual([`1 ${method} /${method}`, `2 ${method} /${method}`])
    },
  )

  test('a new connection that breaks is not tried again', async ({ expect }) => {
    await using server = await startLettingGo({ answersOnConnection: 0 })
    await using pool = poolFor(server.url)

    await expect(pool.send('GET')).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect(server.asked).toEqual(['1 GET /GET'])
  })
})
