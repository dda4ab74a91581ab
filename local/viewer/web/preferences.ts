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

const keys = { theme: 'viewer-ui.theme', language: 'viewer-ui.language', letters: 'viewer-ui.letters' } as const

export const theme = recalled<Theme>(keys.theme, ['light', 'dark'], 'system')
export const language = recalledLanguage(keys.language)
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
export function applyPreferences(): void {
  showPreferences(language, theme)
}
