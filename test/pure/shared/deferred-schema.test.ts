import { describe, test, vi } from 'vitest'
import * as zod from 'zod'
import * as z from '#shared/schema/deferred.ts'

describe('schemas that are put off', () => {
  test('are made when the first asks for something, once, with the steps that were added', ({ expect }) => {
    const shape = vi.fn(() => zod.string())
    const declared = {
      get inner() {
        return shape()
      },
    }
    const schema = z.strictObject(declared).optional().meta({ description: 'later' })
    expect(shape).not.toHaveBeenCalled()
    expect(schema.safeParse({ inner: 'a' })).toEqual({ success: true, data: { inner: 'a' } })
    expect([schema.safeParse({ inner: 1 }).success, schema.safeParse(undefined).success]).toEqual([false, true])
    expect([schema.description, shape.mock.calls.length]).toEqual(['later', 1])
  })

  test('read as those that are made at once, whatever they are parts of', ({ expect }) => {
    const name = z.string().trim().min(1).max(5)
    const of = (s: typeof z | typeof zod, part: typeof name) => [
      s.object({ name: part, more: s.array(part).default([]) }),
      s.record(part, s.int()),
      s.tuple([part, s.boolean()]),
      s.union([part, s.int().positive()]),
      s.discriminatedUnion('kind', [
        s.object({ kind: s.literal('a'), name: part }),
        s.object({ kind: s.literal(['b', 'c']) }).extend({ count: s.number() }),
      ]),
      s.partialRecord(s.enum(['x', 'y']), part.nullable()),
      s.looseObject({ name: part.prefault(' of none ') }),
      part.regex(/^\d+$/).transform(Number).pipe(s.int().gt(3)),
      s.unknown(),
      s.object({ name: part, age: s.number().nonnegative() }).partial(),
      s.url(),
      s.strictObject({ name: part, age: s.int() }).omit({ age: true }),
      s.enum(['x', 'y']).exclude(['y']),
    ]
    const values = [
      { name: ' ab ', more: ['x', 'toolong'] },
      { name: 'ab', kind: 'a', extra: true },
      { kind: 'c', count: 1 },
      { x: null, y: 'b' },
      { a: 1 },
      {},
      ['a', true],
      '7',
      'x',
      'https://a.example/',
      5,
      null,
    ]
    const told = (schemas: ReturnType<typeof of>) =>
      schemas.map((schema) =>
        values.map((value) => {
          const read = schema.safeParse(value)
          return read.success ? read.data : read.error.issues
        }),
      )
    expect(told(of(z, name))).toEqual(told(of(zod, zod.string().trim().min(1).max(5))))
  })

  test('hand the schema itself to whoever keeps notes by the object', ({ expect }) => {
    const part = z.string().meta({ id: 'deferred-part' })
    const whole = z.object({ part })
    const made = z.madeSchema(whole)
    expect(made).not.toBe(whole)
    expect(z.madeSchema(whole)).toBe(made)
    expect(made.shape.part).toBe(z.madeSchema(part))
    expect(zod.globalRegistry.get(made.shape.part)).toMatchObject({ id: 'deferred-part' })
    expect([z.madeSchema(made), z.madeSchema('image'), z.madeSchema(undefined)]).toEqual([made, 'image', undefined])
    expect(whole instanceof zod.ZodObject).toBe(true)
    expect('safeParse' in whole && Object.keys(whole).length > 0).toBe(true)
  })

  test('are made before what is no step of a schema, and keep what is wrong until then', ({ expect }) => {
    const schema = z.enum(['a', 'b'])
    expect(schema.options).toEqual(['a', 'b'])
    const wrong = z.strictObject({}).extend(undefined as never)
    expect(() => wrong.safeParse({})).toThrow()
  })

  const text = zod.string()
  const number = zod.int()
  const record = zod.strictObject({ a: number })
  const nothing = () => undefined
  const askedOf: Readonly<Record<string, readonly [zod.ZodType, ...unknown[]]>> = {
    default: [text, 'a'],
    describe: [text, 'a'],
    exclude: [zod.enum(['a', 'b']), ['a']],
    extend: [record, { b: number }],
    gt: [number, 1],
    int: [zod.number()],
    length: [text, 1],
    max: [text, 1],
    meta: [text, { description: 'a' }],
    min: [text, 1],
    nonnegative: [number],
    nullable: [text],
    nullish: [text],
    omit: [record, { a: true }],
    optional: [text],
    partial: [record],
    pipe: [text, number],
    positive: [number],
    prefault: [text, 'a'],
    refine: [text, nothing],
    regex: [text, /a/],
    required: [record],
    superRefine: [text, nothing],
    transform: [text, nothing],
    trim: [text],
    url: [text],
  }

  test.for([...z.schemaSteps])('%s gives a schema, and is put off', (step, { expect }) => {
    const [schema, ...given] = askedOf[step] ?? []
    const after = Reflect.apply(Reflect.get(schema as object, step), schema, given)
    expect(after).toBeInstanceOf(zod.ZodType)
  })
})
