import { useSignal } from '@preact/signals'
import { Icon } from '#shared/pages/icon.tsx'
import { Note } from '#shared/pages/note.tsx'
import type { ApiFailure } from '../api-client.ts'
import { changeLocaleSettings, fetchState, setUp } from '../api-client.ts'
import { KeptEntrances, useKeptEntrances } from '../components/kept-entrances.tsx'
import { NewPasswordFields, OwnerName, useNewPassword } from '../components/new-password.tsx'
import { FailureNote } from '../components/note.tsx'
import { SetupFrame } from '../components/setup-frame.tsx'
import { TimeZoneField, zoneHere } from '../components/time-zone-field.tsx'
import { words } from '../locales/words.ts'
import { goTo, setupCode } from '../router.ts'
import { consoleState } from '../session.ts'

function PasswordForm({ code }: { code: string }) {
  const text = words.value.setup
  const entry = useNewPassword()
  const kept = useKeptEntrances()
  const busy = useSignal(false)
  const zone = useSignal(zoneHere())
  const failure = useSignal<ApiFailure | undefined>(undefined)
  const isFirst = consoleState.value?.set_up !== true

  async function submit(event: Event): Promise<void> {
    event.preventDefault()
    entry.tried.value = true
    if (entry.isRefused || busy.value) return
    busy.value = true
    failure.value = undefined
    const answer = await setUp(code, entry.password.value, kept.value)
    if (answer.ok) {
      // Not worth an error at this place: it stands in the settings, too.
      if (isFirst) await changeLocaleSettings(zone.value)
      const state = await fetchState()
      if (state.ok) consoleState.value = state.value
      setupCode.value = undefined
      goTo('#/welcome')
    } else {
      failure.value = answer.failure
      busy.value = false
    }
  }

  return (
    <>
      <h2>{text.choosePassword}</h2>
      <p class="muted">{text.chooseLead}</p>
      <form class="su-form narrow" onSubmit={(event) => void submit(event)}>
        <OwnerName />
        <NewPasswordFields entry={entry} label={text.password} againLabel={text.again} />
        {isFirst ? (
          <TimeZoneField
            value={zone.value}
            onChoose={(chosen) => {
              zone.value = chosen
            }}
          />
        ) : (
          <KeptEntrances kept={kept} />
        )}
        {failure.value === undefined ? null : failure.value.code === 'forbidden' ? (
          <Note tone="bad" role="alert">
            {text.wrongCode}
          </Note>
        ) : (
          <FailureNote failure={failure.value} />
        )}
        <div class="su-act">
          <span />
          <button class="btn primary" type="submit" disabled={busy.value}>
            {text.setIt}
          </button>
        </div>
      </form>
    </>
  )
}

export function SetUpPage() {
  const text = words.value.setup
  const code = setupCode.value
  const already = consoleState.value?.set_up === true
  return (
    <SetupFrame step={1}>
      {code === undefined ? (
        <>
          <h2>{text.needsLink}</h2>
          <p class="muted">{already ? text.already : text.needsLinkBody}</p>
          {already ? (
            <p class="su-form">
              <a class="btn" href="#/sign-in">
                <Icon name="entry" />
                {words.value.signIn.button}
              </a>
            </p>
          ) : null}
        </>
      ) : (
        <PasswordForm code={code} />
      )}
    </SetupFrame>
  )
}
