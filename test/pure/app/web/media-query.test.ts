import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'vitest'
import type { WireMediaRecord } from '../../../../workers/app/contract/media.ts'
import { parseLibraryPath } from '../../../../workers/app/core/media/library-folder.ts'
import { historyStatuses } from '../../../../workers/app/core/vocabulary.ts'
import { libraryPathBytesMax } from '../../../../workers/app/limits.ts'
import {
  everyRecord,
  isLibraryPath,
  isMediaFiltered,
  mediaHash,
  mediaParameters,
  mediaStates,
  partOf,
  readMediaQuery,
} from '../../../../workers/app/web/model/media-query.ts'
import { mediaReasonOf } from '../../../../workers/app/web/model/media-reasons.ts'
import { english } from '../../../../workers/app/web/words/english.ts'

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
    expect(mediaStates).toEqual(historyStatuses)
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

describe('why something was organised otherwise', () => {
  const organiser = 'workers/app/adapters/organise-media.ts'
  test.for([
    ['heldAlready', organiser, '媒体库中已有同样或更好的版本，留在原处'],
    ['replaced', 'workers/app/adapters/d1/media-history.ts', '已被更好的版本取代'],
    ['filesDeleted', 'workers/app/adapters/d1/media-history.ts', '种子和文件已从下载器中删除'],
    ['gone', organiser, '种子已从下载器中移除'],
    ['downloaderDeleted', organiser, '下载器已被删除'],
    ['incomplete', organiser, '下载器中的种子还不完整'],
    ['notMoved', organiser, '下载器没有把文件移动到媒体库，请检查目录和权限'],
    ['busyFiles', organiser, '下载器正在校验或移动这个种子'],
  ] as const)('%s is what %s says', ([name, file, sentence], { expect }) => {
    expect(readFileSync(path.resolve(import.meta.dirname, '../../../..', file), 'utf8')).toContain(`'${sentence}'`)
    expect(mediaReasonOf(sentence)).toBe(name)
    expect(english.mediaReasons[name]).not.toMatch(/\p{Script=Han}/u)
  })

  test('no folder of a kind is known, and other words are not', ({ expect }) => {
    expect(['电影', '剧集'].map((kind) => mediaReasonOf(`没有${kind}媒体库，留在原处`))).toEqual([
      'noFilmLibrary',
      'noSeriesLibrary',
    ])
    expect(mediaReasonOf('无法连接下载器')).toBeUndefined()
  })
})
