import { describe, test } from 'vitest'
import type { Edge, NodeRef, Relation } from '../../../../local/viewer/contract/wire.ts'
import {
  type CallRow,
  callsOf,
  isTypeUse,
  linkedColumns,
  placeCalls,
  rowsByLine,
  wordLinks,
} from '../../../../local/viewer/web/model/call-rows.ts'

function node(name: string, kind: NodeRef['kind'] = 'function'): NodeRef {
  return {
    id: `${kind}:${name}`,
    kind,
    name,
    qualifiedName: name,
    file: 'a.ts',
    line: 1,
    endLine: 2,
    language: 'typescript',
    test: false,
  }
}

function relation(target: NodeRef, edges: readonly Edge[], uncertain = false): Relation {
  return {
    node: target,
    edgeKinds: [...new Set(edges.map((edge) => edge.kind))],
    edges: [...edges],
    edgeCount: edges.length,
    lines: [...new Set(edges.flatMap((edge) => edge.line ?? []))],
    confidence: uncertain ? 0.4 : 0.9,
    uncertain,
    synthesized: false,
  }
}

const call = (line: number, col: number, confidence = 0.9): Edge => ({ kind: 'calls', line, col, confidence })
const names = (rows: readonly CallRow[] | undefined): string[] =>
  (rows ?? []).map((row) => ('call' in row ? row.call.node.name : `(${row.outside.name})`))

describe('calls beside lines', () => {
  test('stand once a line and symbol, in the order of the line, what is outside the index last', ({ expect }) => {
    const rows = rowsByLine(
      [
        ...callsOf(relation(node('second'), [call(3, 20), call(3, 30), call(5, 0)])),
        ...callsOf(relation(node('first'), [call(3, 4)])),
      ],
      [
        { name: 'log', line: 3, col: 0 },
        { name: 'log', line: 3, col: 9 },
      ],
    )
    expect(names(rows.get(3))).toEqual(['first', 'second', '(log)'])
    expect(names(rows.get(5))).toEqual(['second'])
  })

  test('carry how sure they are and whose they are', ({ expect }) => {
    const [guess] = callsOf(relation(node('run'), [call(9, 2, 0.4)], true), 'inner')
    expect(guess).toMatchObject({ isGuess: true, confidence: 0.4, owner: 'inner', line: 9 })
  })

  test('a type that is only named is no call; one that is created is', ({ expect }) => {
    const named: Edge = { kind: 'references', line: 1, col: 0 }
    expect(isTypeUse(relation(node('Lease', 'interface'), [named]))).toBe(true)
    expect(isTypeUse(relation(node('Lease', 'class'), [named, { kind: 'instantiates', line: 2, col: 0 }]))).toBe(false)
    expect(isTypeUse(relation(node('lease', 'variable'), [named]))).toBe(false)
  })

  test('take the free lines down to the next call and share the last of them', ({ expect }) => {
    const rows = rowsByLine(
      [
        ...['a', 'b', 'c'].flatMap((name, at) => callsOf(relation(node(name), [call(10, at)]))),
        ...['d', 'e'].flatMap((name, at) => callsOf(relation(node(name), [call(12, at)]))),
        ...callsOf(relation(node('f'), [call(13, 0)])),
      ],
      [],
    )
    const placed = placeCalls(rows, { from: 10, to: 20, blockLines: 50 })
    expect(names(placed.get(10)?.stacked)).toEqual(['a'])
    expect(names(placed.get(10)?.inline)).toEqual(['b', 'c'])
    expect(names(placed.get(12)?.stacked)).toEqual([])
    expect(names(placed.get(12)?.inline)).toEqual(['d', 'e'])
    expect(names(placed.get(13)?.stacked)).toEqual(['f'])
  })

  test.for([
    [59, ['a'], []],
    [60, [], ['a', 'b']],
  ] as const)('do not reach past the end of their block: from line %d', ([line, stacked, inline], { expect }) => {
    const rows = rowsByLine(
      ['a', 'b'].flatMap((name, at) => callsOf(relation(node(name), [call(line, at)]))),
      [],
    )
    const placed = placeCalls(rows, { from: 11, to: 400, blockLines: 50 })
    expect(names(placed.get(line)?.stacked)).toEqual(line === 59 ? ['a', 'b'] : stacked)
    expect(names(placed.get(line)?.inline)).toEqual(inline)
  })

  test('outside the lines shown are left out', ({ expect }) => {
    const rows = rowsByLine(callsOf(relation(node('a'), [call(3, 0), call(30, 0)])), [])
    expect([...placeCalls(rows, { from: 10, to: 40, blockLines: 50 }).keys()]).toEqual([30])
  })
})

describe('links in a line', () => {
  test('lie on the word that is named, also where the edge begins before it', ({ expect }) => {
    const links = wordLinks([
      relation(node('Failure', 'class'), [{ kind: 'instantiates', line: 4, col: 6 }]),
      relation(node('constructor', 'method'), [{ kind: 'calls', line: 4, col: 0 }]),
    ]).get(4)
    if (links === undefined) throw new Error('line 4 has links')
    const tokens: [number, string][] = [
      [4, 'throw'],
      [0, ' '],
      [1, 'core'],
      [0, '.'],
      [6, 'Failure'],
      [0, '()'],
    ]
    const placed = linkedColumns(tokens, links)
    expect([...placed].map(([column, link]) => [column, link.name])).toEqual([
      [0, 'constructor'],
      [11, 'Failure'],
    ])
  })

  test('two calls of one name each get their own word', ({ expect }) => {
    const links = wordLinks([relation(node('f'), [call(1, 0), call(1, 4)])]).get(1)
    const placed = linkedColumns(
      [
        [1, 'f'],
        [0, '(x, '],
        [1, 'f'],
        [0, ')'],
      ],
      links ?? new Map(),
    )
    expect([...placed.keys()]).toEqual([0, 5])
  })

  test('where two edges meet the certain one wins, in either order', ({ expect }) => {
    const sure = relation(node('sure'), [call(1, 0)])
    const guess = relation(node('guess'), [call(1, 0, 0.4)], true)
    for (const order of [
      [sure, guess],
      [guess, sure],
    ])
      expect(wordLinks(order).get(1)?.get(0)?.name).toBe('sure')
  })
})
