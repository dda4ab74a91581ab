/** Cookies that the owner's browser pushes by itself: what its extension is told, and what came of the last push. */
import { useSignal } from '@preact/signals'
import { setting } from '#shared/pages/set.ts'
import type { WireCookiePush } from '../../contract/console-cookies.ts'
import { fetchCookiePush, startCookiePush, stopCookiePush } from '../api/service.ts'
import { home } from '../home.ts'
import { words } from '../locales/words.ts'
import { useResource } from '../resource.ts'
import { useActions } from '../use-actions.ts'
import { Moment } from './figure.tsx'
import { Loaded } from './loaded.tsx'
import { FailureNote } from './note.tsx'
import { Section } from './section.tsx'
import { ShownOnce } from './shown-once.tsx'

/** What the extension asks for, beside the password. */
function Access({ path, uuid }: { readonly path: string; readonly uuid: string }) {
  const text = words.value.cookiePush
  return (
    <dl class="kv small">
      <dt>{text.server}</dt>
      <dd class="mono">{home + path}</dd>
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
  const { act, isBusy, failure } = useActions(stored)

  async function start(): Promise<void> {
    const answer = await act(startCookiePush)
    if (answer?.ok) password.value = answer.value.password
  }
  async function stop(): Promise<void> {
    const answer = await act(stopCookiePush)
    if (answer?.ok) password.value = ''
  }

  return (
    <Section title={text.title}>
      <div class="su-form">
        <p class="muted">{text.lead}</p>
        <Loaded of={stored} skeletonRows={2}>
          {(data) => (
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
              <FailureNote failure={failure.value} />
              <div class="btns">
                <button class="btn" type="button" disabled={isBusy} onClick={() => void start()}>
                  {data.enabled ? text.anew : text.turnOn}
                </button>
                {data.enabled ? (
                  <button class="btn quiet" type="button" disabled={isBusy} onClick={() => void stop()}>
                    {text.turnOff}
                  </button>
                ) : null}
              </div>
            </>
          )}
        </Loaded>
      </div>
    </Section>
  )
}
