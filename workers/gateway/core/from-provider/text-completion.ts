import { type Result, succeed } from '#shared/kernel/result.ts'
import { dataFrame, eventFrame } from '#shared/sse/frame.ts'
import { errorObject } from '../error-object.ts'
import { type Failure, failure } from '../failure.ts'
import { type ConverseAnswer, type ConverseEvent, noUsage, type ProviderUsage } from '../wire/converse-answer.ts'
import type { AnswerWriter } from './answer-writer.ts'
import type { AnswerIdentity } from './chat-completion.ts'
import { chatUsage } from './chat-usage.ts'
import { type FinishReason, finishReasonOf } from './finish-reason.ts'

function choice(text: string, finishReason: FinishReason | null) {
  return { text, index: 0, logprobs: null, finish_reason: finishReason }
}

function completion(identity: AnswerIdentity, choices: readonly ReturnType<typeof choice>[]) {
  return { id: identity.id, object: 'text_completion', created: identity.createdUnix, model: identity.model, choices }
}

/** Writes a whole answer as a text completion. Reasoning has no place in this interface. */
export function textCompletion(
  answer: ConverseAnswer,
  identity: AnswerIdentity,
  echo: string,
): Result<object, Failure> {
  const finishReason = finishReasonOf(answer.stopReason)
  if (!finishReason.ok) return finishReason
  const text = echo + answer.blocks.map((block) => (block.kind === 'text' ? block.text : '')).join('')
  return succeed({ ...completion(identity, [choice(text, finishReason.value)]), usage: chatUsage(answer.usage, 0) })
}

/** Writes a streamed answer as text completion frames. */
export class TextCompletionWriter implements AnswerWriter {
  readonly #identity: AnswerIdentity
  readonly #echo: string
  readonly #includesUsage: boolean
  #finish: FinishReason | undefined
  #usage: ProviderUsage | undefined
  #failure: Failure | undefined

  constructor(identity: AnswerIdentity, echo: string, includesUsage: boolean) {
    this.#identity = identity
    this.#echo = echo
    this.#includesUsage = includesUsage
  }

  open(): string {
    return this.#echo === '' ? '' : this.#frame(this.#echo, null)
  }

  accept(event: ConverseEvent): string {
    if (event.kind === 'text') return this.#frame(event.text, null)
    if (event.kind === 'metadata') this.#usage = event.usage
    if (event.kind === 'stop') {
      const finish = finishReasonOf(event.stopReason)
      if (finish.ok) this.#finish = finish.value
      else this.#failure = finish.failure
    }
    return ''
  }

  isComplete(): boolean {
    return this.#finish !== undefined && this.#usage !== undefined
  }

  revealedFailure(): Failure | undefined {
    return this.#failure
  }

  end(): string {
    if (this.#finish === undefined) return this.fail(failure('upstream_error', 'the provider ended the answer early'))
    const usage = { ...completion(this.#identity, []), usage: chatUsage(this.#usage ?? noUsage, 0) }
    const usageFrame = this.#includesUsage ? dataFrame(JSON.stringify(usage)) : ''
    return this.#frame('', this.#finish) + usageFrame + dataFrame('[DONE]')
  }

  fail(failed: Failure): string {
    return eventFrame('error', JSON.stringify(errorObject(failed)))
  }

  #frame(text: string, finishReason: FinishReason | null): string {
    return dataFrame(JSON.stringify(completion(this.#identity, [choice(text, finishReason)])))
  }
}
