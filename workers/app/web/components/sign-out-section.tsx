/** Everything that is signed in, ended at once: what of it is chosen here and asked once more. */
import { useSignal } from '@preact/signals'
import { Tick } from '#shared/pages/field.tsx'
import { Note } from '#shared/pages/note.tsx'
import { setting } from '#shared/pages/set.ts'
import { type SignedInKind, signedInKinds } from '../../core/vocabulary.ts'
import { endSignIns } from '../api/account.ts'
import { words } from '../locales/words.ts'
import { sessionEnded } from '../session.ts'
import { useActions } from '../use-actions.ts'
import { Confirm } from './confirm.tsx'
import { FailureNote } from './note.tsx'
import { Section } from './section.tsx'

export function SignOutSection() {
  const text = words.value.settings
  const chosen = useSignal<readonly SignedInKind[]>(signedInKinds)
  const asking = useSignal(false)
  const done = useSignal('')
  const { act, isBusy, failure } = useActions()

  async function end(): Promise<void> {
    const answer = await act(() => endSignIns(chosen.value))
    asking.value = false
    if (!answer?.ok) return
    if (chosen.value.includes('sessions')) sessionEnded()
    else done.value = text.endedAll(answer.value.ended.tokens, answer.value.ended.devices)
  }

  return (
    <Section title={text.everywhere}>
      <div class="su-form">
        <p class="muted">{text.everywhereLead}</p>
        <fieldset class="ticks">
          <legend class="vh">{text.everywhere}</legend>
          {signedInKinds.map((kind) => (
            <Tick
              key={kind}
              checked={chosen.value.includes(kind)}
              onChange={(isChosen) => {
                const others = chosen.value.filter((one) => one !== kind)
                chosen.value = isChosen ? [...others, kind] : others
              }}
            >
              {text.signedIn[kind]}
            </Tick>
          ))}
        </fieldset>
        <FailureNote failure={failure.value} />
        {done.value === '' ? null : (
          <Note tone="good" role="status">
            {done.value}
          </Note>
        )}
        <button
          class="btn danger"
          type="button"
          disabled={chosen.value.length === 0}
          onClick={() => {
            done.value = ''
            asking.value = true
          }}
        >
          {text.everywhere}…
        </button>
      </div>
      {asking.value ? (
        <Confirm
          title={text.everywhereConfirm}
          body={chosen.value.map((kind) => text.signedIn[kind]).join(text.joint)}
          action={text.everywhereDo}
          busy={isBusy}
          onCancel={setting(asking, false)}
          onConfirm={() => void end()}
        />
      ) : null}
    </Section>
  )
}
