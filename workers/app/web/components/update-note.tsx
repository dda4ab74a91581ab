/** That a newer version was released, where the owner looks first. A check that failed is told in the settings. */

import { Note } from '#shared/pages/note.tsx'
import { fetchNewerRelease } from '../api/service.ts'
import { words } from '../locales/words.ts'
import { useResource } from '../resource.ts'

const everyMs = 6 * 3600 * 1000

export function UpdateNote() {
  const newer = useResource('newer-release', fetchNewerRelease, everyMs).state.value.data
  const text = words.value.updates
  const release = newer?.new_releases[0]
  if (newer === undefined || release === undefined) return null
  return (
    <Note
      role="status"
      action={
        release.url === '' ? undefined : (
          <a class="link" href={release.url} target="_blank" rel="noreferrer">
            {text.whatIsNew}
          </a>
        )
      }
    >
      <b>{text.isOut(release.version)}</b> {text.youRun(newer.current_version)}
    </Note>
  )
}
