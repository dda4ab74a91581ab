/**
 * Calls that a step was asked for and has not begun: they stand behind one that the owner is asked about, or that has to
 * be alone. Only of steps that run, so nothing of it is stored.
 */
import type { SessionRecord } from '../core/session/message.ts'

type Tell = (record: SessionRecord, messageId: string, calls: readonly string[]) => void

export class WaitingCalls {
  readonly #bySession = new Map<string, ReadonlySet<string>>()
  readonly #tell: Tell

  constructor(tell: Tell) {
    this.#tell = tell
  }

  of(sessionId: string): readonly string[] {
    return [...(this.#bySession.get(sessionId) ?? [])]
  }

  /** Those that begin together are told together, and a step in which all begin at once tells nothing. */
  begin(record: SessionRecord, messageId: string, calls: readonly string[]) {
    const waiting = new Set(calls)
    let told = 0
    let isDue = false
    const tell = (): void => {
      isDue = false
      if (waiting.size === told) return
      told = waiting.size
      if (told === 0) this.#bySession.delete(record.id)
      else this.#bySession.set(record.id, waiting)
      this.#tell(record, messageId, [...waiting])
    }
    return {
      started(call: string): void {
        waiting.delete(call)
        if (isDue) return
        isDue = true
        queueMicrotask(tell)
      },
      end(): void {
        waiting.clear()
        tell()
      },
    }
  }
}
