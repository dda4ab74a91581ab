import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as nextPass } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { onTestFinished, test } from 'vitest'
import { answerBytesAhead, redirectsMax } from '../../../local/runtime/limits.ts'
import { createOutgoingFetch, type OutgoingOptions } from '../../../local/runtime/outgoing-fetch.ts'
import { startLettingGo } from '../../support/letting-go.ts'

async function serve(listener: RequestListener, port = 0): Promise<string | undefined> {
  const server = createServer(listener)
  const isThere = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => resolve(true))
  })
  if (!isThere) return undefined
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function outgoing(options: OutgoingOptions = {}) {
  const made = createOutgoingFetch(options)
  onTestFinished(() => made.close())
  return made.fetch
}

const echo: RequestListener = (request, answer) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const names = request.rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase())
    answer.end(
      JSON.stringify({
        method: request.method,
        names: names.sort(),
        headers: request.headers,
        body: Buffer.concat(parts).toString(),
      }),
    )
  })
}

test.for([
  ['a plain request', {}, ['connection', 'host']],
  [
    'a program of its own name',
    { headers: { 'user-agent': 'wharf/1', accept: '*/*' } },
    ['accept', 'connection', 'host', 'user-agent'],
  ],
  ['a DELETE without a body', { method: 'DELETE' }, ['connection', 'host']],
  ['a POST without a body', { method: 'POST' }, ['connection', 'content-length', 'host']],
  ['a POST of a text', { method: 'POST', body: 'text' }, ['connection', 'content-length', 'content-type', 'host']],
] as const)('%s carries nothing that was not asked for', async ([, init, names], { expect }) => {
  const address = await serve(echo)
  const seen = await (await outgoing()(`${address}/`, init)).json()
  expect(seen).toMatchObject({ names, method: 'method' in init ? init.method : 'GET' })
})

test('a form is sent as one', async ({ expect }) => {
  const form = new FormData()
  form.set('name', 'value')
  form.set('file', new Blob(['bytes']), 'one.torrent')
  const seen = (await (await outgoing()(`${await serve(echo)}/`, { method: 'POST', body: form })).json()) as {
    body: string
    headers: Record<string, string>
  }
  expect(seen.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
  expect(seen.body).toContain('filename="one.torrent"')
})

test('a question whose kept connection is gone goes over a new one, and what changes something is not sent twice', async ({
  expect,
}) => {
  await using server = await startLettingGo()
  const fetch = outgoing()
  const ask = async (method: string) => {
    await (await fetch(server.url, { method })).text()
    // The connection is idle from the next pass of the loop on.
    await nextPass()
  }
  await ask('GET')
  await ask('GET')
  await ask('POST')

  await expect(ask('POST')).rejects.toThrow('Network connection lost.')
  expect(server.asked).toEqual(['1 GET /', '1 GET /', '2 GET /', '3 POST /', '3 POST /'])
})

test('no port is kept away from', async ({ expect, skip }) => {
  // Ports that a browser asks nobody at; one of them is free.
  const addresses = await Promise.all([10_080, 6_667, 6_000, 5_061].map((port) => serve(echo, port)))
  const address = addresses.find((one) => one !== undefined)
  skip(address === undefined, 'all of them are taken')
  expect((await outgoing()(`${address}/`)).status).toBe(200)
})

test('redirects are followed where nothing else is said, and left where it is', async ({ expect }) => {
  const address = await serve((request, answer) => {
    const left = Number(new URL(request.url ?? '', 'http://x').searchParams.get('left'))
    if (left === 0) answer.end(request.headers.cookie ?? 'no cookie')
    else answer.writeHead(302, { location: `/?left=${left - 1}` }).end()
  })
  const fetch = outgoing()
  const followed = await fetch(`${address}/?left=${redirectsMax}`, { headers: { cookie: 'a=b' } })
  expect([await followed.text(), followed.redirected, followed.url]).toEqual(['a=b', true, `${address}/?left=0`])
  await expect(fetch(`${address}/?left=${redirectsMax + 1}`)).rejects.toThrow('redirect')
  const kept = await fetch(`${address}/?left=1`, { redirect: 'manual' })
  expect([kept.status, kept.headers.get('location')]).toEqual([302, '/?left=0'])
  await expect(fetch(`${address}/?left=1`, { redirect: 'error' })).rejects.toThrow('redirect')
})

test('what opens one place is not shown to another', async ({ expect }) => {
  const other = await serve(echo)
  const address = await serve((_, answer) => answer.writeHead(302, { location: `${other}/` }).end())
  const headers = { cookie: 'a=b', authorization: 'Bearer x', accept: 'text/plain' }
  const seen = (await (await outgoing()(`${address}/`, { headers })).json()) as { names: string[] }
  expect(seen.names).toEqual(['accept', 'connection', 'host'])
})

test('answers that nobody reads hold no connection from those that are asked for', async ({ expect }) => {
  const address = await serve((request, answer) =>
    answer.end(Buffer.alloc(request.url === '/long' ? 8 * answerBytesAhead : 10, 1)),
  )
  const fetch = outgoing()
  const unread = await Promise.all(
    Array.from({ length: 40 }, (_, at) => fetch(`${address}/${at % 2 === 0 ? 'long' : 'short'}`)),
  )
  expect(unread.every(({ status }) => status === 200)).toBe(true)
  expect((await (await fetch(`${address}/long`)).bytes()).byteLength).toBe(8 * answerBytesAhead)
})

test('a packed answer comes unpacked', async ({ expect }) => {
  const text = 'wharf '.repeat(10_000)
  const address = await serve((_, answer) => answer.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(text)))
  expect(await (await outgoing()(`${address}/`)).text()).toBe(text)
})

test('an answer that is cut is no whole one', async ({ expect }) => {
  const address = await serve((_, answer) => {
    answer.writeHead(200, { 'content-length': '100' }).write('half')
    setImmediate(() => answer.destroy())
  })
  const asked = outgoing()(`${address}/`).then((answer) => answer.text())
  await expect(asked).rejects.toThrow('Network connection lost')
})

test('a signal ends the wait for an answer, and the reading of one', async ({ expect }) => {
  const address = await serve((request, answer) => void (request.url === '/begun' && answer.writeHead(200).write('a')))
  const fetch = outgoing()
  const stop = new AbortController()
  const waiting = fetch(`${address}/silent`, { signal: stop.signal })
  const begun = await fetch(`${address}/begun`, { signal: stop.signal })
  const reading = begun.text()
  stop.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
  await expect(reading).rejects.toThrow('enough')
})

test('a closed port and an unknown scheme are failures', async ({ expect }) => {
  const fetch = outgoing()
  await expect(fetch('http://127.0.0.1:1/')).rejects.toThrow('Network connection lost.')
  await expect(fetch('ftp://127.0.0.1/')).rejects.toThrow('Fetch API cannot load')
})

test('an address is judged before it is asked, also where a redirect leads', async ({ expect }) => {
  const inner = await serve(echo)
  const address = await serve((_, answer) => answer.writeHead(302, { location: `${inner}/` }).end())
  const judged: string[] = []
  const fetch = outgoing({
    judge: ({ origin }) => {
      judged.push(origin)
      if (origin === inner) throw new TypeError('not there')
    },
  })
  await expect(fetch(`${address}/`)).rejects.toThrow('not there')
  expect(judged).toEqual([address, inner])
})
