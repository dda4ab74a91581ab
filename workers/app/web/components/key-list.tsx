import { Dialog } from '#shared/pages/dialog.tsx'
import { words } from '../locales/words.ts'
import { CloseButton } from './close-button.tsx'

export function KeyList() {
  const text = words.value.keys
  const rows: readonly (readonly [string, string])[] = [
    ['/', text.search],
    ['J / ↓', text.down],
    ['K / ↑', text.up],
    ['X', text.select],
    ['Enter', text.open],
    ['A', text.add],
    ['F', text.filters],
    ['P', text.pause],
    ['R', text.resume],
    ['Y / X', text.answer],
    ['Esc', text.back],
    ['Ctrl K', text.find],
    ['?', text.help],
  ]
  return (
    <dl class="kv keys">
      {rows.map(([key, meaning]) => (
        <>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{meaning}</dd>
        </>
      ))}
    </dl>
  )
}

export function KeyDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={words.value.keys.title} onClose={onClose}>
      <KeyList />
      <div class="btns ends-right">
        <CloseButton onClose={onClose} />
      </div>
    </Dialog>
  )
}
