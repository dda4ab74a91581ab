import { test } from 'vitest'
import { lineHistory } from '../../../local/viewer/core/line-history.ts'
import { lineMakers } from '../../../local/viewer/web/model/line-makers.ts'

const [one, two, none] = ['1', '2', '0'].map((digit) => digit.repeat(40))
const described = (id: string, line: number, count: number, name: string, seconds: number): string =>
  `${id} ${line} ${line} ${count}
author ${name}
author-mail <a@example.invalid>
author-time ${seconds}
author-tz +0000
committer ${name}
committer-time ${seconds}
summary Change of ${name}
filename a.ts
`

test('pieces are put in order and joined, and each commit is told once without an address', ({ expect }) => {
  const text = `${described(String(two), 5, 1, 'B', 200)}${described(String(one), 1, 2, 'A', 100)}${one} 3 3 1
filename a.ts
${two} 4 4 1
filename a.ts
`

  const found = lineHistory(text)

  expect(found.commits).toEqual([
    { id: '2'.repeat(12), name: 'B', at: 200_000, subject: 'Change of B' },
    { id: '1'.repeat(12), name: 'A', at: 100_000, subject: 'Change of A' },
  ])
  expect(found.parts).toEqual([
    { from: 1, to: 3, commit: 1 },
    { from: 4, to: 5, commit: 0 },
  ])
  expect(JSON.stringify(found)).not.toContain('example.invalid')
})

test('what is in no commit has no name and no time', ({ expect }) => {
  expect(lineHistory(described(String(none), 1, 1, 'Not Committed Yet', 300)).commits).toEqual([
    { id: null, name: '', at: null, subject: '' },
  ])
})

test.for([
  ['nothing', ''],
  ['what is no answer of git', 'fatal: no such path\n'],
  ['a piece that is cut off', `${'3'.repeat(40)} 1 1 1\nauthor A\n`],
])('%s names nobody', ([, text], { expect }) => {
  expect(lineHistory(String(text)).commits).toEqual([])
})

test('beside the lines the name stands where a piece begins, and the newest is the strongest', ({ expect }) => {
  const day = Date.UTC(2026, 0, 15, 12)
  const makers = lineMakers(
    {
      ...{ file: 'a.ts', drift: false, known: true, timing: { elapsedMs: 0, cached: false } },
      commits: [
        { id: 'a1', name: 'A', at: day, subject: 'begin' },
        { id: 'b2', name: 'B', at: day + 86_400_000, subject: 'go on' },
        { id: null, name: '', at: null, subject: '' },
      ],
      parts: [
        { from: 1, to: 2, commit: 0 },
        { from: 3, to: 3, commit: 1 },
        { from: 4, to: 4, commit: 2 },
        { from: 5, to: 5, commit: 9 },
      ],
    },
    { notCommitted: 'new', made: (name, on, subject, id) => `${name} ${on} ${subject} ${id}` },
  )

  expect([...makers].map(([line, of]) => [line, of.name, of.share, of.isFirst])).toEqual([
    [1, 'A', 10, true],
    [2, 'A', 10, false],
    [3, 'B', 100, true],
    [4, 'new', 100, true],
  ])
  expect(makers.get(1)).toMatchObject({ day: '2026-01-15', title: 'A 2026-01-15 begin a1' })
})
