import type { Failure } from '../failure.ts'
import type { ConverseEvent } from '../wire/converse-answer.ts'

/**
 * Turns the events of one streamed answer into text for the client. Exactly one of `end` and `fail` is the last call.
 * Only sealing a capsule makes `accept` asynchronous.
 */
export interface AnswerWriter {
  /** Text that goes out before anything of the answer. */
  open(): string
  accept(event: ConverseEvent): string | Promise<string>
  /** The answer is whole: nothing the provider still sends matters. */
  isComplete(): boolean
  /** The failure an event revealed, after which `fail` is called. */
  revealedFailure(): Failure | undefined
  end(): string
  fail(failed: Failure): string
}
