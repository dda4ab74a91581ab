import type { Clock } from '#shared/kernel/clock.ts'
import { type ReplayWindow, unusedWindow, useNumber } from '../../core/tunnel/replay-window.ts'
import {
  carriedRequestsMax,
  tunnelIdleSeconds,
  tunnelSessionSeconds,
  tunnelSessionsMax,
  tunnelWindow,
} from '../../limits.ts'
import { CipherKey } from './noise.ts'

type Bytes = Uint8Array<ArrayBuffer>

interface Session {
  readonly receiving: CipherKey
  readonly sending: CipherKey
  readonly startedMs: number
  usedMs: number
  window: ReplayWindow
  underWay: number
}

/** A request that came from the device. Whoever took it ends it. */
interface TakenRequest {
  readonly message: Bytes
  /** As many as may be are under way already. */
  readonly isOneTooMany: boolean
  /** Under the request's own number, so that it opens as the answer to this request and to no other. */
  seal(answer: Bytes): Promise<Bytes>
  end(): void
}

/** The sessions of one device, in memory: one that is lost with it is begun anew. */
export class DeviceSessions {
  readonly #clock: Clock
  /** Nothing was asked in these yet: they may be of a handshake that somebody replays, and displace none in use. */
  readonly #waiting = new Map<string, Session>()
  /** Those used last come last. */
  readonly #used = new Map<string, Session>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async admit(name: string, keys: { readonly sending: Bytes; readonly receiving: Bytes }): Promise<void> {
    const nowMs = this.#clock.nowMs()
    const session = {
      receiving: await CipherKey.from(keys.receiving),
      sending: await CipherKey.from(keys.sending),
      startedMs: nowMs,
      usedMs: nowMs,
      window: unusedWindow,
      underWay: 0,
    }
    keep(this.#waiting, name, session)
  }

  /** Undefined for whatever is no fresh request of a session that is there. */
  async take(name: string, number: number, sealed: Bytes): Promise<TakenRequest | undefined> {
    const session = this.#find(name)
    const opened = await session?.receiving.open(number, sealed)
    // Looked at after the seal, with nothing waited for in between: the same number twice at once is one of them.
    if (session === undefined || opened === undefined || this.#find(name) !== session) return undefined
    const window = useNumber(session.window, number, tunnelWindow)
    if (window === undefined) return undefined
    session.window = window
    session.usedMs = this.#clock.nowMs()
    this.#waiting.delete(name)
    keep(this.#used, name, session)
    const isOneTooMany = session.underWay >= carriedRequestsMax
    session.underWay += 1
    return {
      message: opened,
      isOneTooMany,
      seal: (answer) => session.sending.seal(number, answer),
      end: () => {
        session.underWay -= 1
      },
    }
  }

  forget(): void {
    this.#waiting.clear()
    this.#used.clear()
  }

  #find(name: string): Session | undefined {
    const session = this.#used.get(name) ?? this.#waiting.get(name)
    if (session === undefined) return undefined
    const nowMs = this.#clock.nowMs()
    const isOver =
      nowMs - session.usedMs >= tunnelIdleSeconds * 1000 || nowMs - session.startedMs >= tunnelSessionSeconds * 1000
    if (!isOver) return session
    this.#used.delete(name)
    this.#waiting.delete(name)
    return undefined
  }
}

function keep(sessions: Map<string, Session>, name: string, session: Session): void {
  sessions.delete(name)
  sessions.set(name, session)
  const [oldest] = sessions.keys()
  if (sessions.size > tunnelSessionsMax && oldest !== undefined) sessions.delete(oldest)
}
