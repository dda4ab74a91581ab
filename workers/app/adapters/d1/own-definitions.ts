import { and, count, eq, inArray, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { failWith, succeed } from '#shared/kernel/result.ts'
import type { SiteOverrides } from '../../contract/site-definition.ts'
import type { DefinitionFacts } from '../../core/cardigann/checked-definition.ts'
import { ownDefinitionsMax } from '../../limits.ts'
import type { OwnDefinition, OwnDefinitions } from '../../ports/site-definitions.ts'
import { ownDefinitions, sites } from './schema/sites.ts'

/** What definitions set for the sites that are made from them, by their ids. */
export type Brought = ReadonlyMap<string, SiteOverrides>

/** D1 takes 100 values in one statement. */
const idsAtOnce = 90

export async function broughtFor(
  db: DrizzleD1Database,
  rows: readonly { readonly kind: string; readonly definition: string }[],
): Promise<Brought> {
  const ids = [...new Set(rows.filter(({ kind }) => kind === 'cardigann').map(({ definition }) => definition))]
  const found = new Map<string, SiteOverrides>()
  for (let at = 0; at < ids.length; at += idsAtOnce) {
    const some = await db
      .select({ id: ownDefinitions.id, overrides: ownDefinitions.overrides })
      .from(ownDefinitions)
      .where(inArray(ownDefinitions.id, ids.slice(at, at + idsAtOnce)))
    for (const { id, overrides } of some) found.set(id, JSON.parse(overrides) as SiteOverrides)
  }
  return found
}

/** With the definition itself, as a driver needs it. */
export async function findBrought(
  db: DrizzleD1Database,
  id: string,
): Promise<{ readonly overrides: SiteOverrides; readonly tree: string } | undefined> {
  const [row] = await db
    .select({ overrides: ownDefinitions.overrides, tree: ownDefinitions.tree })
    .from(ownDefinitions)
    .where(eq(ownDefinitions.id, id))
  return row === undefined ? undefined : { tree: row.tree, overrides: JSON.parse(row.overrides) as SiteOverrides }
}

export function createOwnDefinitions(db: DrizzleD1Database, clock: Clock): OwnDefinitions {
  const shown = {
    id: ownDefinitions.id,
    facts: ownDefinitions.facts,
    address: ownDefinitions.address,
    updatedAtUnix: ownDefinitions.updatedAtUnix,
  }

  /** Sites that are made from each. */
  async function uses(): Promise<ReadonlyMap<string, number>> {
    const rows = await db
      .select({ definition: sites.definition, count: count() })
      .from(sites)
      .where(eq(sites.kind, 'cardigann'))
      .groupBy(sites.definition)
    return new Map(rows.map((row) => [row.definition, row.count]))
  }

  async function find(id: string): Promise<OwnDefinition | undefined> {
    const [row] = await db.select(shown).from(ownDefinitions).where(eq(ownDefinitions.id, id))
    if (row === undefined) return undefined
    return { ...row, facts: JSON.parse(row.facts) as DefinitionFacts, sites: (await uses()).get(id) ?? 0 }
  }

  return {
    find,

    async list() {
      const [rows, used] = await Promise.all([db.select(shown).from(ownDefinitions), uses()])
      return rows
        .map((row) => ({ ...row, facts: JSON.parse(row.facts) as DefinitionFacts, sites: used.get(row.id) ?? 0 }))
        .sort((one, other) => one.facts.name.localeCompare(other.facts.name, 'en') || (one.id < other.id ? -1 : 1))
    },

    async put(checked, address) {
      const present = await find(checked.id)
      if (present === undefined) {
        const [totals] = await db.select({ count: count() }).from(ownDefinitions)
        if ((totals?.count ?? 0) >= ownDefinitionsMax) return failWith('too_many')
      }
      const nowUnix = unixSeconds(clock)
      const columns = {
        facts: JSON.stringify(checked.facts),
        overrides: JSON.stringify(checked.overrides),
        tree: JSON.stringify(checked.tree),
        address,
        updatedAtUnix: nowUnix,
      }
      await db.batch([
        db
          .insert(ownDefinitions)
          .values({ id: checked.id, ...columns, createdAtUnix: nowUnix })
          .onConflictDoUpdate({ target: ownDefinitions.id, set: columns }),
        // A driver that was made by the one before is made anew.
        db
          .update(sites)
          .set({ revision: sql`${sites.revision} + 1` })
          .where(and(eq(sites.kind, 'cardigann'), eq(sites.definition, checked.id))),
      ])
      const stored = await find(checked.id)
      if (stored === undefined) throw new Error('the definition was not written')
      return succeed(stored)
    },

    async remove(id) {
      const present = await find(id)
      if (present === undefined) return failWith('not_found')
      if (present.sites > 0) return failWith('in_use')
      await db.delete(ownDefinitions).where(eq(ownDefinitions.id, id))
      return succeed(true)
    },
  }
}
