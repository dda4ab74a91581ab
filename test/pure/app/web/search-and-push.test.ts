import fc from 'fast-check'
import { describe, test } from 'vitest'
import type { WireFoundTorrent } from '../../../../workers/app/contract/console-search.ts'
import { pushTorrent } from '../../../../workers/app/contract/push.ts'
import { search } from '../../../../workers/app/contract/search.ts'
import { listTasks } from '../../../../workers/app/contract/tasks.ts'
import {
  keywordCharactersMax,
  pageSizeMax,
  searchCategoryCharactersMax,
  searchSitesMax as sitesOfServer,
} from '../../../../workers/app/limits.ts'
import { pushBodyOf, pushResult } from '../../../../workers/app/web/model/push.ts'
import {
  asksForMore,
  minSeedersMax,
  narrow,
  noSearch,
  readSearchQuery,
  resultKey,
  type SearchForm,
  searchBody,
  searchCategoryMax,
  searchHash,
  searchSitesMax,
  searchSorts,
  searchWordsMax,
  sortResults,
  sortResultsBy,
} from '../../../../workers/app/web/model/search-query.ts'
import {
  everyTask,
  isTaskFiltered,
  readTaskQuery,
  taskHash,
  taskParameters,
  taskRowsPerPage,
} from '../../../../workers/app/web/model/task-query.ts'

const words = fc.string({ maxLength: 100, unit: 'grapheme' }).filter((text) => [...text].length <= 100)
const siteName = fc.stringMatching(/^[a-z0-9][a-z0-9._-]{0,20}$/)
const anyQuery = fc.record({
  words,
  sites: fc.uniqueArray(siteName, { maxLength: 100 }),
  category: fc.string({ maxLength: 64, unit: 'grapheme' }).filter((text) => [...text].length <= 64),
  freeOnly: fc.boolean(),
  minSeeders: fc.integer({ min: 0, max: minSeedersMax }),
  sort: fc.constantFrom(...searchSorts),
  order: fc.constantFrom('asc' as const, 'desc' as const),
  page: fc.integer({ min: 1, max: 1_000_000 }),
})
const parametersOf = (hash: string) => new URLSearchParams(hash.split('?')[1] ?? '')

function item(fields: Partial<WireFoundTorrent>): WireFoundTorrent {
  return {
    site: 'a',
    torrent_id: '1',
    title: 'One',
    size: 1,
    seeders: 1,
    leechers: 0,
    free: false,
    has_hr: false,
    quality: {},
    ...fields,
  }
}

describe('the search in the address', () => {
  test('whatever is chosen is read back from the address, and accepted by the interface', ({ expect }) => {
    fc.assert(
      fc.property(anyQuery, (query) => {
        expect(readSearchQuery(parametersOf(searchHash(query)))).toEqual(query)
        const body = searchBody(query)
        if (query.words.trim() === '') expect(body).toBeUndefined()
        else expect(search.body.safeParse(body).error?.issues ?? []).toEqual([])
      }),
    )
  })

  test.for([
    ['', noSearch],
    ['sites=..%2Fx,A,ok&sort=none&min=-1&page=0', { ...noSearch, sites: ['ok'] }],
    [`q=${'x'.repeat(101)}`, { ...noSearch, words: 'x'.repeat(100) }],
    ['min=9999999', { ...noSearch, minSeeders: minSeedersMax }],
  ] as const)('%s is read with what cannot be understood left out', ([text, expected], { expect }) => {
    expect(readSearchQuery(new URLSearchParams(text))).toEqual(expected)
  })

  test('has the bounds of the interface', ({ expect }) => {
    expect([searchWordsMax, searchCategoryMax, searchSitesMax]).toEqual([
      keywordCharactersMax,
      searchCategoryCharactersMax,
      sitesOfServer,
    ])
    expect(searchHash(noSearch)).toBe('#/search')
  })
})

describe('filters over an answer in hand', () => {
  const asked: SearchForm = { words: 'x', sites: ['a', 'b'], category: 'tv', freeOnly: true, minSeeders: 5 }

  test.for([
    ['the same', {}, false],
    ['fewer sites', { sites: ['a'] }, false],
    ['more seeders', { minSeeders: 9 }, false],
    ['another site', { sites: ['a', 'c'] }, true],
    ['all sites', { sites: [] }, true],
    ['those that cost too', { freeOnly: false }, true],
    ['fewer seeders', { minSeeders: 4 }, true],
    ['another category', { category: 'movie' }, true],
  ] as const)('%s needs a new search: %3$s', ([, change, isMore], { expect }) => {
    expect(asksForMore({ ...asked, ...change }, asked)).toBe(isMore)
  })

  test('of all sites every choice is part', ({ expect }) => {
    expect(asksForMore({ ...noSearch, sites: ['a'] }, noSearch)).toBe(false)
  })

  test('narrowing keeps what the filters name and nothing else', ({ expect }) => {
    const items = [
      item({ torrent_id: '1', seeders: 3 }),
      item({ torrent_id: '2', site: 'b', free: true, seeders: 9 }),
      item({ torrent_id: '3', free: true, seeders: 4 }),
    ]
    const ids = (form: Partial<SearchForm>) => narrow(items, { ...noSearch, ...form }).map((one) => one.torrent_id)
    expect(ids({})).toEqual(['1', '2', '3'])
    expect(ids({ sites: ['a'] })).toEqual(['1', '3'])
    expect(ids({ freeOnly: true })).toEqual(['2', '3'])
    expect(ids({ minSeeders: 4 })).toEqual(['2', '3'])
    expect(ids({ sites: ['a'], freeOnly: true, minSeeders: 5 })).toEqual([])
  })

  test('a figure the site does not tell is last in any order', ({ expect }) => {
    const items = [
      item({ torrent_id: '1', leechers: 0, unknown: ['leechers'] }),
      item({ torrent_id: '2', leechers: 0 }),
      item({ torrent_id: '3', leechers: 4 }),
    ]
    for (const [order, expected] of [
      ['asc', ['2', '3', '1']],
      ['desc', ['3', '2', '1']],
    ] as const)
      expect(sortResults(items, { sort: 'leechers', order, page: 1 }).map((one) => one.torrent_id)).toEqual(expected)
  })

  test('sorting puts what a site does not say last, and ties by seeders', ({ expect }) => {
    const items = [
      item({ torrent_id: '1', seeders: 1 }),
      item({ torrent_id: '2', seeders: 5, snatched: 3 }),
      item({ torrent_id: '3', seeders: 9, snatched: 3 }),
      item({ torrent_id: '4', seeders: 2, snatched: 8 }),
    ]
    for (const [order, expected] of [
      ['asc', ['3', '2', '4', '1']],
      ['desc', ['4', '3', '2', '1']],
    ] as const) {
      const sorted = sortResults(items, { sort: 'snatched', order, page: 1 })
      expect(sorted.map((one) => one.torrent_id)).toEqual(expected)
    }
    expect(sortResultsBy(noSearch, 'title').order).toBe('asc')
    expect(sortResultsBy({ ...noSearch, page: 3 }, 'seeders')).toMatchObject({ order: 'asc', page: 1 })
  })
})

describe('a push', () => {
  const place = { downloaderId: 2, category: ' tv ', tags: '', savePath: '/volume1' }

  test('sends what is filled in, and the interface accepts it', ({ expect }) => {
    expect(pushBodyOf(item({}), place)).toEqual({
      site: 'a',
      torrent_id: '1',
      title: 'One',
      downloader_id: 2,
      category: 'tv',
      save_path: '/volume1',
    })
    const long = pushBodyOf(item({ title: '长'.repeat(600) }), { ...place, downloaderId: undefined })
    expect(pushTorrent.body.safeParse(long).success).toBe(true)
  })

  test.for([
    [{ success: true, skipped: false }, 'pushed'],
    [{ success: true, skipped: true }, 'skipped'],
    [{ success: false, skipped: false, message: '磁盘空间不足' }, 'stopped'],
  ] as const)('%o is %s', ([answer, outcome], { expect }) => {
    const value = { downloader_id: 1, downloader: 'nas-1', ...answer }
    expect(pushResult(item({}), { ok: true, value })).toMatchObject({ outcome, key: resultKey(item({})) })
  })

  test('a refusal keeps its reason', ({ expect }) => {
    const failure = { code: 'download_failed', status: 502, message: '返回的不是种子文件' }
    expect(pushResult(item({}), { ok: false, failure })).toMatchObject({ outcome: 'failed', failure })
  })
})

describe('the list of pushes in the address', () => {
  test('whatever is chosen is read back, and accepted by the interface', ({ expect }) => {
    const anyTasks = fc.record({
      site: fc.oneof(fc.constant(''), siteName),
      words,
      pushedOnly: fc.boolean(),
      page: fc.integer({ min: 1, max: 1_000_000 }),
    })
    fc.assert(
      fc.property(anyTasks, (query) => {
        expect(readTaskQuery(parametersOf(taskHash(query)))).toEqual(query)
        const sent = listTasks.query.safeParse(Object.fromEntries(taskParameters(query)))
        expect(sent.error?.issues ?? []).toEqual([])
      }),
    )
    expect(taskHash(everyTask)).toBe('#/tasks')
    expect(taskRowsPerPage).toBeLessThanOrEqual(pageSizeMax)
  })

  test('blank words filter nothing', ({ expect }) => {
    expect(isTaskFiltered({ ...everyTask, words: ' ' })).toBe(false)
    for (const change of [{ words: 'x' }, { site: 'a' }, { pushedOnly: true }])
      expect(isTaskFiltered({ ...everyTask, ...change })).toBe(true)
  })
})
