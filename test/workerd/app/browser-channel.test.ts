/** Messages to a browser: encrypted for it alone, and known to its push service by the owner's key. */
import { env } from 'cloudflare:workers'
import { beforeEach, describe, inject, test } from 'vitest'
import { sendToChannel } from '../../../workers/app/adapters/send-to-channel.ts'
import { encryptPush, makePushKey, openPushKey } from '../../../workers/app/adapters/web-push.ts'
import { channelRuntime } from '../../../workers/app/adapters/worker-runtime.ts'
import { consolePrefix } from '../../../workers/app/app.ts'
import { fromBase64, toBase64Url } from '../../../workers/app/core/bytes.ts'
import { pushPointCharacters, pushSecretCharacters, pushTextBytesMax } from '../../../workers/app/limits.ts'
import { type Answer, ownerSession, send } from '../../support/workerd/app-client.ts'

const path = `${consolePrefix}/channels`
const origin = inject('standInPushService')

const session = await ownerSession()
beforeEach(async () => {
  for (const table of ['channels', 'notices', 'deliveries']) await env.DB.prepare(`delete from ${table}`).run()
  await env.DB.prepare(`delete from settings where name = 'webPush'`).run()
})

interface Subscribed {
  readonly address: string
  readonly p256dh: string
  readonly auth: string
}

async function publicKey(): Promise<string> {
  return (await send('GET', `${path}/push-key`, session)).body.public_key
}

/** As a browser does with the key of the service. */
async function subscribe(key: string): Promise<Subscribed> {
  const answer = await fetch(`${origin}/subscribe`, { method: 'POST', body: JSON.stringify({ key }) })
  const { endpoint, keys } = (await answer.json()) as { endpoint: string; keys: { p256dh: string; auth: string } }
  return { address: endpoint, ...keys }
}
async function taken({ address }: Subscribed, init: RequestInit = {}): Promise<unknown[]> {
  const answer = await fetch(address.replace('/push/', '/control/'), init)
  return (await answer.json()) as unknown[]
}
const channel = (place: Partial<Subscribed>) => ({
  name: 'phone',
  type: 'browser',
  enabled: true,
  events: ['push.done'],
  ...place,
})
const trial = (json: unknown): Promise<Answer> => send('POST', `${path}/test`, session, { json })

const bytes = (text: string) => fromBase64(text) as Uint8Array<ArrayBuffer>

describe('the coding', () => {
  test('is the one of the example in RFC 8291', async ({ expect }) => {
    const point = bytes('BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8')
    const jwk = {
      kty: 'EC',
      crv: 'P-256',
      x: toBase64Url(point.slice(1, 33)),
      y: toBase64Url(point.slice(33)),
    }
    const curve = { name: 'ECDH', namedCurve: 'P-256' }
    const keys = {
      publicKey: await crypto.subtle.importKey('jwk', jwk, curve, true, []),
      privateKey: await crypto.subtle.importKey(
        'jwk',
        { ...jwk, d: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw' },
        curve,
        false,
        ['deriveBits'],
      ),
    }
    const receiver = {
      p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    }
    const salt = bytes('DGv6ra1nlYgDCS1FRnbzlw')
    const body = await encryptPush('When I grow up, I want to be a watermelon', receiver, { salt, keys })
    expect(toBase64Url(body)).toBe(
      'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
    )
  })

  test('of the same text is another one each time', async ({ expect }) => {
    const place = await subscribe(await publicKey())
    const [one, other] = await Promise.all([encryptPush('twice', place), encryptPush('twice', place)])
    expect(toBase64Url(one)).not.toBe(toBase64Url(other))
  })
})

describe('the owner’s key', () => {
  test('is made once, sealed, and the same from then on', async ({ expect }) => {
    const key = await publicKey()
    expect(bytes(key)).toHaveLength(65)
    expect(await publicKey()).toBe(key)
    const row = await env.DB.prepare(`select value, sealed from settings where name = 'webPush'`).first<{
      value: string
      sealed: string
    }>()
    expect(JSON.parse(row?.value ?? '')).toEqual({ publicKey: key })
    expect(row?.sealed).toMatch(/^v\d/)
  })

  test('that cannot be opened any more is made anew', async ({ expect }) => {
    const before = await publicKey()
    await env.DB.prepare(`update settings set sealed = substr(sealed, 1, 20) || 'AAAA' where name = 'webPush'`).run()
    expect(await publicKey()).not.toBe(before)
  })
})

describe('a browser', () => {
  test('gets a test, decrypted by nobody but itself', async ({ expect }) => {
    const place = await subscribe(await publicKey())
    expect((await trial({ type: 'browser', ...place })).body).toEqual({ delivered: true })
    expect(await taken(place)).toEqual([expect.objectContaining({ id: 0, type: 'test', title: '测试通知' })])
  })

  test('is stored without showing more than the host of its push service, and is tried as it is stored', async ({
    expect,
  }) => {
    const place = await subscribe(await publicKey())
    const added = await send('POST', path, session, { json: channel(place) })
    expect(added.body).toMatchObject({ type: 'browser', place: origin, name: 'phone' })
    expect(JSON.stringify(added.body)).not.toContain(place.p256dh)
    expect(JSON.stringify(added.body)).not.toContain(place.auth)
    expect((await trial({ type: 'browser', id: added.body.id })).body).toEqual({ delivered: true })
    const renamed = await send('PUT', `${path}/${added.body.id}`, session, { json: { ...channel({}), name: 'tablet' } })
    expect(renamed.body).toMatchObject({ name: 'tablet', place: origin })
    const other = await subscribe(await publicKey())
    await send('PUT', `${path}/${added.body.id}`, session, { json: channel(other) })
    await trial({ type: 'browser', id: added.body.id })
    expect([await taken(place), await taken(other)].map((all) => all.length)).toEqual([1, 1])
  })

  test('that has unsubscribed, and one of another sender, are told apart from what works', async ({ expect }) => {
    const gone = await subscribe(await publicKey())
    await taken(gone, { method: 'DELETE' })
    expect((await trial({ type: 'browser', ...gone })).body).toMatchObject({ reason: { kind: 'channel.not_found' } })
    const strange = await subscribe((await makePushKey()).publicKey)
    expect((await trial({ type: 'browser', ...strange })).body).toMatchObject({
      reason: { kind: 'channel.credentials' },
    })
    expect([await taken(gone), await taken(strange)]).toEqual([[], []])
  })

  test('gets as much of a long text as its push service takes', async ({ expect }) => {
    const made = await makePushKey()
    const place = await subscribe(made.publicKey)
    const key = await openPushKey(made.publicKey, made.kept)
    const sending = { runtime: channelRuntime, pushKey: async () => key }
    for (const text of ['字'.repeat(5_000), '"\n'.repeat(4_000), 'short']) {
      const message = { id: 7, type: 'push.done', title: 'T'.repeat(500), text, atUnix: 1 } as const
      const sent = await sendToChannel({ kind: 'browser', ...place }, message, sending, Math.floor(Date.now() / 1000))
      expect(sent.ok).toBe(true)
    }
    const came = (await taken(place)) as { text: string; title: string }[]
    expect(came.map(({ text }) => text.at(-1))).toEqual(['…', '…', 't'])
    for (const one of came)
      expect(new TextEncoder().encode(JSON.stringify(one)).byteLength).toBeLessThanOrEqual(pushTextBytesMax)
    expect(came[0]?.text.length).toBeGreaterThan(500)
  })

  const point = `B${'A'.repeat(pushPointCharacters - 1)}`
  const secret = 'A'.repeat(pushSecretCharacters)
  test.for([
    ['without keys', { address: 'https://push.example/1' }],
    ['without a secret', { address: 'https://push.example/1', p256dh: point }],
    ['without a point', { address: 'https://push.example/1', auth: secret }],
    ['without an address', { p256dh: point, auth: secret }],
    ['with a longer point', { address: 'https://push.example/1', p256dh: `${point}A`, auth: secret }],
    ['with a shorter point', { address: 'https://push.example/1', p256dh: point.slice(0, -1), auth: secret }],
    ['with a longer secret', { address: 'https://push.example/1', p256dh: point, auth: `${secret}A` }],
    ['with a compressed point', { address: 'https://push.example/1', p256dh: `C${point.slice(1)}`, auth: secret }],
    ['with no address', { address: 'ftp://push.example/1', p256dh: point, auth: secret }],
    ['with a token', { address: 'https://push.example/1', p256dh: point, auth: secret, token: 'x' }],
    ['with a header', { address: 'https://push.example/1', p256dh: point, auth: secret, header_name: 'X' }],
  ] as const)('%s is refused, and nothing is stored', async ([, place], { expect }) => {
    expect((await send('POST', path, session, { json: channel(place) })).status).toBe(400)
    expect((await send('GET', path, session)).body.items).toEqual([])
  })

  test.for(['webhook', 'bot'])('is no %s: its keys are refused there', async (type, { expect }) => {
    const json = { ...channel({ address: 'https://a.example/1', p256dh: point, auth: secret }), type }
    expect((await send('POST', path, session, { json })).status).toBe(400)
  })
})
