/** Where tools put what they produce, a project may have source of its own: what git tracks there is that. */
import { mkdirSync } from 'node:fs'
import { test } from 'vitest'
import { openIndex } from '../../../local/indexer/store/open-index.ts'
import { git } from '../../support/git-in-test.ts'
import { unwrap } from '../../support/unwrap.ts'
import { projectInTest } from '../../support/viewer-in-test.ts'

const text = 'export const one = 1\n'
const tracked = [
  'a.ts',
  'build/own.ts',
  'src/out/own.ts',
  'packages/dist/own.ts',
  'vendor/brought.ts',
  'target/made.ts',
]
const untracked = ['build/made.ts', 'build/deep/made.ts', 'dist/made.ts', 'new.ts']

test('tracked files of such a folder are indexed, and the others are said to be left out', async ({ expect }) => {
  const project = projectInTest(Object.fromEntries([...tracked, ...untracked].map((file) => [file, text])))
  const { root } = project.place
  git(root, 'init', '-q')
  git(root, 'add', ...tracked)

  await project.sync()

  const { reader, close } = unwrap(openIndex(project.place))
  expect(reader.files().map((one) => one.path)).toEqual([
    'a.ts',
    'build/own.ts',
    'new.ts',
    'packages/dist/own.ts',
    'src/out/own.ts',
  ])
  expect(reader.leftOut()).toEqual([
    { path: 'build/', reason: 'brought_in', files: 2, bytes: 0 },
    { path: 'dist/', reason: 'brought_in', files: 1, bytes: 0 },
    { path: 'target/', reason: 'brought_in', files: 1, bytes: 0 },
    { path: 'vendor/', reason: 'brought_in', files: 1, bytes: 0 },
  ])
  close()

  git(root, 'add', 'build/made.ts')
  expect(await project.sync()).toMatchObject({ report: { added: 1, leftOut: 4 } })
  git(root, 'rm', '-q', '--cached', 'build/own.ts')
  expect(await project.sync()).toMatchObject({ report: { removed: 1, leftOut: 5 } })
})

test('outside of version control such a folder is what its name says', async ({ expect }) => {
  const project = projectInTest({ 'a.ts': text, 'build/own.ts': text })
  mkdirSync(`${project.place.root}/dist`)

  expect(await project.sync()).toMatchObject({ report: { files: 1 } })
})
