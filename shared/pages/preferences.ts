/** What a browser remembers for one page: language, theme, single-letter keys. Nothing of it leaves the browser. */
import { effect, type Signal, signal } from '@preact/signals'

export type Theme = 'system' | 'light' | 'dark'
export type Language = 'en' | 'zh'

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

/** What was chosen before, or what holds where nothing was; kept under `key`. */
export function recalled<T extends string>(key: string, choices: readonly T[], otherwise: T): Signal<T> {
  const stored = recall(key)
  return signal(choices.find((one) => one === stored) ?? otherwise)
}

export function recalledLanguage(key: string): Signal<Language> {
  const ofBrowser = navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en'
  return recalled(key, ['en', 'zh'], ofBrowser)
}

/** Language and theme of the document follow the choices from now on. */
export function showPreferences(language: Signal<Language>, theme: Signal<Theme>): void {
  effect(() => {
    document.documentElement.lang = language.value === 'zh' ? 'zh-CN' : 'en'
  })
  effect(() => {
    if (theme.value === 'system') delete document.documentElement.dataset['theme']
    else document.documentElement.dataset['theme'] = theme.value
  })
}
