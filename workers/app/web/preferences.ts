import { signal } from '@preact/signals'
import {
  type Language,
  recall,
  recalled,
  recalledLanguage,
  remember,
  showPreferences,
  type Theme,
} from '#shared/pages/preferences.ts'

const keys = { language: 'wharf.language', theme: 'wharf.theme', letters: 'wharf.letters' } as const

export const theme = recalled<Theme>(keys.theme, ['light', 'dark'], 'system')
export const language = recalledLanguage(keys.language)
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

showPreferences(language, theme)
