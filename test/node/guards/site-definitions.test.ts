import { describe, test } from 'vitest'
import { definitionFaults } from '../../../scripts/check-site-definitions.ts'

const lines = (...text: string[]) => text.join('\n')

describe('a fault in the site definitions is named with file and line', () => {
  test.each([
    [
      'a kind that does not exist',
      lines('[', '  {', '    "id": "a",', '    "name": "A",', '    "kind": "nope"', '  }', ']'),
      5,
    ],
    ['a missing name', lines('[', '  { "id": "a",', '    "kind": "unit3d" }', ']'), 2],
    [
      'a field nobody knows',
      lines('[', '  {', '    "id": "a", "name": "A", "kind": "unit3d",', '    "surprise": 1', '  }', ']'),
      2,
    ],
    [
      'a path to another host',
      lines(
        '[',
        ' { "id": "a", "name": "A", "kind": "nexusphp", "overrides": {',
        '  "paths": {',
        '   "search": "//evil.example/x"',
        '  } } }',
        ']',
      ),
      4,
    ],
    [
      'an id given twice',
      lines(
        '[',
        ' { "id": "a", "name": "A", "kind": "unit3d" },',
        ' { "id": "a", "name": "B", "kind": "unit3d" }',
        ']',
      ),
      1,
    ],
    ['text that is no JSON', lines('[', '  {', '    "id": "a"', '    "name": "A"', '  }', ']'), 4],
  ])('%s', (_, text, line) => {
    const faults = definitionFaults('sites.json', text)

    if (faults.length === 0 || !faults[0]?.startsWith(`sites.json:${line}: `)) throw new Error(faults.join('\n'))
  })

  test('a good list has none', ({ expect }) => {
    expect(definitionFaults('sites.json', '[{ "id": "a", "name": "A", "kind": "unit3d" }]')).toEqual([])
  })
})
