import type { ConverseEvent } from '../wire/converse-answer.ts'
import type { ReasoningBlock } from '../wire/converse-request.ts'

/** Rebuilds the provider's reasoning blocks from their pieces, so that they can be sealed and sent back. */
export class OpenReasoning {
  readonly #blocks: ReasoningBlock[] = []
  #text = ''
  #signature = ''
  #redacted = ''
  characters = 0

  accept(event: ConverseEvent): void {
    if (event.kind === 'reasoningText') {
      this.#text += event.text
      this.characters += event.text.length
    } else if (event.kind === 'reasoningSignature') this.#signature += event.signature
    else if (event.kind === 'reasoningRedacted') this.#redacted += event.data
    else this.#close()
  }

  /** The finished blocks; anything still open counts as finished. */
  blocks(): readonly ReasoningBlock[] {
    this.#close()
    return this.#blocks
  }

  #close(): void {
    if (this.#redacted !== '') this.#blocks.push({ reasoningContent: { redactedContent: this.#redacted } })
    if (this.#text !== '' || this.#signature !== '') {
      const signed = this.#signature === '' ? {} : { signature: this.#signature }
      this.#blocks.push({ reasoningContent: { reasoningText: { text: this.#text, ...signed } } })
    }
    this.#text = ''
    this.#signature = ''
    this.#redacted = ''
  }
}
