import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, test } from 'vitest'
import { DirectoryLocations } from '../../../local/agent/runtime/locations.ts'
import { ReferenceCopies } from '../../../local/agent/runtime/references.ts'
import { runRipgrep } from '../../../local/agent/runtime/ripgrep.ts'
import { SnapshotStore } from '../../../local/agent/runtime/snapshot-store.ts'
import { gitMsMax } from '../../../local/git/limits.ts'
import { askFolder } from '../../../local/git/read-repository.ts'
import { listFiles } from '../../../local/indexer/files/list-files.ts'
import { indexPlace } from '../../../local/indexer/store/index-folder.ts'
import { syncIndex } from '../../../local/indexer/sync.ts'
import { createTrailFiles } from '../../../local/viewer/adapters/trail-files.ts'
import { hostileRepositories, plainGit, plantRepository } from '../../support/hostile-repositories.ts'

const room = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'zoo-')))
afterAll(() => rmSync(room, { recursive: true, force: true }))

const searchPath = process.env['PATH'] ?? ''
const isRoot = process.geteuid?.() === 0

const withoutProtection = ['GIT_NO_LAZY_FETCH', 'GIT_ALLOW_PROTOCOL', 'GIT_CONFIG_NOSYSTEM']

test.for(hostileRepositories.filter(({ name }) => name.includes('promised')))(
  'a git that knows none of our variables is told nothing by the configuration of: $name',
  { tags: 'slow' },
  async (kind, { expect }) => {
    const planted = plantRepository(kind, mkdtempSync(path.join(room, 'old-')))
    const programs = mkdtempSync(path.join(room, 'programs-'))
    const unset = withoutProtection.map((name) => `-u ${name}`).join(' ')
    const script = `#!/bin/sh\nPATH='${searchPath}' exec env ${unset} git "$@"\n`
    writeFileSync(path.join(programs, 'git'), script, { mode: 0o755 })

    const found = await new DirectoryLocations(planted.folder, programs).resolve(undefined)
    askFolder(planted.folder, ['ls-files'], { PATH: programs })

    expect(found.ok && found.value.project).toEqual({ id: expect.any(String), directory: planted.folder })
    expect(existsSync(planted.canary)).toBe(false)
  },
)

describe.each(hostileRepositories.filter(({ needs }) => needs !== 'root' || isRoot))('$name', (kind) => {
  test.runIf(kind.sprungBy !== undefined)('is a trap: plain git runs its command', { tags: 'slow' }, ({ expect }) => {
    const planted = plantRepository(kind, mkdtempSync(path.join(room, 'plain-')))
    try {
      plainGit(planted.folder, ...(kind.sprungBy ?? []))
    } catch {
      // The command fails on purpose, and some of git's with it.
    }
    expect(existsSync(planted.canary)).toBe(true)
  })

  test('runs nothing, and holds nobody up, in whatever of ours reads it', async ({ expect }) => {
    const planted = plantRepository(kind, mkdtempSync(path.join(room, 'ours-')))
    const folder = realpathSync(planted.folder)
    const data = mkdtempSync(path.join(room, 'data-'))
    const begun = performance.now()

    const found = await new DirectoryLocations(folder, searchPath).resolve(undefined)
    const listed = listFiles(folder, []).files.map((file) => file.path)
    const searched = await runRipgrep(['--files', '--hidden', '--glob=!.git', '--', folder], folder, {
      limit: 100,
      signal: AbortSignal.timeout(10 * gitMsMax),
    })
    const place = indexPlace(folder, undefined)
    const indexed = await syncIndex({ place, isFull: false, nowMs: 1, version: 'test' })
    const author = createTrailFiles(place).author()
    const snapshots = new SnapshotStore(path.join(data, 'snapshot'), searchPath)
    const before = await snapshots.capture(folder)
    writeFileSync(path.join(folder, 'made.ts'), 'export const made = 1\n')
    const after = await snapshots.capture(folder)
    const changes = await snapshots.diff(folder, before, after, new Set(['made.ts']))
    await snapshots.restore(folder, before, ['made.ts'])
    const copies = new ReferenceCopies(searchPath, () => undefined)
    const source = { type: 'git', repository: `file://${folder}` } as const
    const reference = { name: 'far', path: path.join(data, 'copies/far'), isTrusted: true, source }
    // A copy is made in the background, and stops with the server wherever it is.
    if (kind.name.startsWith('pipes where git')) await copies.state(reference)
    else await expect.poll(() => copies.state(reference), { timeout: 30_000 }).not.toBe('fetching')
    await copies.close()

    expect(existsSync(planted.canary)).toBe(false)
    expect(found).toMatchObject({ ok: true, value: { directory: folder } })
    const project = found.ok ? found.value.project.directory : ''
    expect([folder, path.resolve(folder, '../..')]).toContain(project)
    if (!kind.name.startsWith('bare')) expect(listed).toContain('main.ts')
    if (!kind.name.startsWith('bare')) expect(searched.lines).toContain(path.join(folder, 'main.ts'))
    expect(indexed.kind).not.toBe('stopped')
    expect(author).not.toBe('')
    expect(changes).toMatchObject([{ path: 'made.ts', status: 'added' }])
    expect(existsSync(path.join(folder, 'made.ts'))).toBe(false)
    expect(performance.now() - begun).toBeLessThan(10 * gitMsMax)
  })
})
