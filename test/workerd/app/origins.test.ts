/** What a browser's origin decides: whether its writes are taken, and which cookies are its own. */
import { env, exports, waitUntil } from 'cloudflare:workers'
import { describe, test } from 'vitest'
import { consolePrefix, createApp } from '../../../workers/app/app.ts'
import { composeAppDeps } from '../../../workers/app/compose.ts'
import { ownerPassword, ownerSession } from '../../support/workerd/app-client.ts'

interface Server {
  fetch(request: Request): Response | Promise<Response>
}

await ownerSession()

async function signIn(origin: string, page = origin, server: Server = exports.default): Promise<Response> {
  const headers = { origin: page, 'content-type': 'application/json' }
  const body = JSON.stringify({ password: ownerPassword })
  return server.fetch(new Request(`${origin}${consolePrefix}/sign-in`, { method: 'POST', headers, body }))
}

const asCookieHeader = (cookies: readonly string[]) => cookies.map((cookie) => cookie.split(';')[0]).join('; ')

async function isSignedIn(origin: string, cookie: string): Promise<boolean> {
  const answer = await exports.default.fetch(new Request(`${origin}${consolePrefix}/state`, { headers: { cookie } }))
  return (await answer.json<{ signed_in: boolean }>()).signed_in
}

describe('cookies', () => {
  test.each([
    ['http://wharf.test', 'wharf_session', 'wharf_browser', ''],
    ['http://wharf.test:8787', 'wharf_session_8787', 'wharf_browser_8787', ''],
    ['https://wharf.test', '__Host-wharf_session', '__Host-wharf_browser', '; Secure'],
    ['https://wharf.test:8443', '__Host-wharf_session_8443', '__Host-wharf_browser_8443', '; Secure'],
  ])('of %s have its port in their names, and are secure where it is', async (origin, session, browser, end) => {
    const cookies = (await signIn(origin)).headers.getSetCookie()

    const names = cookies.map((cookie) => cookie.split('=')[0])
    if (names.join() !== `${session},${browser}`) throw new Error(cookies.join('\n'))
    const bounds = new RegExp(`; Path=/; Max-Age=\\d+; HttpOnly; SameSite=Strict${end}$`)
    if (!cookies.every((cookie) => bounds.test(cookie))) throw new Error(cookies.join('\n'))
  })

  test('of two services on one host stay beside each other, and each takes its own', async ({ expect }) => {
    const [one, other] = ['http://wharf.test:8787', 'http://wharf.test:9797']
    const ofOne = (await signIn(one)).headers.getSetCookie()
    const ofOther = (await signIn(other)).headers.getSetCookie()
    const jar = asCookieHeader([...ofOne, ...ofOther])

    expect([await isSignedIn(one, jar), await isSignedIn(other, jar)]).toEqual([true, true])
    expect(await isSignedIn(one, asCookieHeader(ofOther))).toBe(false)
    expect(await isSignedIn(other, asCookieHeader(ofOne))).toBe(false)
    const headers = { origin: one, cookie: jar }
    const out = await exports.default.fetch(new Request(`${one}${consolePrefix}/sign-out`, { method: 'POST', headers }))
    expect(out.headers.getSetCookie().map((cookie) => cookie.split('=')[0])).toEqual(['wharf_session_8787'])
    await expect.poll(async () => [await isSignedIn(one, jar), await isSignedIn(other, jar)]).toEqual([false, true])
  })

  test('over https those of plain http do not count', async ({ expect }) => {
    const plain = asCookieHeader((await signIn('http://wharf.test')).headers.getSetCookie())
    expect([await isSignedIn('http://wharf.test', plain), await isSignedIn('https://wharf.test', plain)]).toEqual([
      true,
      false,
    ])
  })
})

describe('below a path of a shared name', () => {
  const shared = 'https://nas.example'
  const basedAt = (addresses: string): Server =>
    createApp(composeAppDeps({ ...env, BASED_AT: addresses }, { run: (work) => waitUntil(work) }))
  const server = basedAt('http://nas.example:81/other https://nas.example/wharf https://nas.example:8443/a/b')

  test.each([
    [shared, '__Secure-wharf_', '', '/wharf/', '; Secure'],
    ['https://nas.example:8443', '__Secure-wharf_', '_8443', '/a/b/', '; Secure'],
    ['http://nas.example:81', 'wharf_', '_81', '/other/', ''],
    ['https://nas.example:444', '__Host-wharf_', '_444', '/', '; Secure'],
    ['http://nas.example', 'wharf_', '', '/', ''],
  ])('cookies of %s are %s…%s for %s alone', async (origin, start, port, path, end) => {
    const cookies = (await signIn(origin, origin, server)).headers.getSetCookie()
    const names = cookies.map((cookie) => cookie.split('=')[0])
    if (names.join() !== `${start}session${port},${start}browser${port}`) throw new Error(cookies.join('\n'))
    const bounds = new RegExp(`; Path=${path}; Max-Age=\\d+; HttpOnly; SameSite=Strict${end}$`)
    if (!cookies.every((cookie) => bounds.test(cookie))) throw new Error(cookies.join('\n'))
  })

  test('those count there, of the whole name none does, and a sign-out takes them away', async ({ expect }) => {
    const ask = async (path: string, cookie: string, method = 'GET') =>
      server.fetch(new Request(`${shared}${consolePrefix}${path}`, { method, headers: { cookie, origin: shared } }))
    const [session = ''] = (await signIn(shared, shared, server)).headers.getSetCookie()
    const own = session.split(';')[0] ?? ''
    const states = [own, own.replace('__Secure-', '__Host-'), own.replace('__Secure-', '')]
    const signedIn = await Promise.all(
      states.map(async (cookie) => (await (await ask('/state', cookie)).json<{ signed_in: boolean }>()).signed_in),
    )
    expect(signedIn).toEqual([true, false, false])
    const [gone = ''] = (await ask('/sign-out', own, 'POST')).headers.getSetCookie()
    expect(gone).toMatch(/^__Secure-wharf_session=; Path=\/wharf\/; Max-Age=0;/)
  })
})

describe('the page that asks', () => {
  const at = (publicUrl: string | undefined): Server =>
    createApp(composeAppDeps({ ...env, PUBLIC_URL: publicUrl as '' }, { run: (work) => waitUntil(work) }))

  test.each([
    ['http://wharf.test', undefined, 200],
    ['https://wharf.test', undefined, 403],
    ['https://wharf.example', undefined, 403],
    ['https://wharf.example', '', 403],
    ['https://wharf.example', 'https://wharf.example', 200],
    ['https://wharf.example', ' https://wharf.example/  https://second.example ', 200],
    ['https://second.example', 'https://wharf.example https://second.example', 200],
    ['https://wharf.example:8443', 'https://wharf.example', 403],
    ['http://wharf.example', 'https://wharf.example', 403],
    ['null', 'https://wharf.example null data:x', 403],
  ])('%s of a service whose PUBLIC_URL is %j is answered %i', async (page, publicUrl, status) => {
    const answer = await signIn('http://wharf.test', page, at(publicUrl))
    if (answer.status !== status) throw new Error(`${answer.status} ${await answer.text()}`)
  })
})
