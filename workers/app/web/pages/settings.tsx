import { useSignal } from '@preact/signals'
import { Icon } from '#shared/pages/icon.tsx'
import { Note } from '#shared/pages/note.tsx'
import type { Theme } from '#shared/pages/preferences.ts'
import { passwordCharactersMax } from '../../limits.ts'
import { type ApiFailure, changePassword } from '../api-client.ts'
import { typed } from '../bind-field.ts'
import { AssistantSettings } from '../components/assistant-settings.tsx'
import { CookiePushSection } from '../components/cookie-push-section.tsx'
import { TextField, Tick } from '../components/field.tsx'
import { KeptEntrances, useKeptEntrances } from '../components/kept-entrances.tsx'
import { KeyList } from '../components/key-list.tsx'
import { LanguageSwitch } from '../components/language-switch.tsx'
import { NewPasswordFields, OwnerName, useNewPassword } from '../components/new-password.tsx'
import { FailureNote } from '../components/note.tsx'
import { PasskeySection } from '../components/passkey-section.tsx'
import { ServiceSections } from '../components/service-settings.tsx'
import { leave, Shell } from '../components/shell.tsx'
import { SignOutSection } from '../components/sign-out-section.tsx'
import { words } from '../locales/words.ts'
import { chooseLetterKeys, chooseTheme, letterKeys, theme } from '../preferences.ts'
import { consoleState } from '../session.ts'

const themes: readonly Theme[] = ['system', 'light', 'dark']

function PasswordSection() {
  const text = words.value.settings
  const current = useSignal('')
  const entry = useNewPassword()
  const busy = useSignal(false)
  const kept = useKeptEntrances()
  const changed = useSignal('')
  const failure = useSignal<ApiFailure | undefined>(undefined)

  async function submit(event: Event): Promise<void> {
    event.preventDefault()
    entry.tried.value = true
    changed.value = ''
    if (current.value === '' || entry.isRefused || busy.value) return
    busy.value = true
    failure.value = undefined
    const answer = await changePassword(current.value, entry.password.value, kept.value)
    busy.value = false
    if (!answer.ok) {
      failure.value = answer.failure
      return
    }
    entry.tried.value = false
    const { tokens, devices, passkeys } = answer.value.ended
    changed.value = text.changed(tokens, devices, passkeys)
    for (const box of [current, entry.password, entry.again]) box.value = ''
  }

  return (
    <section class="sec">
      <header>
        <h2>{text.password}</h2>
      </header>
      <form class="su-form" onSubmit={(event) => void submit(event)}>
        <OwnerName />
        <TextField
          label={text.current}
          secret
          autocomplete="current-password"
          maxLength={passwordCharactersMax}
          {...typed(current)}
          error={failure.value?.code === 'forbidden' ? text.wrong : undefined}
        />
        <NewPasswordFields entry={entry} label={text.next} againLabel={text.again} />
        <KeptEntrances kept={kept} />
        {failure.value === undefined || failure.value.code === 'forbidden' ? null : (
          <FailureNote failure={failure.value} />
        )}
        {changed.value === '' ? null : (
          <Note tone="good" role="status">
            {changed.value}
          </Note>
        )}
        <button class="btn" type="submit" disabled={busy.value}>
          {text.change}
        </button>
      </form>
    </section>
  )
}

export function SettingsPage({ query }: { readonly query: URLSearchParams }) {
  const text = words.value.settings
  return (
    <Shell screen="settings" title={words.value.screens.settings}>
      <div class="form-column stack">
        <section class="sec">
          <header>
            <h2>{text.appearance}</h2>
          </header>
          <dl class="kv settings">
            <dt>{text.language}</dt>
            <dd>
              <LanguageSwitch />
            </dd>
            <dt>{text.theme}</dt>
            <dd class="btns">
              {themes.map((one) => (
                <button
                  key={one}
                  class="opt"
                  type="button"
                  aria-pressed={one === theme.value}
                  onClick={() => chooseTheme(one)}
                >
                  {text.themes[one]}
                </button>
              ))}
            </dd>
          </dl>
        </section>
        <section class="sec">
          <header>
            <h2>{text.keys}</h2>
          </header>
          <div class="ticks pad">
            <Tick checked={letterKeys.value} onChange={chooseLetterKeys}>
              {text.keysOn}
            </Tick>
            <span class="faint small">{text.keysHint}</span>
            <KeyList />
          </div>
        </section>
        <ServiceSections at={query.get('at')} />
        <CookiePushSection />
        <AssistantSettings isAskedFor={query.get('at') === 'assistant'} />
        <PasswordSection />
        <PasskeySection />
        <SignOutSection />
        <section class="sec">
          <header>
            <h2>{text.about}</h2>
          </header>
          <dl class="kv settings">
            <dt>{text.version}</dt>
            <dd>Wharf {consoleState.value?.version ?? '—'}</dd>
          </dl>
          <p class="phone-only">
            <button class="btn" type="button" onClick={() => void leave()}>
              <Icon name="entry" />
              {words.value.common.signOut}
            </button>
          </p>
        </section>
      </div>
    </Shell>
  )
}
