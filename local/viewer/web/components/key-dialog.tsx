import { Dialog } from '#shared/pages/dialog.tsx'
import { isHelpOpen, viewKeys } from '../keys.ts'
import { words } from '../locales/words.ts'
import { chooseLetterKeys, letterKeys } from '../preferences.ts'

export function KeyDialog() {
  if (!isHelpOpen.value) return null
  const text = words.value.keys
  const close = (): void => {
    isHelpOpen.value = false
  }
  const rows: readonly (readonly [string, string])[] = [
    ['/', text.search],
    ['Ctrl K', text.search],
    ['J', text.down],
    ['K', text.up],
    ['Enter', text.open],
    ...viewKeys.value.map(({ key, meaning }) => [key.toUpperCase(), meaning] as const),
    ['G', text.home],
    ['Esc', text.back],
    ['?', text.help],
  ]
  return (
    <Dialog title={text.title} onClose={close}>
      <dl class="kv keys">
        {rows.map(([key, meaning]) => (
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
          checked={letterKeys.value}
          onChange={(event) => chooseLetterKeys(event.currentTarget.checked)}
        />
        {words.value.settings.letters}
      </label>
      <div class="btns ends-right">
        <button class="btn" type="button" data-first onClick={close}>
          {words.value.close}
        </button>
      </div>
    </Dialog>
  )
}
