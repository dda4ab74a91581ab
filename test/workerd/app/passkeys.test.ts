/** Passkeys beside the password: how they come, what they let in and what not, and how they go. */
import { env } from 'cloudflare:workers'
import { drizzle } from 'drizzle-orm/d1'
import { beforeEach, describe, test } from 'vitest'
import { createPasskeys } from '../../../workers/app/adapters/d1/passkeys.ts'
import { appPrefix, consolePrefix } from '../../../workers/app/app.ts'
import { passkeyPlace } from '../../../workers/app/core/passkey-place.ts'
import { passkeyChallengeSeconds, passkeyNameCharactersMax, passkeysMax } from '../../../workers/app/limits.ts'
import { type Flaws, SoftwarePasskey } from '../../support/software-passkey.ts'
import { unwrap } from '../../support/unwrap.ts'
import {
  type Answer,
  type Caller,
  makeToken,
  origin,
  ownerPassword,
  ownerSession,
  send,
} from '../../support/workerd/app-client.ts'

const passkeys = `${consolePrefix}/passkeys`
const page = { origin }
const host = 'wharf.test'

let owner: Caller

beforeEach(async () => {
  await env.DB.batch(
    ['owner', 'sessions', 'attempts', 'passkeys'].map((table) => env.DB.prepare(`delete from ${table}`)),
  )
  owner = await ownerSession()
})

const listed = async () => (await send('GET', passkeys, owner)).body.items
const options = async () => (await send('POST', `${passkeys}/options`, owner)).body
const challengeOf = async () => (await send('POST', `${consolePrefix}/sign-in/passkey/options`, page)).body.challenge
const viewOf = (challenge: string) => ({ challenge, origin, host })
const works = async () => (await send('GET', `${consolePrefix}/state`)).body.passkeys

async function add(passkey: SoftwarePasskey, name = 'laptop', flaws: Flaws = {}): Promise<Answer> {
  const { challenge, user } = await options()
  passkey.userHandle = user.id
  const credential = await passkey.attest(viewOf(challenge), flaws)
  return send('POST', passkeys, owner, { json: { name, credential } })
}

async function added(): Promise<SoftwarePasskey> {
  const passkey = await SoftwarePasskey.make()
  const answer = await add(passkey)
  if (answer.status !== 200) throw new Error(JSON.stringify(answer))
  return passkey
}

const signIn = (credential: unknown) => send('POST', `${consolePrefix}/sign-in/passkey`, page, { json: { credential } })

describe('a passkey', () => {
  test('is added by the signed-in owner, and signs in without a password', async ({ expect }) => {
    expect(await works()).toBe(false)
    const passkey = await added()

    expect(await works()).toBe(true)
    expect(await listed()).toEqual([
      { id: passkey.id, name: 'laptop', host, synced: false, created_at: expect.any(Number) },
    ])
    const answer = await signIn(await passkey.assert(viewOf(await challengeOf())))
    expect(answer.headers.getSetCookie()[0]).toMatch(
      /^wharf_session=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/,
    )
    const session = { origin, cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '' }
    expect((await send('GET', `${appPrefix}/meta`, session)).body.principal.kind).toBe('session')
    expect((await listed())[0].last_used_at).toEqual(expect.any(Number))
  })

  test('asks for a key that the authenticator itself finds, after it knows its owner', async ({ expect }) => {
    const first = await options()

    expect(first).toMatchObject({
      rp: { id: host },
      pubKeyCredParams: [{ alg: -7 }, { alg: -257 }],
      excludeCredentials: [],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
    })
    const passkey = await added()
    const second = await options()
    expect(second.excludeCredentials).toEqual([{ type: 'public-key', id: passkey.id }])
    expect((await options()).user.id).toBe(second.user.id)
  })

  test('is renamed, and removed it lets nobody in', async ({ expect }) => {
    const passkey = await added()

    const renamed = await send('PUT', `${passkeys}/${passkey.id}`, owner, { json: { name: '手机' } })
    expect(renamed.body).toMatchObject({ id: passkey.id, name: '手机' })
    expect((await send('DELETE', `${passkeys}/${passkey.id}`, owner)).status).toBe(200)

    expect(await works()).toBe(false)
    expect((await signIn(await passkey.assert(viewOf(await challengeOf())))).status).toBe(403)
    expect((await send('DELETE', `${passkeys}/${passkey.id}`, owner)).status).toBe(404)
    expect((await send('PUT', `${passkeys}/${passkey.id}`, owner, { json: { name: 'a' } })).status).toBe(404)
  })

  test.each([
    ['of the greatest length', 'n'.repeat(passkeyNameCharactersMax), 200],
    ['that is too long', 'n'.repeat(passkeyNameCharactersMax + 1), 400],
    ['of blanks', '  ', 400],
  ])('with a name %s', async (_, name, status) => {
    const answer = await add(await SoftwarePasskey.make(), name)

    if (answer.status !== status) throw new Error(JSON.stringify(answer))
  })

  test('comes up to a number of them', async ({ expect }) => {
    const insert = env.DB.prepare("insert into passkeys values (?, 'key', 'n', ?, 'owner', 0, 0, 0, 1, null)")
    await env.DB.batch(Array.from({ length: passkeysMax - 1 }, (_, at) => insert.bind(`key-${at}`, host)))
    const ready = await options()
    await added()

    expect((await send('POST', `${passkeys}/options`, owner)).body).toMatchObject({ error: 'invalid_argument' })
    const late = await (await SoftwarePasskey.make()).attest(viewOf(ready.challenge))
    expect((await send('POST', passkeys, owner, { json: { name: 'late', credential: late } })).status).toBe(400)
  })

  test('is nothing that a token or nobody can add', async ({ expect }) => {
    const { caller } = await makeToken(owner, ['app:read', 'app:write'])

    for (const who of [{}, page, caller]) expect((await send('POST', `${passkeys}/options`, who)).status).toBe(401)
  })

  test('is shut to a page that is none of ours', async ({ expect }) => {
    const passkey = await added()
    const foreign = { origin: 'http://evil.example' }
    const credential = await passkey.assert({ ...viewOf(await challengeOf()), origin: foreign.origin })

    expect((await send('POST', `${consolePrefix}/sign-in/passkey/options`, foreign)).status).toBe(403)
    expect((await send('POST', `${consolePrefix}/sign-in/passkey`, foreign, { json: { credential } })).status).toBe(403)
  })

  test('survives a new password where it is kept, and ends with it otherwise', async ({ expect }) => {
    const passkey = await added()
    const challenge = await challengeOf()
    const change = (current: string, next: string, keep: readonly string[]) =>
      send('POST', `${consolePrefix}/password`, owner, { json: { current, next, keep } })

    const changed = await change(ownerPassword, 'a new long password', ['passkeys'])
    owner = { origin, cookie: changed.headers.get('set-cookie')?.split(';')[0] ?? '' }

    // What was begun before the change is worth nothing.
    expect((await signIn(await passkey.assert(viewOf(challenge)))).status).toBe(403)
    expect((await signIn(await passkey.assert(viewOf(await challengeOf())))).status).toBe(200)
    await change('a new long password', ownerPassword, [])
    expect((await signIn(await passkey.assert(viewOf(await challengeOf())))).status).toBe(403)
  })
})

const other = { origin: 'http://other.test', host: 'other.test' }
const flip = (bytes: Uint8Array<ArrayBuffer>) => bytes.map((byte, at) => (at === bytes.length - 1 ? byte ^ 1 : byte))

/** Each differs from a right answer in one thing. */
const wrong: readonly (readonly [string, Flaws, Partial<{ origin: string; host: string; challenge: string }>])[] = [
  ['of another page', {}, { origin: other.origin }],
  ['of another port', {}, { origin: `${origin}:8080` }],
  ['of the same name over another scheme', {}, { origin: 'https://wharf.test' }],
  ['for another host', {}, { host: other.host }],
  ['within a foreign page', { crossOrigin: true, topOrigin: other.origin }, {}],
  ['to a challenge that nobody made', {}, { challenge: btoa('c'.repeat(64)).replace(/=/g, '') }],
  ['to none', {}, { challenge: '' }],
  ['of somebody who was not there', { flags: 0x00 }, {}],
  ['of somebody whom the authenticator does not know', { flags: 0x01 }, {}],
]

describe('an answer', () => {
  test.for([...wrong, ['of the wrong kind', { type: 'webauthn.get' }, {}] as const])(
    'adds nothing: %s',
    async ([_, flaws, view], { expect }) => {
      const passkey = await SoftwarePasskey.make()
      const right = viewOf((await options()).challenge)
      const attested = flaws.flags === undefined ? flaws : { ...flaws, flags: flaws.flags | 0x40 }

      const credential = await passkey.attest({ ...right, ...view }, attested)

      expect((await send('POST', passkeys, owner, { json: { name: 'a', credential } })).status).toBe(403)
      expect(await listed()).toEqual([])
    },
  )

  test.for([
    ...wrong,
    ['of the wrong kind', { type: 'webauthn.create' }, {}] as const,
    ['with another signature', { signature: flip }, {}] as const,
    ['in the name of another owner', { userHandle: 'c29tZWJvZHk' }, {}] as const,
  ])('signs nobody in: %s', async ([_, flaws, view], { expect }) => {
    const passkey = await added()

    const answer = await signIn(await passkey.assert({ ...viewOf(await challengeOf()), ...view }, flaws))

    expect(answer.status).toBe(403)
    expect(answer.headers.get('set-cookie')).toBeNull()
  })

  test('signs in once: neither again nor from two at the same time', async ({ expect }) => {
    const passkey = await added()
    const credential = await passkey.assert(viewOf(await challengeOf()))

    const both = await Promise.all([signIn(credential), signIn(credential)])

    expect(both.map(({ status }) => status).sort()).toEqual([200, 403])
    expect((await signIn(credential)).status).toBe(403)
  })

  test('to an older challenge than the one answered last is refused', async ({ expect }) => {
    const passkey = await added()
    const [older, newer] = [await challengeOf(), await challengeOf()]

    expect((await signIn(await passkey.assert(viewOf(newer)))).status).toBe(200)
    expect((await signIn(await passkey.assert(viewOf(older)))).status).toBe(403)
  })

  test('of an authenticator that counts must count on: a copy of it falls behind', async ({ expect }) => {
    const passkey = await added()
    const at = async (counter: number) =>
      (await signIn(await passkey.assert(viewOf(await challengeOf()), { counter }))).status

    expect([await at(5), await at(5), await at(4), await at(0), await at(6)]).toEqual([200, 403, 403, 403, 200])
  })

  test('of a key that is not there, or of another one, is refused with the same words', async ({ expect }) => {
    const [passkey, stranger] = [await added(), await SoftwarePasskey.make()]
    const unknown = await signIn(await stranger.assert(viewOf(await challengeOf())))
    const forged = await stranger.assert(viewOf(await challengeOf()))
    const borrowed = await signIn({ ...forged, id: passkey.id })

    expect(unknown.status).toBe(403)
    expect(borrowed.body).toEqual(unknown.body)
  })

  test('that was used to add is no answer to a sign-in, nor the other way round', async ({ expect }) => {
    const passkey = await added()
    const fresh = await SoftwarePasskey.make()
    const crossed = await passkey.assert(viewOf((await options()).challenge))
    const back = await fresh.attest(viewOf(await challengeOf()))

    expect((await signIn(crossed)).status).toBe(403)
    expect((await send('POST', passkeys, owner, { json: { name: 'a', credential: back } })).status).toBe(403)
  })

  test.each([
    ['no field', {}],
    ['a field more', { extra: 1 }],
    ['bytes that are none', { response: { clientDataJSON: 'a b', authenticatorData: 'a', signature: 'a' } }],
  ])('with %s is refused before it is looked at', async (_, change) => {
    const { id, response } = await (await SoftwarePasskey.make()).assert(viewOf('a'))
    const answer = await signIn(Object.keys(change).length === 0 ? {} : { id, response, ...change })

    if (answer.status !== 400) throw new Error(JSON.stringify(answer))
  })

  test.each([
    ['too short', 'AA'],
    ['of no meaning', 'gICAgICA'],
    ['without an end', `${'n5-f'.repeat(200)}`],
  ])('of bytes that are no authenticator’s is refused: %s', async (_, authenticatorData) => {
    const passkey = await added()
    const credential = await passkey.assert(viewOf(await challengeOf()))
    const answer = await signIn({ ...credential, response: { ...credential.response, authenticatorData } })

    if (answer.status !== 403) throw new Error(JSON.stringify(answer))
  })
})

test('a challenge is good for a while, and not from the time to come', async ({ expect }) => {
  const startMs = Date.now()
  const at = (nowMs: number) =>
    createPasskeys(drizzle(env.DB), {
      clock: { nowMs: () => nowMs },
      passwordHash: async () => 'hash',
      startSession: async () => ({ cookie: 'c' }),
    })
  const passkey = await SoftwarePasskey.make()
  const place = { origin, host }
  const begun = await at(startMs).begin(place)
  const later = (ms: number) => at(startMs + ms)
  if (!begun.ok) throw new Error(begun.failure)
  const attested = await passkey.attest(viewOf(begun.value.challenge))
  const bound = passkeyChallengeSeconds * 1000

  expect((await later(bound + 1).add(place, 'a', attested)).ok).toBe(false)
  expect((await later(-1).add(place, 'a', attested)).ok).toBe(false)
  expect((await later(bound).add(place, 'a', attested)).ok).toBe(true)
  const asked = unwrap(await later(bound).beginSignIn(place))
  const asserted = await passkey.assert(viewOf(asked.challenge))
  expect((await later(2 * bound + 1).signIn(place, asserted)).ok).toBe(false)
  expect((await later(2 * bound).signIn(place, asserted)).ok).toBe(true)
})

test('asking for challenges writes nothing, however often', async ({ expect }) => {
  await added()
  const rowsOf = async () => {
    const counted = await env.DB.batch<{ count: number }>(
      ['passkeys', 'attempts', 'sessions', 'audit_entries'].map((table) =>
        env.DB.prepare(`select count(*) as count from ${table}`),
      ),
    )
    return counted.map(({ results }) => results[0]?.count)
  }
  const before = await rowsOf()

  const made = await Promise.all(Array.from({ length: 50 }, challengeOf))

  expect(new Set(made).size).toBe(50)
  expect(await rowsOf()).toEqual(before)
})

test.each([
  ['https://wharf.example', 'wharf.example'],
  ['http://localhost:8787', 'localhost'],
  ['http://127.0.0.1:8787', undefined],
  ['https://[::1]:8787', undefined],
  ['https://10.0.0.3', undefined],
])('a page at %s takes passkeys for %s', (at, expected) => {
  if (passkeyPlace(at)?.host !== expected) throw new Error(JSON.stringify(passkeyPlace(at)))
})
