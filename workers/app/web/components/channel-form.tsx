/** Adding and changing a channel, with a test message before anything is stored. */

import type { ChannelBody, WireChannel } from '../../contract/console-channels.ts'
import {
  channelAddressCharactersMax,
  channelChatCharactersMax,
  channelHeaderCharactersMax,
  channelNameCharactersMax,
  channelSecretCharactersMax,
} from '../../limits.ts'
import { addChannel, type ChannelList, changeChannel, testChannel } from '../api/messages.ts'
import { words } from '../locales/words.ts'
import { useForm, useTrial } from '../use-form.ts'
import { Choice, TextField, Tick, Ticks } from './field.tsx'
import { FormFrame } from './form-frame.tsx'
import { TestButton, TestReport } from './test-report.tsx'

export function ChannelForm(props: {
  stored: WireChannel | undefined
  events: ChannelList['events']
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
    token: '',
    chat: stored?.chat_id ?? '',
    enabled: stored?.enabled ?? true,
    events: stored?.events ?? props.events.map((event) => event.type),
  })

  const { type, token, headerValue, enabled, events } = form.values
  const isBot = type === 'bot'
  const isNew = stored === undefined
  const name = form.values.name.trim()
  const address = form.values.address.trim()
  const headerName = form.values.headerName.trim()
  const chat = form.values.chat.trim()
  const addressWrong = address === '' ? isNew && !isBot : !/^https?:\/\/[^/\s]/i.test(address)
  const tokenMissing = isBot && isNew && token === ''
  const chatMissing = isBot && chat === ''
  const placeWrong = addressWrong || tokenMissing || chatMissing
  /** Secrets are write-only: an empty box means that the stored one stays. */
  const place = isBot
    ? { type, address, chat_id: chat, ...(token === '' ? {} : { token }) }
    : {
        type,
        ...(address === '' ? {} : { address }),
        header_name: headerName,
        ...(headerValue === '' || headerName === '' ? {} : { header_value: headerValue }),
      }
  const body: ChannelBody = { name, enabled, events, ...place }

  const trial = useTrial(form, () => testChannel({ ...place, ...(stored === undefined ? {} : { id: stored.id }) }))
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
          value={type}
          options={(['webhook', 'bot'] as const).map((kind) => ({
            value: kind,
            label: text.kinds[kind],
            hint: text.kindHints[kind],
          }))}
          onChoose={(kind) => {
            form.set({ type: kind })
            trial.forget()
          }}
        />
      ) : null}
      <div class="two-f">
        <TextField
          label={text.name}
          {...form.typed('name')}
          maxLength={channelNameCharactersMax}
          error={form.wrong(name === '', text.nameNeeded, 'name')}
        />
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
      </div>
      {isBot ? (
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
