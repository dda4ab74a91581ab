import { Icon } from '#shared/pages/icon.tsx'
import { Note } from '#shared/pages/note.tsx'
import { type Entrance, fetchState, setUp } from '../api/account.ts'
import { changeLocaleSettings } from '../api/service.ts'
import { FormFrame } from '../components/form-frame.tsx'
import { KeptEntrances } from '../components/kept-entrances.tsx'
import { NewPasswordFields } from '../components/new-password.tsx'
import { OwnerName } from '../components/owner-name.tsx'
import { SetupFrame } from '../components/setup-frame.tsx'
import { TimeZoneField, zoneHere } from '../components/time-zone-field.tsx'
import { words } from '../locales/words.ts'
import { isPasswordRefused, noPassword } from '../model/password-strength.ts'
import { language } from '../preferences.ts'
import { goTo, setupCode } from '../router.ts'
import { consoleState } from '../session.ts'
import { useForm } from '../use-form.ts'

function PasswordForm({ code }: { code: string }) {
  const text = words.value.setup
  const form = useForm({ ...noPassword, zone: zoneHere(), kept: [] as readonly Entrance[] }, { asks: false })
  const isFirst = consoleState.value?.set_up !== true
  const { password, zone, kept } = form.values
  const { value, onChoose } = form.chosen('zone')

  async function enter(): Promise<void> {
    // Not worth an error at this place: it stands in the settings, too.
    if (isFirst) await changeLocaleSettings(zone, language.value)
    const state = await fetchState()
    if (state.ok) consoleState.value = state.value
    setupCode.value = undefined
    goTo('#/welcome')
  }

  return (
    <>
      <h2>{text.choosePassword}</h2>
      <p class="muted">{text.chooseLead}</p>
      <FormFrame
        form={form}
        class="su-form narrow"
        isRight={!isPasswordRefused(form.values)}
        send={() => setUp(code, password, kept)}
        onSaved={enter}
        submitWords={text.setIt}
        beside={<span />}
        failureNote={
          form.failure?.code === 'forbidden' ? (
            <Note tone="bad" role="alert">
              {text.wrongCode}
            </Note>
          ) : undefined
        }
      >
        <OwnerName />
        <NewPasswordFields form={form} label={text.password} againLabel={text.again} />
        {isFirst ? <TimeZoneField value={value} onChoose={onChoose} /> : <KeptEntrances {...form.chosen('kept')} />}
      </FormFrame>
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
