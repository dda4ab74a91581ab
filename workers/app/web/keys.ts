/** The keys of a list while its page is shown. */
import { useEffect, useRef } from 'preact/hooks'
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

/** Of rows without a name to open, the first that can be reached in each. */
function rowHandles(): HTMLElement[] {
  const names = [...document.querySelectorAll<HTMLElement>('.row-open')]
  const rows = [...document.querySelectorAll('main :is(tbody tr, li)')]
  const firsts = rows.flatMap((row) => row.querySelector<HTMLElement>('a[href], button, summary') ?? [])
  return (names.length > 0 ? names : [...new Set(firsts)]).filter(isShown)
}

function moveRow(step: 1 | -1): void {
  const handles = rowHandles()
  // Rows within a row come after it.
  const here = handles.findLastIndex((one) => one.closest('tr, li')?.contains(document.activeElement))
  focusRow(handles, here, step)
}

/** From row to row, on every screen. Elsewhere than in a row the arrows scroll, and in a field everything is its text. */
export function rowKey(key: string): KeyAction {
  const step = ({ j: 1, arrowdown: 1, k: -1, arrowup: -1 } as const)[key]
  const isMove =
    step !== undefined && (key.length === 1 || document.activeElement?.matches('main :is(tr, li) :not([type=radio])'))
  return isMove ? () => moveRow(step) : undefined
}

function focusSearch(): void {
  const boxes = [...document.querySelectorAll<HTMLElement>('[data-search]')]
  boxes.find(isShown)?.focus()
}

/** The actions are those of the first drawing: they read what they need when they are called. */
export function useListKeys(asked: ListKeyActions = {}): void {
  useEffect(() => listenForListKeys(asked), [])
}

/** The keys of what is shown now, as it was drawn last. */
export function useKeys(keys: Readonly<Record<string, KeyAction>>): void {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(
    () =>
      listenForKeys(
        () => letterKeys.value,
        (key) => latest.current[key],
      ),
    [],
  )
}

function listenForListKeys(asked: ListKeyActions): () => void {
  const actions: Readonly<Record<string, KeyAction>> = {
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
    (key) => (key === '^a' && isTyping(document.activeElement) ? undefined : actions[key]),
  )
}
