import { parseStrictJson } from '#shared/http/strict-json-body.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import {
  type Introduction,
  type PairingAnswer,
  pairingPrologue,
  pairingWish,
  type SessionAnswer,
  tunnelPrologue,
} from '../../contract/tunnel.ts'
import { toBase64Url } from '../../core/bytes.ts'
import { makeSessionName, sessionNameBytes, splitEnvelope, textOfName } from '../../core/tunnel/message-layout.ts'
import { bodyDepthMax, tunnelIdleSeconds, tunnelNumberMax, tunnelSessionSeconds } from '../../limits.ts'
import type { CredentialReader } from '../../ports/account.ts'
import type { Logger } from '../../ports/runtime.ts'
import type { Tunnel, TunnelRefusal } from '../../ports/tunnel.ts'
import type { Attempts } from '../d1/attempts.ts'
import { type DeviceStore, scopesOfDevice, type WaitingCode } from '../d1/devices.ts'
import { sha256 } from '../web-crypto.ts'
import type { DeviceEnd } from './device-end.ts'
import {
  Handshake,
  type HandshakeKeys,
  introductionPattern,
  type KeyPair,
  NoiseError,
  pairingPattern,
  sessionPattern,
} from './noise.ts'

const prologue = Uint8Array.from(new TextEncoder().encode(tunnelPrologue))
const pairing = Uint8Array.from(new TextEncoder().encode(pairingPrologue))

/** Pairing, handshakes, and the way of sealed requests to the end that keeps their session. */
export function createTunnel(
  endOf: (deviceId: string) => DeviceEnd,
  deps: {
    readonly attempts: Attempts
    readonly devices: DeviceStore
    readonly ownKey: () => Promise<KeyPair | undefined>
    readonly credentials: Pick<CredentialReader, 'byDevice'>
    readonly logger: Logger
  },
): Tunnel {
  /** Counted, and with the code that waits: what both messages of a pairing begin with. */
  async function readWithCode(
    pattern: typeof sessionPattern,
    message: Uint8Array,
    from: string,
  ): Promise<Result<{ readonly own: KeyPair; readonly waiting: WaitingCode } & FirstMessage, TunnelRefusal>> {
    const retryAfterSeconds = await deps.attempts.take('pairing', from)
    if (retryAfterSeconds > 0) return failWith({ retryAfterSeconds })
    const own = await deps.ownKey()
    if (own === undefined) return failWith('unavailable')
    const waiting = await deps.devices.waitingCode()
    if (waiting === undefined) return failWith('refused')
    const secret = Uint8Array.from(sha256(waiting.code))
    const keys = { prologue: pairing, secret, ...(pattern.responderIsKnown ? { own } : {}) }
    const read = await readFirst(pattern, keys, message)
    return read.ok ? succeed({ own, waiting, ...read.value }) : read
  }

  return {
    async introduce(message, from) {
      const read = await readWithCode(introductionPattern, message, from)
      if (!read.ok) return read
      const { own, handshake, payload } = read.value
      if (payload.length > 0) return failWith('refused')
      await deps.attempts.forget('pairing', from)
      const answer: Introduction = { server_key: toBase64Url(own.publicKey) }
      return succeed(await handshake.write(jsonBytes(answer)))
    },

    async pair(message, from) {
      const read = await readWithCode(pairingPattern, message, from)
      if (!read.ok) return read
      const { waiting, handshake, payload } = read.value
      const json = parseStrictJson(payload, bodyDepthMax)
      const wish = pairingWish.safeParse(json.ok ? json.value : undefined)
      if (!wish.success || handshake.remote === undefined) return failWith('refused')
      // Whoever made this message agreed with our key by the device's own, so that nobody pairs a key that is another's.
      const device = await deps.devices.pair(waiting, wish.data.name, toBase64Url(handshake.remote))
      if (device === undefined) return failWith('refused')
      await deps.attempts.forget('pairing', from)
      const answer: PairingAnswer = {
        device_id: device.id,
        name: device.name,
        scopes: scopesOfDevice[device.permission],
      }
      return succeed(await handshake.write(jsonBytes(answer)))
    },

    async shakeHands(message, from) {
      const retryAfterSeconds = await deps.attempts.take('handshake', from)
      if (retryAfterSeconds > 0) return failWith({ retryAfterSeconds })
      const own = await deps.ownKey()
      if (own === undefined) return failWith('unavailable')
      const read = await readFirst(sessionPattern, { prologue, own }, message)
      if (!read.ok) return read
      const { handshake } = read.value
      const id = await deps.devices.idOf(toBase64Url(handshake.remote ?? new Uint8Array()))
      if (id === undefined) return failWith('refused')
      const name = makeSessionName(id, crypto.getRandomValues(new Uint8Array(sessionNameBytes)))
      const answer: SessionAnswer = {
        session: toBase64Url(name),
        idle_seconds: tunnelIdleSeconds,
        session_seconds: tunnelSessionSeconds,
      }
      const reply = await handshake.write(jsonBytes(answer))
      await endOf(id).admit(textOfName(name), await handshake.split())
      return succeed(reply)
    },

    async carry(bytes) {
      const envelope = splitEnvelope(bytes, tunnelNumberMax)
      if (envelope === undefined) return failWith('refused')
      const { deviceId, session, number, sealed } = envelope
      let known: Awaited<ReturnType<CredentialReader['byDevice']>>
      try {
        known = await deps.credentials.byDevice(deviceId)
      } catch (cause) {
        deps.logger.error('credential_store_failed', { cause })
        return failWith('unavailable')
      }
      if (known === undefined) return failWith('refused')
      const answer = await endOf(deviceId).carry(known.principal, session, number, sealed)
      return answer === undefined ? failWith('refused') : succeed(answer)
    },

    async close(deviceId) {
      await endOf(deviceId).close()
    },
  }
}

interface FirstMessage {
  readonly handshake: Handshake
  readonly payload: Uint8Array
}

async function readFirst(
  pattern: typeof sessionPattern,
  keys: HandshakeKeys,
  message: Uint8Array,
): Promise<Result<FirstMessage, TunnelRefusal>> {
  const handshake = await Handshake.begin(pattern, 'responder', keys)
  try {
    return succeed({ handshake, payload: await handshake.read(Uint8Array.from(message)) })
  } catch (cause) {
    if (cause instanceof NoiseError) return failWith('refused')
    throw cause
  }
}

function jsonBytes(value: object): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(new TextEncoder().encode(JSON.stringify(value)))
}
