import { KeyDialog as SharedKeyDialog } from '#shared/pages/key-dialog.tsx'
import { setting } from '#shared/pages/set.ts'
import { isHelpOpen } from '../keys.ts'
import { words } from '../locales/words.ts'
import { chooseLetterKeys, letterKeys } from '../preferences.ts'

export function KeyDialog() {
  if (!isHelpOpen.value) return null
  const { keys, settings, close } = words.value
  return (
    <SharedKeyDialog
      words={{ title: keys.title, letters: settings.letters, close }}
      rows={[
        ['/', keys.search],
        ['N', keys.newTask],
        ['J', keys.down],
        ['K', keys.up],
        ['G', keys.home],
        ['Ctrl ↵', keys.send],
        ['Esc', keys.stop],
        ['Y', keys.allow],
        ['X', keys.reject],
        ['?', keys.help],
      ]}
      lettersCount={letterKeys.value}
      onLetters={chooseLetterKeys}
      onClose={setting(isHelpOpen, false)}
    />
  )
}
