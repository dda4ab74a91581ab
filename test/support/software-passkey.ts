/**
 * An authenticator in software, with what it may get wrong: Web Authentication Level 3, sections 5.8.1 (client data),
 * 6.1 (authenticator data), 6.5.4 (attestation object of format none), RFC 9053 (COSE key of ES256).
 */
type Bytes = Uint8Array<ArrayBuffer>

type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>
interface Keys {
  readonly publicKey: Key
  readonly privateKey: Key
}

interface ClientView {
  readonly challenge: string
  readonly origin: string
  readonly host: string
}

/** Where an answer is to differ from a right one. */
export interface Flaws {
  readonly type?: string
  readonly crossOrigin?: boolean
  readonly topOrigin?: string
  readonly flags?: number
  readonly counter?: number
  readonly userHandle?: string
  readonly signature?: (right: Bytes) => Bytes
}

const flagsOf = { userPresent: 0x01, userVerified: 0x04, attested: 0x40 } as const
const verified = flagsOf.userPresent | flagsOf.userVerified

export class SoftwarePasskey {
  readonly id: string
  readonly #keys: Keys
  readonly #rawId: Bytes
  counter = 0
  /** As it was told when it was made; an authenticator that finds its keys itself tells it with each answer. */
  userHandle: string | undefined

  private constructor(keys: Keys) {
    this.#keys = keys
    this.#rawId = crypto.getRandomValues(new Uint8Array(16))
    this.id = toText(this.#rawId)
  }

  static async make(): Promise<SoftwarePasskey> {
    const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
    return new SoftwarePasskey(keys as Keys)
  }

  /** What a browser answers to `create`. */
  async attest(view: ClientView, flaws: Flaws = {}) {
    const { x = '', y = '' } = (await crypto.subtle.exportKey('jwk', this.#keys.publicKey)) as {
      x?: string
      y?: string
    }
    const key = [
      Uint8Array.of(0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20),
      toBytes(x),
      Uint8Array.of(0x22, 0x58, 0x20),
      toBytes(y),
    ]
    const flags = flaws.flags ?? verified | flagsOf.attested
    const head = await authenticatorHead(view.host, flags, flaws.counter ?? this.counter)
    const idLength = Uint8Array.of(0, this.#rawId.length)
    const authenticatorData = join(head, new Uint8Array(16), idLength, this.#rawId, ...key)
    const attestationObject = join(
      Uint8Array.of(0xa3),
      cborText('fmt'),
      cborText('none'),
      cborText('attStmt'),
      Uint8Array.of(0xa0),
      cborText('authData'),
      Uint8Array.of(0x58, authenticatorData.length),
      authenticatorData,
    )
    const clientDataJSON = clientData(flaws.type ?? 'webauthn.create', view, flaws)
    return {
      id: this.id,
      response: { clientDataJSON: toText(clientDataJSON), attestationObject: toText(attestationObject) },
    }
  }

  /** What a browser answers to `get`. */
  async assert(view: ClientView, flaws: Flaws = {}) {
    const authenticatorData = await authenticatorHead(view.host, flaws.flags ?? verified, flaws.counter ?? this.counter)
    const clientDataJSON = clientData(flaws.type ?? 'webauthn.get', view, flaws)
    const userHandle = flaws.userHandle ?? this.userHandle
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', clientDataJSON))
    const signed = join(authenticatorData, hash)
    const plain = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, this.#keys.privateKey, signed)
    const signature = derOf(new Uint8Array(plain))
    return {
      id: this.id,
      response: {
        clientDataJSON: toText(clientDataJSON),
        authenticatorData: toText(authenticatorData),
        signature: toText(flaws.signature?.(signature) ?? signature),
        ...(userHandle === undefined ? {} : { userHandle }),
      },
    }
  }
}

function clientData(type: string, { challenge, origin }: ClientView, { crossOrigin, topOrigin }: Flaws): Bytes {
  const data = {
    type,
    challenge,
    origin,
    crossOrigin: crossOrigin ?? false,
    ...(topOrigin === undefined ? {} : { topOrigin }),
  }
  return utf8(JSON.stringify(data))
}

async function authenticatorHead(host: string, flags: number, counter: number): Promise<Bytes> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', utf8(host)))
  const tail = new Uint8Array(5)
  tail[0] = flags
  new DataView(tail.buffer).setUint32(1, counter)
  return join(hash, tail)
}

/** Two numbers of 32 bytes as the sequence that authenticators sign with. */
function derOf(plain: Bytes): Bytes {
  const numbers = [plain.subarray(0, 32), plain.subarray(32)].map((number) => {
    const from = number.findIndex((byte) => byte !== 0)
    const short = number.subarray(from === -1 ? 31 : from)
    const body = (short[0] ?? 0) >= 0x80 ? join(Uint8Array.of(0), short) : short
    return join(Uint8Array.of(0x02, body.length), body)
  })
  const body = join(...numbers)
  return join(Uint8Array.of(0x30, body.length), body)
}

function cborText(text: string): Bytes {
  return join(Uint8Array.of(0x60 + text.length), utf8(text))
}

function join(...pieces: readonly Uint8Array[]): Bytes {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

function utf8(text: string): Bytes {
  return Uint8Array.from(new TextEncoder().encode(text))
}

function toText(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '')
}

function toBytes(text: string): Bytes {
  return Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (character) => character.charCodeAt(0))
}
