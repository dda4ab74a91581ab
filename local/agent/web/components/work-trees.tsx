/** Copies of projects that sessions work in: what differs in each, and what becomes of it. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { WireWorkTree } from '../../contract/work-tree.ts'
import type { FileDiff } from '../../core/session/message.ts'
import type { ApiFailure } from '../api/ask.ts'
import { routes } from '../api/routes.ts'
import { homeWords, panelWords } from '../locales/words.ts'
import { sessionHref } from '../model/address.ts'
import { nameOf } from '../model/transcript.ts'
import { onEvent } from '../state/live.ts'
import { sessions } from '../state/sessions.ts'
import { FileHead } from './file-head.tsx'
import { PatchView } from './patch-view.tsx'
import { FailureNote } from './states.tsx'

/** Nothing where there are none. `of`: that of one session alone. */
export function WorkTreeSection({ of }: { of?: string }) {
  const say = homeWords.value.workTrees
  const trees = useSignal<readonly WireWorkTree[]>([])
  useEffect(() => {
    let isLeft = false
    async function read(): Promise<void> {
      const answer = await routes.workTrees()
      if (answer.ok && !isLeft) trees.value = answer.value.data
    }
    void read()
    const stop = onEvent(({ type }) => {
      if (type === 'worktree.changed' || type === 'session.deleted' || type === 'server.connected') void read()
    })
    return () => {
      isLeft = true
      stop()
    }
  }, [])
  const shown = trees.value.filter(({ sessionID }) => of === undefined || sessionID === of)
  if (shown.length === 0) return null
  return (
    <section class="sec" aria-label={say.title}>
      <header>
        <h2>{say.title}</h2>
        {of === undefined ? <span class="n">{shown.length}</span> : null}
      </header>
      <ul class="rows">
        {shown.map((tree) => (
          <WorkTreeRow key={tree.sessionID} tree={tree} isAlone={of !== undefined} />
        ))}
      </ul>
    </section>
  )
}

function WorkTreeRow({ tree, isAlone }: { tree: WireWorkTree; isAlone: boolean }) {
  const say = homeWords.value.workTrees
  const { sessionID: id, project, branch } = tree
  const failure = useSignal<ApiFailure | undefined>(undefined)
  const changes = useSignal<readonly FileDiff[] | undefined>(undefined)
  const isBusy = useSignal(false)
  const title = sessions.value?.find((one) => one.id === id)?.title ?? branch
  async function read(): Promise<void> {
    const answer = await routes.workTree(id)
    failure.value = answer.ok ? undefined : answer.failure
    if (answer.ok) changes.value = answer.value.data.changes
  }
  async function end(how: () => ReturnType<typeof routes.mergeWorkTree>): Promise<void> {
    isBusy.value = true
    const done = await how()
    isBusy.value = false
    if (done.ok && changes.value !== undefined) await read()
    failure.value = done.ok ? undefined : done.failure
  }
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
        {failure.value === undefined ? null : <FailureNote failure={failure.value} />}
        <details
          onToggle={({ currentTarget }) => {
            if (currentTarget.open) void read()
          }}
        >
          <summary class="link small">{say.difference}</summary>
          {changes.value?.length === 0 ? <p class="small muted">{say.same}</p> : null}
          {(changes.value ?? []).map((file) => (
            <DifferingFile key={file.path} file={file} />
          ))}
        </details>
        <div class="btns">
          <button
            class="btn"
            type="button"
            disabled={isBusy.value}
            onClick={() => void end(() => routes.mergeWorkTree(id))}
          >
            {say.merge}
          </button>
          <details>
            <summary class="link small">{say.discard}</summary>
            <p class="small">{say.discardNote}</p>
            <button
              class="btn danger"
              type="button"
              disabled={isBusy.value}
              onClick={() => void end(() => routes.discardWorkTree(id))}
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
