/**
 * What sessions do at once takes turns, so that their number holds nobody up: of each pass of the event loop they have some
 * milliseconds together, and what comes later goes on in the next one, after requests and answers that arrived meanwhile.
 */
import { setImmediate as nextTurnOfLoop } from 'node:timers/promises'
import { loopShareMsMax } from '../limits.ts'

export class LoopShare {
  readonly #msMax: number
  readonly #nowMs: () => number
  readonly #nextPass: (work: () => void) => void
  readonly #waiting: (() => void)[] = []
  /** When the pass that is under way began; undefined while nobody has asked for a part of it. */
  #beganMs: number | undefined

  constructor(
    msMax: number,
    nowMs: () => number = () => performance.now(),
    nextPass: (work: () => void) => void = setImmediate,
  ) {
    this.#msMax = msMax
    this.#nowMs = nowMs
    this.#nextPass = nextPass
  }

  /** Asked before work that holds the loop: `if (share.isSpent()) await share.turn()`. Not awaited while there is time left. */
  isSpent(): boolean {
    if (this.#beganMs === undefined) {
      this.#beganMs = this.#nowMs()
      this.#nextPass(() => void this.#pass(this.#beganMs))
    }
    return this.#waiting.length > 0 || this.#nowMs() - this.#beganMs >= this.#msMax
  }

  /** Whether anybody asked in this pass. */
  isUsed(): boolean {
    return this.#beganMs !== undefined
  }

  /** In a later pass, after whoever waits already. */
  turn(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  /** Goes on with a pass that began when it was first asked for: answers of the network come before it in the same one. */
  async #pass(beganMs = this.#nowMs()): Promise<void> {
    this.#beganMs = beganMs
    // From within a promise, a tick comes after all that follows from it; from an immediate, before the second step of that.
    await undefined
    while (this.#waiting.length > 0 && this.#nowMs() - beganMs < this.#msMax) {
      this.#waiting.shift()?.()
      // Whoever waited does his work here, with all that follows from it at once, before the clock is looked at again.
      await new Promise<void>((resolve) => process.nextTick(resolve))
    }
    if (this.#waiting.length > 0) this.#nextPass(() => void this.#pass())
    else this.#beganMs = undefined
  }
}

/** A turn may wait for what is made ready. */
const passesWaitedMax = 4

/** There is one event loop. */
export const loopShare = new LoopShare(loopShareMsMax)

/** Its requests have a part of their own: they do not wait for what sessions do. */
export const requestShare = new LoopShare(loopShareMsMax)

/** For what is made ready ahead of its use, in pieces: each has a pass in which nobody else did anything, or waits for some and then has its turn. */
export async function inLaterPass(): Promise<void> {
  for (let passes = 0; passes < passesWaitedMax; passes += 1) {
    await nextTurnOfLoop()
    if (!requestShare.isUsed() && !loopShare.isUsed()) break
  }
  if (requestShare.isSpent()) await requestShare.turn()
}
