import { and, asc, count, eq, ne, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { downloadersMax } from '../../limits.ts'
import type { DownloaderChange, DownloaderRecord, DownloaderStore } from '../../ports/downloaders.ts'
import type { SecretBox } from '../../ports/secrets.ts'
import { downloaders } from './schema/downloaders.ts'

type Row = typeof downloaders.$inferSelect

/** Binds a sealed password to its row, so that it opens nowhere else. */
export function passwordContext(downloaderId: number): string {
  return `downloader:${downloaderId}:password`
}

export function createDownloaderStore(
  db: DrizzleD1Database,
  deps: { clock: Clock; secrets: SecretBox },
): DownloaderStore {
  async function byId(id: number): Promise<Row | undefined> {
    const [row] = await db.select().from(downloaders).where(eq(downloaders.id, id))
    return row
  }

  async function isNameTaken(name: string, exceptId: number): Promise<boolean> {
    const rows = await db
      .select({ id: downloaders.id })
      .from(downloaders)
      .where(and(eq(downloaders.name, name), ne(downloaders.id, exceptId)))
    return rows.length > 0
  }

  async function sealPassword(id: number, password: string): Promise<Result<string, 'secrets'>> {
    if (password === '') return succeed('')
    if ((await deps.secrets.state()) !== 'ready') return failWith('secrets')
    return succeed(await deps.secrets.seal(password, passwordContext(id)))
  }

  /** At most one default: the others lose the mark in the same transaction. */
  function clearOtherDefaults(id: number) {
    return db
      .update(downloaders)
      .set({ isDefault: false })
      .where(and(eq(downloaders.isDefault, true), ne(downloaders.id, id)))
  }

  function columnsOf(change: DownloaderChange) {
    return {
      name: change.name,
      kind: change.kind,
      baseUrl: change.baseUrl,
      username: change.username,
      enabled: change.enabled,
      isDefault: change.isDefault,
      ...(change.minFreeGib === undefined ? {} : { minFreeGib: change.minFreeGib }),
      updatedAtUnix: unixSeconds(deps.clock),
    }
  }

  return {
    async list() {
      return (await db.select().from(downloaders).orderBy(asc(downloaders.id))).map(toRecord)
    },

    async targets() {
      const rows = await db.select().from(downloaders).where(eq(downloaders.enabled, true)).orderBy(asc(downloaders.id))
      return rows.map(({ enabled: _, createdAtUnix: __, updatedAtUnix: ___, ...target }) => target)
    },

    async settings(id) {
      const row = await byId(id)
      if (row === undefined) return failWith('not_found')
      const { kind, baseUrl, username } = row
      if (row.sealedPassword === '') return succeed({ kind, baseUrl, username, password: '' })
      const password = await deps.secrets.open(row.sealedPassword, passwordContext(id))
      return password.ok ? succeed({ kind, baseUrl, username, password: password.value }) : password
    },

    async add(change) {
      const [totals] = await db
        .select({
          count: count(),
          newest: sql<number>`coalesce((select seq from sqlite_sequence where name = 'downloaders'), 0)`,
        })
        .from(downloaders)
      if ((totals?.count ?? 0) >= downloadersMax) return failWith('too_many')
      if (await isNameTaken(change.name, 0)) return failWith('name_taken')
      // The row's id is part of what the seal authenticates, so it is chosen before the row exists.
      const id = (totals?.newest ?? 0) + 1
      const sealed = await sealPassword(id, change.password ?? '')
      if (!sealed.ok) return sealed
      const insert = db
        .insert(downloaders)
        .values({ id, ...columnsOf(change), sealedPassword: sealed.value, createdAtUnix: unixSeconds(deps.clock) })
        .returning()
      const [row] = change.isDefault ? (await db.batch([clearOtherDefaults(id), insert]))[1] : await insert
      if (row === undefined) throw new Error('the downloader row was not written')
      return succeed(toRecord(row))
    },

    async update(id, change) {
      const present = await byId(id)
      if (present === undefined) return failWith('not_found')
      if (await isNameTaken(change.name, id)) return failWith('name_taken')
      const sealed =
        change.password === undefined ? succeed(present.sealedPassword) : await sealPassword(id, change.password)
      if (!sealed.ok) return sealed
      const update = db
        .update(downloaders)
        .set({ ...columnsOf(change), sealedPassword: sealed.value, revision: sql`${downloaders.revision} + 1` })
        .where(eq(downloaders.id, id))
        .returning()
      const [row] = change.isDefault ? (await db.batch([clearOtherDefaults(id), update]))[1] : await update
      return row === undefined ? failWith('not_found') : succeed(toRecord(row))
    },

    async remove(id) {
      const removed = await db.delete(downloaders).where(eq(downloaders.id, id)).returning({ id: downloaders.id })
      return removed.length > 0
    },
  }
}

function toRecord(row: Row): DownloaderRecord {
  const { id, name, kind, baseUrl, username, enabled, isDefault, minFreeGib } = row
  return { id, name, kind, baseUrl, username, hasPassword: row.sealedPassword !== '', enabled, isDefault, minFreeGib }
}
