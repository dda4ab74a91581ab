import { keptPreferences } from '#shared/pages/preferences.ts'

export const { theme, language, letterKeys, chooseTheme, rememberLanguage, chooseLetterKeys, applyPreferences } =
  keptPreferences('viewer-ui')
