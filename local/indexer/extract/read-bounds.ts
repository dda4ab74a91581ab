/**
 * What reading one file may come to, in numbers that are the same on every machine: how much its syntax is made of and how
 * much there is to say of it. Only the parser, which is not ours to count in, is bounded by the time it takes.
 */
import type { GivenUp } from '../core/vocabulary.ts'
import { parseMsMax, syntaxNodesMax } from '../limits.ts'

/** Thrown in the midst of reading: the file is in the index with its name and this reason. */
export class GivenUpError extends Error {
  readonly reason: GivenUp

  constructor(reason: GivenUp) {
    super(`given up: ${reason}`)
    this.reason = reason
  }
}

/** The time of a processor that a parser takes for a file and for the parts of it that are read again. */
export class ParseTime {
  readonly #from = threadCpuMs()
  #asked = 0

  /** Asked after each hundred of its steps: the clock is looked at now and then. */
  isOver(): boolean {
    this.#asked += 1
    return this.#asked % asksPerLook === 0 && threadCpuMs() - this.#from > parseMsMax
  }
}

const asksPerLook = 64

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Parts of a file's syntax, over all that is read of it. */
export class SyntaxCount {
  #nodes = 0

  /** Whether there is room for parts that are read once more, in another way, which may then come to three times as much. */
  get hasRoom(): boolean {
    return this.#nodes <= syntaxNodesMax / 4
  }

  /** @throws GivenUpError at one too many */
  add(): void {
    this.#nodes += 1
    if (this.#nodes > syntaxNodesMax) throw new GivenUpError('too_many_facts')
  }
}
