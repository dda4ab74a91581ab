/** Paths as the flow page tells them, and the picture that is kept of one. */
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { branchesOf, certaintyOf, isWhole, joinPaths } from '../../../../local/viewer/web/layout/flow-path.ts'
import {
  type Card,
  drawFlow,
  type FlowDrawing,
  type Piece,
  wrapPieces,
} from '../../../../local/viewer/web/layout/flow-picture.ts'
import { cellsOf, keepEnd, keepStart, wrapWords } from '../../../../local/viewer/web/layout/marks.ts'

interface Hop {
  readonly node: { readonly id: string }
  readonly edge: { readonly uncertain: boolean } | null
  readonly shows: string
}
interface Path {
  readonly id: string
  readonly label: string
  readonly hops: Hop[]
  readonly boundary: string | null
  readonly partial: boolean
}
const path = (names: string, more: Partial<Path> = {}): Path => {
  const ids = names.split(' ')
  return {
    id: ids.join('>'),
    label: ids.join(' → '),
    hops: ids.map((id, at) => ({
      node: { id },
      edge: at === 0 ? null : { uncertain: false },
      shows: ids[at + 1] ?? '',
    })),
    boundary: null,
    partial: false,
    ...more,
  }
}
const ids = (one: { hops: readonly Hop[] }): string => one.hops.map((hop) => hop.node.id).join(' ')

describe('a path through a symbol in between', () => {
  test('is the two halves, the symbol in between told once with the line that leads on', ({ expect }) => {
    const joined = joinPaths(path('a b via'), path('via c d'))
    expect(ids(joined)).toBe('a b via c d')
    expect(joined.hops[2]).toEqual({ node: { id: 'via' }, edge: { uncertain: false }, shows: 'c' })
    expect(joined.label).toBe('a → b → via → c → d')
    expect(isWhole(joined)).toBe(true)
  })

  test.for([
    ['the first half stops', path('a', { partial: true, boundary: 'call' }), path('via c'), 'a'],
    ['there is no second half', path('a via'), undefined, 'a via'],
    ['the halves do not meet', path('a b'), path('via c'), 'a b'],
  ] as const)('is the first half alone when %s', ([, first, second, shown], { expect }) => {
    expect(ids(joinPaths<Hop, string>(first, second))).toBe(shown)
  })

  test('stops where its second half stops', ({ expect }) => {
    const joined = joinPaths(path('a via'), path('via', { partial: true, boundary: 'computed' }))
    expect(joined).toMatchObject({ boundary: 'computed', partial: true })
    expect(isWhole(joined)).toBe(false)
  })
})

test('links are counted by what is known of them', ({ expect }) => {
  const { hops } = path('a b c d')
  const mixed = hops.map((one, at) => ({ ...one, edge: at === 1 ? { uncertain: true } : at === 3 ? null : one.edge }))
  expect(certaintyOf(mixed)).toEqual({ resolved: 1, guessed: 1, unknown: 1 })
})

describe('other paths', () => {
  test('are told by where they part, what they go through and where they meet again', ({ expect }) => {
    const paths = [path('a b c d'), path('a x y d'), path('p d')]
    const told = branchesOf(paths, 0).map((one) => [
      one.at,
      one.leaves?.node.id,
      one.through.map((hop) => hop.node.id),
      one.rejoins?.node.id,
    ])
    expect(told).toEqual([
      [1, 'a', ['x', 'y'], 'd'],
      [2, undefined, ['p'], 'd'],
    ])
  })

  test('a path that stops earlier goes through nothing of its own', ({ expect }) => {
    expect(branchesOf([path('a b c'), path('a b')], 0)).toMatchObject([{ at: 1, through: [], rejoins: undefined }])
  })
})

describe('words in a picture', () => {
  test.for([
    ['src/deep/down/name.ts', 12, '…own/name.ts'],
    ['short', 12, 'short'],
    ['中文名字很长', 7, '…字很长'],
  ] as const)('%s keeps its end in %i cells', ([text, cells, kept], { expect }) => {
    expect(keepEnd(text, cells)).toBe(kept)
  })

  test('nothing kept is wider than asked', ({ expect }) => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 2, max: 40 }), (text, cells) => {
        expect(cellsOf(keepEnd(text, cells))).toBeLessThanOrEqual(Math.max(cells, 1))
        expect(cellsOf(keepStart(text, cells))).toBeLessThanOrEqual(Math.max(cells, 1))
        for (const line of wrapWords(text, cells)) expect(cellsOf(line)).toBeLessThanOrEqual(cells)
        expect(wrapWords(text, cells).join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
      }),
    )
  })

  test('a wrapped source line keeps every letter and every colour', ({ expect }) => {
    const pieces = fc.array(fc.tuple(fc.constantFrom('ink', 'c-string'), fc.string({ minLength: 1, maxLength: 20 })), {
      maxLength: 8,
    })
    fc.assert(
      fc.property(pieces as fc.Arbitrary<Piece[]>, fc.integer({ min: 1, max: 30 }), (line, cells) => {
        const rows = wrapPieces(line, cells)
        const letters = (all: readonly Piece[]): string =>
          all.map(([tone, text]) => [...text].map((one) => `${tone}${one}`).join()).join()
        expect(letters(rows.flat())).toBe(
          letters(line.map(([tone, text]) => [tone, text.replaceAll('\t', '  ')] as const)),
        )
        for (const row of rows)
          expect(row.reduce((sum, [, text]) => sum + [...text].length, 0)).toBeLessThanOrEqual(cells)
      }),
    )
  })
})

describe('the picture of a flow', () => {
  const card = (name: string, more: Partial<Card> = {}): Card => ({
    name,
    kind: 'method',
    place: `src/${name}.ts:1`,
    lines: [
      {
        number: 1,
        pieces: [
          ['c-keyword', 'async'],
          ['ink', ' run()'],
        ],
        isHit: false,
      },
      { number: 2, pieces: [['ink', 'x'.repeat(150)]], isHit: true },
    ],
    reason: undefined,
    ...more,
  })
  const drawing: FlowDrawing = {
    title: 'start to run',
    subtitle: '2 hops, then the static graph stops',
    cards: [card('start'), card('run', { lines: [], reason: 'the file has changed' })],
    links: [
      { text: 'calls at line 2', isKnown: true },
      { text: 'computed call at line 9', isKnown: false },
    ],
    stop: {
      title: 'The path stops here',
      tag: 'computed call',
      text: ['The name is not in the source.'],
      candidates: [{ name: 'sendMail', place: 'src/mail.ts:4' }],
    },
  }

  test.for([360, 800, 1600])('stays inside its own edges at %i px', (width, { expect }) => {
    const picture = drawFlow(drawing, width)
    expect(picture.width).toBe(width)
    for (const mark of picture.marks) {
      if (mark.kind === 'path') continue
      expect(mark.x).toBeGreaterThanOrEqual(0)
      expect(mark.y).toBeLessThanOrEqual(picture.height)
      if (mark.kind === 'rect') {
        expect(mark.x + mark.width).toBeLessThanOrEqual(width)
        expect(mark.y + mark.height).toBeLessThanOrEqual(picture.height)
      } else if (mark.isAtEnd !== true && mark.face === 'mono')
        expect(mark.x + cellsOf(mark.text) * 7.3).toBeLessThanOrEqual(width)
    }
  })

  test('is taller on a phone, where long lines wrap', ({ expect }) => {
    expect(drawFlow(drawing, 360).height).toBeGreaterThan(drawFlow(drawing, 900).height)
  })

  test('is dashed from the link that is not known on, and at the stop', ({ expect }) => {
    const dashed = drawFlow(drawing, 900).marks.filter((mark) => mark.kind !== 'text' && mark.isDashed === true)
    expect(dashed.map((mark) => mark.kind)).toEqual(['path', 'rect', 'path'])
    const certain = drawFlow({ ...drawing, links: [{ text: 'calls', isKnown: true }], stop: undefined }, 900)
    expect(certain.marks.some((mark) => mark.kind !== 'text' && mark.isDashed === true)).toBe(false)
  })

  test('says why a card has no lines', ({ expect }) => {
    const words = drawFlow(drawing, 900).marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []))
    expect(words).toContain('the file has changed')
    expect(words).toContain('sendMail')
  })
})
