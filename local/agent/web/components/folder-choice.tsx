/** Which folder a page is about: the server's own, or one that a session works in. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { words } from '../locales/words.ts'
import { nameOf } from '../model/transcript.ts'
import { folders, here } from '../state/sessions.ts'
import { Shell, usePageTitle } from './shell.tsx'

export const folderOptions = () => folders.value.map((value) => ({ value, label: nameOf(value) }))

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
      {folderOptions().map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  )
  return { folder, choice }
}

/** A page of that folder, with its choice in the bar. */
export function FolderShell(props: { title: string; choice: ComponentChildren; children: ComponentChildren }) {
  usePageTitle(props.title)
  return (
    <Shell
      bar={
        <>
          <h1>{props.title}</h1>
          <div class="end">{props.choice}</div>
        </>
      }
    >
      {props.children}
    </Shell>
  )
}
