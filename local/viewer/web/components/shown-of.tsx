import { words } from '../locales/words.ts'

/** Below a list that is cut: how many of how many there are. */
export function ShownOf({ shown, total }: { shown: number; total: number }) {
  return shown < total ? <p class="faint small">{words.value.list.shownOf(shown, total)}</p> : null
}
