/** Asks for what a link leads to while a reader is about to follow it. */
import { askAhead } from './api/use-answer.ts'
import { parseRoute } from './model/address.ts'
import { firstQuestions } from './views/first-questions.ts'

/** A pointer that only passes asks nothing. */
const restMs = 80

export function askAheadOfLinks(): void {
  let waiting: ReturnType<typeof setTimeout>
  const look = ({ type, target }: Event): void => {
    clearTimeout(waiting)
    const to = (target as Element).closest('a')?.getAttribute('href')
    if (to?.startsWith('#/') !== true) return
    waiting = setTimeout(() => askAhead(firstQuestions(parseRoute(to))), type === 'pointerdown' ? 0 : restMs)
  }
  for (const sign of ['pointerover', 'focusin', 'pointerdown']) document.addEventListener(sign, look, { passive: true })
}
