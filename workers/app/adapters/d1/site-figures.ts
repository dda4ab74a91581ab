import { and, eq, lt, notInArray, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { failWith, succeed } from '#shared/kernel/result.ts'
import { addDays } from '../../core/local-day.ts'
import { readReason, storeReason } from '../../core/reason/stored-reason.ts'
import type { SiteReading } from '../../core/site.ts'
import type { Snapshot } from '../../core/site-changes.ts'
import { snapshotDays } from '../../limits.ts'
import type { FetchedUser, Logger, SignInDay, SiteFigures } from '../../ports.ts'
import { loginReminders, siteSignIns, siteSnapshots, sites, siteUsers } from './schema.ts'

/** What the service itself writes down about sites. */
export interface SiteFigureBook extends SiteFigures {
  noteReading(siteId: number, reading: SiteReading, day: string, nowUnix: number): Promise<void>
  /** `status` is `ok` or the kind of the fault. */
  noteProbe(siteId: number, status: string, lastActiveAtUnix: number | undefined, nowUnix: number): Promise<void>
  signIn(siteId: number, day: string): Promise<SignInDay | undefined>
  noteSignIn(siteId: number, signIn: SignInDay): Promise<void>
  /** Old days, and what is left of sites that are gone. */
  trim(today: string): Promise<void>
}

export function createSiteFigures(db: DrizzleD1Database, logger: Logger): SiteFigureBook {
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

  return {
    async users() {
      try {
        const rows = await db.select().from(siteUsers)
        return succeed(new Map(rows.map((row) => [row.siteId, toUser(row)])))
      } catch (cause) {
        logger.error('site_figures_unreadable', { cause })
        return failWith({ kind: 'figures_unreadable' })
      }
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
      const { uploadedBytes, downloadedBytes, bonus, ratio, seeding } = user
      const snapshot = {
        uploadedBytes,
        downloadedBytes,
        bonus,
        ratio,
        seeding,
        seedingSizeBytes: user.seedingSizeBytes ?? null,
      }
      const row = {
        ...snapshot,
        username: user.username,
        level: user.level ?? null,
        bonusPerHour: user.bonusPerHour ?? null,
        leeching: user.leeching,
        unreadMessages: user.unreadMessages,
        hnrUnsatisfied: user.hnrUnsatisfied ?? null,
        fetchedAtUnix: nowUnix,
      }
      await db.batch([
        probe,
        db
          .insert(siteUsers)
          .values({ siteId, ...row })
          .onConflictDoUpdate({ target: siteUsers.siteId, set: row }),
        db
          .insert(siteSnapshots)
          .values({ siteId, day, ...snapshot })
          .onConflictDoUpdate({ target: [siteSnapshots.siteId, siteSnapshots.day], set: snapshot }),
      ])
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

function toUser(row: typeof siteUsers.$inferSelect): FetchedUser {
  const { siteId: _, level, bonusPerHour, seedingSizeBytes, hnrUnsatisfied, ...present } = row
  return {
    ...present,
    ...(level === null ? {} : { level }),
    ...(bonusPerHour === null ? {} : { bonusPerHour }),
    ...(seedingSizeBytes === null ? {} : { seedingSizeBytes }),
    ...(hnrUnsatisfied === null ? {} : { hnrUnsatisfied }),
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
