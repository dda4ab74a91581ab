import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, test } from 'vitest'
import { watchedPathsMax } from '../../../local/agent/limits.ts'
import { newlyKept, ProjectWatch } from '../../../local/agent/runtime/project-watch.ts'

let project: string

beforeEach(() => {
  project = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'watch-')))
})

afterEach(() => rmSync(project, { recursive: true, force: true }))

const rules = { key: 'one', mayRead: (shown: string) => !path.basename(shown).startsWith('.env') }

function write(name: string): void {
  mkdirSync(path.dirname(path.join(project, name)), { recursive: true })
  writeFileSync(path.join(project, name), '')
}

const shown = (found: readonly { full: string }[]) => found.map(({ full }) => path.relative(project, full)).sort()

test('what is kept and what is not read is found wherever it lies, but not in packages of others', async ({
  expect,
}) => {
  for (const name of ['.git/config', 'lib/.mcp.json', 'lib/.env', '.env', 'main.ts', 'node_modules/a/.env']) write(name)

  const view = await new ProjectWatch().look(project, rules)

  expect(shown(view.kept)).toEqual(['.git', 'lib/.mcp.json'])
  expect(shown(view.unread)).toEqual(['.env', 'lib/.env'])
  expect(view.isCut).toBe(false)
})

describe('a project is looked through', () => {
  test('to as many paths as are covered, in one folder or in many', async ({ expect }) => {
    for (let at = 0; at < watchedPathsMax / 2; at += 1) {
      write(`.env.${at}`)
      write(`lib/${at % 7}/.env.${at}`)
    }
    const watch = new ProjectWatch()
    const most = await watch.look(project, rules)
    expect(most.unread).toHaveLength(watchedPathsMax)
    expect(most.isCut).toBe(false)

    write('lib/8/.env')
    expect((await watch.look(project, rules)).isCut).toBe(true)
    rmSync(path.join(project, 'lib/8'), { recursive: true })
    write('.env')
    expect((await watch.look(project, rules)).isCut).toBe(true)
  })

  test('to as many folders as may be watched', async ({ expect }) => {
    const watch = new ProjectWatch({ foldersMax: 20, pathsMax: 10 })
    for (let at = 0; at < 19; at += 1) mkdirSync(path.join(project, `f${at}`))
    expect((await watch.look(project, rules)).isCut).toBe(false)

    mkdirSync(path.join(project, 'f0/more'))
    expect((await watch.look(project, rules)).isCut).toBe(true)
  })
})

test('a rule that changed is heard at the next look', async ({ expect }) => {
  write('.env')
  const watch = new ProjectWatch()
  await watch.look(project, rules)

  expect((await watch.look(project, { key: 'two', mayRead: () => true })).unread).toEqual([])
})

test('new is what was made, and not what was moved', async ({ expect }) => {
  write('a/.mcp.json')
  const watch = new ProjectWatch()
  const before = await watch.look(project, rules)
  write('b/.mcp.json')
  symlinkSync('a', path.join(project, '.claude'))

  const made = newlyKept(before, await watch.look(project, rules)).map((full) => path.relative(project, full))

  expect(made.sort()).toContain('b/.mcp.json')
  expect(made).not.toContain('a/.mcp.json')
})
