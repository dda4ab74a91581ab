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
function recalled<T extends string>(key: string, choices: readonly T[], otherwise: T): Signal<T> {
  const stored = recall(key)
  return signal(choices.find((one) => one === stored) ?? otherwise)
}

/** The choices of one page, kept under names that begin with its own. */
export function keptPreferences(page: string) {
  const keys = { theme: `${page}.theme`, language: `${page}.language`, letters: `${page}.letters` }
  const theme = recalled<Theme>(keys.theme, ['light', 'dark'], 'system')
  const language = recalled<Language>(
    keys.language,
    ['en', 'zh'],
    navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en',
  )
  /** Whether J, K and the other single letters do something. */
  const letterKeys = signal(recall(keys.letters) !== 'off')
  return {
    theme,
    language,
    letterKeys,
    chooseTheme(next: Theme): void {
      theme.value = next
      remember(keys.theme, next === 'system' ? undefined : next)
    },
    rememberLanguage(chosen: Language): void {
      remember(keys.language, chosen)
    },
    chooseLetterKeys(on: boolean): void {
      letterKeys.value = on
      remember(keys.letters, on ? undefined : 'off')
    },
    /** Language and theme of the document follow the choices from now on. */
    applyPreferences(): void {
      effect(() => {
        document.documentElement.lang = language.value === 'zh' ? 'zh-CN' : 'en'
      })
      effect(() => {
        if (theme.value === 'system') delete document.documentElement.dataset['theme']
        else document.documentElement.dataset['theme'] = theme.value
      })
    },
  }
}
