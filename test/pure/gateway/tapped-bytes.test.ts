import { describe, expect, it } from 'vitest'
import { tappedBytes } from '../../../workers/gateway/adapters/tapped-bytes.ts'

async function* pieces(fault?: Error): AsyncGenerator<Uint8Array> {
  yield Uint8Array.of(1)
  yield Uint8Array.of(2, 3)
  if (fault !== undefined) throw fault
}

function tapped(bytes: AsyncIterable<Uint8Array>) {
  const noted: unknown[] = []
  const seen = tappedBytes(bytes, {
    piece: (piece) => noted.push(piece.length),
    async end(isWhole) {
      noted.push(isWhole)
    },
  })
  return { seen, noted }
}

async function all(bytes: AsyncIterable<Uint8Array>): Promise<number[]> {
  const read: number[] = []
  for await (const piece of bytes) read.push(...piece)
  return read
}

describe('bytes that are looked at', () => {
  it('tell their pieces and that they are whole before their reader hears of it', async () => {
    const { seen, noted } = tapped(pieces())
    expect(await all(seen)).toEqual([1, 2, 3])
    expect(noted).toEqual([1, 2, true])
  })

  it('tell that they broke, and break for their reader', async () => {
    const fault = new Error('reset')
    const { seen, noted } = tapped(pieces(fault))
    await expect(all(seen)).rejects.toBe(fault)
    expect(noted).toEqual([1, 2, false])
  })

  it('tell once that they were left, also before the first was read', async () => {
    const { seen, noted } = tapped(pieces())
    for await (const _ of seen) break
    expect(noted).toEqual([1, false])
    const unread = tapped(pieces())
    await unread.seen.return?.()
    await unread.seen.return?.()
    expect(unread.noted).toEqual([false])
  })

  it('tell that they were left also where leaving them fails', async () => {
    const fault = new Error('reset')
    const { seen, noted } = tapped({
      [Symbol.asyncIterator]: () => ({ next: () => pieces().next(), return: () => Promise.reject(fault) }),
    })
    await expect(seen.return?.()).rejects.toBe(fault)
    expect(noted).toEqual([false])
  })
})
