/**
 * A message to a browser by way of the push service that it is subscribed at: encrypted for the browser alone (RFC 8291,
 * in the coding of RFC 8188), and signed with a key by which the push service knows the sender (RFC 8292).
 */

import { joinBytes } from '#shared/kernel/join-bytes.ts'
import { fromBase64, toBase64Url } from '../core/bytes.ts'
import type { PushSubscriptionKeys } from '../core/channel.ts'
import { pushTokenSeconds } from '../limits.ts'

const curve = { name: 'ECDH', namedCurve: 'P-256' } as const
const signing = { name: 'ECDSA', namedCurve: 'P-256' } as const
const saltBytes = 16
const recordBytes = 4096
const keyBytes = 16
const nonceBytes = 12
/** After the last record's text, which is the only one. */
const lastRecordEnd = 2
const utf8 = new TextEncoder()

/** The owner's key for push services: its public point, uncompressed, and the key that signs. */
export interface PushKey {
  readonly publicKey: string
  readonly privateKey: CryptoKey
}

/** What may be chosen freely, and is random unless a published example is calculated again. */
export interface PushRandomness {
  readonly salt: Uint8Array<ArrayBuffer>
  readonly keys: CryptoKeyPair
}

async function newRandomness(): Promise<PushRandomness> {
  return {
    salt: crypto.getRandomValues(new Uint8Array(saltBytes)),
    keys: (await crypto.subtle.generateKey(curve, true, ['deriveBits'])) as CryptoKeyPair,
  }
}

/** Of what was judged when it was stored. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const bytes = fromBase64(base64)
  if (bytes === undefined) throw new Error('a stored key is no Base64')
  return bytes
}

async function hkdf(secret: BufferSource, salt: BufferSource, info: BufferSource, bytes: number): Promise<Uint8Array> {
  const key = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits'])
  return new Uint8Array(await crypto.subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt, info }, key, bytes * 8))
}

/** The body of the request: one record, with its head. The text has to fit into it. */
export async function encryptPush(
  text: string,
  { p256dh, auth }: PushSubscriptionKeys,
  randomness?: PushRandomness,
): Promise<Uint8Array<ArrayBuffer>> {
  const { salt, keys } = randomness ?? (await newRandomness())
  const receiver = bytesOf(p256dh)
  const sender = new Uint8Array((await crypto.subtle.exportKey('raw', keys.publicKey)) as ArrayBuffer)
  const theirs = await crypto.subtle.importKey('raw', receiver, curve, false, [])
  // The types of the runtime write the name of the field as another language needs it.
  const agreement = { name: 'ECDH', public: theirs } as unknown as Parameters<SubtleCrypto['deriveBits']>[0]
  const shared = await crypto.subtle.deriveBits(agreement, keys.privateKey, 256)
  const both = joinBytes([utf8.encode('WebPush: info\0'), receiver, sender])
  const secret = joinBytes([await hkdf(shared, bytesOf(auth), both, 32)])
  const contentKey = await hkdf(secret, salt, utf8.encode('Content-Encoding: aes128gcm\0'), keyBytes)
  const nonce = await hkdf(secret, salt, utf8.encode('Content-Encoding: nonce\0'), nonceBytes)
  const key = await crypto.subtle.importKey('raw', joinBytes([contentKey]), 'AES-GCM', false, ['encrypt'])
  const sealed = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv: joinBytes([nonce]) },
    key,
    joinBytes([utf8.encode(text), Uint8Array.of(lastRecordEnd)]),
  )
  const head = new Uint8Array(5)
  new DataView(head.buffer).setUint32(0, recordBytes)
  head[4] = sender.byteLength
  return joinBytes([salt, head, sender, new Uint8Array(sealed)])
}

/** `subject`: whom a push service may ask about the sender. */
export async function pushAuthorization(
  { publicKey, privateKey }: PushKey,
  endpoint: string,
  subject: string,
  nowUnix: number,
): Promise<string> {
  const part = (value: object) => toBase64Url(utf8.encode(JSON.stringify(value)))
  const claims = { aud: new URL(endpoint).origin, exp: nowUnix + pushTokenSeconds, sub: subject }
  const token = `${part({ typ: 'JWT', alg: 'ES256' })}.${part(claims)}`
  const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, utf8.encode(token))
  return `vapid t=${token}.${toBase64Url(new Uint8Array(signature))}, k=${publicKey}`
}

/** A new key, and the text under which it is kept. */
export async function makePushKey(): Promise<{ readonly publicKey: string; readonly kept: string }> {
  const { publicKey, privateKey } = (await crypto.subtle.generateKey(signing, true, [
    'sign',
    'verify',
  ])) as CryptoKeyPair
  const raw = new Uint8Array((await crypto.subtle.exportKey('raw', publicKey)) as ArrayBuffer)
  const { d = '' } = (await crypto.subtle.exportKey('jwk', privateKey)) as JsonWebKey
  return { publicKey: toBase64Url(raw), kept: d }
}

export async function openPushKey(publicKey: string, kept: string): Promise<PushKey> {
  const point = bytesOf(publicKey)
  const [x, y] = [point.slice(1, 33), point.slice(33)]
  const jwk = { kty: 'EC', crv: 'P-256', x: toBase64Url(x), y: toBase64Url(y), d: kept }
  return { publicKey, privateKey: await crypto.subtle.importKey('jwk', jwk, signing, false, ['sign']) }
}
