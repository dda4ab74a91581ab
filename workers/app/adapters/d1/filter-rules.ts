import { asc, eq, type SQL, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { filterRule } from '../../contract/console-rules.ts'
import type { TakenToday } from '../../core/rules/day-bound.ts'
import { feedItemSeconds, filterRulesMax } from '../../limits.ts'
import type { FilterRules, NamedRule, StoredRule } from '../../ports/feeds.ts'
import { createRuleRows } from './rule-rows.ts'
import { filterRules } from './schema/feeds.ts'

const daySeconds = 24 * 3600

/** Of what a rule took since then, as a column beside it: looked for through its index. */
function ofTaken(what: SQL, sinceUnix: number, isMeant = sql`true`): SQL<number> {
  return sql<number>`(select ${what} from feed_items where feed_items.rule_id = filter_rules.id
    and decided_at_unix > ${sinceUnix} and status in ('taking', 'taken') and ${isMeant})`
}

/** In 24 hours; of their size, as far as it is known. */
function inDay(sinceUnix: number, isMeant?: SQL) {
  return {
    count: ofTaken(sql`count(*)`, sinceUnix, isMeant),
    bytes: ofTaken(sql`coalesce(sum(candidate ->> '$.sizeBytes'), 0)`, sinceUnix, isMeant),
  }
}

async function takenIn(db: DrizzleD1Database, day: ReturnType<typeof inDay>): Promise<ReadonlyMap<number, TakenToday>> {
  const rows = await db.select({ id: filterRules.id, ...day }).from(filterRules)
  return new Map(rows.map(({ id, ...taken }) => [id, taken]))
}

/** What each rule took in the last 24 hours. Where the clock was put back, what seems to be still to come counts too. */
export function takenToday(db: DrizzleD1Database, nowUnix: number): Promise<ReadonlyMap<number, TakenToday>> {
  return takenIn(db, inDay(nowUnix - daySeconds))
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
        taken: ofTaken(sql`count(*)`, nowUnix - feedItemSeconds),
        ...inDay(nowUnix - daySeconds),
      })
      .from(filterRules)
      .where(id === undefined ? undefined : eq(filterRules.id, id))
      .orderBy(asc(filterRules.position), asc(filterRules.id))
    return rows.map(({ row, taken, ...takenToday }) => ({ ...ruleOf(row), enabled: row.enabled, taken, takenToday }))
  }

  return {
    ...createRuleRows(db, clock, filterRules, { tableName: 'filter_rules', max: filterRulesMax, read }),

    takenBefore: (unix) => takenIn(db, inDay(unix - daySeconds, sql`decided_at_unix <= ${unix}`)),

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
