/** The tunnel itself: what is sealed, bound and counted in it, and that whatever is wrong is told as one and the same. */
import { env, waitUntil } from 'cloudflare:workers'
import { drizzle } from 'drizzle-orm/d1'
import fc from 'fast-check'
import { beforeAll, beforeEach, describe, test } from 'vitest'
import type { Clock } from '#shared/kernel/clock.ts'
import {
  type PairedDevice,
  type TunnelAnswer,
  type TunnelRequest,
  TunnelSession,
} from '../../../scripts/tunnel-client.ts'
import { createAttempts } from '../../../workers/app/adapters/d1/attempts.ts'
import { createDevices } from '../../../workers/app/adapters/d1/devices.ts'
import { createTunnelKey } from '../../../workers/app/adapters/d1/tunnel-key.ts'
import { createSecretBox } from '../../../workers/app/adapters/secret-box.ts'
import { createDeviceEnd, type DeviceEnd } from '../../../workers/app/adapters/tunnel/device-end.ts'
import {
  generateKeptKeyPair,
  Handshake,
  openKeptKeyPair,
  sessionPattern,
} from '../../../workers/app/adapters/tunnel/noise.ts'
import { createTunnel } from '../../../workers/app/adapters/tunnel/tunnel-desk.ts'
import { type App, appPrefix, createApp, createTunnelledApp } from '../../../workers/app/app.ts'
import { composeAppDeps } from '../../../workers/app/compose.ts'
import { fromBase64, toBase64, toBase64Url } from '../../../workers/app/core/bytes.ts'
import { joinMessage } from '../../../workers/app/core/tunnel/message-layout.ts'
import { createTunnelApp, type TunnelApp } from '../../../workers/app/http/tunnel-app.ts'
import {
  bodyBytesMax,
  carriedHeadBytesMax,
  carriedPathBytesMax,
  carriedRequestsMax,
  envelopeBytesMax,
  handshakeBytesMax,
  handshakesMax,
} from '../../../workers/app/limits.ts'
import { type Caller, ownerSession, send } from '../../support/workerd/app-client.ts'
import { makeDevice, newAddress, newPost, postBytes } from '../../support/workerd/devices.ts'
import { changeSetting, ServiceUnderTest } from '../../support/workerd/service-under-test.ts'

const seed = env.FUZZ_SEED === '' ? 4711 : Number(env.FUZZ_SEED)
const numRuns = Number(env.FUZZ_RUNS)
const meta: TunnelRequest = { method: 'GET', path: `${appPrefix}/meta` }
const address = newAddress()
const prologue = Uint8Array.from(new TextEncoder().encode('wharf tunnel 1'))

/** Each attempt comes long after the last one, for tests that make more of them than anybody may. */
function hurriedClock(): Clock {
  let nowMs = Date.now()
  return {
    nowMs: () => {
      nowMs += 3600_000
      return nowMs
    },
  }
}

/** The whole service, with the ends of its tunnels at hand instead of in objects, whose memory the tests' host empties. */
function serviceWith(carried?: TunnelApp, doorClock: Clock = hurriedClock()) {
  const deps = composeAppDeps(env, { run: (work) => waitUntil(work) })
  const db = drizzle(env.DB)
  const ends = new Map<string, DeviceEnd>()
  const endOf = (deviceId: string) => {
    const end = ends.get(deviceId) ?? createDeviceEnd(deps.clock, () => carried ?? app)
    ends.set(deviceId, end)
    return end
  }
  const parts = { ...deps, attempts: createAttempts(db, doorClock), devices: createDevices(db, deps) }
  const app = createTunnelledApp(deps)
  const tunnel = createTunnel(endOf, { ...parts, ownKey: createTunnelKey(db, deps.secrets, deps.clock) })
  return { service: createApp({ ...deps, tunnel }), endOf }
}

const { service, endOf } = serviceWith()
const post = (way: string, bytes: Uint8Array, from = address) => postBytes(way, bytes, from, service)

interface DeviceInSession {
  readonly paired: PairedDevice
  readonly session: TunnelSession
  readonly carry: (request: TunnelRequest) => Promise<TunnelAnswer>
}

let owner: Caller
let phone: DeviceInSession
let tablet: DeviceInSession

async function inSession(paired: PairedDevice, server: App = service): Promise<DeviceInSession> {
  const session = await TunnelSession.begin(newPost(server), paired)
  return { paired, session, carry: (request) => session.request(request) }
}

beforeAll(async () => {
  owner = await ownerSession()
  phone = await inSession((await makeDevice(owner, 'full', 'phone')).paired)
  tablet = await inSession((await makeDevice(owner, 'full', 'tablet')).paired)
})

beforeEach(async () => {
  phone = await inSession(phone.paired)
  tablet = await inSession(tablet.paired)
})

/** All of an answer that a caller sees, but for the id of the request. */
async function told(way: string, bytes: Uint8Array): Promise<string> {
  const response = await post(way, bytes)
  const headers = [...response.headers].filter(([name]) => name !== 'x-request-id')
  return JSON.stringify([response.status, headers, await response.text()])
}

const refusedAs = async () => told('/request', new Uint8Array())
const flipped = (bytes: Uint8Array, at: number) => bytes.map((byte, index) => (index === at ? byte ^ 1 : byte))
const other = (bytes: Uint8Array, at: number, change: readonly number[]) =>
  bytes.map((byte, index) => change[index - at] ?? byte)

describe('a request that is not what its device sealed', () => {
  const where = { 'the device': 0, 'the session': 12, 'the end of its name': 31, 'the number': 32, 'its end': 39 }
  const cases: readonly (readonly [string, (envelope: Uint8Array) => Uint8Array])[] = [
    ['nothing', () => new Uint8Array()],
    ['a name alone', (envelope) => envelope.slice(0, 32)],
    ['a name and a number', (envelope) => envelope.slice(0, 40)],
    ['less than a seal', (envelope) => envelope.slice(0, 55)],
    ['one byte less', (envelope) => envelope.slice(0, -1)],
    ['one byte more', (envelope) => new Uint8Array([...envelope, 0])],
    ...Object.entries(where).map(
      ([what, at]) => [`another byte in ${what}`, (envelope: Uint8Array) => flipped(envelope, at)] as const,
    ),
    ['another first byte of what is sealed', (envelope) => flipped(envelope, 40)],
    ['another byte in its middle', (envelope) => flipped(envelope, Math.floor((40 + envelope.length) / 2))],
    ['another byte of the seal', (envelope) => flipped(envelope, envelope.length - 16)],
    ['another last byte', (envelope) => flipped(envelope, envelope.length - 1)],
    ['a number past all', (envelope) => other(envelope, 32, [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])],
    ['a number one past the last', (envelope) => other(envelope, 32, [0, 0, 0, 1, 0, 0, 0, 0])],
    ['a name that is no text', (envelope) => other(envelope, 0, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])],
    [
      'what is said in the open',
      (envelope) => new Uint8Array([...envelope.slice(0, 40), ...joinMessage(meta, new Uint8Array())]),
    ],
  ]

  test.each(cases)('%s is refused like every other, and the request itself still passes', async (_, change) => {
    const { number, envelope } = await phone.session.seal(meta)

    const refused = await told('/request', change(envelope))
    if (refused !== (await refusedAs()) || !refused.startsWith('[401,')) throw new Error(refused)

    const passed = await post('/request', envelope)
    if ((await phone.session.open(number, await passed.bytes())).status !== 200) throw new Error(String(passed.status))
  })

  test('of another session, another device or another time is refused in the same words', async ({ expect }) => {
    const { envelope } = await phone.session.seal(meta)
    const second = await inSession(phone.paired)
    const ofSecond = (await second.session.seal(meta)).envelope
    const ofTablet = (await tablet.session.seal(meta)).envelope
    const moved = (name: Uint8Array, rest: Uint8Array) => new Uint8Array([...name.slice(0, 40), ...rest.slice(40)])

    for (const bytes of [moved(ofSecond, envelope), moved(ofTablet, envelope), moved(envelope, ofTablet)])
      expect(await told('/request', bytes)).toBe(await refusedAs())
    expect((await post('/request', envelope)).status).toBe(200)
    // Sent once more, by whoever and from wherever.
    expect(await told('/request', envelope)).toBe(await refusedAs())
    const twice = (await phone.session.seal(meta)).envelope
    const both = await Promise.all([post('/request', twice, 'one'), post('/request', twice, 'two')])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401])
    // The answers to two requests, one for the other.
    const [left, right] = [await phone.session.seal(meta), await phone.session.seal(meta)]
    const answer = await (await post('/request', right.envelope)).bytes()
    await expect(phone.session.open(left.number, answer)).rejects.toThrow('does not open')
    await expect(second.session.open(right.number, answer)).rejects.toThrow('does not open')
    await expect(phone.session.open(right.number, flipped(answer, 0))).rejects.toThrow('does not open')
    expect((await phone.session.open(right.number, answer)).status).toBe(200)
  })

  test('of a session that was forgotten is refused, and the device shakes hands again', async ({ expect }) => {
    expect((await phone.carry(meta)).status).toBe(200)

    await endOf(phone.paired.deviceId).close()

    const { envelope } = await phone.session.seal(meta)
    expect(await told('/request', envelope)).toBe(await refusedAs())
    expect((await (await inSession(phone.paired)).carry(meta)).status).toBe(200)
  })
})

describe('a handshake', () => {
  async function first(change: { pattern?: typeof sessionPattern; prologue?: Uint8Array<ArrayBuffer> } = {}) {
    const { publicKey, privateKey, serverKey } = phone.paired
    const [open, kept, remote] = [publicKey, privateKey, serverKey].map((text) => fromBase64(text) ?? new Uint8Array())
    if (open === undefined || kept === undefined || remote === undefined) throw new Error('no keys')
    const own = await openKeptKeyPair(open, kept)
    const keys = { prologue: change.prologue ?? prologue, own, remote }
    return (await Handshake.begin(change.pattern ?? sessionPattern, 'initiator', keys)).write(new Uint8Array())
  }

  async function strangers(): Promise<Uint8Array> {
    const keys = await generateKeptKeyPair()
    const paired = { ...phone.paired, publicKey: toBase64Url(keys.publicKey), privateKey: toBase64Url(keys.kept) }
    return sentBy((post) => TunnelSession.begin(post, paired))
  }

  /** What a client would send. */
  async function sentBy(begin: (post: (way: string, bytes: Uint8Array) => Promise<never>) => Promise<unknown>) {
    let sent: Uint8Array = new Uint8Array()
    await begin(async (_, bytes) => {
      sent = bytes
      throw new Error('not sent')
    }).catch(() => undefined)
    return sent
  }

  const named = (protocol: string) => first({ pattern: { ...sessionPattern, protocol } })
  test.each<readonly [string, () => Promise<Uint8Array>]>([
    ['of nothing', async () => new Uint8Array()],
    ['of zeros', async () => new Uint8Array(96)],
    ['of a device that was never paired', strangers],
    ['for another version', () => first({ prologue: Uint8Array.from(new TextEncoder().encode('wharf tunnel 0')) })],
    [
      'for another service',
      () => sentBy((post) => TunnelSession.begin(post, { ...phone.paired, serverKey: phone.paired.publicKey })),
    ],
    ['with another cipher', () => named('Noise_IK_25519_ChaChaPoly_SHA256')],
    [
      'without the device’s key',
      () =>
        first({
          pattern: {
            ...sessionPattern,
            messages: [
              ['e', 'es'],
              ['e', 'ee'],
            ],
          },
        }),
    ],
    [
      'that says the device’s key in the open',
      async () => {
        const sealed = await first()
        return new Uint8Array([
          ...sealed.slice(0, 32),
          ...(fromBase64(phone.paired.publicKey) ?? []),
          ...sealed.slice(64),
        ])
      },
    ],
    ['that was cut', async () => (await first()).slice(0, 95)],
    ['that goes on', async () => new Uint8Array([...(await first()), 0])],
  ])('%s is refused like a request is', async (_, message) => {
    const refused = await told('/session', await message())

    if (refused !== (await refusedAs())) throw new Error(refused)
  })

  test('with any byte changed is refused, and so is whatever is no handshake', async ({ expect }) => {
    const message = await first()
    const way = fc.constantFrom('/session', '/pair/key', '/pair', '/request')
    const changed = fc.record({ at: fc.nat(message.length - 1), bit: fc.integer({ min: 0, max: 7 }) })
    const noise = fc.uint8Array({ maxLength: 300 })
    await fc.assert(
      fc.asyncProperty(way, fc.oneof(changed, noise), async (path, what) => {
        const bytes =
          what instanceof Uint8Array
            ? what
            : message.map((byte, index) => (index === what.at ? byte ^ (1 << what.bit) : byte))
        const response = await post(path, bytes)
        expect([response.status, (await response.json<{ error: string }>()).error]).toEqual([401, 'unauthorized'])
      }),
      { seed, numRuns },
    )
  })

  test('sent again by somebody else opens nothing, and displaces no session in use', async ({ expect }) => {
    expect((await phone.carry(meta)).status).toBe(200)
    const message = await first()

    for (let times = 0; times < 12; times += 1) expect((await post('/session', message)).status).toBe(200)

    expect((await phone.carry(meta)).status).toBe(200)
  })

  test(`is begun up to ${handshakesMax} times a minute from one address`, async ({ expect }) => {
    let nowMs = Date.now()
    const { service: counting } = serviceWith(undefined, { nowMs: () => nowMs })
    const from = newAddress()
    const begin = async (address: string) => postBytes('/session', await first(), address, counting)
    const statuses: number[] = []
    for (let times = 0; times <= handshakesMax; times += 1) statuses.push((await begin(from)).status)

    expect(statuses).toEqual([...Array(handshakesMax).fill(200), 429])
    const shut = await begin(from)
    expect([shut.headers.get('retry-after'), (await shut.json<{ error: string }>()).error]).toEqual(['2', 'too_many'])
    expect((await begin(newAddress())).status).toBe(200)
    nowMs += 2000
    expect([(await begin(from)).status, (await begin(from)).status]).toEqual([200, 429])
  })

  test('made up by the thousand, from addresses of any length, leaves nothing behind', async ({ expect }) => {
    const nowMs = Date.now()
    const { service: counting } = serviceWith(undefined, { nowMs: () => nowMs })
    const forged = new Uint8Array(96)
    const statuses = new Set<number>()
    for (let times = 0; times < 1000; times += 1) {
      const from = times % 2 === 0 ? newAddress() : `${times}${'x'.repeat(4000)}`
      statuses.add((await postBytes('/session', forged, from, counting)).status)
    }

    expect([...statuses].sort()).toEqual([401, 429])
    expect(await env.DB.prepare('select count(*) as count from attempts').first('count')).toBe(0)
  })

  test('needs the master key, and a new one makes a new key', async ({ expect }) => {
    const db = drizzle(env.DB)
    const boxOf = (key: string | undefined) => {
      let check: string | undefined
      return createSecretBox(key, {
        read: async () => check,
        writeFirst: async (sealed) => {
          check ??= sealed
        },
        replace: async (sealed) => {
          check = sealed
        },
      })
    }
    const row = () => env.DB.prepare('select * from tunnel_key').first<{ public_key: string; sealed: string }>()
    const before = await row()
    const clock = { nowMs: () => Date.now() }
    const fresh = toBase64(new Uint8Array(32).fill(7))

    expect(await createTunnelKey(db, boxOf(undefined), clock)()).toBeUndefined()
    expect(await row()).toEqual(before)
    const made = await Promise.all([
      createTunnelKey(db, boxOf(fresh), clock)(),
      createTunnelKey(db, boxOf(fresh), clock)(),
    ])
    expect((await row())?.public_key).not.toBe(before?.public_key)
    expect(made.map((pair) => toBase64Url(pair?.publicKey ?? new Uint8Array()))).toContain((await row())?.public_key)
    await env.DB.prepare('update tunnel_key set public_key = ?, sealed = ?')
      .bind(before?.public_key, before?.sealed)
      .run()
  })
})

describe('what a request may be', () => {
  const path = (bytes: number) => `${appPrefix}/meta?${'x'.repeat(bytes - appPrefix.length - '/meta?'.length)}`

  test.each<readonly [string, TunnelRequest, number]>([
    ['a path of as many bytes as may be', { method: 'GET', path: path(carriedPathBytesMax) }, 200],
    ['a path of one more', { method: 'GET', path: path(carriedPathBytesMax + 1) }, 400],
    ['a path of letters that take more', { method: 'GET', path: `${appPrefix}/${'路'.repeat(700)}` }, 400],
    ['a path with a space', { method: 'GET', path: `${appPrefix}/meta ?` }, 400],
    ['another address', { method: 'GET', path: 'http://other.invalid/' }, 400],
    ['a method in small letters', { method: 'get', path: `${appPrefix}/meta` }, 400],
    ['a method that leads elsewhere', { method: 'CONNECT', path: `${appPrefix}/meta` }, 400],
    ['a header that is none', { method: 'GET', path: `${appPrefix}/meta`, headers: { accept: 'a\nb' } }, 400],
    ['GET with a body', { ...meta, body: new Uint8Array(3) }, 200],
    ['HEAD', { ...meta, method: 'HEAD' }, 200],
    ['OPTIONS', { ...meta, method: 'OPTIONS' }, 405],
  ])('%s', async (_, request, status) => {
    const answer = await phone.carry(request)

    if (
      answer.status !== status ||
      (status === 400 && !new TextDecoder().decode(answer.body).includes('invalid_argument'))
    )
      throw new Error(JSON.stringify(answer))
  })

  test.each<readonly [string, Uint8Array]>([
    ['nothing at all', new Uint8Array()],
    ['a head longer than the message', new Uint8Array([0, 0, 1, 0, 123, 125])],
    [
      'a head over its length',
      joinMessage({ ...meta, headers: { accept: 'x'.repeat(carriedHeadBytesMax) } }, new Uint8Array()),
    ],
    ['a head that is no JSON', new Uint8Array([0, 0, 0, 1, 123])],
    ['a head with more than it may have', joinMessage({ ...meta, caller: 'session' }, new Uint8Array())],
  ])('%s in a good seal is answered in the seal', async (_, message) => {
    const answer = await phone.session.open(...(await exchangeRaw(message)))

    if (answer.status !== 400) throw new Error(JSON.stringify(answer))
  })

  /** Seals bytes that no client would. */
  async function exchangeRaw(message: Uint8Array): Promise<readonly [number, Uint8Array]> {
    const { number, envelope } = await phone.session.sealBytes(Uint8Array.from(message))
    return [number, await (await post('/request', envelope)).bytes()]
  }

  test('a body of exactly 1 MiB is read, one more is refused by the interface, and far more by the tunnel', async ({
    expect,
  }) => {
    const ask = (bytes: number) => {
      const body = new Uint8Array(bytes).fill(0x20)
      body.set(new TextEncoder().encode('{"keyword":""}'))
      return phone.carry({ method: 'POST', path: `${appPrefix}/search`, body })
    }
    const errorOf = async (bytes: number) => JSON.parse(new TextDecoder().decode((await ask(bytes)).body)).error

    expect(await errorOf(bodyBytesMax)).toBe('invalid_argument')
    expect(await errorOf(bodyBytesMax + 1)).toBe('invalid_body')
    await expect(ask(envelopeBytesMax)).rejects.toMatchObject({ status: 400 })
    const tooLong = await post('/session', new Uint8Array(handshakeBytesMax + 1))
    expect([tooLong.status, (await tooLong.json<{ error: string }>()).error]).toEqual([400, 'invalid_body'])
    expect((await post('/session', new Uint8Array(handshakeBytesMax))).status).toBe(401)
  })

  test('its headers go on and come back as far as they are named, and images come whole', async ({ expect }) => {
    const service = new ServiceUnderTest('tunnel')
    await service.control()
    await changeSetting(owner, 'metadata', { api_address: '', image_address: `${service.address}/t/p` })
    const image = { method: 'GET', path: `${appPrefix}/images/tmdb/w342/poster.jpg` }

    const got = await phone.carry(image)
    const direct = await send('GET', image.path, owner)
    expect([got.status, [...got.body]]).toEqual([200, [...direct.body]])
    expect(Object.keys(got.headers).sort()).toEqual(['cache-control', 'content-type', 'etag'])
    const etag = got.headers['etag'] ?? ''
    const same = await phone.carry({ ...image, headers: { 'If-None-Match': etag } })
    expect([same.status, same.body.length]).toEqual([304, 0])
    // A device is who its key says; whatever else it claims, in the tunnel or around it, is not looked at.
    const claims = {
      cookie: owner['cookie'] ?? '',
      authorization: 'Bearer x',
      'x-request-id': 'mine',
      caller: 'session',
    }
    const who = await phone.carry({ ...meta, headers: claims })
    expect(JSON.parse(new TextDecoder().decode(who.body)).principal.kind).toBe('remote_device')
    expect((await send('GET', meta.path, { caller: 'remote_device', 'x-caller': phone.paired.deviceId })).status).toBe(
      401,
    )
  })

  test(`${carriedRequestsMax} of one session are under way, and the next one is told so`, async ({ expect }) => {
    const gate = Promise.withResolvers<void>()
    let begun = 0
    const held = createTunnelApp(async () => {
      begun += 1
      await gate.promise
      return Response.json({})
    })
    const slow = serviceWith(held).service
    const [one, another] = [await inSession(phone.paired, slow), await inSession(phone.paired, slow)]
    const waiting = Array.from({ length: carriedRequestsMax }, () => one.carry(meta))
    await expect.poll(() => begun).toBe(carriedRequestsMax)

    const refused = await one.carry(meta)
    expect([refused.status, JSON.parse(new TextDecoder().decode(refused.body)).error]).toEqual([429, 'too_many'])
    // The bound is a session's own.
    const elsewhere = another.carry(meta)
    await expect.poll(() => begun).toBe(carriedRequestsMax + 1)
    gate.resolve()
    expect((await Promise.all([...waiting, elsewhere])).every(({ status }) => status === 200)).toBe(true)
    expect((await one.carry(meta)).status).toBe(200)
  })
})

test.each([
  ['GET', '/request', 405],
  ['PUT', '/pair', 405],
  ['GET', '/pair/key', 405],
  ['POST', '/', 404],
  ['POST', '/requests', 404],
  ['POST', '/request/', 404],
])('%s %s of the tunnel answers %i in the shape of every error', async (method, path, status) => {
  const answer = await send(method, `/api/tunnel/v1${path}`)

  if (answer.status !== status || (status === 405) !== (answer.headers.get('allow') === 'POST'))
    throw new Error(JSON.stringify(answer))
})
