/** What is chosen from, between the conversation and the line to write in. One at a time; it has the keys while it is there. */
import { Container, type Focusable, type SelectItem, SelectList, Spacer, Text, type TUI } from '@earendil-works/pi-tui'
import type { PermissionRequest, QuestionRequest } from '../core/session/event.ts'
import { describePermission, ownAnswer, permissionChoices, questionChoices, takeChosen } from './ask-choices.ts'
import type { ShownBlock } from './message-blocks.ts'
import type { Styles } from './styles.ts'
import { paint } from './transcript-view.ts'

const choicesShownMax = 12

type Editor = Focusable & { handleInput(data: string): void; render(width: number): string[]; invalidate(): void }

export class Dialogs extends Container {
  readonly #tui: TUI
  readonly #editor: Editor
  readonly #styles: Styles
  #words: ((text: string) => void) | undefined

  constructor(tui: TUI, editor: Editor, styles: Styles) {
    super()
    this.#tui = tui
    this.#editor = editor
    this.#styles = styles
  }

  /** Neither a list nor a question that is answered in the line stands there. */
  get isClosed(): boolean {
    return this.children.length === 0
  }

  choose(
    head: ShownBlock['lines'],
    items: readonly SelectItem[],
    take: (value: string) => void,
    leave: () => void,
  ): void {
    this.close()
    const list = new SelectList([...items], choicesShownMax, this.#styles.list)
    list.onSelect = ({ value }) => {
      this.close()
      take(value)
    }
    list.onCancel = () => {
      this.close()
      leave()
    }
    this.#head(head)
    this.addChild(list)
    this.#tui.setFocus(list)
    this.#tui.requestRender()
  }

  /** The next line that is written is the answer. */
  askWords(head: string, take: (text: string) => void): void {
    this.close()
    this.#head([{ tone: 'call', text: head }])
    this.#words = take
    this.#tui.requestRender()
  }

  /** Whether the line that was written is an answer. */
  takeWords(text: string): boolean {
    const take = this.#words
    if (take === undefined) return false
    this.close()
    take(text)
    return true
  }

  close(): void {
    this.#words = undefined
    this.clear()
    this.#tui.setFocus(this.#editor)
    this.#tui.requestRender()
  }

  permission(request: PermissionRequest, answer: (body: object) => void, leave: () => void): void {
    const choices = permissionChoices(request)
    this.choose(
      describePermission(request),
      choices,
      (value) => {
        const chosen = choices.find((choice) => choice.value === value)?.answer
        if (chosen !== 'with words') return answer(chosen ?? { reply: 'reject' })
        this.askWords('What should it do instead?', (message) => answer({ reply: 'reject', message }))
      },
      leave,
    )
  }

  question(request: QuestionRequest, answer: (body: object) => void, leave: () => void): void {
    const answers: string[][] = []
    const next = () => {
      const item = request.questions[answers.length]
      if (item === undefined) return answer({ answers })
      const chosen = new Set<string>()
      const done = (labels: readonly string[]) => {
        answers.push([...labels])
        next()
      }
      const show = () =>
        this.choose(
          [{ tone: 'call', text: item.question }],
          questionChoices(item, chosen),
          (value) => {
            if (value === ownAnswer) return this.askWords(item.question, (text) => done([...chosen, text]))
            if (value === takeChosen) return done([...chosen])
            const label = item.options[Number(value)]?.label ?? ''
            if (item.multiple !== true) return done([label])
            if (!chosen.delete(label)) chosen.add(label)
            show()
          },
          leave,
        )
      show()
    }
    next()
  }

  #head(lines: ShownBlock['lines']): void {
    this.addChild(new Spacer(1))
    this.addChild(new Text(lines.map(({ tone, text }) => paint(this.#styles, tone, text)).join('\n'), 1, 0))
  }
}
