import { and, asc, eq, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { siteOverrides } from '../../contract/site-definition.ts'
import { siteAbilities } from '../../core/site.ts'
import type { SecretBox } from '../../ports/secrets.ts'
import type { HeldCookie, SiteCookies } from '../../ports/site-cookies.ts'
import { openCredentials, sealCredentials } from '../site-credentials.ts'
import { sites } from './schema/sites.ts'

export function createSiteCookies(
  db: DrizzleD1Database,
  { clock, secrets }: { readonly clock: Clock; readonly secrets: SecretBox },
): SiteCookies {
  return {
    async list() {
      const rows = await db.select().from(sites).orderBy(asc(sites.id))
      const held = rows.map(async ({ id, name, kind, baseUrl, revision, hasCookie, sealedCredentials }) => {
        const { credential } = siteAbilities[kind]
        // Where a key opens the account as well, a cookie is only renewed.
        if (credential === 'api_key' || (credential === 'either' && !hasCookie)) return []
        const opened = await openCredentials(secrets, id, sealedCredentials)
        return opened.ok ? [{ id, name, baseUrl, revision, cookie: opened.value.cookie } satisfies HeldCookie] : []
      })
      return (await Promise.all(held)).flat()
    },

    async renew({ id, revision }, { cookie, from, userAgent }) {
      const unchanged = and(eq(sites.id, id), eq(sites.revision, revision))
      const [row] = await db.select().from(sites).where(unchanged)
      if (row === undefined) return false
      const opened = await openCredentials(secrets, id, row.sealedCredentials)
      if (!opened.ok) return false
      const overrides = siteOverrides.parse(JSON.parse(row.overrides))
      const renewed = await db
        .update(sites)
        .set({
          hasCookie: true,
          cookieFrom: from,
          cookieAtUnix: unixSeconds(clock),
          sealedCredentials: await sealCredentials(secrets, id, { ...opened.value, cookie }),
          ...(userAgent === undefined ? {} : { overrides: JSON.stringify({ ...overrides, user_agent: userAgent }) }),
          updatedAtUnix: unixSeconds(clock),
          revision: sql`${sites.revision} + 1`,
        })
        .where(unchanged)
        .returning({ id: sites.id })
      return renewed.length > 0
    },
  }
}
