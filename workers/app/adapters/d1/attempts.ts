import { eq, lte, sql } from 'drizzle-orm'
import type { DrizzleD1Database } from 'drizzle-orm/d1'
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { createDoors, type Door } from '../../core/doors.ts'
import {
  cookiePushesMax,
  cookiePushesOfStrangersMax,
  cookiePushesOfStrangersPauseSeconds,
  cookiePushPauseSeconds,
  doorBucketsMax,
  handshakesMax,
  handshakesNewcomersPauseSeconds,
  handshakesOfStrangersMax,
  handshakesOfStrangersPauseSeconds,
  handshakesWindowSeconds,
  secretAttemptsMax,
  secretAttemptsNewcomersPauseSeconds,
  secretAttemptsOfAllMax,
  secretAttemptsOwnMachinePauseSeconds,
  secretAttemptsWindowSeconds,
} from '../../limits.ts'
import { attempts } from './schema/account.ts'

const secretDoor: Door = {
  own: { atOnce: secretAttemptsMax, pauseSeconds: secretAttemptsWindowSeconds / secretAttemptsMax },
  ownMachine: { atOnce: secretAttemptsMax, pauseSeconds: secretAttemptsOwnMachinePauseSeconds },
  strangers: { atOnce: secretAttemptsOfAllMax, pauseSeconds: secretAttemptsWindowSeconds / secretAttemptsOfAllMax },
  newcomers: { atOnce: 1, pauseSeconds: secretAttemptsNewcomersPauseSeconds },
}

/** The password has 256 bits; what is counted is the work of opening what cannot be opened. */
const cookiePace = { atOnce: cookiePushesMax, pauseSeconds: cookiePushPauseSeconds }
const cookieDoor: Door = {
  own: cookiePace,
  ownMachine: cookiePace,
  strangers: { atOnce: cookiePushesOfStrangersMax, pauseSeconds: cookiePushesOfStrangersPauseSeconds },
  newcomers: { atOnce: 1, pauseSeconds: cookiePushesOfStrangersPauseSeconds },
}

const handshakePace = { atOnce: handshakesMax, pauseSeconds: handshakesWindowSeconds / handshakesMax }

const laws = {
  setup: secretDoor,
  'sign-in': secretDoor,
  pairing: secretDoor,
  cookies: cookieDoor,
  /** Gives nothing to guess; it is counted for the work that it makes. */
  handshake: {
    own: handshakePace,
    ownMachine: handshakePace,
    strangers: { atOnce: handshakesOfStrangersMax, pauseSeconds: handshakesOfStrangersPauseSeconds },
    newcomers: { atOnce: 1, pauseSeconds: handshakesNewcomersPauseSeconds },
  },
} as const satisfies Record<string, Door>
type DoorName = keyof typeof laws

/**
 * Only a password is short enough to be guessed. Its attempts are also counted where all isolates of the edge, and a
 * restart, find them; the others' secrets have 80 bits and more. This machine is one isolate, so its programs have no row.
 */
const keptDoors: readonly DoorName[] = ['sign-in']

export interface Attempts {
  /**
   * Counts an attempt before the secret is looked at, so that many at once cannot slip through together. 0 when it may be
   * made, otherwise the seconds after which another one may. `from` is an address or a known browser.
   */
  take(door: DoorName, from: string): Promise<number>
  /** A right answer opens the door again for the next mistake. */
  forget(door: DoorName, from: string): Promise<void>
}

/** What this isolate remembers of attempts is in the object made here. */
export function createAttempts(db: DrizzleD1Database, clock: Clock): Attempts {
  const doors = createDoors(laws, doorBucketsMax)
  const isKept = (door: DoorName, from: string) => keptDoors.includes(door) && from !== 'local'

  async function takeKept(key: string): Promise<number> {
    const now = unixSeconds(clock)
    const isOver = sql`${attempts.windowStartUnix} <= ${now - secretAttemptsWindowSeconds}`
    const [, counted] = await db.batch([
      db.delete(attempts).where(lte(attempts.windowStartUnix, now - secretAttemptsWindowSeconds)),
      db
        .insert(attempts)
        .values({ key, count: 1, windowStartUnix: now })
        .onConflictDoUpdate({
          target: attempts.key,
          set: {
            count: sql`case when ${isOver} then 1 else ${attempts.count} + 1 end`,
            windowStartUnix: sql`case when ${isOver} then ${now} else ${attempts.windowStartUnix} end`,
          },
        })
        .returning({ count: attempts.count, windowStartUnix: attempts.windowStartUnix }),
    ])
    const row = counted[0]
    if (row === undefined || row.count <= secretAttemptsMax) return 0
    return Math.max(1, row.windowStartUnix + secretAttemptsWindowSeconds - now)
  }

  return {
    async take(door, from) {
      const waitSeconds = doors.take(door, from, clock.nowMs())
      if (waitSeconds > 0 || !isKept(door, from)) return waitSeconds
      return takeKept(`${door} ${from}`)
    },

    async forget(door, from) {
      doors.forgive(door, from, clock.nowMs())
      if (isKept(door, from)) await db.delete(attempts).where(eq(attempts.key, `${door} ${from}`))
    },
  }
}
