/** Single-letter keys. They are off inside text fields, dialogs and when the person turned them off. */
export type KeyAction = (() => void) | undefined

/**
 * `actionOf` answers what a key does: a lower-case letter while `lettersOn` says so, the name of another key such as
 * `arrowdown`, `Escape` outside of a field, and
 * `^` before the letter for one with Ctrl or Cmd, which counts inside fields too. Returns what stops listening.
 */
export function listenForKeys(lettersOn: () => boolean, actionOf: (key: string) => KeyAction): () => void {
  function onKey(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.altKey || document.querySelector('dialog[open]') !== null) return
    const { target } = event
    const typed = isTyping(target)
    const key = event.key.toLowerCase()
    if (event.key === 'Escape') {
      if (typed) (target as HTMLElement).blur()
      else actionOf(event.key)?.()
      return
    }
    const action =
      event.ctrlKey || event.metaKey
        ? actionOf(`^${key}`)
        : !typed && (lettersOn() || key.length > 1)
          ? actionOf(key)
          : undefined
    if (action === undefined) return
    event.preventDefault()
    action()
  }
  document.addEventListener('keydown', onKey)
  return () => document.removeEventListener('keydown', onKey)
}

export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || target.matches('textarea, select, input:not([type=checkbox], [type=radio])')
}

export function isShown(element: HTMLElement): boolean {
  return element.getClientRects().length > 0
}

/** One row on or back from the one at `here`; from none, which is -1, to the first or the last. The ends hold. */
export function focusRow(rows: readonly HTMLElement[], here: number, step: 1 | -1): void {
  rows.at(here === -1 ? Math.min(step, 0) : Math.min(rows.length - 1, Math.max(0, here + step)))?.focus()
}
