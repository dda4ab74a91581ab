import { env } from 'cloudflare:workers'
import { describe, test } from 'vitest'
import { appPrefix, consolePrefix } from '../../../workers/app/app.ts'
import {
  apiTokensMax,
  lastUsedWriteSeconds,
  principalCacheMs,
  tokenNameCharactersMax,
} from '../../../workers/app/limits.ts'
import { makeToken, ownerSession, send } from '../../support/workerd/app-client.ts'

const session = await ownerSession()

describe('the list of tokens', () => {
  test('has the newest first, also of those made within one second', async ({ expect }) => {
    const names = Array.from({ length: 8 }, (_, at) => `made ${at}`)
    for (const name of names) await makeToken(session, ['app:read'], name)

    const { body } = await send('GET', `${consolePrefix}/tokens`, session)
    const listed = body.items.map((token: { name: string }) => token.name)
    expect(listed.filter((name: string) => names.includes(name))).toEqual(names.toReversed())
  })
})

describe('creating a token', () => {
  test('shows the text once and stores only its SHA-256', async ({ expect }) => {
    const made = await makeToken(session, ['app:read'])

    const { results } = await env.DB.prepare('select * from api_tokens where id = ?').bind(made.id).all()
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(made.text)))
    const hex = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
    expect(results[0]).toMatchObject({ token_hash: hex })
    expect(JSON.stringify(results)).not.toContain(made.text.slice(-20))
    expect(JSON.stringify((await send('GET', `${consolePrefix}/tokens`, session)).body)).not.toContain(
      made.text.slice(-20),
    )
  })

  test.each([
    ['30d', 30 * 86_400],
    ['90d', 90 * 86_400],
    ['1y', 365 * 86_400],
  ])('with the lifetime %s expires then', async (lifetime, seconds) => {
    const { body } = await send('POST', `${consolePrefix}/tokens`, session, {
      json: { name: 'a', scopes: ['app:read'], lifetime },
    })

    if (body.token.expires_at - body.token.created_at !== seconds) throw new Error(JSON.stringify(body))
  })

  test('with the lifetime never has no expiry', async ({ expect }) => {
    const { body } = await send('POST', `${consolePrefix}/tokens`, session, {
      json: { name: 'a', scopes: ['app:read'], lifetime: 'never' },
    })

    expect(body.token).not.toHaveProperty('expires_at')
  })

  test.each([
    ['no name', { name: ' ', scopes: ['app:read'], lifetime: '30d' }],
    ['a name past its limit', { name: 'n'.repeat(tokenNameCharactersMax + 1), scopes: ['app:read'], lifetime: '30d' }],
    ['no scope', { name: 'a', scopes: [], lifetime: '30d' }],
    ['an unknown scope', { name: 'a', scopes: ['app:admin'], lifetime: '30d' }],
    ['an unknown lifetime', { name: 'a', scopes: ['app:read'], lifetime: '2y' }],
    ['a missing lifetime', { name: 'a', scopes: ['app:read'] }],
  ])('with %s is refused', async (_, json) => {
    const answer = await send('POST', `${consolePrefix}/tokens`, session, { json })

    if (answer.status !== 400 || answer.body.error !== 'invalid_argument') throw new Error(JSON.stringify(answer))
  })

  test('a name at its limit is taken', async ({ expect }) => {
    const json = { name: 'n'.repeat(tokenNameCharactersMax), scopes: ['app:read'], lifetime: '30d' }

    expect((await send('POST', `${consolePrefix}/tokens`, session, { json })).status).toBe(200)
  })

  test('stops at the limit of tokens and goes on after one is revoked', async ({ expect }) => {
    const json = { name: 'many', scopes: ['app:read'], lifetime: '30d' }
    const create = () => send('POST', `${consolePrefix}/tokens`, session, { json })
    const present = (await send('GET', `${consolePrefix}/tokens`, session)).body.items.length
    for (let made = present; made < apiTokensMax; made += 1) await create()

    const refused = await create()
    const newest = (await send('GET', `${consolePrefix}/tokens`, session)).body.items[0]
    await send('DELETE', `${consolePrefix}/tokens/${newest.id}`, session)

    expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_argument' } })
    expect((await create()).status).toBe(200)
    await env.DB.prepare("delete from api_tokens where name = 'many'").run()
  })
})

describe('using a token', () => {
  test('/meta names the caller and its scopes', async ({ expect }) => {
    const reader = await makeToken(session, ['app:read'], 'phone')
    const whole = await makeToken(session, ['app:write', 'app:read'], 'script')

    expect((await send('GET', `${appPrefix}/meta`, reader.caller)).body.principal).toEqual({
      kind: 'api_token',
      name: 'phone',
      scopes: ['app:read'],
    })
    expect((await send('GET', `${appPrefix}/meta`, whole.caller)).body.principal.scopes).toEqual([
      'app:read',
      'app:write',
    ])
  })

  test('a signed-in session has every permission and no name', async ({ expect }) => {
    expect((await send('GET', `${appPrefix}/meta`, session)).body.principal).toEqual({
      kind: 'session',
      scopes: ['app:read', 'app:write'],
    })
  })

  test('a valid session wins over a token in the same request', async ({ expect }) => {
    const reader = await makeToken(session, ['app:read'])

    expect((await send('GET', `${appPrefix}/meta`, { ...session, ...reader.caller })).body.principal.kind).toBe(
      'session',
    )
    expect(
      (await send('GET', `${appPrefix}/meta`, { cookie: 'wharf_session=stale', ...reader.caller })).body.principal.kind,
    ).toBe('api_token')
  })

  test('a revoked token that was in use is refused within a second', async ({ expect }) => {
    const token = await makeToken(session, ['app:read'])
    expect((await send('GET', `${appPrefix}/meta`, token.caller)).status).toBe(200)

    await send('DELETE', `${consolePrefix}/tokens/${token.id}`, session)

    await expect
      .poll(async () => (await send('GET', `${appPrefix}/meta`, token.caller)).status, {
        timeout: principalCacheMs + 200,
        interval: 50,
      })
      .toBe(401)
  })

  test('an expiry is judged on every use, also of a kept answer', async ({ expect }) => {
    const token = await makeToken(session, ['app:read'])
    const soon = Math.floor(Date.now() / 1000) + 1
    await env.DB.prepare('update api_tokens set expires_at_unix = ? where id = ?').bind(soon, token.id).run()

    await expect
      .poll(async () => (await send('GET', `${appPrefix}/meta`, token.caller)).status, { timeout: 2_500, interval: 50 })
      .toBe(401)
  })

  test('its last use is written at most every five minutes', async ({ expect }) => {
    const token = await makeToken(session, ['app:read'])
    const lastUse = async () =>
      (
        await env.DB.prepare('select last_used_at_unix as at from api_tokens where id = ?')
          .bind(token.id)
          .first<{ at: number | null }>()
      )?.at
    await send('GET', `${appPrefix}/meta`, token.caller)
    await expect.poll(lastUse, { timeout: 1_000 }).toBeTypeOf('number')
    const recent = Math.floor(Date.now() / 1000) - lastUsedWriteSeconds + 30
    await env.DB.prepare('update api_tokens set last_used_at_unix = ? where id = ?').bind(recent, token.id).run()
    const uncached = { authorization: (token.caller['authorization'] ?? '').replace('Bearer', 'bearer') }

    await send('GET', `${appPrefix}/meta`, uncached)

    expect(await lastUse()).toBe(recent)
  })

  test('when the store fails the answer is 503, not 401', async ({ expect }) => {
    const token = await makeToken(session, ['app:read'])
    await env.DB.prepare('alter table api_tokens rename to api_tokens_away').run()

    const answer = await send('GET', `${appPrefix}/meta`, token.caller)
    await env.DB.prepare('alter table api_tokens_away rename to api_tokens').run()

    expect(answer).toMatchObject({ status: 503, body: { error: 'unavailable' } })
  })
})

test('revoking an unknown token answers 404', async ({ expect }) => {
  expect((await send('DELETE', `${consolePrefix}/tokens/none`, session)).status).toBe(404)
})
