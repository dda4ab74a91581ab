/** The files that the steps of a session changed, as they are now, hunk by hunk; and the session as a file. */

import { useSignal } from '@preact/signals'
import type { Reloaded } from '#shared/pages/use-actions.ts'
import type { FileDiff, SessionRecord } from '../../core/session/message.ts'
import { routes } from '../api/routes.ts'
import { FileHead } from '../components/file-head.tsx'
import { type HunkActions, PatchView } from '../components/patch-view.tsx'
import { ShareButton } from '../components/share.tsx'
import { FailureNote, Loaded } from '../components/states.tsx'
import { Staged } from '../components/transcript.tsx'
import { WorkTreeSection } from '../components/work-trees.tsx'
import { panelWords } from '../locales/words.ts'
import type { Hunk } from '../model/patch.ts'
import { accepted, hunkMark, setAccepted } from '../state/accepted.ts'
import { useActions } from '../state/kit.ts'
import type { OpenSession } from '../state/open-session.ts'
import { active } from '../state/sessions.ts'
import { useRead } from '../state/use-read.ts'

/** After these something may have changed. */
const changing = new Set(['write', 'edit', 'apply_patch', 'bash', 'task'])
/** More than this at once would be a page nobody reads: the others open on demand. */
const openFiles = 8

export function ChangesPanel({ session, record }: { session: OpenSession; record: SessionRecord }) {
  const say = panelWords.value.changes
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
  const reading = useRead(() => routes.changes(session.id), [session.id, steps, isActive, record.revert?.messageID])
  return (
    <div class="panel-in">
      <WorkTreeSection of={session.id} />
      <Staged session={session} />
      <Loaded reading={reading} rows={5}>
        {({ data: all }) =>
          all.length === 0 ? (
            <p class="muted">{say.none}</p>
          ) : (
            <>
              <p class="small muted">
                <b>{say.files(all.length)}</b> {say.sinceStart}
              </p>
              {all.map((file, at) => (
                <FileChanges key={file.path} file={file} session={session.id} isOpen={at < openFiles} list={reading} />
              ))}
            </>
          )
        }
      </Loaded>
      <div class="btns panel-foot">
        <ShareButton record={record} />
      </div>
    </div>
  )
}

function FileChanges(props: { file: FileDiff; session: string; isOpen: boolean; list: Reloaded }) {
  const { file, session } = props
  const say = panelWords.value.changes
  const isShown = useSignal(props.isOpen)
  const { failure, act } = useActions(props.list)
  const takeBack = (hunks?: number[]): void => {
    const { path, patch } = file
    void act(() => routes.revertHunks(session, { path, patch, ...(hunks === undefined ? {} : { hunks }) }))
  }
  const markOf = (hunk: Hunk) => hunkMark(session, file.path, hunk)
  const actions: HunkActions = {
    isFolded: (hunk) => accepted.value.has(markOf(hunk)),
    buttons: (hunk, at) => <HunkButtons mark={markOf(hunk)} takeBack={() => takeBack([at])} />,
  }
  return (
    <details
      class="file-diff"
      open={isShown.value}
      onToggle={({ currentTarget }) => {
        isShown.value = currentTarget.open
      }}
    >
      <summary data-row>
        <FileHead file={file} />
      </summary>
      <FailureNote failure={failure.value} />
      {!isShown.value ? null : file.patch === '' || !file.patch.includes('@@') ? (
        <p class="small muted">
          {say.tooLong}{' '}
          <button class="link-button" type="button" onClick={() => takeBack()}>
            {say.takeBackFile}
          </button>
        </p>
      ) : (
        <PatchView patch={file.patch} actions={actions} />
      )}
    </details>
  )
}

function HunkButtons({ mark, takeBack }: { mark: string; takeBack: () => void }) {
  const say = panelWords.value.changes
  if (accepted.value.has(mark))
    return (
      <>
        <span class="good nowrap">{say.accepted}</span>
        <button class="link-button" type="button" onClick={() => setAccepted(mark, false)}>
          {say.showAgain}
        </button>
      </>
    )
  return (
    <>
      <button class="link-button" type="button" onClick={() => setAccepted(mark, true)}>
        {say.accept}
      </button>
      <button class="link-button" type="button" onClick={takeBack}>
        {say.takeBackHunk}
      </button>
    </>
  )
}
