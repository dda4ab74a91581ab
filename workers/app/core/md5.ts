/**
 * MD5 (RFC 1321), which the runtimes' own cryptography leaves out, and rightly: here it only follows what a protocol of
 * others derives its keys with, from a password that is a random one.
 */

const shifts = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]
const constants = Array.from({ length: 64 }, (_, step) => Math.floor(Math.abs(Math.sin(step + 1)) * 2 ** 32) | 0)
const blockBytes = 64

export function md5(message: Uint8Array): Uint8Array<ArrayBuffer> {
  // The end mark, and the length in bits, fill the last block.
  const padded = new Uint8Array((Math.floor((message.length + 8) / blockBytes) + 1) * blockBytes)
  padded.set(message)
  padded[message.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 8, (message.length * 8) >>> 0, true)
  view.setUint32(padded.length - 4, Math.floor(message.length / 2 ** 29), true)
  const state = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476]
  for (let start = 0; start < padded.length; start += blockBytes) takeBlock(state, view, start)
  const digest = new DataView(new ArrayBuffer(16))
  for (const [index, word] of state.entries()) digest.setUint32(index * 4, word, true)
  return new Uint8Array(digest.buffer)
}

function takeBlock(state: number[], view: DataView, start: number): void {
  let [a = 0, b = 0, c = 0, d = 0] = state
  for (let step = 0; step < 64; step += 1) {
    const [mixed, at] = mix(step, b, c, d)
    const turned = (a + mixed + (constants[step] ?? 0) + view.getInt32(start + at * 4, true)) | 0
    const shift = shifts[(step >> 4) * 4 + (step % 4)] ?? 0
    ;[a, d, c, b] = [d, c, b, (b + ((turned << shift) | (turned >>> (32 - shift)))) | 0]
  }
  for (const [index, word] of [a, b, c, d].entries()) state[index] = ((state[index] ?? 0) + word) >>> 0
}

/** Of each round its mixture, and the word of the block that it takes. */
function mix(step: number, b: number, c: number, d: number): readonly [mixed: number, at: number] {
  if (step < 16) return [(b & c) | (~b & d), step]
  if (step < 32) return [(d & b) | (~d & c), (5 * step + 1) % 16]
  if (step < 48) return [b ^ c ^ d, (3 * step + 5) % 16]
  return [c ^ (b | ~d), (7 * step) % 16]
}
