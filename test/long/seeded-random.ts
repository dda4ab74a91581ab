/** Numbers from 0 up to 1 that are the same for the same seed, so that a failed run can be run again. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    // A 32-bit generator by increment and mixing: even enough for choosing moments.
    state = (state + 0x9e3779b9) >>> 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }
}
