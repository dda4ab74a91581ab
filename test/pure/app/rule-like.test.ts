import { describe, test } from 'vitest'
import type { Candidate } from '../../../workers/app/core/rules/filter-rule.ts'
import { ruleLike } from '../../../workers/app/core/rules/rule-like.ts'

const bounds = { nameCharactersMax: 40, wordsMax: 4, wordCharactersMax: 10 }
const gib = 1024 ** 3

describe('a rule for what is like a torrent', () => {
  const table: readonly [string, Partial<Candidate> & { title: string }, string, unknown[]][] = [
    [
      'of a film asks for its name, year, resolution and size, rounded up',
      { title: 'Far.Hills.2022.2160p.WEB-DL-QUAY', sizeBytes: 15.4 * gib },
      'Far Hills',
      [
        ['title', ['Far', 'Hills']],
        ['year', 2022],
        ['resolution', ['2160p']],
        ['size_gib', 16],
      ],
    ],
    [
      'of a series asks for no episode and no year',
      { title: 'Harbour.Lights.2021.S02E06.1080p.WEB-DL-QUAY', promotion: '2XFREE' },
      'Harbour Lights',
      [
        ['title', ['Harbour', 'Lights']],
        ['resolution', ['1080p']],
        ['promotion', ['FREE', '2XFREE']],
      ],
    ],
    [
      'asks for no promotion where it was billed',
      { title: 'Harbour Lights S01 1080p', promotion: 'PERCENT_50' },
      'Harbour Lights',
      [
        ['title', ['Harbour', 'Lights']],
        ['resolution', ['1080p']],
      ],
    ],
    [
      'asks for all words of a name in two scripts',
      { title: '远山来信 Far Hills 2022 1080p' },
      '远山来信 Far Hills',
      [
        ['title', ['远山来信', 'Far', 'Hills']],
        ['year', 2022],
        ['resolution', ['1080p']],
      ],
    ],
    ['of a title without a name asks for all of it', { title: '...' }, '...', [['title', ['...']]]],
    [
      'holds its bounds',
      { title: 'a b c d extraordinarily.long' },
      'a b c d extraordinarily long',
      [['title', ['a', 'b', 'c', 'd']]],
    ],
  ]
  for (const [name, told, called, asked] of table)
    test(name, ({ expect }) => {
      const start = ruleLike({ subtitle: '', ...told }, bounds)
      expect(start.name).toBe(called)
      expect(start.conditions.map(({ field, value }) => [field, value])).toEqual(asked)
    })
})
