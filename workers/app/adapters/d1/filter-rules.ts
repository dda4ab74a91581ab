import { and, asc, count, eq, gt, inArray, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { filterRule } from '../../contract/console-rules.ts'
import { feedItemSeconds, filterRulesMax } from '../../limits.ts'
import type { FilterRules, StoredRule } from '../../ports/feeds.ts'
import { createRuleRows } from './rule-rows.ts'
import { feedItems, filterRules } from './schema/feeds.ts'

const daySeconds = 24 * 3600

export function createFilterRules(db: DrizzleD1Database, clock: Clock): FilterRules {
  async function read(id?: number): Promise<StoredRule[]> {
    const nowUnix = unixSeconds(clock)
    const taken = db
      .select({
        ruleId: feedItems.ruleId,
        month: count().as('month'),
        day: sql<number>`sum(${feedItems.decidedAtUnix} > ${nowUnix - daySeconds})`.as('day'),
      })
      .from(feedItems)
      .where(
        and(inArray(feedItems.status, ['taking', 'taken']), gt(feedItems.decidedAtUnix, nowUnix - feedItemSeconds)),
      )
      .groupBy(feedItems.ruleId)
      .as('taken')
    const rows = await db
      .select({ row: filterRules, month: taken.month, day: taken.day })
      .from(filterRules)
      .leftJoin(taken, eq(taken.ruleId, filterRules.id))
      .where(id === undefined ? undefined : eq(filterRules.id, id))
      .orderBy(asc(filterRules.position), asc(filterRules.id))
    return rows.map(({ row, month, day }) => ({
      id: row.id,
      name: row.name,
      enabled: row.enabled,
      rule: filterRule.parse(JSON.parse(row.rule)),
      taken: month ?? 0,
      takenToday: day ?? 0,
    }))
  }

  return {
    ...createRuleRows(db, clock, filterRules, { tableName: 'filter_rules', max: filterRulesMax, read }),

    async replace(changes) {
      const nowUnix = unixSeconds(clock)
      const rows = JSON.stringify(
        changes.map((change) => ({ ...change, enabled: change.enabled ? 1 : 0, rule: JSON.stringify(change.rule) })),
      )
      await db.batch([
        db.delete(filterRules).where(sql`name not in (select value ->> 'name' from json_each(${rows}))`),
        db
          .insert(filterRules)
          .select(
            sql`select null, value ->> 'name', value ->> 'enabled', key, value ->> 'rule', ${nowUnix}, ${nowUnix}
              from json_each(${rows}) where true`,
          )
          .onConflictDoUpdate({
            target: filterRules.name,
            set: {
              enabled: sql`excluded.enabled`,
              rule: sql`excluded.rule`,
              position: sql`excluded.position`,
              updatedAtUnix: nowUnix,
            },
          }),
      ])
    },
  }
}
