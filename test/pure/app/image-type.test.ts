import { test } from 'vitest'
import { imageType } from '../../../workers/app/core/image-type.ts'

const padded = (...head: number[]) => Uint8Array.from([...head, ...new Array<number>(32).fill(1)])
const text = (content: string) => new TextEncoder().encode(content.padEnd(64))

test.each([
  ['png', padded(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a), 'image/png'],
  ['jpeg', padded(0xff, 0xd8, 0xff, 0xe0), 'image/jpeg'],
  ['gif', text('GIF89a'), 'image/gif'],
  ['webp', text('RIFF1234WEBPVP8 '), 'image/webp'],
  ['ico', padded(0, 0, 1, 0, 1, 0), 'image/x-icon'],
  ['svg', text('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'), undefined],
  ['html', text('<!doctype html><script></script>'), undefined],
  ['another RIFF', text('RIFF1234WAVEfmt '), undefined],
  ['an ICO head alone', Uint8Array.of(0, 0, 1, 0), undefined],
  ['nothing', new Uint8Array(), undefined],
])('the first bytes of %s', (_, bytes, type) => {
  if (imageType(bytes) !== type) throw new Error(String(imageType(bytes)))
})
