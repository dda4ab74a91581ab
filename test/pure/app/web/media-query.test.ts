import { describe, test } from 'vitest'
import type { WireMediaRecord } from '../../../../workers/app/contract/media.ts'
import { parseLibraryPath } from '../../../../workers/app/core/media/library-folder.ts'
import { libraryPathBytesMax } from '../../../../workers/app/limits.ts'
import {
  everyRecord,
  isLibraryPath,
  isMediaFiltered,
  mediaHash,
  mediaParameters,
  partOf,
  readMediaQuery,
} from '../../../../workers/app/web/model/media-query.ts'

describe('what the history shows', () => {
  test('stands in the address and comes back from it', ({ expect }) => {
    for (const query of [
      everyRecord,
      { words: '盐路 & 100%', state: 'failed', page: 3 },
      { words: '', state: 'removed', page: 1 },
    ] as const) {
      const search = new URLSearchParams(mediaHash(query).split('?')[1] ?? '')
      expect(readMediaQuery(search)).toEqual(query)
    }
  })

  test.for([
    ['status=moving', everyRecord],
    ['page=0', everyRecord],
    ['page=1.5', everyRecord],
    ['page=9999999', { ...everyRecord, page: 1_000_000 }],
    [`q=${'字'.repeat(120)}`, { ...everyRecord, words: '字'.repeat(100) }],
  ] as const)('%s is read as far as it makes sense', ([text, query], { expect }) => {
    expect(readMediaQuery(new URLSearchParams(text))).toEqual(query)
  })

  test('is asked for in the words of the interface', ({ expect }) => {
    expect(String(mediaParameters(everyRecord))).toBe('page=1&page_size=50')
    expect(String(mediaParameters({ words: ' a ', state: 'done', page: 2 }))).toBe(
      'page=2&page_size=50&q=a&status=done',
    )
    expect([isMediaFiltered(everyRecord), isMediaFiltered({ ...everyRecord, words: ' ' })]).toEqual([false, false])
    expect(isMediaFiltered({ ...everyRecord, state: 'done' })).toBe(true)
  })
})

test.for([
  [{}, ''],
  [{ season: 2 }, 'S02'],
  [{ season: 2, episode: 6 }, 'S02E06'],
  [{ season: 12, episode: 6, episode_end: 6 }, 'S12E06'],
  [{ season: 2, episode: 6, episode_end: 108 }, 'S02E06-E108'],
] as const)('%j is written %s', ([record, part], { expect }) => {
  expect(partOf(record as WireMediaRecord)).toBe(part)
})

test.for([
  '/films',
  ' /mnt/films/ ',
  'D:\\Films',
  'd:/films',
  '\\\\nas\\media',
  '',
  'films',
  '/',
  'C:\\',
  '/a/../b',
  '/./a',
  '~/a',
])('the form takes %j as the server does', (text, { expect }) => {
  expect(isLibraryPath(text)).toBe(parseLibraryPath(text, libraryPathBytesMax).ok)
})
