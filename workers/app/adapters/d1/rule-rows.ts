/** Rules in their order, of whichever kind: each kind has a table of the same columns. */
import { count, eq, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { isTaken } from './is-taken.ts'
import type { endRules } from './schema/ends.ts'
import type { filterRules } from './schema/feeds.ts'

export type RuleTable = typeof filterRules | typeof endRules

interface Change {
  readonly name: string
  readonly enabled: boolean
  readonly rule: unknown
}

export interface RuleRows<Stored> {
  list(): Promise<Stored[]>
  /** At the end. */
  add(change: Change): Promise<Result<Stored, 'name_taken' | 'too_many'>>
  update(id: number, change: Change): Promise<Result<Stored, 'not_found' | 'name_taken'>>
  remove(id: number): Promise<boolean>
  /** False when it does not name each rule once. */
  order(ids: readonly number[]): Promise<boolean>
}

export function createRuleRows<Stored>(
  db: DrizzleD1Database,
  clock: Clock,
  table: RuleTable,
  {
    tableName,
    max,
    read,
  }: {
    readonly tableName: 'filter_rules' | 'end_rules'
    readonly max: number
    /** In their order; with a number that one alone. */
    readonly read: (id?: number) => Promise<Stored[]>
  },
): RuleRows<Stored> {
  const columnsOf = ({ name, enabled, rule }: Change) => ({
    name,
    enabled,
    rule: JSON.stringify(rule),
    updatedAtUnix: unixSeconds(clock),
  })

  /** The index over names decides, so that two writes at once cannot make one name twice. */
  async function named<T>(write: () => Promise<T>): Promise<Result<T, 'name_taken'>> {
    try {
      return succeed(await write())
    } catch (error) {
      if (isTaken(error, `${tableName}.name`)) return failWith('name_taken')
      throw error
    }
  }

  async function written(id: number): Promise<Stored> {
    const [rule] = await read(id)
    if (rule === undefined) throw new Error('the rule was not written')
    return rule
  }

  return {
    list: () => read(),

    async add(change) {
      const [present] = await db.select({ count: count() }).from(table)
      if ((present?.count ?? 0) >= max) return failWith('too_many')
      const added = await named(() =>
        db
          .insert(table)
          .values({
            ...columnsOf(change),
            position: sql`(select coalesce(max(position), 0) + 1 from ${table})`,
            createdAtUnix: unixSeconds(clock),
          })
          .returning({ id: table.id }),
      )
      return added.ok ? succeed(await written(added.value[0]?.id ?? 0)) : added
    },

    async update(id, change) {
      const changed = await named(() =>
        db.update(table).set(columnsOf(change)).where(eq(table.id, id)).returning({ id: table.id }),
      )
      if (!changed.ok) return changed
      return changed.value.length === 0 ? failWith('not_found') : succeed(await written(id))
    },

    async remove(id) {
      const removed = await db.delete(table).where(eq(table.id, id)).returning({ id: table.id })
      return removed.length > 0
    },

    async order(ids) {
      const wanted = JSON.stringify(ids)
      // One statement: a rule that was added meanwhile makes the list too short, and then nothing moves.
      const moved = await db.all(sql`
        update ${table} set position = (select key from json_each(${wanted}) where value = ${table}.id)
        where (select count(*) from ${table}) = (select count(distinct value) from json_each(${wanted}))
          and json_array_length(${wanted}) = (select count(*) from ${table})
          and not exists (select 1 from ${table} where id not in (select value from json_each(${wanted})))
        returning id`)
      if (ids.length > 0) return moved.length === ids.length
      const [present] = await db.select({ count: count() }).from(table)
      return present?.count === 0
    },
  }
}
