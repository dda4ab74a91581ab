import fc from 'fast-check'
import { describe, test } from 'vitest'
import { exactMoment, momentText } from '../../../../workers/app/web/model/moments.ts'
import { nameEnds } from '../../../../workers/app/web/model/name-ends.ts'

const now = Date.UTC(2026, 10, 21, 14, 6) / 1000
const at = (...parts: [number, number, number, number, number]) => Date.UTC(...parts) / 1000

describe('moments', () => {
  test.for([
    [at(2026, 10, 21, 14, 1), 'en', 'UTC', '14:01'],
    [at(2026, 10, 21, 0, 0), 'en', 'UTC', '00:00'],
    [at(2026, 10, 20, 23, 59), 'en', 'UTC', '20 Nov'],
    [at(2026, 10, 22, 3, 4), 'en', 'UTC', '22 Nov 03:04'],
    [at(2026, 10, 22, 3, 4), 'zh', 'UTC', '11 月 22 日 03:04'],
    [at(2026, 10, 22, 14, 6), 'en', 'UTC', '22 Nov'],
    [at(2026, 9, 21, 8, 0), 'zh', 'UTC', '10 月 21 日'],
    [at(2026, 8, 3, 8, 0), 'en', 'UTC', '3 Sep'],
    [at(2026, 8, 3, 8, 0), 'zh', 'UTC', '9 月 3 日'],
    [at(2025, 10, 2, 8, 0), 'en', 'UTC', '2025-11-02'],
    [at(2027, 1, 7, 8, 0), 'zh', 'UTC', '2027-02-07'],
    [at(2026, 10, 20, 20, 0), 'en', 'Asia/Shanghai', '04:00'],
    [0, 'en', 'UTC', '—'],
    [-1, 'zh', 'UTC', '—'],
  ] as const)('%d in %s, %s, is %s', ([seconds, language, zone, text], { expect }) => {
    expect(momentText(seconds, now, language, zone)).toBe(text)
  })

  test('the exact form has the seconds', ({ expect }) => {
    expect(exactMoment(now + 7, 'en', 'UTC')).toContain('14:06:07')
    expect(exactMoment(now + 7, 'zh', 'UTC')).toContain('14:06:07')
  })
})

describe('long names', () => {
  test('keep both ends', ({ expect }) => {
    expect(nameEnds('The.Salt.Road.S02E06.2160p.WEB-DL.H.265-QUAY')).toEqual({
      head: 'The.Salt.Road.S02E06.2160p.WEB-DL',
      tail: '.H.265-QUAY',
    })
  })

  test('are whole when they are short', ({ expect }) => {
    expect(nameEnds('灯塔守护者 第 2 季')).toEqual({ head: '灯塔守护者 第 2 季', tail: '' })
  })

  test('lose nothing and tear no letter apart, whatever they hold', ({ expect }) => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (name) => {
        const { head, tail } = nameEnds(name)
        expect(head + tail).toBe(name)
        expect(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/.test(head) || /^[\uDC00-\uDFFF]/.test(tail)).toBe(false)
      }),
    )
  })
})
