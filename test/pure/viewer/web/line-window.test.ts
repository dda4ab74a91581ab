import { describe, test } from 'vitest'
import { blockRows, firstWindow } from '../../../../local/viewer/web/model/line-window.ts'

describe('the lines of a listing that are asked for first', () => {
  test.for([
    ['a short listing is asked for whole', [1, 320], undefined, [1, 320]],
    ['one line more, and only its first screen is', [1, 321], undefined, [1, 160]],
    ['they begin where the listing begins', [4001, 8000], undefined, [4001, 4160]],
    ['a line that is looked for is among them, with the block before it', [1, 4000], 920, [865, 1024]],
    ['the first lines when one of them is looked for', [1, 4000], 7, [1, 160]],
    ['they end with the listing', [1, 1000], 990, [929, 1000]],
    ['a line before the listing counts as its first', [101, 900], 3, [101, 260]],
    ['a line past the end counts as the last', [101, 900], 5000, [837, 900]],
  ] as const)('%s', ([, [from, to], line, [first, last]], { expect }) => {
    expect(firstWindow({ from, to }, line)).toEqual({ from: first, to: last })
  })

  test('always begin with a block, so that calls stand in the same place before and after', ({ expect }) => {
    for (let line = 1; line <= 2000; line += 1) {
      const { from, to } = firstWindow({ from: 1, to: 2000 }, line)
      expect((from - 1) % blockRows).toBe(0)
      expect(line >= from && line <= to).toBe(true)
    }
  })
})
