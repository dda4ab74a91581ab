/** How often the snapshots start git, which costs a step more than anything else in it, and that none of it is by guess. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, test } from 'vitest'
import { SnapshotStore } from '../../../local/agent/runtime/snapshot-store.ts'

let folder: string
let project: string
let snapshots: SnapshotStore

const searchPath = process.env['PATH'] ?? ''

beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'snapshots-')))
  project = path.join(folder, 'project')
  mkdirSync(project)
  mkdirSync(path.join(folder, 'bin'))
  // The real git, which notes its command first.
  const noting = `#!/bin/sh\necho "$@" >> '${folder}/begun'\nPATH='${searchPath}' exec git "$@"\n`
  writeFileSync(path.join(folder, 'bin/git'), noting, { mode: 0o755 })
  snapshots = storeOfOneProcess()
  writeFileSync(path.join(project, 'a.txt'), 'one\n')
})

afterEach(async () => {
  await snapshots.close()
  rmSync(folder, { recursive: true, force: true })
})

function storeOfOneProcess(): SnapshotStore {
  return new SnapshotStore(path.join(folder, 'snapshot'), `${folder}/bin:${searchPath}`)
}

/** The commands of git that this starts. */
async function begunBy(work: () => Promise<unknown>): Promise<string[]> {
  writeFileSync(path.join(folder, 'begun'), '')
  await work()
  return readFileSync(path.join(folder, 'begun'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => /\b(init|ls-files|update-index|write-tree|diff-tree)\b/.exec(line)?.[1] ?? line)
}

/** What a step does: a look before its first effect, one after it, and the paths between the two. */
async function step(effect: () => void): Promise<string[]> {
  const before = await snapshots.capture(project)
  effect()
  return snapshots.changed(project, before, await snapshots.capture(project))
}

test('a step that changes nothing looks twice, by one git each', async ({ expect }) => {
  await step(() => {})

  expect(await begunBy(() => step(() => {}))).toEqual(['ls-files', 'ls-files'])
})

test('a step that changes files keeps them by two more, and asks one for their names', async ({ expect }) => {
  await step(() => {})
  let changed: string[] = []

  const begun = await begunBy(async () => {
    changed = await step(() => writeFileSync(path.join(project, 'b.txt'), 'new\n'))
  })

  expect(changed).toEqual(['b.txt'])
  expect(begun).toEqual(['ls-files', 'ls-files', 'update-index', 'write-tree', 'diff-tree'])
})

test('steps with nobody in between are taken back without a question for each', async ({ expect }) => {
  const trees = [await snapshots.capture(project)]
  for (const name of ['b', 'c', 'd', 'e']) {
    writeFileSync(path.join(project, `${name}.txt`), `${name}\n`)
    trees.push(await snapshots.capture(project))
  }
  const [first = '', ...later] = trees
  const now = later.at(-1) ?? ''
  const steps = await Promise.all(
    later.map(async (after, at) => {
      const before = trees[at] ?? ''
      return { before, after, paths: new Set(await snapshots.changed(project, before, after)) }
    }),
  )
  const paths = await snapshots.changed(project, first, now)

  const begun = await begunBy(async () => {
    expect(await snapshots.without(project, now, steps)).toEqual({ ok: true, value: first })
    expect((await snapshots.diff(project, first, now, new Set(paths))).map(({ path }) => path)).toEqual(paths)
    expect((await snapshots.count(project, first, now, new Set(paths))).additions).toBe(4)
  })

  // The lines, and the patches.
  expect(begun).toEqual(['diff-tree', 'diff-tree'])
})

test.for([
  ['before a step', 0],
  ['between two steps', 1],
  ['after the last one', 2],
] as const)('what the owner did %s stays when the steps are taken back', async ([, when], { expect }) => {
  const steps: { before: string; after: string; paths: Set<string> }[] = []
  for (const at of [0, 1, 2]) {
    if (at === when) writeFileSync(path.join(project, 'mine.txt'), 'by hand\n')
    if (at === 2) break
    const before = await snapshots.capture(project)
    writeFileSync(path.join(project, `step-${at}.txt`), 'of a step\n')
    const after = await snapshots.capture(project)
    steps.push({ before, after, paths: new Set(await snapshots.changed(project, before, after)) })
  }
  const now = await snapshots.capture(project)
  const wanted = await snapshots.without(project, now, steps)

  if (!wanted.ok) throw new Error(wanted.failure.join())
  expect(await snapshots.changed(project, wanted.value, now)).toEqual(['step-0.txt', 'step-1.txt'])
})

test('whoever looks while others look has one more look together, at what is there after all have asked', async ({
  expect,
}) => {
  await step(() => {})
  let trees: string[] = []

  const begun = await begunBy(async () => {
    const first = snapshots.capture(project)
    const second = snapshots.capture(project)
    writeFileSync(path.join(project, 'b.txt'), 'two\n')
    trees = await Promise.all([first, second, snapshots.capture(project), snapshots.capture(project)])
  })

  expect(begun.filter((command) => command === 'ls-files')).toHaveLength(1)
  const [tree = ''] = trees
  expect(trees).toEqual([tree, tree, tree, tree])
  expect(await snapshots.capture(project)).toBe(tree)
})

test('a look that has begun is not shared: what is written meanwhile is in the next one', async ({ expect }) => {
  await step(() => {})
  const seen = path.join(folder, 'seen')
  // It has seen what there is, and ends only once the next one was asked for.
  const held = `mkdir '${seen}' && while [ ! -e '${folder}/go' ]; do sleep 0.01; done`
  writeFileSync(path.join(folder, 'bin/git'), `#!/bin/sh\nPATH='${searchPath}' git "$@" || exit\n${held}\nexit 0\n`)

  const first = snapshots.capture(project)
  while (!existsSync(seen)) await new Promise((resolve) => setImmediate(resolve))
  const later = snapshots.capture(project)
  writeFileSync(path.join(project, 'b.txt'), 'two\n')
  writeFileSync(path.join(folder, 'go'), '')

  await first
  expect(await snapshots.changed(project, await first, await later)).toContain('b.txt')
})

test('no look is shared over what was asked for in between', async ({ expect }) => {
  const before = await snapshots.capture(project)
  writeFileSync(path.join(project, 'a.txt'), 'two\n')

  const first = snapshots.capture(project)
  const restored = snapshots.restore(project, before, ['a.txt'])
  const last = snapshots.capture(project)

  await restored
  expect(await first).not.toBe(before)
  expect(await last).toBe(before)
})

test('a look that failed is not handed to who asks later', async ({ expect }) => {
  const git = path.join(folder, 'bin/git')
  const noting = readFileSync(git)
  writeFileSync(git, '#!/bin/sh\nexit 3\n')
  await expect(snapshots.capture(project)).rejects.toThrow('git')
  writeFileSync(git, noting)

  expect(await snapshots.capture(project)).toMatch(/^[0-9a-f]{40}$/)
})

test('the first look of a process begins the store, whatever an earlier process left there', async ({ expect }) => {
  const tree = await snapshots.capture(project)
  const store = snapshots.storeOf(project)
  for (const part of ['refs', 'config']) rmSync(path.join(store, part), { recursive: true })
  snapshots = storeOfOneProcess()

  expect(await begunBy(async () => expect(await snapshots.capture(project)).toBe(tree))).toEqual([
    'init',
    'ls-files',
    'write-tree',
  ])
})

test('what the owner does between two steps is in the tree of the second', async ({ expect }) => {
  const file = path.join(project, 'a.txt')
  const first = await snapshots.capture(project)
  // Each as long as the one before, and at once.
  writeFileSync(file, 'two\n')
  const second = await snapshots.capture(project)
  writeFileSync(file, 'ten\n')
  const third = await snapshots.capture(project)
  writeFileSync(file, 'one\n')

  expect(new Set([first, second, third]).size).toBe(3)
  expect(await snapshots.capture(project)).toBe(first)
  expect(await snapshots.changed(project, first, third)).toEqual(['a.txt'])
})

test('another server of the same folder leaves no tree of before in this one', async ({ expect }) => {
  const other = storeOfOneProcess()
  const first = await snapshots.capture(project)
  writeFileSync(path.join(project, 'b.txt'), 'of the other\n')
  const second = await other.capture(project)

  expect(second).not.toBe(first)
  expect(await snapshots.capture(project)).toBe(second)
  await other.close()
})

test('a store that was forgotten or removed is begun anew', async ({ expect }) => {
  const tree = await snapshots.capture(project)
  await snapshots.forget(project, () => true)
  const forgotten = await begunBy(async () => expect(await snapshots.capture(project)).toBe(tree))
  rmSync(snapshots.storeOf(project), { recursive: true })
  const removed = await begunBy(async () => expect(await snapshots.capture(project)).toBe(tree))

  expect(forgotten).toEqual(['init', 'ls-files', 'update-index', 'write-tree'])
  expect(removed).toEqual(forgotten)
})
