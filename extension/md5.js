/** MD5 (RFC 1321), from which the protocol of pushes derives its key, and which browsers do not offer. */
const shifts = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]
const sines = Array.from({ length: 64 }, (_, index) => Math.floor(Math.abs(Math.sin(index + 1)) * 2 ** 32))

export function md5Hex(text) {
  const bytes = new TextEncoder().encode(text)
  const padded = new Uint8Array((((bytes.length + 8) >> 6) + 1) * 64)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 8, bytes.length * 8, true)
  const state = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476]
  for (let block = 0; block < padded.length; block += 64) addBlock(state, view, block)
  const digest = new DataView(new ArrayBuffer(16))
  for (const [index, word] of state.entries()) digest.setUint32(index * 4, word, true)
  return Array.from(new Uint8Array(digest.buffer), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function addBlock(state, view, block) {
  let [a, b, c, d] = state
  for (let step = 0; step < 64; step += 1) {
    const [mixed, word] = roundOf(step, b, c, d)
    const sum = (a + mixed + sines[step] + view.getUint32(block + word * 4, true)) >>> 0
    const shift = shifts[(step >> 4) * 4 + (step & 3)]
    ;[a, d, c, b] = [d, c, b, (b + ((sum << shift) | (sum >>> (32 - shift)))) >>> 0]
  }
  for (const [index, word] of [a, b, c, d].entries()) state[index] = (state[index] + word) >>> 0
}

function roundOf(step, b, c, d) {
  if (step < 16) return [(b & c) | (~b & d), step]
  if (step < 32) return [(d & b) | (~d & c), (5 * step + 1) & 15]
  if (step < 48) return [b ^ c ^ d, (3 * step + 5) & 15]
  return [c ^ (b | ~d), (7 * step) & 15]
}
