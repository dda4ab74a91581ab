import { describe, test } from 'vitest'
import { sameLine } from '../../../../local/viewer/web/model/same-line.ts'

const text = (lines: string): string[] => lines.split(' ')

describe('a line of a text that changed', () => {
  test.for([
    ['lines above it were added', 'a b c d', 'x y a b c d', 2, 4],
    ['lines above it were removed', 'a b c d', 'c d', 2, 0],
    ['nothing changed', 'a b c', 'a b c', 1, 1],
    ['its neighbours tell it from its like', 'a } b } c', 'n a } b } c', 3, 4],
    ['among equals the nearest', '} } }', '} } } }', 1, 1],
    ['it was moved down alone', 'a b c d e f', 'a c d e f b', 1, 5],
  ] as const)('is found where it stands now: %s', ([, before, next, at, found], { expect }) => {
    expect(sameLine(text(before), text(next), at)).toBe(found)
  })

  test.for([
    ['it was removed', 'a b c', 'a c', 1],
    ['nothing is left', 'a', '', 0],
    ['it was none', 'a b', 'a b', 7],
  ] as const)('is not found where %s', ([, before, next, at], { expect }) => {
    expect(sameLine(text(before), next === '' ? [] : text(next), at)).toBeUndefined()
  })
})
