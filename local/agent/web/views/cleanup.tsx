/** Old sessions and what they left on the disk: what would go is shown first, and goes after a yes. */
import { useSignal } from '@preact/signals'
import { Dialog } from '#shared/pages/dialog.tsx'
import { SelectField } from '#shared/pages/field.tsx'
import { Note } from '#shared/pages/note.tsx'
import { type PruneReport, routes } from '../api/routes.ts'
import { Shell, usePageTitle } from '../components/shell.tsx'
import { FailureNote, Loaded } from '../components/states.tsx'
import { cleanupWords, words } from '../locales/words.ts'
import { sessionHref } from '../model/address.ts'
import { bytesText, grouped } from '../model/amounts.ts'
import { useActions } from '../state/kit.ts'
import { readEverything, sessions } from '../state/sessions.ts'
import { useRead } from '../state/use-read.ts'

const ages = [0, 7, 30, 90, 365] as const
const shownSessions = 50
type Action = 'archive' | 'delete'

export function CleanupView() {
  const title = words.value.views.cleanup
  const say = cleanupWords.value
  usePageTitle(title)
  const olderThan = useSignal(30)
  const allProjects = useSignal(false)
  const asked = useSignal<Action | undefined>(undefined)
  const done = useSignal<string | undefined>(undefined)
  const choice = { olderThan: olderThan.value, allProjects: allProjects.value }
  const reading = useRead(() => routes.previewPrune(choice), [olderThan.value, allProjects.value])
  const report = reading.value.value?.data
  return (
    <Shell bar={<h1>{title}</h1>}>
      <div class="page stack cleanp">
        <div class="two-f">
          <SelectField
            label={say.olderThan}
            value={String(olderThan.value)}
            options={ages.map((days) => ({ value: String(days), label: say.days(days) }))}
            onChoose={(days) => {
              olderThan.value = Number(days)
            }}
          />
          <SelectField
            label={say.where}
            value={String(allProjects.value)}
            options={[
              { value: 'false', label: say.thisProject },
              { value: 'true', label: say.allProjects },
            ]}
            onChoose={(all) => {
              allProjects.value = all === 'true'
            }}
          />
        </div>
        <Loaded reading={reading} rows={6}>
          {({ data }) => (
            <>
              {done.value === undefined ? null : (
                <p class="note" role="status">
                  {done.value}
                </p>
              )}
              <Report report={data} onAsk={(action) => (asked.value = action)} />
            </>
          )}
        </Loaded>
      </div>
      {asked.value === undefined || report === undefined ? null : (
        <Confirm
          action={asked.value}
          report={report}
          choice={choice}
          onClose={() => (asked.value = undefined)}
          onDone={(sentence) => {
            asked.value = undefined
            done.value = sentence
            void reading.reload()
            void readEverything()
          }}
        />
      )}
    </Shell>
  )
}

function Report({ report, onAsk }: { report: PruneReport; onAsk: (action: Action) => void }) {
  const say = cleanupWords.value
  const chosen = report.selected_session_ids
  const kinds = Map.groupBy(report.artifacts.items, ({ kind }) => kind)
  const titleOf = (id: string) => sessions.value?.find((one) => one.id === id)?.title ?? id
  return (
    <>
      <dl class="figures">
        <Figure name={say.sessions} value={grouped(chosen.length)} note={say.spared(report.excluded.length)} />
        <Figure
          name={say.stored}
          value={bytesText(report.database.total_bytes)}
          note={say.rows(report.database.total_rows)}
        />
        {(['tool_output', 'snapshot_store', 'work_tree'] as const).map((kind) => {
          const items = kinds.get(kind) ?? []
          const bytes = items.reduce((sum, one) => sum + one.bytes, 0)
          return <Figure key={kind} name={say.kinds[kind]} value={bytesText(bytes)} note={say.parts(items.length)} />
        })}
      </dl>
      {report.notes.map((note, at) => (
        <Note key={at} tone="warn">
          {note.kind === 'more' ? say.notes.more(note.most) : say.notes.left(note.path)}
        </Note>
      ))}
      {chosen.length === 0 ? (
        <p class="muted">{say.nothing}</p>
      ) : (
        <>
          <ul class="rows">
            {chosen.slice(0, shownSessions).map((id) => (
              <li key={id}>
                <a class="t cut" dir="auto" href={sessionHref(id)} data-row>
                  {titleOf(id)}
                </a>
              </li>
            ))}
          </ul>
          {chosen.length > shownSessions ? <p class="muted small">{say.more(chosen.length - shownSessions)}</p> : null}
          <div class="btns">
            <button class="btn" type="button" onClick={() => onAsk('archive')}>
              {say.archive}
            </button>
            <button class="btn danger" type="button" onClick={() => onAsk('delete')}>
              {say.delete}
            </button>
          </div>
        </>
      )}
    </>
  )
}

function Figure({ name, value, note }: { name: string; value: string; note: string }) {
  return (
    <div class="fig">
      <dt>{name}</dt>
      <dd class="v">{value}</dd>
      <dd class="d">{note}</dd>
    </div>
  )
}

function Confirm(props: {
  action: Action
  report: PruneReport
  choice: { olderThan: number; allProjects: boolean }
  onClose: () => void
  onDone: (sentence: string) => void
}) {
  const { action, report, choice } = props
  const say = cleanupWords.value
  const { failure, isBusy, act } = useActions()
  const count = report.selected_session_ids.length
  async function apply(): Promise<void> {
    const applied = await act(() => routes.applyPrune({ ...choice, action, apply: true, digest: report.digest }))
    if (applied?.ok === true) props.onDone(say.done[action](applied.value.data.changed_sessions))
  }
  return (
    <Dialog title={say.confirm[action](count)} onClose={props.onClose}>
      <p>{say.meaning[action]}</p>
      <FailureNote failure={failure.value} />
      <div class="btns ends-right">
        <button class="btn" type="button" data-first onClick={props.onClose}>
          {words.value.cancel}
        </button>
        <button
          class={action === 'delete' ? 'btn danger' : 'btn primary'}
          type="button"
          disabled={isBusy}
          onClick={() => void apply()}
        >
          {say.now[action]}
        </button>
      </div>
    </Dialog>
  )
}
