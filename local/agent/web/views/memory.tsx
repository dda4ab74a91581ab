/** What every session of a project is told beside its prompts: rules from files, and notes that earlier sessions kept. */
import { useSignal } from '@preact/signals'
import { showUnseen } from '#shared/pages/text-blocks.ts'
import type { ApiFailure } from '../api/ask.ts'
import { type ProjectMemory, routes } from '../api/routes.ts'
import { useFolder } from '../components/folder-choice.tsx'
import { LongText } from '../components/long-text.tsx'
import { Shell, usePageTitle } from '../components/shell.tsx'
import { FailureNote, Skeleton } from '../components/states.tsx'
import { memoryWords, momentText, words } from '../locales/words.ts'
import { sessionHref } from '../model/address.ts'
import { useRead } from '../state/use-read.ts'

export function MemoryView() {
  const title = words.value.views.memory
  const say = memoryWords.value
  usePageTitle(title)
  const { folder, choice } = useFolder()
  const { value, failure, read } = useRead(() => (folder === undefined ? undefined : routes.memory(folder)), [folder])
  const all = value.value?.data
  return (
    <Shell
      bar={
        <>
          <h1>{title}</h1>
          <div class="end">{choice}</div>
        </>
      }
    >
      <div class="page stack">
        {failure.value === undefined ? null : <FailureNote failure={failure.value} retry={() => void read()} />}
        {all === undefined && failure.value === undefined ? <Skeleton rows={6} /> : null}
        {all === undefined ? null : (
          <>
            <section class="sec" aria-label={say.rules}>
              <header>
                <h2>{say.rules}</h2>
                <span class="n">{all.rules.length}</span>
              </header>
              {all.rules.length === 0 ? <p class="muted">{say.noRules}</p> : null}
              {all.rules.map(({ file, text }) => (
                <details key={file} class="file-diff">
                  <summary data-row>
                    <span class="mono cut ends-only grow" title={file}>
                      <bdi>{file}</bdi>
                    </span>
                  </summary>
                  <LongText text={showUnseen(text)} />
                </details>
              ))}
            </section>
            <section class="sec" aria-label={say.notes}>
              <header>
                <h2>{say.notes}</h2>
                <span class="n">{all.notes.length}</span>
              </header>
              {all.notes.length === 0 ? <p class="muted">{say.noNotes}</p> : null}
              <ul class="rows">
                {all.notes.map((note) => (
                  <NoteRow key={note.id} note={note} onForgotten={() => void read()} />
                ))}
              </ul>
            </section>
          </>
        )}
      </div>
    </Shell>
  )
}

function NoteRow({ note, onForgotten }: { note: ProjectMemory['notes'][number]; onForgotten: () => void }) {
  const say = memoryWords.value
  const failure = useSignal<ApiFailure | undefined>(undefined)
  async function forget(): Promise<void> {
    const done = await routes.forgetNote(note.id)
    failure.value = done.ok ? undefined : done.failure
    if (done.ok) onForgotten()
  }
  return (
    <li>
      <div class="grow">
        <span class="t" dir="auto">
          {showUnseen(note.text)}
        </span>
        <span class="s">
          <a class="link" href={sessionHref(note.sessionID)}>
            {say.from}
          </a>{' '}
          · {momentText(note.time.created)}
        </span>
        {failure.value === undefined ? null : <FailureNote failure={failure.value} />}
      </div>
      <button class="btn quiet" type="button" aria-label={say.forgetNamed(note.text)} onClick={() => void forget()}>
        {say.forget}
      </button>
    </li>
  )
}
