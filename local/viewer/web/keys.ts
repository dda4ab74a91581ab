import { signal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'
import { focusRow, isShown, listenForKeys } from '#shared/pages/keys.ts'
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
  // Before the paint: a key pressed the moment a choice shows acts on that choice.
  useLayoutEffect(() => {
    ofView.value = keys
    return () => {
      if (ofView.peek() === keys) ofView.value = []
    }
  })
}

/** Rows are links and buttons marked `data-row`; J and K stay inside the list (`data-rows`) they are in. */
function moveRow(step: 1 | -1): void {
  const active = document.activeElement
  const list = active?.closest('[data-rows]') ?? document.getElementById('main') ?? document
  const rows = [...list.querySelectorAll<HTMLElement>('[data-row]')].filter(isShown)
  focusRow(rows, rows.indexOf(active as HTMLElement), step)
}

function focusSearch(): void {
  const boxes = [...document.querySelectorAll<HTMLInputElement>('[data-search]')]
  const box = boxes.find(isShown)
  box?.focus()
  box?.select()
}

/** Focuses a list by its name in `data-rows`: its first row, or the one by which the tab key enters it. */
export function focusRows(name: string): void {
  const row = `[data-rows="${name}"] [data-row]`
  const entered = document.querySelector<HTMLElement>(`${row}[tabindex="0"]`)
  ;(entered ?? document.querySelector<HTMLElement>(row))?.focus()
}

const common: Readonly<Record<string, () => void>> = {
  j: () => moveRow(1),
  k: () => moveRow(-1),
  '/': focusSearch,
  '^k': focusSearch,
  '?': () => {
    isHelpOpen.value = true
  },
  g: () => goTo('#/'),
}

export function followKeys(): void {
  listenForKeys(
    () => letterKeys.value,
    (key) => ofView.peek().find((one) => one.key === key)?.act ?? common[key],
  )
}
