/** What the host finds out about its machine, part by part. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'vitest'
import { BackupKeeper } from '../../../local/backup/keeper.ts'
import { filesOf } from '../../../local/backup/scope.ts'
import { type ClockWitness, clockProblem, lastUse } from '../../../local/operating/clock.ts'
import { checkDatabases, damageOf, databasesOf } from '../../../local/operating/databases.ts'
import { diskProblem, spaceOn } from '../../../local/operating/disk.ts'
import { HostOffice } from '../../../local/operating/host-office.ts'
import { clockAheadSecondsMax, clockBackSecondsMax } from '../../../local/operating/limits.ts'
import { NetworkWatch } from '../../../local/operating/network.ts'
import { noteDigests, noteFileOf } from '../../../local/operating/noted-digests.ts'
import { damageFault } from '../../../local/operating/start-faults.ts'
import { Commits } from '../../../local/runtime/commits.ts'
import { SqliteFile } from '../../../local/runtime/sqlite-file.ts'
import { makeDataFolder } from '../../support/data-folder.ts'

async function makeDatabase(file: string, rows = 500): Promise<string> {
  await mkdir(path.dirname(file), { recursive: true })
  const database = new DatabaseSync(file)
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT); CREATE INDEX i ON t (b)')
  const insert = database.prepare('INSERT INTO t (b) VALUES (?)')
  for (let row = 0; row < rows; row += 1) insert.run(`row ${row}`)
  database.close()
  return file
}

async function overwrite(file: string, at: number, bytes: Buffer): Promise<void> {
  const handle = await open(file, 'r+')
  await handle.write(bytes, 0, bytes.length, at)
  await handle.close()
}

const keeperOf = (dataFolder: string) =>
  new BackupKeeper({ dataFolder, version: '0', passPhrase: undefined, now: () => 0, log: () => undefined })

const officeOf = (dataFolder: string, clock: ClockWitness = { usedAtUnix: undefined, madeAtUnix: 0 }, now = () => 0) =>
  new HostOffice({
    dataFolder,
    runtime: 'node',
    damages: [],
    cutJournals: [],
    backups: keeperOf(dataFolder),
    addresses: [],
    network: new NetworkWatch({ now: () => 0 }),
    areBackupsMade: false,
    clock,
    now,
  })

const inState = (folder: string, ...parts: string[]) => path.join(folder, 'state', ...parts)

describe('the databases of a data folder', () => {
  test('are found by what they are, the main one first', async ({ expect }) => {
    const folder = await makeDataFolder()
    const main = await makeDatabase(inState(folder, 'd1', 'x', 'a.sqlite'), 1)
    const index = await makeDatabase(inState(folder, 'do', 'wharf-A', 'metadata.sqlite'), 1)
    const object = await makeDatabase(inState(folder, 'do', 'wharf-A', 'b.sqlite'), 1)
    await writeFile(inState(folder, 'do', 'wharf-A', 'note.txt'), '')
    expect(databasesOf(folder)).toEqual([
      { file: main, kind: 'main' },
      { file: index, kind: 'index' },
      { file: object, kind: 'object' },
    ])
    expect(databasesOf(path.join(folder, 'nowhere'))).toEqual([])
  })

  test.for([
    ['whole', async () => undefined, false],
    ['with a header of zeros', (file: string) => overwrite(file, 0, Buffer.alloc(100)), true],
    ['with fifty bytes of a page changed', (file: string) => overwrite(file, 4096, Buffer.alloc(50, 0xa5)), true],
    ['cut in the middle', (file: string) => truncate(file, 4096 * 2), true],
  ] as const)('%s', async ([, damage, isDamaged], { expect }) => {
    const folder = await makeDataFolder()
    const file = await makeDatabase(inState(folder, 'd1', 'x', 'a.sqlite'))
    await damage(file)
    const { damages, unchecked } = checkDatabases(folder)
    expect(damages.map((one) => one.file)).toEqual(isDamaged ? [file] : [])
    expect(unchecked).toBe(0)
  })

  test('an index that does not fit its table is found', async ({ expect }) => {
    const file = await makeDatabase(path.join(await makeDataFolder(), 'a.sqlite'), 3)
    const database = new DatabaseSync(file)
    const { rootpage } = database.prepare("SELECT rootpage FROM sqlite_master WHERE name = 'i'").get() ?? {}
    database.close()
    const bytes = Buffer.from('row 1')
    const handle = await open(file, 'r+')
    const page = Buffer.alloc(4096)
    await handle.read(page, 0, 4096, (Number(rootpage) - 1) * 4096)
    const at = page.indexOf(bytes)
    await handle.write(Buffer.from('row 9'), 0, 5, (Number(rootpage) - 1) * 4096 + at)
    await handle.close()
    expect(at).toBeGreaterThan(0)
    expect(damageOf(file)).toContain('index')
  })

  test('what is larger than there is time for is counted and left', async ({ expect }) => {
    const folder = await makeDataFolder()
    const main = await makeDatabase(inState(folder, 'd1', 'x', 'a.sqlite'))
    await overwrite(main, 0, Buffer.alloc(100))
    const { size } = await (await import('node:fs/promises')).stat(main)
    expect(checkDatabases(folder, size)).toMatchObject({ damages: [{ file: main }], unchecked: 0 })
    expect(checkDatabases(folder, size - 1)).toEqual({ damages: [], cutJournals: [], unchecked: 1 })
  })
})

describe('bytes that change on a disk by themselves', () => {
  const row = Buffer.from('row 77')

  /** No tool says that a file was written: its time stays. */
  async function decay(file: string): Promise<void> {
    const { atimeMs, mtimeMs } = await stat(file)
    const at = (await readFile(file)).indexOf(row)
    await overwrite(file, at, Buffer.from('row 75'))
    await utimes(file, atimeMs / 1000, mtimeMs / 1000)
  }

  async function noted(): Promise<{ folder: string; file: string }> {
    const folder = await makeDataFolder()
    const file = await makeDatabase(inState(folder, 'd1', 'x', 'a.sqlite'))
    // To the millisecond, which is all that a test can put back.
    await utimes(file, 2_000_000_000, 2_000_000_000)
    noteDigests(folder, databasesOf(folder), new Set())
    return { folder, file }
  }

  test('are found where SQLite finds nothing, and keep nothing from starting', async ({ expect }) => {
    const { folder, file } = await noted()
    expect(checkDatabases(folder).damages).toEqual([])
    // Without the index, which would not fit the row.
    const database = new DatabaseSync(file)
    database.exec('DROP INDEX i; PRAGMA journal_mode = DELETE')
    database.close()
    await utimes(file, 2_000_000_000, 2_000_000_000)
    noteDigests(folder, databasesOf(folder), new Set())
    await decay(file)
    expect(damageOf(file)).toBeUndefined()
    const { damages } = checkDatabases(folder)
    expect(damages).toEqual([{ file, kind: 'main', why: expect.stringContaining('nobody wrote'), isReadable: true }])
    expect(damageFault(damages, folder, undefined)).toBeUndefined()
  })

  test('are told of at every later start, until a backup is put back', async ({ expect }) => {
    const { folder, file } = await noted()
    await utimes(file, 2_000_000_100, 2_000_000_100)
    noteDigests(folder, databasesOf(folder), new Set([file]))
    await utimes(file, 2_000_000_200, 2_000_000_200)
    expect(checkDatabases(folder).damages).toMatchObject([{ file, isReadable: true }])
    expect(filesOf(folder).map((one) => one.path)).not.toContain('state/noted-digests.json')
    await rm(noteFileOf(folder))
    expect(checkDatabases(folder).damages).toEqual([])
  })

  test('are not looked for in what somebody wrote since, nor where the note is none', async ({ expect }) => {
    const { folder, file } = await noted()
    const database = new DatabaseSync(file)
    database.exec("INSERT INTO t (b) VALUES ('row 500')")
    database.close()
    expect(checkDatabases(folder).damages).toEqual([])
    await writeFile(noteFileOf(folder), '{"state/d1/x/a.sqlite":{')
    expect(checkDatabases(folder).damages).toEqual([])
  })

  test('of what is not at rest, and past what there is time for, are not noted', async ({ expect }) => {
    const { folder, file } = await noted()
    const database = new DatabaseSync(file)
    database.exec("INSERT INTO t (b) VALUES ('row 500')")
    noteDigests(folder, databasesOf(folder), new Set())
    expect(JSON.parse(await readFile(noteFileOf(folder), 'utf8'))).toEqual({})
    database.close()
    const { size } = await stat(file)
    const names = (bytesMax: number) => {
      noteDigests(folder, databasesOf(folder), new Set(), bytesMax)
      return Object.keys(JSON.parse(readFileSync(noteFileOf(folder), 'utf8')))
    }
    expect(names(size)).toEqual(['state/d1/x/a.sqlite'])
    expect(names(size - 1)).toEqual([])
  })
})

describe('a database that is damaged while it is used', () => {
  test('is named once, with the newest backup, to whoever asks how the machine is', async ({ expect }) => {
    const folder = await makeDataFolder()
    const file = await makeDatabase(inState(folder, 'd1', 'x', 'a.sqlite'), 20_000)
    const office = officeOf(folder)
    expect(office.report().problems).toEqual([])
    const told: unknown[] = []
    const opened = new SqliteFile(file, new Commits(), true, { onDamage: (one) => told.push(office.foundDamaged(one)) })
    expect(opened.execute('SELECT count(*) FROM t WHERE a < 3', []).rows).toEqual([[2]])
    await overwrite(file, 4096 * 30, Buffer.alloc(4096 * 20, 0xa5))
    for (const _ of [1, 2])
      expect(() => opened.execute('SELECT sum(length(b)) FROM t', [])).toThrow(/malformed.*SQLITE_CORRUPT/)
    opened.close()
    const problem = { kind: 'machine.database_damaged', path: file }
    expect(told).toEqual([problem, undefined])
    expect(office.report().problems).toEqual([problem])
  })
})

describe('the disk', () => {
  test('that takes what is written has no problem but too little space, and nothing is left on it', async ({
    expect,
  }) => {
    const folder = await makeDataFolder()
    const problem = diskProblem(folder)
    expect(['machine.disk_low', undefined]).toContain(problem?.kind)
    expect(await readdir(folder)).toEqual([])
    expect(spaceOn(folder).totalBytes).toBeGreaterThan(0)
  })

  test('that is not there cannot be written', ({ expect }) => {
    expect(diskProblem('/nowhere/at/all')).toEqual({ kind: 'machine.disk_unwritable', path: '/nowhere/at/all' })
  })
})

describe('the clock', () => {
  const used = 2_000_000_000
  test.for([
    ['as it should', used + 10, undefined],
    ['set back by as much as may be', used - clockBackSecondsMax, undefined],
    ['set back by a second more', used - clockBackSecondsMax - 1, 'machine.clock_behind'],
    ['as far ahead as may be', used + clockAheadSecondsMax, undefined],
    ['a second further ahead', used + clockAheadSecondsMax + 1, 'machine.clock_ahead'],
  ] as const)('%s', ([, now, kind], { expect }) => {
    expect(clockProblem(now, { usedAtUnix: used, madeAtUnix: 1_000_000 })?.kind).toBe(kind)
  })

  test('cannot show a time before this version was made', ({ expect }) => {
    const witness = { usedAtUnix: undefined, madeAtUnix: used }
    expect(clockProblem(0, witness)).toEqual({ kind: 'machine.clock_behind', now: 0, seen: used })
    expect(clockProblem(used * 2, witness)).toBeUndefined()
  })

  test('is witnessed by what was last written', async ({ expect }) => {
    const folder = await makeDataFolder()
    expect(lastUse(folder)).toBeUndefined()
    const main = await makeDatabase(inState(folder, 'd1', 'x', 'a.sqlite'), 1)
    await utimes(main, used, used)
    expect(lastUse(folder)).toBe(used)
  })

  test('that is wrong is told until it is set', async ({ expect }) => {
    const folder = await makeDataFolder()
    let nowMs = 0
    const office = () => officeOf(folder, { usedAtUnix: used, madeAtUnix: 0 }, () => nowMs)
    const kinds = () =>
      office()
        .report()
        .problems.map(({ kind }) => kind)
    expect(kinds()).toContain('machine.clock_behind')
    nowMs = (used + 5) * 1000
    expect(kinds()).not.toContain('machine.clock_behind')
  })
})

test('a step of the database that came after the start is missing', async ({ expect }) => {
  const folder = await makeDataFolder()
  await writeFile(path.join(folder, '0001_a.sql'), '')
  const office = officeOf(folder)
  office.migrated(folder)
  await writeFile(path.join(folder, '0002_b.sql'), '')
  expect(office.report().migrations).toEqual({ applied: 1, missing: ['0002_b.sql'] })
})

describe('the network', () => {
  const error = (code: string) => Object.assign(new Error('x'), { code })
  const unreachable = new Error('Network connection lost.', { cause: new AggregateError([error('ENETUNREACH')]) })
  const watchOf = (hasAddress = true, isFound = async () => false) =>
    new NetworkWatch({ now: () => 5_000, hasAddress: () => hasAddress, isFound, lookEveryMs: 5 })

  test.for([
    [
      'two hosts that are not found',
      true,
      [
        ['a.example', error('EAI_AGAIN')],
        ['b.example', error('EAI_AGAIN')],
      ],
      true,
    ],
    [
      'no way to two hosts',
      true,
      [
        ['1.1.1.1', unreachable],
        ['b.example', error('EAI_AGAIN')],
      ],
      true,
    ],
    [
      'one host twice',
      true,
      [
        ['a.example', error('EAI_AGAIN')],
        ['a.example', error('EAI_AGAIN')],
      ],
      false,
    ],
    ['one host, on a machine without an address', false, [['a.example', error('EAI_AGAIN')]], true],
    [
      'two hosts that refuse',
      true,
      [
        ['a.example', error('ECONNREFUSED')],
        ['b.example', error('ENOTFOUND')],
      ],
      false,
    ],
    [
      'two hosts beside this one',
      true,
      [
        ['192.168.1.2', unreachable],
        ['[::1]', unreachable],
      ],
      false,
    ],
  ] as const)('%s', ([, hasAddress, tries, isLost], { expect }) => {
    const watch = watchOf(hasAddress)
    for (const [host, cause] of tries) watch.failed(host, cause)
    expect(watch.problem()).toEqual(isLost ? { kind: 'machine.network_lost', since: 5 } : undefined)
    watch.close()
  })

  test('is back with the first host that is reached, and one of this machine is none', ({ expect }) => {
    const watch = watchOf(false)
    watch.failed('a.example', error('EAI_AGAIN'))
    watch.reached('127.0.0.1')
    expect(watch.problem()).toBeDefined()
    watch.reached('b.example')
    expect(watch.problem()).toBeUndefined()
  })

  test('is looked for, and back with the first name that is found', async ({ expect }) => {
    let isThere = false
    const watch = watchOf(false, async () => isThere)
    watch.failed('a.example', error('EAI_AGAIN'))
    isThere = true
    await expect.poll(() => watch.problem()).toBeUndefined()
  })

  const alone = spawnSync('unshare', ['-rn', 'true']).status === 0
  test.skipIf(!alone)('of a machine that really has none is noticed by what asks others', ({ expect }) => {
    const at = (file: string) => JSON.stringify(path.resolve(import.meta.dirname, '../../..', file))
    const script = `
      import { NetworkWatch } from ${at('local/operating/network.ts')}
      import { createOutgoingFetch } from ${at('local/runtime/outgoing-fetch.ts')}
      const watch = new NetworkWatch({ now: Date.now })
      const out = createOutgoingFetch({ watch })
      for (const host of ['a.example', '203.0.113.7']) await out.fetch('http://' + host + '/').catch(() => undefined)
      console.log(watch.problem()?.kind)
      process.exit()
    `
    const ran = spawnSync('unshare', ['-rn', process.execPath, '--input-type=module', '-e', script], {
      encoding: 'utf8',
    })
    expect(ran.stdout).toBe('machine.network_lost\n')
  })
})
