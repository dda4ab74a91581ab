import { isRecord, parseJson } from '#shared/kernel/json-record.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { type Failure, failure } from '../failure.ts'
import type { ConverseAnswer, ConverseEvent } from '../wire/converse-answer.ts'
import type { AnswerWriter } from './answer-writer.ts'

const openingFence = /^\s*```[a-zA-Z]*\s*/
const closingFence = /\s*```\s*$/
const possibleClosing = /\s*`{0,3}\s*$/
/** An opening fence with its word is no longer; what begins so and is longer is no fence. */
const openingCharactersMax = 16

/** A whole answer that is to be a JSON object: without the fence that models like to put around it, and judged. */
export function withJsonText(answer: ConverseAnswer): Result<ConverseAnswer, Failure> {
  if (answer.stopReason !== 'end_turn' && answer.stopReason !== 'stop_sequence') return succeed(answer)
  const text = answer.blocks.map((block) => (block.kind === 'text' ? block.text : '')).join('')
  const bare = text.replace(openingFence, '').replace(closingFence, '').trim()
  if (!isRecord(parseJson(bare))) return failWith(noJson())
  const others = answer.blocks.filter((block) => block.kind !== 'text')
  return succeed({ ...answer, blocks: [...others, { kind: 'text', text: bare }] })
}

/** The same for a streamed answer, whoever writes it: the fence is taken away as it comes, the judgement is the last word. */
export class JsonWriter implements AnswerWriter {
  readonly #inner: AnswerWriter
  #text = ''
  #held = ''
  #hasBegun = false
  #block = 0
  #failure: Failure | undefined

  constructor(inner: AnswerWriter) {
    this.#inner = inner
  }

  open(): string {
    return this.#inner.open()
  }

  accept(event: ConverseEvent): string | Promise<string> {
    if (event.kind === 'text') return this.#take(event.block, event.text)
    const rest = event.kind === 'blockStop' || event.kind === 'stop' ? this.#rest() : ''
    if (event.kind === 'stop') {
      const isOver = event.stopReason === 'end_turn' || event.stopReason === 'stop_sequence'
      if (isOver && !isRecord(parseJson(this.#text))) this.#failure = noJson()
    }
    if (rest === '') return this.#inner.accept(event)
    const last = this.#inner.accept({ kind: 'text', block: this.#block, text: rest })
    const next = this.#inner.accept(event)
    return typeof last === 'string' && typeof next === 'string'
      ? last + next
      : Promise.all([last, next]).then((pieces) => pieces.join(''))
  }

  isComplete(): boolean {
    return this.#inner.isComplete()
  }

  revealedFailure(): Failure | undefined {
    return this.#failure ?? this.#inner.revealedFailure()
  }

  end(): string {
    return this.#inner.end()
  }

  fail(failed: Failure): string {
    return this.#inner.fail(failed)
  }

  /** What was held back, without a closing fence. */
  #rest(): string {
    const rest = this.#held.replace(this.#hasBegun ? closingFence : openingFence, '').trimEnd()
    this.#held = ''
    this.#text += rest
    return rest
  }

  #take(block: number, text: string): string | Promise<string> {
    this.#block = block
    this.#held += text
    if (!this.#hasBegun) {
      const start = this.#held.trimStart()
      const mayBeFence = '```'.startsWith(start.slice(0, 3)) && start.length < openingCharactersMax
      if (start === '' || (mayBeFence && !/^```[a-zA-Z]*\s+\S/.test(start))) return ''
      this.#held = this.#held.replace(openingFence, '').trimStart()
      this.#hasBegun = true
    }
    // What may turn out to be the closing fence waits until it is clear.
    const kept = possibleClosing.exec(this.#held)?.[0].length ?? 0
    const free = this.#held.slice(0, this.#held.length - kept)
    if (free === '') return ''
    this.#held = this.#held.slice(free.length)
    this.#text += free
    return this.#inner.accept({ kind: 'text', block, text: free })
  }
}

function noJson(): Failure {
  return failure('upstream_error', 'the model was asked for a JSON object and answered something else')
}
