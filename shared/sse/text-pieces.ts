/**
 * Gathers streamed text into durable pieces. The first piece is written at once, so that a reader sees the answer
 * begin; after that a piece is written when it is old or large enough, whichever comes first.
 */
export interface PieceBounds {
  readonly msMax: number
  readonly bytesMax: number
  /** Waited for before a piece is written that is old enough: timers of many texts come all at once. */
  readonly turn?: () => Promise<void>
}

const encoder = new TextEncoder()

export class TextPieces {
  readonly #bounds: PieceBounds
  readonly #write: (piece: string) => void
  #waiting = ''
  #whole = ''
  #isFirst = true
  #timer: ReturnType<typeof setTimeout> | undefined
  #fault: unknown

  constructor(bounds: PieceBounds, write: (piece: string) => void) {
    this.#bounds = bounds
    this.#write = write
  }

  push(text: string): void {
    if (this.#fault !== undefined) throw this.#fault
    if (text === '') return
    this.#waiting += text
    if (this.#isFirst || encoder.encode(this.#waiting).byteLength >= this.#bounds.bytesMax) {
      this.#isFirst = false
      this.#flush()
      return
    }
    this.#timer ??= setTimeout(() => void this.#flushInTurn(), this.#bounds.msMax)
  }

  async #flushInTurn(): Promise<void> {
    // A failed write is reported to whoever pushes or ends next: a timer has no one to throw to.
    try {
      await this.#bounds.turn?.()
      this.#flush()
    } catch (error) {
      this.#fault = error
    }
  }

  /** Writes what waits and answers the whole text. */
  end(): string {
    if (this.#fault !== undefined) throw this.#fault
    this.#flush()
    return this.#whole
  }

  #flush(): void {
    if (this.#timer !== undefined) clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#waiting === '') return
    const piece = this.#waiting
    this.#waiting = ''
    this.#write(piece)
    this.#whole += piece
  }
}
