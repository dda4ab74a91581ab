import fc from 'fast-check'
import { describe, test } from 'vitest'
import { type Entry, entriesOf, inListOrder, isWithin, judgePath, rankEntries } from '../../../local/agent/core/file.ts'
import { filePathBytesMax, findDepthMax } from '../../../local/agent/limits.ts'

const bounds = { countMax: 10, depthMax: 3 }
const paths = (entries: readonly Entry[]) => entries.map((entry) => entry.path)

describe('a path', () => {
  test.for([
    ['..', 'forbidden'],
    ['../x', 'forbidden'],
    ['a/../b', 'forbidden'],
    ['a/..', 'forbidden'],
    ['a\\..\\..\\b', 'forbidden'],
    ['/etc/passwd', 'forbidden'],
    ['//etc/passwd', 'forbidden'],
    ['a\0', 'invalid_request'],
    ['x'.repeat(filePathBytesMax + 1), 'invalid_request'],
    ['é'.repeat(filePathBytesMax / 2 + 1), 'invalid_request'],
  ] as const)('%o is %s', ([path, code], { expect }) => {
    const judged = judgePath(path, filePathBytesMax)
    expect(judged.ok ? judged.value : judged.failure.code).toBe(code)
  })

  test.for(['a', 'a/b/', '..a', 'a..', '...', 'a/...', '~/x', '%2e%2e/x', 'x'.repeat(filePathBytesMax)])(
    '%o is one',
    (path, { expect }) => {
      expect(judgePath(path, filePathBytesMax)).toEqual({ ok: true, value: path })
    },
  )

  test('of nothing is the folder itself', ({ expect }) => {
    expect(judgePath('', 1)).toEqual({ ok: true, value: '.' })
  })

  test.for([
    ['/p', '/p', true],
    ['/p', '/p/a', true],
    ['/p', '/pa', false],
    ['/p', '/', false],
    ['/', '/p', true],
  ] as const)('below %s, %s: %s', ([folder, full, expected], { expect }) => {
    expect(isWithin(folder, full)).toBe(expected)
  })
})

describe('entries', () => {
  test('are the files and the folders they lie in, each once', ({ expect }) => {
    const { entries, isCut } = entriesOf(['a/b/c.ts', 'a/b/d.ts', 'e.ts'], bounds)
    expect(paths(entries)).toEqual(['a/', 'a/b/', 'a/b/c.ts', 'a/b/d.ts', 'e.ts'])
    expect(isCut).toBe(false)
  })

  test('at the bound of their number are all there; one more says that it was cut', ({ expect }) => {
    const files = Array.from({ length: 10 }, (_unused, index) => `${index}.ts`)
    expect(entriesOf(files, bounds)).toMatchObject({ isCut: false, entries: { length: 10 } })
    expect(entriesOf(['a/0.ts', ...files.slice(1)], bounds)).toMatchObject({ isCut: true, entries: { length: 10 } })
  })

  test('at the bound of depth are there; those below it are cut, and the folders above them stay', ({ expect }) => {
    expect(entriesOf(['a/b/c'], bounds)).toMatchObject({ isCut: false, entries: { length: 3 } })
    const deep = entriesOf(['a/b/c/d'], bounds)
    expect(paths(deep.entries)).toEqual(['a/', 'a/b/', 'a/b/c/'])
    expect(deep.isCut).toBe(true)
  })

  test('are listed with folders first, each kind by name', ({ expect }) => {
    const { entries } = entriesOf(['z', 'b/1', 'a/1', 'A'], bounds)
    expect(paths(inListOrder(entries))).toEqual(['a/', 'b/', 'A', 'a/1', 'b/1', 'z'])
  })
})

describe('a search', () => {
  const { entries } = entriesOf(
    ['src/http/guard.ts', 'src/http/routes/file.ts', 'src/profile.ts', 'file.ts', 'docs/filters.md', 'README.md'],
    { countMax: 100, depthMax: findDepthMax },
  )

  test('puts the tightest match first, then the shortest path', ({ expect }) => {
    expect(paths(rankEntries(entries, 'file', undefined)).slice(0, 3)).toEqual([
      'file.ts',
      'src/profile.ts',
      'src/http/routes/file.ts',
    ])
  })

  test('takes the letters in any case and with others between them', ({ expect }) => {
    expect(paths(rankEntries(entries, 'rdme', undefined))).toEqual(['README.md'])
    expect(paths(rankEntries(entries, 'SHG', undefined))).toEqual(['src/http/guard.ts'])
    expect(rankEntries(entries, 'emdaer', undefined)).toEqual([])
  })

  test('may be for one kind', ({ expect }) => {
    expect(paths(rankEntries(entries, 'http', 'directory'))).toEqual(['src/http/', 'src/http/routes/'])
    expect(paths(rankEntries(entries, 'http', 'file'))).not.toContain('src/http/')
  })

  test('for nothing finds everything, the shortest first', ({ expect }) => {
    expect(rankEntries(entries, '', undefined)).toHaveLength(entries.length)
    expect(rankEntries(entries, '', undefined)[0]?.path).toBe('src/')
  })

  test('finds exactly what holds the letters in their order', ({ expect }) => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '/', 'é'), maxLength: 12 })
    fc.assert(
      fc.property(letters, letters, (path, query) => {
        const inOrder = new RegExp([...query].join('.*'), 's')
        const found = rankEntries([{ path, type: 'file' }], query, undefined)
        expect(found.length === 1, `${query} in ${path}`).toBe(inOrder.test(path))
      }),
    )
  })
})
