import { KeyDialog as SharedKeyDialog } from '#shared/pages/key-dialog.tsx'
import { setting } from '#shared/pages/set.ts'
import { isHelpOpen, viewKeys } from '../keys.ts'
import { words } from '../locales/words.ts'
import { chooseLetterKeys, letterKeys } from '../preferences.ts'

export function KeyDialog() {
  if (!isHelpOpen.value) return null
  const text = words.value.keys
  return (
    <SharedKeyDialog
      words={{ title: text.title, letters: words.value.settings.letters, close: words.value.close }}
      rows={[
        ['/', text.search],
        ['Ctrl K', text.search],
        ['J', text.down],
        ['K', text.up],
        ['Enter', text.open],
        ...viewKeys.value.map(({ key, meaning }) => [key.toUpperCase(), meaning] as const),
        ['G', text.home],
        ['Esc', text.back],
        ['?', text.help],
      ]}
      lettersCount={letterKeys.value}
      onLetters={chooseLetterKeys}
      onClose={setting(isHelpOpen, false)}
    />
  )
}
