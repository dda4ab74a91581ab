/** The App API for pages of other origins: the description that anybody may read, and calls with a token of their own. */
import { env, waitUntil } from 'cloudflare:workers'
import { describe, test } from 'vitest'
import { appPrefix, consolePrefix, createApp, settingsPrefix } from '../../../workers/app/app.ts'
import { composeAppDeps } from '../../../workers/app/compose.ts'
import { makeToken, ownerSession } from '../../support/workerd/app-client.ts'

const named = 'https://panel.example'
const home = 'http://wharf.test'

const session = await ownerSession()
const token = (await makeToken(session, ['app:read'])).caller

/** The pages as a platform serves them: with a mark by which a reader asks whether there is another one. */
const pages = (files: Readonly<Record<string, string>>) => ({
  fetch: async (request: Request) => {
    const text = files[new URL(request.url).pathname]
    if (text === undefined) return new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })
    const headers = { 'content-type': 'application/json', etag: '"one"' }
    if (request.headers.get('if-none-match') === '"one"') return new Response(null, { status: 304, headers })
    return new Response(text, { headers })
  },
})

function service(origins: string, files: Readonly<Record<string, string>> = {}, publicUrl = '') {
  const set = { API_ORIGINS: origins as '', PUBLIC_URL: publicUrl as '', ASSETS: pages(files) as unknown as Fetcher }
  return createApp(composeAppDeps({ ...env, ...set }, { run: (work) => waitUntil(work) }))
}

const ask = (app: ReturnType<typeof service>, path: string, init?: RequestInit) =>
  Promise.resolve(app.fetch(new Request(`${home}${path}`, init)))

const document = `${appPrefix}/openapi.json`
const whole = { '/app-api-v1.json': '{"openapi":"3.0.3"}', '/settings-api-v1.json': '{"openapi":"3.0.3","of":1}' }

describe('the description of the App API', () => {
  test('is read without a credential', async ({ expect }) => {
    const answer = await ask(service('', whole), document)
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('etag')]).toEqual([
      200,
      'application/json; charset=utf-8',
      '"one"',
    ])
    expect(await answer.json()).toEqual({ openapi: '3.0.3' })
  })

  test('is beside that of the settings, which is read as freely', async ({ expect }) => {
    const answer = await ask(service('', whole), `${settingsPrefix}/openapi.json`)
    expect([answer.status, await answer.json()]).toEqual([200, { openapi: '3.0.3', of: 1 }])
    expect((await ask(service('', whole), `${settingsPrefix}/nothing`)).status).toBe(404)
  })

  test('is not sent again to who has it, and HEAD gets no body', async ({ expect }) => {
    const again = await ask(service('', whole), document, { headers: { 'if-none-match': '"one"' } })
    expect([again.status, await again.text()]).toEqual([304, ''])
    const head = await ask(service('', whole), document, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('%s is refused', async (method) => {
    const answer = await ask(service('', whole), document, { method })
    if (answer.status !== 405 || answer.headers.get('allow') !== 'GET, HEAD') throw new Error(String(answer.status))
  })

  test('is not there while the pages hold none, and no page is given out for it', async ({ expect }) => {
    const answer = await ask(service(''), document)
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ error: 'not_found' })
  })
})

describe('a page of another origin', () => {
  const call = (app: ReturnType<typeof service>, origin: string, more: Record<string, string> = {}) =>
    ask(app, `${appPrefix}/meta`, { headers: { origin, ...more } })
  const bearer = () => ({ authorization: token['authorization'] ?? '' })
  const preflight = (app: ReturnType<typeof service>, origin: string, path = `${appPrefix}/search`) =>
    ask(app, path, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization, content-type',
      },
    })

  test.each([
    ['', named],
    [named, 'https://other.example'],
    [named, 'http://panel.example'],
    [named, 'https://panel.example:8443'],
    [named, 'https://panel.example.other.example'],
    [named, 'null'],
    ['null * https:// data:x', 'null'],
    ['*', named],
  ])('with %j named, %s may neither ask first nor read', async (origins, origin) => {
    const app = service(origins)
    for (const answer of [await preflight(app, origin), await call(app, origin, bearer())])
      if (answer.headers.has('access-control-allow-origin')) throw new Error(`${answer.status} is shared`)
  })

  test.each([named, 'https://second.example:8443'])('of %s asks first and is told what it may send', async (origin) => {
    const answer = await preflight(service(`${named}/  https://second.example:8443`), origin)
    const told = ['allow-origin', 'allow-methods', 'allow-headers', 'allow-credentials'].map((name) =>
      answer.headers.get(`access-control-${name}`),
    )
    const expected = [
      origin,
      'GET, HEAD, POST, PUT, DELETE',
      'authorization, content-type, if-none-match, accept-language, x-request-id',
      null,
    ]
    if (answer.status !== 204 || JSON.stringify(told) !== JSON.stringify(expected)) throw new Error(told.join('\n'))
  })

  test('calls with its token and may read the answer, refusals too', async ({ expect }) => {
    const answer = await call(service(named), named, bearer())
    expect(answer.status).toBe(200)
    expect(answer.headers.get('access-control-allow-origin')).toBe(named)
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    expect(answer.headers.get('access-control-expose-headers')).toContain('x-request-id')
    expect(answer.headers.get('vary')).toContain('origin')
    await answer.body?.cancel()

    const refused = await call(service(named), named)
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, named])
  })

  test('never gets in with the cookie that a browser sends along', async ({ expect }) => {
    const cookie = session['cookie'] ?? ''
    expect((await call(service(named), home, { cookie })).status).toBe(200)
    expect((await call(service(named), named, { cookie })).status).toBe(401)
    const write = await ask(service(named), `${appPrefix}/torrents/actions`, {
      method: 'POST',
      headers: { origin: named, cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ action: 'pause', targets: [{ downloader_id: 1, task_id: 'x' }] }),
    })
    expect(write.status).toBe(401)
  })

  test('that is our own keeps its cookie, named or not', async ({ expect }) => {
    const cookie = session['cookie'] ?? ''
    expect((await call(service(named, {}, named), named, { cookie })).status).toBe(200)
  })

  test.each([`${consolePrefix}/state`, '/healthz', '/mcp', '/torznab/api'])(
    'finds %s closed, named or not',
    async (path) => {
      const answers = [await preflight(service(named), named, path)]
      answers.push(await ask(service(named), path, { headers: { origin: named, ...bearer() } }))
      for (const answer of answers) if (answer.headers.has('access-control-allow-origin')) throw new Error(path)
    },
  )

  test('is told apart from others by whoever keeps answers on the way', async ({ expect }) => {
    for (const origin of [named, 'https://other.example'])
      expect((await call(service(named), origin, bearer())).headers.get('vary')).toContain('origin')
    expect((await call(service(''), named, bearer())).headers.get('vary')).toBeNull()
  })
})
