/** A device's side of the tunnel, as `docs/tunnel.md` describes it. It runs wherever Web Crypto does. */
import {
  CipherKey,
  generateKeptKeyPair,
  Handshake,
  introductionPattern,
  openKeptKeyPair,
  pairingPattern,
  sessionPattern,
} from '../workers/app/adapters/tunnel/noise.ts'
import { sha256 } from '../workers/app/adapters/web-crypto.ts'
import type { CarriedAnswer, Introduction, PairingAnswer, SessionAnswer } from '../workers/app/contract/tunnel.ts'
import { fromBase64, toBase64Url } from '../workers/app/core/bytes.ts'
import { joinEnvelope, joinMessage, splitMessage } from '../workers/app/core/tunnel/message-layout.ts'
import { readPairingCode } from '../workers/app/core/tunnel/pairing-code.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** Sends bytes to one of the tunnel's four addresses. */
export type Post = (
  path: '/pair/key' | '/pair' | '/session' | '/request',
  bytes: Bytes,
) => Promise<{ readonly status: number; readonly bytes: Uint8Array }>

/** What a device keeps. Whoever has it is the device. */
export interface PairedDevice {
  readonly deviceId: string
  readonly serverKey: string
  readonly publicKey: string
  readonly privateKey: string
}

export interface TunnelRequest {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
}

export interface TunnelAnswer extends CarriedAnswer {
  readonly body: Uint8Array
}

/** An answer of the tunnel itself: nothing of what was sent has happened. */
export class TunnelRefusal extends Error {
  readonly status: number

  constructor(status: number, bytes: Uint8Array) {
    super(new TextDecoder().decode(bytes))
    this.status = status
  }
}

const prologue = utf8('wharf tunnel 1')
const pairing = utf8('wharf pairing 2')
const headBytesMax = 64 * 1024

export async function pairDevice(
  post: Post,
  typedCode: string,
  name: string,
  /** Paired before: it keeps its key, and with it its id and its conversations. */
  before?: PairedDevice,
): Promise<{ readonly device: PairedDevice; readonly answer: PairingAnswer }> {
  const code = readPairingCode(typedCode)
  if (code === undefined) throw new Error('this is no pairing code')
  const { publicKey, privateKey } = before ?? (await newKeys())
  const secret = Uint8Array.from(await sha256(code))
  const introduction = await Handshake.begin(introductionPattern, 'initiator', { prologue: pairing, secret })
  const told = await accepted(post('/pair/key', await introduction.write(new Uint8Array())))
  const { server_key: serverKey } = parse<Introduction>(await introduction.read(told))

  const own = await openKeptKeyPair(bytesOf(publicKey), bytesOf(privateKey))
  const keys = { prologue: pairing, secret, own, remote: bytesOf(serverKey) }
  const handshake = await Handshake.begin(pairingPattern, 'initiator', keys)
  const reply = await accepted(post('/pair', await handshake.write(utf8(JSON.stringify({ name })))))
  const answer = parse<PairingAnswer>(await handshake.read(reply))
  return { device: { deviceId: answer.device_id, serverKey, publicKey, privateKey }, answer }
}

async function newKeys(): Promise<Pick<PairedDevice, 'publicKey' | 'privateKey'>> {
  const { publicKey, kept } = await generateKeptKeyPair()
  return { publicKey: toBase64Url(publicKey), privateKey: toBase64Url(kept) }
}

/** One session: requests may overtake one another, each under a number of its own. */
export class TunnelSession {
  readonly #post: Post
  readonly #name: Bytes
  readonly #sending: CipherKey
  readonly #receiving: CipherKey
  #next = 0

  private constructor(post: Post, name: Bytes, sending: CipherKey, receiving: CipherKey) {
    this.#post = post
    this.#name = name
    this.#sending = sending
    this.#receiving = receiving
  }

  static async begin(post: Post, device: PairedDevice): Promise<TunnelSession> {
    const own = await openKeptKeyPair(bytesOf(device.publicKey), bytesOf(device.privateKey))
    const remote = bytesOf(device.serverKey)
    const handshake = await Handshake.begin(sessionPattern, 'initiator', { prologue, own, remote })
    const reply = await accepted(post('/session', await handshake.write(new Uint8Array())))
    const { session } = parse<SessionAnswer>(await handshake.read(reply))
    const { sending, receiving } = await handshake.split()
    return new TunnelSession(post, bytesOf(session), await CipherKey.from(sending), await CipherKey.from(receiving))
  }

  async request(asked: TunnelRequest): Promise<TunnelAnswer> {
    const { number, envelope } = await this.seal(asked)
    return this.open(number, await accepted(this.#post('/request', envelope)))
  }

  /** The bytes of a request, and the number under which its answer will open. */
  async seal(asked: TunnelRequest): Promise<{ readonly number: number; readonly envelope: Bytes }> {
    const { method, path, headers, body = new Uint8Array() } = asked
    return this.sealBytes(joinMessage({ method, path, ...(headers === undefined ? {} : { headers }) }, body))
  }

  async sealBytes(message: Bytes): Promise<{ readonly number: number; readonly envelope: Bytes }> {
    const number = this.#next
    this.#next += 1
    return { number, envelope: joinEnvelope(this.#name, number, await this.#sending.seal(number, message)) }
  }

  async open(number: number, sealed: Uint8Array): Promise<TunnelAnswer> {
    const message = await this.#receiving.open(number, Uint8Array.from(sealed))
    const parts = message === undefined ? undefined : splitMessage(message, headBytesMax)
    if (parts === undefined) throw new Error('the answer does not open')
    return { ...parse<CarriedAnswer>(parts.head), body: parts.body }
  }
}

/** A device as it should be: a session that the service forgot is begun again, and what was refused with it sent again. */
export function createTunnelCaller(post: Post, device: PairedDevice): (asked: TunnelRequest) => Promise<TunnelAnswer> {
  let session: Promise<TunnelSession> | undefined
  return async (asked) => {
    session ??= TunnelSession.begin(post, device)
    const used = session
    try {
      return await (await used).request(asked)
    } catch (cause) {
      if (session === used) session = undefined
      if (!(cause instanceof TunnelRefusal) || cause.status !== 401) throw cause
      session ??= TunnelSession.begin(post, device)
      return (await session).request(asked)
    }
  }
}

async function accepted(sent: ReturnType<Post>): Promise<Bytes> {
  const { status, bytes } = await sent
  if (status !== 200) throw new TunnelRefusal(status, bytes)
  return Uint8Array.from(bytes)
}

function bytesOf(text: string): Bytes {
  const bytes = fromBase64(text)
  if (bytes === undefined) throw new Error('this is no base64url')
  return bytes
}

function utf8(text: string): Bytes {
  return Uint8Array.from(new TextEncoder().encode(text))
}

function parse<T>(bytes: Uint8Array): T {
  return JSON.parse(new TextDecoder().decode(bytes))
}
