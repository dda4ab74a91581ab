import { Dialog } from '#shared/pages/dialog.tsx'
import { isHelpOpen } from '../keys.ts'
import { words } from '../locales/words.ts'
import { chooseLetterKeys, letterKeys } from '../preferences.ts'

export function KeyDialog() {
  if (!isHelpOpen.value) return null
  const { keys, settings, close } = words.value
  const rows = [
    ['/', keys.search],
    ['N', keys.newTask],
    ['J', keys.down],
    ['K', keys.up],
    ['G', keys.home],
    ['Ctrl ↵', keys.send],
    ['Esc', keys.stop],
    ['Y', keys.allow],
    ['X', keys.reject],
    ['?', keys.help],
  ]
  const end = (): void => {
    isHelpOpen.value = false
  }
  return (
    <Dialog title={keys.title} onClose={end}>
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
          checked={letterKeys.value === 'on'}
          onChange={(event) => chooseLetterKeys(event.currentTarget.checked)}
        />
        {settings.letters}
      </label>
      <div class="btns ends-right">
        <button class="btn" type="button" data-first onClick={end}>
          {close}
        </button>
      </div>
    </Dialog>
  )
}
