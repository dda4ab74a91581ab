/** How a request and its answer lie in the bytes of the tunnel. Numbers are unsigned and big-endian. */
import { toHex } from '../bytes.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** A device's id, and of its session what tells it from its others. To a client all of it is one opaque name. */
const deviceIdBytes = 12
export const sessionNameBytes = 32
const numberBytes = 8
const lengthBytes = 4

interface Envelope {
  readonly deviceId: string
  /** As base64url text, to be looked up by. */
  readonly session: string
  readonly number: number
  readonly sealed: Bytes
}

export function makeSessionName(deviceId: string, random: Uint8Array): Bytes {
  const name = new Uint8Array(sessionNameBytes)
  name.set(new TextEncoder().encode(deviceId))
  name.set(random.subarray(0, sessionNameBytes - deviceIdBytes), deviceIdBytes)
  return name
}

/** `session name (32) | number (8) | sealed`. Undefined for what cannot be one. */
export function splitEnvelope(bytes: Uint8Array, numberMax: number): Envelope | undefined {
  if (bytes.length < sessionNameBytes + numberBytes) return undefined
  const deviceId = String.fromCharCode(...bytes.subarray(0, deviceIdBytes))
  const number = new DataView(bytes.buffer, bytes.byteOffset + sessionNameBytes, numberBytes).getBigUint64(0)
  if (!/^[A-Za-z0-9_-]+$/.test(deviceId) || number > BigInt(numberMax)) return undefined
  return {
    deviceId,
    session: textOfName(bytes.subarray(0, sessionNameBytes)),
    number: Number(number),
    sealed: Uint8Array.from(bytes.subarray(sessionNameBytes + numberBytes)),
  }
}

export function joinEnvelope(session: Uint8Array, number: number, sealed: Uint8Array): Bytes {
  const bytes = new Uint8Array(sessionNameBytes + numberBytes + sealed.length)
  bytes.set(session)
  new DataView(bytes.buffer).setBigUint64(sessionNameBytes, BigInt(number))
  bytes.set(sealed, sessionNameBytes + numberBytes)
  return bytes
}

export function textOfName(name: Uint8Array): string {
  return toHex(name)
}

/** `length of the head (4) | head as JSON | body`. */
export function joinMessage(head: object, body: Uint8Array): Bytes {
  const written = new TextEncoder().encode(JSON.stringify(head))
  const bytes = new Uint8Array(lengthBytes + written.length + body.length)
  new DataView(bytes.buffer).setUint32(0, written.length)
  bytes.set(written, lengthBytes)
  bytes.set(body, lengthBytes + written.length)
  return bytes
}

/** Undefined where the head is longer than the message, or than `headBytesMax`. */
export function splitMessage(
  bytes: Uint8Array,
  headBytesMax: number,
): { readonly head: Uint8Array; readonly body: Bytes } | undefined {
  if (bytes.length < lengthBytes) return undefined
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0)
  if (length > headBytesMax || lengthBytes + length > bytes.length) return undefined
  return {
    head: bytes.subarray(lengthBytes, lengthBytes + length),
    body: Uint8Array.from(bytes.subarray(lengthBytes + length)),
  }
}
