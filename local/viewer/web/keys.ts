/** Single-letter keys. They are off inside text fields, dialogs and when the reader turned them off. */
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { letterKeys } from './preferences.ts'
import { goTo } from './router.ts'

export interface ViewKey {
  readonly key: string
  /** For the list of keys. */
  readonly meaning: string
  readonly act: () => void
}

const ofView = signal<readonly ViewKey[]>([])
export const viewKeys = ofView
export const isHelpOpen = signal(false)

/** The keys of the view on screen; call it once a view, with a stable list of letters. */
export function useViewKeys(keys: readonly ViewKey[]): void {
  useEffect(() => {
    ofView.value = keys
    return () => {
      if (ofView.peek() === keys) ofView.value = []
    }
  })
}

function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return target.type !== 'checkbox' && target.type !== 'radio'
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
}

function isShown(element: HTMLElement): boolean {
  return element.getClientRects().length > 0
}

/** Rows are links and buttons marked `data-row`; J and K stay inside the list (`data-rows`) they are in. */
function moveRow(step: 1 | -1): void {
  const active = document.activeElement
  const list = active?.closest('[data-rows]') ?? document.getElementById('main') ?? document
  const rows = [...list.querySelectorAll<HTMLElement>('[data-row]')].filter(isShown)
  const here = rows.indexOf(active as HTMLElement)
  const next = here === -1 ? (step === 1 ? 0 : rows.length - 1) : here + step
  rows[Math.min(rows.length - 1, Math.max(0, next))]?.focus()
}

function focusSearch(): void {
  const boxes = [...document.querySelectorAll<HTMLInputElement>('[data-search]')]
  const box = boxes.find(isShown)
  box?.focus()
  box?.select()
}

/** Focuses the first row of a list by its name in `data-rows`. */
export function focusRows(name: string): void {
  document.querySelector<HTMLElement>(`[data-rows="${name}"] [data-row]`)?.focus()
}

export function listenForKeys(): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.altKey || document.querySelector('dialog[open]') !== null) return
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
      event.preventDefault()
      focusSearch()
      return
    }
    if (event.ctrlKey || event.metaKey) return
    if (event.key === 'Escape') {
      if (isTyping(event.target)) (event.target as HTMLElement).blur()
      return
    }
    if (!letterKeys.value || isTyping(event.target)) return
    const common: Readonly<Record<string, () => void>> = {
      j: () => moveRow(1),
      k: () => moveRow(-1),
      '/': focusSearch,
      '?': () => {
        isHelpOpen.value = true
      },
      g: () => goTo('#/'),
    }
    const key = event.key.toLowerCase()
    const act = ofView.peek().find((one) => one.key === key)?.act ?? common[key]
    if (act === undefined) return
    event.preventDefault()
    act()
  })
}
