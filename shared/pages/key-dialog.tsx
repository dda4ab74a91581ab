/** What the keys of a page do, and whether those of one letter count. */
import { Dialog } from './dialog.tsx'

interface KeyWords {
  readonly title: string
  readonly letters: string
  readonly close: string
}

export function KeyDialog(props: {
  words: KeyWords
  rows: readonly (readonly [key: string, meaning: string])[]
  lettersCount: boolean
  onLetters: (count: boolean) => void
  onClose: () => void
}) {
  return (
    <Dialog title={props.words.title} onClose={props.onClose}>
      <dl class="kv keys">
        {props.rows.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <label class="tick">
        <input
          type="checkbox"
          checked={props.lettersCount}
          onChange={(event) => props.onLetters(event.currentTarget.checked)}
        />
        {props.words.letters}
      </label>
      <div class="btns ends-right">
        <button class="btn" type="button" data-first onClick={props.onClose}>
          {props.words.close}
        </button>
      </div>
    </Dialog>
  )
}
