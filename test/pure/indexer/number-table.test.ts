import { test } from 'vitest'
import { NumberTable } from '../../../local/indexer/core/number-table.ts'

const rowsOf = (table: NumberTable): number[][] =>
  Array.from({ length: table.length }, (_, row) => [table.get(row, 0), table.get(row, 1)])

test('rows stay what they were while a table grows past its room several times', ({ expect }) => {
  const table = new NumberTable(2)
  const rows = Array.from({ length: 3000 }, (_, at) => [at, 3000 - at])
  for (const row of rows) table.push(row)

  expect(rowsOf(table)).toEqual(rows)
})

test('rows are kept, changed, copied and put in an order', ({ expect }) => {
  const table = new NumberTable(2)
  for (const row of [
    [3, 1],
    [1, 2],
    [3, 0],
    [2, 4],
  ])
    table.push(row)
  table.keep((row) => table.get(row, 0) !== 1)
  table.set(2, 1, 9)
  const copy = new NumberTable(2)
  copy.pushRow(table, 2)

  expect(rowsOf(table)).toEqual([
    [3, 1],
    [3, 0],
    [2, 9],
  ])
  expect(rowsOf(copy)).toEqual([[2, 9]])
  // What is alike stays as it came.
  expect(table.sorted(1)).toEqual([2, 0, 1])
  expect(table.sorted(2)).toEqual([2, 1, 0])
  expect([table.compare(0, 1, 1), table.compare(0, 1, 2)]).toEqual([0, 1])

  table.keep(() => false)
  table.push([7, 8])
  expect(rowsOf(table)).toEqual([[7, 8]])
})
