import fc from 'fast-check'
import { describe, test } from 'vitest'
import { listTorrents } from '../../../../workers/app/contract/torrents.ts'
import { siteOfTracker } from '../../../../workers/app/core/site-of-tracker.ts'
import {
  torrentStates as statesOfTheInterface,
  torrentConditions,
  torrentSorts,
} from '../../../../workers/app/core/vocabulary.ts'
import { actionTargetsMax, torrentPageSizeMax } from '../../../../workers/app/limits.ts'
import {
  everyTorrent,
  inBatches,
  isFiltered,
  readTorrentQuery,
  sortBy,
  sortColumns,
  targetsPerAction,
  torrentHash,
  torrentKey,
  torrentParameters,
  torrentRowsPerPart,
  torrentStates,
} from '../../../../workers/app/web/model/torrent-query.ts'

const name = fc.string({ maxLength: 100 })
const anyQuery = fc.record(
  {
    state: fc.option(fc.constantFrom(...torrentStates), { nil: undefined }),
    condition: fc.option(fc.constantFrom(...torrentConditions), { nil: undefined }),
    downloaderId: fc.option(fc.integer({ min: 1, max: 1_000_000 }), { nil: undefined }),
    words: fc.string({ maxLength: 100, unit: 'grapheme' }).filter((text) => [...text].length <= 100),
    sort: fc.constantFrom(...sortColumns),
    order: fc.constantFrom('asc' as const, 'desc' as const),
    said: name,
    needsOwner: fc.constant(true),
    tracker: name,
    category: name,
    tag: name,
    folder: name,
  },
  { requiredKeys: ['state', 'condition', 'downloaderId', 'words', 'sort', 'order'] },
)

function searchOf(hash: string): URLSearchParams {
  return new URLSearchParams(hash.split('?')[1] ?? '')
}

describe('the torrent list in the address', () => {
  test('whatever is chosen is read back from the address', ({ expect }) => {
    fc.assert(
      fc.property(anyQuery, (query) => {
        expect(readTorrentQuery(searchOf(torrentHash(query)))).toEqual(query)
      }),
    )
  })

  test('whatever is chosen, the interface accepts', ({ expect }) => {
    fc.assert(
      fc.property(anyQuery, (query) => {
        const sent = listTorrents.query.safeParse(Object.fromEntries(torrentParameters(query)))
        expect(sent.error?.issues ?? []).toEqual([])
      }),
    )
  })

  test.for([
    ['', everyTorrent],
    ['state=gone&sort=hash&order=up&downloader=0', everyTorrent],
    ['downloader=1.5', everyTorrent],
    [`q=${'x'.repeat(101)}`, { ...everyTorrent, words: 'x'.repeat(100) }],
    [`q=${'x'.repeat(100)}`, { ...everyTorrent, words: 'x'.repeat(100) }],
  ] as const)('%s is read with what cannot be understood left out', ([search, expected], { expect }) => {
    expect(readTorrentQuery(new URLSearchParams(search))).toEqual(expected)
  })

  test('the plain list has the plain address', ({ expect }) => {
    expect(torrentHash(everyTorrent)).toBe('#/torrents')
  })
})

describe('sorting', () => {
  test('a column is sorted the useful way first and the other way next', ({ expect }) => {
    const bySize = sortBy(everyTorrent, 'size')
    expect(bySize).toMatchObject({ sort: 'size', order: 'desc' })
    expect(sortBy(bySize, 'size').order).toBe('asc')
    expect(sortBy(everyTorrent, 'title').order).toBe('asc')
  })
})

describe('what the page knows of the interface', () => {
  test('states, columns and bounds are those of the interface', ({ expect }) => {
    expect(torrentStates.toSorted()).toEqual(statesOfTheInterface.toSorted())
    expect(sortColumns.toSorted()).toEqual(torrentSorts.toSorted())
    expect(targetsPerAction).toBe(actionTargetsMax)
    expect(torrentRowsPerPart).toBeLessThanOrEqual(torrentPageSizeMax)
  })
})

describe('batches and keys', () => {
  test.for([
    [0, []],
    [100, [100]],
    [101, [100, 1]],
    [250, [100, 100, 50]],
  ] as const)('%i targets go in batches of %j', ([count, sizes], { expect }) => {
    const items = Array.from({ length: count }, (_, at) => at)
    const batches = inBatches(items, targetsPerAction)
    expect(batches.map((batch) => batch.length)).toEqual(sizes)
    expect(batches.flat()).toEqual(items)
  })

  test('the same hash in two downloaders is two torrents', ({ expect }) => {
    expect(torrentKey({ downloader_id: 1, task_id: 'a' })).not.toBe(torrentKey({ downloader_id: 2, task_id: 'a' }))
  })

  test('blank words filter nothing', ({ expect }) => {
    expect(isFiltered({ ...everyTorrent, words: '  ' })).toBe(false)
    expect(torrentParameters({ ...everyTorrent, words: '  ' }).has('q')).toBe(false)
    expect(isFiltered({ ...everyTorrent, words: 'x' })).toBe(true)
  })
})

describe('the site of a tracker', () => {
  const sites = ['https://www.cedar.example/', 'http://pt.lantern.example:8080', 'https://com', 'no address'].map(
    (address) => ({ address }),
  )
  test.for<[string, number | undefined]>([
    ['cedar.example', 0],
    ['tracker.cedar.example:2710', 0],
    ['TRACKER.cedar.example', 0],
    ['tracker.lantern.example', 1],
    ['pt.lantern.example', 1],
    ['notcedar.example', undefined],
    ['tracker.other.example', undefined],
    ['', undefined],
  ])('%s', ([tracker, at], { expect }) => {
    expect(siteOfTracker(sites, tracker)).toBe(at === undefined ? undefined : sites[at])
  })
})
