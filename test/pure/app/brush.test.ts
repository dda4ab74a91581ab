/** What a brush task takes, in which order, what it removes and why, and what it counts. */
import fc from 'fast-check'
import { describe, test } from 'vitest'
import type { BrushBounds, PickRules, RemovalRules } from '../../../workers/app/core/brush/brush-rules.ts'
import { type BrushedTorrent, noteLook, reasonToRemove } from '../../../workers/app/core/brush/brushed-torrent.ts'
import {
  type BrushCandidate,
  chooseTorrents,
  dryPick,
  judgeForBrush,
  rulesOfPick,
} from '../../../workers/app/core/brush/choose-torrents.ts'
import { discounts } from '../../../workers/app/core/vocabulary.ts'

const now = 1_800_000_000
const hour = 3600
const gib = 1024 ** 3

const anything: PickRules = { free_only: false, refuse_hr: false, refused_words: [] }
const roomy: BrushBounds = { active_max: 10, downloading_max: 10, active_gib_max: 1000, new_per_run_max: 10 }
const nothing = { active: 0, downloading: 0, activeBytes: 0 }

function candidate(change: Partial<BrushCandidate> = {}): BrushCandidate {
  return {
    torrentId: '1',
    title: 'Salt Road S02E06 2160p',
    subtitle: '盐路 第二季',
    sizeBytes: 10 * gib,
    seeders: 3,
    leechers: 6,
    uploadedAtUnix: now - 2 * hour,
    discount: 'FREE',
    discountEndAtUnix: now + 24 * hour,
    hasHr: false,
    ...change,
  }
}

const isWanted = (one: BrushCandidate, pick: PickRules) =>
  judgeForBrush(one, pick, rulesOfPick(pick), now).act === 'take'

describe('a torrent', () => {
  test.for<[string, Partial<BrushCandidate>, Partial<PickRules>, boolean]>([
    ['that meets no rule because there is none', {}, {}, true],
    ['of unknown size', { sizeBytes: undefined }, {}, false],
    ['of unknown seeders', { seeders: undefined }, { seeders_max: 1000 }, false],
    ['of unknown leechers', { leechers: undefined }, { leechers_min: 1 }, false],
    ['of unknown leechers, where none are asked for', { leechers: undefined }, { leechers_min: 0 }, true],
    ['that is free', {}, { free_only: true }, true],
    ['that is free and counts twice', { discount: '2XFREE' }, { free_only: true }, true],
    ['that is half free', { discount: 'PERCENT_50' }, { free_only: true }, false],
    ['that is not free', { discount: 'NONE' }, { free_only: true }, false],
    ['of which nobody tells whether it is free', { discount: undefined }, {}, true],
    [
      'of which nobody tells whether it is free, where that is asked',
      { discount: undefined },
      { free_only: true },
      false,
    ],
    ['of which nobody tells whether it is free, nor how long', { discount: undefined }, { free_hours_min: 24 }, false],
    ['that is free no more', { discountEndAtUnix: now }, { free_only: true }, false],
    ['that is free for one more second', { discountEndAtUnix: now + 1 }, { free_only: true }, true],
    ['that is free, nobody tells until when', { discountEndAtUnix: undefined }, { free_only: true }, false],
    [
      'that is free, nobody tells until when, and that is open',
      { discountEndAtUnix: undefined },
      { free_only: true, free_hours_min: 48, unknown_end: 'open' },
      true,
    ],
    ['that is free just long enough', {}, { free_only: true, free_hours_min: 24 }, true],
    ['that is free not long enough', {}, { free_only: true, free_hours_min: 24.5 }, false],
    ['that is free not long enough where others are taken', {}, { free_hours_min: 24.5 }, false],
    ['that is not free, of which no time is asked', { discount: 'NONE' }, { free_hours_min: 24.5 }, true],
    ['of the least size', {}, { size_gib_min: 10 }, true],
    ['below the least size', { sizeBytes: 10 * gib - 1 }, { size_gib_min: 10 }, false],
    ['of the largest size', {}, { size_gib_max: 10 }, true],
    ['above the largest size', { sizeBytes: 10 * gib + 1 }, { size_gib_max: 10 }, false],
    ['with as many seeders as allowed', {}, { seeders_max: 3 }, true],
    ['with more seeders', { seeders: 4 }, { seeders_max: 3 }, false],
    ['with as many who want it as asked', {}, { leechers_min: 6 }, true],
    ['with fewer who want it', { leechers: 5 }, { leechers_min: 6 }, false],
    ['of the greatest age', {}, { age_hours_max: 2 }, true],
    ['that is older', { uploadedAtUnix: now - 2 * hour - 1 }, { age_hours_max: 2 }, false],
    ['of unknown age', { uploadedAtUnix: undefined }, { age_hours_max: 2 }, false],
    ['that must be seeded', { hasHr: true }, { refuse_hr: true }, false],
    ['that must be seeded, and may', { hasHr: true }, {}, true],
    ['with a refused word in other letters', {}, { refused_words: ['salt ROAD'] }, false],
    ['with a refused word in its subtitle', {}, { refused_words: ['第二季'] }, false],
    ['without the refused word', {}, { refused_words: ['1080p'] }, true],
  ])('%s: taken %s', ([, change, pick, expected], { expect }) => {
    expect(isWanted(candidate(change), { ...anything, ...pick })).toBe(expected)
  })
})

describe('the choice', () => {
  const ids = (chosen: readonly BrushCandidate[]) => chosen.map(({ torrentId }) => torrentId)
  const many = [
    candidate({ torrentId: 'old', leechers: 4, seeders: 1, uploadedAtUnix: now - 9 * hour }),
    candidate({ torrentId: 'new', leechers: 4, seeders: 1, uploadedAtUnix: now - hour }),
    candidate({ torrentId: 'wanted', leechers: 40, seeders: 1 }),
    candidate({ torrentId: 'unwanted', leechers: 0, seeders: 1 }),
    candidate({ torrentId: 'large', leechers: 30, seeders: 1, sizeBytes: 100 * gib }),
  ]

  test('goes by demand, and among equals by age', ({ expect }) => {
    const { chosen } = chooseTorrents(many, { pick: anything, bounds: roomy }, nothing, now)

    expect(ids(chosen)).toEqual(['wanted', 'large', 'new', 'old', 'unwanted'])
  })

  test.for<[string, Partial<BrushBounds>, Partial<typeof nothing>, string[]]>([
    ['new ones in a run', { new_per_run_max: 1 }, {}, ['wanted']],
    ['active ones', { active_max: 4 }, { active: 3 }, ['wanted']],
    ['active ones, all there', { active_max: 4 }, { active: 4 }, []],
    ['active ones, more than allowed now', { active_max: 4 }, { active: 9 }, []],
    ['those downloading', { downloading_max: 2 }, { downloading: 1 }, ['wanted']],
    [
      'the size of all, past one that is too large',
      { active_gib_max: 40 },
      { activeBytes: 15 * gib },
      ['wanted', 'new'],
    ],
  ])('keeps the bound of %s', ([, bounds, holding, expected], { expect }) => {
    const { chosen } = chooseTorrents(
      many,
      { pick: anything, bounds: { ...roomy, ...bounds } },
      { ...nothing, ...holding },
      now,
    )

    expect(ids(chosen)).toEqual(expected)
  })

  test('says of each that is left why, what came nearest first', ({ expect }) => {
    const lists = [
      ...many,
      candidate({ torrentId: 'marked', hasHr: true, seeders: 9 }),
      candidate({ torrentId: 'seen', hasHr: true }),
    ]
    const pick = { ...anything, refuse_hr: true, seeders_max: 3 }
    const bounds = { ...roomy, active_gib_max: 40, new_per_run_max: 2 }

    const { chosen, left } = chooseTorrents(lists, { pick, bounds }, nothing, now)

    expect(ids(chosen)).toEqual(['wanted', 'new'])
    expect(
      left.map(({ torrentId, why, clauses }) => [
        torrentId,
        why,
        clauses.filter(({ state }) => state !== 'met').length,
      ]),
    ).toEqual([
      ['large', 'size', 0],
      ['old', 'bounds', 0],
      ['unwanted', 'bounds', 0],
      ['seen', 'rules', 1],
      ['marked', 'rules', 2],
    ])
  })

  test('keeps every bound and every rule, whatever a site lists', ({ expect }) => {
    const whole = (max: number) => fc.integer({ min: 0, max })
    const some = fc.record({
      torrentId: fc.integer({ min: 1, max: 30 }).map(String),
      title: fc.string(),
      subtitle: fc.string(),
      sizeBytes: whole(50).map((amount) => amount * gib),
      seeders: whole(9),
      leechers: whole(9),
      uploadedAtUnix: fc.option(whole(2 * now), { nil: undefined }),
      discount: fc.constantFrom(...discounts),
      discountEndAtUnix: fc.option(whole(2 * now), { nil: undefined }),
      hasHr: fc.boolean(),
    })
    const limits = fc.record({
      active_max: fc.integer({ min: 1, max: 9 }),
      downloading_max: fc.integer({ min: 1, max: 9 }),
      active_gib_max: fc.integer({ min: 1, max: 90 }),
      new_per_run_max: fc.integer({ min: 1, max: 9 }),
    })
    const held = fc.record({
      active: whole(12),
      downloading: whole(12),
      activeBytes: whole(100).map((one) => one * gib),
    })
    const pick = { ...anything, free_only: true, seeders_max: 7 }
    fc.assert(
      fc.property(fc.array(some, { maxLength: 40 }), limits, held, (candidates, bounds, holding) => {
        const { chosen, left } = chooseTorrents(candidates, { pick, bounds }, holding, now)
        const told = new Set(ids([...chosen, ...left]))
        expect(candidates.every(({ torrentId }) => told.has(torrentId))).toBe(true)
        const bytes = chosen.reduce((sum, { sizeBytes }) => sum + (sizeBytes ?? 0), 0)
        if (chosen.length === 0) return
        expect(new Set(ids(chosen)).size).toBe(chosen.length)
        expect(chosen.every((one) => isWanted(one, pick))).toBe(true)
        expect(chosen.length).toBeLessThanOrEqual(bounds.new_per_run_max)
        expect(holding.active + chosen.length).toBeLessThanOrEqual(bounds.active_max)
        expect(holding.downloading + chosen.length).toBeLessThanOrEqual(bounds.downloading_max)
        expect(holding.activeBytes + bytes).toBeLessThanOrEqual(bounds.active_gib_max * gib)
      }),
      { numRuns: 2000, seed: 20 },
    )
  })
})

const taken: BrushedTorrent = {
  sizeBytes: 10 * gib,
  uploadedBytes: 0,
  downloadedBytes: 0,
  takenAtUnix: now - 48 * hour,
  lastUploadAtUnix: now - 48 * hour,
}
const seeding: BrushedTorrent = { ...taken, completedAtUnix: now - 24 * hour }

describe('what is removed', () => {
  test.for<[string, BrushedTorrent, Partial<RemovalRules>, string | undefined]>([
    ['nothing without a rule', seeding, {}, undefined],
    ['seeded long enough', seeding, { seeding_hours: 24 }, 'seeding'],
    ['not seeded long enough', seeding, { seeding_hours: 24.5 }, undefined],
    ['not seeded at all', taken, { seeding_hours: 0.5 }, undefined],
    ['its ratio reached', { ...seeding, uploadedBytes: 20 * gib }, { ratio: 2 }, 'ratio'],
    ['its ratio not reached', { ...seeding, uploadedBytes: 20 * gib - 1 }, { ratio: 2 }, undefined],
    ['its ratio reached while it downloads', { ...taken, uploadedBytes: 20 * gib }, { ratio: 2 }, undefined],
    ['without a size, no ratio', { ...seeding, sizeBytes: 0 }, { ratio: 0.01 }, undefined],
    ['uploaded enough', { ...seeding, uploadedBytes: gib }, { uploaded_gib: 1 }, 'uploaded'],
    ['uploaded enough while it downloads', { ...taken, uploadedBytes: gib }, { uploaded_gib: 1 }, 'uploaded'],
    ['not uploaded enough', { ...seeding, uploadedBytes: gib - 1 }, { uploaded_gib: 1 }, undefined],
    ['idle since it was complete', seeding, { idle_hours: 24 }, 'idle'],
    ['idle since its last upload', { ...seeding, lastUploadAtUnix: now - 3 * hour }, { idle_hours: 3 }, 'idle'],
    ['not idle yet', { ...seeding, lastUploadAtUnix: now - 3 * hour + 1 }, { idle_hours: 3 }, undefined],
    ['idle while it downloads', taken, { idle_hours: 1 }, undefined],
    ['free no more, not complete', { ...taken, freeEndAtUnix: now }, { free_over: true }, 'free_over'],
    ['free no more, complete', { ...seeding, freeEndAtUnix: now }, { free_over: true }, undefined],
    ['free no more, and nobody asks', { ...taken, freeEndAtUnix: now }, { free_over: false }, undefined],
    ['still free', { ...taken, freeEndAtUnix: now + 1 }, { free_over: true }, undefined],
    ['free until further notice', taken, { free_over: true }, undefined],
    ['not complete in time', taken, { incomplete_hours: 48 }, 'incomplete'],
    ['still in time', taken, { incomplete_hours: 48.5 }, undefined],
    ['complete in time', seeding, { incomplete_hours: 1 }, undefined],
    [
      'of two reasons the pressing one',
      { ...taken, freeEndAtUnix: now, uploadedBytes: gib },
      { free_over: true, uploaded_gib: 1 },
      'free_over',
    ],
  ])('%s', ([, torrent, removal, expected], { expect }) => {
    expect(reasonToRemove(torrent, { free_over: false, ...removal }, now)?.reason).toBe(expected)
  })

  test.for<[BrushedTorrent, Partial<RemovalRules>, object]>([
    [seeding, { seeding_hours: 20 }, { reason: 'seeding', asked: 20, found: 24 }],
    [{ ...seeding, uploadedBytes: 25 * gib }, { ratio: 2 }, { reason: 'ratio', asked: 2, found: 2.5 }],
    [{ ...taken, uploadedBytes: 3 * gib }, { uploaded_gib: 2 }, { reason: 'uploaded', asked: 2, found: 3 }],
    [seeding, { idle_hours: 6 }, { reason: 'idle', asked: 6, found: 24 }],
    [taken, { incomplete_hours: 40 }, { reason: 'incomplete', asked: 40, found: 48 }],
    [{ ...taken, freeEndAtUnix: now - hour }, { free_over: true }, { reason: 'free_over', found: 1 }],
  ])('and the figures that decided are told', ([torrent, removal, expected], { expect }) => {
    expect(reasonToRemove(torrent, { free_over: false, ...removal }, now)).toEqual(expected)
  })
})

describe('a look at the downloader', () => {
  const seen = { sizeBytes: 9 * gib, progressPercent: 50, uploadedBytes: 700, downloadedBytes: 300, completedAtUnix: 0 }

  test('counts what was moved since the one before', ({ expect }) => {
    const first = noteLook(taken, seen, now)
    const second = noteLook(first.torrent, { ...seen, uploadedBytes: 900, downloadedBytes: 300 }, now + 60)

    expect(first).toMatchObject({
      uploadedBytes: 700,
      downloadedBytes: 300,
      torrent: { sizeBytes: 9 * gib, lastUploadAtUnix: now },
    })
    expect([second.uploadedBytes, second.downloadedBytes]).toEqual([200, 0])
  })

  test('counts nothing for a counter that fell, and goes on from there', ({ expect }) => {
    const before = { ...taken, uploadedBytes: 1000, downloadedBytes: 1000 }
    const fallen = noteLook(before, seen, now)
    const risen = noteLook(fallen.torrent, { ...seen, uploadedBytes: 750 }, now + 60)

    expect([fallen.uploadedBytes, fallen.downloadedBytes]).toEqual([0, 0])
    expect(fallen.torrent.lastUploadAtUnix).toBe(taken.lastUploadAtUnix)
    expect([risen.uploadedBytes, risen.downloadedBytes]).toEqual([50, 0])
  })

  test.for<[string, number, number]>([
    ['as the downloader says', now - hour, now - hour],
    ['now, where it does not say', 0, now],
    ['never before it was taken', 5, taken.takenAtUnix],
    ['never in time to come', now + 9 * hour, now],
  ])('dates its completion %s', ([, completedAtUnix, expected], { expect }) => {
    const { torrent } = noteLook(taken, { ...seen, progressPercent: 100, completedAtUnix }, now)

    expect(torrent.completedAtUnix).toBe(expected)
    const later = noteLook(torrent, { ...seen, progressPercent: 100, completedAtUnix }, now + 20 * hour)
    expect(later.torrent.completedAtUnix).toBe(expected)
  })

  test('of one that is checked anew leaves it complete', ({ expect }) => {
    expect(noteLook(seeding, seen, now).torrent.completedAtUnix).toBe(seeding.completedAtUnix)
  })

  test('never counts more than the counters rose', ({ expect }) => {
    fc.assert(
      fc.property(fc.array(fc.nat(1e12), { minLength: 1, maxLength: 20 }), (counters) => {
        let torrent = taken
        let counted = 0
        let risen = 0
        for (const uploadedBytes of counters) {
          risen += Math.max(0, uploadedBytes - torrent.uploadedBytes)
          const look = noteLook(torrent, { ...seen, uploadedBytes }, now)
          expect(look.uploadedBytes).toBeGreaterThanOrEqual(0)
          counted += look.uploadedBytes
          torrent = look.torrent
        }
        expect(counted).toBe(risen)
      }),
      { numRuns: 500, seed: 20 },
    )
  })
})

describe('a choice over what turned up before', () => {
  const past = (['FREE', 'NONE', undefined] as const).map((promotion, at) => ({
    candidate: {
      ...{ site: 'shelf', feed: 'new', torrentId: String(at), title: 'Salt Road', subtitle: '' },
      ...{ sizeBytes: at === 1 ? undefined : 10 * gib, seeders: 3, leechers: 6, promotion },
      freeUntilUnix: now + 24 * hour,
    },
    atUnix: now + at * hour,
  }))

  test('adds up what it would have taken then, and what of it was not surely free', ({ expect }) => {
    expect(dryPick(past, anything)).toMatchObject({ taken: 2, billed: 1, bytes: 20 * gib, unsized: 0 })
    expect(dryPick(past, { ...anything, free_only: true })).toMatchObject({ taken: 1, billed: 0, bytes: 10 * gib })
    expect(dryPick(past, { ...anything, free_only: true, free_hours_min: 25 }).taken).toBe(0)
    expect(dryPick([], anything)).toEqual({
      verdicts: [],
      byRule: new Map(),
      left: 0,
      taken: 0,
      billed: 0,
      bytes: 0,
      unsized: 0,
    })
  })

  test('says of each that it left which clause was against it', ({ expect }) => {
    const { verdicts } = dryPick(past.slice(1, 2), { ...anything, free_only: true })
    expect(verdicts[0]).toMatchObject({ act: 'leave' })
    expect(verdicts[0]?.clauses).toContainEqual({
      ...{
        asked: { field: 'promotion', op: 'is_any', value: ['FREE', '2XFREE'] },
        state: 'unmet',
        found: 'NONE',
        from: 'list',
      },
    })
  })
})
