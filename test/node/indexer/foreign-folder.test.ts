/** The folder of an index lies in the project, and a stranger's project may bring one: nothing outside of it is written. */
import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'vitest'
import { createIndexFolder, indexPlace } from '../../../local/indexer/store/index-folder.ts'
import { openIndex } from '../../../local/indexer/store/open-index.ts'
import { keepProofs, readProofs } from '../../../local/indexer/store/proof-store.ts'
import { makeDataFolder } from '../../support/data-folder.ts'
import { unwrap } from '../../support/unwrap.ts'
import { indexedInTest } from '../../support/viewer-in-test.ts'

const source = { 'src/one.ts': 'export const one = 1\n' }

/** A database of another program, with a table of the name that is used here. */
async function foreignDatabase(): Promise<string> {
  const file = path.join(await makeDataFolder(), 'foreign.db')
  const database = new DatabaseSync(file)
  database.exec('CREATE TABLE facts (kept); INSERT INTO facts VALUES (1); PRAGMA user_version = 7')
  database.close()
  return file
}

test.for(['facts.db', 'index.db', 'index.lock', 'proofs.db', '.gitignore', 'index.db-journal'] as const)(
  'a link in place of %s is taken away, and what it leads to is as it was',
  async (name, { expect }) => {
    const project = await indexedInTest(source)
    const foreign = await foreignDatabase()
    const before = readFileSync(foreign)
    const link = path.join(project.place.folder, name)
    rmSync(link, { force: true })
    symlinkSync(foreign, link)

    await project.sync(true)
    keepProofs(project.place, [])

    expect(readFileSync(foreign).equals(before)).toBe(true)
    expect(readdirSync(path.dirname(foreign))).toEqual(['foreign.db'])
    expect(lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink() ?? false).toBe(false)
  },
)

test('a link that leads nowhere makes no file there', async ({ expect }) => {
  const project = await indexedInTest(source)
  const outside = path.join(await makeDataFolder(), 'made')
  for (const name of ['.gitignore', 'facts.db', 'proofs.db']) {
    rmSync(path.join(project.place.folder, name), { force: true })
    symlinkSync(outside, path.join(project.place.folder, name))
  }

  await project.sync(true)
  keepProofs(project.place, [])

  expect(existsSync(outside)).toBe(false)
})

test('a pipe in place of a database is waited for by nobody', async ({ expect }) => {
  const project = await indexedInTest(source)
  for (const name of ['index.db', 'facts.db', 'proofs.db']) {
    const file = path.join(project.place.folder, name)
    rmSync(file, { force: true })
    execFileSync('sh', ['-c', 'mkfifo "$0"', file])
  }

  expect(openIndex(project.place)).toEqual({ ok: false, failure: 'absent' })
  expect(readProofs(project.place)).toEqual([])
  await project.sync()
  const opened = unwrap(openIndex(project.place))
  expect(opened.reader.files()).toHaveLength(1)
  opened.close()
})

test('a link in place of the folder is refused with its path', async ({ expect }) => {
  const root = await makeDataFolder()
  const place = indexPlace(root, undefined)
  const outside = await makeDataFolder()
  symlinkSync(outside, place.folder)

  expect(() => createIndexFolder(place)).toThrow(`${place.folder} is a link; remove it`)
  expect(readdirSync(outside)).toEqual([])
})
