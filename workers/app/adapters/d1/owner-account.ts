import { and, asc, count, eq, inArray, isNull, lte, type SQL, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { constantTimeEqual } from '#shared/http/constant-time-equal.ts'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { toHex } from '../../core/bytes.ts'
import { isKnownBrowser } from '../../core/doors.ts'
import type { PasswordPace } from '../../core/password-pace.ts'
import { type Entrance, entrances, type SignedInKind, scopes } from '../../core/vocabulary.ts'
import { passwordWaitMsMax, sessionSeconds, sessionsMax } from '../../limits.ts'
import type { EndedAccess, KnownPrincipal, NewPassword, OwnerAccount, TooManyAttempts } from '../../ports/account.ts'
import type { Identifiers } from '../../ports/runtime.ts'
import { hashPassword, verifyPassword } from '../password-hash.ts'
import { sha256 } from '../web-crypto.ts'
import type { Attempts } from './attempts.ts'
import { apiTokens, owner, passkeys, sessions } from './schema/account.ts'
import { devices, pairingCode } from './schema/devices.ts'

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
): OwnerAccount & {
  bySession(cookie: string): Promise<KnownPrincipal | undefined>
  /** For who has proved to be the owner in another way. */
  startSession(): Promise<{ readonly cookie: string }>
  passwordHash(): Promise<string | undefined>
} {
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
      tokenHash: toHex(sha256(cookie)),
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

  /** Statements of one batch; what is not to end matches no row. */
  function ending(ends: readonly (Entrance | SignedInKind)[]) {
    const now = unixSeconds(deps.clock)
    const isMeant = (kind: Entrance | SignedInKind): SQL => (ends.includes(kind) ? sql`1 = 1` : sql`1 = 0`)
    return [
      db
        .update(apiTokens)
        .set({ revokedAtUnix: now })
        .where(and(isMeant('tokens'), isNull(apiTokens.revokedAtUnix)))
        .returning({ id: apiTokens.id }),
      db.delete(devices).where(isMeant('devices')).returning({ id: devices.id }),
      // Whoever saw the code that waits could come back with it.
      db.delete(pairingCode).where(isMeant('devices')),
      db.delete(passkeys).where(isMeant('passkeys')).returning({ id: passkeys.id }),
      db.delete(sessions).where(isMeant('sessions')).returning({ id: sessions.tokenHash }),
    ] as const
  }

  async function replacePassword(
    { password, keep }: NewPassword,
    setupCodeHash: string,
  ): Promise<{ cookie: string; ended: EndedAccess }> {
    const now = unixSeconds(deps.clock)
    const passwordHash = await hashPassword(password)
    const ends = [...entrances.filter((entrance) => !keep.includes(entrance)), 'sessions' as const]
    const [tokens, ended, , keys, open] = await db.batch([
      ...ending(ends),
      db
        .insert(owner)
        .values({ id: onlyOwner, passwordHash, setupCodeHash, createdAtUnix: now, updatedAtUnix: now })
        .onConflictDoUpdate({ target: owner.id, set: { passwordHash, setupCodeHash, updatedAtUnix: now } }),
    ])
    return { ...(await startSession()), ended: endedAccess(tokens, ended, keys, open) }
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
      const codeHash = deps.setupCode === undefined ? undefined : toHex(sha256(deps.setupCode))
      return { done: row !== undefined, codeWaits: codeHash !== undefined && codeHash !== row?.setupCodeHash }
    },

    async setPassword(code, next, from) {
      if (deps.setupCode === undefined) return failWith('no_code')
      const wanted = sha256(deps.setupCode)
      // The code is too long to be guessed, so that who has it need not wait for those who guess.
      if (!constantTimeEqual(sha256(code), wanted)) {
        const retryAfterSeconds = await deps.attempts.take('setup', from)
        return failWith(retryAfterSeconds > 0 ? { retryAfterSeconds } : 'wrong')
      }
      const wantedHash = toHex(wanted)
      if ((await storedOwner())?.setupCodeHash === wantedHash) return failWith('wrong')
      return succeed(await replacePassword(next, wantedHash))
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
      await db.delete(sessions).where(eq(sessions.tokenHash, toHex(sha256(cookie))))
    },

    async signOutEverywhere(ends) {
      const [tokens, ended, , keys, open] = await db.batch(ending(ends))
      return endedAccess(tokens, ended, keys, open)
    },

    startSession,
    passwordHash: async () => (await storedOwner())?.passwordHash,

    async bySession(cookie) {
      const [row] = await db
        .select()
        .from(sessions)
        .where(eq(sessions.tokenHash, toHex(sha256(cookie))))
      if (row === undefined || unixSeconds(deps.clock) >= row.expiresAtUnix) return undefined
      return { principal: { kind: 'session', id: 'session', scopes: [...scopes] }, expiresAtUnix: row.expiresAtUnix }
    },
  }
}

type Ids = readonly { readonly id: string }[]

function endedAccess(tokens: Ids, devicesEnded: Ids, keys: Ids, open: Ids): EndedAccess {
  const idsOf = (rows: Ids) => rows.map(({ id }) => id)
  return { tokens: idsOf(tokens), devices: idsOf(devicesEnded), passkeys: keys.length, sessions: open.length }
}
