import { beforeEach, describe, test } from 'vitest'
import { migrate } from '../../shared/sql/migrate.ts'
import { numberOf, textOf } from '../../shared/sql/sync-sql.ts'
import { newDatabase, type TestDatabase } from './engine.ts'

let database: TestDatabase

beforeEach(async () => {
  database = await newDatabase()
  return () => database.close()
})

describe('a database', () => {
  test('gives back every kind of value as it was given', async ({ expect }) => {
    const values = ['text', '', '名字 🐋', 0, -1, 1.5, Number.MAX_SAFE_INTEGER, null, Uint8Array.of(0, 255, 7)]
    const found = await database.use((sql) => {
      sql.run('CREATE TABLE kept (at INTEGER PRIMARY KEY, value)')
      for (const [at, value] of values.entries()) sql.run('INSERT INTO kept VALUES (?, ?)', at, value)
      return sql.all('SELECT value FROM kept ORDER BY at').map((row) => row['value'])
    })
    expect(found).toEqual(values)
    expect(found.at(-1)).toBeInstanceOf(Uint8Array)
  })

  test('returns what a statement wrote, and nothing where it matched nothing', async ({ expect }) => {
    await database.use((sql) => {
      sql.run('CREATE TABLE counted (name TEXT PRIMARY KEY, times INTEGER)')
      expect(sql.all(`INSERT INTO counted VALUES ('a', 1) RETURNING times`)).toEqual([{ times: 1 }])
      expect(sql.all(`UPDATE counted SET times = 2 WHERE name = 'b' RETURNING times`)).toEqual([])
      expect(sql.all('SELECT * FROM counted')).toEqual([{ name: 'a', times: 1 }])
    })
  })

  test('reads a column as what it is, and calls another type a bug of the statement', async ({ expect }) => {
    await database.use((sql) => {
      const [row] = sql.all(`SELECT 'x' AS text, 1 AS number`)
      if (row === undefined) throw new Error('no row')
      expect([textOf(row, 'text'), numberOf(row, 'number')]).toEqual(['x', 1])
      expect(() => textOf(row, 'number')).toThrow('column number holds no text')
      expect(() => numberOf(row, 'missing')).toThrow('column missing holds no number')
    })
  })

  test('throws what its engine refuses, and goes on', async ({ expect }) => {
    await database.use((sql) => {
      sql.run('CREATE TABLE one (x INTEGER PRIMARY KEY)')
      sql.run('INSERT INTO one VALUES (1)')
      expect(() => sql.run('INSERT INTO one VALUES (1)')).toThrow('UNIQUE constraint failed')
      expect(() => sql.all('SELECT * FROM two')).toThrow('no such table')
      expect(() => sql.run('nonsense')).toThrow('syntax error')
      expect(sql.all('SELECT * FROM one')).toEqual([{ x: 1 }])
    })
  })

  test('keeps nothing of a transaction that throws, and all of one that does not', async ({ expect }) => {
    await database.use((sql) => {
      sql.run('CREATE TABLE one (x)')
      const failing = () =>
        sql.transaction(() => {
          sql.run('INSERT INTO one VALUES (1)')
          throw new Error('after the row')
        })
      expect(failing).toThrow('after the row')
      expect(sql.all('SELECT * FROM one')).toEqual([])
      const answered = sql.transaction(() => {
        sql.run('INSERT INTO one VALUES (2)')
        return 'done'
      })
      expect(answered).toBe('done')
    })
    await database.restart()
    expect(await database.use((sql) => sql.all('SELECT * FROM one'))).toEqual([{ x: 2 }])
  })

  test('refuses a transaction within another, and takes the next one', async ({ expect }) => {
    await database.use((sql) => {
      sql.run('CREATE TABLE one (x)')
      expect(() => sql.transaction(() => sql.transaction(() => undefined))).toThrow('transactions do not nest')
      sql.transaction(() => sql.run('INSERT INTO one VALUES (1)'))
      expect(sql.all('SELECT * FROM one')).toEqual([{ x: 1 }])
    })
  })
})

describe('a schema', () => {
  test('is brought on step by step, each once, and a step that fails leaves nothing behind', async ({ expect }) => {
    await database.use((sql) => {
      migrate(sql, [['CREATE TABLE a (x)', 'INSERT INTO a VALUES (1)']])
      expect(() => migrate(sql, [['not run again'], ['CREATE TABLE b (x)', 'nonsense']])).toThrow('syntax error')
      expect(() => sql.all('SELECT * FROM b')).toThrow('no such table')
    })
    await database.restart()
    await database.use((sql) => {
      migrate(sql, [['not run again'], ['CREATE TABLE b (x)']])
      expect(sql.all('SELECT * FROM a')).toEqual([{ x: 1 }])
      expect(sql.all('SELECT * FROM b')).toEqual([])
    })
  })

  test('newer than the program is refused', async ({ expect }) => {
    await database.use((sql) => {
      migrate(sql, [['CREATE TABLE a (x)'], ['CREATE TABLE b (x)']])
      expect(() => migrate(sql, [['CREATE TABLE a (x)']])).toThrow(
        'the database is at schema step 2, this program knows 1',
      )
    })
  })
})
