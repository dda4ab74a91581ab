/** What the long run takes for the same answer, and above all what not. */
import { test } from 'vitest'
import { differenceOf } from '../../long/same-answers.ts'

const at = 1_790_000_000

test.for([
  ['the same', { a: [1, 'x'] }, { a: [1, 'x'] }],
  ['identifiers of one length', { id: '26efb7cb8e37' }, { id: 'a3206c0c9e5b' }],
  ['times a little apart', { created_at: at }, { created_at: at + 900 }],
  ['times in milliseconds', { at: at * 1000 }, { at: at * 1000 + 900_000 }],
  ['how long it took', { duration_ms: 1 }, { duration_ms: 174 }],
  ['a stand-in of its own', { address: 'http://127.0.0.1:38615' }, { address: 'http://127.0.0.1:41561' }],
  ['times in words', { at: '2026-11-26T01:45:50.293Z' }, { at: '2026-11-26T01:45:51.000Z' }],
] as const)('%s', ([, left, right], { expect }) => {
  expect(differenceOf({ status: 200, body: left }, { status: 200, body: right })).toBeUndefined()
})

test.for([
  ['another word', { status: 'active' }, { status: 'paused' }, '/status: "active" beside "paused"'],
  ['an identifier of another length', { id: '26ef' }, { id: 'a3206' }, '/id: "26ef" beside "a3206"'],
  ['a name in the place of an identifier', { name: 'v123' }, { name: 'v124' }, '/name: "v123" beside "v124"'],
  ['times too far apart', { at }, { at: at + 901 }, `/at: ${at} beside ${at + 901}`],
  [
    'another host',
    { address: 'http://127.0.0.1:80' },
    { address: 'http://127.0.0.2:80' },
    '/address: "http://127.0.0.1:80" beside "http://127.0.0.2:80"',
  ],
  ['small numbers', { size: 1 }, { size: 2 }, '/size: 1 beside 2'],
  ['a field more', { a: 1 }, { a: 1, b: null }, '/b: nothing beside null'],
  ['an item less', { a: [1, 2] }, { a: [1] }, '/a: [1,2] beside [1]'],
  ['another order', { a: [1, 2] }, { a: [2, 1] }, '/a/0: 1 beside 2'],
] as const)('%s is a difference', ([, left, right, place], { expect }) => {
  expect(differenceOf({ status: 200, body: left }, { status: 200, body: right })).toBe(place)
})

test('another status is a difference, whatever is said', ({ expect }) => {
  expect(differenceOf({ status: 200, body: {} }, { status: 404, body: {} })).toBe('200 {} beside 404 {}')
})
