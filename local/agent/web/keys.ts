import { signal } from '@preact/signals'
import { focusRow, isShown, listenForKeys } from '#shared/pages/keys.ts'
import { routes } from './api/routes.ts'
import { letterKeys } from './preferences.ts'
import { goTo, route } from './router.ts'

export const isHelpOpen = signal(false)

function moveRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row]')].filter(isShown)
  focusRow(rows, rows.indexOf(document.activeElement as HTMLElement), step)
}

function focusFirst(selector: string): void {
  const found = [...document.querySelectorAll<HTMLElement>(selector)].find(isShown)
  found?.focus()
}

const actions: Readonly<Record<string, () => void>> = {
  j: () => moveRow(1),
  k: () => moveRow(-1),
  n: () => goTo('#/new'),
  g: () => goTo('#/'),
  '/': () => focusFirst('[data-search], [data-prompt]'),
  '?': () => {
    isHelpOpen.value = true
  },
  Escape: () => {
    const now = route.peek()
    if (now.view === 'session') void routes.interrupt(now.id)
  },
}

export function followKeys(): void {
  listenForKeys(
    () => letterKeys.value,
    (key) => actions[key],
  )
}
