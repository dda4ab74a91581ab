import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { TextField } from '#shared/pages/field.tsx'
import { Icon } from '#shared/pages/icon.tsx'
import { Note } from '#shared/pages/note.tsx'
import { passwordCharactersMax } from '../../limits.ts'
import { fetchState, signIn } from '../api/account.ts'
import type { Answer, ApiFailure } from '../api/call.ts'
import { FormFrame } from '../components/form-frame.tsx'
import { LanguageSwitch } from '../components/language-switch.tsx'
import { FailureNote } from '../components/note.tsx'
import { OwnerName } from '../components/owner-name.tsx'
import { SkipLink } from '../components/shell.tsx'
import { words } from '../locales/words.ts'
import { waitParts } from '../model/failure-words.ts'
import { home } from '../model/hash-route.ts'
import { passkeySupportHere } from '../passkey-support-here.ts'
import { goTo } from '../router.ts'
import { consoleState } from '../session.ts'
import { useForm } from '../use-form.ts'

const waitWithoutHintSeconds = 60

export function SignInPage({ back }: { readonly back?: string }) {
  const text = words.value.signIn
  const form = useForm({ password: '' }, { asks: false })
  const waitSeconds = useSignal(0)
  const isDeclined = useSignal(false)
  const passkeyFailure = useSignal<ApiFailure | undefined>(undefined)
  useEffect(() => {
    document.title = `${text.title} · Wharf`
  }, [text])
  useEffect(() => {
    const timer = setInterval(() => {
      if (waitSeconds.value > 0) waitSeconds.value -= 1
    }, 1000)
    return () => clearInterval(timer)
  }, [waitSeconds])

  async function send(): Promise<Answer<unknown>> {
    isDeclined.value = false
    passkeyFailure.value = undefined
    const answer = await signIn(form.values.password)
    if (!answer.ok && answer.failure.code === 'too_many')
      waitSeconds.value = answer.failure.retryAfterSeconds ?? waitWithoutHintSeconds
    return answer
  }

  async function enter(): Promise<void> {
    const state = await fetchState()
    if (state.ok) consoleState.value = state.value
    goTo(back ?? home)
  }

  const submitPasskey = () =>
    form.run('passkey', true, async () => {
      passkeyFailure.value = undefined
      const { usePasskey } = await import('../passkeys.ts')
      const used = await usePasskey()
      isDeclined.value = !used.ok
      if (used.ok) await enter()
      else if (!['declined', 'forbidden'].includes(used.failure.code)) passkeyFailure.value = used.failure
    })

  const isWrong = form.failure?.code === 'forbidden'
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
        <FormFrame
          form={form}
          look="alone"
          isRight={form.values.password !== ''}
          rests={waitSeconds.value > 0}
          send={send}
          onSaved={enter}
          submitWords={text.button}
          failureNote={isWrong || form.failure?.code === 'too_many' ? null : undefined}
        >
          <OwnerName />
          <TextField
            label={text.password}
            secret
            name="password"
            autocomplete="current-password"
            maxLength={passwordCharactersMax}
            {...form.typed('password')}
            error={isWrong ? text.wrong : undefined}
          />
          {waitSeconds.value > 0 ? (
            <Note tone="warn" role="alert">
              {text.wait(words.value.timeLeft[wait.unit](wait.value))}
            </Note>
          ) : null}
        </FormFrame>
        {consoleState.value?.passkeys === true && passkeySupportHere() === 'ready' ? (
          <div class="su-form">
            <FailureNote failure={passkeyFailure.value} />
            {isDeclined.value ? (
              <Note tone="warn" role="alert">
                {text.passkeyDeclined}
              </Note>
            ) : null}
            <button
              class="btn full"
              type="button"
              aria-disabled={form.busy === undefined ? undefined : 'true'}
              onClick={() => void submitPasskey()}
            >
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
