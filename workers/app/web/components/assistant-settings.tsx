/** Which model answers for the assistant, with a trial before anything is stored. */

import { useEffect, useRef } from 'preact/hooks'
import { TextField, Tick } from '#shared/pages/field.tsx'
import { Icon } from '#shared/pages/icon.tsx'
import type { AssistantSettingsBody, WireAssistantSettings, WireModelTrial } from '../../contract/console-settings.ts'
import { modelNameCharactersMax, serviceAddressCharactersMax } from '../../limits.ts'
import { changeAssistantSettings, fetchAssistantSettings, tryAssistant } from '../api/assistant.ts'
import { words } from '../locales/words.ts'
import { useResource } from '../resource.ts'
import { useForm, useTrial } from '../use-form.ts'
import { Choice } from './field.tsx'
import { FormFrame } from './form-frame.tsx'
import { Loaded } from './loaded.tsx'
import { StoredKey } from './stored-key.tsx'
import { TestButton, TestReport } from './test-report.tsx'

function draftOf({ enabled, endpoint, address, model }: WireAssistantSettings) {
  return { enabled, endpoint, address, model, key: '', forgets: false }
}

/** Nothing is asked of another service before it is tried. */
const nothing = Promise.resolve({ ok: true, value: { works: false } as WireModelTrial } as const)

function Found(props: { isGood: boolean; children: string }) {
  return (
    <li>
      <span class={props.isGood ? 'good' : 'warn'}>
        <Icon name={props.isGood ? 'm-done' : 'm-warn'} />
      </span>
      <span class="grow">{props.children}</span>
    </li>
  )
}

function SettingsForm({ stored, onSaved }: { stored: WireAssistantSettings; onSaved: () => Promise<void> }) {
  const text = words.value.assistantSettings
  const form = useForm(draftOf(stored))
  const { enabled, endpoint, key, forgets } = form.values
  const address = form.values.address.trim()
  const model = form.values.model.trim()
  const isElsewhere = endpoint === 'address'
  const addressWrong = isElsewhere && !/^https?:\/\/[^/\s]/i.test(address)
  const isReady = !addressWrong && model !== ''
  const own = useResource(endpoint, () => (isElsewhere ? nothing : tryAssistant({ endpoint, model: '' })))
  /** A stored key stays with the place it was typed for. */
  const keyStays = stored.has_api_key && address === stored.address
  /** The key is write-only: an empty box means that the stored one stays. */
  const newKey = key.trim()
  const body: Omit<AssistantSettingsBody, 'enabled'> = {
    endpoint,
    model,
    ...(isElsewhere ? { address } : {}),
    ...(!isElsewhere || (newKey === '' && keyStays && !forgets) ? {} : { api_key: newKey }),
  }
  const trial = useTrial(form, () => tryAssistant(body))
  const tried = trial.outcome !== undefined && 'result' in trial.outcome ? trial.outcome.result : undefined

  return (
    <FormFrame
      form={form}
      // Turned off it may stay unfinished.
      isRight={isReady || !enabled}
      send={() => changeAssistantSettings({ enabled, ...body })}
      onSaved={async () => {
        form.restart({ ...form.values, key: '', forgets: false })
        await onSaved()
      }}
      submitWords={text.save}
      savedWords={text.saved}
      beside={
        <TestButton form={form} of={trial} isRight={!addressWrong} text={{ test: text.tryIt, testing: text.trying }} />
      }
    >
      <Tick {...form.ticked('enabled')}>{text.enabled}</Tick>
      <Choice
        legend={text.endpoint}
        name="assistant-endpoint"
        {...form.chosen('endpoint')}
        options={[
          { value: 'own', label: text.own, hint: text.ownHint },
          { value: 'address', label: text.address, hint: text.addressHint },
        ]}
      />
      {isElsewhere ? (
        <div class="two-f">
          <TextField
            label={text.baseAddress}
            address
            {...form.typed('address')}
            maxLength={serviceAddressCharactersMax}
            hint={text.baseAddressHint}
            error={form.wrong(addressWrong, text.baseAddressNeeded, 'address')}
          />
          <div>
            <StoredKey
              label={text.key}
              typed={form.typed('key')}
              hint={stored.has_api_key ? text.keyAgain : undefined}
              isStored={keyStays}
              removal={form.ticked('forgets')}
            />
          </div>
        </div>
      ) : null}
      <TextField
        label={text.model}
        {...form.typed('model')}
        maxLength={modelNameCharactersMax}
        choices={(isElsewhere ? tried : own.state.value.data)?.models}
        hint={isElsewhere ? text.modelHint : text.modelHintOwn}
        error={form.wrong(model === '', text.modelNeeded, 'model')}
      />
      <TestReport
        of={trial}
        works={({ works }) => works}
        text={{
          testTitle: text.tried,
          testOk: text.works,
          testFailed: model === '' ? text.modelNeeded : text.worksNot,
        }}
      >
        {({ calls_tools: callsTools, models }) => (
          <>
            {callsTools === undefined ? null : (
              <Found isGood={callsTools}>{callsTools ? text.callsTools : text.callsNoTools}</Found>
            )}
            {models === undefined ? null : <Found isGood>{text.models(models.length)}</Found>}
          </>
        )}
      </TestReport>
    </FormFrame>
  )
}

export function AssistantSettings({ isAskedFor }: { isAskedFor: boolean }) {
  const text = words.value.assistantSettings
  const settings = useResource('assistant settings', fetchAssistantSettings)
  const heading = useRef<HTMLHeadingElement>(null)
  const isThere = settings.state.value.data !== undefined
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
      <Loaded of={settings} skeletonRows={2}>
        {(stored) => <SettingsForm stored={stored} onSaved={settings.reload} />}
      </Loaded>
    </section>
  )
}
