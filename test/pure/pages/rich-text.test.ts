import { describe, test } from 'vitest'
import { type Block, type Inline, readBlocks, readInlines } from '../../../shared/pages/text-blocks.ts'

const text = (value: string): Inline => ({ kind: 'text', text: value })
const paragraph = (...inlines: Inline[]): Block => ({ kind: 'paragraph', inlines })

describe('the blocks of what a model writes', () => {
  test.for<[string, Block[]]>([
    ['', []],
    ['one\ntwo\n\nthree', [paragraph(text('one\ntwo')), paragraph(text('three'))]],
    ['## Sites\nLantern', [{ kind: 'heading', inlines: [text('Sites')] }, paragraph(text('Lantern'))]],
    ['#notaheading', [paragraph(text('#notaheading'))]],
    [
      'so:\n- one\n  goes on\n  - two\n\n3. three\nend',
      [
        paragraph(text('so:')),
        {
          kind: 'list',
          items: [
            { depth: 0, number: undefined, inlines: [text('one\ngoes on')] },
            { depth: 1, number: undefined, inlines: [text('two')] },
            { depth: 0, number: 3, inlines: [text('three')] },
          ],
        },
        paragraph(text('end')),
      ],
    ],
    ['```sh\nls **a**\n\n```\nx', [{ kind: 'code', text: 'ls **a**\n' }, paragraph(text('x'))]],
    ['````\n```\n````', [{ kind: 'code', text: '```' }]],
    ['```\nstill being writ', [{ kind: 'code', text: 'still being writ' }]],
    [
      '| a | b |\n|---|:-:|\n| 1 | 2 | 3 |\n| 4 |\nend',
      [
        {
          kind: 'table',
          head: [[text('a')], [text('b')]],
          rows: [
            [[text('1')], [text('2')]],
            [[text('4')], []],
          ],
        },
        paragraph(text('end')),
      ],
    ],
    ['a | b\nno rule', [paragraph(text('a | b\nno rule'))]],
    ['a\r\nb', [paragraph(text('a\nb'))]],
  ])('%j', ([written, blocks], { expect }) => {
    expect(readBlocks(written)).toEqual(blocks)
  })

  test('nothing that turns or hides letters is left to do so', ({ expect }) => {
    const [block] = readBlocks('a\u202egnp.exe\u2066 \u200b\u0000\u0007 tail')
    expect(block).toEqual(paragraph(text('a\ufffdgnp.exe\ufffd \ufffd\ufffd\ufffd tail')))
  })

  test.for<[string, string]>([
    ['brackets', '['],
    ['backticks', '`a\n'],
    ['stars', '**a'],
    ['list marks', ' - a\n'],
    ['lines that go on', '- a\n b'],
    ['pipes', '|-'],
    ['spaces', ' '],
    ['addresses', 'http://'],
    ['fences', '```\n'],
  ])('a long answer of nothing but %s is read in one go', ([, piece], { expect }) => {
    const long = piece.repeat(Math.ceil((256 * 1024) / piece.length))
    // Anything that looked at a line more than a few times would outlast the test.
    expect(JSON.stringify(readBlocks(long)).length).toBeGreaterThan(0)
    const rows = `${'|'.repeat(4000)}\n${'|-'.repeat(4000)}|\n${'|\n'.repeat(100_000)}`
    expect(readBlocks(rows).every(({ kind }) => kind !== 'table')).toBe(true)
  })
})

describe('what stands in a line', () => {
  test.for<[string, Inline[]]>([
    ['say `rm -rf` now', [text('say '), { kind: 'code', text: 'rm -rf' }, text(' now')]],
    [
      '**99 GiB and `x`**, gone',
      [{ kind: 'strong', inlines: [text('99 GiB and '), { kind: 'code', text: 'x' }] }, text(', gone')],
    ],
    ['2 ** 3 ** x', [text('2 '), { kind: 'strong', inlines: [text(' 3 ')] }, text(' x')]],
    ['one ` alone and ** too', [text('one ` alone and ** too')]],
    [
      'see https://example.org/a?b=1.',
      [text('see '), { kind: 'link', address: 'https://example.org/a?b=1' }, text('.')],
    ],
    ['看 https://example.org/，再说', [text('看 '), { kind: 'link', address: 'https://example.org/' }, text('，再说')]],
  ])('%j', ([line, inlines], { expect }) => {
    expect(readInlines(line)).toEqual(inlines)
  })

  test('a link is shown with where it really leads', ({ expect }) => {
    expect(readInlines('[your bank](https://exаmple.org/ü)')).toEqual([
      text('your bank '),
      { kind: 'link', address: 'https://xn--exmple-4nf.org/%C3%BC' },
    ])
  })

  test.for([
    '[x](javascript:alert(1))',
    '[x](data:text/html,1)',
    '[x](//example.org)',
    'JAVASCRIPT:alert(1)',
    'ftp://example.org/',
    'https://user@example.org/',
    '[bank](https://bank.example@example.org/)',
    'https://[oops',
    '<a href="https:evil">',
    '<img src=x onerror=alert(1)>',
  ])('%s is no link', (line, { expect }) => {
    expect(readInlines(line).filter(({ kind }) => kind === 'link')).toEqual([])
    expect(
      readInlines(line)
        .map((one) => ('text' in one ? one.text : ''))
        .join(''),
    ).toBe(line)
  })
})
