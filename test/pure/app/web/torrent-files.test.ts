import { describe, expect, test } from 'vitest'
import {
  chosenOf,
  fileRows,
  findFiles,
  type TorrentFile,
  withPriorities,
} from '../../../../workers/app/web/model/torrent-files.ts'

const file = (index: number, path: string, size = 100, progress = 0, priority = 'normal'): TorrentFile =>
  ({ index, path, size, progress, priority }) as TorrentFile

const season = [
  file(0, 'Salt/E10.mkv', 300, 50),
  file(1, 'Salt/E2.mkv', 100, 100),
  file(2, 'Salt/Subs/zh.srt', 0, 100, 'skip'),
  file(3, 'Salt/Subs/en.srt', 100, 0, 'skip'),
  file(4, 'note.txt', 1),
]
const drawn = (files: readonly TorrentFile[], ...closed: string[]) =>
  fileRows(files, new Set(closed)).map(
    ({ depth, name, isFolder }) => `${'  '.repeat(depth)}${name}${isFolder ? '/' : ''}`,
  )

describe('the files of a torrent', () => {
  test('stand in their folders, folders first, numbers by their value', () => {
    expect(drawn(season)).toEqual(['Salt/', '  Subs/', '    en.srt', '    zh.srt', '  E2.mkv', '  E10.mkv', 'note.txt'])
    expect(drawn(season, 'Salt/Subs/')).toEqual(['Salt/', '  Subs/', '  E2.mkv', '  E10.mkv', 'note.txt'])
    expect(drawn(season, 'Salt/')).toEqual(['Salt/', 'note.txt'])
    expect(drawn([])).toEqual([])
  })

  test('a folder has the size, progress and priority of what is in it', () => {
    const [salt, subs] = fileRows(season, new Set())
    expect(salt).toMatchObject({ path: 'Salt/', size: 500, progress: 50, priority: undefined })
    expect([...(salt?.indexes ?? [])].sort()).toEqual([0, 1, 2, 3])
    expect(subs).toMatchObject({ path: 'Salt/Subs/', size: 100, progress: 0, priority: 'skip' })
    // Of nothing all is there.
    expect(fileRows([file(0, 'empty/a', 0)], new Set())[0]).toMatchObject({ size: 0, progress: 100 })
  })

  test.for([
    ['', undefined, [0, 1, 2, 3, 4]],
    ['e', 'unfinished', [0, 4]],
    ['', 'skipped', [2, 3]],
    ['SUBS srt', undefined, [2, 3]],
    ['zh', 'skipped', [2]],
    ['none', undefined, []],
  ] as const)('“%s” with %s are those', ([words, filter, indexes]) => {
    expect(findFiles(season, words, filter).map(({ index }) => index)).toEqual(indexes)
  })

  test('those that are not skipped are chosen', () => {
    expect(chosenOf(season)).toEqual({ count: 3, size: 401 })
  })

  test('what is asked for is shown before it is so', () => {
    const asked = withPriorities(season, new Map([[0, 'skip']]))
    expect(asked.map(({ priority }) => priority)).toEqual(['skip', 'normal', 'skip', 'skip', 'normal'])
    expect(withPriorities(season, new Map())).toBe(season)
  })

  test('names of a machine’s own do not reach beside the tree', () => {
    expect(drawn([file(0, '__proto__/constructor'), file(1, '/a//b')])).toEqual([
      '/',
      '  a/',
      '    /',
      '      b',
      '__proto__/',
      '  constructor',
    ])
  })
})
