/** Which folder a page is about: the server's own, or one that a session works in. */
import { useSignal } from '@preact/signals'
import { words } from '../locales/words.ts'
import { nameOf } from '../model/transcript.ts'
import { folders, here } from '../state/sessions.ts'

export function useFolder() {
  const chosen = useSignal<string | undefined>(undefined)
  const folder = chosen.value ?? here.value?.directory
  const choice = (
    <select
      class="input sel"
      aria-label={words.value.folder}
      value={folder ?? ''}
      onChange={({ currentTarget }) => {
        chosen.value = currentTarget.value
      }}
    >
      {folders.value.map((directory) => (
        <option key={directory} value={directory}>
          {nameOf(directory)}
        </option>
      ))}
    </select>
  )
  return { folder, choice }
}
