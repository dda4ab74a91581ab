import { describe, test } from 'vitest'
import { calledBy } from '../../../../workers/app/core/media/called-by.ts'
import { foldName } from '../../../../workers/app/core/media/fold-name.ts'
import { seededRandom } from '../../../long/seeded-random.ts'

describe('whether a text has one of many names in it', () => {
  test.for<[string, readonly string[], boolean]>([
    ['The.Salt.Road.S02E01.1080p', ['saltroad'], true],
    ['The.Salt.Road.S02E01.1080p', ['saltroadx'], false],
    ['Up.2009.1080p', ['up'], true],
    ['[站] 港口灯火 第2季', ['港口灯火'], true],
    ['[站] 城 2020', ['城'], true],
    ['Q', ['q', 'qq'], true],
    ['anything', [], false],
    ['anything', [''], false],
    ['', ['a'], false],
  ])('%s, called by %j: %s', ([text, names, is], { expect }) => {
    expect(calledBy(names)(foldName(text))).toBe(is)
  })

  test('it answers as looking for each of them does', ({ expect }) => {
    const random = seededRandom(7)
    const word = (longest: number) =>
      Array.from({ length: 1 + Math.floor(random() * longest) }, () => 'abc'[Math.floor(random() * 3)]).join('')
    let found = 0
    for (let round = 0; round < 2000; round += 1) {
      const names = Array.from({ length: 1 + Math.floor(random() * 6) }, () => word(9))
      const text = word(12)
      const wanted = names.some((name) => text.includes(name))
      if (wanted) found += 1
      if (calledBy(names)(text) !== wanted) expect({ text, names, wanted }).toBeUndefined()
    }
    expect(found).toBeGreaterThan(500)
  })
})
