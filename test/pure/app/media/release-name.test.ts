import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { foldName } from '../../../../workers/app/core/media/fold-name.ts'
import { type ReleaseName, readReleaseName } from '../../../../workers/app/core/media/release-name.ts'
import type { NumberSpan } from '../../../../workers/app/core/media/release-numbering.ts'

/** Title, subtitle and what they say, read by eye: names, year, season, episodes, `all`, `leaked`, quality, group. */
const table = readFileSync(new URL('../../../fixtures/media/release-names.tsv', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => line.split('\t'))

const span = (letter: string, numbers: NumberSpan | undefined) =>
  numbers === undefined ? '' : `${letter}${numbers.from}${numbers.to === numbers.from ? '' : `-${numbers.to}`}`

function told({ names, year, seasons, episodes, isComplete, isLeaked, quality }: ReleaseName): string {
  const { resolution, source, codec, isHdr, isDolbyVision, group } = quality
  const parts = [
    year === undefined ? '' : String(year),
    span('S', seasons),
    span('E', episodes),
    isComplete ? 'all' : '',
    isLeaked ? 'leaked' : '',
    resolution ?? '',
    source ?? '',
    codec ?? '',
    isHdr === true ? 'hdr' : '',
    isDolbyVision === true ? 'dv' : '',
    group === undefined ? '' : `-${group}`,
  ]
  return [names.join('/'), ...parts.filter((part) => part !== '')].join(' ')
}

const runs = Number(process.env['WHARF_FUZZ_RUNS'] ?? 1000)
const seed = Number(process.env['WHARF_FUZZ_SEED'] ?? 7)

describe('the name of a release', () => {
  test('is read as people read it, in every habit of the table', ({ expect }) => {
    expect(table.length).toBeGreaterThan(150)
    const read = table.map(([title = '', subtitle = '']) => [title, subtitle, told(readReleaseName(title, subtitle))])

    expect(read).toEqual(table)
  })

  test('that holds its year is known by it as well', ({ expect }) => {
    expect(readReleaseName('Space.1999.S01E02.1080p.BluRay').nameWithYear).toBe('space1999')
    expect(readReleaseName('Space.S01E02.1999.1080p.BluRay').nameWithYear).toBeUndefined()
  })

  test('is folded to what names that mean the same have in common', ({ expect }) => {
    expect(
      ['The Salt-Road!', 'ＴＨＥ ｓａｌｔ ｒｏａｄ', 'Amélie & Zoë', '盐路：第七个仓库', 'がくせい', '…'].map(foldName),
    ).toEqual(['thesaltroad', 'thesaltroad', 'amelieandzoe', '盐路第七个仓库', 'がくせい', ''])
  })

  test('made of anything is read to an end, without a fault', ({ expect }) => {
    const pieces = [
      'S02',
      'E05',
      '第',
      '季',
      '集',
      '全',
      '十',
      '百',
      '-',
      '~',
      ' ',
      '.',
      '[',
      ']',
      '【',
      '1080p',
      '2026',
      '4K',
      'WEB',
      'x',
    ]
    const built = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', maxLength: 4 })), {
      maxLength: 60,
    })
    fc.assert(
      fc.property(built, built, (title, subtitle) => {
        const { names, seasons, episodes, isComplete } = readReleaseName(title.join(''), subtitle.join(''))
        expect(names.length).toBeLessThanOrEqual(16)
        expect(names).not.toContain('')
        for (const numbers of [seasons, episodes]) {
          if (numbers !== undefined) expect(numbers.from).toBeLessThanOrEqual(numbers.to)
        }
        expect(isComplete && episodes !== undefined).toBe(false)
      }),
      { numRuns: runs, seed },
    )
  })

  // Whatever needs more than a time that grows with the text does not end within the test's own.
  test.for([
    'S01E01E',
    '第一',
    '第 ',
    '全',
    '- 05 ',
    '[01-',
    'E05-',
    '2026.',
    '1080p ',
    'web-',
    '(',
    'a.k.a ',
    'ẛ̣',
    'S1-',
    '-A',
    '一',
  ])('that repeats %j without end is read in time', (piece, { expect }) => {
    expect(readReleaseName(piece.repeat(20_000), piece.repeat(20_000)).names.length).toBeLessThanOrEqual(16)
  })
})
