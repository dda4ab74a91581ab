/** A journal that a killed process left behind, damaged: what is said of it against what SQLite makes of it. */
import { appendFileSync, copyFileSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'vitest'
import { journalLossOf } from '../../../local/sqlite/journal.ts'
import { makeDataFolder } from '../../support/data-folder.ts'

const commits = 12
const pageBytes = 4096
const frameBytes = 24 + pageBytes
const ends = ['', '-wal', '-shm']

interface Left {
  readonly file: string
  /** Goes on writing, as the process did that was not killed. */
  readonly database: DatabaseSync
  /** The files as a kill at this moment leaves them. */
  leave(name: string, only?: readonly string[]): string
}

async function written(): Promise<Left> {
  const folder = await makeDataFolder()
  const file = path.join(folder, 'a.sqlite')
  const database = new DatabaseSync(file)
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)')
  for (let row = 1; row <= commits; row += 1) database.prepare('INSERT INTO t (b) VALUES (?)').run('x'.repeat(3000))
  return {
    file,
    database,
    leave(name, only = ends) {
      const left = path.join(folder, name)
      for (const end of only) copyFileSync(file + end, left + end)
      return left
    },
  }
}

function rowsOf(file: string): number {
  const database = new DatabaseSync(file)
  try {
    return Number(database.prepare('SELECT count(*) AS count FROM t').get()?.['count'])
  } finally {
    database.close()
  }
}

const framesOf = (file: string) => (statSync(`${file}-wal`).size - 32) / frameBytes

function flip(file: string, at: number): void {
  const bytes = readFileSync(file)
  bytes[at] = (bytes[at] ?? 0) ^ 0x10
  writeFileSync(file, bytes)
}

describe('a journal', () => {
  test('that is whole lost nothing', async ({ expect }) => {
    const { leave, database } = await written()
    const left = leave('killed')
    expect(journalLossOf(left)).toBeUndefined()
    expect(rowsOf(left)).toBe(commits)
    database.close()
  })

  test('that is cut loses what comes after the cut, wherever that is', async ({ expect }) => {
    const { leave, database } = await written()
    for (const [number, bytes] of [0, 20, 32, 32 + frameBytes * 5, 32 + frameBytes * 5 + 700].entries()) {
      const left = leave(`cut-${number}`)
      const frames = framesOf(left)
      truncateSync(`${left}-wal`, bytes)
      const whole = Math.max(0, Math.floor((bytes - 32) / frameBytes))
      expect(journalLossOf(left), `${bytes} bytes`).toEqual({ committed: frames, whole, isMixed: false })
    }
    database.close()
  })

  test('with one changed bit loses what comes after it, as SQLite does', async ({ expect }) => {
    const { leave, database } = await written()
    const frames = framesOf(leave('frames'))
    // In the heading of a frame, in its page, in its sum; first, middle and last.
    for (const frame of [0, Math.floor(frames / 2), frames - 1])
      for (const at of [4, 20, 24 + 2000]) {
        const left = leave(`flipped-${frame}-${at}`)
        flip(`${left}-wal`, 32 + frame * frameBytes + at)
        expect(journalLossOf(left)).toEqual({ committed: frames, whole: frame, isMixed: false })
        const kept = leave(`kept-${frame}-${at}`)
        truncateSync(`${kept}-wal`, 32 + frame * frameBytes)
        const rows = (file: string) => {
          try {
            return rowsOf(file)
          } catch (error) {
            return String(error)
          }
        }
        expect(rows(left)).toEqual(rows(kept))
      }
    database.close()
  })

  test('whose heading is damaged lost all', async ({ expect }) => {
    const { leave, database } = await written()
    for (const at of [1, 9, 17, 25]) {
      const left = leave(`heading-${at}`)
      flip(`${left}-wal`, at)
      expect(journalLossOf(left)?.whole, `byte ${at}`).toBe(0)
    }
    database.close()
  })

  test('that lost what the database has in part is of no one moment', async ({ expect }) => {
    const { leave, database, file } = await written()
    // A reader of an earlier moment keeps the journal from being taken over whole.
    database.exec('PRAGMA wal_checkpoint(PASSIVE)')
    const reader = new DatabaseSync(file, { readOnly: true })
    reader.exec('BEGIN')
    reader.prepare('SELECT count(*) FROM t').get()
    for (let row = 0; row < 3; row += 1) database.prepare('INSERT INTO t (b) VALUES (?)').run('later')
    reader.exec('COMMIT')
    reader.exec('BEGIN')
    reader.prepare('SELECT count(*) FROM t').get()
    for (let row = 0; row < 6; row += 1) database.prepare('INSERT INTO t (b) VALUES (?)').run('y'.repeat(3000))
    database.exec('PRAGMA wal_checkpoint(PASSIVE)')
    const left = leave('mixed')
    truncateSync(`${left}-wal`, 32)
    expect(journalLossOf(left)).toEqual({ committed: expect.any(Number), whole: 0, isMixed: true })
    reader.close()
    database.close()
  })

  test.for([
    ['taken away, as a database that was closed leaves it', ['', '-shm']],
    ['without its index, as after a loss of power', ['', '-wal']],
    ['of a database that was closed', ['']],
  ] as const)('%s tells nothing', async ([, only], { expect }) => {
    const { leave, database } = await written()
    expect(journalLossOf(leave('left', only))).toBeUndefined()
    database.close()
  })

  test('that was begun anew is not held against an older index, nor one of which all was taken over', async ({
    expect,
  }) => {
    const { leave, database, file } = await written()
    const older = leave('older', ['-shm'])
    database.exec('PRAGMA wal_checkpoint(PASSIVE)')
    const taken = leave('taken')
    truncateSync(`${taken}-wal`, 32)
    expect(journalLossOf(taken)).toBeUndefined()
    database.prepare('INSERT INTO t (b) VALUES (?)').run('anew')
    copyFileSync(file, older)
    copyFileSync(`${file}-wal`, `${older}-wal`)
    expect(journalLossOf(older)).toBeUndefined()
    database.close()
  })

  test('beside which something else lies tells nothing', async ({ expect }) => {
    const { leave, database } = await written()
    const left = leave('strange')
    rmSync(`${left}-shm`)
    appendFileSync(`${left}-shm`, Buffer.alloc(32_768))
    expect(journalLossOf(left)).toBeUndefined()
    database.close()
  })
})
