import { and, count, desc, eq, isNull, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { constantTimeEqual } from '#shared/http/constant-time-equal.ts'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { failWith, succeed } from '#shared/kernel/result.ts'
import { fromHex, toHex } from '../../core/bytes.ts'
import { type Scope, scopes } from '../../core/vocabulary.ts'
import { apiTokensMax, lastUsedWriteSeconds } from '../../limits.ts'
import type { ApiToken, ApiTokens, KnownPrincipal } from '../../ports/account.ts'
import type { Background, Identifiers } from '../../ports/runtime.ts'
import { sha256 } from '../web-crypto.ts'
import { apiTokens } from './schema/account.ts'

/** `wharf_<id>_<secret>`. The id finds the row, the digest of the whole text decides. */
const tokenPattern = /^wharf_([A-Za-z0-9-]{8,32})_[A-Za-z0-9_-]{43}$/

/** Compared against when no row matches, so that an unknown id takes the same path as a wrong secret. */
const noHash = new Uint8Array(32)

export function createApiTokens(
  db: DrizzleD1Database,
  deps: { clock: Clock; identifiers: Identifiers; background: Background },
): ApiTokens & { byToken(token: string): Promise<KnownPrincipal | undefined> } {
  return {
    async list() {
      const rows = await db
        .select()
        .from(apiTokens)
        .where(isNull(apiTokens.revokedAtUnix))
        .orderBy(desc(apiTokens.createdAtUnix), desc(sql`rowid`))
      return rows.map(toApiToken)
    },

    async create(wanted) {
      const [present] = await db.select({ count: count() }).from(apiTokens).where(isNull(apiTokens.revokedAtUnix))
      if ((present?.count ?? 0) >= apiTokensMax) return failWith('too_many')
      // The separator of the token's text may not appear in its id.
      const id = deps.identifiers.next().replace(/[_-]/g, 'x')
      const text = `wharf_${id}_${deps.identifiers.secret()}`
      const row = {
        id,
        name: wanted.name,
        tokenHash: toHex(sha256(text)),
        scopes: scopes.filter((scope) => wanted.scopes.includes(scope)).join(','),
        createdAtUnix: unixSeconds(deps.clock),
        expiresAtUnix: wanted.expiresAtUnix ?? null,
        revokedAtUnix: null,
        lastUsedAtUnix: null,
      }
      await db.insert(apiTokens).values(row)
      return succeed({ token: toApiToken(row), text })
    },

    async revoke(id) {
      const revoked = await db
        .update(apiTokens)
        .set({ revokedAtUnix: unixSeconds(deps.clock) })
        .where(and(eq(apiTokens.id, id), isNull(apiTokens.revokedAtUnix)))
        .returning({ id: apiTokens.id })
      return revoked.length > 0
    },

    async byToken(token) {
      const id = tokenPattern.exec(token)?.[1]
      const hash = sha256(token)
      const [row] = id === undefined ? [] : await db.select().from(apiTokens).where(eq(apiTokens.id, id))
      const matches = constantTimeEqual(hash, row === undefined ? noHash : fromHex(row.tokenHash))
      if (row === undefined || !matches || row.revokedAtUnix !== null) return undefined
      const now = unixSeconds(deps.clock)
      if (row.expiresAtUnix !== null && now >= row.expiresAtUnix) return undefined
      if (row.lastUsedAtUnix === null || now - row.lastUsedAtUnix >= lastUsedWriteSeconds) {
        deps.background.run(db.update(apiTokens).set({ lastUsedAtUnix: now }).where(eq(apiTokens.id, row.id)))
      }
      return {
        principal: { kind: 'api_token', id: `token:${row.id}`, name: row.name, scopes: scopesOf(row.scopes) },
        ...(row.expiresAtUnix === null ? {} : { expiresAtUnix: row.expiresAtUnix }),
      }
    },
  }
}

function scopesOf(text: string): Scope[] {
  const held = text.split(',')
  return scopes.filter((scope) => held.includes(scope))
}

function toApiToken(row: typeof apiTokens.$inferSelect): ApiToken {
  return {
    id: row.id,
    name: row.name,
    scopes: scopesOf(row.scopes),
    createdAtUnix: row.createdAtUnix,
    ...(row.expiresAtUnix === null ? {} : { expiresAtUnix: row.expiresAtUnix }),
    ...(row.lastUsedAtUnix === null ? {} : { lastUsedAtUnix: row.lastUsedAtUnix }),
  }
}
