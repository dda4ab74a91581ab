import { describe, test } from 'vitest'
import { isSameFolder } from '../../../workers/app/core/folder.ts'
import { libraryFolder, parseLibraryPath } from '../../../workers/app/core/media/library-folder.ts'
import { libraryPathBytesMax, savePathBytesMax, titleFolderBytesMax } from '../../../workers/app/limits.ts'
import { said } from '../../support/said.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text).byteLength
const film = (title: string, year?: number) =>
  libraryFolder('/films', { title, tmdbId: 603, ...(year === undefined ? {} : { year }) }, titleFolderBytesMax)

describe("a library's folder", () => {
  test.for([
    ['/films', '/films'],
    [' /mnt//media/films// ', '/mnt/media/films'],
    ['/电影 库/4K', '/电影 库/4K'],
    ['/films/.hidden/..a', '/films/.hidden/..a'],
    ['C:\\Media\\Films\\', 'C:\\Media\\Films'],
    ['d:/Media/Films', 'd:\\Media\\Films'],
    ['\\\\nas\\media', '\\\\nas\\media'],
    ['\\\\nas\\media\\films', '\\\\nas\\media\\films'],
    [`/${'f'.repeat(libraryPathBytesMax - 1)}`, `/${'f'.repeat(libraryPathBytesMax - 1)}`],
  ] as const)('%s is kept as %s', ([text, kept], { expect }) => {
    expect(parseLibraryPath(text, libraryPathBytesMax)).toEqual({ ok: true, value: kept })
  })

  test.for([
    ['', '绝对路径'],
    ['films', '绝对路径'],
    ['./films', '绝对路径'],
    ['~/films', '绝对路径'],
    ['C:films', '绝对路径'],
    ['\\films', '绝对路径'],
    ['file:///films', '绝对路径'],
    ['/', '根目录'],
    ['///', '根目录'],
    ['C:\\', '根目录'],
    ['/films/..', '. 或 ..'],
    ['/films/../etc', '. 或 ..'],
    ['/./films', '. 或 ..'],
    ['C:\\films\\..\\x', '. 或 ..'],
    ['\\\\nas\\media\\..', '. 或 ..'],
    ['/films\\..\\etc', '反斜杠'],
    ['/films\n/x', '控制字符'],
    ['/films\u0000', '控制字符'],
    ['/films\u202e', '控制字符'],
    [`/${'f'.repeat(libraryPathBytesMax)}`, '字节'],
    [`/${'影'.repeat(Math.ceil(libraryPathBytesMax / 3))}`, '字节'],
  ] as const)('%j is none: %s', ([text, reason], { expect }) => {
    const parsed = parseLibraryPath(text, libraryPathBytesMax)

    expect(parsed.ok ? parsed.value : said(parsed.failure)).toContain(reason)
    expect(parsed.ok).toBe(false)
  })
})

describe('the folder of a title', () => {
  test.for([
    ['The Salt Road', 2024, 'The Salt Road (2024)'],
    ['盐路', 2024, '盐路 (2024)'],
    ['Face/Off: Part *2* "Now"?', 1997, 'Face Off Part 2 Now (1997)'],
    ['a\\b<c>d|e', 1999, 'a b c d e (1999)'],
    ['...Hidden', 2001, 'Hidden (2001)'],
    ['. . .', 2001, 'TMDB 603 (2001)'],
    ['???', undefined, 'TMDB 603'],
    ['Trailing. ', undefined, 'Trailing'],
    ['Re\u202everse\u0000d\u200b', 2002, 'Reversed (2002)'],
    ['Lone \ud800 half', 2002, 'Lone half (2002)'],
    ['CON', undefined, 'CON_'],
    ['nul.tar', undefined, 'nul.tar_'],
    ['CON', 2020, 'CON (2020)'],
    ['Amélie', 2001, 'Amélie (2001)'],
  ] as const)('%j of %s is %s', ([title, year, name], { expect }) => {
    expect(film(title, year)).toBe(`/films/${name}`)
  })

  test('is cut between characters, and its year stays', ({ expect }) => {
    for (const title of ['x'.repeat(1000), '影'.repeat(1000), '🎬'.repeat(1000), ` . ${'影 '.repeat(500)}`]) {
      const name = film(title, 2024).slice('/films/'.length)
      expect(bytesOf(name)).toBeLessThanOrEqual(titleFolderBytesMax)
      expect(bytesOf(name)).toBeGreaterThan(titleFolderBytesMax - 5)
      expect(name).toMatch(/[^ .] \(2024\)$/)
      expect(name.isWellFormed()).toBe(true)
    }
  })

  test('of a series holds its season; the longest fits into what a downloader is sent', ({ expect }) => {
    const series = { title: '盐路', year: 2024, tmdbId: 1 }

    expect(libraryFolder('/tv', { ...series, season: 2 }, titleFolderBytesMax)).toBe('/tv/盐路 (2024)/Season 02')
    expect(libraryFolder('C:\\tv', { ...series, season: 112 }, titleFolderBytesMax)).toBe(
      'C:\\tv\\盐路 (2024)\\Season 112',
    )
    const longest = `/${'f'.repeat(libraryPathBytesMax - 1)}`
    const folder = libraryFolder(longest, { ...series, title: '影'.repeat(999), season: 200 }, titleFolderBytesMax)
    expect(bytesOf(folder)).toBeLessThanOrEqual(savePathBytesMax)
  })
})

describe('two writings of a folder', () => {
  test.for([
    ['/films/A', '/films/A/', true],
    ['C:\\films\\A', 'C:/films/A/', true],
    ['/', '/', true],
    ['/films/A', '/films/B', false],
    ['/films/A', '/films/a', false],
    ['', '/', false],
  ] as const)('%s and %s: %s', ([one, other, isSame], { expect }) => {
    expect(isSameFolder(one, other)).toBe(isSame)
  })
})
