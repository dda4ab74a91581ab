import { describe, test } from 'vitest'
import {
  leadingSize,
  plainText,
  readCount,
  readNumber,
  readSize,
  readTime,
  toldCount,
  toldSize,
} from '../../../workers/app/core/site-numbers.ts'

describe('figures written for people', () => {
  test.each([
    ['1.46 GB', 1.46 * 1024 ** 3],
    ['1,024.5 GiB', 1024.5 * 1024 ** 3],
    ['12TB', 12 * 1024 ** 4],
    ['3\u00a0MiB', 3 * 1024 ** 2],
    ['512 B', 512],
    ['7 bytes', 7],
    ['0 KB', 0],
    ['2 PB', 2 * 1024 ** 5],
    ['none', undefined],
    ['GB', undefined],
    ['5 Gbps', undefined],
    ['1.5 T', 1.5 * 1024 ** 4],
    ['42 (1.5 TB)', 1.5 * 1024 ** 4],
    ['1,5 GB', undefined],
    ['1.234,5 GB', undefined],
    ['1 234.5 GB', undefined],
    ["1'234.5 GB", undefined],
    ['1\u202f234.5 GB', undefined],
    ['12,34 GB', undefined],
    ['1.2.3 GB', undefined],
    ['', undefined],
  ])('%s is %s bytes', (text, bytes) => {
    const read = readSize(text)
    if (read !== (bytes === undefined ? undefined : Math.trunc(bytes))) throw new Error(String(read))
  })

  test.each([
    ['4.5 GB', 4.5 * 1024 ** 3],
    [' about 3\u00a0MiB, 7 files', 3 * 1024 ** 2],
    ['3.00 rank: 77 GB', undefined],
    ['77 4.5 GB', undefined],
  ])('the size in %j counts where it is the first figure: %s', (text, bytes) => {
    if (leadingSize(text) !== bytes) throw new Error(String(leadingSize(text)))
  })

  test('counts lose their commas, and what is no count is none', ({ expect }) => {
    expect(readCount('1,234')).toBe(1234)
    expect(readCount('-5')).toBeUndefined()
    expect(readCount('∞')).toBeUndefined()
    expect(readNumber('bonus: 1,234.50')).toBe(1234.5)
  })

  test.each([
    ['12', 12, 12],
    [12.9, 12, 12],
    [0, 0, undefined],
    ['0', 0, undefined],
    ['99999999999999999999', undefined, undefined],
    ['1,234', 1234, 1234],
    ['5,56', undefined, undefined],
    ['NaN', undefined, undefined],
    [-1, undefined, undefined],
    ['', undefined, undefined],
    [null, undefined, undefined],
    [undefined, undefined, undefined],
    [true, undefined, undefined],
  ])('%j in JSON counts %s and is as a size %s', (value, count, size) => {
    if (toldCount(value) !== count || toldSize(value) !== size) throw new Error(String(value))
  })

  test.each([
    ['1,234,567.8', 1_234_567.8],
    ['12 of 3', 12],
    ['1,5', undefined],
    ['1,2345', undefined],
    ['345.678,9', undefined],
    ['1 234.5', undefined],
    ['1\u2019234', undefined],
    ['1.2.3', undefined],
    ['0.12345678901234', undefined],
  ])('the number in %j is %s', (text, number) => {
    if (readNumber(text) !== number) throw new Error(String(readNumber(text)))
  })

  test.each([
    ['2026-11-20 10:00:00', 480, '2026-11-20T02:00:00Z'],
    ['2026-11-20 10:00', 0, '2026-11-20T10:00:00Z'],
    ['2026-11-20T10:00:00.000000Z', 480, '2026-11-20T10:00:00Z'],
    ['2026-11-20T10:00:00+08:00', 0, '2026-11-20T02:00:00Z'],
    ['2026-11-20T10:00:00-0500', 0, '2026-11-20T15:00:00Z'],
    ['until 2026-12-01 00:00:00 (2天)', 480, '2026-11-30T16:00:00Z'],
    ['2024-02-29 00:00:00', 0, '2024-02-29T00:00:00Z'],
    ['2026-13-01 00:00:00', 0, undefined],
    ['0000-00-00 00:00:00', 0, undefined],
    ['yesterday', 0, undefined],
    // A line break between them was lost.
    ['2026-11-0703:57:58', 0, undefined],
  ])('the time %s in a zone of %i minutes', (text, zone, iso) => {
    const read = readTime(text, zone)
    if (read !== (iso === undefined ? undefined : Date.parse(iso) / 1000)) throw new Error(String(read))
  })

  test('texts become one line without control characters, cut between characters', ({ expect }) => {
    const texts = [
      'a b',
      ' a\u0000\n\tb ',
      'a b ',
      ' a b',
      'a  b',
      'a\u3000b',
      'a\u00a0b',
      'a\u007fb',
      'a\tb',
      'a\u2028b',
    ]
    for (const text of texts) expect(plainText(text, 10)).toBe('a b')
    expect(plainText('a', 10)).toBe('a')
    expect(plainText('🎬🎬🎬', 2)).toBe('🎬🎬')
  })
})
