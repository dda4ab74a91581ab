import { keptPreferences, type Language } from '#shared/pages/preferences.ts'

const kept = keptPreferences('wharf')

export const { theme, language, letterKeys, chooseTheme, chooseLetterKeys } = kept

export function chooseLanguage(next: Language): void {
  language.value = next
  kept.rememberLanguage(next)
}

kept.applyPreferences()
