import { describe, test } from 'vitest'
import { contentOf } from '../../../workers/app/core/reseed/same-content.ts'
import { areSameFiles, layoutOf, nearestInSize, searchWordsOf } from '../../../workers/app/core/reseed/same-files.ts'
import { readTorrentFile } from '../../../workers/app/core/torrent-file.ts'
import { torrentFileBounds } from '../../../workers/app/limits.ts'
import { makeFolderTorrent, makeTorrent } from '../../support/make-torrent.ts'

const held = (...files: [string, number][]) => files.map(([path, sizeBytes]) => ({ path, sizeBytes }))
function layoutIn(file: Uint8Array) {
  const read = readTorrentFile(file, torrentFileBounds)
  return read.ok ? layoutOf(read.value) : undefined
}

describe('the files of a torrent', () => {
  test('stand in its file with their paths and sizes', ({ expect }) => {
    const show = makeFolderTorrent('Show.S01', [
      ['e01.mkv', 10],
      ['Subs/e01.srt', 2],
    ])
    expect(layoutIn(show.file)).toEqual(held(['Show.S01/e01.mkv', 10], ['Show.S01/Subs/e01.srt', 2]))
    expect(layoutIn(makeTorrent('film.mkv', 30_000).file)).toEqual(held(['film.mkv', 30_000]))
    expect(layoutIn(makeTorrent('film.mkv', 30_000, { format: 'hybrid' }).file)).toEqual(held(['film.mkv', 30_000]))
    expect(layoutIn(makeTorrent('film.mkv', 30_000, { format: 'v2' }).file)).toBeUndefined()
  })

  const own = held(['a/1.mkv', 5], ['a/2.mkv', 6])
  test.for<[string, ReturnType<typeof held>, boolean]>([
    ['in another order', held(['a/2.mkv', 6], ['a/1.mkv', 5]), true],
    ['one byte longer', held(['a/1.mkv', 5], ['a/2.mkv', 7]), false],
    ['one more', held(['a/1.mkv', 5], ['a/2.mkv', 6], ['a/x.nfo', 1]), false],
    ['one less', held(['a/1.mkv', 5]), false],
    ['below another folder', held(['b/1.mkv', 5], ['b/2.mkv', 6]), false],
    ['none', [], false],
  ])('%s are the same: %s', ([, wanted, isSame], { expect }) => {
    expect(areSameFiles(own, wanted)).toBe(isSame)
  })

  test('are the same whatever fills their pieces, and however an accent is written', ({ expect }) => {
    const padded = held(['a/1.mkv', 5], ['a/.pad/11', 11], ['a/Caf\u0065\u0301.mkv', 6])
    expect(areSameFiles(padded, held(['a/1.mkv', 5], ['a/Caf\u00e9.mkv', 6]))).toBe(true)
  })
})

test.for<[string, (readonly [string, string])[], string[][]]>([
  ['nothing known', [], [['a'], ['b']]],
  ['one that was found by another', [['a', 'b']], [['a', 'b'], ['c']]],
  [
    'one that was found by what was found',
    [
      ['a', 'b'],
      ['b', 'c'],
    ],
    [['a', 'b', 'c'], ['d']],
  ],
  [
    'two that were found by one another',
    [
      ['a', 'b'],
      ['b', 'a'],
    ],
    [['a', 'b']],
  ],
  [
    'two that are joined later',
    [
      ['a', 'b'],
      ['c', 'd'],
      ['d', 'a'],
    ],
    [['a', 'b', 'c', 'd']],
  ],
  ['itself', [['a', 'a']], [['a'], ['b']]],
])('torrents are of one content by %s', ([, pairs, groups], { expect }) => {
  const content = contentOf(pairs)
  const named = groups.map((group) => new Set(group.map(content)))
  expect(named.map(({ size }) => size)).toEqual(groups.map(() => 1))
  expect(new Set(named.flatMap((names) => [...names])).size).toBe(groups.length)
})

test.for([
  ['Harbour.Lights.2021.1080p.BluRay.x264-QUAY.mkv', 100, 'Harbour Lights 2021 1080p BluRay x264-QUAY'],
  ['[QUAY] Harbour_Lights (2021)', 100, 'QUAY Harbour Lights 2021'],
  ['Harbour.Lights.2021', 14, 'Harbour Lights'],
  ['Harbour.Lights.2021', 13, 'Harbour'],
] as const)('%s is searched in %i characters as %s', ([title, max, words], { expect }) => {
  expect(searchWordsOf(title, max)).toBe(words)
})

test('rows of a search are those of nearly its size, the nearest first, and so many', ({ expect }) => {
  const rows = [1009, 1011, 1001, 0, 990, 989].map((size) => ({ size }))
  const near = (max: number) => nearestInSize(rows, 1000, { share: 0.01, max }).map(({ size }) => size)
  expect(near(9)).toEqual([1001, 1009, 0, 990])
  expect(near(2)).toEqual([1001, 1009])
  expect(near(0)).toEqual([])
})
