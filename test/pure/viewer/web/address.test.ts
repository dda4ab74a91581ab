import { describe, test } from 'vitest'
import { href, parseRoute, type ViewName } from '../../../../local/viewer/web/model/address.ts'

describe('an address', () => {
  test.for([
    ['', 'home', ''],
    ['#', 'home', ''],
    ['#/', 'home', ''],
    ['#/s/function:ab', 'symbol', 'function:ab'],
    ['#/s/route%3Asrc%2Fa.ts%3A1', 'symbol', 'route:src/a.ts:1'],
    ['#/file/src/a%20b/%E6%96%87.ts', 'file', 'src/a b/文.ts'],
    ['#/files', 'files', ''],
    ['#/files/src/queue/', 'files', 'src/queue/'],
    ['#/map', 'map', ''],
    ['#/entry', 'entries', ''],
    ['#/dead', 'dead', ''],
    ['#/text?q=locked', 'text', ''],
    ['#/change?range=HEAD~1', 'change', ''],
    ['#/trails/how-a-job', 'trails', 'how-a-job'],
    ['#/nothing/like/this', 'home', 'like/this'],
    ['#/file/%E0%A4%A', 'file', ''],
    ['#/constructor', 'home', ''],
  ] as const)('%s is view %s of “%s”', ([hash, view, detail], { expect }) => {
    expect(parseRoute(hash)).toMatchObject({ view, detail })
  })

  const written: readonly (readonly [ViewName, string])[] = [
    ['symbol', 'method:0f#?&=%/+ü'],
    ['symbol', 'route:src/a.ts:3:GET:/articles/:id'],
    ['file', 'src/a+b/[slug]/page (1).tsx'],
    ['file', 'a?b#c%20d.ts'],
    ['files', 'src/a+b/[slug]/'],
    ['home', ''],
  ]
  test.for(written)('of %s “%s” is read as it was written', ([view, detail], { expect }) => {
    const query = { q: 'a b+c&d=e#f%', line: 12, hop: ['s1', 'd2'], none: undefined, empty: '' }
    const read = parseRoute(href(view, detail, query))
    expect(read).toMatchObject({ view, detail })
    expect([...read.query]).toEqual([
      ['q', 'a b+c&d=e#f%'],
      ['line', '12'],
      ['hop', 's1'],
      ['hop', 'd2'],
    ])
  })

  test('of one state is one address: what has no value is left out', ({ expect }) => {
    expect(href('map')).toBe('#/map')
    expect(href('map', '', { root: undefined, depth: '' })).toBe('#/map')
  })
})
