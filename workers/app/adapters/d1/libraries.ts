import { and, asc, count, eq, ne, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { failWith, succeed } from '#shared/kernel/result.ts'
import { librariesMax } from '../../limits.ts'
import type { Libraries, Library, LibraryChange } from '../../ports/library.ts'
import { libraries } from './schema/library.ts'

type Row = typeof libraries.$inferSelect

export function createLibraries(db: DrizzleD1Database, clock: Clock): Libraries {
  const withId = (id: number) => eq(libraries.id, id)

  async function isNameTaken(name: string, exceptId: number): Promise<boolean> {
    const rows = await db
      .select({ id: libraries.id })
      .from(libraries)
      .where(and(eq(libraries.name, name), ne(libraries.id, exceptId)))
    return rows.length > 0
  }

  /** At most one default a kind: for a new one the others lose the mark in the same transaction. */
  function clearOtherDefaults({ mediaType, isDefault }: LibraryChange, id: number) {
    const isOther = and(eq(libraries.mediaType, mediaType), ne(libraries.id, id), sql`${isDefault ? 1 : 0}`)
    return db.update(libraries).set({ isDefault: false }).where(isOther)
  }

  /** At least one as well: of a kind without a default the oldest is it. */
  function fillDefaults() {
    return db.run(
      sql`update libraries set is_default = 1 where id in (select min(id) from libraries group by media_type having sum(is_default) = 0)`,
    )
  }

  function columnsOf({ name, mediaType, path, mode, isDefault }: LibraryChange) {
    return { name, mediaType, path, mode, isDefault, updatedAtUnix: unixSeconds(clock) }
  }

  /** As it is once the marks are settled. */
  async function settled(id: number): Promise<Library> {
    const [row] = await db.select().from(libraries).where(withId(id))
    if (row === undefined) throw new Error('the library row was not written')
    return toLibrary(row)
  }

  return {
    async list() {
      return (await db.select().from(libraries).orderBy(asc(libraries.id))).map(toLibrary)
    },

    async add(change) {
      const [totals] = await db.select({ count: count() }).from(libraries)
      if ((totals?.count ?? 0) >= librariesMax) return failWith('too_many')
      if (await isNameTaken(change.name, 0)) return failWith('name_taken')
      const insert = db
        .insert(libraries)
        .values({ ...columnsOf(change), createdAtUnix: unixSeconds(clock) })
        .returning({ id: libraries.id })
      const [, [row]] = await db.batch([clearOtherDefaults(change, 0), insert, fillDefaults()])
      return succeed(await settled(row?.id ?? 0))
    },

    async update(id, change) {
      const [present] = await db.select({ id: libraries.id }).from(libraries).where(withId(id))
      if (present === undefined) return failWith('not_found')
      if (await isNameTaken(change.name, id)) return failWith('name_taken')
      const update = db.update(libraries).set(columnsOf(change)).where(withId(id))
      await db.batch([clearOtherDefaults(change, id), update, fillDefaults()])
      return succeed(await settled(id))
    },

    async remove(id) {
      const [removed] = await db.batch([
        db.delete(libraries).where(withId(id)).returning({ id: libraries.id }),
        fillDefaults(),
      ])
      return removed.length > 0
    },
  }
}

function toLibrary({ id, name, mediaType, path, mode, isDefault }: Row): Library {
  return { id, name, mediaType, path, mode, isDefault }
}
