/**
 * A push service and the browser behind it. What it asks of a sender follows RFC 8030 (section 5: `TTL`, 201 with the
 * message's address), RFC 8188 (`aes128gcm`, one record of at most 4,096 bytes), RFC 8291 (the keys, 4,096 bytes of body at
 * most) and RFC 8292 (the token: ES256, `aud`, `exp` within a day, `sub`, and the key that the subscription was made with).
 * It calculates with Node's own cryptography, which the service does not use.
 */
import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  hkdfSync,
  type JsonWebKey,
  randomBytes,
  randomUUID,
  verify,
} from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer, json } from 'node:stream/consumers'
import { endServer, listenToKept } from './loopback.ts'

const bodyBytesMax = 4096
const daySeconds = 24 * 3600

interface Subscription {
  readonly ecdh: ReturnType<typeof createECDH>
  readonly auth: Buffer
  /** Which sender it was made for. */
  readonly senderKey: string
  readonly taken: unknown[]
  isGone: boolean
}

export interface StandInPushService {
  readonly origin: string
  stop(): Promise<void>
}

class Refused extends Error {
  readonly status: number
  constructor(status: number, why: string) {
    super(why)
    this.status = status
  }
}

function check(isRight: boolean, status: number, why: string): void {
  if (!isRight) throw new Refused(status, why)
}

const bytes = (text: string) => Buffer.from(text, 'base64url')

function judgeToken(header: string | undefined, senderKey: string, origin: string): void {
  const found = /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), ?k=([\w-]+)$/.exec(header ?? '')
  if (found === null) throw new Refused(401, 'no token of RFC 8292')
  const [, head = '', claims = '', signature = '', key = ''] = found
  check(key === senderKey, 403, 'another key than the one the browser subscribed with')
  const point = bytes(key)
  check(point.length === 65 && point[0] === 4, 403, 'the key is no uncompressed point')
  const jwk: JsonWebKey = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' })
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    bytes(signature),
  )
  check(isSigned, 403, 'the signature is wrong')
  const { typ, alg } = JSON.parse(bytes(head).toString()) as Record<string, unknown>
  check(typ === 'JWT' && alg === 'ES256', 403, 'no JWT with ES256')
  const { aud, exp, sub } = JSON.parse(bytes(claims).toString()) as Record<string, unknown>
  check(aud === origin, 403, `the token is for ${String(aud)}`)
  const now = Date.now() / 1000
  check(typeof exp === 'number' && exp > now && exp <= now + daySeconds, 403, 'exp is past, or more than a day away')
  check(typeof sub === 'string' && /^(?:mailto:[^@\s]+@[^@\s]+|https:\/\/)/.test(sub), 403, 'sub is no address')
}

function decrypt(body: Buffer, { ecdh, auth }: Subscription): unknown {
  check(body.length <= bodyBytesMax, 413, 'too long')
  const salt = body.subarray(0, 16)
  const recordBytes = body.readUInt32BE(16)
  const idBytes = body[20] ?? 0
  check(idBytes === 65, 400, 'the key id is no point')
  const sender = body.subarray(21, 21 + idBytes)
  const record = body.subarray(21 + idBytes)
  check(record.length > 17 && record.length <= recordBytes, 400, 'more than one record')
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), sender])
  const secret = Buffer.from(hkdfSync('sha256', ecdh.computeSecret(sender), auth, info, 32))
  const of = (name: string, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, Buffer.from(`Content-Encoding: ${name}\0`), length))
  const cipher = createDecipheriv('aes-128-gcm', of('aes128gcm', 16), of('nonce', 12))
  cipher.setAuthTag(record.subarray(-16))
  const plain = Buffer.concat([cipher.update(record.subarray(0, -16)), cipher.final()])
  const end = plain.findLastIndex((byte) => byte !== 0)
  check(plain[end] === 2, 400, 'the record is not marked as the last one')
  return JSON.parse(plain.subarray(0, end).toString())
}

export async function startStandInPushService(): Promise<StandInPushService> {
  const subscriptions = new Map<string, Subscription>()
  let origin = ''

  /** `/subscribe` with the sender's key; `/push/{id}` for senders; `/control/{id}` tells what came, or ends it. */
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, first = '', id = ''] = (request.url ?? '').split('/')
    if (first === 'subscribe') {
      const { key } = (await json(request)) as { key: string }
      const ecdh = createECDH('prime256v1')
      ecdh.generateKeys()
      const auth = randomBytes(16)
      const name = randomUUID()
      subscriptions.set(name, { ecdh, auth, senderKey: key, taken: [], isGone: false })
      const keys = { p256dh: ecdh.getPublicKey('base64url'), auth: auth.toString('base64url') }
      response.end(JSON.stringify({ endpoint: `${origin}/push/${name}`, keys }))
      return
    }
    const subscription = subscriptions.get(id)
    if (subscription === undefined) throw new Refused(404, 'no such subscription')
    if (first === 'control') {
      if (request.method === 'DELETE') subscription.isGone = true
      response.end(JSON.stringify(subscription.taken))
      return
    }
    const body = await buffer(request)
    const { headers } = request
    check(first === 'push' && request.method === 'POST', 405, 'no POST')
    check(!subscription.isGone, 410, 'unsubscribed')
    judgeToken(headers.authorization, subscription.senderKey, origin)
    check(/^\d{1,8}$/.test(String(headers['ttl'])), 400, 'no TTL')
    check(/^(?:very-low|low|normal|high)$/.test(String(headers['urgency'] ?? 'normal')), 400, 'no urgency of RFC 8030')
    check(headers['content-encoding'] === 'aes128gcm', 415, 'another coding')
    subscription.taken.push(decrypt(body, subscription))
    response.writeHead(201, { location: `${origin}/message/${randomUUID()}` })
    response.end()
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((cause: unknown) => {
      response.writeHead(cause instanceof Refused ? cause.status : 400)
      response.end(String(cause))
    })
  })
  origin = (await listenToKept(server)).url
  return {
    origin,
    stop: () => endServer(server),
  }
}
