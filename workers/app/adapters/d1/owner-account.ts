import { asc, count, eq, inArray, lte } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { constantTimeEqual } from '#shared/http/constant-time-equal.ts'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { isKnownBrowser } from '../../core/doors.ts'
import type { PasswordPace } from '../../core/password-pace.ts'
import { scopes } from '../../core/vocabulary.ts'
import { passwordWaitMsMax, sessionSeconds, sessionsMax } from '../../limits.ts'
import type { Identifiers, KnownPrincipal, OwnerAccount, TooManyAttempts } from '../../ports.ts'
import { hashPassword, verifyPassword } from '../password-hash.ts'
import { sha256, toHex } from '../web-crypto.ts'
import type { Attempts } from './attempts.ts'
import { owner, sessions } from './schema.ts'

const onlyOwner = 1

export function createOwnerAccount(
  db: DrizzleD1Database,
  deps: {
    clock: Clock
    identifiers: Identifiers
    attempts: Attempts
    passwordPace: PasswordPace
    setupCode: string | undefined
  },
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

  /** Whether it is the owner's password; false also where there is no owner. Every try counts until it proves right. */
  async function checkPassword(
    password: string,
    stored: { readonly passwordHash: string } | undefined,
    from: string,
  ): Promise<Result<boolean, TooManyAttempts>> {
    const { attempts, clock, passwordPace } = deps
    const isKnown = isKnownBrowser(from)
    const lineMs = passwordPace.waitMs(isKnown, clock.nowMs())
    // Not counted: whoever fills the line must not use up what others have.
    if (lineMs > passwordWaitMsMax) return failWith({ retryAfterSeconds: Math.ceil(lineMs / 1000) })
    const retryAfterSeconds = await attempts.take('sign-in', from)
    if (retryAfterSeconds > 0) return failWith({ retryAfterSeconds })
    if (stored === undefined) return succeed(false)
    const waitMs = passwordPace.reserve(isKnown, clock.nowMs())
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
    const startedMs = clock.nowMs()
    const isRight = await verifyPassword(password, stored.passwordHash)
    passwordPace.took(clock.nowMs() - startedMs)
    if (isRight) await attempts.forget('sign-in', from)
    return succeed(isRight)
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
      const row = await storedOwner()
      const checked = await checkPassword(current, row, from)
      if (!checked.ok) return checked
      if (row === undefined || !checked.value) return failWith('wrong')
      return succeed(await replacePassword(next, row.setupCodeHash))
    },

    async signIn(password, from) {
      const row = await storedOwner()
      if (row === undefined) return failWith('not_set_up')
      const checked = await checkPassword(password, row, from)
      if (!checked.ok) return checked
      if (!checked.value) return failWith('wrong')
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
