import { beforeEach, describe, test } from 'vitest'
import { RouteRows } from '../../workers/gateway/adapters/route-rows.ts'
import { routesMax } from '../../workers/gateway/core/providers/model-route.ts'
import { routeChangesKeptMax } from '../../workers/gateway/limits.ts'
import { newDatabase, type TestDatabase } from './engine.ts'

let database: TestDatabase

beforeEach(async () => {
  database = await newDatabase()
  return () => database.close()
})

const rowsOf = <T>(work: (rows: RouteRows) => T) => database.use((sql) => work(new RouteRows(sql)))

describe('routes that are kept', () => {
  test('come back with their revision, also after a restart, and only when something was changed', async ({
    expect,
  }) => {
    await rowsOf((rows) => {
      expect(rows.routes(undefined)).toEqual({ revision: 0, routes: [] })
      expect([rows.change('b', '1', 0, 5), rows.change('a', '2', undefined, 6)]).toEqual(['changed', 'changed'])
    })
    await database.restart()
    await rowsOf((rows) => {
      expect(rows.routes(1)).toEqual({
        revision: 2,
        routes: [
          { name: 'a', text: '2', revision: 2 },
          { name: 'b', text: '1', revision: 1 },
        ],
      })
      expect(rows.routes(2)).toBeUndefined()
    })
  })

  test('are not written over by whoever saw another one', async ({ expect }) => {
    await rowsOf((rows) => {
      rows.change('a', '1', 0, 5)
      expect(rows.change('a', '2', 0, 6)).toBe('stale')
      expect(rows.change('a', '2', 1, 7)).toBe('changed')
      expect([rows.change('a', undefined, 1, 8), rows.change('a', undefined, 2, 9)]).toEqual(['stale', 'changed'])
      expect(rows.changes(9)).toEqual([
        { seq: 3, atMs: 9, name: 'a', before: '2', after: undefined },
        { seq: 2, atMs: 7, name: 'a', before: '1', after: '2' },
        { seq: 1, atMs: 5, name: 'a', before: undefined, after: '1' },
      ])
    })
  })

  test('are no change when they stay what they are', async ({ expect }) => {
    await rowsOf((rows) => {
      rows.change('a', '1', 0, 5)
      expect([rows.change('a', '1', 1, 6), rows.change('none', undefined, 0, 7)]).toEqual(['changed', 'changed'])
      expect(rows.changes(9)).toHaveLength(1)
    })
  })

  test('are as many as there may be', async ({ expect }) => {
    await rowsOf((rows) => {
      for (let count = 0; count < routesMax; count += 1) rows.change(`r${count}`, '1', 0, 5)
      expect([rows.change('more', '1', 0, 6), rows.change('r0', '2', undefined, 6)]).toEqual(['full', 'changed'])
      rows.change('r0', undefined, undefined, 7)
      expect(rows.change('more', '1', 0, 8)).toBe('changed')
    })
  })

  test.for([
    [0, 1],
    [1, 2],
  ] as const)('keep a number of changes, and let go of the oldest (%i more)', async ([more, oldest], { expect }) => {
    await rowsOf((rows) => {
      for (let count = 0; count < routeChangesKeptMax + more; count += 1) rows.change('a', String(count), undefined, 5)
      const changes = rows.changes(routeChangesKeptMax + 1)
      expect([changes.length, changes.at(-1)?.seq]).toEqual([routeChangesKeptMax, oldest])
    })
  })
})
