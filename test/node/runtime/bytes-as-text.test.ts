import { expect, test } from 'vitest'
import { provideBase64 } from '../../../local/runtime/bytes-as-text.ts'
import { toBase64Url } from '../../../workers/app/core/bytes.ts'

type SelfWriting = Uint8Array & { toBase64(form?: object): string }

const written = (bytes: readonly number[], form?: object) => (Uint8Array.from(bytes) as SelfWriting).toBase64(form)

test('bytes write themselves in either alphabet, with what fills the last group or without', () => {
  provideBase64()
  // The vectors of RFC 4648, section 10, and bytes whose characters differ between its tables 1 and 2.
  const vectors = [
    [[], '', ''],
    [[0x66], 'Zg==', 'Zg'],
    [[0x66, 0x6f], 'Zm8=', 'Zm8'],
    [[0x66, 0x6f, 0x6f], 'Zm9v', 'Zm9v'],
    [[0x66, 0x6f, 0x6f, 0x62], 'Zm9vYg==', 'Zm9vYg'],
  ] as const
  for (const [bytes, padded, bare] of vectors) {
    for (const alphabet of ['base64', 'base64url'] as const) {
      expect(written(bytes, { alphabet })).toBe(padded)
      expect(written(bytes, { alphabet, omitPadding: true })).toBe(bare)
    }
  }
  expect(written([0xfb, 0xff])).toBe('+/8=')
  expect(written([0xfb, 0xff], { alphabet: 'base64url' })).toBe('-_8=')
  expect(() => written([1], { alphabet: 'base32' })).toThrow(TypeError)
})

test('a part of a buffer writes that part alone, and the same as by hand', () => {
  provideBase64()
  const bytes = Uint8Array.from({ length: 300 }, (_, index) => index)
  const byHand = Object.defineProperty(bytes.slice(7, 290), 'toBase64', { value: undefined })
  expect(toBase64Url(bytes.subarray(7, 290))).toBe(toBase64Url(byHand))
})
