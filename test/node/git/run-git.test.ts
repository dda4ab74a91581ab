import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'vitest'
import { findRepository } from '../../../local/git/find-repository.ts'
import { authorName, ownerExcludesFile } from '../../../local/git/read-repository.ts'
import { runGit, runGitSync } from '../../../local/git/run-git.ts'
import { listFiles } from '../../../local/indexer/files/list-files.ts'
import { plainGit } from '../../support/hostile-repositories.ts'
import { plantTree } from '../../support/planted-tree.ts'

const searchPath = process.env['PATH'] ?? ''

/** A folder in which a program called git does what it is told here. */
function withGit(script: string): string {
  const folder = plantTree({ git: `#!/bin/sh\n${script}\n` })
  chmodSync(path.join(folder, 'git'), 0o755)
  return folder
}

test('git is given nothing of our environment but where programs are, and never one of the folder it works in', async ({
  expect,
}) => {
  const folder = withGit('/usr/bin/env')
  const run = { cwd: folder, searchPath: `${folder}:.::bin` }

  const said = await runGit(['x'], run)

  const lines = said.ok ? said.value.text.trim().split('\n') : []
  const names = lines.map((line) => line.split('=')[0] ?? '').filter((name) => !['PWD', '_', 'SHLVL'].includes(name))
  expect(names.filter((name) => !/^GIT_|^SSH_ASKPASS$/.test(name)).sort()).toEqual(['LC_ALL', 'PATH'])
  expect(lines).toContain(`PATH=${folder}`)
  expect(lines).toEqual(expect.arrayContaining(['GIT_NO_LAZY_FETCH=1', 'GIT_ALLOW_PROTOCOL=none']))
  expect(runGitSync(['x'], { cwd: folder, searchPath: '.' }).ok).toBe(false)
  expect((await runGit(['x'], { cwd: folder, searchPath: '.' })).ok).toBe(false)
})

test('a git that takes too long is ended, and one that nobody waits for any more', async ({ expect }) => {
  const run = { cwd: '/', searchPath: `${withGit('exec /bin/sleep 60')}` }
  const stop = new AbortController()
  const stopped = runGit(['slow'], { ...run, signal: stop.signal })

  stop.abort()

  expect(await stopped).toEqual({ ok: false, failure: { kind: 'stopped', command: 'slow' } })
  expect(await runGit(['slow'], { ...run, signal: stop.signal })).toEqual({
    ok: false,
    failure: { kind: 'not_begun', command: 'slow' },
  })
  expect(await runGit(['slow'], { ...run, msMax: 100 })).toMatchObject({ ok: false, failure: { kind: 'late' } })
  const waited = runGitSync(['slow'], { ...run, msMax: 100 })
  expect(waited).toMatchObject({ ok: false, failure: { kind: 'failed', cause: expect.stringContaining('ETIMEDOUT') } })
})

test('as much output as is allowed is whole, a byte more is cut', async ({ expect }) => {
  const run = { cwd: '/', searchPath: withGit('printf 12345678; printf 90') }

  expect(await runGit(['x'], { ...run, outputBytesMax: 10 })).toEqual({
    ok: true,
    value: { text: '1234567890', isCut: false },
  })
  expect(await runGit(['x'], { ...run, outputBytesMax: 9 })).toEqual({
    ok: true,
    value: { text: '123456789', isCut: true },
  })
  expect(runGitSync(['x'], { ...run, outputBytesMax: 10 })).toEqual({ ok: true, value: '1234567890' })
  expect(runGitSync(['x'], { ...run, outputBytesMax: 9 }).ok).toBe(false)
})

test('a repository whose objects have long names is read like any other', async ({ expect }) => {
  const folder = plantTree({ 'a.ts': 'export const a = 1\n', 'sub/b.ts': 'export const b = 1\n', ignored: '' })
  plainGit(folder, 'init', '--quiet', '--object-format=sha256')
  writeFileSync(path.join(folder, '.git/info/exclude'), 'c.ts\n')
  writeFileSync(path.join(folder, 'c.ts'), 'export const c = 1\n')
  plainGit(folder, 'add', '.')

  expect(listFiles(folder, []).files.map((file) => file.path)).toEqual(['a.ts', 'sub/b.ts'])
})

test('what the owner leaves out everywhere, and what he calls himself, is read as a value', ({ expect }) => {
  const home = plantTree({
    '.gitconfig': '[user]\n\tname = Somebody\n[core]\n\texcludesFile = ~/left-out\n\tfsmonitor = touch ~/ran\n',
    'project/.keep': '',
    'empty/.keep': '',
  })
  const environment = { PATH: searchPath, HOME: home }
  const project = path.join(home, 'project')
  plainGit(project, 'init', '--quiet')

  expect(ownerExcludesFile(environment)).toBe(path.join(home, 'left-out'))
  expect(ownerExcludesFile({ PATH: searchPath, HOME: path.join(home, 'empty') })).toBe(
    path.join(home, 'empty/.config/git/ignore'),
  )
  expect(authorName(project, environment)).toBe('Somebody')
  plainGit(project, 'config', 'user.name', 'Somebody here')
  expect(authorName(project, environment)).toBe('Somebody here')
  expect(existsSync(path.join(home, 'ran'))).toBe(false)
})

test('a folder belongs to the repository around it, but for the inside of its git folder', ({ expect }) => {
  const top = plantTree({ 'sub/deep/a.ts': '', 'empty/.git/nothing': '' })
  expect(findRepository(top)).toBeUndefined()
  plainGit(top, 'init', '--quiet')
  const whole = { top, folder: path.join(top, '.git'), common: path.join(top, '.git') }

  expect(findRepository(path.join(top, 'sub/deep'))).toEqual(whole)
  expect(findRepository(path.join(top, 'empty'))).toEqual(whole)
  expect(findRepository(path.join(top, '.git/refs'))).toBeUndefined()
  writeFileSync(path.join(top, 'sub/.git'), `gitdir: ../.git\n`)
  expect(findRepository(path.join(top, 'sub/deep'))).toEqual({ ...whole, top: path.join(top, 'sub') })
  writeFileSync(path.join(top, 'sub/.git'), `gitdir: ../.git\nmore\n`)
  expect(findRepository(path.join(top, 'sub/deep'))).toEqual(whole)
})
