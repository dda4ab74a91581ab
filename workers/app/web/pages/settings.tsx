import { useSignal } from '@preact/signals'
import { TextField, Tick } from '#shared/pages/field.tsx'
import { Icon } from '#shared/pages/icon.tsx'
import type { Theme } from '#shared/pages/preferences.ts'
import { passwordCharactersMax } from '../../limits.ts'
import { changePassword, type Entrance } from '../api/account.ts'
import { AssistantSettings } from '../components/assistant-settings.tsx'
import { CookiePushSection } from '../components/cookie-push-section.tsx'
import { FormFrame } from '../components/form-frame.tsx'
import { KeptEntrances } from '../components/kept-entrances.tsx'
import { KeyList } from '../components/key-list.tsx'
import { LanguageSwitch } from '../components/language-switch.tsx'
import { NewPasswordFields } from '../components/new-password.tsx'
import { OneOf } from '../components/one-of.tsx'
import { OwnerName } from '../components/owner-name.tsx'
import { PasskeySection } from '../components/passkey-section.tsx'
import { Section } from '../components/section.tsx'
import { ServiceSections } from '../components/service-settings.tsx'
import { Shell } from '../components/shell.tsx'
import { SignOutSection } from '../components/sign-out-section.tsx'
import { words } from '../locales/words.ts'
import { isPasswordRefused, noPassword } from '../model/password-strength.ts'
import { chooseLetterKeys, chooseTheme, letterKeys, theme } from '../preferences.ts'
import { consoleState } from '../session.ts'
import { leave } from '../sign-out.ts'
import { useForm } from '../use-form.ts'

const themes: readonly Theme[] = ['system', 'light', 'dark']

const noChange = { current: '', ...noPassword, kept: [] as readonly Entrance[] }

function PasswordSection() {
  const text = words.value.settings
  const form = useForm(noChange)
  const ended = useSignal({ tokens: 0, devices: 0, passkeys: 0 })
  const { current, password, kept } = form.values
  const isWrong = form.failure?.code === 'forbidden'
  return (
    <Section title={text.password}>
      <FormFrame
        form={form}
        look="section"
        isRight={current !== '' && !isPasswordRefused(form.values)}
        send={() => changePassword(current, password, kept)}
        onSaved={(answer) => {
          ended.value = answer.ended
          form.restart({ ...noChange, kept })
        }}
        submitWords={text.change}
        savedWords={text.changed(ended.value.tokens, ended.value.devices, ended.value.passkeys)}
        failureNote={isWrong ? null : undefined}
      >
        <OwnerName />
        <TextField
          label={text.current}
          secret
          autocomplete="current-password"
          maxLength={passwordCharactersMax}
          {...form.typed('current')}
          error={isWrong ? text.wrong : undefined}
        />
        <NewPasswordFields form={form} label={text.next} againLabel={text.again} />
        <KeptEntrances {...form.chosen('kept')} />
      </FormFrame>
    </Section>
  )
}

export function SettingsPage({ query }: { readonly query: URLSearchParams }) {
  const text = words.value.settings
  return (
    <Shell screen="settings" title={words.value.screens.settings}>
      <div class="form-column stack">
        <Section title={text.appearance}>
          <dl class="kv settings">
            <dt>{text.language}</dt>
            <dd>
              <LanguageSwitch />
            </dd>
            <dt>{text.theme}</dt>
            <dd class="btns">
              <OneOf of={themes} value={theme.value} nameOf={(one) => text.themes[one]} onChoose={chooseTheme} />
            </dd>
          </dl>
        </Section>
        <Section title={text.keys}>
          <div class="ticks pad">
            <Tick checked={letterKeys.value} onChange={chooseLetterKeys}>
              {text.keysOn}
            </Tick>
            <span class="faint small">{text.keysHint}</span>
            <KeyList />
          </div>
        </Section>
        <ServiceSections at={query.get('at')} />
        <CookiePushSection />
        <AssistantSettings isAskedFor={query.get('at') === 'assistant'} />
        <PasswordSection />
        <PasskeySection />
        <SignOutSection />
        <Section title={text.about}>
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
        </Section>
      </div>
    </Shell>
  )
}
