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
