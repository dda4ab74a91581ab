import { asc, eq, type SQL, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { filterRule } from '../../contract/console-rules.ts'
import { feedItemSeconds, filterRulesMax } from '../../limits.ts'
import type { FilterRules, NamedRule, StoredRule } from '../../ports/feeds.ts'
import { createRuleRows } from './rule-rows.ts'
import { filterRules } from './schema/feeds.ts'

const daySeconds = 24 * 3600

/** How many a rule took since then, as a column beside it: each is counted through its index. */
export function takenSince(unix: number): SQL<number> {
  return sql<number>`(select count(*) from feed_items
    where feed_items.rule_id = filter_rules.id and decided_at_unix > ${unix} and status in ('taking', 'taken'))`
}

export function createFilterRules(db: DrizzleD1Database, clock: Clock): FilterRules {
  const ruleOf = ({ id, name, rule }: typeof filterRules.$inferSelect): NamedRule => ({
    id,
    name,
    rule: filterRule.parse(JSON.parse(rule)),
  })

  async function read(id?: number): Promise<StoredRule[]> {
    const nowUnix = unixSeconds(clock)
    const rows = await db
      .select({
        row: filterRules,
        taken: takenSince(nowUnix - feedItemSeconds),
        takenToday: takenSince(nowUnix - daySeconds),
      })
      .from(filterRules)
      .where(id === undefined ? undefined : eq(filterRules.id, id))
      .orderBy(asc(filterRules.position), asc(filterRules.id))
    return rows.map(({ row, ...taken }) => ({ ...ruleOf(row), enabled: row.enabled, ...taken }))
  }

  return {
    ...createRuleRows(db, clock, filterRules, { tableName: 'filter_rules', max: filterRulesMax, read }),

    async active() {
      const rows = await db
        .select()
        .from(filterRules)
        .where(eq(filterRules.enabled, true))
        .orderBy(asc(filterRules.position), asc(filterRules.id))
      return rows.map(ruleOf)
    },

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
