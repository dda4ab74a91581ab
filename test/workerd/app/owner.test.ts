import { env, waitUntil } from 'cloudflare:workers'
import { drizzle } from 'drizzle-orm/d1'
import { beforeEach, describe, test } from 'vitest'
import { createAttempts } from '../../../workers/app/adapters/d1/attempts.ts'
import { createOwnerAccount } from '../../../workers/app/adapters/d1/owner-account.ts'
import { createKnownBrowsers } from '../../../workers/app/adapters/known-browsers.ts'
import { randomIdentifiers } from '../../../workers/app/adapters/web-crypto.ts'
import { appPrefix, consolePrefix, createApp } from '../../../workers/app/app.ts'
import { composeAppDeps } from '../../../workers/app/compose.ts'
import { toBase64 } from '../../../workers/app/core/bytes.ts'
import { createPasswordPace } from '../../../workers/app/core/password-pace.ts'
import {
  knownBrowserSeconds,
  passwordCharactersMax,
  passwordCharactersMin,
  secretAttemptsMax,
  secretAttemptsOfAllMax,
  secretAttemptsOwnMachinePauseSeconds,
  secretAttemptsWindowSeconds,
  sessionsMax,
} from '../../../workers/app/limits.ts'
import { origin, ownerPassword, ownerSession, send, setupCode } from '../../support/workerd/app-client.ts'
import { newAddress } from '../../support/workerd/devices.ts'

const page = { origin }
/** Checks follow each other without a pause. */
const hurried = () => createPasswordPace({ checkMs: 0, checkMsMin: 0, checkMsMax: 0, restShare: 0 })

beforeEach(async () => {
  await env.DB.batch(['owner', 'sessions', 'attempts'].map((table) => env.DB.prepare(`delete from ${table}`)))
})

describe('first-run set-up', () => {
  test('sets the password once with the code of the link and signs in', async ({ expect }) => {
    expect((await send('GET', `${consolePrefix}/state`)).body).toMatchObject({
      set_up: false,
      setup_code_waits: true,
      signed_in: false,
    })

    const session = await ownerSession()

    expect((await send('GET', `${consolePrefix}/state`, session)).body).toMatchObject({
      set_up: true,
      setup_code_waits: false,
      signed_in: true,
      secrets: 'ready',
    })
    const again = await send('POST', `${consolePrefix}/setup`, page, {
      json: { code: setupCode, password: 'another password' },
    })
    expect(again).toMatchObject({ status: 403, body: { error: 'forbidden' } })
    expect(
      (await send('POST', `${consolePrefix}/sign-in`, page, { json: { password: 'another password' } })).status,
    ).toBe(403)
  })

  test('a wrong code changes nothing', async ({ expect }) => {
    const answer = await send('POST', `${consolePrefix}/setup`, page, {
      json: { code: 'guess', password: ownerPassword },
    })

    expect(answer.status).toBe(403)
    expect((await send('GET', `${consolePrefix}/state`)).body.set_up).toBe(false)
  })

  test('a fresh code replaces a lost password and ends every session', async ({ expect }) => {
    const session = await ownerSession()
    const clock = { nowMs: () => Date.now() }
    const renewed = createOwnerAccount(drizzle(env.DB), {
      clock,
      identifiers: randomIdentifiers,
      attempts: createAttempts(drizzle(env.DB), clock),
      passwordPace: hurried(),
      setupCode: 'a fresh code',
    })

    const outcome = await renewed.setPassword('a fresh code', { password: 'a new long password', keep: [] }, 'local')

    expect(outcome.ok).toBe(true)
    expect(await env.DB.prepare('select password_hash from owner').first('password_hash')).toMatch(
      /^scrypt\$14\$8\$5\$[\w-]{22}\$[\w-]{43}$/,
    )
    await expect
      .poll(async () => (await send('GET', `${appPrefix}/meta`, session)).status, { timeout: 1_200 })
      .toBe(401)
    expect(
      (await send('POST', `${consolePrefix}/sign-in`, page, { json: { password: 'a new long password' } })).status,
    ).toBe(200)
  })

  test.each([
    ['too short', 'p'.repeat(passwordCharactersMin - 1), 400],
    ['of the least length', 'p'.repeat(passwordCharactersMin), 200],
    ['of the greatest length', 'p'.repeat(passwordCharactersMax), 200],
    ['too long', 'p'.repeat(passwordCharactersMax + 1), 400],
  ])('a password %s', async (_, password, status) => {
    const answer = await send('POST', `${consolePrefix}/setup`, page, { json: { code: setupCode, password } })

    if (answer.status !== status) throw new Error(JSON.stringify(answer))
  })
})

describe('signing in', () => {
  test('needs the right password', async ({ expect }) => {
    await ownerSession()

    expect(
      (await send('POST', `${consolePrefix}/sign-in`, page, { json: { password: 'wrong wrong wrong' } })).status,
    ).toBe(403)
    expect((await send('POST', `${consolePrefix}/sign-in`, page, { json: { password: ownerPassword } })).status).toBe(
      200,
    )
  })

  test('before set-up is refused', async ({ expect }) => {
    expect((await send('POST', `${consolePrefix}/sign-in`, page, { json: { password: ownerPassword } })).status).toBe(
      403,
    )
  })

  /** The service, with checks of passwords that follow each other without a pause. */
  async function signInTo() {
    await ownerSession()
    const deps = composeAppDeps(env, { run: (work) => waitUntil(work) })
    const attempts = createAttempts(drizzle(env.DB), deps.clock)
    const owner = createOwnerAccount(drizzle(env.DB), { ...deps, attempts, passwordPace: hurried(), setupCode })
    const app = createApp({ ...deps, owner })
    return async (password: string, headers: Readonly<Record<string, string>>) => {
      const json = { 'content-type': 'application/json' }
      const body = JSON.stringify({ password })
      return app.fetch(
        new Request(`${origin}${consolePrefix}/sign-in`, {
          method: 'POST',
          headers: { ...page, ...json, ...headers },
          body,
        }),
      )
    }
  }

  /** The account alone, at a time that the test tells. */
  async function accountAt(nowMs = Date.now()) {
    await ownerSession()
    const clock = { nowMs: () => nowMs }
    const attempts = createAttempts(drizzle(env.DB), clock)
    const parts = { clock, identifiers: randomIdentifiers, attempts, passwordPace: hurried(), setupCode }
    const account = createOwnerAccount(drizzle(env.DB), parts)
    return {
      attempts,
      pass(seconds: number) {
        nowMs += seconds * 1000
      },
      async outcome(password: string, from: string) {
        const signedIn = await account.signIn(password, from)
        if (signedIn.ok) return 'in'
        return typeof signedIn.failure === 'object' ? signedIn.failure.retryAfterSeconds : signedIn.failure
      },
    }
  }
  const wrong = 'wrong wrong wrong'

  test('shuts the door to an address after its attempts, also for the right password, and says for how long', async ({
    expect,
  }) => {
    const signIn = await signInTo()
    const attempt = (password: string, from = '2001:db8:1:2::1') => signIn(password, { 'cf-connecting-ip': from })
    for (let tried = 0; tried < secretAttemptsMax; tried += 1) await attempt(wrong, `2001:db8:1:2::${tried}`)

    const shut = await attempt(ownerPassword)

    expect([shut.status, await shut.json()]).toMatchObject([429, { error: 'too_many' }])
    const pauseSeconds = secretAttemptsWindowSeconds / secretAttemptsMax
    expect(Number(shut.headers.get('retry-after'))).toBeGreaterThan(pauseSeconds / 2)
    expect(Number(shut.headers.get('retry-after'))).toBeLessThanOrEqual(pauseSeconds)
    expect((await attempt(ownerPassword, '2001:db8:1:3::1')).status).toBe(200)
  })

  test('also counts where other isolates find it, until the window ends', async ({ expect }) => {
    const [one, other] = [await accountAt(), await accountAt()]
    for (let tried = 0; tried < secretAttemptsMax; tried += 1) await one.outcome(wrong, '192.0.2.9')

    expect(await other.outcome(ownerPassword, '192.0.2.9')).toBeGreaterThan(secretAttemptsWindowSeconds - 60)
    other.pass(secretAttemptsWindowSeconds)
    expect(await other.outcome(ownerPassword, '192.0.2.9')).toBe('in')
    expect(await env.DB.prepare('select count(*) as count from attempts').first('count')).toBe(0)
  })

  test('a program of this machine that guesses costs the owner seconds, and no row', async ({ expect }) => {
    const account = await accountAt()
    for (let tried = 0; tried < secretAttemptsMax; tried += 1)
      expect(await account.outcome(wrong, 'local')).toBe('wrong')

    expect(await account.outcome(ownerPassword, 'local')).toBe(secretAttemptsOwnMachinePauseSeconds)
    account.pass(secretAttemptsOwnMachinePauseSeconds)
    expect(await account.outcome(ownerPassword, 'local')).toBe('in')
    expect(await env.DB.prepare('select count(*) as count from attempts').first('count')).toBe(0)
  })

  test('a flood from everywhere keeps neither a known browser nor a new address out', async ({ expect }) => {
    const account = await accountAt()
    // Their passwords need not be looked at: each try counts before.
    const guesses = Array.from({ length: secretAttemptsOfAllMax / secretAttemptsMax }, newAddress).flatMap((from) =>
      Array<string>(secretAttemptsMax).fill(from),
    )
    const waits: number[] = []
    for (const from of guesses) waits.push(await account.attempts.take('sign-in', from))
    expect(new Set(waits)).toEqual(new Set([0]))

    const late = newAddress()
    expect(await account.outcome(wrong, late)).toBe('wrong')
    expect(await account.outcome(wrong, late)).toBeGreaterThan(0)
    account.pass(1)
    expect(await account.outcome(ownerPassword, 'browser abc')).toBe('in')
    expect(await account.outcome(ownerPassword, newAddress())).toBe('in')
  })

  test('a browser that has signed in has attempts of its own, whoever guesses at its address', async ({ expect }) => {
    const attempt = await signInTo()
    const from = { 'cf-connecting-ip': newAddress() }
    const first = await attempt(ownerPassword, from)
    const mark = /wharf_browser=([^;]+); Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict/.exec(
      first.headers.get('set-cookie') ?? '',
    )?.[1]
    if (mark === undefined) throw new Error('the browser got no mark')
    const known = { ...from, cookie: `wharf_browser=${mark}` }
    for (let tried = 0; tried <= secretAttemptsMax; tried += 1) await attempt(wrong, from)

    expect((await attempt(ownerPassword, from)).status).toBe(429)
    const again = await attempt(ownerPassword, known)

    expect(again.status).toBe(200)
    expect(again.headers.get('set-cookie')).not.toContain('wharf_browser')
    for (const forged of [`${mark}x`, mark.replace(/^./, (one) => (one === 'A' ? 'B' : 'A')), '', 'browser'])
      expect((await attempt(ownerPassword, { ...from, cookie: `wharf_browser=${forged}` })).status).toBe(429)
    for (let tried = 0; tried < secretAttemptsMax; tried += 1) expect((await attempt(wrong, known)).status).toBe(403)
    expect((await attempt(ownerPassword, known)).status).toBe(429)
  })

  test('the mark alone lets nobody in', async ({ expect }) => {
    const clock = { nowMs: () => Date.now() }
    const browsers = createKnownBrowsers(env.MASTER_KEY, { clock, identifiers: randomIdentifiers })
    const mark = (await browsers.mark()) ?? ''
    const cookie = `wharf_browser=${mark}; wharf_session=${mark}`

    expect(await browsers.nameOf(mark)).toMatch(/^[\w-]{12}$/)
    expect((await send('GET', `${consolePrefix}/tokens`, { cookie, origin })).status).toBe(401)
  })

  test('a mark is old after its time, another key’s is none, and without a key there is none', async ({ expect }) => {
    let nowMs = Date.now()
    const clock = { nowMs: () => nowMs }
    const browsersOf = (key: string | undefined) => createKnownBrowsers(key, { clock, identifiers: randomIdentifiers })
    const browsers = browsersOf(env.MASTER_KEY)
    const mark = (await browsers.mark()) ?? ''

    expect(await browsersOf(toBase64(new Uint8Array(32).fill(7))).nameOf(mark)).toBeUndefined()
    expect([await browsersOf(undefined).mark(), await browsersOf(undefined).nameOf(mark)]).toEqual([
      undefined,
      undefined,
    ])
    nowMs += (knownBrowserSeconds - 2) * 1000
    expect(await browsers.nameOf(mark)).toBeDefined()
    nowMs += 2000
    expect(await browsers.nameOf(mark)).toBeUndefined()
  })

  test('the right set-up code works, however many wrong ones came before', async ({ expect }) => {
    const wanted = { ...page, 'cf-connecting-ip': newAddress() }
    const setUpWith = (code: string) =>
      send('POST', `${consolePrefix}/setup`, wanted, { json: { code, password: ownerPassword } })
    const statuses: number[] = []
    for (let tried = 0; tried <= secretAttemptsMax; tried += 1) statuses.push((await setUpWith('guess')).status)

    expect(statuses).toEqual([...Array(secretAttemptsMax).fill(403), 429])
    expect((await setUpWith(setupCode)).status).toBe(200)
    expect(await env.DB.prepare('select count(*) as count from attempts').first('count')).toBe(0)
  })

  test('keeps a bounded number of sessions: the oldest ends', async ({ expect }) => {
    const signIn = await signInTo()
    for (let signedIn = 0; signedIn < sessionsMax; signedIn += 1)
      expect((await signIn(ownerPassword, { 'cf-connecting-ip': newAddress() })).status).toBe(200)

    const row = await env.DB.prepare('select count(*) as count from sessions').first<{ count: number }>()
    expect(row?.count).toBe(sessionsMax)
  })
})

describe('a session', () => {
  test('is a cookie no script reads and no other site sends', async ({ expect }) => {
    await ownerSession()

    const answer = await send('POST', `${consolePrefix}/sign-in`, page, { json: { password: ownerPassword } })

    expect(answer.headers.getSetCookie()[0]).toMatch(
      /^wharf_session=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/,
    )
  })

  test('is stored only as a digest', async ({ expect }) => {
    const session = await ownerSession()

    const { results } = await env.DB.prepare('select * from sessions').all()
    expect(JSON.stringify(results)).not.toContain((session['cookie'] ?? '').split('=')[1])
  })

  test('ends with sign-out', async ({ expect }) => {
    const session = await ownerSession()

    const answer = await send('POST', `${consolePrefix}/sign-out`, session)

    expect(answer.headers.get('set-cookie')).toContain('Max-Age=0')
    await expect
      .poll(async () => (await send('GET', `${consolePrefix}/tokens`, session)).status, { timeout: 1_200 })
      .toBe(401)
  })

  test('changing the password ends the other sessions and asks for the present one', async ({ expect }) => {
    const session = await ownerSession()
    const other = await ownerSession()

    expect(
      (
        await send('POST', `${consolePrefix}/password`, session, {
          json: { current: 'wrong wrong', next: 'a new long password' },
        })
      ).status,
    ).toBe(403)
    const changed = await send('POST', `${consolePrefix}/password`, session, {
      json: { current: ownerPassword, next: 'a new long password' },
    })

    expect(changed.status).toBe(200)
    await expect
      .poll(async () => (await send('GET', `${consolePrefix}/tokens`, other)).status, { timeout: 1_200 })
      .toBe(401)
    expect(
      (await send('POST', `${consolePrefix}/sign-in`, page, { json: { password: 'a new long password' } })).status,
    ).toBe(200)
  })
})

describe('a write with the session cookie', () => {
  const json = { name: 'forged', scopes: ['app:read'], lifetime: '30d' }

  test.each([
    ['from another origin', { origin: 'http://evil.example' }, 'application/json'],
    ['from another port', { origin: 'http://wharf.test:8080' }, 'application/json'],
    ['from an opaque origin', { origin: 'null' }, 'application/json'],
    ['without an origin', {}, 'application/json'],
    ['as plain text, which a foreign page can send', { origin }, 'text/plain'],
    ['as a form', { origin }, 'application/x-www-form-urlencoded'],
  ])('%s is refused and changes nothing', async (_, headers, contentType) => {
    const session = await ownerSession()
    const forged = { cookie: session['cookie'] ?? '', ...headers, 'content-type': contentType }

    const answer = await send('POST', `${consolePrefix}/tokens`, forged, {
      json,
      headers: { 'content-type': contentType },
    })

    if (answer.status !== 403) throw new Error(JSON.stringify(answer))
    const list = await send('GET', `${consolePrefix}/tokens`, session)
    if (JSON.stringify(list.body).includes('forged')) throw new Error('the token was made')
  })

  test.each(['/setup', '/sign-in'])('a foreign page cannot use %s either', async (path) => {
    const answer = await send(
      'POST',
      `${consolePrefix}${path}`,
      { origin: 'http://evil.example' },
      { json: { code: setupCode, password: ownerPassword } },
    )

    if (answer.status !== 403) throw new Error(JSON.stringify(answer))
  })

  test('no answer carries a CORS header', async ({ expect }) => {
    const answer = await send('GET', `${appPrefix}/meta`, { origin: 'http://evil.example' })

    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  })
})
