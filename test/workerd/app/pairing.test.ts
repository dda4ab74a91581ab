/** What a device proves while it is paired, and what others can make of what they overhear. */
import { env } from 'cloudflare:workers'
import { beforeEach, describe, test } from 'vitest'
import { pairDevice, TunnelSession } from '../../../scripts/tunnel-client.ts'
import {
  generateKeptKeyPair,
  Handshake,
  introductionPattern,
  openKeptKeyPair,
  pairingPattern,
  sessionPattern,
} from '../../../workers/app/adapters/tunnel/noise.ts'
import { sha256 } from '../../../workers/app/adapters/web-crypto.ts'
import { consolePrefix } from '../../../workers/app/app.ts'
import { pairingPrologue } from '../../../workers/app/contract/tunnel.ts'
import { fromBase64 } from '../../../workers/app/core/bytes.ts'
import { ownerSession, send } from '../../support/workerd/app-client.ts'
import { makeCode, makeDevice, newPost, postBytes } from '../../support/workerd/devices.ts'

const utf8 = (text: string) => Uint8Array.from(new TextEncoder().encode(text))
const bytesOf = (text: string) => fromBase64(text) ?? new Uint8Array()
const prologue = utf8(pairingPrologue)
const secretOf = async (code: string) => Uint8Array.from(sha256(code.replaceAll('-', '')))

const owner = await ownerSession()

beforeEach(async () => {
  await env.DB.batch(['devices', 'pairing_code'].map((table) => env.DB.prepare(`delete from ${table}`)))
})

const listed = async () => (await send('GET', `${consolePrefix}/devices`, owner)).body.items

async function introduced(code: string): Promise<Uint8Array<ArrayBuffer>> {
  const handshake = await Handshake.begin(introductionPattern, 'initiator', { prologue, secret: await secretOf(code) })
  const reply = await newPost()('/pair/key', await handshake.write(new Uint8Array()))
  const told = JSON.parse(new TextDecoder().decode(await handshake.read(Uint8Array.from(reply.bytes))))
  expectOnly(told, 'server_key')
  return bytesOf(told.server_key)
}

function expectOnly(told: object, field: string): void {
  if (Object.keys(told).join() !== field) throw new Error(JSON.stringify(told))
}

async function newPair() {
  const { publicKey, kept } = await generateKeptKeyPair()
  return openKeptKeyPair(publicKey, kept)
}

describe('a device that is paired', () => {
  test('is asked for nothing but the code to know the service’s key, and the code is good still', async ({
    expect,
  }) => {
    const code = await makeCode(owner, 'full')

    expect(await introduced(code)).toEqual(await introduced(code))
    expect(await listed()).toEqual([])
    const { device } = await pairDevice(newPost(), code, 'phone')
    await TunnelSession.begin(newPost(), device)
  })

  test('shows a key that it has: that of another one is taken from nobody', async ({ expect }) => {
    const { paired, id } = await makeDevice(owner, 'read', 'phone')
    const code = await makeCode(owner, 'full')
    const remote = await introduced(code)
    const mine = await newPair()
    // The thief shows the other device's key and agrees by its own.
    const stolen = { publicKey: bytesOf(paired.publicKey), privateKey: mine.privateKey }
    const secret = await secretOf(code)
    const handshake = await Handshake.begin(pairingPattern, 'initiator', { prologue, secret, own: stolen, remote })

    const { status } = await newPost()('/pair', await handshake.write(utf8('{"name":"thief"}')))

    expect(status).toBe(401)
    expect(await listed()).toMatchObject([{ id, name: 'phone', permission: 'read' }])
  })

  test.for([
    ['without the code', { code: 'AAAA-AAAA-AAAA-AAAA' }],
    ['under the prologue of sessions', { prologue: utf8('wharf tunnel 1') }],
    ['with a key in the open, as devices once did', { payload: '{"name":"a","key":"AAAA"}' }],
    ['with nothing', { payload: '' }],
  ] as const)('is refused %s', async ([_, flaw], { expect }) => {
    const code = await makeCode(owner, 'full')
    const remote = await introduced(code)
    const secret = await secretOf('code' in flaw ? flaw.code : code)
    const keys = { prologue: 'prologue' in flaw ? flaw.prologue : prologue, secret, own: await newPair(), remote }
    const handshake = await Handshake.begin(pairingPattern, 'initiator', keys)
    const payload = 'payload' in flaw ? flaw.payload : '{"name":"a"}'

    expect((await newPost()('/pair', await handshake.write(utf8(payload)))).status).toBe(401)
    expect(await listed()).toEqual([])
  })

  test('says it once: what was overheard is refused, before and after', async ({ expect }) => {
    const code = await makeCode(owner, 'full')
    const sent: { way: string; bytes: Uint8Array }[] = []
    const post = newPost()
    await pairDevice(
      async (way, bytes) => {
        sent.push({ way, bytes })
        return post(way, bytes)
      },
      code,
      'phone',
    )
    await makeCode(owner, 'full')

    for (const { way, bytes } of sent) expect((await postBytes(way, bytes, crypto.randomUUID())).status).toBe(401)
    expect(await listed()).toHaveLength(1)
  })
})

describe('who overheard a pairing and later learns the code', () => {
  test('can check it, and reads neither names nor keys', async ({ expect }) => {
    const code = await makeCode(owner, 'full')
    const overheard: Uint8Array<ArrayBuffer>[] = []
    const post = newPost()
    await pairDevice(
      async (way, bytes) => {
        const reply = await post(way, bytes)
        overheard.push(Uint8Array.from(bytes), Uint8Array.from(reply.bytes))
        return reply
      },
      code,
      'phone',
    )
    const [introduction = new Uint8Array(), , pairing = new Uint8Array()] = overheard
    const listen = async (typed: string) =>
      Handshake.begin(introductionPattern, 'responder', { prologue, secret: await secretOf(typed) })

    await expect((await listen('AAAA-AAAA-AAAA-AAAA')).read(introduction)).rejects.toThrow()
    expect((await (await listen(code)).read(introduction)).length).toBe(0)
    // Everything after that is under keys that only the two sides can agree on.
    const own = await newPair()
    const ears = await Handshake.begin(pairingPattern, 'responder', { prologue, secret: await secretOf(code), own })
    await expect(ears.read(pairing)).rejects.toThrow()
  })
})

test('a device of before goes on: sessions have a version of their own', async ({ expect }) => {
  const { paired } = await makeDevice(owner, 'full')
  const own = await openKeptKeyPair(bytesOf(paired.publicKey), bytesOf(paired.privateKey))
  const keys = { prologue: utf8('wharf tunnel 1'), own, remote: bytesOf(paired.serverKey) }
  const handshake = await Handshake.begin(sessionPattern, 'initiator', keys)
  const reply = await newPost()('/session', await handshake.write(new Uint8Array()))

  expect(JSON.parse(new TextDecoder().decode(await handshake.read(Uint8Array.from(reply.bytes))))).toMatchObject({
    idle_seconds: 900,
  })
})
