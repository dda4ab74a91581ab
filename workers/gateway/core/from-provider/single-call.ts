import type { Failure } from '../failure.ts'
import type { ConverseAnswer, ConverseEvent } from '../wire/converse-answer.ts'
import type { AnswerWriter } from './answer-writer.ts'

/** An answer with its first call only, for a client that wants one at a time: the model is asked again with its result. */
export function withSingleCall(answer: ConverseAnswer): ConverseAnswer {
  const first = answer.blocks.findIndex((block) => block.kind === 'toolUse')
  const blocks = answer.blocks.filter((block, index) => block.kind !== 'toolUse' || index === first)
  return { ...answer, blocks }
}

/** The same for a streamed answer, whoever writes it. */
export class SingleCallWriter implements AnswerWriter {
  readonly #inner: AnswerWriter
  #called: number | undefined
  readonly #left = new Set<number>()

  constructor(inner: AnswerWriter) {
    this.#inner = inner
  }

  open(): string {
    return this.#inner.open()
  }

  accept(event: ConverseEvent): string | Promise<string> {
    if (event.kind === 'toolStart') {
      if (this.#called === undefined) this.#called = event.block
      else this.#left.add(event.block)
    }
    const isLeft = 'block' in event && this.#left.has(event.block)
    return isLeft ? '' : this.#inner.accept(event)
  }

  isComplete(): boolean {
    return this.#inner.isComplete()
  }

  revealedFailure(): Failure | undefined {
    return this.#inner.revealedFailure()
  }

  end(): string {
    return this.#inner.end()
  }

  fail(failed: Failure): string {
    return this.#inner.fail(failed)
  }
}
