/** What ties files to others is read of all of them at once, and what is damaged of one is of that one alone. */
import { mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { onTestFinished, test } from 'vitest'
import { FactsCache } from '../../../local/indexer/store/facts-cache.ts'
import { quickFolder } from '../../support/memory-folder.ts'
import { indexedInTest } from '../../support/viewer-in-test.ts'

const kept = (name: string, names: readonly number[], offered: readonly number[], packageName?: string) => ({
  path: name,
  hash: `hash of ${name}`,
  body: new Uint8Array(),
  links: {
    specifiers: [`./${name}`],
    names: Uint32Array.from(names),
    offeredNames: Uint32Array.from(offered),
    ...(packageName === undefined ? {} : { packageName }),
  },
})

test('each file has its own names, and one whose list of them is damaged has none', ({ expect }) => {
  const folder = mkdtempSync(path.join(quickFolder(), 'facts-'))
  const file = path.join(folder, 'facts.db')
  const cache = new FactsCache(file)
  onTestFinished(() => {
    cache.close()
    rmSync(folder, { recursive: true })
  })
  cache.put([kept('a.ts', [1, 2, 3], [2]), kept('b.ts', [4], []), kept('c.go', [], [5, 0xffffffff], 'harbour')])
  const other = new DatabaseSync(file)
  other.prepare('UPDATE links SET numbers = ? WHERE path = ?').run(Uint8Array.of(1, 0, 0, 0, 7), 'b.ts')
  other.close()

  const links = cache.links()

  expect([...links.keys()].sort()).toEqual(['a.ts', 'c.go'])
  const told = (name: string) => {
    const one = links.get(name)
    return [one?.hash, one?.specifiers, [...(one?.names ?? [])], [...(one?.offeredNames ?? [])], one?.packageName]
  }
  expect(told('a.ts')).toEqual(['hash of a.ts', ['./a.ts'], [1, 2, 3], [2], undefined])
  expect(told('c.go')).toEqual(['hash of c.go', ['./c.go'], [], [5, 0xffffffff], 'harbour'])
})

test('a whole build keeps the facts of the files there are, and of no other', async ({ expect }) => {
  const project = await indexedInTest({ 'a.ts': 'export const a = 1\n', 'b.ts': 'export const b = 1\n' })
  project.remove('b.ts')
  project.write('c.ts', 'export const c = 1\n')

  await project.sync(true)

  const cache = new FactsCache(project.place.cache)
  onTestFinished(() => cache.close())
  expect([...cache.links().keys()].sort()).toEqual(['a.ts', 'c.ts'])
})
