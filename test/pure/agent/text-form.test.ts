import fc from 'fast-check'
import { test } from 'vitest'
import { inForm, plainForm, readTextFile, writtenAs } from '../../../local/agent/core/text-form.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

test.for([
  ['one\ntwo\n', 'one\ntwo\n', false, ''],
  ['one\r\ntwo\r\n', 'one\ntwo\n', true, ''],
  ['one\r\ntwo', 'one\ntwo', true, ''],
  ['\uFEFFone\r\n', 'one\n', true, '\uFEFF'],
  ['mixed\r\nends\n', 'mixed\r\nends\n', false, ''],
  ['old\rends', 'old\rends', false, ''],
  ['\r\r\n', '\r\r\n', false, ''],
  ['\uFEFF\uFEFFa', '\uFEFFa', false, '\uFEFF'],
  ['', '', false, ''],
] as const)('%o is seen as %o', ([written, text, hasPairs, mark], { expect }) => {
  const file = readTextFile(bytes(written))
  expect(file).toEqual({ text, form: { hasPairs, mark } })
  expect(file && writtenAs(file.text, file.form)).toBe(written)
})

test.for([
  ['another encoding', [0x67, 0x72, 0xfc, 0x6e]],
  ['half a character', [0xe2, 0x82]],
  ['sixteen bits a character', [0xff, 0xfe, 0x61, 0]],
  ['a byte of nothing, however late', [...Array.from({ length: 20_000 }, () => 97), 0]],
] as const)('%s is no text', ([, odd], { expect }) => {
  expect(readTextFile(Uint8Array.from(odd))).toBeUndefined()
})

test('what is read and written again is the same, byte for byte', () => {
  const pieces = fc.array(fc.constantFrom('a', 'ü', '\n', '\r\n', '\r', '\uFEFF', '😀'))
  fc.assert(
    fc.property(pieces, (list) => {
      const written = list.join('')
      const file = readTextFile(bytes(written))
      return file !== undefined && writtenAs(file.text, file.form) === written
    }),
  )
})

test('a text of the model is taken in either way, and a mark that it brings is not doubled', ({ expect }) => {
  const form = { mark: '\uFEFF', hasPairs: true } as const
  for (const text of ['a\nb', 'a\r\nb', '\uFEFFa\nb']) expect(writtenAs(inForm(text, form), form)).toBe('\uFEFFa\r\nb')
  expect(writtenAs(inForm('\uFEFFa\r\n', plainForm), plainForm)).toBe('\uFEFFa\r\n')
})
