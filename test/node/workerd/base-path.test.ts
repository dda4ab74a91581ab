/** A service below a path of a name that has other things as well, as whatever stands in front hands its requests on. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type IncomingHttpHeaders, type RequestOptions, request } from 'node:http'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { WebSocket } from 'ws'
import { type HostProcess, startProbe } from '../../support/process-host.ts'
import { type RunningWharf, startWharf, temporaryFolder } from '../../support/running-wharf.ts'

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** The path goes out as it is written. */
function ask(origin: string, path: string, headers: Readonly<Record<string, string>>, more: RequestOptions = {}) {
  return new Promise<Answer>((resolve, reject) => {
    const { hostname, port } = new URL(origin)
    const sent = request({ hostname, port, path, headers, agent: false, ...more }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (piece: string) => {
        text += piece
      })
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }))
      answer.once('error', reject)
    })
    sent.once('error', reject)
    sent.end()
  })
}

describe('the gate', () => {
  const folder = temporaryFolder()
  let host: HostProcess
  let origin: string

  beforeAll(async () => {
    const urls = ['--public-url=https://nas.example/wharf', '--public-url=https://own.example']
    host = startProbe(folder.path, [...urls, 'other.example'], 0, 'node')
    origin = await host.ready()
  }, 180_000)

  afterAll(async () => {
    host.child.kill('SIGTERM')
    await host.exit
    folder.remove()
  })

  test.for([
    ['a proxy that keeps the path', '/wharf/path?query=1', '/path?query=1'],
    ['one that takes it off', '/path?query=1', '/path?query=1'],
    ['the page', '/wharf/', '/'],
    ['the path twice', '/wharf/wharf/path', '/wharf/path'],
    ['another that begins alike', '/wharfx/path', '/wharfx/path'],
    ['another case', '/Wharf/path', '/Wharf/path'],
    ['a slash too many before it', '//wharf/path', '//wharf/path'],
    ['one after it', '/wharf//path', '//path'],
    ['a step out of it', '/wharf/../api/x', '/api/x'],
    ['a hidden step out of it', '/wharf/%2e%2e/api/x', '/api/x'],
    ['a step into it', '/x/../wharf/path', '/path'],
    ['an encoded slash', '/wharf%2Fpath', '/wharf%2Fpath'],
    ['an encoded slash behind it', '/wharf/a%2Fb', '/a%2Fb'],
    ['an encoded letter', '/w%68arf/path', '/w%68arf/path'],
    ['an authority in the request line', 'http://evil.example/wharf/path', '/path'],
  ] as const)('shows the script what is below the path: %s', async ([, target, path], { expect }) => {
    const { text } = await ask(origin, target, { host: 'nas.example' })
    expect(JSON.parse(text).url).toBe(`https://nas.example${path}`)
  })

  test.for([
    ['own.example', 'https://own.example'],
    ['other.example', 'http://other.example'],
    ['127.0.0.1:PORT', 'http://127.0.0.1:PORT'],
  ])('at %s the service is at the root', async ([name, seen], { expect }) => {
    const { port } = new URL(origin)
    const { text } = await ask(origin, '/wharf/path', { host: (name ?? '').replace('PORT', port) })
    expect(JSON.parse(text).url).toBe(`${(seen ?? '').replace('PORT', port)}/wharf/path`)
  })

  test.for([
    ['/wharf', '/wharf/'],
    ['/wharf?add=magnet', '/wharf/?add=magnet'],
    ['/wharf?//evil.example', '/wharf/?//evil.example'],
  ])('leads from %s to %s', async ([target, location], { expect }) => {
    const answer = await ask(origin, target ?? '', { host: 'nas.example' })
    expect([answer.status, answer.headers.location, answer.text]).toEqual([307, location, ''])
  })
})

describe('the service', () => {
  const folder = temporaryFolder()
  let wharf: RunningWharf

  beforeAll(async () => {
    wharf = await startWharf(folder.path, ['--public-url', 'https://nas.example/wharf', '--without', 'agent,viewer'])
  }, 180_000)

  afterAll(async () => {
    await wharf?.stop()
    folder.remove()
  })

  const shared = { host: 'nas.example' }
  /** Addresses of a page or the manifest that begin with a slash. */
  const addressesIn = (text: string) => [...text.matchAll(/"(\/[^">]*)"/g)].map(([, address]) => address ?? '')

  test.for([
    ['/', 'index.html'],
    ['/some/where/else', 'index.html'],
    ['/docs', 'docs.html'],
    ['/manifest.webmanifest', 'manifest.webmanifest'],
  ])(
    'of %s the addresses are below the path at the shared name, and as they were built at others',
    async ([path = '', file = ''], { expect }) => {
      const here = await ask(wharf.origin, path, { host: new URL(wharf.origin).host })
      expect(here.text).toBe(readFileSync(`dist/web/console/${file}`, 'utf8'))
      const atRoot = addressesIn(here.text)
      expect(atRoot.length).toBeGreaterThan(3)
      for (const target of [`/wharf${path}`, path]) {
        const there = await ask(wharf.origin, target, shared)
        expect(addressesIn(there.text)).toEqual(atRoot.map((address) => `/wharf${address}`))
        expect(there.headers.etag).not.toBe(here.headers.etag)
      }
      const again = await ask(wharf.origin, path, { host: new URL(wharf.origin).host })
      expect(again.text).toBe(here.text)
    },
  )

  test.for([
    ['/wharf/index.html', '/wharf/'],
    ['/wharf/docs.html', '/wharf/docs'],
  ])('leads from %s to %s', async ([target, location], { expect }) => {
    const answer = await ask(wharf.origin, target ?? '', shared)
    expect([answer.status, answer.headers.location]).toEqual([307, location])
  })

  test.for(['x-forwarded-prefix', 'x-forwarded-path', 'x-script-name', 'x-original-uri', 'x-base-path'])(
    'a caller moves nothing by %s',
    async (name, { expect }) => {
      for (const host of ['nas.example', new URL(wharf.origin).host]) {
        const plain = await ask(wharf.origin, '/', { host })
        const forged = await ask(wharf.origin, '/', { host, [name]: '/evil' })
        expect(forged.text).toBe(plain.text)
      }
    },
  )

  test('describes the App API and the settings with the path', async ({ expect }) => {
    for (const api of ['app', 'settings']) {
      const path = `/api/${api}/v1`
      const { text } = await ask(wharf.origin, `/wharf${path}/openapi.json`, shared)
      expect(JSON.parse(text).servers).toEqual([{ url: `/wharf${path}` }])
      const head = await ask(wharf.origin, `/wharf${path}/openapi.json`, shared, { method: 'HEAD' })
      expect([head.status, head.text]).toEqual([200, ''])
      const own = await ask(wharf.origin, `${path}/openapi.json`, { host: new URL(wharf.origin).host })
      expect(JSON.parse(own.text).servers).toEqual([{ url: path }])
    }
  })

  test('takes connections of messages below the path', async ({ expect }) => {
    const key = /Key of the model gateway .*:\n\s+(\S+)/.exec(wharf.said())?.[1]
    const address = `${wharf.origin.replace('http', 'ws')}/wharf/api/v1/responses`
    const socket = new WebSocket(address, { headers: { ...shared, authorization: `Bearer ${key}` } })
    await once(socket, 'open')
    socket.send('no event')
    const [said] = await once(socket, 'message')
    expect(JSON.parse(String(said)).type).toBe('error')
    socket.close()
    await once(socket, 'close')
  })
})
