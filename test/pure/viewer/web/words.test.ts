import { describe, test } from 'vitest'
import { chinese } from '../../../../local/viewer/web/locales/chinese.ts'
import { english } from '../../../../local/viewer/web/locales/english.ts'
import { counted, grouped } from '../../../../local/viewer/web/locales/numbers.ts'
import { ageOf } from '../../../../local/viewer/web/model/age.ts'

type Leaf = string | ((...values: never[]) => string)
interface Tree {
  readonly [key: string]: Leaf | Tree
}

function leaves(tree: Tree, path = ''): [string, Leaf][] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'object' ? leaves(value, `${path}${key}.`) : [[`${path}${key}`, value] as [string, Leaf]],
  )
}

const inChinese = new Map(leaves(chinese))
const written = leaves(english).map(([path, text]) => [path, text, inChinese.get(path) ?? ''] as const)

/** A word of a language that has no other name for it. */
const alike = new Set(['frame.kinds.trait', 'frame.comma'])

describe('the words of the page', () => {
  test.for(written)('%s is written in both languages', ([path, inEnglish, other], { expect }) => {
    expect(typeof other).toBe(typeof inEnglish)
    if (typeof inEnglish !== 'string' || typeof other !== 'string') return
    expect(inEnglish).not.toMatch(/\p{Script=Han}/u)
    expect(inEnglish).not.toMatch(/!|please|oops/i)
    if (!alike.has(path)) expect(other).toMatch(/\p{Script=Han}/u)
    expect(other).not.toMatch(/您|！/)
  })

  test('count one and many', ({ expect }) => {
    expect([0, 1, 2, 12_345].map((value) => counted(value, 'file', 'files'))).toEqual([
      '0 files',
      '1 file',
      '2 files',
      '12,345 files',
    ])
    expect(grouped(1_234_567)).toBe('1,234,567')
    expect(english.frame.certainty.countWith(4, 0)).toBe('4')
    expect(english.frame.certainty.countWith(4, 1)).toBe('4, and 1 guessed')
    expect(chinese.frame.certainty.countWith(4, 1)).toBe('4，另有 1 个推测')
  })
})

describe('an age', () => {
  const minute = 60_000
  test.for([
    [0, 'now', 0],
    [minute - 1, 'now', 0],
    [minute, 'minutes', 1],
    [60 * minute - 1, 'minutes', 59],
    [60 * minute, 'hours', 1],
    [24 * 60 * minute - 1, 'hours', 23],
    [24 * 60 * minute, 'days', 1],
    [-5, 'now', 0],
  ] as const)('of %d ms is told in %s', ([ms, unit, value], { expect }) => {
    const age = ageOf(1_000_000_000 - ms, 1_000_000_000)
    expect(age.unit).toBe(unit)
    expect(age.unit === 'now' ? 0 : age.value).toBe(value)
  })
})
