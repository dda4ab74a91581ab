/** The files that the steps of a session changed, as they are now, hunk by hunk; and the session as a file. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Icon } from '#shared/pages/icon.tsx'
import type { FileDiff, SessionRecord } from '../../core/session/message.ts'
import type { ApiFailure } from '../api/ask.ts'
import { routes } from '../api/routes.ts'
import { Changed, PatchView } from '../components/patch-view.tsx'
import { ShareButton } from '../components/share.tsx'
import { Bones, FailureNote } from '../components/states.tsx'
import { Staged } from '../components/transcript.tsx'
import { panelWords } from '../locales/words.ts'
import type { OpenSession } from '../state/open-session.ts'
import { active } from '../state/sessions.ts'

/** After these something may have changed. */
const changing = new Set(['write', 'edit', 'apply_patch', 'bash', 'task'])
/** More than this at once would be a page nobody reads: the others open on demand. */
const openFiles = 8

export function ChangesPanel({ session, record }: { session: OpenSession; record: SessionRecord }) {
  const say = panelWords.value.changes
  const files = useSignal<readonly FileDiff[] | undefined>(undefined)
  const failure = useSignal<ApiFailure | undefined>(undefined)
  const isActive = active.value.has(session.id)
  const steps = session.cells.value.reduce((count, { message: { value: message } }) => {
    if (message.type !== 'assistant') return count
    return (
      count +
      message.content.filter(
        (part) => part.type === 'tool' && changing.has(part.name) && part.time.completed !== undefined,
      ).length
    )
  }, 0)
  async function read(): Promise<void> {
    const answer = await routes.changes(session.id)
    failure.value = answer.ok ? undefined : answer.failure
    if (answer.ok) files.value = answer.value.data
  }
  useEffect(() => {
    void read()
  }, [session.id, steps, isActive, record.revert?.messageID])
  const all = files.value
  return (
    <div class="panel-in">
      {failure.value === undefined ? null : <FailureNote failure={failure.value} retry={() => void read()} />}
      <Staged session={session} />
      {all === undefined && failure.value === undefined ? <Bones rows={5} /> : null}
      {all?.length === 0 ? <p class="muted">{say.none}</p> : null}
      {all === undefined || all.length === 0 ? null : (
        <>
          <p class="small muted">
            <b>{say.files(all.length)}</b> {say.sinceStart}
          </p>
          {all.map((file, at) => (
            <FileChanges key={file.path} file={file} isOpen={at < openFiles} />
          ))}
        </>
      )}
      <div class="btns panel-foot">
        <ShareButton record={record} />
      </div>
    </div>
  )
}

function FileChanges({ file, isOpen }: { file: FileDiff; isOpen: boolean }) {
  const say = panelWords.value.changes
  const isShown = useSignal(isOpen)
  return (
    <details
      class="file-diff"
      open={isShown.value}
      onToggle={({ currentTarget }) => {
        isShown.value = currentTarget.open
      }}
    >
      <summary data-row>
        <Icon name="file" small />
        <span class="mono cut ends-only grow" title={file.path}>
          <bdi>{file.path}</bdi>
        </span>
        {file.status === 'modified' ? null : <span class="tag">{say.status[file.status]}</span>}
        <Changed added={file.additions} deleted={file.deletions} />
      </summary>
      {!isShown.value ? null : file.patch === '' || !file.patch.includes('@@') ? (
        <p class="small muted">{say.tooLong}</p>
      ) : (
        <PatchView patch={file.patch} />
      )}
    </details>
  )
}
