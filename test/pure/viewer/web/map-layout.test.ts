/** The map's picture: layers, places, lines, and modules opened in place. */
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { CodeGraph } from '../../../../local/indexer/core/code-graph.ts'
import { noNode } from '../../../../local/indexer/core/columns.ts'
import type { FileRow } from '../../../../local/indexer/core/rows.ts'
import { edgeKinds, resolutions } from '../../../../local/indexer/core/vocabulary.ts'
import { type ModuleMap, moduleMap } from '../../../../local/viewer/core/module-map.ts'
import { strongComponents } from '../../../../local/viewer/web/layout/directed-graph.ts'
import { boxHeight, boxWidth, linksDrawnMax } from '../../../../local/viewer/web/layout/limits.ts'
import {
  foldLevels,
  holderOf,
  innerModules,
  levelsNeeded,
  neighbourhood,
} from '../../../../local/viewer/web/layout/map-folding.ts'
import { layerModules, linkKey, type MapLink } from '../../../../local/viewer/web/layout/map-layers.ts'
import { boxTowards, columnsIn, drawMap, type MapPicture } from '../../../../local/viewer/web/layout/map-picture.ts'
import { crossingsOf, type Placement, placeModules } from '../../../../local/viewer/web/layout/map-places.ts'

const link = (source: string, target: string, declared = 1, count = Math.max(1, declared)): MapLink => ({
  source,
  target,
  declared,
  count,
})
const named = (...ids: string[]): { id: string }[] => ids.map((id) => ({ id }))

/** Modules m0…, with links of which some are only guessed. */
const graphs = fc.integer({ min: 1, max: 24 }).chain((size) =>
  fc
    .uniqueArray(fc.tuple(fc.nat(size - 1), fc.nat(size - 1)), { maxLength: 70, selector: (pair) => pair.join() })
    .chain((pairs) =>
      fc
        .array(fc.tuple(fc.nat(3), fc.nat(40)), { minLength: pairs.length, maxLength: pairs.length })
        .map((weights) => ({
          modules: named(...Array.from({ length: size }, (_one, n) => `m${n}`)),
          links: pairs
            .map(([from, to], at) =>
              link(`m${from}`, `m${to}`, weights[at]?.[0] ?? 0, 1 + (weights[at]?.[1] ?? 0) + (weights[at]?.[0] ?? 0)),
            )
            .filter((one) => one.source !== one.target),
        })),
    ),
)

describe('layers', () => {
  test('what uses stands above what is used', ({ expect }) => {
    const { layers, upward } = layerModules(named('a', 'b', 'c'), [link('a', 'b'), link('b', 'c'), link('a', 'c')])
    expect(layers).toEqual([['a'], ['b'], ['c']])
    expect([...upward]).toEqual([])
  })

  test('a link that is only guessed decides no layer', ({ expect }) => {
    const { layers, unlinked } = layerModules(named('a', 'b', 'c'), [
      link('a', 'b'),
      link('b', 'a', 0),
      link('c', 'a', 0),
    ])
    expect(layers).toEqual([['a'], ['b']])
    expect(unlinked).toEqual(['c'])
  })

  test('of a circle the lightest link points back up', ({ expect }) => {
    const links = [link('jobs', 'queue', 120), link('queue', 'jobs', 4), link('queue', 'store', 9)]
    const { layers, upward } = layerModules(named('jobs', 'queue', 'store'), links)
    expect(layers).toEqual([['jobs'], ['queue'], ['store']])
    expect([...upward]).toEqual([linkKey(link('queue', 'jobs'))])
  })

  test('a module that gives more than it takes sinks towards what it uses; an entry stays on top', ({ expect }) => {
    const links = [
      link('top', 'a'),
      link('a', 'b'),
      link('b', 'c'),
      link('c', 'low'),
      link('top', 'late', 1),
      link('late', 'low', 9),
      link('entry', 'low', 9),
    ]
    const { layers } = layerModules(named('a', 'b', 'c', 'entry', 'late', 'low', 'top'), links)
    expect(layers[0]).toEqual(['entry', 'top'])
    expect(layers.findIndex((one) => one.includes('late'))).toBe(3)
  })

  test('a link points up only where it closes a circle with those that lead down', ({ expect }) => {
    const links = [link('a', 'b', 3), link('b', 'a', 3), link('a', 'd', 1), link('d', 'b', 3)]
    const { layers, upward } = layerModules(named('a', 'b', 'd'), links)
    const layerOf = (id: string) => layers.findIndex((one) => one.includes(id))
    for (const one of links.filter((other) => upward.has(linkKey(other))))
      expect(layerOf(one.target)).toBeLessThan(layerOf(one.source))
  })

  test('every declared link leads down, but for those that close a circle', ({ expect }) => {
    fc.assert(
      fc.property(graphs, ({ modules, links }) => {
        const { layers, unlinked, upward } = layerModules(modules, links)
        const layerOf = new Map(layers.flatMap((ids, layer) => ids.map((id) => [id, layer] as const)))
        const numberOf = new Map(modules.map((one, n) => [one.id, n]))
        const arrows = links
          .filter((one) => one.declared > 0)
          .map((one) => ({
            from: numberOf.get(one.source) ?? -1,
            to: numberOf.get(one.target) ?? -1,
            weight: one.declared,
          }))
        const component = strongComponents(modules.length, arrows)
        const circleOf = (id: string) => component[numberOf.get(id) ?? -1]
        for (const one of links.filter((other) => other.declared > 0)) {
          const down = (layerOf.get(one.target) ?? -1) - (layerOf.get(one.source) ?? -1)
          if (upward.has(linkKey(one))) {
            expect(down).toBeLessThan(0)
            expect(circleOf(one.source)).toBe(circleOf(one.target))
            expect(circleOf(one.source)).toBeDefined()
          } else expect(down).toBeGreaterThan(0)
        }
        expect([...layers.flat(), ...unlinked].sort()).toEqual(modules.map((one) => one.id).sort())
        expect(layers.every((one) => one.length > 0)).toBe(true)
      }),
    )
  })
})

describe('places', () => {
  test('a crossing that need not be is gone', ({ expect }) => {
    const placement = placeModules(named('a', 'b', 'x', 'y'), [link('a', 'y'), link('b', 'x')], 4)
    expect(crossingsOf(placement)).toBe(0)
  })

  test('every module has a cell of its own, whatever the width and the order given', ({ expect }) => {
    fc.assert(
      fc.property(graphs, fc.integer({ min: -2, max: 9 }), fc.nat(1000), ({ modules, links }, columns, seed) => {
        const placement = placeModules(modules, links, columns)
        const cells = placement.places.map((one) => `${one.row}:${one.column}`)
        expect(new Set(cells).size).toBe(modules.length)
        expect(Math.max(...placement.places.map((one) => one.column))).toBeLessThan(placement.columns)
        const turn = <T>(all: readonly T[]): T[] => [
          ...all.slice(seed % all.length || 0),
          ...all.slice(0, seed % all.length || 0),
        ]
        const again = placeModules(turn(modules), links.length === 0 ? [] : turn(links), columns)
        expect(again.places).toEqual(placement.places)
      }),
    )
  })

  test('a layer wider than the grid takes several rows of its own', ({ expect }) => {
    const uses = Array.from({ length: 7 }, (_one, n) => link('top', `m${n}`))
    const placement = placeModules(named('top', ...uses.map((one) => one.target)), uses, 3)
    expect(placement.rows).toBe(4)
    expect(placement.firstRows).toEqual([0, 1])
  })

  test('so many links are drawn and not one more', ({ expect }) => {
    const many = (count: number): MapLink[] =>
      Array.from({ length: count }, (_one, n) => link(`a${Math.floor(n / 20)}`, `b${n % 20}`, 1, 1 + n))
    const modules = named(...Array.from({ length: 20 }, (_one, n) => [`a${n}`, `b${n}`]).flat())
    expect(placeModules(modules, many(linksDrawnMax), 6).drawn.length).toBe(linksDrawnMax)
    const { drawn } = placeModules(modules, many(linksDrawnMax + 1), 6)
    expect(drawn.length).toBe(linksDrawnMax)
    expect(drawn[0]?.count).toBe(linksDrawnMax + 1)
    expect(drawn.some((one) => one.count === 1)).toBe(false)
  })

  test('the largest answer is placed and drawn', ({ expect }) => {
    const modules = named(...Array.from({ length: 4000 }, (_one, n) => `m${String(n).padStart(4, '0')}`))
    const links = Array.from({ length: 60_000 }, (_one, n) =>
      link(
        `m${String((n * 7919) % 4000).padStart(4, '0')}`,
        `m${String((n * 104_729 + 13) % 4000).padStart(4, '0')}`,
        n % 3,
        1 + (n % 50),
      ),
    )
    const placement = placeModules(modules, links, 5)
    const picture = drawMap(placement, placement.drawn, 1200)
    expect(picture.boxes.length).toBe(4000)
    expect(picture.routes.length).toBe(linksDrawnMax)
  })
})

/** Pieces of a path that run straight down, and the heights at which the curves bend. */
function runsOf(path: string): { x: number; from: number; to: number }[] {
  const found = /C\S+ \S+ \S+ \S+ (\S+) (\S+)V(\S+)C/.exec(path)
  return found === null ? [] : [{ x: Number(found[1]), from: Number(found[2]), to: Number(found[3]) }]
}

function crossedBoxes(picture: MapPicture): string[] {
  return picture.routes.flatMap((route) =>
    runsOf(route.path).flatMap(({ x, from, to }) =>
      picture.boxes
        .filter((box) => x >= box.x && x <= box.x + boxWidth && from < box.y + boxHeight && to > box.y)
        .map((box) => `${route.source} to ${route.target} over ${box.id}`),
    ),
  )
}

describe('lines', () => {
  const placed = (modules: { id: string }[], links: MapLink[], width: number): [Placement, MapPicture] => {
    const placement = placeModules(modules, links, columnsIn(width))
    return [placement, drawMap(placement, placement.drawn, width)]
  }

  test('no line runs over a box, and all of it is inside the picture', ({ expect }) => {
    fc.assert(
      fc.property(graphs, fc.constantFrom(390, 820, 1180, 2400), ({ modules, links }, width) => {
        const [, picture] = placed(modules, links, width)
        expect(crossedBoxes(picture)).toEqual([])
        for (const box of picture.boxes) {
          expect(box.x).toBeGreaterThanOrEqual(0)
          expect(box.x + boxWidth).toBeLessThanOrEqual(picture.width)
          expect(box.y + boxHeight).toBeLessThanOrEqual(picture.height)
        }
        for (const route of picture.routes) {
          const numbers = route.path.match(/-?[0-9.]+/g)?.map(Number) ?? []
          expect(numbers.every((one) => Number.isFinite(one) && one >= 0)).toBe(true)
          expect(Math.max(...numbers)).toBeLessThanOrEqual(Math.max(picture.width, picture.height))
        }
      }),
    )
  })

  test('a long link passes beside the boxes between its ends', ({ expect }) => {
    const [, picture] = placed(named('a', 'b', 'c'), [link('a', 'b'), link('b', 'c'), link('a', 'c')], 900)
    const far = picture.routes.find((one) => one.source === 'a' && one.target === 'c')
    expect(runsOf(far?.path ?? '').length).toBe(1)
    expect(crossedBoxes(picture)).toEqual([])
  })

  test('a declared link that points back up ends in an arrowhead below its target', ({ expect }) => {
    const [, picture] = placed(named('jobs', 'queue'), [link('jobs', 'queue', 12), link('queue', 'jobs', 1)], 900)
    const back = picture.routes.find((one) => one.source === 'queue')
    const jobs = picture.boxes.find((one) => one.id === 'jobs')
    expect(back).toMatchObject({ isUpward: true, certainty: 'declared' })
    expect(back?.tip?.[1]).toBe((jobs?.y ?? 0) + boxHeight)
    expect(picture.routes.find((one) => one.source === 'jobs')).toMatchObject({ isUpward: false, tip: undefined })
  })

  test('guessed and declared links are told apart', ({ expect }) => {
    const [, picture] = placed(named('a', 'b', 'c'), [link('a', 'b', 3), link('a', 'c', 0, 3)], 900)
    expect(picture.routes.map((one) => [one.target, one.certainty])).toEqual([
      ['b', 'declared'],
      ['c', 'guessed'],
    ])
    expect(picture.bands.map((one) => one.number)).toEqual([1, 2, 0])
  })

  test('an arrow key leads to the next box that way, and nowhere at the edge', ({ expect }) => {
    const boxes = [
      { id: 'a', x: 0, y: 0, layer: 0 },
      { id: 'b', x: 300, y: 0, layer: 0 },
      { id: 'c', x: 300, y: 120, layer: 1 },
    ]
    expect(boxTowards(boxes, 'a', 'ArrowRight')).toBe('b')
    expect(boxTowards(boxes, 'a', 'ArrowDown')).toBe('c')
    expect(boxTowards(boxes, 'c', 'ArrowUp')).toBe('b')
    expect(boxTowards(boxes, 'a', 'ArrowLeft')).toBeUndefined()
    expect(boxTowards(boxes, 'gone', 'ArrowUp')).toBeUndefined()
  })
})

describe('opening in place', () => {
  test.for([
    ['src', 'src'],
    ['src/queue', 'src'],
    ['src/queue/index.ts', 'src'],
    ['lib', 'lib/(root files)'],
    ['other', undefined],
  ] as const)('%s lies in %s', ([id, holder], { expect }) => {
    expect(holderOf(id, new Set(['src', 'lib/(root files)']))).toBe(holder)
  })

  test.for([
    [[], 1],
    [['src'], 2],
    [['src', 'src/queue'], 3],
    [['gone'], 1],
  ] as const)('open %j needs %i levels', ([open, levels], { expect }) => {
    expect(levelsNeeded(open, ['src', 'lib'])).toBe(levels)
  })

  const paths = fc.uniqueArray(
    fc
      .tuple(fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 4 }), fc.constantFrom('index.ts', 'x.ts', 'y.ts'))
      .map(([folders, file]) => [...folders, file].join('/')),
    { minLength: 2, maxLength: 40 },
  )
  const projects = paths.chain((files) =>
    fc
      .array(fc.tuple(fc.nat(files.length - 1), fc.nat(files.length - 1), fc.boolean()), { maxLength: 80 })
      .map((edges) => {
        const rows = [...files].sort()
        return (depth: number): ModuleMap => moduleMap(graphOf(rows, edges), '', depth)
      }),
  )
  const calls = fc.array(fc.tuple(fc.nat(39), fc.nat(39), fc.boolean()), { maxLength: 80 })

  test('without tests the map holds what it would hold if no test had been written, and still names their modules', ({
    expect,
  }) => {
    const isTest = (path: string): boolean => path.endsWith('y.ts')
    fc.assert(
      fc.property(paths, calls, fc.nat(3), (files, pairs, by) => {
        const rows = [...files].sort()
        const all = pairs.map(([from, to, is]) => [from % rows.length, to % rows.length, is] as const)
        const own = all.filter(([from, to]) => !isTest(rows[from] ?? '') && !isTest(rows[to] ?? ''))
        const shown = moduleMap(graphOf(rows, all, isTest), '', by + 1, false)
        const wanted = moduleMap(graphOf(rows, own, isTest), '', by + 1)
        expect(shown.links).toEqual(wanted.links)
        expect(shown.cycles).toEqual(wanted.cycles)
        expect(shown.modules).toEqual(wanted.modules)
      }),
    )
  })

  const figures = (links: readonly MapLink[]): (readonly [string, number, number])[] =>
    links.map((one) => [linkKey(one), one.count, one.declared] as const)

  test('with nothing open the deeper answer folds back into the shallower one', ({ expect }) => {
    fc.assert(
      fc.property(projects, (at) => {
        const levels = [at(1), at(2), at(3)]
        const folded = foldLevels(levels, new Set())
        const shown = new Set(folded.modules.map((one) => one.id))
        expect(levels[0]?.modules.every((one) => shown.has(one.id))).toBe(true)
        expect(figures(folded.links)).toEqual(figures(levels[0]?.links ?? []))
      }),
    )
  })

  test('opening a module keeps every link of the others', ({ expect }) => {
    fc.assert(
      fc.property(projects, fc.nat(10), (at, pick) => {
        const levels = [at(1), at(2)]
        const top = levels[0]?.modules ?? []
        const opened = top[pick % top.length]?.id ?? ''
        const inner = new Set(innerModules(opened, levels[0] ?? at(1), levels[1] ?? at(2)).map((one) => one.id))
        fc.pre(inner.size > 0)
        const folded = foldLevels(levels, new Set([opened]))
        const apart = (links: readonly MapLink[]): readonly (readonly [string, number, number])[] =>
          figures(links.filter((one) => ![one.source, one.target].some((id) => id === opened || inner.has(id))))
        expect(apart(folded.links)).toEqual(apart(levels[0]?.links ?? []))
        for (const id of inner) expect(folded.modules.some((one) => one.id === id)).toBe(true)
        expect(inner.has(opened) || !folded.modules.some((one) => one.id === opened)).toBe(true)
      }),
    )
  })

  test('isolating keeps a module, its neighbours and what links them', ({ expect }) => {
    const links = [link('a', 'b'), link('c', 'a'), link('b', 'c'), link('c', 'd')]
    const near = neighbourhood(named('a', 'b', 'c', 'd'), links, 'a')
    expect(near.modules.map((one) => one.id)).toEqual(['a', 'b', 'c'])
    expect(near.links.length).toBe(3)
  })
})

const nodesPerFile = 3

/** Files of three symbols each, and calls between the files themselves. */
function graphOf(
  paths: readonly string[],
  calls: readonly (readonly [number, number, boolean])[],
  isTest: (path: string) => boolean = () => false,
): CodeGraph {
  const files = paths.map(
    (path, at): FileRow =>
      ({
        n: at + 1,
        path,
        firstNode: 1 + at * nodesPerFile,
        nodeCount: nodesPerFile,
        language: 'typescript',
        isNonProduction: isTest(path),
        isGenerated: false,
        isTest: false,
      }) as FileRow,
  )
  const size = 1 + files.length * nodesPerFile
  const edges = calls.toSorted((left, right) => left[0] - right[0])
  const none = new Uint32Array(edges.length)
  return new CodeGraph(
    files,
    {
      kind: Uint8Array.from({ length: size }, (_, n) => (n === 0 ? noNode : 0)),
      flags: new Uint8Array(size),
      parent: new Uint32Array(size),
      line: new Uint32Array(size),
      endLine: new Uint32Array(size),
      names: Array.from({ length: size }, () => ''),
      qualifiedNames: Array.from({ length: size }, () => null),
    },
    {
      source: Uint32Array.from(edges, ([from]) => 1 + from * nodesPerFile),
      target: Uint32Array.from(edges, ([, to]) => 1 + to * nodesPerFile),
      line: none,
      col: none,
      kind: new Uint8Array(edges.length).fill(edgeKinds.indexOf('calls')),
      how: Uint8Array.from(edges, ([, , isDeclared]) => resolutions.indexOf(isDeclared ? 'import' : 'exact-match')),
      confidence: Uint8Array.from(edges, ([, , isDeclared]) => (isDeclared ? 90 : 70)),
    },
  )
}
