/** Backups of data folders that are written to, put back, cut off and looked through. */
import { spawn } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, onTestFinished, test } from 'vitest'
import { makeBackup, unpackAndOpen, verifyBackup } from '../../../local/backup/backup-file.ts'
import { finishRestore } from '../../../local/backup/finish-restore.ts'
import { BackupKeeper } from '../../../local/backup/keeper.ts'
import {
  askedKept,
  beforeMigrationKept,
  dailyKept,
  daySeconds,
  previousKept,
  weeklyKept,
} from '../../../local/backup/limits.ts'
import { restoreBackup } from '../../../local/backup/restore.ts'
import { nameFor, outdated, readName, type Shelved } from '../../../local/backup/shelf.ts'
import { makeDataFolder } from '../../support/data-folder.ts'

const mainName = 'state/d1/miniflare-D1DatabaseObject/main.sqlite'
const objectName = 'state/do/wharf-A/one.sqlite'

function openDatabase(folder: string, name: string): DatabaseSync {
  const database = new DatabaseSync(path.join(folder, name), { timeout: 5_000 })
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE IF NOT EXISTS t (n INTEGER PRIMARY KEY, v TEXT)')
  return database
}

async function makeData(value: string): Promise<string> {
  const folder = await makeDataFolder()
  await mkdir(path.dirname(path.join(folder, mainName)), { recursive: true })
  await mkdir(path.dirname(path.join(folder, objectName)), { recursive: true })
  await mkdir(path.join(folder, 'cache'))
  await writeFile(path.join(folder, 'cache', 'script'), 'made anew')
  await writeFile(path.join(folder, 'secrets.json'), `secret of ${value}`)
  // Of a process that ended while it replaced a file.
  await writeFile(path.join(folder, 'state', 'note.json.0123456789ab.new'), 'half')
  write(folder, value)
  return folder
}

function write(folder: string, value: string): void {
  for (const name of [mainName, objectName]) {
    const database = openDatabase(folder, name)
    database.prepare('INSERT OR REPLACE INTO t VALUES (1, ?)').run(value)
    database.close()
  }
}

function valuesIn(folder: string): string[] {
  return [mainName, objectName].map((name) => {
    const database = new DatabaseSync(path.join(folder, name))
    const value = database.prepare('SELECT v FROM t WHERE n = 1').get()?.['v']
    database.close()
    return String(value)
  })
}

const common = { version: '9.9.9', reason: 'asked', atUnix: 1_000_000, passPhrase: undefined } as const
const restoring = { passPhrase: undefined, migrations: [] as string[] }

describe('a backup', () => {
  test.for([undefined, 'harbour lanterns'])(
    'brings everything back (pass phrase: %s)',
    async (passPhrase, { expect }) => {
      const folder = await makeData('then')
      const file = path.join(await makeDataFolder(), 'b')
      const made = await makeBackup({ ...common, passPhrase, dataFolder: folder, file })
      expect(made.files.map(({ path: own }) => own).sort()).toEqual(['secrets.json', mainName, objectName])
      expect(made).toMatchObject({ rows: 2, damaged: [], version: '9.9.9' })
      expect(statSync(file).mode & 0o777).toBe(0o600)
      expect((await readFile(file)).includes('secret of then')).toBe(false)
      write(folder, 'now')
      await writeFile(path.join(folder, 'secrets.json'), 'secret of now')
      await writeFile(path.join(folder, 'newer.txt'), 'came later')

      const restored = await restoreBackup({ ...restoring, passPhrase, dataFolder: folder, file, stamp: 's1' })

      const previous = path.join(folder, 'before-restore', 's1')
      expect(restored).toMatchObject({ ok: true, value: { rows: 2, previous } })
      expect(valuesIn(folder)).toEqual(['then', 'then'])
      expect(await readFile(path.join(folder, 'secrets.json'), 'utf8')).toBe('secret of then')
      expect((await readdir(folder)).sort()).toEqual(['before-restore', 'cache', 'secrets.json', 'state'])
      expect(valuesIn(previous)).toEqual(['now', 'now'])
      expect(await readFile(path.join(previous, 'newer.txt'), 'utf8')).toBe('came later')
    },
  )

  test('is of one moment over all databases while others write', async ({ expect }) => {
    const folder = await makeData('0')
    // Writes the object first and then the main one, as the service commits.
    const script = `
      const { DatabaseSync } = require('node:sqlite')
      const [main, object] = ${JSON.stringify([mainName, objectName].map((name) => path.join(folder, name)))}
        .map((file) => { const d = new DatabaseSync(file, { timeout: 5000 }); d.exec('PRAGMA synchronous = OFF'); return d })
      for (let n = 2; ; n++) for (const d of [object, main]) {
        d.prepare('INSERT INTO t VALUES (?, ?)').run(n, 'x'.repeat(100))
        if (n === 20 && d === main) process.stdout.write('on')
      }`
    const writer = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void writer.kill('SIGKILL'))
    await new Promise((resolve) => writer.stdout.once('data', resolve))
    for (let round = 0; round < 3; round += 1) {
      const into = await makeDataFolder()
      const file = path.join(into, 'b')
      await makeBackup({ ...common, dataFolder: folder, file })
      expect(await unpackAndOpen(file, into, undefined)).toMatchObject({ ok: true })
      const counts = [mainName, objectName].map((name) => {
        const database = new DatabaseSync(path.join(into, name))
        const count = Number(database.prepare('SELECT count(*) AS count FROM t').get()?.['count'])
        database.close()
        return count
      })
      // What the main one says stands on what the object has.
      expect(counts[0]).toBeLessThanOrEqual(counts[1] ?? 0)
    }
  })

  test('of a damaged database has it as it is, and says so', async ({ expect }) => {
    const folder = await makeData('a')
    await writeFile(path.join(folder, objectName), Buffer.alloc(8192, 7))
    const file = path.join(await makeDataFolder(), 'b')
    expect((await makeBackup({ ...common, dataFolder: folder, file })).damaged).toEqual([objectName])
    expect(await verifyBackup(file, path.dirname(file), undefined)).toMatchObject({ ok: true, value: { rows: 1 } })
  })

  test('is refused whole when anything of it is wrong, and the folder stays as it is', async ({ expect }) => {
    const folder = await makeData('a')
    const file = path.join(await makeDataFolder(), 'b')
    await makeBackup({ ...common, dataFolder: folder, file, passPhrase: 'harbour lanterns' })
    const unphrased = await restoreBackup({ ...restoring, dataFolder: folder, file, stamp: 's' })
    expect(unphrased).toEqual({ ok: false, failure: { kind: 'sealed' } })
    const wrong = await restoreBackup({ ...restoring, passPhrase: 'another one', dataFolder: folder, file, stamp: 's' })
    expect(wrong).toMatchObject({ ok: false, failure: { kind: 'pass_phrase' } })
    const bytes = await readFile(file)
    await writeFile(file, bytes.subarray(0, bytes.length - 1))
    const cut = await restoreBackup({
      ...restoring,
      passPhrase: 'harbour lanterns',
      dataFolder: folder,
      file,
      stamp: 's',
    })
    expect(cut).toMatchObject({ ok: false })
    expect(valuesIn(folder)).toEqual(['a', 'a'])
    expect((await readdir(folder)).sort()).toEqual(['cache', 'secrets.json', 'state'])
  })

  test('of a newer version is refused by name', async ({ expect }) => {
    const folder = await makeData('a')
    const main = openDatabase(folder, mainName)
    main.exec(
      "CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO d1_migrations VALUES (1, '0099_x.sql')",
    )
    main.close()
    const file = path.join(await makeDataFolder(), 'b')
    await makeBackup({ ...common, dataFolder: folder, file })
    const refused = await restoreBackup({ ...restoring, dataFolder: folder, file, stamp: 's' })
    expect(refused).toEqual({ ok: false, failure: { kind: 'unknown_steps', steps: ['0099_x.sql'] } })
    expect(
      await restoreBackup({ ...restoring, migrations: ['0099_x.sql'], dataFolder: folder, file, stamp: 's' }),
    ).toMatchObject({ ok: true })
  })

  test('put back again and again keeps so many of the folders before', async ({ expect }) => {
    const folder = await makeData('a')
    const file = path.join(await makeDataFolder(), 'b')
    await makeBackup({ ...common, dataFolder: folder, file })
    for (let round = 1; round <= previousKept + 1; round += 1)
      await restoreBackup({ ...restoring, dataFolder: folder, file, stamp: `s${round}` })
    expect(await readdir(path.join(folder, 'before-restore'))).toEqual(
      Array.from({ length: previousKept }, (_, at) => `s${at + 2}`),
    )
  })
})

test('two restores within one second keep what was there before each', async ({ expect }) => {
  const folder = await makeData('then')
  const file = path.join(await makeDataFolder(), 'b')
  await makeBackup({ ...common, dataFolder: folder, file })
  for (const value of ['first', 'second']) {
    write(folder, value)
    const restored = await restoreBackup({ ...restoring, dataFolder: folder, file, stamp: 'now' })
    expect(restored.ok && restored.value.previous && valuesIn(restored.value.previous)).toEqual([value, value])
    expect(valuesIn(folder)).toEqual(['then', 'then'])
  }
  expect((await readdir(path.join(folder, 'before-restore'))).sort()).toEqual(['now', 'now-2'])
})

describe('kill -9', { timeout: 240_000 }, () => {
  const program = path.resolve(import.meta.dirname, '..', '..', '..', 'local', 'backup.ts')

  /** Runs the command and kills it after so many milliseconds; true when it had ended by then. */
  async function cutOff(args: readonly string[], afterMs: number): Promise<boolean> {
    const child = spawn(process.execPath, [program, ...args], { stdio: 'ignore' })
    const timer = setTimeout(() => child.kill('SIGKILL'), afterMs)
    const code = await new Promise((resolve) => child.once('exit', resolve))
    clearTimeout(timer)
    return code === 0
  }

  test('in a backup leaves a whole one or none', async ({ expect }) => {
    const folder = await makeData('a')
    const bulk = openDatabase(folder, mainName)
    for (let n = 2; n < 400; n += 1) bulk.prepare('INSERT INTO t VALUES (?, ?)').run(n, `${Math.random()}`.repeat(800))
    bulk.close()
    const shelf = await makeDataFolder()
    let cut = 0
    for (let round = 0; round < 15; round += 1) {
      const file = path.join(shelf, `b${round}`)
      const isDone = await cutOff([file, '--data', folder], 60 + round * 60)
      if (!isDone) cut += 1
      if (isDone || existsSync(file)) expect(await verifyBackup(file, shelf, undefined)).toMatchObject({ ok: true })
    }
    expect(cut).toBeGreaterThan(0)
    await makeBackup({ ...common, dataFolder: folder, file: path.join(shelf, 'last') })
    expect((await readdir(shelf)).filter((name) => name.startsWith('.'))).toEqual([])
  })

  test('in a restore leaves what was there or what was put back, and nothing between', { tags: 'slow' }, async ({
    expect,
  }) => {
    const folder = await makeData('then')
    const file = path.join(await makeDataFolder(), 'b')
    await makeBackup({ ...common, dataFolder: folder, file })
    for (let round = 0; round < 25; round += 1) {
      write(folder, 'now')
      await writeFile(path.join(folder, 'secrets.json'), 'secret of now')
      await cutOff(['restore', file, '--data', folder], 80 + round * 20)
      // As the next start does.
      finishRestore(folder)
      const [main, object] = valuesIn(folder)
      const secret = await readFile(path.join(folder, 'secrets.json'), 'utf8')
      expect([main, object, secret]).toEqual([main, main, `secret of ${main}`])
      expect(['now', 'then']).toContain(main)
      expect(existsSync(path.join(folder, 'restoring'))).toBe(false)
    }
  })

  test.for([0, 1, 2, 3, 4, 5])(
    'between the moves of a restore is mended (%i moves done)',
    async (moves, { expect }) => {
      const folder = await makeData('now')
      const fresh = path.join(folder, 'restoring', 'new')
      const other = await makeData('then')
      await rm(path.join(other, 'cache'), { recursive: true })
      await writeFile(path.join(folder, 'extra.txt'), 'was there')
      const { cpSync, mkdirSync, renameSync } = await import('node:fs')
      cpSync(other, fresh, { recursive: true })
      const note = { stamp: 's', put: ['secrets.json', 'state'], taken: ['extra.txt', 'secrets.json', 'state'] }
      await writeFile(path.join(folder, 'restoring', 'ready.json'), JSON.stringify(note))
      const old = path.join(folder, 'before-restore', 's')
      mkdirSync(old, { recursive: true })
      const steps = [
        () => renameSync(path.join(folder, 'extra.txt'), path.join(old, 'extra.txt')),
        () => renameSync(path.join(folder, 'secrets.json'), path.join(old, 'secrets.json')),
        () => renameSync(path.join(fresh, 'secrets.json'), path.join(folder, 'secrets.json')),
        () => renameSync(path.join(folder, 'state'), path.join(old, 'state')),
        () => renameSync(path.join(fresh, 'state'), path.join(folder, 'state')),
      ]
      for (const step of steps.slice(0, moves)) step()
      expect(finishRestore(folder)).toBe(old)
      expect(valuesIn(folder)).toEqual(['then', 'then'])
      expect(valuesIn(old)).toEqual(['now', 'now'])
      expect((await readdir(old)).sort()).toEqual(['extra.txt', 'secrets.json', 'state'])
      expect((await readdir(folder)).sort()).toEqual(['before-restore', 'cache', 'secrets.json', 'state'])
    },
  )
})

describe('the shelf', () => {
  const at = (day: number, reason: Shelved['reason'] = 'daily'): Shelved => ({
    name: `${reason} ${day}`,
    atUnix: 1_700_000_000 + day * daySeconds,
    reason,
  })

  test('keeps a week of daily ones, a month of weekly ones, and so many of the others', ({ expect }) => {
    let shelf: Shelved[] = []
    for (let day = 0; day < 100; day += 1) {
      shelf = [...shelf, at(day)]
      const gone = new Set(outdated(shelf).map(({ name }) => name))
      shelf = shelf.filter(({ name }) => !gone.has(name))
      expect(shelf.length).toBeLessThanOrEqual(dailyKept + weeklyKept)
    }
    const days = shelf.map(({ name }) => 99 - Number(name.split(' ')[1]))
    expect(days.slice(-dailyKept)).toEqual([6, 5, 4, 3, 2, 1, 0])
    expect(days).toHaveLength(dailyKept + weeklyKept)
    expect(Math.max(...days)).toBeGreaterThanOrEqual(weeklyKept * 7)
    for (const [reason, kept] of [
      ['asked', askedKept],
      ['before_migration', beforeMigrationKept],
    ] as const) {
      const made = Array.from({ length: kept + 1 }, (_, day) => at(day, reason))
      expect(outdated(made.slice(1))).toEqual([])
      expect(outdated(made)).toEqual([made[0]])
    }
  })

  test('names say what a backup is, and no other file is taken for one', ({ expect }) => {
    for (const reason of ['asked', 'daily', 'before_migration'] as const) {
      const taken = new Set<string>()
      for (const isSealed of [false, true])
        for (let copy = 0; copy < 3; copy += 1) {
          const name = nameFor(1_700_000_000, reason, isSealed, (one) => taken.has(one))
          taken.add(name)
          expect(readName(name)).toEqual({ name, atUnix: 1_700_000_000, reason })
        }
      expect(taken.size).toBe(6)
    }
    for (const other of ['read-back.json', '.making-1-a', '../secrets.json', 'wharf-1-daily.tar.gz', ''])
      expect(readName(other)).toBeUndefined()
  })
})

describe('the keeper', () => {
  async function keeperOf(folder: string) {
    const clock = { nowMs: 1_700_000_000_000 }
    const lines: string[] = []
    const options = { dataFolder: folder, version: '1', passPhrase: undefined, now: () => clock.nowMs }
    return { clock, lines, keeper: new BackupKeeper({ ...options, log: (line) => lines.push(line) }) }
  }

  test('makes one a day and reads it back', async ({ expect }) => {
    const { keeper, clock } = await keeperOf(await makeData('a'))
    await keeper.lookDaily()
    await keeper.lookDaily()
    expect(keeper.shelf.list()).toMatchObject([{ reason: 'daily', readBack: { rows: 2 } }])
    clock.nowMs += daySeconds * 1000 - 1000
    await keeper.lookDaily()
    expect(keeper.shelf.list()).toHaveLength(1)
    clock.nowMs += 1000
    await keeper.lookDaily()
    expect(keeper.shelf.list()).toHaveLength(2)
    // The clock was wrong, and is set right.
    clock.nowMs -= 100 * daySeconds * 1000
    await keeper.lookDaily()
    expect(keeper.shelf.list()).toHaveLength(3)
  })

  test('does one thing at a time', async ({ expect }) => {
    const { keeper } = await keeperOf(await makeData('a'))
    const [one, two] = await Promise.all([keeper.make('asked'), keeper.make('asked')])
    expect(one).toMatchObject({ ok: true })
    expect(two).toEqual({ ok: false, failure: { kind: 'busy' } })
    expect(await keeper.make('asked')).toMatchObject({ ok: true })
    expect(await keeper.verify('nowhere')).toEqual({ ok: false, failure: { kind: 'none' } })
  })

  test('says of a backup that is not whole what is wrong with it', async ({ expect }) => {
    const { keeper, lines } = await keeperOf(await makeData('a'))
    const made = await keeper.make('asked')
    const name = made.ok ? made.value.name : ''
    await writeFile(path.join(keeper.shelf.folder, name), 'no backup any more')
    expect(await keeper.verify(name)).toMatchObject({ ok: true, value: { fault: { kind: 'no_backup' } } })
    expect(keeper.shelf.list()[0]?.readBack?.fault).toEqual({ kind: 'no_backup' })
    expect(lines.join()).toContain(`${name}: it is no backup`)
    // Noted as a sentence by a version before.
    const old = { [name]: { atUnix: 1, fault: 'it is cut off' } }
    await writeFile(path.join(keeper.shelf.folder, 'read-back.json'), JSON.stringify(old))
    expect(keeper.shelf.list()[0]?.readBack?.fault).toEqual({ kind: 'unexpected', words: 'it is cut off' })
  })
})
