import fc from 'fast-check'
import { describe, test } from 'vitest'
import {
  bytesAmount,
  grouped,
  percentText,
  ratioText,
  speedAmount,
  timeLeft,
  wholeLeft,
} from '../../../../workers/app/web/model/amounts.ts'

const gib = 1024 ** 3

describe('sizes', () => {
  test.for([
    [0, '0 B'],
    [1023, '1023 B'],
    [1024, '1.00 KiB'],
    [50 * 1024 ** 2, '50.00 MiB'],
    [0.62 * gib, '0.62 GiB'],
    [8.42 * gib, '8.42 GiB'],
    [104.9 * gib, '104.90 GiB'],
    [1023.4 * gib, '1023.40 GiB'],
    [1023.6 * gib, '1.00 TiB'],
    [4.82 * 1024 * gib, '4.82 TiB'],
    [-1, '0 B'],
  ] as const)('%d bytes are %s', ([bytes, text], { expect }) => {
    const { value, unit } = bytesAmount(bytes)
    expect(`${value} ${unit}`).toBe(text)
  })

  test('never shows 1024 of a unit', ({ expect }) => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1024 ** 5, noNaN: true }), (bytes) => {
        expect(Number(bytesAmount(bytes).value)).toBeLessThan(1024)
        expect(Number(speedAmount(bytes).value)).toBeLessThan(1024)
      }),
    )
  })
})

describe('speeds', () => {
  test.for([
    [0, '0.0 KiB/s'],
    [512, '0.5 KiB/s'],
    [20 * 1024, '20.0 KiB/s'],
    [0.7 * 1024 ** 2, '0.7 MiB/s'],
    [14.6 * 1024 ** 2, '14.6 MiB/s'],
    [2 * gib, '2.0 GiB/s'],
  ] as const)('%d bytes a second are %s', ([bytes, text], { expect }) => {
    const { value, unit } = speedAmount(bytes)
    expect(`${value} ${unit}`).toBe(text)
  })
})

describe('shares and counts', () => {
  test.for([
    [0, '0.0'],
    [41, '41.0'],
    [99.96, '99.9'],
    [99.999, '99.9'],
    [100, '100'],
  ] as const)('%d per cent is written %s, and 100 only when whole', ([percent, text], { expect }) => {
    expect(percentText(percent)).toBe(text)
  })

  test.for([
    [0, '0.00'],
    [3.419, '3.42'],
    [-1, '—'],
    [Number.POSITIVE_INFINITY, '∞'],
  ] as const)('the ratio %d is written %s', ([ratio, text], { expect }) => {
    expect(ratioText(ratio)).toBe(text)
  })

  test.for([
    [5, '5'],
    [1492, '1,492'],
    [1284910, '1,284,910'],
  ] as const)('%d is grouped as %s', ([value, text], { expect }) => {
    expect(grouped(value)).toBe(text)
  })
})

describe('time left', () => {
  test.for([
    [-1, undefined],
    [0, '0 seconds'],
    [59, '59 seconds'],
    [60, '1 minutes'],
    [1380, '23 minutes'],
    [3569, '59 minutes'],
    [3570, '1 hours'],
    [84_599, '23 hours'],
    [84_600, '1 days'],
    [365 * 86_400, '365 days'],
    [365 * 86_400 + 1, undefined],
  ] as const)('%d seconds are %s', ([seconds, text], { expect }) => {
    const left = timeLeft(seconds)
    expect(left === undefined ? undefined : `${left.value} ${left.unit}`).toBe(text)
  })
})

describe('how long an offer stands', () => {
  test.for([
    [59, '0 minutes'],
    [900, '15 minutes'],
    [7199, '119 minutes'],
    [7200, '2 hours'],
    [4 * 3600 - 1, '3 hours'],
    [2 * 86_400 - 1, '47 hours'],
    [2.9 * 86_400, '2 days'],
  ] as const)('of %d seconds is %s, and never more than there is', ([seconds, text], { expect }) => {
    const { unit, value } = wholeLeft(seconds)
    expect(`${value} ${unit}`).toBe(text)
  })
})
