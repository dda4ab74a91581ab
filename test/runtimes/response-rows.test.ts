import { beforeEach, describe, test } from 'vitest'
import { ResponseRows } from '../../workers/gateway/adapters/response-rows.ts'
import {
  keptPieceCharacters,
  keptResponseCharactersOneMax,
  keptResponseMs,
  keptResponsesMax,
} from '../../workers/gateway/limits.ts'
import type { NewResponse } from '../../workers/gateway/ports.ts'
import { newDatabase, type TestDatabase } from './engine.ts'

let database: TestDatabase

beforeEach(async () => {
  database = await newDatabase()
  return () => database.close()
})

const roomy = { ownerCharactersMax: 100_000_000, charactersMax: 100_000_000 }
const rowsOf = <T>(work: (rows: ResponseRows) => T, bounds = roomy) =>
  database.use((sql) => work(new ResponseRows(sql, bounds)))

function answer(id: string, previousId?: string, text = 'x'): NewResponse {
  const before = previousId === undefined ? {} : { previousId }
  return { id, response: { id, text }, ...before, input: [{ id: `in-${id}` }], output: [{ id: `out-${id}`, text }] }
}

describe('answers that are kept', () => {
  test('come back with all that was said before them, also after a restart', async ({ expect }) => {
    await rowsOf((rows) => {
      rows.put('me', answer('a'), 1)
      rows.put('me', answer('b', 'a'), 2)
    })
    await database.restart()
    await rowsOf((rows) => {
      expect(rows.get('me', 'b', 3)).toEqual({
        id: 'b',
        response: { id: 'b', text: 'x' },
        items: [{ id: 'in-a' }, { id: 'out-a', text: 'x' }, { id: 'in-b' }, { id: 'out-b', text: 'x' }],
        inputs: 3,
      })
      expect(rows.items('me', ['out-a', 'none', 'out-a', 'in-b'], 3)).toEqual([
        { id: 'out-a', text: 'x' },
        { id: 'in-b' },
      ])
      expect([rows.get('you', 'b', 3), rows.items('you', ['out-a'], 3), rows.delete('you', 'b')]).toEqual([
        undefined,
        [],
        false,
      ])
    })
  })

  test('lose nothing that a later one needs when one is deleted', async ({ expect }) => {
    await rowsOf((rows) => {
      rows.put('me', answer('a'), 1)
      rows.put('me', answer('b', 'a'), 2)
      expect([rows.delete('me', 'a'), rows.delete('me', 'a'), rows.get('me', 'a', 3)]).toEqual([true, false, undefined])
      expect(rows.get('me', 'b', 3)?.items).toHaveLength(4)
      rows.delete('me', 'b')
      expect(rows.items('me', ['in-a', 'out-b'], 3)).toEqual([])
    })
    await database.use((sql) => {
      expect(sql.all('SELECT (SELECT COUNT(*) FROM piece) AS pieces, characters FROM held')).toEqual([
        { pieces: 0, characters: 0 },
      ])
    })
  })

  test('are not kept without what they go on from', async ({ expect }) => {
    await rowsOf((rows) => {
      rows.put('me', answer('b', 'gone'), 1)
      expect(rows.get('me', 'b', 1)).toBeUndefined()
    })
  })

  test('keep two items of one id apart', async ({ expect }) => {
    await rowsOf((rows) => {
      rows.put('me', { ...answer('a'), output: [{ id: 'same', text: 'one' }] }, 1)
      rows.put('me', { ...answer('b'), output: [{ id: 'same', text: 'two' }] }, 2)
      expect(rows.get('me', 'a', 3)?.items[1]).toMatchObject({ text: 'one' })
      expect(rows.get('me', 'b', 3)?.items[1]).toMatchObject({ text: 'two' })
    })
  })

  test.for([keptPieceCharacters - 40, keptPieceCharacters, 3 * keptPieceCharacters])(
    'come back whole however long they are (%i)',
    async (length, { expect }) => {
      const text = '🐋'.repeat(Math.ceil(length / 2))
      await rowsOf((rows) => {
        rows.put('me', answer('a', undefined, text), 1)
        expect(rows.get('me', 'a', 1)?.response['text'] === text).toBe(true)
        expect(rows.items('me', ['out-a'], 1)[0]?.['text'] === text).toBe(true)
      })
    },
  )

  test.for<readonly [more: number, items: number]>([
    [0, 2],
    [1, 1],
  ])('are handed out up to a length that the platform carries (%i more)', async ([more, items], { expect }) => {
    const text = (length: number) => 'x'.repeat(length - JSON.stringify({ id: 'a', text: '' }).length)
    await rowsOf((rows) => {
      const half = keptResponseCharactersOneMax / 2
      const output = [
        { id: 'a', text: text(half) },
        { id: 'b', text: text(half + more) },
      ]
      rows.put('me', { ...answer('long'), output }, 1)
      expect(rows.items('me', ['a', 'b'], 1)).toHaveLength(items)
    })
  })

  test('are there for their time and no longer', async ({ expect }) => {
    await rowsOf((rows) => {
      rows.put('me', answer('a'), 1_000)
      const last = 1_000 + keptResponseMs - 1
      expect([rows.get('me', 'a', last)?.id, rows.sweep(last)]).toEqual(['a', last + 1])
      expect([rows.get('me', 'a', last + 1), rows.items('me', ['in-a'], last + 1)]).toEqual([undefined, []])
      expect([rows.sweep(last + 1), rows.delete('me', 'a')]).toEqual([undefined, false])
    })
  })

  test('are so many of a key and no more: the oldest goes', async ({ expect }) => {
    await rowsOf((rows) => {
      for (let number = 1; number <= keptResponsesMax; number += 1) rows.put('me', answer(String(number)), number)
      rows.put('you', answer('1'), 1)
      expect(rows.get('me', '1', 2)).toBeDefined()
      rows.put('me', answer('one more'), keptResponsesMax + 1)
      expect([rows.get('me', '1', 2), rows.get('me', '2', 2)?.id, rows.get('you', '1', 2)?.id]).toEqual([
        undefined,
        '2',
        '1',
      ])
    })
  })

  test('make room for the newest within the bounds of a key and of all', async ({ expect }) => {
    const size = JSON.stringify({ id: 'a', text: 'x' }).length + JSON.stringify({ id: 'in-a' }).length
    const whole = size + JSON.stringify({ id: 'out-a', text: 'x' }).length + 2 * 64
    await rowsOf(
      (rows) => {
        for (const [at, id] of ['a', 'b'].entries()) rows.put('me', answer(id), at)
        expect(rows.get('me', 'a', 9)).toBeDefined()
        rows.put('me', answer('c'), 2)
        expect([rows.get('me', 'a', 9), rows.get('me', 'b', 9)?.id]).toEqual([undefined, 'b'])
        rows.put('you', answer('d'), 3)
        expect(rows.get('me', 'b', 9)).toBeDefined()
        rows.put('you', answer('e'), 4)
        expect([rows.get('me', 'b', 9), rows.get('me', 'c', 9)?.id, rows.get('you', 'd', 9)?.id]).toEqual([
          undefined,
          'c',
          'd',
        ])
        rows.put('me', answer('large', undefined, 'x'.repeat(2 * whole)), 5)
        expect(rows.get('me', 'large', 9)).toBeUndefined()
      },
      { ownerCharactersMax: 2 * whole, charactersMax: 3 * whole },
    )
  })

  test('go with their key', async ({ expect }) => {
    await rowsOf((rows) => {
      rows.put('me', answer('a'), 1)
      rows.put('you', answer('a'), 1)
      rows.forget('me')
      expect([rows.get('me', 'a', 1), rows.get('you', 'a', 1)?.id]).toEqual([undefined, 'a'])
    })
  })
})
