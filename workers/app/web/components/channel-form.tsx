/** Adding and changing a channel, with a test message before anything is stored. */

import { useSignal } from '@preact/signals'
import { SelectField, TextField, Tick } from '#shared/pages/field.tsx'
import { Icon } from '#shared/pages/icon.tsx'
import { Note } from '#shared/pages/note.tsx'
import type { ChannelBody, WireChannel } from '../../contract/console-channels.ts'
import {
  channelAddressCharactersMax,
  channelChatCharactersMax,
  channelHeaderCharactersMax,
  channelNameCharactersMax,
  channelSecretCharactersMax,
  signingKeyCharactersMax,
} from '../../limits.ts'
import { addChannel, type ChannelList, changeChannel, testChannel } from '../api/messages.ts'
import { words } from '../locales/words.ts'
import { isMissing, isNoAddress, sentFields, typedFields } from '../model/channel-service.ts'
import { language } from '../preferences.ts'
import { type BrowserPlace, type PushProblem, subscribeHere } from '../push-here.ts'
import { useForm, useTrial } from '../use-form.ts'
import { Choice, Ticks } from './field.tsx'
import { FormFrame } from './form-frame.tsx'
import { NameField } from './name-field.tsx'
import { ServiceFields } from './service-fields.tsx'
import { TestButton, TestReport } from './test-report.tsx'

const signingKeyPattern = /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/

/** Made here and shown while it is typed: afterwards nobody sees it again. */
function newSigningKey(): string {
  return `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`
}

export function ChannelForm(props: {
  stored: WireChannel | undefined
  events: ChannelList['events']
  services: ChannelList['services']
  submitWords: string
  onSaved: () => void
}) {
  const { stored } = props
  const text = words.value.channels
  const form = useForm({
    type: stored?.type ?? ('webhook' as ChannelBody['type']),
    name: stored?.name ?? '',
    address: stored?.type === 'bot' ? stored.place : '',
    headerName: stored?.header_name ?? '',
    headerValue: '',
    signingKey: '',
    unsign: false,
    token: '',
    chat: stored?.chat_id ?? '',
    fields: typedFields(
      props.services.find((one) => one.type === stored?.type),
      stored?.fields,
    ),
    /** Of this browser, once it is subscribed. */
    subscription: undefined as BrowserPlace | undefined,
    enabled: stored?.enabled ?? true,
    events: stored?.events ?? props.events.map((event) => event.type),
  })

  const { type, token, headerValue, signingKey, unsign, fields, enabled, events } = form.values
  const isBot = type === 'bot'
  const isBrowser = type === 'browser'
  const service = props.services.find((one) => one.type === type)
  const { subscription } = form.values
  const problem = useSignal<PushProblem | undefined>(undefined)
  const isNew = stored === undefined
  const name = form.values.name.trim()
  const address = form.values.address.trim()
  const headerName = form.values.headerName.trim()
  const chat = form.values.chat.trim()
  const addressWrong = address === '' ? isNew && !isBot : !/^https?:\/\/[^/\s]/i.test(address)
  const tokenMissing = isBot && isNew && token === ''
  const chatMissing = isBot && chat === ''
  const keyWrong = !isBot && signingKey !== '' && !signingKeyPattern.test(signingKey)
  const placeWrong = isBrowser
    ? isNew && subscription === undefined
    : service !== undefined
      ? service.fields.some((field) => isMissing(field, fields, stored?.fields) || isNoAddress(field, fields))
      : addressWrong || tokenMissing || chatMissing || keyWrong
  /** Secrets are write-only: an empty box means that the stored one stays. */
  const place: Omit<ChannelBody, 'name' | 'enabled' | 'events'> = isBrowser
    ? { type, ...subscription }
    : service !== undefined
      ? { type, fields: sentFields(service, fields) }
      : isBot
        ? { type, address, chat_id: chat, ...(token === '' ? {} : { token }) }
        : {
            type,
            ...(address === '' ? {} : { address }),
            header_name: headerName,
            ...(headerValue === '' || headerName === '' ? {} : { header_value: headerValue }),
            ...(unsign ? { signing_key: '' } : signingKey === '' ? {} : { signing_key: signingKey }),
          }
  const body: ChannelBody = { name, enabled, events, ...place }

  const trial = useTrial(form, () => testChannel({ ...place, ...(stored === undefined ? {} : { id: stored.id }) }))
  const choose = (next: typeof type) => {
    form.set({
      type: next,
      fields: typedFields(
        props.services.find((one) => one.type === next),
        undefined,
      ),
    })
    trial.forget()
  }
  return (
    <FormFrame
      form={form}
      isRight={name !== '' && !placeWrong && events.length > 0}
      send={() => (stored === undefined ? addChannel(body) : changeChannel(stored.id, body))}
      onSaved={props.onSaved}
      submitWords={props.submitWords}
      beside={<TestButton form={form} of={trial} isRight={!placeWrong} text={text} />}
    >
      {isNew ? (
        <Choice
          legend={text.type}
          name="type"
          value={service === undefined ? type : 'service'}
          options={(['webhook', 'bot', 'browser', 'service'] as const).map((kind) => ({
            value: kind,
            label: text.kinds[kind],
            hint: text.kindHints[kind],
          }))}
          onChoose={(kind) => choose(kind === 'service' ? (props.services[0]?.type ?? type) : (kind as typeof type))}
        />
      ) : null}
      {isNew && service !== undefined ? (
        <SelectField
          label={text.service}
          value={type}
          options={props.services.map((one) => ({ value: one.type, label: one.name[language.value] }))}
          onChoose={(next) => choose(next as typeof type)}
        />
      ) : null}
      <div class="two-f">
        <NameField of={form} max={channelNameCharactersMax} />
        {service !== undefined ? (
          <ServiceFields
            of={service}
            typed={fields}
            stored={stored?.fields}
            onType={(typed) => form.set({ fields: typed })}
            wrong={form.wrong}
          />
        ) : isBrowser ? null : (
          <TextField
            label={isBot ? text.botAddress : text.address}
            address
            {...form.typed('address')}
            maxLength={channelAddressCharactersMax}
            hint={
              isBot ? text.botAddressHint : stored === undefined ? text.addressHint : text.addressStored(stored.place)
            }
            error={form.wrong(addressWrong, text.addressNeeded, 'address')}
          />
        )}
      </div>
      {service !== undefined ? null : isBrowser ? (
        <div>
          <button
            class="btn"
            type="button"
            onClick={async () => {
              problem.value = undefined
              const came = await subscribeHere()
              if (typeof came === 'string') problem.value = came
              else {
                form.set({ subscription: came })
                trial.forget()
              }
            }}
          >
            <Icon name="send" />
            {isNew ? text.browser.subscribe : text.browser.again}
          </button>
          <p class="faint small">{text.browser.hint}</p>
          <div role="status">
            {problem.value !== undefined ? (
              <Note tone="bad">{text.browser[problem.value]}</Note>
            ) : subscription !== undefined ? (
              <Note tone="good">{text.browser.subscribed}</Note>
            ) : stored !== undefined ? (
              <p>{text.browser.stored(stored.place)}</p>
            ) : form.refused > 0 ? (
              <Note tone="bad">{text.browser.needed}</Note>
            ) : null}
          </div>
        </div>
      ) : isBot ? (
        <div class="two-f">
          <TextField
            label={text.token}
            secret
            autocomplete="new-password"
            {...form.typed('token')}
            maxLength={channelSecretCharactersMax}
            hint={isNew ? undefined : text.stored}
            error={form.wrong(tokenMissing, text.tokenNeeded, 'token')}
          />
          <TextField
            label={text.chat}
            {...form.typed('chat')}
            maxLength={channelChatCharactersMax}
            hint={text.chatHint}
            error={form.wrong(chatMissing, text.chatNeeded, 'chat_id')}
          />
        </div>
      ) : (
        <div class="two-f">
          <TextField
            label={text.headerName}
            {...form.typed('headerName')}
            maxLength={channelHeaderCharactersMax}
            hint={text.headerNameHint}
          />
          <TextField
            label={text.headerValue}
            secret
            autocomplete="new-password"
            {...form.typed('headerValue')}
            maxLength={channelSecretCharactersMax}
            hint={stored?.header_name === undefined ? undefined : text.stored}
          />
        </div>
      )}
      {service !== undefined || isBot || isBrowser ? null : (
        <div class="two-f">
          <TextField
            label={text.signingKey}
            code
            {...form.typed('signingKey')}
            maxLength={signingKeyCharactersMax}
            hint={stored?.signed === true ? text.stored : text.signingKeyHint}
            error={form.wrong(keyWrong, text.signingKeyWrong, 'signing_key')}
          />
          <div class="btns">
            <button class="btn" type="button" onClick={() => form.set({ signingKey: newSigningKey(), unsign: false })}>
              {text.makeKey}
            </button>
            {stored?.signed === true ? <Tick {...form.ticked('unsign')}>{text.unsign}</Tick> : null}
          </div>
        </div>
      )}
      <Ticks
        legend={text.events}
        look="events"
        {...form.chosen('events')}
        options={props.events.map(({ type, name }) => ({
          value: type,
          label: words.value.templates.eventName(type, name),
        }))}
        error={form.wrong(events.length === 0, text.eventsNeeded, 'events')}
      />
      <Tick {...form.ticked('enabled')}>{text.enabled}</Tick>
      <TestReport of={trial} works={({ delivered }) => delivered} text={text} tell="plain" />
    </FormFrame>
  )
}
