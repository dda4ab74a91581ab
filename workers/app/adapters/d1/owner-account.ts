import { asc, count, eq, inArray, lte } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { constantTimeEqual } from '#shared/http/constant-time-equal.ts'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { failWith, succeed } from '#shared/kernel/result.ts'
import { scopes } from '../../core/vocabulary.ts'
import { sessionSeconds, sessionsMax } from '../../limits.ts'
import type { Identifiers, KnownPrincipal, OwnerAccount } from '../../ports.ts'
import { hashPassword, verifyPassword } from '../password-hash.ts'
import { sha256, toHex } from '../web-crypto.ts'
import type { Attempts } from './attempts.ts'
import { owner, sessions } from './schema.ts'

const onlyOwner = 1

export function createOwnerAccount(
  db: DrizzleD1Database,
  deps: { clock: Clock; identifiers: Identifiers; attempts: Attempts; setupCode: string | undefined },
): OwnerAccount & { bySession(cookie: string): Promise<KnownPrincipal | undefined> } {
  async function startSession(): Promise<{ cookie: string }> {
    const now = unixSeconds(deps.clock)
    const cookie = deps.identifiers.secret()
    await db.delete(sessions).where(lte(sessions.expiresAtUnix, now))
    const [present] = await db.select({ count: count() }).from(sessions)
    const surplus = (present?.count ?? 0) - (sessionsMax - 1)
    if (surplus > 0) {
      const oldest = db
        .select({ tokenHash: sessions.tokenHash })
        .from(sessions)
        .orderBy(asc(sessions.createdAtUnix))
        .limit(surplus)
      await db.delete(sessions).where(inArray(sessions.tokenHash, oldest))
    }
    await db.insert(sessions).values({
      tokenHash: toHex(await sha256(cookie)),
      createdAtUnix: now,
      expiresAtUnix: now + sessionSeconds,
      lastUsedAtUnix: now,
    })
    return { cookie }
  }

  async function storedOwner() {
    const [row] = await db.select().from(owner).where(eq(owner.id, onlyOwner))
    return row
  }

  async function replacePassword(password: string, setupCodeHash: string): Promise<{ cookie: string }> {
    const now = unixSeconds(deps.clock)
    const passwordHash = await hashPassword(password)
    await db.batch([
      db
        .insert(owner)
        .values({ id: onlyOwner, passwordHash, setupCodeHash, createdAtUnix: now, updatedAtUnix: now })
        .onConflictDoUpdate({ target: owner.id, set: { passwordHash, setupCodeHash, updatedAtUnix: now } }),
      db.delete(sessions),
    ])
    return startSession()
  }

  return {
    async setUp() {
      const row = await storedOwner()
      const codeHash = deps.setupCode === undefined ? undefined : toHex(await sha256(deps.setupCode))
      return { done: row !== undefined, codeWaits: codeHash !== undefined && codeHash !== row?.setupCodeHash }
    },

    async setPassword(code, password, from) {
      if (deps.setupCode === undefined) return failWith('no_code')
      const wanted = await sha256(deps.setupCode)
      // The code is too long to be guessed, so that who has it need not wait for those who guess.
      if (!constantTimeEqual(await sha256(code), wanted)) {
        const retryAfterSeconds = await deps.attempts.take('setup', from)
        return failWith(retryAfterSeconds > 0 ? { retryAfterSeconds } : 'wrong')
      }
      const wantedHash = toHex(wanted)
      if ((await storedOwner())?.setupCodeHash === wantedHash) return failWith('wrong')
      return succeed(await replacePassword(password, wantedHash))
    },

    async changePassword(current, next, from) {
      const retryAfterSeconds = await deps.attempts.take('sign-in', from)
      if (retryAfterSeconds > 0) return failWith({ retryAfterSeconds })
      const row = await storedOwner()
      if (row === undefined || !(await verifyPassword(current, row.passwordHash))) return failWith('wrong')
      await deps.attempts.forget('sign-in', from)
      return succeed(await replacePassword(next, row.setupCodeHash))
    },

    async signIn(password, from) {
      const retryAfterSeconds = await deps.attempts.take('sign-in', from)
      if (retryAfterSeconds > 0) return failWith({ retryAfterSeconds })
      const row = await storedOwner()
      if (row === undefined) return failWith('not_set_up')
      if (!(await verifyPassword(password, row.passwordHash))) return failWith('wrong')
      await deps.attempts.forget('sign-in', from)
      return succeed(await startSession())
    },

    async signOut(cookie) {
      await db.delete(sessions).where(eq(sessions.tokenHash, toHex(await sha256(cookie))))
    },

    async bySession(cookie) {
      const [row] = await db
        .select()
        .from(sessions)
        .where(eq(sessions.tokenHash, toHex(await sha256(cookie))))
      if (row === undefined || unixSeconds(deps.clock) >= row.expiresAtUnix) return undefined
      return { principal: { kind: 'session', id: 'session', scopes: [...scopes] }, expiresAtUnix: row.expiresAtUnix }
    },
  }
}
