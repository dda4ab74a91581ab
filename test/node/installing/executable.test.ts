/** The one file, around a stand-in for Node that says what it was started with. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'vitest'
import { writeExecutable } from '../../../scripts/release/executable.ts'
import { makeDataFolder } from '../../support/data-folder.ts'
import { startCommand } from '../../support/process-host.ts'

async function made(madeAtUnix = 1_800_000_000) {
  const folder = await makeDataFolder()
  const tree = path.join(folder, 'tree')
  mkdirSync(path.join(tree, 'own'), { recursive: true })
  const node = path.join(tree, 'own', 'node')
  writeFileSync(node, '#!/bin/sh\numask\nprintf "%s\\n" "$@"\n')
  chmodSync(node, 0o755)
  const file = writeExecutable(tree, path.join(folder, 'wharf-linux'), 'own/node', { version: '1.2.3', madeAtUnix })
  const home = path.join(folder, 'home')
  mkdirSync(home)
  const place = path.join(home, '.cache', 'wharf', 'programs')
  const start = (program: string, ...args: readonly string[]) =>
    spawnSync(program, args, { encoding: 'utf8', env: { HOME: home, PATH: '/usr/bin:/bin' } })
  return { folder, file, home, place, start }
}

test('unpacks itself once, and starts what it is called with what it is told', async ({ expect }) => {
  const { folder, file, place, start } = await made()
  const first = start(file, 'backup', 'with a space', '')
  const [name = ''] = readdirSync(place)
  expect(name).toMatch(/^1\.2\.3-[0-9a-f]{16}$/)
  const unpacked = path.join(place, name)
  const mask = process.umask().toString(8).padStart(4, '0')
  const said = (program: string, ...args: readonly string[]) =>
    [mask, path.join(unpacked, 'bin', `${program}.mjs`), ...args, ''].join('\n')
  expect([first.status, first.stderr, first.stdout]).toEqual([0, '', said('wharf', 'backup', 'with a space', '')])
  // What is there already is taken as it is.
  writeFileSync(path.join(unpacked, 'own', 'node'), '#!/bin/sh\necho again\n')
  expect(start(file).stdout).toBe('again\n')
  writeFileSync(path.join(unpacked, 'own', 'node'), '#!/bin/sh\nprintf "%s\\n" "$1"\n')
  for (const program of ['svc', 'indexer']) {
    symlinkSync(file, path.join(folder, program))
    expect(start(path.join(folder, program)).stdout.trim()).toBe(path.join(unpacked, 'bin', `${program}.mjs`))
  }
})

test('started several times at once is unpacked once, and nothing else is left', async ({ expect }) => {
  const { file, home, place } = await made()
  const started = [1, 2, 3, 4].map(() => startCommand('env', ['-i', `HOME=${home}`, 'PATH=/usr/bin:/bin', file]))
  for (const one of started) expect(await one.exit).toEqual({ code: 0, signal: null })
  expect(readdirSync(place)).toHaveLength(1)
})

test('runs nothing from a folder that others can write, nor what is not whole', async ({ expect }) => {
  const { file, place, start } = await made()
  mkdirSync(place, { recursive: true })
  chmodSync(place, 0o777)
  expect(start(file)).toMatchObject({ status: 1, stderr: `${place} belongs to others or can be written by others\n` })
  chmodSync(place, 0o700)
  const bytes = readFileSync(file)
  writeFileSync(file, bytes.subarray(0, bytes.length - 20))
  expect(start(file).status).not.toBe(0)
  expect(readdirSync(place)).toEqual([])
})

test('is the same file for the same commit', async ({ expect }) => {
  const [one, other, later] = [await made(), await made(), await made(1_800_000_001)]
  expect(readFileSync(one.file).equals(readFileSync(other.file))).toBe(true)
  expect(readFileSync(one.file).equals(readFileSync(later.file))).toBe(false)
})
