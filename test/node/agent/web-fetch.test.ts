import { createServer, type RequestListener, type Server } from 'node:http'
import { afterEach, describe, test } from 'vitest'
import { createWebFetch, isPublicAddress } from '../../../local/agent/adapters/web-fetch.ts'
import { pageText } from '../../../local/agent/runtime/tools/page-text.ts'
import { startTestServer } from '../../support/agent-server.ts'
import { endServer, listenOnLoopback } from '../../support/loopback.ts'

const servers: Server[] = []
const bounds = { msMax: 2_000, bytesMax: 1_000, redirectsMax: 3 }

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  servers.push(server)
  return (await listenOnLoopback(server)).port
}

afterEach(async () => {
  for (const server of servers.splice(0)) await endServer(server)
})

test.for([
  '127.0.0.1',
  '127.8.8.8',
  '0.0.0.0',
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '64:ff9b::7f00:1',
  'fe80::1',
  'fc00::1',
  'fd00::1',
  'ff02::1',
  '2002:7f00:1::',
  '2001:db8::1',
  '2001::1',
  '',
  'name',
])('%s is not public', (address, { expect }) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.for(['8.8.8.8', '1.1.1.1', '172.32.0.1', '2606:4700::1111', '2a00:1450::1'])(
  '%s is public',
  (address, { expect }) => {
    expect(isPublicAddress(address)).toBe(true)
  },
)

describe('with the rule on', () => {
  test('no spelling of this machine is reached, by address or by redirect', async ({ expect }) => {
    let asked = 0
    const port = await serve((_request, response) => {
      asked += 1
      response.end('secret')
    })
    const fetchPage = createWebFetch(bounds)
    const hosts = [
      '127.0.0.1',
      '2130706433',
      '0x7f.1',
      '0177.0.0.1',
      '①②⑦.0.0.1',
      '0.0.0.0',
      '[::ffff:127.0.0.1]',
      '[::1]',
      'localhost',
      '127.1',
    ]
    for (const host of hosts) {
      for (const suffix of [`:${port}`, '']) {
        const fetched = await fetchPage(`http://${host}${suffix}/`, AbortSignal.timeout(5_000))
        expect(fetched.ok, host).toBe(false)
      }
    }
    expect(asked).toBe(0)
  })

  test.for([
    'file:///etc/passwd',
    'ftp://example.com/',
    'data:text/plain,x',
    'http://a:b@example.com/',
    'nonsense',
    'http://',
  ])('%s is not fetched', async (address, { expect }) => {
    expect(
      (await createWebFetch({ ...bounds, resolve: async () => ['8.8.8.8'] })(address, AbortSignal.timeout(5_000))).ok,
    ).toBe(false)
  })

  test('a name with one address inside is refused, and another port than that of the web as well', async ({
    expect,
  }) => {
    const mixed = createWebFetch({ ...bounds, resolve: async () => ['8.8.8.8', '10.0.0.1'] })
    expect(await mixed('http://mixed.example/', AbortSignal.timeout(5_000))).toMatchObject({
      ok: false,
      failure: { kind: 'not_public' },
    })
    const open = createWebFetch({ ...bounds, resolve: async () => ['8.8.8.8'] })
    expect(await open('http://name.example:22/', AbortSignal.timeout(5_000))).toMatchObject({ ok: false })
  })
})

describe('a page', () => {
  const here = {
    ...bounds,
    resolve: async () => ['127.0.0.1'],
    isAllowed: (address: string) => address === '127.0.0.1',
  }

  test('comes from the judged address, whatever the name says later', async ({ expect }) => {
    const port = await serve((request, response) => response.end(`${request.headers.host}${request.url}`))
    let looks = 0
    const fetchPage = createWebFetch({
      ...here,
      resolve: async () => {
        looks += 1
        return looks === 1 ? ['127.0.0.1'] : ['10.0.0.1']
      },
    })

    const fetched = await fetchPage(`http://name.example:${port}/a?b`, AbortSignal.timeout(5_000))

    expect(fetched.ok && Buffer.from(fetched.value.bytes).toString()).toBe(`name.example:${port}/a?b`)
    expect(looks).toBe(1)
  })

  test('may redirect, each hop is judged, and not for ever', async ({ expect }) => {
    const port = await serve((request, response) => {
      if (request.url === '/inside') response.writeHead(302, { location: 'http://10.0.0.1/' }).end()
      else if (request.url === '/loop') response.writeHead(302, { location: '/loop' }).end()
      else if (request.url === '/once') response.writeHead(301, { location: '/there' }).end()
      else response.end('arrived')
    })
    const fetchPage = createWebFetch(here)
    const get = (target: string) => fetchPage(`http://name.example:${port}${target}`, AbortSignal.timeout(5_000))

    expect(await get('/once')).toMatchObject({
      ok: true,
      value: { status: 200, url: `http://name.example:${port}/there` },
    })
    expect(await get('/inside')).toMatchObject({ ok: false, failure: { kind: 'not_public', host: '10.0.0.1' } })
    expect(await get('/loop')).toMatchObject({ ok: false, failure: { kind: 'redirects' } })
  })

  test('of exactly the limit is whole, one byte more is cut', async ({ expect }) => {
    const port = await serve((request, response) => response.end('x'.repeat(request.url === '/at' ? 1_000 : 1_001)))
    const fetchPage = createWebFetch(here)

    expect(await fetchPage(`http://name.example:${port}/at`, AbortSignal.timeout(5_000))).toMatchObject({
      ok: true,
      value: { isCut: false },
    })
    expect(await fetchPage(`http://name.example:${port}/past`, AbortSignal.timeout(5_000))).toMatchObject({
      ok: true,
      value: { isCut: true },
    })
  })

  test('that does not come is given up', async ({ expect }) => {
    const port = await serve(() => undefined)
    const fetchPage = createWebFetch({ ...here, msMax: 100 })

    const expected = { ok: false, failure: { kind: 'slow' } }
    expect(await fetchPage(`http://name.example:${port}/`, AbortSignal.timeout(5_000))).toEqual(expected)
    const patient = createWebFetch({ ...here, msMax: 60_000 })
    expect(await patient(`http://name.example:${port}/`, AbortSignal.timeout(5_000), 100)).toEqual(expected)
  })

  test('reaches the model as text', async ({ expect }) => {
    const port = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(
        '<html><head><title>t</title></head><body><h1>Title</h1><script>alert(1)</script><p>a &amp; b</p></body></html>',
      )
    })
    const server = await startTestServer({ webFetch: createWebFetch(here) })
    server.model.script(
      { calls: [{ id: 'c1', name: 'webfetch', input: { url: `http://name.example:${port}/` } }] },
      { text: ['done'] },
    )
    const session = await server.firstTurn('Fetch')

    expect((await server.messages(session))[1]).toMatchObject({
      content: [{ state: { status: 'completed', content: [{ text: 'Title\n\na & b' }], structured: { status: 200 } } }],
    })
    await server.close()
  })
})

describe('the text of a page', () => {
  test.for([
    ['<p>one<p>two', 'one\n\ntwo'],
    ['a<!-- b -->c', 'ac'],
    ['<style>p{}</style>x', 'x'],
    ['<ul><li>a<li>b</ul>', '- a\n\n- b'],
    ['&lt;b&gt; &#65;&#x42; &unknown;', '<b> AB &unknown;'],
    ['<script>never ends', ''],
    ['a <', 'a <'],
    ['one   two\n three', 'one two three'],
    ['<pre>if x:\n    y</pre>', 'if x:\n    y'],
  ] as const)('%o is %o', async ([html, text], { expect }) => {
    expect(await pageText(html, 'text')).toBe(text)
  })

  test.for([
    ['<h2>Title</h2><p>a <b>bold</b> word', '## Title\n\na **bold** word'],
    ['<p>see <a href="/x">there</a></p>', 'see [there](/x)'],
    ['<pre><code>a\n  b</code></pre>', '```\na\n  b\n```'],
    ['<p>call <code>f()</code>', 'call `f()`'],
  ] as const)('%o is %o in Markdown', async ([html, text], { expect }) => {
    expect(await pageText(html, 'markdown')).toBe(text)
  })
})
