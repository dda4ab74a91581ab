import { and, asc, count, eq, ne, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { failWith, succeed } from '#shared/kernel/result.ts'
import {
  builtInProfileName,
  builtInRules,
  type QualityProfile,
  type QualityRules,
} from '../../core/media/quality-profile.ts'
import { qualityProfilesMax } from '../../limits.ts'
import type { OwnerLocaleReader } from '../../ports/settings.ts'
import type { QualityProfileChange, QualityProfiles } from '../../ports/subscriptions.ts'
import { qualityProfiles, subscriptions } from './schema/subscriptions.ts'

type Row = typeof qualityProfiles.$inferSelect

export function createQualityProfiles(
  db: DrizzleD1Database,
  clock: Clock,
  locale: Pick<OwnerLocaleReader, 'read'>,
): QualityProfiles {
  const withId = (id: number) => eq(qualityProfiles.id, id)

  /** By id. The first reader of an empty table puts the built-in one there. */
  async function all(): Promise<Row[]> {
    const rows = await db.select().from(qualityProfiles).orderBy(asc(qualityProfiles.id))
    if (rows.length > 0) return rows
    const { language } = await locale.read()
    await db
      .insert(qualityProfiles)
      .values(columnsOf({ ...builtInRules, name: builtInProfileName[language], isDefault: true }))
      .onConflictDoNothing()
    return db.select().from(qualityProfiles).orderBy(asc(qualityProfiles.id))
  }

  async function isNameTaken(name: string, exceptId: number): Promise<boolean> {
    return (await all()).some((row) => row.name === name && row.id !== exceptId)
  }

  function columnsOf({ name, isDefault, ...rules }: QualityProfileChange) {
    return { name, isDefault, rules: JSON.stringify(rules), updatedAtUnix: unixSeconds(clock) }
  }

  /** One default: the others lose the mark in the same transaction. */
  function clearOtherDefaults(id: number) {
    return db
      .update(qualityProfiles)
      .set({ isDefault: false })
      .where(and(eq(qualityProfiles.isDefault, true), ne(qualityProfiles.id, id)))
  }

  return {
    async list() {
      return (await all()).map(toProfile)
    },

    async of(id) {
      const rows = await all()
      const row = rows.find((one) => one.id === id) ?? rows.find(({ isDefault }) => isDefault)
      if (row === undefined) throw new Error('there is no default profile')
      return toProfile(row)
    },

    async add(change) {
      if (await isNameTaken(change.name, 0)) return failWith('name_taken')
      const [totals] = await db.select({ count: count() }).from(qualityProfiles)
      if ((totals?.count ?? 0) >= qualityProfilesMax) return failWith('too_many')
      const insert = db.insert(qualityProfiles).values(columnsOf(change)).returning()
      const [row] = change.isDefault ? (await db.batch([clearOtherDefaults(0), insert]))[1] : await insert
      if (row === undefined) throw new Error('the profile was not written')
      return succeed(toProfile(row))
    },

    async update(id, change) {
      const present = (await all()).find((row) => row.id === id)
      if (present === undefined) return failWith('not_found')
      if (await isNameTaken(change.name, id)) return failWith('name_taken')
      if (present.isDefault && !change.isDefault) return failWith('is_default')
      const update = db.update(qualityProfiles).set(columnsOf(change)).where(withId(id)).returning()
      const [row] = change.isDefault ? (await db.batch([clearOtherDefaults(id), update]))[1] : await update
      return row === undefined ? failWith('not_found') : succeed(toProfile(row))
    },

    async remove(id) {
      const [removed] = await db.batch([
        db
          .delete(qualityProfiles)
          .where(and(withId(id), eq(qualityProfiles.isDefault, false)))
          .returning({ id: qualityProfiles.id }),
        db
          .update(subscriptions)
          .set({ profileId: 0 })
          .where(
            and(
              eq(subscriptions.profileId, id),
              sql`not exists (select 1 from ${qualityProfiles} where ${withId(id)})`,
            ),
          ),
      ])
      if (removed.length > 0) return succeed(undefined)
      return failWith((await all()).some((row) => row.id === id) ? 'is_default' : 'not_found')
    },
  }
}

/** What a later version knows beside what was stored is open. */
function toProfile({ id, name, isDefault, rules }: Row): QualityProfile {
  return { ...builtInRules, ...(JSON.parse(rules) as QualityRules), id, name, isDefault }
}
