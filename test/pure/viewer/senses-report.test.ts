import { encode } from 'gpt-tokenizer'
import { describe, test } from 'vitest'
import { budgetMax, budgetMin, clipped, writeReport } from '../../../local/viewer/core/senses/report.ts'
import { givenOf, type IndexTool, schemaOf } from '../../../local/viewer/core/senses/tool.ts'

const rows = (count: number, text: (at: number) => string) => Array.from({ length: count }, (_, at) => () => text(at))
const places = rows(500, (at) => `src/shelf/book-${at}.ts:${at}  function takeBook  | return shelf.take(${at})`)

describe('an answer within a budget', () => {
  test.for([budgetMin, 300, 1_000, 2_000, budgetMax])('of %i tokens is never longer', (budget, { expect }) => {
    const long = 'x'.repeat(5_000)
    for (const text of [
      writeReport({ head: ['Callers of take'], parts: [{ title: 'Certain', rows: places }] }, budget),
      writeReport({ head: [long, long, long], parts: [{ title: long, rows: places }] }, budget),
      writeReport(
        { head: ['书架'.repeat(300)], parts: [{ title: '书', rows: rows(400, () => '取一本书'.repeat(30)) }] },
        budget,
      ),
      writeReport({ head: [], parts: [], notes: () => [long] }, budget),
      writeReport({ head: [], parts: Array.from({ length: 30 }, () => ({ title: 'Certain', rows: places })) }, budget),
    ])
      expect(encode(text).length).toBeLessThanOrEqual(budget)
  })

  test('what is cut is counted, and the parts after a long one still have room', ({ expect }) => {
    const text = writeReport(
      {
        head: ['Callers of take'],
        parts: [
          { title: 'Certain', rows: places },
          { title: 'Possible', rows: rows(2, (at) => `guess ${at}`) },
          { title: 'Nothing', rows: [] },
        ],
        notes: () => ['Not as indexed: a.ts.'],
      },
      1_000,
    )
    const shown = text.split('\n').filter((one) => one.includes('function takeBook')).length
    expect(shown).toBeGreaterThan(10)
    expect(text).toContain(`Certain (500)`)
    expect(text).toContain(`... ${500 - shown} more`)
    expect(text).toContain('Possible (2)\n  guess 0\n  guess 1')
    expect(text).not.toContain('Nothing')
    expect(text).toContain('Not as indexed: a.ts.')
    expect(text).toContain('Cut to fit 1000 tokens')
  })

  test('a row that is not shown is not made', ({ expect }) => {
    let made = 0
    const counted = rows(10_000, (at) => {
      made += 1
      return `row ${at} `.repeat(10)
    })
    writeReport({ head: [], parts: [{ title: 'Certain', rows: counted }] }, budgetMin)
    expect(made).toBeLessThan(20)
  })

  test('what fits is whole and says nothing of a cut', ({ expect }) => {
    const report = { head: ['One'], parts: [{ title: 'Certain', rows: rows(3, (at) => `row ${at}`) }] }
    expect(writeReport(report, 2_000)).toBe('One\n\nCertain (3)\n  row 0\n  row 1\n  row 2')
  })

  test('nothing of a source moves the cursor or turns the direction of text', ({ expect }) => {
    expect(clipped('a\u001b[2Jb\u202ec\td\r')).toBe('a [2Jb c d ')
    expect(clipped('x'.repeat(400))).toHaveLength(400)
    expect(clipped('x'.repeat(401))).toBe(`${'x'.repeat(397)}...`)
  })
})

const tool: IndexTool = {
  name: 'callers',
  description: '',
  parameters: {
    symbol: { kind: 'text', about: 'a name', charsMax: 10, isRequired: true },
    hops: { kind: 'whole', about: 'steps', min: 1, max: 10, fallback: 3 },
    exact: { kind: 'flag', about: 'as written' },
  },
  ask: () => ({ ok: true, value: { head: [], parts: [] } }),
}

describe('what is asked for', () => {
  test('is filled up with what is meant by saying nothing', ({ expect }) => {
    expect(givenOf(tool, { symbol: 'take' })).toEqual({
      ok: true,
      value: { symbol: 'take', hops: 3, exact: false, budget: 2_000 },
    })
    expect(givenOf(tool, { symbol: 'a'.repeat(10), hops: 10, budget: budgetMax }).ok).toBe(true)
    expect(givenOf(tool, { symbol: 'a', hops: 1, budget: budgetMin }).ok).toBe(true)
    expect(schemaOf(tool)).toMatchObject({
      required: ['symbol'],
      properties: { hops: { type: 'integer', minimum: 1, maximum: 10, default: 3 } },
      additionalProperties: false,
    })
  })

  test.for<[unknown, string]>([
    [{}, 'symbol is missing'],
    [{ symbol: '' }, 'symbol must be a text'],
    [{ symbol: 7 }, 'symbol must be a text'],
    [{ symbol: 'a'.repeat(11) }, 'symbol may have at most 10 characters'],
    [{ symbol: 'a', hops: 0 }, 'hops must be a whole number from 1 to 10'],
    [{ symbol: 'a', hops: 11 }, 'hops must be a whole number from 1 to 10'],
    [{ symbol: 'a', hops: '3' }, 'hops must be a whole number from 1 to 10'],
    [{ symbol: 'a', hops: 1.5 }, 'hops must be a whole number from 1 to 10'],
    [{ symbol: 'a', budget: budgetMin - 1 }, 'budget must be'],
    [{ symbol: 'a', budget: budgetMax + 1 }, 'budget must be'],
    [{ symbol: 'a', exact: 'yes' }, 'exact must be true or false'],
    [{ symbol: 'a', depth: 1 }, 'callers takes no "depth"; it takes symbol, hops, exact, budget'],
    [{ symbol: 'a', constructor: 1 }, 'callers takes no "constructor"'],
  ])('%j is refused', ([raw, message], { expect }) => {
    const given = givenOf(tool, raw as Record<string, unknown>)
    expect(given.ok ? '' : given.failure.message).toContain(message)
  })
})
