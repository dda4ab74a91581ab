/** Lines of the log in files: none lost and none twice, whatever becomes of the files. */
import { spawnSync } from 'node:child_process'
import { appendFileSync, chmodSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'vitest'
import { LogFile } from '../../../local/operating/log-file.ts'
import { makeDataFolder } from '../../support/data-folder.ts'
import { hasSmallDisks, onSmallDisk } from '../../support/small-disk.ts'

const now = () => Date.UTC(2026, 0, 2)
const line = (n: number) => JSON.stringify({ time: 't', level: 'info', event: 'e', n })

function linesIn(folder: string): string[] {
  return readdirSync(folder)
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
    .flatMap((name) => readFileSync(path.join(folder, name), 'utf8').trimEnd().split('\n'))
}

const numbers = (folder: string) => linesIn(folder).map((text) => JSON.parse(text).n)

describe('the log in files', () => {
  test('keeps each line once and in its order over many files, and no more files than it may', async ({ expect }) => {
    const folder = await makeDataFolder()
    const log = new LogFile({ folder, bytesMax: 10 * (line(10).length + 1), filesMax: 3, now })
    for (let n = 10; n < 40; n += 1) log.write(line(n))
    expect(readdirSync(folder).sort()).toEqual(['wharf.log', 'wharf.log.1', 'wharf.log.2'])
    expect(numbers(folder)).toEqual(Array.from({ length: 30 }, (_, at) => at + 10))
    log.write(line(40))
    log.close()
    expect(numbers(folder)).toEqual(Array.from({ length: 21 }, (_, at) => at + 20))
  })

  test.for([
    ['as large as a file may be', 0, 1],
    ['a byte larger', 1, 2],
  ] as const)('a file that a line makes %s', async ([, more, files], { expect }) => {
    const folder = await makeDataFolder()
    const log = new LogFile({ folder, bytesMax: 2 * (line(1).length + 1) - more, filesMax: 2, now })
    log.write(line(1))
    log.write(line(2))
    log.close()
    expect(readdirSync(folder)).toHaveLength(files)
    expect(numbers(folder)).toEqual([1, 2])
  })

  test('one file alone begins anew', async ({ expect }) => {
    const folder = await makeDataFolder()
    const log = new LogFile({ folder, bytesMax: line(1).length + 1, filesMax: 1, now })
    for (const n of [1, 2, 3]) log.write(line(n))
    log.close()
    expect(numbers(folder)).toEqual([3])
  })

  test('goes on where a process was ended, after half a line and between two renames', async ({ expect }) => {
    const folder = await makeDataFolder()
    appendFileSync(path.join(folder, 'wharf.log.2'), `${line(1)}\n`)
    appendFileSync(path.join(folder, 'wharf.log'), `${line(2)}\n{"half`)
    const log = new LogFile({ folder, bytesMax: 3 * (line(1).length + 1), filesMax: 4, now })
    for (const n of [3, 4]) log.write(line(n))
    log.close()
    expect(linesIn(folder)).toEqual([line(1), line(2), '{"half', line(3), line(4)])
  })

  test('gives lines for people their time and their level', async ({ expect }) => {
    const folder = await makeDataFolder()
    const log = new LogFile({ folder, bytesMax: 1e6, filesMax: 1, now })
    log.write('Made a new master key.')
    log.write('{"level":"warn","event":"x"}')
    log.write('{not json')
    log.close()
    const time = '2026-01-02T00:00:00.000Z'
    expect(linesIn(folder).map((text) => JSON.parse(text))).toEqual([
      { time, level: 'info', event: 'host', message: 'Made a new master key.' },
      { time, level: 'warn', event: 'x' },
      { time, level: 'info', event: 'host', message: '{not json' },
    ])
  })

  test.skipIf(process.getuid?.() === 0)('counts what a folder does not take', async ({ expect }) => {
    const folder = path.join(await makeDataFolder(), 'logs')
    mkdirSync(folder, { mode: 0o500 })
    const log = new LogFile({ folder, bytesMax: 1e6, filesMax: 2, now })
    for (const n of [1, 2]) log.write(line(n))
    chmodSync(folder, 0o700)
    log.write(line(3))
    log.close()
    expect(linesIn(folder).map((text) => JSON.parse(text))).toMatchObject([
      { event: 'log_lines_lost', lines: 2 },
      { n: 3 },
    ])
  })

  test.skipIf(!hasSmallDisks)(
    'on a full disk loses whole lines, and says how many',
    { timeout: 30_000 },
    async ({ expect }) => {
      const folder = await makeDataFolder()
      const module = path.resolve(import.meta.dirname, '../../../local/operating/log-file.ts')
      const script = `
      import { LogFile } from ${JSON.stringify(module)}
      import { readFileSync, rmSync, writeFileSync } from 'node:fs'
      const folder = ${JSON.stringify(folder)}
      writeFileSync(folder + '/filler', Buffer.alloc(1024 * 1024 - 16 * 1024))
      const log = new LogFile({ folder, bytesMax: 1e9, filesMax: 2, now: Date.now })
      const line = (n) => JSON.stringify({ time: 't', level: 'info', event: 'e', n, text: 'x'.repeat(1000) })
      for (let n = 0; n < 40; n += 1) log.write(line(n))
      rmSync(folder + '/filler')
      for (let n = 40; n < 45; n += 1) log.write(line(n))
      process.stdout.write(readFileSync(folder + '/wharf.log', 'utf8'))
    `
      const [command = '', ...args] = onSmallDisk(folder, 1, [
        process.execPath,
        '--input-type=module-typescript',
        '-e',
        script,
      ])
      const ran = spawnSync(command, args, { encoding: 'utf8' })
      expect(ran.stderr).toBe('')
      const told = ran.stdout
        .trimEnd()
        .split('\n')
        .map((text) => JSON.parse(text))
      const written = told.filter(({ event }) => event === 'e').map(({ n }) => n)
      const lost = told.filter(({ event }) => event === 'log_lines_lost')
      expect(lost).toHaveLength(1)
      expect(written.length + lost[0].lines).toBe(45)
      expect(new Set(written).size).toBe(written.length)
      expect(written.slice(-5)).toEqual([40, 41, 42, 43, 44])
    },
  )
})
