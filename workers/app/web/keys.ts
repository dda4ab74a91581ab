/** Single-letter keys of lists. They are off inside text fields, dialogs and when the settings say so. */
import { letterKeys } from './preferences.ts'

export interface KeyActions {
  readonly pause?: () => void
  readonly resume?: () => void
  readonly back?: () => void
  readonly help: () => void
}

export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement) return target.type !== 'checkbox' && target.type !== 'radio'
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.isContentEditable
}

function rowNames(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('.row-open')]
}

function moveRow(step: 1 | -1): void {
  const names = rowNames()
  // Of a table the row is meant, of other lists the link itself.
  const here = names.findIndex((name) => (name.closest('tr') ?? name).contains(document.activeElement))
  const next = here === -1 ? (step === 1 ? 0 : names.length - 1) : here + step
  names[Math.min(names.length - 1, Math.max(0, next))]?.focus()
}

function focusSearch(): void {
  const boxes = [...document.querySelectorAll<HTMLElement>('[data-search]')]
  boxes.find((box) => box.getClientRects().length > 0)?.focus()
}

/** Returns what stops listening. */
export function listenForKeys(actions: KeyActions): () => void {
  function onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]') !== null) return
    if (event.key === 'Escape') {
      if (isTyping(event.target)) (event.target as HTMLElement).blur()
      else actions.back?.()
      return
    }
    if (!letterKeys.value || isTyping(event.target)) return
    const act: Readonly<Record<string, (() => void) | undefined>> = {
      j: () => moveRow(1),
      k: () => moveRow(-1),
      x: () => document.activeElement?.closest('tr')?.querySelector<HTMLInputElement>('input[type=checkbox]')?.click(),
      p: actions.pause,
      r: actions.resume,
      '/': focusSearch,
      '?': actions.help,
    }
    const found = act[event.key.toLowerCase()]
    if (found === undefined) return
    event.preventDefault()
    found()
  }
  document.addEventListener('keydown', onKey)
  return () => document.removeEventListener('keydown', onKey)
}
