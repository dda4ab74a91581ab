import { words } from '../locales/words.ts'

/** The way out of a dialog that asks nothing, and what has the focus in it. */
export function CloseButton({ onClose }: { onClose: () => void }) {
  return (
    <button class="btn" type="button" data-first onClick={onClose}>
      {words.value.common.close}
    </button>
  )
}
