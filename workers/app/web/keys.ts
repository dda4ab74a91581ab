/** The keys of a list while its page is shown. */
import { useEffect } from 'preact/hooks'
import { focusRow, isShown, isTyping, type KeyAction, listenForKeys } from '#shared/pages/keys.ts'
import { letterKeys } from './preferences.ts'

export interface ListKeyActions {
  readonly add?: () => void
  /** Everything there is, and not the text of the page. */
  readonly all?: () => void
  readonly pause?: () => void
  readonly resume?: () => void
  readonly back?: () => void
  readonly filters?: () => void
}

function moveRow(step: 1 | -1): void {
  const names = [...document.querySelectorAll<HTMLElement>('.row-open')]
  // Of a table the row is meant, of other lists the link itself.
  const here = names.findIndex((name) => (name.closest('tr') ?? name).contains(document.activeElement))
  focusRow(names, here, step)
}

function focusSearch(): void {
  const boxes = [...document.querySelectorAll<HTMLElement>('[data-search]')]
  boxes.find(isShown)?.focus()
}

/** The actions are those of the first drawing: they read what they need when they are called. */
export function useListKeys(asked: ListKeyActions = {}): void {
  useEffect(() => listenForListKeys(asked), [])
}

function listenForListKeys(asked: ListKeyActions): () => void {
  const actions: Readonly<Record<string, KeyAction>> = {
    j: () => moveRow(1),
    k: () => moveRow(-1),
    arrowdown: () => moveRow(1),
    arrowup: () => moveRow(-1),
    '^a': asked.all,
    x: () => document.activeElement?.closest('tr')?.querySelector<HTMLInputElement>('input[type=checkbox]')?.click(),
    a: asked.add,
    p: asked.pause,
    r: asked.resume,
    f: asked.filters,
    '/': focusSearch,
    Escape: asked.back,
  }
  return listenForKeys(
    () => letterKeys.value,
    (key) => {
      // Elsewhere the arrows scroll, and in a field everything is its text.
      if (key.startsWith('arrow') && document.activeElement?.closest('tr') == null) return undefined
      return key === '^a' && isTyping(document.activeElement) ? undefined : actions[key]
    },
  )
}
