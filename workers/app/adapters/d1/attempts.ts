import { eq, lte, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import {
  handshakesMax,
  handshakesWindowSeconds,
  secretAttemptsMax,
  secretAttemptsOfAllMax,
  secretAttemptsWindowSeconds,
} from '../../limits.ts'
import { attempts } from './schema.ts'

interface Door {
  readonly windowSeconds: number
  /** From one address. */
  readonly ownMax: number
  /** From all addresses together. */
  readonly allMax?: number
}

const secretDoor: Door = {
  windowSeconds: secretAttemptsWindowSeconds,
  ownMax: secretAttemptsMax,
  allMax: secretAttemptsOfAllMax,
}

/** Whatever is guarded by a secret. A handshake gives nothing to guess; it is counted for the work that it makes. */
const doors = {
  setup: secretDoor,
  'sign-in': secretDoor,
  pairing: secretDoor,
  handshake: { windowSeconds: handshakesWindowSeconds, ownMax: handshakesMax },
} as const satisfies Record<string, Door>
type DoorName = keyof typeof doors

export interface Attempts {
  mayTry(door: DoorName, from: string): Promise<boolean>
  /** A right answer opens the door again for the next mistake. */
  forget(door: DoorName, from: string): Promise<void>
}

export function createAttempts(db: DrizzleD1Database, clock: Clock): Attempts {
  function countAttempt(key: string, windowSeconds: number) {
    const now = unixSeconds(clock)
    const isOver = sql`${attempts.windowStartUnix} <= ${now - windowSeconds}`
    return db
      .insert(attempts)
      .values({ key, count: 1, windowStartUnix: now })
      .onConflictDoUpdate({
        target: attempts.key,
        set: {
          count: sql`case when ${isOver} then 1 else ${attempts.count} + 1 end`,
          windowStartUnix: sql`case when ${isOver} then ${now} else ${attempts.windowStartUnix} end`,
        },
      })
      .returning({ count: attempts.count })
  }

  return {
    /**
     * Counts an attempt before the secret is looked at, in one statement, so that many at once cannot slip through
     * together. False when the door is shut until its window ends: for one address after a few attempts, for everyone
     * after many, so that a stranger cannot easily lock the owner out and cannot guess from many addresses either.
     */
    async mayTry(name, from) {
      const { windowSeconds, ownMax, allMax }: Door = doors[name]
      await db.delete(attempts).where(lte(attempts.windowStartUnix, unixSeconds(clock) - secretAttemptsWindowSeconds))
      const [own, all] = await db.batch([
        countAttempt(`${name} ${from}`, windowSeconds),
        countAttempt(name, windowSeconds),
      ])
      return (own[0]?.count ?? 0) <= ownMax && (all[0]?.count ?? 0) <= (allMax ?? Number.POSITIVE_INFINITY)
    },

    async forget(name, from) {
      await db.delete(attempts).where(eq(attempts.key, `${name} ${from}`))
    },
  }
}
