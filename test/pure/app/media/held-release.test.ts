import { describe, test } from 'vitest'
import { areHeld, type HeldTitle, isPartThere, titlesIn } from '../../../../workers/app/core/media/held-release.ts'

const held = (...titles: string[]): HeldTitle[] => titles.flatMap((title) => titlesIn(title))
const isHeld = (title: string, ...there: string[]) => areHeld(titlesIn(title), held(...there))

describe('whether what a release brings is there', () => {
  const show = 'The.Salt.Road.S02E01-E03.1080p.WEB-DL-QUAY'
  test.for([
    ['an episode of a pack', 'The.Salt.Road.S02E03.2160p.BluRay-RIVAL', [show], true],
    ['episodes that two have together', 'The.Salt.Road.S02E03-E04.1080p', [show, 'The Salt Road S02E04 720p'], true],
    ['an episode that is new', 'The.Salt.Road.S02E04.1080p', [show], false],
    ['one of several that is new', 'The.Salt.Road.S02E03-E04.1080p', [show], false],
    ['another season', 'The.Salt.Road.S03E01.1080p', [show], false],
    ['an episode of a whole season', 'The.Salt.Road.S02E09.1080p', ['The.Salt.Road.S02.Complete.1080p'], true],
    ['a season of all of them', 'The.Salt.Road.S02.1080p', ['The.Salt.Road.S01-S03.1080p'], true],
    ['a season of which episodes are there', 'The.Salt.Road.S02.1080p', [show], undefined],
    ['a season of which none is there', 'The.Salt.Road.S03.1080p', [show], false],
    ['another series of that name', 'The.Salt.Road.2019.S02E01.1080p', ['The.Salt.Road.2004.S02E01.1080p'], undefined],
    ['another title', 'Glass.Pier.S02E01.1080p', [show], undefined],
    ['a film', 'Glass.Pier.2021.2160p.BluRay', ['[玻璃码头] Glass Pier 2021 1080p'], true],
    ['a film by its Chinese name', '玻璃码头 2021 1080p', ['[玻璃码头] Glass Pier 2021 1080p'], true],
    ['a film of another year', 'Glass.Pier.1984.1080p', ['Glass.Pier.2021.1080p'], undefined],
    ['a film called like a series', 'The.Salt.Road.2021.1080p', [show], undefined],
    ['what does not say which it is', 'Glass.Pier.1080p', ['Glass.Pier.2021.1080p'], undefined],
  ] as const)('%s', ([, title, there, is], { expect }) => {
    expect(isHeld(title, ...there)).toBe(is)
  })

  test('part of a season is there when an episode of it is', ({ expect }) => {
    const isPart = (title: string) => isPartThere(titlesIn(title), held(show))
    expect(['The.Salt.Road.S02.1080p', 'The.Salt.Road.S03.1080p', 'Glass.Pier.S02.1080p'].map(isPart)).toEqual([
      true,
      false,
      false,
    ])
  })

  test('a number of seasons that no series has is read in no time', ({ expect }) => {
    expect(titlesIn('The.Salt.Road.S1-S999.1080p').length).toBeLessThanOrEqual(100)
  })
})
