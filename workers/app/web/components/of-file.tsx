import { words } from '../locales/words.ts'

/** In place of what would change it: where it is changed. */
export function OfFile() {
  return <span class="muted small">{words.value.ofFile}</span>
}
