import { and, asc, eq, gte, lt, notInArray, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { failWith, succeed } from '#shared/kernel/result.ts'
import { addDays } from '../../core/local-day.ts'
import { readReason, storeReason } from '../../core/reason/stored-reason.ts'
import type { SiteReading } from '../../core/site.ts'
import type { Snapshot } from '../../core/site-changes.ts'
import { heldToOwner, judgedGrowth, knownNumber, type SiteUser, saidByOwner } from '../../core/site-figures.ts'
import { snapshotDays } from '../../limits.ts'
import type { Logger } from '../../ports/runtime.ts'
import type { FetchedUser, SignInDay, SiteDay, SiteFigures } from '../../ports/sites.ts'
import { loginReminders, siteSignIns, siteSnapshots, sites, siteUsers } from './schema/sites.ts'

/** What the service itself writes down about sites. */
export interface SiteFigureStore extends SiteFigures {
  noteReading(siteId: number, reading: SiteReading, day: string, nowUnix: number): Promise<void>
  /** `status` is `ok` or the kind of the fault. */
  noteProbe(siteId: number, status: string, lastActiveAtUnix: number | undefined, nowUnix: number): Promise<void>
  signIn(siteId: number, day: string): Promise<SignInDay | undefined>
  noteSignIn(siteId: number, signIn: SignInDay): Promise<void>
  /** Old days, and what is left of sites that are gone. */
  trim(today: string): Promise<void>
}

export function createSiteFigures(db: DrizzleD1Database, logger: Logger): SiteFigureStore {
  function probeUpdate(siteId: number, status: string, lastActiveAtUnix: number | undefined, nowUnix: number) {
    return db
      .update(sites)
      .set({
        lastProbeAtUnix: nowUnix,
        lastProbeStatus: status,
        // A site may remember an older visit than the one seen last: the account's clock never goes back.
        ...(lastActiveAtUnix === undefined
          ? {}
          : { lastActiveAtUnix: sql`max(coalesce(${sites.lastActiveAtUnix}, 0), ${lastActiveAtUnix})` }),
      })
      .where(eq(sites.id, siteId))
  }

  function snapshotOf(siteId: number, day: string, user: SiteUser) {
    return db
      .insert(siteSnapshots)
      .values({ siteId, day, ...toSnapshot(user) })
      .onConflictDoUpdate({
        target: [siteSnapshots.siteId, siteSnapshots.day],
        // What was known earlier in the day stays where it is not known now.
        set: {
          uploadedBytes: sql`coalesce(excluded.uploaded_bytes, ${siteSnapshots.uploadedBytes})`,
          downloadedBytes: sql`coalesce(excluded.downloaded_bytes, ${siteSnapshots.downloadedBytes})`,
          bonus: sql`coalesce(excluded.bonus, ${siteSnapshots.bonus})`,
          ratio: sql`coalesce(excluded.ratio, ${siteSnapshots.ratio})`,
          seeding: sql`coalesce(excluded.seeding, ${siteSnapshots.seeding})`,
          seedingSizeBytes: sql`coalesce(excluded.seeding_size_bytes, ${siteSnapshots.seedingSizeBytes})`,
          seedingPoints: sql`coalesce(excluded.seeding_points, ${siteSnapshots.seedingPoints})`,
        },
      })
  }

  /** Of one site, or of all. */
  async function usersOf(siteId?: number) {
    try {
      const isMeant = siteId === undefined ? undefined : eq(siteUsers.siteId, siteId)
      return succeed(await db.select().from(siteUsers).where(isMeant))
    } catch (cause) {
      logger.error('site_figures_unreadable', { cause })
      return failWith({ kind: 'figures_unreadable' as const })
    }
  }

  return {
    async users() {
      const rows = await usersOf()
      return rows.ok ? succeed(new Map(rows.value.map((row) => [row.siteId, toUser(row)]))) : rows
    },

    async snapshotsFor(from, to) {
      // One look into the index for each site, however many days there are. `cross` keeps the order of the two tables:
      // the other way round it would be one look for each row.
      return db.all<Snapshot>(sql`
        select site_id as siteId, day, uploaded_bytes as uploadedBytes, downloaded_bytes as downloadedBytes, bonus
        from site_snapshots where day >= ${from} and day <= ${to}
        union all
        select s.site_id, s.day, s.uploaded_bytes, s.downloaded_bytes, s.bonus
        from sites t cross join site_snapshots s on s.site_id = t.id
          and s.day = (select max(b.day) from site_snapshots b where b.site_id = t.id and b.day < ${from})`)
    },

    async historyOf(siteId, from) {
      const rows = await db
        .select()
        .from(siteSnapshots)
        .where(and(eq(siteSnapshots.siteId, siteId), gte(siteSnapshots.day, from)))
        .orderBy(asc(siteSnapshots.day))
      return rows.map(toDay)
    },

    async signIns(day) {
      const rows = await db.select().from(siteSignIns).where(eq(siteSignIns.day, day))
      return new Map(rows.map((row) => [row.siteId, toSignIn(row)]))
    },

    async signIn(siteId, day) {
      const [row] = await db
        .select()
        .from(siteSignIns)
        .where(and(eq(siteSignIns.siteId, siteId), eq(siteSignIns.day, day)))
      return row === undefined ? undefined : toSignIn(row)
    },

    async noteReading(siteId, reading, day, nowUnix) {
      const probe = probeUpdate(siteId, 'ok', reading.lastActiveAtUnix, nowUnix)
      const { user } = reading
      if (user === undefined) {
        await probe
        return
      }
      const [row] = await db.select().from(siteUsers).where(eq(siteUsers.siteId, siteId))
      const before = row === undefined ? undefined : toUser(row)
      const judged = heldToOwner(judgedGrowth(user, before, nowUnix), before)
      const values = toRow(judged, nowUnix)
      await db.batch([
        probe,
        db
          .insert(siteUsers)
          .values({ siteId, ...values })
          .onConflictDoUpdate({ target: siteUsers.siteId, set: values }),
        snapshotOf(siteId, day, judged),
      ])
    },

    async sayFigure(siteId, said, dayOf, nowUnix) {
      const rows = await usersOf(siteId)
      if (!rows.ok) return rows
      const [row] = rows.value
      const user = row === undefined ? undefined : saidByOwner(toUser(row), said, nowUnix)
      if (row === undefined || user === undefined) return succeed(false)
      const { fetchedAtUnix, sources } = row
      const changed = await db
        .update(siteUsers)
        .set(toRow(user, fetchedAtUnix))
        // A reading that came in between is not written over.
        .where(
          and(eq(siteUsers.siteId, siteId), eq(siteUsers.fetchedAtUnix, fetchedAtUnix), eq(siteUsers.sources, sources)),
        )
        .returning({ id: siteUsers.siteId })
      if (changed.length === 0) return succeed(false)
      await snapshotOf(siteId, dayOf(fetchedAtUnix), user)
      return succeed(true)
    },

    async noteProbe(siteId, status, lastActiveAtUnix, nowUnix) {
      await probeUpdate(siteId, status, lastActiveAtUnix, nowUnix)
    },

    async noteSignIn(siteId, { day, status, reason, attempts, lastAttemptAtUnix }) {
      const row = { status, message: storeReason(reason), attempts, lastAttemptAtUnix: lastAttemptAtUnix ?? null }
      await db
        .insert(siteSignIns)
        .values({ siteId, day, ...row })
        .onConflictDoUpdate({ target: [siteSignIns.siteId, siteSignIns.day], set: row })
    },

    async trim(today) {
      const oldest = addDays(today, -snapshotDays)
      const known = db.select({ id: sites.id }).from(sites)
      await db.batch([
        db.delete(siteSnapshots).where(lt(siteSnapshots.day, oldest)),
        db.delete(siteSignIns).where(lt(siteSignIns.day, oldest)),
        // A run that was under way while its site was removed may have written after that.
        db.delete(siteUsers).where(notInArray(siteUsers.siteId, known)),
        db.delete(siteSnapshots).where(notInArray(siteSnapshots.siteId, known)),
        db.delete(siteSignIns).where(notInArray(siteSignIns.siteId, known)),
        db.delete(loginReminders).where(notInArray(loginReminders.siteId, known)),
      ])
    },
  }
}

function toRow(user: SiteUser, nowUnix: number) {
  return {
    username: user.username,
    level: user.level ?? null,
    uploadedBytes: user.uploadedBytes ?? null,
    downloadedBytes: user.downloadedBytes ?? null,
    ratio: user.ratio ?? null,
    bonus: user.bonus ?? null,
    bonusPerHour: user.bonusPerHour ?? null,
    seeding: user.seeding ?? null,
    leeching: user.leeching ?? null,
    seedingSizeBytes: user.seedingSizeBytes ?? null,
    unreadMessages: user.unreadMessages ?? null,
    hnrUnsatisfied: user.hnrUnsatisfied ?? null,
    joinedAtUnix: user.joinedAtUnix ?? null,
    seedingPoints: user.seedingPoints ?? null,
    doubts: JSON.stringify(user.doubts ?? []),
    sources: JSON.stringify(user.sources ?? {}),
    fetchedAtUnix: nowUnix,
  }
}

/** History is made of what was known. */
function toSnapshot(user: SiteUser) {
  return {
    uploadedBytes: knownNumber(user, 'uploaded') ?? null,
    downloadedBytes: knownNumber(user, 'downloaded') ?? null,
    bonus: knownNumber(user, 'bonus') ?? null,
    ratio: knownNumber(user, 'ratio') ?? null,
    seeding: knownNumber(user, 'seeding') ?? null,
    seedingSizeBytes: knownNumber(user, 'seeding_size') ?? null,
    seedingPoints: user.seedingPoints ?? null,
  }
}

function toDay(row: typeof siteSnapshots.$inferSelect): SiteDay {
  const { uploadedBytes, downloadedBytes, bonus, ratio, seeding, seedingSizeBytes, seedingPoints } = row
  return {
    day: row.day,
    ...(uploadedBytes === null ? {} : { uploaded: uploadedBytes }),
    ...(downloadedBytes === null ? {} : { downloaded: downloadedBytes }),
    ...(ratio === null ? {} : { ratio }),
    ...(bonus === null ? {} : { bonus }),
    ...(seeding === null ? {} : { seeding }),
    ...(seedingSizeBytes === null ? {} : { seeding_size: seedingSizeBytes }),
    ...(seedingPoints === null ? {} : { seeding_points: seedingPoints }),
  }
}

function toUser({ siteId: _, doubts, sources, ...row }: typeof siteUsers.$inferSelect): FetchedUser {
  const told = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))
  const found: SiteUser['doubts'] = JSON.parse(doubts)
  return {
    ...told,
    username: row.username,
    fetchedAtUnix: row.fetchedAtUnix,
    ...(found === undefined || found.length === 0 ? {} : { doubts: found }),
    sources: JSON.parse(sources),
  }
}

function toSignIn({ siteId: _, lastAttemptAtUnix, message, ...present }: typeof siteSignIns.$inferSelect): SignInDay {
  const reason = readReason(message)
  return {
    ...present,
    ...(reason === undefined ? {} : { reason }),
    ...(lastAttemptAtUnix === null ? {} : { lastAttemptAtUnix }),
  }
}
