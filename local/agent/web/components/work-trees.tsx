/** Copies of projects that sessions work in: what differs in each, and what becomes of it. */
import { useSignal } from '@preact/signals'
import type { WireWorkTree } from '../../contract/work-tree.ts'
import type { FileDiff } from '../../core/session/message.ts'
import { routes } from '../api/routes.ts'
import { homeWords, panelWords } from '../locales/words.ts'
import { sessionHref } from '../model/address.ts'
import { nameOf } from '../model/transcript.ts'
import { useActions } from '../state/kit.ts'
import { sessions } from '../state/sessions.ts'
import { useRead } from '../state/use-read.ts'
import { FileHead } from './file-head.tsx'
import { PatchView } from './patch-view.tsx'
import { Section } from './section.tsx'
import { FailureNote } from './states.tsx'

/** Nothing where there are none. `of`: that of one session alone. */
export function WorkTreeSection({ of }: { of?: string }) {
  const say = homeWords.value.workTrees
  const { value } = useRead(routes.workTrees, [], ({ type }) => /^(?:worktree\.changed|session\.deleted)$/.test(type))
  const shown = (value.value?.data ?? []).filter(({ sessionID }) => of === undefined || sessionID === of)
  if (shown.length === 0) return null
  return (
    <Section title={say.title} count={of === undefined ? shown.length : undefined}>
      <ul class="rows">
        {shown.map((tree) => (
          <WorkTreeRow key={tree.sessionID} tree={tree} isAlone={of !== undefined} />
        ))}
      </ul>
    </Section>
  )
}

function WorkTreeRow({ tree, isAlone }: { tree: WireWorkTree; isAlone: boolean }) {
  const say = homeWords.value.workTrees
  const { sessionID: id, project, branch } = tree
  const isOpen = useSignal(false)
  const reading = useRead(() => (isOpen.value ? routes.workTree(id) : undefined), [isOpen.value])
  const { failure, isBusy, act } = useActions(reading)
  const title = sessions.value?.find((one) => one.id === id)?.title ?? branch
  const changes = reading.value.value?.data.changes
  return (
    <li>
      <div class="grow">
        {isAlone ? null : (
          <a class="t cut" dir="auto" href={sessionHref(id)} data-row>
            {title}
          </a>
        )}
        <span class="s">
          {nameOf(project)} · <code>{branch}</code>
        </span>
        <FailureNote failure={failure.value} />
        <details onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}>
          <summary class="link small">{say.difference}</summary>
          <FailureNote failure={reading.failure.value} />
          {changes?.length === 0 ? <p class="small muted">{say.same}</p> : null}
          {(changes ?? []).map((file) => (
            <DifferingFile key={file.path} file={file} />
          ))}
        </details>
        <div class="btns">
          <button class="btn" type="button" disabled={isBusy} onClick={() => void act(() => routes.mergeWorkTree(id))}>
            {say.merge}
          </button>
          <details>
            <summary class="link small">{say.discard}</summary>
            <p class="small">{say.discardNote}</p>
            <button
              class="btn danger"
              type="button"
              disabled={isBusy}
              onClick={() => void act(() => routes.discardWorkTree(id))}
            >
              {say.discardNow}
            </button>
          </details>
        </div>
      </div>
    </li>
  )
}

function DifferingFile({ file }: { file: FileDiff }) {
  const say = panelWords.value.changes
  return (
    <details class="file-diff">
      <summary>
        <FileHead file={file} />
      </summary>
      {file.patch.includes('@@') ? <PatchView patch={file.patch} /> : <p class="small muted">{say.tooLong}</p>}
    </details>
  )
}
