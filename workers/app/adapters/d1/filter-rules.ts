import { and, asc, count, eq, gt, inArray, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { filterRule } from '../../contract/console-rules.ts'
import { feedItemSeconds, filterRulesMax } from '../../limits.ts'
import type { FilterRules, RuleChange, StoredRule } from '../../ports/feeds.ts'
import { isTaken } from './is-taken.ts'
import { feedItems, filterRules } from './schema/feeds.ts'

const daySeconds = 24 * 3600

export function createFilterRules(db: DrizzleD1Database, clock: Clock): FilterRules {
  async function list(id?: number): Promise<StoredRule[]> {
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

  async function written(id: number): Promise<StoredRule> {
    const [rule] = await list(id)
    if (rule === undefined) throw new Error('the rule was not written')
    return rule
  }

  const columnsOf = ({ name, enabled, rule }: RuleChange) => ({
    name,
    enabled,
    rule: JSON.stringify(rule),
    updatedAtUnix: unixSeconds(clock),
  })

  return {
    list: () => list(),

    async add(change) {
      const [present] = await db.select({ count: count() }).from(filterRules)
      if ((present?.count ?? 0) >= filterRulesMax) return failWith('too_many')
      const added = await named(() =>
        db
          .insert(filterRules)
          .values({
            ...columnsOf(change),
            position: sql`(select coalesce(max(position), 0) + 1 from filter_rules)`,
            createdAtUnix: unixSeconds(clock),
          })
          .returning({ id: filterRules.id }),
      )
      if (!added.ok) return added
      return succeed(await written(added.value[0]?.id ?? 0))
    },

    async update(id, change) {
      const changed = await named(() =>
        db.update(filterRules).set(columnsOf(change)).where(eq(filterRules.id, id)).returning({ id: filterRules.id }),
      )
      if (!changed.ok) return changed
      return changed.value.length === 0 ? failWith('not_found') : succeed(await written(id))
    },

    async remove(id) {
      const removed = await db.delete(filterRules).where(eq(filterRules.id, id)).returning({ id: filterRules.id })
      return removed.length > 0
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

    async order(ids) {
      const wanted = JSON.stringify(ids)
      // One statement: a rule that was added meanwhile makes the list too short, and then nothing moves.
      const moved = await db.all(sql`
        update filter_rules set position = (select key from json_each(${wanted}) where value = filter_rules.id)
        where (select count(*) from filter_rules) = (select count(distinct value) from json_each(${wanted}))
          and json_array_length(${wanted}) = (select count(*) from filter_rules)
          and not exists (select 1 from filter_rules where id not in (select value from json_each(${wanted})))
        returning id`)
      return ids.length === 0 ? (await list()).length === 0 : moved.length === ids.length
    },
  }
}

/** The index over names decides, so that two writes at once cannot make one name twice. */
async function named<T>(write: () => Promise<T>): Promise<Result<T, 'name_taken'>> {
  try {
    return succeed(await write())
  } catch (error) {
    if (isTaken(error, 'filter_rules.name')) return failWith('name_taken')
    throw error
  }
}
