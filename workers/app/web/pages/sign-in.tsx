import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Icon } from '#shared/pages/icon.tsx'
import { Note } from '#shared/pages/note.tsx'
import { passwordCharactersMax } from '../../limits.ts'
import { type ApiFailure, fetchState, signIn } from '../api-client.ts'
import { typed } from '../bind-field.ts'
import { TextField } from '../components/field.tsx'
import { LanguageSwitch } from '../components/language-switch.tsx'
import { FailureNote } from '../components/note.tsx'
import { SkipLink } from '../components/shell.tsx'
import { words } from '../locales/words.ts'
import { waitParts } from '../model/failure-words.ts'
import { home } from '../model/hash-route.ts'
import { passkeySupportHere } from '../passkey-support-here.ts'
import { goTo } from '../router.ts'
import { consoleState } from '../session.ts'

const waitWithoutHintSeconds = 60

export function SignInPage({ back }: { readonly back?: string }) {
  const text = words.value.signIn
  const password = useSignal('')
  const busy = useSignal(false)
  const failure = useSignal<ApiFailure | undefined>(undefined)
  const waitSeconds = useSignal(0)
  const isDeclined = useSignal(false)

  useEffect(() => {
    document.title = `${text.title} · Wharf`
  }, [text])
  useEffect(() => {
    const timer = setInterval(() => {
      if (waitSeconds.value > 0) waitSeconds.value -= 1
    }, 1000)
    return () => clearInterval(timer)
  }, [waitSeconds])

  async function submit(event: Event): Promise<void> {
    event.preventDefault()
    if (busy.value || waitSeconds.value > 0 || password.value === '') return
    busy.value = true
    isDeclined.value = false
    failure.value = undefined
    const answer = await signIn(password.value)
    busy.value = false
    if (!answer.ok) {
      failure.value = answer.failure
      if (answer.failure.code === 'too_many') {
        waitSeconds.value = answer.failure.retryAfterSeconds ?? waitWithoutHintSeconds
      }
      return
    }
    await enter()
  }

  async function enter(): Promise<void> {
    const state = await fetchState()
    if (state.ok) consoleState.value = state.value
    goTo(back ?? home)
  }

  async function submitPasskey(): Promise<void> {
    if (busy.value) return
    busy.value = true
    failure.value = undefined
    const { usePasskey } = await import('../passkeys.ts')
    const used = await usePasskey()
    busy.value = false
    isDeclined.value = !used.ok
    if (used.ok) await enter()
    else if (used.failure.kind === 'failed' && used.failure.failure.code !== 'forbidden')
      failure.value = used.failure.failure
  }

  const wait = waitParts(waitSeconds.value)
  return (
    <>
      <SkipLink />
      <main id="main" tabIndex={-1} class="sign-in">
        <div class="brand">
          <Icon name="mark" />
          <span>Wharf</span>
        </div>
        <h1>{text.title}</h1>
        <form class="su-form" onSubmit={(event) => void submit(event)}>
          <input
            class="vh"
            type="text"
            name="username"
            autocomplete="username"
            value="admin"
            readOnly
            tabIndex={-1}
            aria-hidden="true"
          />
          <TextField
            label={text.password}
            secret
            name="password"
            autocomplete="current-password"
            maxLength={passwordCharactersMax}
            {...typed(password)}
            error={failure.value?.code === 'forbidden' ? text.wrong : undefined}
          />
          {waitSeconds.value > 0 ? (
            <Note tone="warn" role="alert">
              {text.wait(words.value.timeLeft[wait.unit](wait.value))}
            </Note>
          ) : failure.value === undefined ||
            failure.value.code === 'forbidden' ||
            failure.value.code === 'too_many' ? null : (
            <FailureNote failure={failure.value} />
          )}
          <button class="btn primary full" type="submit" disabled={busy.value || waitSeconds.value > 0}>
            {text.button}
          </button>
        </form>
        {consoleState.value?.passkeys === true && passkeySupportHere() === 'ready' ? (
          <div class="su-form">
            {isDeclined.value ? (
              <Note tone="warn" role="alert">
                {text.passkeyDeclined}
              </Note>
            ) : null}
            <button class="btn full" type="button" disabled={busy.value} onClick={() => void submitPasskey()}>
              {text.passkey}
            </button>
          </div>
        ) : null}
        <p class="faint small">{text.lost}</p>
        <LanguageSwitch />
      </main>
    </>
  )
}
