/** What every session of a project is told beside its prompts: rules from files, and notes that earlier sessions kept. */
import { showUnseen } from '#shared/pages/text-blocks.ts'
import type { Reloaded } from '#shared/pages/use-actions.ts'
import { type ProjectMemory, routes } from '../api/routes.ts'
import { FolderShell, useFolder } from '../components/folder-choice.tsx'
import { LongText } from '../components/long-text.tsx'
import { Section } from '../components/section.tsx'
import { FailureNote, Loaded } from '../components/states.tsx'
import { memoryWords, momentText, words } from '../locales/words.ts'
import { sessionHref } from '../model/address.ts'
import { useActions } from '../state/kit.ts'
import { useRead } from '../state/use-read.ts'

export function MemoryView() {
  const say = memoryWords.value
  const { folder, choice } = useFolder()
  const reading = useRead(() => (folder === undefined ? undefined : routes.memory(folder)), [folder])
  return (
    <FolderShell title={words.value.views.memory} choice={choice}>
      <div class="page stack">
        <Loaded reading={reading} rows={6}>
          {({ data: { rules, notes } }) => (
            <>
              <Section title={say.rules} count={rules.length}>
                {rules.length === 0 ? <p class="muted">{say.noRules}</p> : null}
                {rules.map(({ file, text }) => (
                  <details key={file} class="file-diff">
                    <summary data-row>
                      <span class="mono cut ends-only grow" title={file}>
                        <bdi>{file}</bdi>
                      </span>
                    </summary>
                    <LongText text={showUnseen(text)} />
                  </details>
                ))}
              </Section>
              <Section title={say.notes} count={notes.length}>
                {notes.length === 0 ? <p class="muted">{say.noNotes}</p> : null}
                <ul class="rows">
                  {notes.map((note) => (
                    <NoteRow key={note.id} note={note} list={reading} />
                  ))}
                </ul>
              </Section>
            </>
          )}
        </Loaded>
      </div>
    </FolderShell>
  )
}

function NoteRow({ note, list }: { note: ProjectMemory['notes'][number]; list: Reloaded }) {
  const say = memoryWords.value
  const { failure, isBusy, act } = useActions(list)
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
        <FailureNote failure={failure.value} />
      </div>
      <button
        class="btn quiet"
        type="button"
        disabled={isBusy}
        aria-label={say.forgetNamed(note.text)}
        onClick={() => void act(() => routes.forgetNote(note.id))}
      >
        {say.forget}
      </button>
    </li>
  )
}
