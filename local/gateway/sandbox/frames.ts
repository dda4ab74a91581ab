import { crc32 } from 'node:zlib'

// The event stream that the service model `bedrock-runtime` (API 2023-09-30) marks `ConverseStreamOutput` as: prelude,
// headers, payload and two checksums. Their source is the specification `application/vnd.amazon.eventstream` of the Smithy
// project; type 7 is a text header. A test reads the frames with the AWS SDK for JavaScript 3.1164.0.

/** Writes one frame of the provider's binary stream, with text headers, as the format's description has it. */
export function encodeFrame(headers: Readonly<Record<string, string>>, payload: string | Uint8Array): Buffer {
  const head = Buffer.concat(
    Object.entries(headers).map(([name, value]) => {
      const nameBytes = Buffer.from(name)
      const valueBytes = Buffer.from(value)
      const fixed = Buffer.alloc(4 + nameBytes.length)
      fixed.writeUInt8(nameBytes.length, 0)
      nameBytes.copy(fixed, 1)
      fixed.writeUInt8(7, 1 + nameBytes.length)
      fixed.writeUInt16BE(valueBytes.length, 2 + nameBytes.length)
      return Buffer.concat([fixed, valueBytes])
    }),
  )
  const body = typeof payload === 'string' ? Buffer.from(payload) : payload
  const frame = Buffer.alloc(16 + head.length + body.length)
  frame.writeUInt32BE(frame.length, 0)
  frame.writeUInt32BE(head.length, 4)
  frame.writeUInt32BE(crc32(frame.subarray(0, 8)), 8)
  head.copy(frame, 12)
  frame.set(body, 12 + head.length)
  frame.writeUInt32BE(crc32(frame.subarray(0, frame.length - 4)), frame.length - 4)
  return frame
}

export function eventFrame(type: string, payload: object): Buffer {
  const headers = { ':event-type': type, ':content-type': 'application/json', ':message-type': 'event' }
  return encodeFrame(headers, JSON.stringify(payload))
}

export function exceptionFrame(type: string, message: string): Buffer {
  const headers = { ':exception-type': type, ':content-type': 'application/json', ':message-type': 'exception' }
  return encodeFrame(headers, JSON.stringify({ message }))
}
