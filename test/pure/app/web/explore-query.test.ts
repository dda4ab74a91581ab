import { describe, test } from 'vitest'
import { keywordCharactersMax, explorePagesMax as pagesOfServer } from '../../../../workers/app/limits.ts'
import {
  exploreHash,
  explorePagesMax,
  exploreParameters,
  exploreWordsMax,
  firstExplore,
  readExploreQuery,
  wordsForSites,
} from '../../../../workers/app/web/model/explore-query.ts'
import { parseRoute } from '../../../../workers/app/web/model/hash-route.ts'

const read = (text: string) => readExploreQuery(new URLSearchParams(text))

describe('what the explore screen shows', () => {
  test.for([
    ['', firstExplore],
    ['kind=tv&list=popular&page=20', { kind: 'tv', list: 'popular', words: '', page: 20 }],
    ['q=salt&kind=tv', { kind: 'tv', list: 'trending', words: 'salt', page: 1 }],
  ] as const)('%j is in the address and comes back from it', ([text, query], { expect }) => {
    expect(read(text)).toEqual(query)
    const route = parseRoute(exploreHash(query))
    expect(route.name === 'explore' && readExploreQuery(route.query)).toEqual(query)
  })

  test.for([
    ['kind=book&list=top', firstExplore],
    ['page=0', firstExplore],
    ['page=-1', firstExplore],
    ['page=x', firstExplore],
    ['page=99', { ...firstExplore, page: explorePagesMax }],
    ['q=salt&page=3', { ...firstExplore, words: 'salt' }],
  ] as const)('%j is brought to what the server takes', ([text, query], { expect }) => {
    expect(read(text)).toEqual(query)
  })

  test('has the bounds of the server', ({ expect }) => {
    expect([explorePagesMax, exploreWordsMax]).toEqual([pagesOfServer, keywordCharactersMax])
    expect([...read(`q=${'词'.repeat(exploreWordsMax + 1)}`).words]).toHaveLength(exploreWordsMax)
  })

  test('is asked in the words of the interface: a search has no page, and blank words are none', ({ expect }) => {
    expect(String(exploreParameters({ ...firstExplore, page: 2 }))).toBe('kind=movie&list=trending&page=2')
    expect(String(exploreParameters({ ...firstExplore, words: ' salt ' }))).toBe('kind=movie&list=search&q=salt')
    expect(String(exploreParameters({ ...firstExplore, words: '  ' }))).toBe('kind=movie&list=trending&page=1')
  })
})

test.for([
  [{ media_type: 'movie', title: '盐路', original_title: 'The Salt Road', year: 2026 }, 'The Salt Road 2026'],
  [{ media_type: 'tv', title: '盐路', original_title: 'The Salt Road', year: 2026 }, 'The Salt Road'],
  [{ media_type: 'movie', title: '盐路', original_title: '塩の道' }, '盐路'],
  [{ media_type: 'movie', title: 'Sluice', year: 2023 }, 'Sluice 2023'],
] as const)('the sites are searched for %o as "%s"', ([title, words], { expect }) => {
  expect(wordsForSites(title)).toBe(words)
})
