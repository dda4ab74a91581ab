import { recalled, recalledLanguage, remember, showPreferences, type Theme } from '#shared/pages/preferences.ts'

const keys = { theme: 'agent-ui.theme', language: 'agent-ui.language', letters: 'agent-ui.letters' } as const

export const theme = recalled<Theme>(keys.theme, ['light', 'dark'], 'system')
export const language = recalledLanguage(keys.language)
/** Whether J, K, N and the other single letters do something. */
export const letterKeys = recalled<'on' | 'off'>(keys.letters, ['on', 'off'], 'on')

export function chooseTheme(next: Theme): void {
  theme.value = next
  remember(keys.theme, next === 'system' ? undefined : next)
}

export function rememberLanguage(chosen: 'en' | 'zh'): void {
  remember(keys.language, chosen)
}

export function chooseLetterKeys(on: boolean): void {
  letterKeys.value = on ? 'on' : 'off'
  remember(keys.letters, on ? undefined : 'off')
}

export function applyPreferences(): void {
  showPreferences(language, theme)
}
