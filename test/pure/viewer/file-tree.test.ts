import { describe, test } from 'vitest'
import type { LeftOut } from '../../../local/indexer/core/left-out.ts'
import type { FileRow } from '../../../local/indexer/core/rows.ts'
import { folderOf } from '../../../local/viewer/core/file-tree.ts'

function file(path: string, more: Partial<FileRow> = {}): FileRow {
  return {
    ...{ n: 1, path, language: 'typescript', hash: '', size: 1, modifiedMs: 0, indexedMs: 0, lines: 1 },
    ...{ isGenerated: false, isTest: false, isNonProduction: false, firstNode: 1, nodeCount: 1, errors: [] },
    ...{ givenUp: undefined, givenUpReferences: 0 },
    ...more,
  }
}
const leftOut = (path: string, files = 1): LeftOut => ({ path, reason: 'brought_in', files, bytes: 0 })

// In no order: files that grew stand behind the others.
const files = [
  file('src/b.go', { language: 'go', isGenerated: true }),
  file('src/deep/er/c.ts'),
  file('main.ts'),
  file('src/a.ts', { errors: ['1:2'], givenUp: 'too_deep' }),
  file('src-other/d.ts'),
]
const gone = [leftOut('src/vendor/', 3), leftOut('src/deep/large.ts'), leftOut('assets/only.ts'), leftOut('zero.ts')]
const paths = (list: { readonly items: readonly { readonly path: string }[] } | undefined): string[] | undefined =>
  list?.items.map((one) => one.path)

describe('a folder', () => {
  test('has its folders with all that lies below, its files, and what was left out where it lies', ({ expect }) => {
    expect(folderOf(files, gone, 'src', 10)).toEqual({
      folder: 'src',
      files: 3,
      leftOut: 4,
      languages: [
        { language: 'typescript', files: 2 },
        { language: 'go', files: 1 },
      ],
      folders: { total: 1, shown: 1, truncated: false, items: [{ path: 'src/deep', files: 1, leftOut: 1 }] },
      here: {
        ...{ total: 2, shown: 2, truncated: false },
        items: [
          { path: 'src/a.ts', language: 'typescript', generated: false, givenUp: 'too_deep', halfParsed: true },
          { path: 'src/b.go', language: 'go', generated: true, givenUp: null, halfParsed: false },
        ],
      },
      leftOutHere: { total: 1, shown: 1, truncated: false, items: [leftOut('src/vendor/', 3)] },
    })
  })

  test('of which the index has no file is there for what was left out of it', ({ expect }) => {
    const root = folderOf(files, gone, '', 10)

    expect(paths(root?.folders)).toEqual(['assets', 'src', 'src-other'])
    expect(root?.folders.items[0]).toEqual({ path: 'assets', files: 0, leftOut: 1 })
    expect(paths(root?.here)).toEqual(['main.ts'])
    expect(paths(root?.leftOutHere)).toEqual(['zero.ts'])
    expect(folderOf(files, gone, 'assets', 10)).toMatchObject({ files: 0, leftOut: 1, languages: [] })
  })

  test('that nobody has is none, and neither is a file or a folder that was left out; the root always is', ({
    expect,
  }) => {
    for (const name of ['nowhere', 'sr', 'main.ts', 'src/vendor'])
      expect(folderOf(files, gone, name, 10)).toBeUndefined()
    expect(folderOf([], [], '', 10)).toMatchObject({ files: 0, folders: { total: 0 } })
  })

  test.for([
    [3, false],
    [2, true],
  ] as const)('of three rows %i are asked for', ([limit, isCut], { expect }) => {
    const many = [1, 2, 3]
    const all = folderOf(
      [...many.map((n) => file(`${n}/a.ts`)), ...many.map((n) => file(`${n}.ts`))],
      many.map((n) => leftOut(`${n}.js`)),
      '',
      limit,
    )
    for (const list of [all?.folders, all?.here, all?.leftOutHere])
      expect(list).toMatchObject({ total: 3, shown: limit, truncated: isCut })
  })
})
