/** Which model answers for the assistant, with a trial before anything is stored. */

import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Icon } from '#shared/pages/icon.tsx'
import { Note } from '#shared/pages/note.tsx'
import type { AssistantSettingsBody, WireAssistantSettings, WireModelTrial } from '../../contract/console-settings.ts'
import { modelNameCharactersMax, serviceAddressCharactersMax, serviceKeyCharactersMax } from '../../limits.ts'
import { type ApiFailure, changeAssistantSettings, fetchAssistantSettings, tryAssistant } from '../api-client.ts'
import { words } from '../locales/words.ts'
import { useResource } from '../resource.ts'
import { Choice, TextField, Tick } from './field.tsx'
import { Bones } from './list-states.tsx'
import { FailureNote, FailureWords } from './note.tsx'
import { ReasonWords } from './reason.tsx'
import { TestReport } from './test-report.tsx'

type Outcome = { readonly trial: WireModelTrial } | { readonly failure: ApiFailure }

function TrialReport({ outcome }: { outcome: Outcome }) {
  const text = words.value.assistantSettings
  const trial = 'trial' in outcome ? outcome.trial : undefined
  const works = trial?.works === true
  return (
    <TestReport
      title={text.tried}
      works={works}
      said={works ? text.works : text.worksNot}
      reason={
        'failure' in outcome ? <FailureWords failure={outcome.failure} /> : <ReasonWords reason={trial?.reason} />
      }
    >
      {trial?.calls_tools === undefined ? null : (
        <li>
          <span class={trial.calls_tools ? 'good' : 'warn'}>
            <Icon name={trial.calls_tools ? 'm-done' : 'm-warn'} />
          </span>
          <span class="grow">{trial.calls_tools ? text.callsTools : text.callsNoTools}</span>
        </li>
      )}
    </TestReport>
  )
}

function Form({ stored, onSaved }: { stored: WireAssistantSettings; onSaved: () => Promise<void> }) {
  const text = words.value.assistantSettings
  const enabled = useSignal(stored.enabled)
  const endpoint = useSignal(stored.endpoint)
  const address = useSignal(stored.address)
  const model = useSignal(stored.model)
  const key = useSignal('')
  const forgets = useSignal(false)
  const tried = useSignal(false)
  const busy = useSignal<'save' | 'try' | undefined>(undefined)
  const saved = useSignal(false)
  const failure = useSignal<ApiFailure | undefined>(undefined)
  const outcome = useSignal<Outcome | undefined>(undefined)

  const typed =
    <T,>(box: Signal<T>) =>
    (value: T) => {
      box.value = value
      saved.value = false
    }
  const isElsewhere = endpoint.value === 'address'
  const addressWrong = isElsewhere && !/^https?:\/\/[^/\s]/i.test(address.value.trim())
  const modelMissing = model.value.trim() === ''
  /** A stored key stays with the place it was typed for. */
  const keyStays = stored.has_api_key && address.value.trim() === stored.address

  /** The key is write-only: an empty box means that the stored one stays. */
  function body(): Omit<AssistantSettingsBody, 'enabled'> {
    const newKey = key.value.trim()
    return {
      endpoint: endpoint.value,
      model: model.value.trim(),
      ...(isElsewhere ? { address: address.value.trim() } : {}),
      ...(!isElsewhere || (newKey === '' && keyStays && !forgets.value) ? {} : { api_key: newKey }),
    }
  }

  async function tryOut(): Promise<void> {
    tried.value = true
    if (addressWrong || modelMissing || busy.value !== undefined) return
    busy.value = 'try'
    const answer = await tryAssistant(body())
    outcome.value = answer.ok ? { trial: answer.value } : { failure: answer.failure }
    busy.value = undefined
  }

  async function save(event: Event): Promise<void> {
    event.preventDefault()
    tried.value = true
    saved.value = false
    // Turned off it may stay unfinished.
    if ((enabled.value && (addressWrong || modelMissing)) || busy.value !== undefined) return
    busy.value = 'save'
    failure.value = undefined
    const answer = await changeAssistantSettings({ enabled: enabled.value, ...body() })
    if (answer.ok) {
      key.value = ''
      forgets.value = false
      tried.value = false
      saved.value = true
      await onSaved()
    } else failure.value = answer.failure
    busy.value = undefined
  }

  return (
    <form class="su-form" autocomplete="off" onSubmit={(event) => void save(event)}>
      <Tick checked={enabled.value} onChange={typed(enabled)}>
        {text.enabled}
      </Tick>
      <Choice
        legend={text.endpoint}
        name="assistant-endpoint"
        value={endpoint.value}
        options={[
          { value: 'own', label: text.own, hint: text.ownHint },
          { value: 'address', label: text.address, hint: text.addressHint },
        ]}
        onChoose={typed(endpoint)}
      />
      {isElsewhere ? (
        <div class="two-f">
          <TextField
            label={text.baseAddress}
            address
            value={address.value}
            maxLength={serviceAddressCharactersMax}
            onText={typed(address)}
            hint={text.baseAddressHint}
            error={tried.value && addressWrong ? text.baseAddressNeeded : undefined}
          />
          <div>
            <TextField
              label={text.key}
              secret
              autocomplete="new-password"
              value={key.value}
              maxLength={serviceKeyCharactersMax}
              onText={typed(key)}
              hint={keyStays ? text.keyStored : stored.has_api_key ? text.keyAgain : undefined}
            />
            {keyStays ? (
              <Tick checked={forgets.value} onChange={typed(forgets)}>
                {text.removeKey}
              </Tick>
            ) : null}
          </div>
        </div>
      ) : null}
      <TextField
        label={text.model}
        value={model.value}
        maxLength={modelNameCharactersMax}
        onText={typed(model)}
        hint={isElsewhere ? text.modelHint : text.modelHintOwn}
        error={tried.value && modelMissing ? text.modelNeeded : undefined}
      />
      {outcome.value === undefined ? null : <TrialReport outcome={outcome.value} />}
      {failure.value === undefined ? null : <FailureNote failure={failure.value} />}
      {saved.value ? (
        <Note tone="good" role="status">
          {text.saved}
        </Note>
      ) : null}
      <div class="su-act">
        <button class="btn" type="button" disabled={busy.value !== undefined} onClick={() => void tryOut()}>
          <Icon name="refresh" />
          {busy.value === 'try' ? text.trying : text.tryIt}
        </button>
        <button class="btn primary" type="submit" disabled={busy.value !== undefined}>
          {text.save}
        </button>
      </div>
    </form>
  )
}

export function AssistantSettings({ isAskedFor }: { isAskedFor: boolean }) {
  const text = words.value.assistantSettings
  const settings = useResource('assistant settings', fetchAssistantSettings)
  const { data, failure } = settings.state.value
  const heading = useRef<HTMLHeadingElement>(null)
  const isThere = data !== undefined
  useEffect(() => {
    if (isAskedFor && isThere) heading.current?.focus()
  }, [isAskedFor, isThere])
  return (
    <section class="sec" id="assistant">
      <header>
        <h2 ref={heading} tabIndex={-1}>
          {text.title}
        </h2>
      </header>
      <p class="muted pad lead">{text.lead}</p>
      {data !== undefined ? (
        <Form stored={data} onSaved={settings.reload} />
      ) : failure === undefined ? (
        <Bones rows={2} />
      ) : (
        <FailureNote
          lead={words.value.common.loadFailed}
          failure={failure}
          retry={() => void settings.reload()}
          role="status"
        />
      )}
    </section>
  )
}
