/** What this browser remembers for itself: language, theme, single-letter keys. Nothing of it leaves the browser. */
import { effect, signal } from '@preact/signals'
import type { Language } from './model/moments.ts'

export type Theme = 'system' | 'light' | 'dark'

const keys = { language: 'wharf.language', theme: 'wharf.theme', letters: 'wharf.letters' } as const

/** Storage can be closed off by the browser; the choice then lasts as long as the page. */
function recall(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}
function remember(key: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    // See recall.
  }
}

function firstLanguage(): Language {
  const stored = recall(keys.language)
  if (stored === 'en' || stored === 'zh') return stored
  return navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en'
}

function firstTheme(): Theme {
  const stored = recall(keys.theme)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

export const language = signal<Language>(firstLanguage())
export const theme = signal<Theme>(firstTheme())
/** Whether J, K, X and the other single letters do something. */
export const letterKeys = signal(recall(keys.letters) !== 'off')

export function chooseLanguage(next: Language): void {
  language.value = next
  remember(keys.language, next)
}
export function chooseTheme(next: Theme): void {
  theme.value = next
  remember(keys.theme, next === 'system' ? undefined : next)
}
export function chooseLetterKeys(on: boolean): void {
  letterKeys.value = on
  remember(keys.letters, on ? undefined : 'off')
}

effect(() => {
  document.documentElement.lang = language.value === 'zh' ? 'zh-CN' : 'en'
})
effect(() => {
  if (theme.value === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme.value
})
