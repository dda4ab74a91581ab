/** What objects stand on of their storage, on whichever runtime keeps it. */
import { evictDurableObject, listDurableObjectIds, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, test } from 'vitest'

const fresh = () => env.DOWNLOADERS.get(env.DOWNLOADERS.newUniqueId())
const dayMs = 24 * 3600 * 1000

function inside<T>(object: DurableObjectStub, look: (storage: DurableObjectStorage) => T | Promise<T>): Promise<T> {
  return runInDurableObject(object, (_, state) => look(state.storage))
}

const rows = (storage: DurableObjectStorage) =>
  [...storage.sql.exec('select value from rows order by value').raw()].flat()

/** An object with a table of its own. */
async function shelf() {
  const object = fresh()
  await inside(object, ({ sql }) => void sql.exec('create table rows (value text unique, bytes blob)'))
  return object
}

describe('the database of an object', () => {
  test('answers rows as objects, as lists and as the only one', async ({ expect }) => {
    const object = await shelf()
    await inside(object, ({ sql }) => {
      sql.exec('insert into rows values (?, ?)', 'one', Uint8Array.of(1, 2))
      const [row] = sql.exec('select * from rows').toArray()
      expect(Object.keys(row ?? {})).toEqual(['value', 'bytes'])
      expect(new Uint8Array(row?.['bytes'] as ArrayBuffer)).toEqual(Uint8Array.of(1, 2))
      expect(sql.exec('select value from rows').one()).toEqual({ value: 'one' })
      expect([...sql.exec('select value from rows')]).toEqual([{ value: 'one' }])
      expect(sql.exec('select 1 as a, 2 as b').columnNames).toEqual(['a', 'b'])
      expect(() => sql.exec('select value from rows where 0').one()).toThrow('no results')
      expect(sql.exec("insert into rows (value) values ('two'); select count(*) as count from rows").one()).toEqual({
        count: 2,
      })
      expect(() => sql.exec('insert into rows (value) values (?); select 1')).toThrow('parameter')
    })
  })

  test('refuses a row that is there, with its code, and goes on', async ({ expect }) => {
    const object = await shelf()
    await inside(object, (storage) => {
      storage.sql.exec("insert into rows (value) values ('one')")
      expect(() => storage.sql.exec("insert into rows (value) values ('one')")).toThrow(/SQLITE_CONSTRAINT_UNIQUE/)
      storage.sql.exec("insert into rows (value) values ('two')")
      expect(rows(storage)).toEqual(['one', 'two'])
    })
  })

  test('keeps what one turn has written over an eviction', async ({ expect }) => {
    const object = await shelf()
    await inside(object, ({ sql }) => void sql.exec("insert into rows (value) values ('kept')"))
    await evictDurableObject(object)
    expect(await inside(object, rows)).toEqual(['kept'])
  })

  test('takes a transaction that fails back, and what was written around it stays', async ({ expect }) => {
    const object = await shelf()
    await inside(object, (storage) => {
      storage.sql.exec("insert into rows (value) values ('before')")
      expect(() =>
        storage.transactionSync(() => {
          storage.sql.exec("insert into rows (value) values ('inside')")
          throw new Error('not this one')
        }),
      ).toThrow('not this one')
      storage.sql.exec("insert into rows (value) values ('after')")
    })
    expect(await inside(object, rows)).toEqual(['after', 'before'])
  })

  test('leaves transactions to the runtime', async ({ expect }) => {
    const object = await shelf()
    await inside(object, ({ sql }) => {
      for (const text of ['begin', 'commit', 'savepoint one', 'rollback'])
        expect(() => sql.exec(text)).toThrow('transaction')
    })
  })

  test('takes a hundred values and not one more', async ({ expect }) => {
    await inside(fresh(), ({ sql }) => {
      const ask = (count: number) =>
        Array.from(sql.exec(`select ${Array(count).fill('?').join(', ')}`, ...Array(count).fill(1)).raw())
      expect(ask(100)).toEqual([Array(100).fill(1)])
      expect(() => ask(101)).toThrow('too many SQL variables')
    })
  })
})

describe('deleting everything', () => {
  test('leaves neither rows nor the alarm, and the object begins afresh', async ({ expect }) => {
    const object = await shelf()
    await inside(object, async (storage) => {
      storage.sql.exec("insert into rows (value) values ('one')")
      await storage.setAlarm(Date.now() + dayMs)
    })
    await inside(object, (storage) => storage.deleteAll())
    await evictDurableObject(object)
    await inside(object, async (storage) => {
      expect(await storage.getAlarm()).toBeNull()
      expect(storage.sql.exec("select count(*) as count from sqlite_master where name = 'rows'").one()).toEqual({
        count: 0,
      })
      storage.sql.exec('create table rows (value text)')
      expect(rows(storage)).toEqual([])
    })
    expect(await runDurableObjectAlarm(object)).toBe(false)
  })
})

describe('the alarm', () => {
  const conversation = () => env.CONVERSATIONS.get(env.CONVERSATIONS.newUniqueId())

  test('is set to the millisecond, moved and taken off', async ({ expect }) => {
    const object = conversation()
    const atMs = Date.now() + dayMs
    await inside(object, async (storage) => {
      expect(await storage.getAlarm()).toBeNull()
      await storage.setAlarm(atMs + 5)
      await storage.setAlarm(new Date(atMs))
      expect(await storage.getAlarm()).toBe(atMs)
    })
    await evictDurableObject(object)
    expect(await inside(object, (storage) => storage.getAlarm())).toBe(atMs)
    await inside(object, (storage) => storage.deleteAlarm())
    expect(await runDurableObjectAlarm(object)).toBe(false)
  })

  test('that was taken back with its transaction was never set', async ({ expect }) => {
    const object = conversation()
    const atMs = Date.now() + dayMs
    await inside(object, async (storage) => {
      await storage.setAlarm(atMs)
      try {
        storage.transactionSync(() => {
          void storage.setAlarm(atMs + dayMs)
          throw new Error('not this one')
        })
      } catch {
        // As wanted.
      }
    })
    expect(await inside(object, (storage) => storage.getAlarm())).toBe(atMs)
  })

  test('is no more once it was heard', async ({ expect }) => {
    const object = conversation()
    await inside(object, (storage) => storage.setAlarm(Date.now() + dayMs))
    expect(await runDurableObjectAlarm(object)).toBe(true)
    expect(await inside(object, (storage) => storage.getAlarm())).toBeNull()
    expect(await runDurableObjectAlarm(object)).toBe(false)
  })
})

test('an id is of one class, and the same for the same name', async ({ expect }) => {
  const id = env.SITES.idFromName('17')
  expect(env.SITES.idFromName('17').equals(id)).toBe(true)
  expect(env.SITES.idFromString(id.toString()).equals(id)).toBe(true)
  expect(env.CATALOGUE.idFromName('17').toString()).not.toBe(id.toString())
  expect(() => env.CATALOGUE.idFromString(id.toString())).toThrow()
  expect(() => env.SITES.idFromString('17')).toThrow()
})

test('an object that keeps something is listed', async ({ expect }) => {
  const id = env.DOWNLOADERS.newUniqueId()
  await inside(env.DOWNLOADERS.get(id), ({ sql }) => void sql.exec('create table rows (value text)'))
  expect((await listDurableObjectIds(env.DOWNLOADERS)).map(String)).toContain(id.toString())
})
