import { and, asc, count, eq, gt, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { endRule } from '../../contract/console-ends.ts'
import { endRulesMax, torrentEndSeconds } from '../../limits.ts'
import type { EndRules, StoredEndRule } from '../../ports/ends.ts'
import { createRuleRows } from './rule-rows.ts'
import { endRules, torrentEnds } from './schema/ends.ts'

const daySeconds = 24 * 3600

export function createEndRules(db: DrizzleD1Database, clock: Clock): EndRules {
  async function read(id?: number): Promise<StoredEndRule[]> {
    const nowUnix = unixSeconds(clock)
    const ended = db
      .select({
        ruleId: torrentEnds.ruleId,
        month: count().as('month'),
        day: sql<number>`sum(${torrentEnds.decidedAtUnix} > ${nowUnix - daySeconds})`.as('day'),
      })
      .from(torrentEnds)
      .where(and(eq(torrentEnds.status, 'ended'), gt(torrentEnds.decidedAtUnix, nowUnix - torrentEndSeconds)))
      .groupBy(torrentEnds.ruleId)
      .as('ended')
    const found = await db
      .select({ row: endRules, month: ended.month, day: ended.day })
      .from(endRules)
      .leftJoin(ended, eq(ended.ruleId, endRules.id))
      .where(id === undefined ? undefined : eq(endRules.id, id))
      .orderBy(asc(endRules.position), asc(endRules.id))
    return found.map(({ row, month, day }) => ({
      id: row.id,
      name: row.name,
      enabled: row.enabled,
      rule: endRule.parse(JSON.parse(row.rule)),
      ended: month ?? 0,
      endedToday: day ?? 0,
    }))
  }

  return createRuleRows(db, clock, endRules, { tableName: 'end_rules', max: endRulesMax, read })
}
