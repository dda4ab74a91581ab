import { and, count, desc, eq, lt, lte, or, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { failWith, succeed } from '#shared/kernel/result.ts'
import { fromBase64, toBase64Url } from '../../core/bytes.ts'
import { passkeyChallengeSeconds, passkeysMax } from '../../limits.ts'
import type { Passkey, Passkeys } from '../../ports/account.ts'
import { createPasskeyChallenges, type PasskeyChallenges } from '../passkey-challenges.ts'
import { sha256 } from '../web-crypto.ts'
import { passkeys } from './schema/account.ts'

/** ES256, which every authenticator knows, and RS256 for older ones in computers. */
const algorithms = [-7, -257]

interface PasskeyDeps {
  readonly clock: Clock
  /** Undefined before set-up. */
  passwordHash(): Promise<string | undefined>
  startSession(): Promise<{ readonly cookie: string }>
}

export function createPasskeys(db: DrizzleD1Database, deps: PasskeyDeps): Passkeys {
  async function challenges(): Promise<PasskeyChallenges | undefined> {
    const secret = await deps.passwordHash()
    return secret === undefined ? undefined : createPasskeyChallenges(secret, deps.clock)
  }

  /** One for all, so that an authenticator takes a second passkey for this owner as another one of the same. */
  async function userHandle(): Promise<string> {
    const [row] = await db.select({ userHandle: passkeys.userHandle }).from(passkeys).limit(1)
    // Before the first one is stored it has to be the same each time as well.
    return row?.userHandle ?? toBase64Url(sha256(`wharf passkey owner ${await deps.passwordHash()}`))
  }

  async function isFull(): Promise<boolean> {
    const [present] = await db.select({ count: count() }).from(passkeys)
    return (present?.count ?? 0) >= passkeysMax
  }

  return {
    async list() {
      return (await db.select().from(passkeys).orderBy(desc(passkeys.createdAtUnix), desc(sql`rowid`))).map(toPasskey)
    },

    async worksAt(host) {
      return (await db.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.host, host)).limit(1)).length > 0
    },

    async begin({ host }) {
      const made = await challenges()
      if (made === undefined || (await isFull())) return failWith('too_many')
      const present = await db.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.host, host))
      return succeed({
        rp: { id: host, name: 'Wharf' },
        user: { id: await userHandle(), name: 'admin', displayName: 'Wharf' },
        challenge: await made.make('add', host),
        pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key' as const, alg })),
        timeout: passkeyChallengeSeconds * 1000,
        excludeCredentials: present.map(({ id }) => ({ type: 'public-key' as const, id })),
        authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
        attestation: 'none',
      } as const)
    },

    async add({ origin, host }, name, { id, response }) {
      const made = await challenges()
      if (made === undefined || isFramed(response.clientDataJSON)) return failWith('refused')
      let challengeMs = 0
      // Fetched when a passkey is used for the first time: nobody else waits for what it brings along.
      const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
      const verified = await verifyRegistrationResponse({
        response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response },
        expectedChallenge: async (challenge) => {
          challengeMs = (await made.madeAt(challenge, 'add', host)) ?? 0
          return challengeMs > 0
        },
        expectedOrigin: origin,
        expectedRPID: host,
        requireUserVerification: true,
        supportedAlgorithmIDs: algorithms,
      }).catch(() => undefined)
      if (verified?.verified !== true || verified.registrationInfo.fmt !== 'none') return failWith('refused')
      const { credential, credentialBackedUp } = verified.registrationInfo
      if (await isFull()) return failWith('too_many')
      const [row] = await db
        .insert(passkeys)
        .values({
          id: credential.id,
          publicKey: toBase64Url(credential.publicKey),
          name,
          host,
          userHandle: await userHandle(),
          counter: credential.counter,
          isSynced: credentialBackedUp,
          challengeMs,
          createdAtUnix: unixSeconds(deps.clock),
          lastUsedAtUnix: null,
        })
        .onConflictDoNothing()
        .returning()
      return row === undefined ? failWith('refused') : succeed(toPasskey(row))
    },

    async rename(id, name) {
      const [row] = await db.update(passkeys).set({ name }).where(eq(passkeys.id, id)).returning()
      return row === undefined ? undefined : toPasskey(row)
    },

    async remove(id) {
      return (await db.delete(passkeys).where(eq(passkeys.id, id)).returning({ id: passkeys.id })).length > 0
    },

    async beginSignIn({ host }) {
      const made = await challenges()
      if (made === undefined) return failWith('refused')
      return succeed({
        challenge: await made.make('sign-in', host),
        rpId: host,
        timeout: passkeyChallengeSeconds * 1000,
        userVerification: 'required',
      } as const)
    },

    async signIn({ origin, host }, { id, response }) {
      const [[row], made] = await Promise.all([db.select().from(passkeys).where(eq(passkeys.id, id)), challenges()])
      const publicKey = fromBase64(row?.publicKey ?? '')
      if (row === undefined || made === undefined || publicKey === undefined || row.host !== host)
        return failWith('refused')
      if (response.userHandle !== undefined && response.userHandle !== row.userHandle) return failWith('refused')
      if (isFramed(response.clientDataJSON)) return failWith('refused')
      let challengeMs = 0
      const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
      const { userHandle: _, ...answer } = response
      const verified = await verifyAuthenticationResponse({
        response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response: answer },
        expectedChallenge: async (challenge) => {
          challengeMs = (await made.madeAt(challenge, 'sign-in', host)) ?? 0
          return challengeMs > 0
        },
        expectedOrigin: origin,
        expectedRPID: host,
        requireUserVerification: true,
        credential: { id, publicKey, counter: row.counter },
      }).catch(() => undefined)
      if (verified?.verified !== true) return failWith('refused')
      const { newCounter, credentialBackedUp } = verified.authenticationInfo
      // A condition of the update instead of a look before it, so that of two with the same answer one gets in.
      const used = await db
        .update(passkeys)
        .set({
          counter: newCounter,
          challengeMs,
          isSynced: credentialBackedUp,
          lastUsedAtUnix: unixSeconds(deps.clock),
        })
        .where(
          and(
            eq(passkeys.id, id),
            lt(passkeys.challengeMs, challengeMs),
            // Authenticators that do not count say 0 for ever.
            or(lt(passkeys.counter, newCounter), and(lte(passkeys.counter, 0), sql`${newCounter} = 0`)),
          ),
        )
        .returning({ id: passkeys.id })
      return used.length === 0 ? failWith('refused') : succeed(await deps.startSession())
    },
  }
}

/** Whether the browser says that the page stood within one of somebody else. The package asks where that is told, too. */
function isFramed(clientDataJson: string): boolean {
  try {
    const told: unknown = JSON.parse(new TextDecoder().decode(fromBase64(clientDataJson)))
    return typeof told !== 'object' || told === null || ('crossOrigin' in told && told.crossOrigin !== false)
  } catch {
    return true
  }
}

function toPasskey(row: typeof passkeys.$inferSelect): Passkey {
  return {
    id: row.id,
    name: row.name,
    host: row.host,
    isSynced: row.isSynced,
    createdAtUnix: row.createdAtUnix,
    ...(row.lastUsedAtUnix === null ? {} : { lastUsedAtUnix: row.lastUsedAtUnix }),
  }
}
