import { dataFrame } from '#shared/sse/frame.ts'
import type { Failure } from '../failure.ts'
import type { ConverseEvent } from '../wire/converse-answer.ts'
import type { AnswerWriter } from './answer-writer.ts'
import type { ChatChunkWriter } from './chat-chunks.ts'
import { addedUsage } from './chat-usage.ts'
import { JsonWriter } from './json-answer.ts'
import { SingleCallWriter } from './single-call.ts'

/** An event of one of several answers to the same request. */
export type ChoiceEvent = ConverseEvent & { readonly choice?: number }

/** Writes several answers, as they come, as the choices of one stream. */
export class ManyChoicesWriter implements AnswerWriter {
  readonly #writers: readonly ChatChunkWriter[]
  /** The same writers behind the rules that each answer follows. */
  readonly #ruled: readonly AnswerWriter[]
  readonly #includesUsage: boolean

  constructor(
    writers: readonly ChatChunkWriter[],
    includesUsage: boolean,
    rules: { readonly isSingleCall: boolean; readonly wantsJson: boolean },
  ) {
    this.#writers = writers
    this.#includesUsage = includesUsage
    this.#ruled = writers.map((writer) => {
      const judged = rules.wantsJson ? new JsonWriter(writer) : writer
      return rules.isSingleCall ? new SingleCallWriter(judged) : judged
    })
  }

  open(): string {
    return this.#writers.map((writer) => writer.open()).join('')
  }

  accept(event: ChoiceEvent): string | Promise<string> {
    return this.#ruled[event.choice ?? 0]?.accept(event) ?? ''
  }

  isComplete(): boolean {
    return this.#writers.every((writer) => writer.isComplete())
  }

  revealedFailure(): Failure | undefined {
    return this.#ruled.map((writer) => writer.revealedFailure()).find((failed) => failed !== undefined)
  }

  end(): string {
    const cut = this.#writers.find((writer) => !writer.isComplete())
    if (cut !== undefined) return cut.end()
    const usage = this.#includesUsage
      ? this.#writers[0]?.usageChunk(addedUsage(this.#writers.map((writer) => writer.usage())))
      : ''
    return this.#writers.map((writer) => writer.finish()).join('') + (usage ?? '') + dataFrame('[DONE]')
  }

  fail(failed: Failure): string {
    return this.#writers[0]?.fail(failed) ?? ''
  }
}
