import { crc32 as nodeCrc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { encodeFrame, eventFrame, exceptionFrame } from '../../../local/gateway/sandbox/frames.ts'
import { crc32 } from '../../../workers/gateway/core/wire/crc32.ts'
import { EventStreamDecoder } from '../../../workers/gateway/core/wire/event-stream.ts'

const bounds = { frameBytesMax: 16 * 1_048_576, headerBytesMax: 131_072 }
const decoder = () => new EventStreamDecoder(bounds)

/** Everything a sequence of chunks gives, and how it ends. */
function readAll(chunks: readonly Uint8Array[]) {
  const reader = decoder()
  const messages: { headers: Record<string, string>; payload: string }[] = []
  for (const chunk of chunks) {
    const read = reader.push(chunk)
    if (!read.ok) return { messages, fault: read.failure }
    for (const { headers, payload } of read.value) {
      messages.push({ headers: Object.fromEntries(headers), payload: new TextDecoder().decode(payload) })
    }
  }
  return { messages, fault: reader.end() }
}

const frames = fc.array(
  fc.record({
    type: fc.constantFrom('messageStart', 'contentBlockDelta', 'metadata'),
    payload: fc.string({ unit: 'grapheme' }),
  }),
  { minLength: 1, maxLength: 6 },
)

function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const sorted = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((left, right) => left - right)
  return [0, ...sorted].map((from, index) => bytes.slice(from, sorted[index] ?? bytes.length))
}

test('a frame as the provider sends it', ({ expect }) => {
  const frame = eventFrame('messageStart', { p: 'abcd', role: 'assistant' })

  expect(frame.length).toBe(129)
  expect(frame.subarray(0, 12).toString('hex')).toBe('00000081000000526cc17693')
  expect(frame.subarray(-4).toString('hex')).toBe('f512a005')
  expect(readAll([frame])).toEqual({
    messages: [
      {
        headers: { ':event-type': 'messageStart', ':content-type': 'application/json', ':message-type': 'event' },
        payload: '{"p":"abcd","role":"assistant"}',
      },
    ],
    fault: undefined,
  })
})

test('checksums agree with the platform’s', ({ expect }) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(300), fc.nat(300), (bytes, start, middle) => {
      const [from, to] = [start, middle].map((place) => Math.min(place, bytes.length)).sort((a, b) => a - b) as [
        number,
        number,
      ]
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
      const expected = nodeCrc32(bytes.subarray(from))
      expect(crc32(view, from, bytes.length)).toBe(expected)
      expect(crc32(view, to, bytes.length, crc32(view, from, to))).toBe(expected)
    }),
  )
})

test('any split of a stream gives the same messages', ({ expect }) => {
  fc.assert(
    fc.property(frames, fc.array(fc.nat(), { maxLength: 40 }), (sent, places) => {
      const bytes = Buffer.concat(sent.map(({ type, payload }) => encodeFrame({ ':event-type': type }, payload)))
      const read = readAll(cut(bytes, places))
      expect(read.fault).toBeUndefined()
      expect(read.messages.map((message) => message.payload)).toEqual(
        sent.map(({ payload }) => Buffer.from(payload).toString()),
      )
    }),
    { numRuns: 5_000 },
  )
})

test('a stream cut at any byte between two frames is whole, anywhere else it is a fault', ({ expect }) => {
  const first = eventFrame('messageStart', { role: 'assistant' })
  const bytes = Buffer.concat([first, exceptionFrame('throttlingException', 'slow down')])

  for (let length = 0; length <= bytes.length; length += 1) {
    const isBoundary = length === 0 || length === first.length || length === bytes.length
    expect(readAll([bytes.subarray(0, length)]).fault === undefined, `cut at ${length}`).toBe(isBoundary)
  }
})

test('any flipped bit is noticed', ({ expect }) => {
  const bytes = eventFrame('metadata', { usage: { inputTokens: 1 } })

  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const flipped = Buffer.from(bytes)
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    expect(readAll([flipped]).fault, `bit ${bit}`).toBeDefined()
  }
})

describe('bounds', () => {
  const prelude = (total: number, headerBytes: number) => {
    const bytes = Buffer.alloc(12)
    bytes.writeUInt32BE(total, 0)
    bytes.writeUInt32BE(headerBytes, 4)
    bytes.writeUInt32BE(nodeCrc32(bytes.subarray(0, 8)), 8)
    return bytes
  }

  test.for([
    ['a frame of four gigabytes', 0xffffffff, 0, 'large'],
    ['a frame one byte too large', bounds.frameBytesMax + 1, 0, 'large'],
    ['headers one byte too large', 200_000, bounds.headerBytesMax + 1, 'large_headers'],
    ['headers longer than their frame', 40, 30, 'short'],
  ] as const)('%s is refused at its prelude', ([, total, headerBytes, fault], { expect }) => {
    expect(readAll([prelude(total, headerBytes)]).fault).toBe(fault)
  })

  test('a frame at the limit is waited for', ({ expect }) => {
    expect(decoder().push(prelude(bounds.frameBytesMax, bounds.headerBytesMax)).ok).toBe(true)
  })

  test('after a fault nothing is read any more', ({ expect }) => {
    const reader = decoder()
    reader.push(prelude(0xffffffff, 0))

    expect(reader.push(eventFrame('messageStart', {})).ok).toBe(false)
  })
})

test('headers of other types are passed over', ({ expect }) => {
  const header = (name: string, type: number, value: Buffer) =>
    Buffer.concat([Buffer.from([name.length]), Buffer.from(name), Buffer.from([type]), value])
  const text = Buffer.from([0, 1, 0x78])
  const head = Buffer.concat([
    header('t', 0, Buffer.alloc(0)),
    header('b', 2, Buffer.alloc(1)),
    header('s', 3, Buffer.alloc(2)),
    header('i', 4, Buffer.alloc(4)),
    header('l', 5, Buffer.alloc(8)),
    header('y', 6, Buffer.from([0, 2, 1, 2])),
    header('w', 8, Buffer.alloc(8)),
    header('u', 9, Buffer.alloc(16)),
    header('x', 7, text),
  ])
  const frame = Buffer.alloc(16 + head.length)
  frame.writeUInt32BE(frame.length, 0)
  frame.writeUInt32BE(head.length, 4)
  frame.writeUInt32BE(nodeCrc32(frame.subarray(0, 8)), 8)
  head.copy(frame, 12)
  frame.writeUInt32BE(nodeCrc32(frame.subarray(0, frame.length - 4)), frame.length - 4)

  expect(readAll([frame])).toEqual({ messages: [{ headers: { x: 'x' }, payload: '' }], fault: undefined })
})
