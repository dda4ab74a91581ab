import { describe, test } from 'vitest'
import {
  briefArguments,
  dayGroup,
  resultCount,
  resultText,
  valueText,
  waitLeft,
} from '../../../../workers/app/web/model/tool-facts.ts'

describe('what is said of a call in short', () => {
  test.for([
    [{}, ''],
    [{ site: 'lantern', pushed: true, count: 3 }, 'site = lantern, pushed = true, count = 3'],
    [{ deep: { a: [1] }, none: undefined }, 'deep = {"a":[1]}, none = '],
    [{ targets: [{ a: 1 }, { a: 2 }], sites: ['a', 'b'] }, 'targets = [2], sites = ["a","b"]'],
    [{ name: 'a\u202eb' }, 'name = a\ufffdb'],
    [{ long: '很'.repeat(200) }, `long = ${'很'.repeat(153)}…`],
    [{ cut: `${'x'.repeat(153)}😀` }, `cut = ${'x'.repeat(153)}\ufffd…`],
  ] as const)('%j', ([given, said], { expect }) => {
    expect(briefArguments(given)).toBe(said)
  })

  test.for([
    ['{"items":[1,2]}', 2],
    ['{"items":[1,2],"total":14}', 14],
    ['[1,2,3]', 3],
    ['{"a":1}', undefined],
    ['null', undefined],
    ['下载器响应超时', undefined],
    ['{"items":[1,2', undefined],
  ] as const)('%s lists %s', ([result, count], { expect }) => {
    expect(resultCount(result)).toBe(count)
  })

  test('a result is JSON with a line for each value, or the text it is', ({ expect }) => {
    expect(resultText('{"a":{"b":1}}')).toBe('{\n  "a": {\n    "b": 1\n  }\n}')
    expect(resultText('12')).toBe('12')
    expect(resultText('超时\u2066')).toBe('超时\ufffd')
    expect(valueText('plain')).toBe('plain')
  })
})

describe('the time an action still waits', () => {
  const created = '2026-11-21T14:00:00Z'
  const expires = '2026-11-21T14:05:00Z'
  test.for([
    ['2026-11-21T14:00:00Z', '5:00'],
    ['2026-11-21T14:00:48Z', '4:12'],
    ['2026-11-21T14:04:59.5Z', '0:01'],
    ['2026-11-21T14:05:00Z', undefined],
    ['2026-11-21T15:00:00Z', undefined],
    // A clock that is behind.
    ['2026-11-21T12:00:00Z', '5:00'],
  ] as const)('at %s is %s', ([now, left], { expect }) => {
    expect(waitLeft(expires, created, Date.parse(now))).toBe(left)
  })

  test('is not known where the times are none', ({ expect }) => {
    expect(waitLeft('soon', created, 0)).toBeUndefined()
  })
})

test('conversations are of today, of yesterday or earlier, by the days here', ({ expect }) => {
  const now = new Date(2026, 10, 21, 0, 30).getTime()
  expect(dayGroup(new Date(2026, 10, 21, 0, 0).getTime(), now)).toBe('today')
  expect(dayGroup(new Date(2026, 10, 20, 23, 59).getTime(), now)).toBe('yesterday')
  expect(dayGroup(new Date(2026, 10, 20, 0, 0).getTime(), now)).toBe('yesterday')
  expect(dayGroup(new Date(2026, 10, 19, 23, 59).getTime(), now)).toBe('earlier')
})
