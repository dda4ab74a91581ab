/**
 * Handshakes of the Noise Protocol Framework (revision 34) with X25519, AES-256-GCM and SHA-256, on the Web Crypto API.
 * Every message mixes the whole transcript before it into the keys, so a changed byte anywhere ends the handshake.
 */

type Bytes = Uint8Array<ArrayBuffer>
/** As the runtime at hand names it: this file runs in the Worker, in Node and in browsers. */
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>
type Token = 'e' | 's' | 'ee' | 'es' | 'se' | 'ss' | 'psk'

interface Pattern {
  readonly protocol: string
  /** The initiator knows the responder's static key beforehand. */
  readonly responderIsKnown: boolean
  readonly messages: readonly (readonly Token[])[]
}

/** Two strangers with a secret in common: how one learns the other's key. */
export const introductionPattern: Pattern = {
  protocol: 'Noise_NNpsk0_25519_AESGCM_SHA256',
  responderIsKnown: false,
  messages: [
    ['psk', 'e'],
    ['e', 'ee'],
  ],
}

/** With the secret and the responder's key: who begins proves both the secret and the key that it shows. */
export const pairingPattern: Pattern = {
  protocol: 'Noise_IKpsk0_25519_AESGCM_SHA256',
  responderIsKnown: true,
  messages: [
    ['psk', 'e', 'es', 's', 'ss'],
    ['e', 'ee', 'se'],
  ],
}

/** Two that know each other's keys; the keys of the session go with it. */
export const sessionPattern: Pattern = {
  protocol: 'Noise_IK_25519_AESGCM_SHA256',
  responderIsKnown: true,
  messages: [
    ['e', 'es', 's', 'ss'],
    ['e', 'ee', 'se'],
  ],
}

const keyBytes = 32
const tagBytes = 16
const nonceBytes = 12

export interface KeyPair {
  readonly publicKey: Bytes
  readonly privateKey: Key
}

/** A message that is none: too short, changed, or made with another key. */
export class NoiseError extends Error {}

async function generateKeyPair(): Promise<KeyPair> {
  const pair = (await crypto.subtle.generateKey('X25519', false, ['deriveBits'])) as { publicKey: Key; privateKey: Key }
  return { publicKey: await rawPublicKey(pair.publicKey), privateKey: pair.privateKey }
}

/** A pair that can be written down: its private half as PKCS #8. */
export async function generateKeptKeyPair(): Promise<{ readonly publicKey: Bytes; readonly kept: Bytes }> {
  const pair = (await crypto.subtle.generateKey('X25519', true, ['deriveBits'])) as { publicKey: Key; privateKey: Key }
  const kept = (await crypto.subtle.exportKey('pkcs8', pair.privateKey)) as ArrayBuffer
  return { publicKey: await rawPublicKey(pair.publicKey), kept: new Uint8Array(kept) }
}

export async function openKeptKeyPair(publicKey: Bytes, kept: Bytes): Promise<KeyPair> {
  return { publicKey, privateKey: await crypto.subtle.importKey('pkcs8', kept, 'X25519', false, ['deriveBits']) }
}

async function rawPublicKey(key: Key): Promise<Bytes> {
  return new Uint8Array((await crypto.subtle.exportKey('raw', key)) as ArrayBuffer)
}

/** One direction of a finished handshake. A number is used for one message only. */
export class CipherKey {
  readonly #key: Key

  private constructor(key: Key) {
    this.#key = key
  }

  static async from(raw: Bytes): Promise<CipherKey> {
    return new CipherKey(await crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt', 'decrypt']))
  }

  async seal(number: number, plain: Bytes, context: Bytes = new Uint8Array()): Promise<Bytes> {
    return new Uint8Array(await crypto.subtle.encrypt(parameters(number, context), this.#key, plain))
  }

  /** Undefined for anything that was not sealed with this key, under this number and in this context. */
  async open(number: number, sealed: Bytes, context: Bytes = new Uint8Array()): Promise<Bytes | undefined> {
    if (sealed.length < tagBytes) return undefined
    try {
      return new Uint8Array(await crypto.subtle.decrypt(parameters(number, context), this.#key, sealed))
    } catch {
      return undefined
    }
  }
}

function parameters(number: number, additionalData: Bytes) {
  const iv = new Uint8Array(nonceBytes)
  new DataView(iv.buffer).setBigUint64(4, BigInt(number))
  return { name: 'AES-GCM', iv, additionalData }
}

export interface HandshakeKeys {
  readonly prologue: Bytes
  readonly own?: KeyPair
  readonly remote?: Bytes
  readonly secret?: Bytes
  /** For published examples, whose ephemeral keys are given. */
  readonly generate?: () => Promise<KeyPair>
}

/** One side of a handshake: messages are written and read in turn, the initiator's first. */
export class Handshake {
  readonly #pattern: Pattern
  readonly #isInitiator: boolean
  readonly #keys: HandshakeKeys
  #message = 0
  #chain: Bytes
  #hash: Bytes
  #key: CipherKey | undefined
  #number = 0
  #ephemeral: KeyPair | undefined
  #remoteEphemeral: Bytes | undefined
  #remote: Bytes | undefined

  private constructor(pattern: Pattern, isInitiator: boolean, keys: HandshakeKeys, start: Bytes) {
    this.#pattern = pattern
    this.#isInitiator = isInitiator
    this.#keys = keys
    this.#chain = start
    this.#hash = start
    this.#remote = keys.remote
  }

  static async begin(pattern: Pattern, role: 'initiator' | 'responder', keys: HandshakeKeys): Promise<Handshake> {
    // A name of up to 32 bytes stands for itself.
    const name = new TextEncoder().encode(pattern.protocol)
    const start: Bytes = new Uint8Array(keyBytes)
    start.set(name.length <= keyBytes ? name : await digest(Uint8Array.from(name)))
    const handshake = new Handshake(pattern, role === 'initiator', keys, start)
    await handshake.#mixHash(keys.prologue)
    if (pattern.responderIsKnown) {
      const known = role === 'initiator' ? keys.remote : keys.own?.publicKey
      await handshake.#mixHash(needed(known))
    }
    return handshake
  }

  /** The other side's static key, as far as it was read or known. */
  get remote(): Bytes | undefined {
    return this.#remote
  }

  async write(payload: Bytes): Promise<Bytes> {
    const parts: Bytes[] = []
    for (const token of this.#nextTokens()) {
      if (token === 'e') {
        this.#ephemeral = await (this.#keys.generate ?? generateKeyPair)()
        parts.push(this.#ephemeral.publicKey)
        await this.#mixEphemeral(this.#ephemeral.publicKey)
      } else if (token === 's') parts.push(await this.#sealAndMix(needed(this.#keys.own).publicKey))
      else await this.#mix(token)
    }
    parts.push(await this.#sealAndMix(payload))
    return join(...parts)
  }

  /** The payload. Throws a `NoiseError` for anything that is not the message due. */
  async read(message: Bytes): Promise<Bytes> {
    let rest = message
    const take = (bytes: number) => {
      if (rest.length < bytes) throw new NoiseError('the message is too short')
      const part = rest.slice(0, bytes)
      rest = rest.slice(bytes)
      return part
    }
    for (const token of this.#nextTokens()) {
      if (token === 'e') {
        this.#remoteEphemeral = take(keyBytes)
        await this.#mixEphemeral(this.#remoteEphemeral)
      } else if (token === 's') this.#remote = await this.#openAndMix(take(keyBytes + tagBytes))
      else await this.#mix(token)
    }
    return this.#openAndMix(rest)
  }

  /** After the last message: what this side sends with, and what it reads with. */
  async split(): Promise<{ readonly sending: Bytes; readonly receiving: Bytes }> {
    const [initiators, responders] = await expand(this.#chain, new Uint8Array())
    return this.#isInitiator
      ? { sending: initiators, receiving: responders }
      : { sending: responders, receiving: initiators }
  }

  #nextTokens(): readonly Token[] {
    const tokens = this.#pattern.messages[this.#message]
    this.#message += 1
    return needed(tokens)
  }

  async #mix(token: Exclude<Token, 'e' | 's'>): Promise<void> {
    if (token === 'psk') {
      const [chain, toHash, key] = await expand(this.#chain, needed(this.#keys.secret))
      this.#chain = chain
      await this.#mixHash(toHash)
      await this.#useKey(key)
      return
    }
    const [first, second] = this.#isInitiator ? token : [token[1], token[0]]
    const own = first === 'e' ? this.#ephemeral : this.#keys.own
    const remote = second === 'e' ? this.#remoteEphemeral : this.#remote
    await this.#mixKey(await agree(needed(own).privateKey, needed(remote)))
  }

  /** Where a secret is shared beforehand, ephemeral keys are mixed into the keys too. */
  async #mixEphemeral(publicKey: Bytes): Promise<void> {
    await this.#mixHash(publicKey)
    if (this.#keys.secret !== undefined) await this.#mixKey(publicKey)
  }

  async #mixKey(material: Bytes): Promise<void> {
    const [chain, key] = await expand(this.#chain, material)
    this.#chain = chain
    await this.#useKey(key)
  }

  async #useKey(raw: Bytes): Promise<void> {
    this.#key = await CipherKey.from(raw)
    this.#number = 0
  }

  async #mixHash(data: Bytes): Promise<void> {
    this.#hash = await digest(join(this.#hash, data))
  }

  async #sealAndMix(plain: Bytes): Promise<Bytes> {
    const sealed = this.#key === undefined ? plain : await this.#key.seal(this.#number, plain, this.#hash)
    this.#number += 1
    await this.#mixHash(sealed)
    return sealed
  }

  async #openAndMix(sealed: Bytes): Promise<Bytes> {
    const plain = this.#key === undefined ? sealed : await this.#key.open(this.#number, sealed, this.#hash)
    if (plain === undefined) throw new NoiseError('the message does not open')
    this.#number += 1
    await this.#mixHash(sealed)
    return plain
  }
}

async function agree(own: Key, remote: Bytes): Promise<Bytes> {
  try {
    const key = await crypto.subtle.importKey('raw', remote, 'X25519', false, [])
    // The generated types write the name of this field with a mark that the runtime takes off.
    const algorithm = { name: 'X25519', public: key } as unknown as Parameters<typeof crypto.subtle.deriveBits>[0]
    return new Uint8Array(await crypto.subtle.deriveBits(algorithm, own, keyBytes * 8))
  } catch {
    // A point of small order, which agrees on nothing secret.
    throw new NoiseError('the key is none')
  }
}

/** Noise's HKDF: three outputs, of which most steps use two. */
async function expand(chain: Bytes, material: Bytes): Promise<[Bytes, Bytes, Bytes]> {
  const extracted = await authenticate(chain, material)
  const first = await authenticate(extracted, Uint8Array.of(1))
  const second = await authenticate(extracted, join(first, Uint8Array.of(2)))
  return [first, second, await authenticate(extracted, join(second, Uint8Array.of(3)))]
}

async function authenticate(key: Bytes, data: Bytes): Promise<Bytes> {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, data))
}

async function digest(data: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', data))
}

function join(...parts: readonly Bytes[]): Bytes {
  const joined = new Uint8Array(parts.reduce((total, part) => total + part.length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

function needed<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the handshake was begun without a key it needs')
  return value
}
