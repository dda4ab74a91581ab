/**
 * Services that search the web, as far as their public documents describe them: the Brave Web Search API (GET
 * /res/v1/web/search with `q`, `count` up to 20 and the header X-Subscription-Token, an answer with `web.results` of `title`,
 * `url` and `description`; 422 for a parameter out of bounds, 401 for a wrong token, 429 beyond the rate), and the search
 * interface of SearXNG (GET /search with `q` and `format=json`, `results` of `title`, `url` and `content`; 403 where the
 * format is not enabled). Both documents as of November 2026.
 */
import { createServer, type Server } from 'node:http'
import { afterEach, describe, test } from 'vitest'
import { readHits, searchRequest } from '../../../local/agent/core/web-search.ts'
import { webSearchBytesMax, webSearchHitsMax } from '../../../local/agent/limits.ts'
import { runTools, startTestServer, type TestServer } from '../../support/agent-server.ts'
import { endServer, listenOnLoopback } from '../../support/loopback.ts'

const key = 'token-canary-4711'
let server: TestServer | undefined
let service: Server | undefined
afterEach(async () => {
  await server?.close()
  if (service !== undefined) await endServer(service)
})

type Manner = 'well' | 'moved' | 'busy' | 'page' | 'long' | 'silent'

async function start(kind: 'brave' | 'searxng', manner: Manner = 'well', given: Record<string, unknown> = {}) {
  const asked: { url: string; token: string | undefined }[] = []
  service = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://service')
    const token = request.headers['x-subscription-token'] ?? request.headers.authorization
    asked.push({ url: request.url ?? '', token: typeof token === 'string' ? token : undefined })
    const answer = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (manner === 'silent') return
    if (manner === 'moved') return void response.writeHead(302, { location: '/elsewhere' }).end()
    if (manner === 'busy') return void answer(429, { error: { code: 'RATE_LIMITED' } })
    if (manner === 'page') return void response.end('<html>no results</html>')
    if (manner === 'long') return void response.end(`{"results":["${'x'.repeat(webSearchBytesMax)}"]}`)
    const q = url.searchParams.get('q') ?? ''
    const hits = Array.from({ length: 30 }, (_, at) => ({
      title: `Hit ${at} for ${q}`,
      url: `https://example.com/${at}`,
    }))
    if (kind === 'brave') {
      const count = Number(url.searchParams.get('count') ?? 20)
      if (url.pathname !== '/res/v1/web/search' || q === '' || count > 20)
        return void answer(422, { type: 'ErrorResponse' })
      if (token !== key) return void answer(401, { type: 'ErrorResponse' })
      const results = hits.slice(0, count).map((hit) => ({ ...hit, description: 'It <strong>says</strong> so' }))
      answer(200, { type: 'search', web: { type: 'search', results } })
    } else {
      if (url.pathname !== '/search' || url.searchParams.get('format') !== 'json') return void answer(403, {})
      answer(200, { query: q, results: hits.map((hit) => ({ ...hit, content: 'It says so', engine: 'one' })) })
    }
  })
  const { port } = await listenOnLoopback(service)
  const url = `http://127.0.0.1:${port}${kind === 'brave' ? '/res/v1/web/search' : '/search'}`
  server = await startTestServer({ config: { web_search: { kind, url, ...given } } })
  return asked
}

const search = (input: object) => ({ calls: [{ id: 's', name: 'websearch', input }] })
const done = { text: ['Done.'] }
const run = (input: object) => runTools(server as TestServer, search(input), done)

describe('a search of the web', { timeout: 60_000 }, () => {
  test('goes to the service with its key, and its results are sources', async ({ expect }) => {
    const asked = await start('brave', 'well', { key })
    const [found] = await run({ query: 'plum jam', count: 2 })
    expect(found).toContain('Hit 0 for plum jam\\nhttps://example.com/0\\nIt says so\\n\\nHit 1 for plum jam')
    expect(found).toContain('"sources":[{"title":"Hit 0 for plum jam","url":"https://example.com/0"}')
    expect(found).not.toContain('Hit 2')
    expect(asked).toEqual([{ url: '/res/v1/web/search?q=plum+jam&count=2&text_decorations=false', token: key }])
  })

  test('takes a service of one’s own, without a key', async ({ expect }) => {
    await start('searxng')
    const [found] = await run({ query: 'plum' })
    expect(found?.match(/https:\/\/example\.com\/\d+\\n/g)).toHaveLength(webSearchHitsMax)
  })

  test('takes as many results as are allowed, and not one more', async ({ expect }) => {
    await start('brave', 'well', { key })
    const [most] = await run({ query: 'plum', count: webSearchHitsMax })
    expect(most).toMatch(/^completed/)
    const [more] = await run({ query: 'plum', count: webSearchHitsMax + 1 })
    expect(more).toContain('The arguments do not fit the tool: count')
  })

  test.for<[Manner, string]>([
    ['moved', 'answered with status 302'],
    ['busy', 'no more searches for now'],
    ['page', 'something else than results'],
    ['long', 'something else than results'],
  ])('of which the service is %s fails with words, and without the key', async ([manner, words], { expect }) => {
    const asked = await start('brave', manner, { key })
    const [failed] = await run({ query: 'plum' })
    expect(failed).toContain(words)
    expect(failed).not.toContain(key)
    expect(asked).toHaveLength(1)
  })

  test('with a wrong key says where the key is', async ({ expect }) => {
    await start('brave', 'well', { key: 'wrong' })
    expect((await run({ query: 'plum' }))[0]).toContain('refused the key (401)')
  })

  test('is not offered without a service, and a project cannot name one', async ({ expect }) => {
    server = await startTestServer()
    await server.write('svc.json', JSON.stringify({ web_search: { kind: 'searxng', url: 'http://127.0.0.1:9/' } }))
    await runTools(server, done)
    expect(server.model.asked[0]?.tools?.some((tool) => tool.function.name === 'websearch')).toBe(false)
  })
})

test('answers without their shape are none', ({ expect }) => {
  for (const answer of [null, 1, 'x', [], { results: 1 }]) expect(readHits('searxng', answer, 5)).toBeUndefined()
  expect(readHits('brave', {}, 5)).toEqual([])
  const items = [{ url: 'javascript:alert(1)' }, { url: 'https://a.example/', title: 3 }, null, {}]
  expect(readHits('searxng', { results: items }, 5)).toEqual([{ title: '', url: 'https://a.example/', text: '' }])
  expect(searchRequest({ kind: 'searxng' }, 'a', 1)).toBeUndefined()
})
