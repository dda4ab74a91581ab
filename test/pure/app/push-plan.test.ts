import { describe, test } from 'vitest'
import { chooseDownloader, gateSize, stopForCapacity, stopForSpace } from '../../../workers/app/core/push-plan.ts'

const gib = 1024 ** 3
const one = { id: 1, isDefault: false }
const two = { id: 2, isDefault: true }
const three = { id: 3, isDefault: false }

describe('the downloader of a push', () => {
  test.each([
    ['the one that was named', [one, two, three], 3, 3],
    ['the default one', [one, two, three], 0, 2],
    ['the first where there is no default', [three, one], 0, 1],
    ['none that is not enabled', [one, two], 3, 'unknown'],
    ['none where there is none', [], 0, 'none'],
    ['none of that number where there is none', [], 1, 'unknown'],
  ] as const)('is %s', (_, enabled, wanted, expected) => {
    const chosen = chooseDownloader(enabled, wanted)
    const shown = chosen.ok ? chosen.value.id : chosen.failure
    if (shown !== expected) throw new Error(String(shown))
  })
})

describe('free space', () => {
  // Free, still to be written by others, to stay free, size; whether it is enough.
  test.each([
    [10, 0, 2, 8, true],
    [10, 0, 2, 8 + 1 / gib, false],
    [10, 3, 2, 5, true],
    [10, 3, 2, 5 + 1 / gib, false],
    [2, 0, 2, 0, false],
    [2 + 1 / gib, 0, 2, 0, true],
    [10, 9, 2, 0, false],
    [10, 20, 0, 0, false],
    [1 / gib, 0, 0, 1 / gib, true],
    [0, 0, 0, 0, false],
    // A torrent of unknown size needs no more than the minimum.
    [2 + 1 / gib, 0, 2, undefined, true],
    [2, 0, 2, undefined, false],
    [undefined, 0, 0, 1, false],
    [undefined, 0, 0, undefined, false],
  ])('%s GiB, %s to be written, %s to stay: %s GiB fit is %s', (free, pending, min, size, fits) => {
    const reason = stopForSpace(
      {
        freeBytes: free === undefined ? undefined : free * gib,
        pendingBytes: pending * gib,
        minFreeBytes: min * gib,
      },
      size === undefined ? undefined : size * gib,
    )
    if ((reason === undefined) !== fits) throw new Error(reason?.kind)
  })
})

describe('seeding capacity', () => {
  test.each([
    [0, undefined, 100, true],
    [10, 4, 6, true],
    [10, 4, 6 + 1 / gib, false],
    [10, 10, 0, true],
    [10, 11, 0, false],
    [10, 4, undefined, true],
    [10, 11, undefined, false],
    [10, undefined, 1, false],
  ])('of %s GiB with %s seeded: %s GiB fit is %s', (capacity, seeding, size, fits) => {
    const reason = stopForCapacity(
      { capacityBytes: capacity * gib, seedingBytes: seeding === undefined ? undefined : seeding * gib },
      size === undefined ? undefined : size * gib,
    )
    if ((reason === undefined) !== fits) throw new Error(reason?.kind)
  })
})

test.each([
  ['the file where the site said nothing', 5, undefined, 5],
  ['the site where the file says nothing', undefined, 7, 7],
  ['the larger of both', 5, 7, 7],
  ['the larger of both, the other way', 8, 7, 8],
  ['unknown where nobody says', undefined, undefined, undefined],
])('a gate goes by %s', (_, file, shown, expected) => {
  const found = { torrentId: 'x', sizeBytes: shown, discount: 'NONE' as const, hasHr: false }
  const sizes = [gateSize(file, found), ...(shown === undefined ? [gateSize(file, undefined)] : [])]
  if (sizes.some((size) => size !== expected)) throw new Error(sizes.join(' '))
})
