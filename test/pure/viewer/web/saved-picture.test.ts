/** Pictures that are kept: whole by themselves, and safe whatever the names of the project are. */
import fc from 'fast-check'
import { parseDocument } from 'htmlparser2'
import { describe, test } from 'vitest'
import { fileName, type Look, svgText } from '../../../../local/viewer/web/export/svg-text.ts'
import { keepMap, type MapWords } from '../../../../local/viewer/web/layout/map-marks.ts'
import { drawMap } from '../../../../local/viewer/web/layout/map-picture.ts'
import { placeModules } from '../../../../local/viewer/web/layout/map-places.ts'
import type { Mark } from '../../../../local/viewer/web/layout/marks.ts'

const look = (theme: 'light' | 'dark'): Look => ({
  colour: (tone) => (theme === 'light' ? `#0000${tone.length.toString(16).padStart(2, '0')}` : '#ffffff'),
  sans: '"Segoe UI", sans-serif',
  mono: 'Menlo, monospace',
})
const textMark = (text: string): Mark => ({ kind: 'text', x: 1, y: 2, text, tone: 'ink', size: 12, face: 'mono' })

interface Node {
  readonly type: string
  readonly name?: string
  readonly data?: string
  readonly attribs?: Record<string, string>
  readonly children?: readonly Node[]
}
function every(node: Node): Node[] {
  return [node, ...(node.children ?? []).flatMap(every)]
}
const parse = (svg: string): Node[] => every(parseDocument(svg, { xmlMode: true }) as unknown as Node)

describe('an SVG', () => {
  test('holds hostile names as text and as nothing else', ({ expect }) => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '</text><script>alert(1)</script>',
        '"><img src=x onerror=alert(1)>',
        ']]>',
        '&amp;',
        'a\u202egnp.exe',
        'x\u0000y\ny',
      ),
    )
    fc.assert(
      fc.property(hostile, (name) => {
        const nodes = parse(svgText({ width: 10, height: 10, title: name, marks: [textMark(name)] }, look('light')))
        const tags = nodes.flatMap((one) => (one.type === 'tag' || one.type === 'script' ? [one.name] : []))
        expect(tags).toEqual(['svg', 'title', 'rect', 'text'])
        const shown =
          nodes
            .find((one) => one.name === 'text')
            ?.children?.map((one) => one.data ?? '')
            .join('') ?? ''
        expect(shown).not.toMatch(/[^\P{Cc}\t\n\r]|[\u202e\u2066]/u)
        // What is printable is there as it was.
        if (/^[ -~]*$/.test(name)) expect(shown).toBe(name)
      }),
    )
  })

  test('refers to nothing outside it and names colours and faces itself', ({ expect }) => {
    const svg = svgText({ width: 10.2, height: 10, title: 'x', marks: [textMark('x')] }, look('dark'))
    const values = parse(svg).flatMap((one) => Object.entries(one.attribs ?? {}))
    expect(values.filter(([name]) => /href|style|class|^on/.test(name))).toEqual([])
    expect(values.filter(([name, value]) => name !== 'xmlns' && /url\(|var\(|:\/\//.test(value))).toEqual([])
    expect(svg).toContain('width="11"')
    expect(svg).toContain('font-family="Menlo, monospace"')
    expect(svg).toContain('fill="#ffffff"')
  })
})

describe('the map as a picture', () => {
  const modules = [{ id: 'src/http' }, { id: 'src/queue' }, { id: 'src/<b>' }]
  const links = [
    { source: 'src/http', target: 'src/queue', count: 4, declared: 4 },
    { source: 'src/queue', target: 'src/http', count: 1, declared: 1 },
    { source: 'src/queue', target: 'src/<b>', count: 2, declared: 0 },
  ]
  const words: MapWords = {
    title: 'Map of src',
    layer: (number) => `Layer ${number}`,
    top: 'Entry',
    bottom: 'Foundations',
    box: (id) => ({ name: id, files: '3 files', dependents: '2 depend', share: id === 'src/queue' ? 1 : 0 }),
    key: [
      { line: 'declared', text: 'declared' },
      { line: 'guessed', text: 'guessed' },
      { line: 'upward', text: 'back up' },
      { line: 'bar', text: 'depend' },
    ],
    notes: ['left out: 3'],
  }
  const placement = placeModules(modules, links, 4)
  const kept = keepMap(drawMap(placement, placement.drawn, 900), words, 'src/queue')

  test('says what the screen says: every module, the key and what is left out', ({ expect }) => {
    const shown = kept.marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []))
    for (const text of [
      'src/http',
      'src/queue',
      'src/<b>',
      'declared',
      'guessed',
      'back up',
      'depend',
      'left out: 3',
      'Map of src',
    ])
      expect(shown).toContain(text)
  })

  test('draws what is guessed dashed, what points back up red, and what the chosen module uses in the accent', ({
    expect,
  }) => {
    const lines = kept.marks.flatMap((mark) =>
      mark.kind === 'path' && mark.stroke !== undefined && mark.d.includes('C') ? [mark] : [],
    )
    const looks = lines.map((one) => [one.stroke, one.isDashed === true] as const)
    expect(looks).toContainEqual(['bad', false])
    expect(looks).toContainEqual(['accent', true])
    expect(looks).toContainEqual(['edge', false])
    expect(looks.length).toBe(3)
  })

  test('ends below its last line', ({ expect }) => {
    for (const mark of kept.marks) if (mark.kind !== 'path') expect(mark.y).toBeLessThan(kept.height)
  })
})

test.for([
  ['Map of src/queue', 'svg', 'Map-of-src-queue.svg'],
  ['../../etc/passwd', 'png', 'etc-passwd.png'],
  ['从 start 到 发送', 'md', '从-start-到-发送.md'],
  ['', 'svg', 'picture.svg'],
  ['...', 'svg', 'picture.svg'],
] as const)('a file of "%s" is named %s %s', ([title, ending, name], { expect }) => {
  expect(fileName(title, ending)).toBe(name)
})
