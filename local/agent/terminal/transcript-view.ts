/** The conversation on the screen: a component for each block, which changes in its place as more of it comes. */
import { type Component, Container, Markdown, Spacer, Text } from '@earendil-works/pi-tui'
import type { Message } from '../core/session/message.ts'
import { blocksOf, type ShownBlock, type Tone } from './message-blocks.ts'
import type { Styles } from './styles.ts'

interface Shown {
  readonly component: Component & { setText(text: string): void }
  text: string
}

export class TranscriptView extends Container {
  readonly #styles: Styles
  readonly #shown = new Map<string, Shown>()
  /** Which blocks each message has, in their order. */
  readonly #blocks = new Map<string, string[]>()

  constructor(styles: Styles) {
    super()
    this.#styles = styles
  }

  put(message: Message, progress: ReadonlyMap<string, string>): void {
    const known = this.#blocks.get(message.id) ?? []
    for (const block of blocksOf(message, progress)) {
      const key = `${message.id} ${block.id}`
      if (!known.includes(key)) known.push(key)
      this.#show(key, block)
    }
    this.#blocks.set(message.id, known)
  }

  /** What a reverted part of the conversation leaves: nothing from this message on. */
  dropFrom(messageId: string): void {
    const ids = [...this.#blocks.keys()]
    const from = ids.indexOf(messageId)
    if (from < 0) return
    for (const id of ids.slice(from)) {
      for (const key of this.#blocks.get(id) ?? []) {
        const shown = this.#shown.get(key)
        if (shown !== undefined) this.removeChild(shown.component)
        this.#shown.delete(key)
      }
      this.#blocks.delete(id)
    }
  }

  note(text: string, tone: Tone = 'note'): void {
    this.show(text.split('\n').map((one) => ({ tone, text: one })))
  }

  show(lines: ShownBlock['lines']): void {
    this.addChild(new Spacer(1))
    this.addChild(new Text(lines.map(({ tone, text }) => paint(this.#styles, tone, text)).join('\n'), 1, 0))
  }

  #show(key: string, block: ShownBlock): void {
    const isAnswer = block.lines.every(({ tone }) => tone === 'answer')
    const text = isAnswer
      ? block.lines.map((line) => line.text).join('\n')
      : block.lines.map(({ tone, text: one }) => paint(this.#styles, tone, one)).join('\n')
    const known = this.#shown.get(key)
    if (known === undefined) {
      const component = isAnswer ? new Markdown(text, 1, 0, this.#styles.markdown) : new Text(text, 1, 0)
      this.addChild(new Spacer(1))
      this.addChild(component)
      this.#shown.set(key, { component, text })
    } else if (known.text !== text) {
      known.text = text
      known.component.setText(text)
    }
  }
}

export function paint(styles: Styles, tone: Tone, text: string): string {
  switch (tone) {
    case 'user':
      return styles.accent(`› ${text}`)
    case 'thought':
    case 'note':
    case 'output':
      return styles.dim(text)
    case 'call':
      return styles.bold(text)
    case 'added':
      return styles.good(text)
    case 'removed':
    case 'problem':
      return styles.bad(text)
    case 'answer':
      return text
  }
}
