import { describe, test } from 'vitest'
import { foldersTo, type TreeRow, treeMove } from '../../../../local/viewer/web/model/tree-keys.ts'

const row = (level: number, isOpen?: boolean): TreeRow => ({ level, isOpen })
// docs closed; src open with core (open, one file), main.ts; an open folder whose rows are still on their way.
const rows = [row(1, false), row(1, true), row(2, true), row(3), row(2), row(1, true)]

describe('a key in a tree', () => {
  test.for([
    ['ArrowDown', 0, { focus: 1 }],
    ['ArrowDown', 5, { focus: 5 }],
    ['ArrowUp', 3, { focus: 2 }],
    ['ArrowUp', 0, { focus: 0 }],
    ['Home', 4, { focus: 0 }],
    ['End', 1, { focus: 5 }],
    ['ArrowRight', 0, { toggle: 0 }],
    ['ArrowRight', 1, { focus: 2 }],
    ['ArrowRight', 3, { focus: 3 }],
    ['ArrowRight', 5, { focus: 5 }],
    ['ArrowLeft', 2, { toggle: 2 }],
    ['ArrowLeft', 3, { focus: 2 }],
    ['ArrowLeft', 4, { focus: 1 }],
    ['ArrowLeft', 0, { focus: 0 }],
    ['Enter', 0, undefined],
    ['ArrowDown', -1, undefined],
  ] as const)('%s at row %i', ([key, at, move], { expect }) => {
    expect(treeMove(rows, at, key)).toEqual(move)
  })
})

test.for([
  ['', []],
  ['main.ts', []],
  ['src/', ['src']],
  ['src/queue/lease.ts', ['src', 'src/queue']],
  ['src/queue/', ['src', 'src/queue']],
] as const)('on the way to “%s” lie its folders', ([path, folders], { expect }) => {
  expect(foldersTo(path)).toEqual(folders)
})
