/** A change of one torrent, and the words about what came of it. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Note } from '#shared/pages/note.tsx'
import type { Reason } from '../core/reason/reason.ts'
import type { ApiFailure } from './api/call.ts'
import { actOnTorrents, changeTorrents, fetchTorrentFile } from './api/downloaders.ts'
import { FailureWords } from './components/note.tsx'
import { ReasonWords } from './components/reason.tsx'
import { words } from './locales/words.ts'
import type { TorrentTarget } from './model/torrent-query.ts'
import type { Deed } from './model/torrent-undo.ts'

export function useTorrentChange(
  { downloader_id, task_id }: TorrentTarget,
  onDone: () => Promise<unknown>,
): {
  readonly change: (what: Deed) => Promise<boolean>
  /** Saves its torrent file under that name. */
  readonly save: (name: string) => Promise<void>
  readonly outcome: ComponentChildren
} {
  const text = words.value.torrent
  const failure = useSignal<ApiFailure | undefined>(undefined)
  const refused = useSignal<Reason | undefined>(undefined)
  const done = useSignal<string | undefined>(undefined)

  function forget(): void {
    failure.value = undefined
    refused.value = undefined
    done.value = undefined
  }

  async function save(name: string): Promise<void> {
    forget()
    const file = await fetchTorrentFile({ downloader_id, task_id })
    if (!file.ok) {
      failure.value = file.failure
      return
    }
    const link = document.createElement('a')
    link.href = URL.createObjectURL(file.value)
    link.download = `${name.replace(/[\\/:*?"<>|]/g, '_')}.torrent`
    link.click()
    URL.revokeObjectURL(link.href)
  }

  async function change(what: Deed): Promise<boolean> {
    forget()
    const targets = [{ downloader_id, task_id }]
    const answer = await (typeof what === 'string' ? actOnTorrents(what, targets) : changeTorrents(what, targets))
    const [result] = answer.ok ? answer.value.results : []
    if (!answer.ok) failure.value = answer.failure
    else if (result?.success === true) done.value = typeof what === 'string' ? undefined : text.done[what.kind]
    else refused.value = result?.reason
    await onDone()
    return result?.success === true
  }

  const outcome = (
    <div role="status">
      {done.value === undefined ? null : <Note tone="good">{done.value}</Note>}
      {failure.value === undefined && refused.value === undefined ? null : (
        <Note tone="bad">
          {failure.value === undefined ? (
            <ReasonWords reason={refused.value} />
          ) : (
            <FailureWords failure={failure.value} />
          )}
        </Note>
      )}
    </div>
  )
  return { change, save, outcome }
}
