/** Cookies that the owner's browser pushes by itself: what its extension is told, and what came of the last push. */
import { useSignal } from '@preact/signals'
import { setting } from '#shared/pages/set.ts'
import type { WireCookiePush } from '../../contract/console-cookies.ts'
import type { Answer, ApiFailure } from '../api/call.ts'
import { fetchCookiePush, startCookiePush, stopCookiePush } from '../api/service.ts'
import { words } from '../locales/words.ts'
import { useResource } from '../resource.ts'
import { Moment } from './figure.tsx'
import { Skeleton } from './list-states.tsx'
import { FailureNote } from './note.tsx'
import { Section } from './section.tsx'
import { ShownOnce } from './shown-once.tsx'

/** What the extension asks for, beside the password. */
function Access({ path, uuid }: { readonly path: string; readonly uuid: string }) {
  const text = words.value.cookiePush
  return (
    <dl class="kv small">
      <dt>{text.server}</dt>
      <dd class="mono">{`${location.origin}${path}`}</dd>
      <dt>{text.uuid}</dt>
      <dd class="mono">{uuid}</dd>
    </dl>
  )
}

function LastPush({ taken_at: at, renewed }: WireCookiePush) {
  const text = words.value.cookiePush
  if (at === 0) return <p class="muted">{text.nothingYet}</p>
  return (
    <p class="muted" role="status">
      {text.lastPush} <Moment seconds={at} />
      {text.stop} {renewed.length === 0 ? text.nothingNew : text.renewed(renewed)}
    </p>
  )
}

export function CookiePushSection() {
  const text = words.value.cookiePush
  const stored = useResource('cookie-push', fetchCookiePush)
  const password = useSignal('')
  const busy = useSignal(false)
  const failure = useSignal<ApiFailure | undefined>(undefined)
  const { data, failure: loadFailure } = stored.state.value

  async function change<T>(work: () => Promise<Answer<T>>, onDone: (value: T) => void): Promise<void> {
    if (busy.value) return
    busy.value = true
    const answer = await work()
    failure.value = answer.ok ? undefined : answer.failure
    if (answer.ok) onDone(answer.value)
    await stored.reload()
    busy.value = false
  }
  const start = () =>
    change(startCookiePush, (started) => {
      password.value = started.password
    })
  const stop = () =>
    change(stopCookiePush, () => {
      password.value = ''
    })

  return (
    <Section title={text.title}>
      <div class="su-form">
        <p class="muted">{text.lead}</p>
        {data === undefined ? (
          loadFailure === undefined ? (
            <Skeleton rows={2} />
          ) : (
            <FailureNote
              lead={words.value.common.loadFailed}
              failure={loadFailure}
              retry={() => void stored.reload()}
            />
          )
        ) : (
          <>
            {data.uuid === undefined ? null : (
              <>
                <Access path={data.path} uuid={data.uuid} />
                <LastPush {...data} />
              </>
            )}
            {password.value === '' ? null : (
              <ShownOnce
                lead={text.once}
                label={text.password}
                secret={password.value}
                done={text.noted}
                onDone={setting(password, '')}
              />
            )}
            {failure.value === undefined ? null : <FailureNote failure={failure.value} />}
            <div class="btns">
              <button class="btn" type="button" disabled={busy.value} onClick={() => void start()}>
                {data.enabled ? text.anew : text.turnOn}
              </button>
              {data.enabled ? (
                <button class="btn quiet" type="button" disabled={busy.value} onClick={() => void stop()}>
                  {text.turnOff}
                </button>
              ) : null}
            </div>
          </>
        )}
      </div>
    </Section>
  )
}
