import { asc, count, eq, inArray, lte, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { constantTimeEqual } from '#shared/http/constant-time-equal.ts'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { failWith, succeed } from '#shared/kernel/result.ts'
import { scopes } from '../../core/vocabulary.ts'
import {
  secretAttemptsMax,
  secretAttemptsOfAllMax,
  secretAttemptsWindowSeconds,
  sessionSeconds,
  sessionsMax,
} from '../../limits.ts'
import type { Identifiers, KnownPrincipal, OwnerAccount } from '../../ports.ts'
import { hashPassword, verifyPassword } from '../password-hash.ts'
import { sha256, toHex } from '../web-crypto.ts'
import { attempts, owner, sessions } from './schema.ts'

const onlyOwner = 1

/** Names of the doors whose failed attempts are counted. */
type Door = 'setup' | 'sign-in'

export function createOwnerAccount(
  db: DrizzleD1Database,
  deps: { clock: Clock; identifiers: Identifiers; setupCode: string | undefined },
): OwnerAccount & { bySession(cookie: string): Promise<KnownPrincipal | undefined> } {
  /**
   * Counts an attempt before the secret is looked at, in one statement, so that many at once cannot slip through
   * together. False when the door is shut until its window ends: for one address after a few attempts, for everyone
   * after many, so that a stranger cannot easily lock the owner out and cannot guess from many addresses either.
   */
  async function mayTry(door: Door, from: string): Promise<boolean> {
    await db
      .delete(attempts)
      .where(lte(attempts.windowStartUnix, unixSeconds(deps.clock) - secretAttemptsWindowSeconds))
    const [own, all] = await db.batch([countAttempt(`${door} ${from}`), countAttempt(door)])
    return (own[0]?.count ?? 0) <= secretAttemptsMax && (all[0]?.count ?? 0) <= secretAttemptsOfAllMax
  }

  function countAttempt(key: string) {
    return db
      .insert(attempts)
      .values({ key, count: 1, windowStartUnix: unixSeconds(deps.clock) })
      .onConflictDoUpdate({ target: attempts.key, set: { count: sql`${attempts.count} + 1` } })
      .returning({ count: attempts.count })
  }

  /** A right answer opens the door again for the next mistake. */
  async function forgetAttempts(door: Door, from: string): Promise<void> {
    await db.delete(attempts).where(eq(attempts.key, `${door} ${from}`))
  }

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
      if (!(await mayTry('setup', from))) return failWith('too_many_attempts')
      const wanted = await sha256(deps.setupCode)
      const wantedHash = toHex(wanted)
      const used = (await storedOwner())?.setupCodeHash === wantedHash
      if (!constantTimeEqual(await sha256(code), wanted) || used) return failWith('wrong')
      await forgetAttempts('setup', from)
      return succeed(await replacePassword(password, wantedHash))
    },

    async changePassword(current, next, from) {
      const row = await storedOwner()
      if (!(await mayTry('sign-in', from))) return failWith('too_many_attempts')
      if (row === undefined || !(await verifyPassword(current, row.passwordHash))) return failWith('wrong')
      await forgetAttempts('sign-in', from)
      return succeed(await replacePassword(next, row.setupCodeHash))
    },

    async signIn(password, from) {
      const row = await storedOwner()
      if (row === undefined) return failWith('not_set_up')
      if (!(await mayTry('sign-in', from))) return failWith('too_many_attempts')
      if (!(await verifyPassword(password, row.passwordHash))) return failWith('wrong')
      await forgetAttempts('sign-in', from)
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
