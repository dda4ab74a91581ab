import fc from 'fast-check'
import { describe, test } from 'vitest'
import { joinSearchRows, toWireItem, writeSearchRows } from '../../../workers/app/contract/search-rows.ts'
import { toldFigures } from '../../../workers/app/core/search-figures.ts'
import type { SearchHit } from '../../../workers/app/core/site.ts'

const hitOf = (title: string, seeders = 1): SearchHit => ({
  torrentId: '7',
  title,
  sizeBytes: 10,
  seeders,
  leechers: 0,
  tags: [],
  discount: 'FREE',
  hasHr: false,
  downloadKey: 'passkey=canary',
})
const textOf = (parts: readonly Uint8Array[]) => Buffer.concat(parts).toString()
/** Texts that would end a row early, were they not escaped. */
const titles = fc.array(fc.oneof(fc.string(), fc.constantFrom('},\n{', ',\n', ']', '"', '\u2028')), { maxLength: 6 })

describe('results that leave as the text their sites wrote', () => {
  test('are those of all sites in order, up to the bound and not one more', ({ expect }) => {
    fc.assert(
      fc.property(fc.array(titles, { maxLength: 5 }), fc.nat({ max: 40 }), (sites, itemsMax) => {
        const rows = sites.map((names, site) =>
          writeSearchRows(
            `s${site}`,
            names.map((name) => hitOf(name)),
          ),
        )
        const all = sites.flatMap((names, site) => names.map((name) => toWireItem(`s${site}`, hitOf(name))))

        expect(JSON.parse(`[${textOf(joinSearchRows(rows, itemsMax))}]`)).toEqual(all.slice(0, itemsMax))
        expect(rows.map(({ count }) => count)).toEqual(sites.map((names) => names.length))
      }),
    )
  })

  test.for([
    [{}, undefined],
    [{ seeders: 0, leechers: 0 }, undefined],
    [{ seeders: undefined }, ['seeders']],
    [{ sizeBytes: undefined, leechers: undefined }, ['size', 'leechers']],
    [{ discount: undefined }, ['discount']],
  ] as const)('name what %j does not tell, and keep the places of figures', ([change, unknown], { expect }) => {
    const hit = { ...hitOf('x'), ...change }
    const row = toWireItem('a', hit)

    expect(row.unknown).toEqual(unknown)
    expect([row.size, row.seeders, row.leechers].every(Number.isInteger)).toBe(true)
    const { sizeBytes, seeders, leechers } = hit
    expect(toldFigures(row)).toEqual({ sizeBytes, seeders, leechers })
  })

  test('neither have a promotion that the site does not tell, nor an end of it', ({ expect }) => {
    const row = toWireItem('a', { ...hitOf('x'), discount: undefined })
    expect([row.discount, row.discount_end, row.free]).toEqual([undefined, undefined, false])
  })

  test('hold nothing of what their download needs', ({ expect }) => {
    expect(textOf([writeSearchRows('a', [hitOf('x')]).json])).not.toContain('canary')
  })
})
