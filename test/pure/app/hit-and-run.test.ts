import { describe, test } from 'vitest'
import { type Given, isAskedOfAll, seedingStanding } from '../../../workers/app/core/hit-and-run.ts'

const hour = 3600
const lookedAtUnix = 1_800_000_000
const half: Given = {
  ...{ sizeBytes: 1000, isComplete: true, seededSeconds: 12 * hour, givenBytes: 500, isSeeding: true },
  isMissing: false,
  givenAtUnix: lookedAtUnix,
}
const day = { seed_hours: 24 }

describe('a torrent that has to be seeded', () => {
  test.for([
    [
      'one that is seeding',
      half,
      day,
      true,
      { state: 'seeding', ratio: 0.5, leftSeconds: 12 * hour, freeAtUnix: lookedAtUnix + 12 * hour },
    ],
    [
      'one that is paused',
      { ...half, isSeeding: false },
      day,
      true,
      { state: 'standing', ratio: 0.5, leftSeconds: 12 * hour },
    ],
    [
      'one that its downloader does not have',
      { ...half, isMissing: true },
      day,
      true,
      { state: 'missing', ratio: 0.5, leftSeconds: 12 * hour },
    ],
    [
      'one that was free when it was removed',
      { ...half, isMissing: true, seededSeconds: 30 * hour },
      day,
      true,
      { state: 'free', ratio: 0.5 },
    ],
    [
      'one that was removed before it was complete',
      { ...half, isMissing: true, isComplete: false },
      day,
      true,
      { state: 'missing', ratio: 0.5 },
    ],
    ['one whose downloader is away', half, day, false, { state: 'unknown', ratio: 0.5, leftSeconds: 12 * hour }],
    [
      'one that was seeded just long enough',
      { ...half, seededSeconds: 24 * hour },
      day,
      true,
      { state: 'free', ratio: 0.5 },
    ],
    ['one that lacks a second', { ...half, seededSeconds: 24 * hour - 1 }, day, true, expectLeft(1)],
    [
      'one that was free when its downloader went away',
      { ...half, seededSeconds: 30 * hour },
      day,
      false,
      { state: 'free', ratio: 0.5 },
    ],
    ['one that gave enough', { ...half, givenBytes: 2000 }, { ...day, ratio: 2 }, true, { state: 'free', ratio: 2 }],
    [
      'one that gave much where no ratio counts',
      { ...half, givenBytes: 9000 },
      day,
      false,
      { state: 'unknown', ratio: 9, leftSeconds: 12 * hour },
    ],
    ['one at a site that wants a ratio alone', half, { ratio: 1 }, true, { state: 'seeding', ratio: 0.5 }],
    ['one at a site of which nothing is known', half, undefined, true, { state: 'unknown', ratio: 0.5 }],
    [
      'one that no downloader told of',
      { ...half, seededSeconds: undefined, givenBytes: undefined },
      day,
      true,
      { state: 'unknown' },
    ],
    [
      'one of no size',
      { ...half, sizeBytes: 0, seededSeconds: 24 * hour },
      { seed_hours: 24 },
      true,
      { state: 'free' },
    ],
    ['one that is not complete', { ...half, isComplete: false }, day, true, { state: 'downloading', ratio: 0.5 }],
  ] as const)('is told as it is: %s', ([_, given, rule, isFresh, expected], { expect }) => {
    expect(seedingStanding(given, rule, isFresh)).toEqual(expected)
  })

  function expectLeft(seconds: number) {
    return { state: 'seeding', ratio: 0.5, leftSeconds: seconds, freeAtUnix: lookedAtUnix + seconds }
  }

  test('is every one where lists mark none', ({ expect }) => {
    expect((['nexusphp', 'mteam', 'unit3d', 'gazelle', 'torznab'] as const).map(isAskedOfAll)).toEqual([
      ...[false, true, true, true, false],
    ])
  })
})
