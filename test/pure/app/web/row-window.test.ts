/** Which rows of a long list are drawn, and which parts of it are read. */
import * as fc from 'fast-check'
import { describe, test } from 'vitest'
import { drawnPlaces, partsOf, rowsAround, rowsInView } from '../../../../workers/app/web/model/row-window.ts'

describe('the rows that are drawn', () => {
  test('cover the view wherever it is, and are few', ({ expect }) => {
    void fc.assert(
      fc.property(
        fc.integer({ min: -2_000_000, max: 2_000 }),
        fc.integer({ min: 200, max: 4_000 }),
        fc.integer({ min: 20, max: 120 }),
        fc.integer({ min: 0, max: 30_000 }),
        (top, viewHeight, rowHeight, total) => {
          const inView = rowsInView(top, viewHeight, rowHeight, total)
          const { from, to } = rowsAround(inView, total)
          expect(from).toBeLessThanOrEqual(inView.from)
          expect(to).toBeGreaterThanOrEqual(inView.to)
          expect(from).toBeGreaterThanOrEqual(0)
          expect(to).toBeLessThanOrEqual(total)
          const first = Math.floor(Math.max(0, -top) / rowHeight)
          if (first < total) {
            expect(from).toBeLessThanOrEqual(first)
            const last = Math.min(total, Math.ceil((Math.max(0, -top) + viewHeight) / rowHeight))
            expect(to).toBeGreaterThanOrEqual(last)
          }
          expect(to - from).toBeLessThanOrEqual(Math.ceil(viewHeight / rowHeight) + 40)
        },
      ),
    )
  })

  test.for([
    ['within', 12, [10, 11, 12, 13]],
    ['above', 2, [1, 2, 3, 10, 11, 12, 13]],
    ['first of all', 0, [0, 1, 10, 11, 12, 13]],
    ['below', 90, [10, 11, 12, 13, 89, 90, 91]],
    ['last of all', 99, [10, 11, 12, 13, 98, 99]],
    ['past the end', 101, [10, 11, 12, 13]],
    ['nowhere', undefined, [10, 11, 12, 13]],
  ] as const)('hold the one with the focus and its neighbours, when it is %s', ([, focused, places], { expect }) => {
    expect(drawnPlaces({ from: 10, to: 14 }, focused, 100)).toEqual(places)
  })

  test('end with the list', ({ expect }) => {
    expect(drawnPlaces({ from: 10, to: 14 }, undefined, 12)).toEqual([10, 11])
    expect(drawnPlaces({ from: 0, to: 0 }, undefined, 0)).toEqual([])
  })
})

test.for([
  [0, 1, [0]],
  [0, 50, [0]],
  [0, 51, [0, 1]],
  [49, 50, [0]],
  [50, 100, [1]],
  [0, 0, [0]],
] as const)('the rows from %i to %i are in the parts %j', ([from, to, parts], { expect }) => {
  expect(partsOf({ from, to }, 50)).toEqual(parts)
})
