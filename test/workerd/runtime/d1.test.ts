/** What the App's code stands on of D1, on whichever runtime serves it. */
import { env } from 'cloudflare:workers'
import { beforeEach, describe, test } from 'vitest'

const sql = (text: string, ...values: unknown[]) => env.DB.prepare(text).bind(...values)

beforeEach(async () => {
  await env.DB.batch([
    sql('drop table if exists shelf'),
    sql('create table shelf (id integer primary key, name text unique, size real check (size < 100), bytes blob)'),
  ])
})

const failure = async (asked: Promise<unknown>): Promise<string> => {
  try {
    await asked
  } catch (error) {
    return (error as Error).message
  }
  return 'nothing failed'
}

describe('a statement', () => {
  test('answers rows as objects, as lists and as one value', async ({ expect }) => {
    await sql('insert into shelf (name, size) values (?, ?)', 'one', 1.5).run()

    const all = await sql('select id, name, size, bytes from shelf').all()
    expect(all).toMatchObject({ success: true, results: [{ id: 1, name: 'one', size: 1.5, bytes: null }] })
    expect(await sql('select id, name from shelf').raw()).toEqual([[1, 'one']])
    expect(await sql('select id, name from shelf').raw({ columnNames: true })).toEqual([
      ['id', 'name'],
      [1, 'one'],
    ])
    expect(await sql('select name from shelf').first()).toEqual({ name: 'one' })
    expect(await sql('select name from shelf').first('name')).toBe('one')
    expect(await sql('select name from shelf where id = ?', 2).first()).toBeNull()
  })

  test('says what a write has changed', async ({ expect }) => {
    await sql('insert into shelf (name) values (?)', 'one').run()
    const { meta, results } = await sql('insert into shelf (name) values (?), (?) returning id', 'two', 'three').all()
    expect(meta).toMatchObject({ changes: 2, last_row_id: 3, changed_db: true })
    expect(results).toEqual([{ id: 2 }, { id: 3 }])
    expect((await sql('update shelf set size = 1 where id > 1').run()).meta.changes).toBe(2)
    expect((await sql('update shelf set size = 1 where id > 9').run()).meta.changes).toBe(0)
  })

  test('keeps texts, numbers, bytes and truth as they are read again', async ({ expect }) => {
    const bytes = Uint8Array.of(0, 255, 7)
    const row = await sql(
      'select ? as text, ? as whole, ? as part, ? as yes, ? as none, ? as bytes',
      '文',
      5,
      0.25,
      true,
      null,
      bytes,
    ).first()
    expect(row).toEqual({ text: '文', whole: 5, part: 0.25, yes: 1, none: null, bytes: [0, 255, 7] })
    expect(await sql('select ? as bytes', bytes.buffer).first('bytes')).toEqual([0, 255, 7])
    expect(await sql('select 9007199254740993 as big').first('big')).toBe(9007199254740992)
    expect(await sql('select ?2 as one, ?1 as two', 'a', 'b').first()).toEqual({ one: 'b', two: 'a' })
  })

  test('of one of two columns with one name answers the last, and both in a list', async ({ expect }) => {
    expect(await sql('select 1 as a, 2 as a').all()).toMatchObject({ results: [{ a: 2 }] })
    expect(await sql('select 1 as a, 2 as a').raw()).toEqual([[1, 2]])
  })

  test('takes a hundred values and not one more', async ({ expect }) => {
    const ask = (count: number) => sql(`select ${Array(count).fill('?').join(', ')}`, ...Array(count).fill(1)).raw()
    expect(await ask(100)).toEqual([Array(100).fill(1)])
    expect(await failure(ask(101))).toContain('too many SQL variables')
  })
})

test.for([
  [
    'a row that is there by its name',
    "insert into shelf (name) values ('one')",
    'UNIQUE constraint failed: shelf.name',
    'SQLITE_CONSTRAINT_UNIQUE',
  ],
  [
    'a row that is there by its key',
    'insert into shelf (id) values (1)',
    'UNIQUE constraint failed: shelf.id',
    'SQLITE_CONSTRAINT_PRIMARYKEY',
  ],
  [
    'a value past its bound',
    'insert into shelf (size) values (100)',
    'CHECK constraint failed: size < 100',
    'SQLITE_CONSTRAINT_CHECK',
  ],
  ['a table that is not there', 'select * from nowhere', 'no such table: nowhere', 'SQLITE_ERROR'],
  ['a statement that is none', 'selec', 'syntax error', 'SQLITE_ERROR'],
  ['a statement that is empty', '-- nothing', 'statement', ''],
  ['a transaction of its own', 'begin', 'To execute a transaction', ''],
  ['a value too few', 'select ?', 'Wrong number of parameter bindings', ''],
] as const)('refuses %s, with the code of the refusal', async ([, text, words, code], { expect }) => {
  await sql('insert into shelf (name) values (?)', 'one').run()
  const message = await failure(env.DB.prepare(text).run())
  expect(message).toMatch(/^D1_ERROR: /)
  expect(message).toContain(words)
  expect(message).toContain(code)
})

test.for([
  ['undefined', undefined],
  ['an object', {}],
  ['a date', new Date(0)],
  ['a large integer', 5n],
] as const)('takes no value that is %s', async ([, value], { expect }) => {
  expect(await failure((async () => sql('select ?', value).first())())).toMatch(/^D1_TYPE_ERROR: /)
})

describe('a batch', () => {
  test('answers for each of its statements', async ({ expect }) => {
    const [made, counted] = await env.DB.batch([
      sql('insert into shelf (name) values (?) returning id', 'one'),
      sql('select count(*) as count from shelf'),
    ])
    expect([made?.results, counted?.results]).toEqual([[{ id: 1 }], [{ count: 1 }]])
  })

  test('that fails at its end leaves nothing, and what was written beside it stays', async ({ expect }) => {
    const beside = sql('insert into shelf (name) values (?)', 'beside').run()
    const failing = failure(
      env.DB.batch([
        sql('insert into shelf (name) values (?)', 'two'),
        sql('insert into shelf (name) values (?)', 'two'),
      ]),
    )
    const after = sql('insert into shelf (name) values (?)', 'after').run()
    expect(await failing).toContain('SQLITE_CONSTRAINT_UNIQUE')
    await Promise.all([beside, after])
    expect(await sql('select name from shelf order by name').raw()).toEqual([['after'], ['beside']])
  })

  test('sees what those before it have written, in the order in which they were asked', async ({ expect }) => {
    const names = Array.from({ length: 30 }, (_, at) => `name ${String(at).padStart(2, '0')}`)
    const seen = await Promise.all(
      names.map(async (name, at) => {
        const [, counted] = await env.DB.batch<{ count: number }>([
          sql('insert into shelf (name) values (?)', name),
          sql('select count(*) as count from shelf'),
        ])
        return [at + 1, counted?.results[0]?.count]
      }),
    )
    for (const [expected, count] of seen) expect(count).toBe(expected)
  })
})

test('several statements in one text are a script', async ({ expect }) => {
  const script = "insert into shelf (name) values ('a;b'); -- ; not an end\ninsert into shelf (name) values ('c');"
  await env.DB.exec(script.replace('\n', ' ').replace('-- ; not an end', ''))
  expect(await sql('select name from shelf order by id').raw()).toEqual([['a;b'], ['c']])
})
