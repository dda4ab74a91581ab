import { and, desc, eq, inArray, notInArray, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import type { SitePlanState } from '../../core/vocabulary.ts'
import { sitePlansKept } from '../../limits.ts'
import type { SitePlan, SitePlanFacts, SitePlanStep } from '../../ports/site-plans.ts'
import { pushRecords } from './schema/pushes.ts'
import { sitePlans } from './schema/site-plans.ts'
import { sites } from './schema/sites.ts'

export interface SitePlanStore {
  newest(siteId: number): Promise<SitePlan[]>
  find(id: number): Promise<SitePlan | undefined>
  /** In place of one of the site that waits for a yes. */
  propose(siteId: number, facts: SitePlanFacts, steps: readonly SitePlanStep[]): Promise<SitePlan | undefined>
  /** From now on it runs, and no other of its site does. False when it waits for a yes no more. */
  begin(plan: Pick<SitePlan, 'id' | 'siteId'>): Promise<boolean>
  end(id: number, state: Exclude<SitePlanState, 'proposed' | 'running'>): Promise<void>
  running(): Promise<SitePlan[]>
  /** False when the plan does not run any more. */
  note(id: number, steps: readonly SitePlanStep[]): Promise<boolean>
  /** Of these numbers of a site, the ones that were pushed. */
  pushed(site: string, torrentIds: readonly string[]): Promise<ReadonlySet<string>>
  /** Names of sites whose torrents stay, and hashes of torrents that do. */
  kept(): Promise<{ readonly sites: ReadonlySet<string>; readonly infoHashes: ReadonlySet<string> }>
}

export function createSitePlanStore(db: DrizzleD1Database, clock: Clock): SitePlanStore {
  const isRunning = eq(sitePlans.state, 'running')
  const running = async () => (await db.select().from(sitePlans).where(isRunning).orderBy(sitePlans.id)).map(toPlan)

  return {
    async newest(siteId) {
      const rows = await db
        .select()
        .from(sitePlans)
        .where(eq(sitePlans.siteId, siteId))
        .orderBy(desc(sitePlans.id))
        .limit(sitePlansKept)
      return rows.map(toPlan)
    },

    async find(id) {
      const [row] = await db.select().from(sitePlans).where(eq(sitePlans.id, id))
      return row === undefined ? undefined : toPlan(row)
    },

    async propose(siteId, facts, steps) {
      const kept = db
        .select({ id: sitePlans.id })
        .from(sitePlans)
        .where(eq(sitePlans.siteId, siteId))
        .orderBy(desc(isRunning), desc(sitePlans.id))
        .limit(sitePlansKept)
      const [, inserted] = await db.batch([
        db.delete(sitePlans).where(and(eq(sitePlans.siteId, siteId), eq(sitePlans.state, 'proposed'))),
        db
          .insert(sitePlans)
          .values({
            ...{ siteId, state: 'proposed', plan: JSON.stringify(facts), steps: JSON.stringify(steps) },
            madeAtUnix: unixSeconds(clock),
          })
          .returning(),
        db.delete(sitePlans).where(and(eq(sitePlans.siteId, siteId), notInArray(sitePlans.id, kept))),
        // Its site may have been removed meanwhile.
        db.delete(sitePlans).where(notInArray(sitePlans.siteId, db.select({ id: sites.id }).from(sites))),
      ])
      const [row] = inserted
      return row === undefined ? undefined : toPlan(row)
    },

    async begin({ id, siteId }) {
      const nowUnix = unixSeconds(clock)
      const isProposed = and(eq(sitePlans.id, id), eq(sitePlans.state, 'proposed'))
      const [, begun] = await db.batch([
        db
          .update(sitePlans)
          .set({ state: 'replaced', endedAtUnix: nowUnix })
          .where(
            and(
              eq(sitePlans.siteId, siteId),
              isRunning,
              inArray(sitePlans.siteId, db.select({ siteId: sitePlans.siteId }).from(sitePlans).where(isProposed)),
            ),
          ),
        db
          .update(sitePlans)
          .set({ state: 'running', begunAtUnix: nowUnix })
          .where(isProposed)
          .returning({ id: sitePlans.id }),
      ])
      return begun.length > 0
    },

    async end(id, state) {
      await db
        .update(sitePlans)
        .set({ state, endedAtUnix: unixSeconds(clock) })
        .where(and(eq(sitePlans.id, id), isRunning))
    },

    running,

    async note(id, steps) {
      const rows = await db
        .update(sitePlans)
        .set({ steps: JSON.stringify(steps) })
        .where(and(eq(sitePlans.id, id), isRunning))
        .returning({ id: sitePlans.id })
      return rows.length > 0
    },

    async pushed(site, torrentIds) {
      const rows = await db
        .select({ torrentId: pushRecords.torrentId })
        .from(pushRecords)
        .where(
          and(
            eq(pushRecords.site, site),
            eq(pushRecords.pushed, true),
            sql`${pushRecords.torrentId} in (select value from json_each(${JSON.stringify(torrentIds)}))`,
          ),
        )
      return new Set(rows.map(({ torrentId }) => torrentId))
    },

    async kept() {
      const plans = await running()
      if (plans.length === 0) return { sites: new Set(), infoHashes: new Set() }
      const ids = plans.map(({ siteId }) => siteId)
      const rows = await db.select({ name: sites.name }).from(sites).where(inArray(sites.id, ids))
      const infoHashes = plans.flatMap(({ steps }) => steps.flatMap((one) => (one.kind === 'seed' ? one.infoHash : [])))
      return { sites: new Set(rows.map(({ name }) => name)), infoHashes: new Set(infoHashes) }
    },
  }
}

function toPlan(row: typeof sitePlans.$inferSelect): SitePlan {
  const { id, siteId, state, madeAtUnix, begunAtUnix, endedAtUnix } = row
  return {
    ...(JSON.parse(row.plan) as SitePlanFacts),
    ...{ id, siteId, state, madeAtUnix },
    steps: JSON.parse(row.steps) as SitePlanStep[],
    ...(begunAtUnix === null ? {} : { begunAtUnix }),
    ...(endedAtUnix === null ? {} : { endedAtUnix }),
  }
}
