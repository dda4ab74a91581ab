/** The service behind nginx with TLS, as docs/proxy.md has it: nothing of it is reached by another way. */
import { afterAll, beforeAll, describe, test } from 'vitest'
import { secretAttemptsMax } from '../../../workers/app/limits.ts'
import { checkAnswer } from '../../support/app-contract.ts'
import { launchChromium, openPage } from '../../support/chromium.ts'
import { freePort } from '../../support/free-port.ts'
import { type NginxProxy, publicName, startNginx } from '../../support/nginx-proxy.ts'
import { requireReal } from '../../support/real-parts.ts'
import { ownerPassword, type RunningWharf, startWharf, temporaryFolder } from '../../support/running-wharf.ts'

const nginx = requireReal('nginx')
const openssl = requireReal('openssl')
const chromium = requireReal('chromium')

const consolePath = '/api/console/v1'
const appPath = '/api/app/v1'
const wrong = 'wrong wrong wrong'

describe.skipIf(nginx.isMissing || openssl.isMissing)(
  `the service behind nginx ${nginx.skipNote}${openssl.skipNote}`.trim(),
  () => {
    const folder = temporaryFolder()
    let wharf: RunningWharf
    let proxy: NginxProxy
    /** The headers of the signed-in owner's browser. */
    let owner: Record<string, string>

    beforeAll(async () => {
      const port = await freePort()
      const flags = ['--public-url', `https://${publicName}:${port}`, '--trusted-proxy', '127.0.0.1']
      wharf = await startWharf(folder.path, flags)
      proxy = await startNginx({ nginx: nginx.path, openssl: openssl.path }, port, wharf.origin)
    })

    afterAll(async () => {
      await proxy?.stop()
      await wharf?.stop()
      folder.remove()
    })

    async function ask(
      method: string,
      target: string,
      headers: Readonly<Record<string, string>> = {},
      json?: unknown,
      from = '127.0.0.1',
    ) {
      const answer = await proxy.ask(method, target, { from, headers, json })
      const body = JSON.parse(answer.text)
      checkAnswer(method, target, answer.status, body)
      return { ...answer, body }
    }

    const page = () => ({ origin: proxy.origin })
    const signIn = (password: string, from: string, headers: Readonly<Record<string, string>> = {}) =>
      ask('POST', `${consolePath}/sign-in`, { ...page(), ...headers }, { password }, from)

    test('prints links that lead to the public address', ({ expect }) => {
      expect(wharf.said()).toContain(`${proxy.origin}/#/setup?code=${wharf.setupCode}`)
      expect(wharf.said()).toContain(`From outside:\n  ${proxy.origin}/\n`)
    })

    test('serves the page, and nothing to another name', async ({ expect }) => {
      expect((await proxy.ask('GET', '/')).text).toContain('<title>')
      expect((await proxy.ask('GET', '/', { headers: { host: 'evil.example' } })).status).toBe(403)
    })

    test('sets up and signs in at the public address, with cookies for https alone', async ({ expect }) => {
      const json = { code: wharf.setupCode, password: ownerPassword }
      const foreign = { origin: wharf.origin }
      expect((await ask('POST', `${consolePath}/setup`, foreign, json)).status).toBe(403)

      const made = await ask('POST', `${consolePath}/setup`, page(), json)

      expect(made.status).toBe(200)
      const port = new URL(proxy.origin).port
      const cookies: readonly string[] = made.headers['set-cookie'] ?? []
      expect(cookies.map((cookie) => cookie.split('=')[0])).toEqual([
        `__Host-wharf_session_${port}`,
        `__Host-wharf_browser_${port}`,
      ])
      for (const cookie of cookies) expect(cookie).toMatch(/; HttpOnly; SameSite=Strict; Secure$/)
      owner = { ...page(), cookie: cookies.map((cookie) => cookie.split(';')[0]).join('; ') }
      expect((await ask('GET', `${consolePath}/state`, owner)).body.signed_in).toBe(true)
    })

    test('the console writes, and a token of it reads', async ({ expect }) => {
      const wanted = { name: 'phone', scopes: ['app:read', 'app:write'], lifetime: '30d' }
      const made = await ask('POST', `${consolePath}/tokens`, owner, wanted)
      expect(made.status).toBe(200)
      const caller = { authorization: `Bearer ${made.body.text}` }
      expect((await ask('GET', `${appPath}/meta`, caller)).body.principal.name).toBe('phone')
      expect(
        (await ask('POST', `${consolePath}/tokens`, { ...owner, origin: 'https://evil.example' }, wanted)).status,
      ).toBe(403)
    })

    test('an answer of a model comes through as a stream', async ({ expect }) => {
      const key = /Key of the model gateway .*:\n\s+(\S+)/.exec(wharf.said())?.[1]
      const headers = { authorization: `Bearer ${key}` }
      const models = JSON.parse((await proxy.ask('GET', '/api/v1/models', { headers })).text)
      const chat = models.data.find((model: { id: string }) => !/embed/.test(model.id))
      const json = {
        model: chat.id,
        stream: true,
        messages: [{ role: 'user', content: 'one two three four five six seven eight nine ten' }],
      }
      const answer = await proxy.ask('POST', '/api/v1/chat/completions', { headers, json })

      expect([answer.status, answer.headers['content-type']]).toEqual([
        200,
        expect.stringContaining('text/event-stream'),
      ])
      expect(answer.text.trimEnd()).toMatch(/data: \[DONE\]$/)
      expect(answer.pieces).toBeGreaterThan(1)
    })

    test('callers are counted apart, whatever they write into their headers', async ({ expect }) => {
      const [guesser, other] = ['127.0.0.31', '127.0.0.32']
      const statuses: number[] = []
      for (let tried = 0; tried <= secretAttemptsMax; tried += 1) {
        const address = `192.0.2.${tried}`
        const forged = {
          'cf-connecting-ip': address,
          'x-forwarded-for': address,
          'x-real-ip': address,
          'true-client-ip': address,
          forwarded: `for=${address}`,
        }
        statuses.push((await signIn(wrong, guesser, forged)).status)
      }

      expect(statuses).toEqual([...Array(secretAttemptsMax).fill(403), 429])
      expect((await signIn(ownerPassword, guesser)).status).toBe(429)
      expect((await signIn(ownerPassword, other)).status).toBe(200)
      const known = owner['cookie']?.split('; ')[1] ?? ''
      expect((await signIn(ownerPassword, guesser, { cookie: known })).status).toBe(200)
    })

    test('the owner at the machine itself still signs in at its own address', async ({ expect }) => {
      const origin = { origin: wharf.origin }
      const answer = await wharf.request('POST', `${consolePath}/sign-in`, origin, { password: ownerPassword })
      expect(answer.status).toBe(200)
    })

    test.skipIf(chromium.isMissing)(
      `a browser signs in and stays signed in ${chromium.skipNote}`.trim(),
      async ({ expect, onTestFinished }) => {
        const browser = await launchChromium([`--host-resolver-rules=MAP ${publicName} 127.0.0.1`])
        onTestFinished(() => browser.close())
        const watched = await openPage(browser, { ignoreHTTPSErrors: true })
        await watched.page.goto(`${proxy.origin}/`)
        await watched.page.getByLabel('Password', { exact: true }).fill(ownerPassword)
        await watched.page.keyboard.press('Enter')
        await watched.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor({ state: 'detached' })
        await watched.page.reload()
        await watched.page.goto(`${proxy.origin}/#/tokens`)
        await watched.page.getByText('phone').first().waitFor()
        const cookies = await watched.page.context().cookies()
        expect(cookies.every(({ secure, httpOnly }) => secure && httpOnly)).toBe(true)
      },
    )
  },
)
