import fc from 'fast-check'
import { describe, test } from 'vitest'
import { applyHunks, parsePatch, sayHunkFault, sayPatchFault } from '../../../local/agent/core/patch-text.ts'

function patch(...lines: string[]): string {
  return ['*** Begin Patch', ...lines, '*** End Patch'].join('\n')
}

function applied(text: string, ...lines: string[]): string {
  const parsed = parsePatch(patch('*** Update File: f', ...lines))
  if (!parsed.ok) return `refused: ${sayPatchFault(parsed.failure)}`
  const [file] = parsed.value
  if (file?.kind !== 'update') return 'no update'
  const result = applyHunks(text, file.hunks)
  return result.ok ? result.value : `refused: ${sayHunkFault(result.failure)}`
}

test('files are added, deleted and updated by one patch', ({ expect }) => {
  expect(
    parsePatch(
      patch('*** Add File: a b.txt', '+one', '+', '*** Delete File: c', '*** Update File: d', '@@', '-x', '+y'),
    ),
  ).toEqual({
    ok: true,
    value: [
      { kind: 'add', path: 'a b.txt', text: 'one\n\n' },
      { kind: 'delete', path: 'c' },
      { kind: 'update', path: 'd', moveTo: undefined, hunks: [{ anchor: undefined, before: ['x'], after: ['y'] }] },
    ],
  })
})

test('a file may get another name, with changes or without, and each name stands once', ({ expect }) => {
  const moves = patch(
    '*** Update File: a',
    '*** Move to: b',
    '@@',
    '-x',
    '+y',
    '*** Update File: c',
    '*** Move to: d e',
    '',
  )
  expect(parsePatch(moves)).toEqual({
    ok: true,
    value: [
      { kind: 'update', path: 'a', moveTo: 'b', hunks: [{ anchor: undefined, before: ['x'], after: ['y'] }] },
      { kind: 'update', path: 'c', moveTo: 'd e', hunks: [] },
    ],
  })
  expect(parsePatch(patch('*** Update File: a', '*** Move to: a'))).toMatchObject({ ok: false })
  expect(parsePatch(patch('*** Update File: a', '*** Move to: b', '*** Delete File: b'))).toMatchObject({ ok: false })
  expect(parsePatch(patch('*** Update File: a', '*** Move to: b', '@@', '-x', 'y'))).toEqual({
    ok: false,
    failure: { kind: 'sign', line: 6 },
  })
})

test('a change of very many lines is one', ({ expect }) => {
  const after = Array.from({ length: 300_000 }, (_unused, index) => String(index))
  expect(applyHunks('a\n', [{ anchor: undefined, before: ['a'], after }])).toEqual({
    ok: true,
    value: `${after.join('\n')}\n`,
  })
})

describe('an update', () => {
  test.for([
    ['a\nb\nc\n', ['@@', ' a', '-b', '+B', ' c'], 'a\nB\nc\n'],
    ['a\nb\nc', ['@@', '-c', '+C'], 'a\nb\nC'],
    ['x\na\nx\na\n', ['@@', '-a', '+1', '@@', '-a', '+2'], 'x\n1\nx\n2\n'],
    ['f() {\n  a\n}\ng() {\n  a\n}\n', ['@@ g() {', '-  a', '+  b'], 'f() {\n  a\n}\ng() {\n  b\n}\n'],
    ['a\n', ['@@', '+b'], 'a\nb\n'],
    ['', ['@@', '+b'], 'b\n'],
    ['a\n\nb\n', ['@@', ' a', '', '-b', '+c'], 'a\n\nc\n'],
    ['a\nb\n', ['@@', '-b'], 'a\n'],
    ['a\nb\n', ['@@ -1,2 +1,2 @@', ' a', '-b', '+c'], 'a\nc\n'],
    ['a\nb\na\nb\n', ['@@ -3 +3,9 @@ a', '-b', '+c'], 'a\nc\na\nb\n'],
  ] as const)('of %o by %o is %o', ([text, lines, expected], { expect }) => {
    expect(applied(text, ...lines)).toBe(expected)
  })

  test.for([
    ['a\n', ['@@', '-b', '+c']],
    ['a\n', ['@@ nowhere', '-a', '+c']],
    ['a\n', ['@@', ' a']],
    ['a\n', ['@@', 'x']],
    ['b\na\n', ['@@', '-a', '+1', '@@', '-b', '+2']],
    ['x\na\nx\na\n', ['@@', '-a', '+1']],
    ['a\na\na\n', ['@@', '-a', '+1', '@@', '-a', '+2']],
  ] as const)('of %o by %o is refused', ([text, lines], { expect }) => {
    expect(applied(text, ...lines)).toMatch(/^refused: /)
  })
})

test.for([
  '',
  'nonsense',
  '*** Begin Patch',
  patch(),
  patch('x'),
  patch('*** Add File: a', 'x'),
  patch('*** Delete File: a', 'x'),
  patch('*** Delete File: a', '*** Delete File: a'),
])('%o is no patch', (text, { expect }) => {
  expect(parsePatch(text).ok).toBe(false)
})

test('a patch made of two texts brings the first to the second', ({ expect }) => {
  const line = fc.string({ unit: fc.constantFrom('a', 'b', '-', '+', ' ', '@', '*'), maxLength: 4 })
  const lines = fc.array(line, { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const text = (part: readonly string[]) => part.map((one) => `${one}\n`).join('')
      if (text(before) === text(after)) return
      const changed = applied(text(before), '@@', ...before.map((one) => `-${one}`), ...after.map((one) => `+${one}`))
      expect(changed).toBe(text(after))
    }),
  )
})
