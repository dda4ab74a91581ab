import { test } from 'vitest'
import { plainDataDepthMax } from '../../../local/runtime/limits.ts'
import { errorCopy, plainCopy } from '../../../local/runtime/plain-data.ts'

test('a copy is as what it is a copy of, and apart from it', ({ expect }) => {
  const value = {
    text: '文',
    number: -0.5,
    none: null,
    missing: undefined,
    list: [1, [2], {}],
    date: new Date(0),
    bytes: Uint8Array.of(1, 2),
    buffer: Uint8Array.of(3).buffer,
    map: new Map([['a', { b: 1 }]]),
    set: new Set([1]),
  }
  const copy = plainCopy(value)
  expect(copy).toStrictEqual(value)
  copy.list.push(4)
  copy.bytes[0] = 9
  expect([value.list.length, value.bytes[0]]).toEqual([3, 1])
})

test('a key that would be a prototype stays a key', ({ expect }) => {
  const copy = plainCopy(JSON.parse('{"__proto__": {"a": 1}}'))
  expect(Object.keys(copy)).toEqual(['__proto__'])
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype)
})

class Own {
  readonly value = 1
}

test.for([
  ['a function', () => 1],
  ['a method', { run() {} }],
  ['a symbol', [Symbol('x')]],
  ['an instance of a class', { one: new Own() }],
  ['a stream', new ReadableStream()],
  ['a request', new Request('http://wharf.test')],
  ['a promise', Promise.resolve()],
] as const)('%s does not pass', ([, value], { expect }) => {
  expect(() => plainCopy(value)).toThrow(expect.objectContaining({ name: 'DataCloneError' }))
})

test('data nests to its bound and no deeper', ({ expect }) => {
  const nested = (depth: number) => {
    let value: unknown = 1
    for (let at = 0; at < depth; at += 1) value = [value]
    return value
  }
  expect(() => plainCopy(nested(plainDataDepthMax + 1))).not.toThrow()
  expect(() => plainCopy(nested(plainDataDepthMax + 2))).toThrow('nested too deeply')
})

test('a failure keeps its name, words and cause, and loses its class', ({ expect }) => {
  class OwnFailure extends RangeError {
    override readonly name = 'OwnFailure'
    readonly code = 'Q'
  }
  const copy = errorCopy(new OwnFailure('no', { cause: new TypeError('why') }))
  expect(copy).not.toBeInstanceOf(OwnFailure)
  expect(copy).toMatchObject({ name: 'OwnFailure', message: 'no', code: 'Q' })
  expect(copy.cause).toBeInstanceOf(TypeError)
  expect(errorCopy(new RangeError('far'))).toBeInstanceOf(RangeError)
})
