/** What this browser remembers for itself: theme, language, single-letter keys, symbols read last. */
import { effect, signal } from '@preact/signals'

export type Theme = 'system' | 'dark' | 'light'
export type Language = 'en' | 'zh'

const keys = { theme: 'viewer-ui.theme', language: 'viewer-ui.language', letters: 'viewer-ui.letters' } as const

/** Storage can be closed off by the browser; the choice then lasts as long as the page. */
export function recall(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}
export function remember(key: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    // See recall.
  }
}

function firstTheme(): Theme {
  const stored = recall(keys.theme)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

function firstLanguage(): Language {
  const stored = recall(keys.language)
  if (stored === 'en' || stored === 'zh') return stored
  return navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en'
}

export const theme = signal<Theme>(firstTheme())
export const language = signal<Language>(firstLanguage())
/** Whether J, K, S and the other single letters do something. */
export const letterKeys = signal(recall(keys.letters) !== 'off')

export function chooseTheme(next: Theme): void {
  theme.value = next
  remember(keys.theme, next === 'system' ? undefined : next)
}
export function rememberLanguage(chosen: Language): void {
  remember(keys.language, chosen)
}
export function chooseLetterKeys(on: boolean): void {
  letterKeys.value = on
  remember(keys.letters, on ? undefined : 'off')
}

/** Language and theme of the document follow the choices from now on. */
export function applyPreferences(): void {
  effect(() => {
    document.documentElement.lang = language.value === 'zh' ? 'zh-CN' : 'en'
  })
  effect(() => {
    if (theme.value === 'system') delete document.documentElement.dataset['theme']
    else document.documentElement.dataset['theme'] = theme.value
  })
}
