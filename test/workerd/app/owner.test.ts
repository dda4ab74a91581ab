import { env } from 'cloudflare:workers'
import { drizzle } from 'drizzle-orm/d1'
import { beforeEach, describe, test } from 'vitest'
import { createAttempts } from '../../../workers/app/adapters/d1/attempts.ts'
import { createOwnerAccount } from '../../../workers/app/adapters/d1/owner-account.ts'
import { randomIdentifiers } from '../../../workers/app/adapters/web-crypto.ts'
import { appPrefix, consolePrefix } from '../../../workers/app/app.ts'
import {
  passwordCharactersMax,
  passwordCharactersMin,
  secretAttemptsMax,
  secretAttemptsOfAllMax,
  sessionsMax,
} from '../../../workers/app/limits.ts'
import { origin, ownerPassword, ownerSession, send, setupCode } from '../../support/workerd/app-client.ts'

const page = { origin }

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
      setupCode: 'a fresh code',
    })

    const outcome = await renewed.setPassword('a fresh code', { password: 'a new long password', keep: [] }, 'local')

    expect(outcome.ok).toBe(true)
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

  test('shuts the door to an address after its attempts, also for the right password, and says for how long', async ({
    expect,
  }) => {
    await ownerSession()
    const attempt = (password: string, from = '192.0.2.1') =>
      send('POST', `${consolePrefix}/sign-in`, { ...page, 'cf-connecting-ip': from }, { json: { password } })
    for (let tried = 0; tried < secretAttemptsMax; tried += 1) await attempt('wrong wrong wrong')

    const shut = await attempt(ownerPassword)

    expect(shut).toMatchObject({ status: 429, body: { error: 'too_many' } })
    expect(Number(shut.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await attempt(ownerPassword, '192.0.2.2')).status).toBe(200)
  })

  test('shuts the door to everyone after many attempts from many addresses', async ({ expect }) => {
    await ownerSession()
    await env.DB.prepare(
      'insert into attempts (key, count, window_start_unix) values (?, ?, ?) on conflict do update set count = excluded.count',
    )
      .bind('sign-in', secretAttemptsOfAllMax, Math.floor(Date.now() / 1000))
      .run()

    expect((await send('POST', `${consolePrefix}/sign-in`, page, { json: { password: ownerPassword } })).status).toBe(
      429,
    )
  })

  test('opens the door again when the window has passed', async ({ expect }) => {
    await ownerSession()
    await env.DB.prepare(
      "insert or replace into attempts (key, count, window_start_unix) values ('sign-in local', 99, 1000)",
    ).run()

    expect((await send('POST', `${consolePrefix}/sign-in`, page, { json: { password: ownerPassword } })).status).toBe(
      200,
    )
  })

  test('keeps a bounded number of sessions: the oldest ends', async ({ expect }) => {
    await ownerSession()
    for (let signedIn = 0; signedIn < sessionsMax; signedIn += 1) {
      await send('POST', `${consolePrefix}/sign-in`, page, { json: { password: ownerPassword } })
    }

    const row = await env.DB.prepare('select count(*) as count from sessions').first<{ count: number }>()
    expect(row?.count).toBe(sessionsMax)
  })
})

describe('a session', () => {
  test('is a cookie no script reads and no other site sends', async ({ expect }) => {
    await ownerSession()

    const answer = await send('POST', `${consolePrefix}/sign-in`, page, { json: { password: ownerPassword } })

    expect(answer.headers.get('set-cookie')).toMatch(
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
