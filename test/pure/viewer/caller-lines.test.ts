import { test } from 'vitest'
import type { NodeAnswer } from '../../../local/viewer/contract/wire.ts'
import { withCallerLines } from '../../../local/viewer/core/caller-lines.ts'

type Incoming = NodeAnswer['incoming']

function callersOf(files: readonly string[], line: number): Incoming {
  const items = files.map((file, at) => ({ node: { id: `${at}`, file }, lines: [line], edges: [] }))
  return { total: items.length, shown: items.length, truncated: false, items } as unknown as Incoming
}

test('a line is told without what it is indented by, as far as the bound, from as many files as the bound', ({
  expect,
}) => {
  const read: string[] = []
  const textOf = (file: string): string => {
    read.push(file)
    return `first\n    ${'x'.repeat(9)}\n`
  }
  const files = ['a', 'b', 'a', 'c']
  const told = (bounds: { files: number; chars: number }) =>
    withCallerLines(callersOf(files, 2), textOf, bounds).items.map((one) => one.text)

  expect(told({ files: 3, chars: 9 })).toEqual(files.map(() => 'x'.repeat(9)))
  expect(read.splice(0)).toEqual(['a', 'b', 'c'])
  expect(told({ files: 2, chars: 8 })).toEqual([...['a', 'b', 'a'].map(() => 'x'.repeat(8)), undefined])
  expect(read).toEqual(['a', 'b'])
})

test.for<readonly [string, string | undefined, number]>([
  ['a file that is another one now', undefined, 1],
  ['a line past the end', 'only one', 2],
  ['an empty line', '\n  \n', 2],
])('%s leaves the line out', ([, text, line], { expect }) => {
  const { items } = withCallerLines(callersOf(['a'], line), () => text, { files: 9, chars: 99 })
  expect(items[0]).not.toHaveProperty('text')
})

test('the line that uses something is told before the one that imports it', ({ expect }) => {
  const [one] = callersOf(['a'], 1).items
  const edges = [
    { kind: 'imports', line: 1 },
    { kind: 'calls', line: 2 },
  ] as const
  const incoming = { ...callersOf(['a'], 1), items: [{ ...one, edges }] } as unknown as Incoming
  const { items } = withCallerLines(incoming, () => "import { a } from './a.ts'\na()\n", { files: 1, chars: 99 })
  expect(items[0]?.text).toBe('a()')
})
