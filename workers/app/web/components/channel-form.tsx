/** Adding and changing a channel, with a test message before anything is stored. */

import { useSignal } from '@preact/signals'
import type { ChannelBody, WireChannel } from '../../contract/console-channels.ts'
import {
  channelAddressCharactersMax,
  channelChatCharactersMax,
  channelHeaderCharactersMax,
  channelNameCharactersMax,
  channelSecretCharactersMax,
} from '../../limits.ts'
import {
  type ApiFailure,
  addChannel,
  type ChannelList,
  type ChannelTest,
  changeChannel,
  testChannel,
} from '../api-client.ts'
import { ticked, typed } from '../bind-field.ts'
import { words } from '../locales/words.ts'
import { Choice, TextField, Tick } from './field.tsx'
import { FailureNote, FailureWords } from './note.tsx'
import { ReasonWords } from './reason.tsx'
import { TestReport } from './test-report.tsx'

type TestOutcome = { readonly result: ChannelTest } | { readonly failure: ApiFailure }

function ChannelTestReport({ outcome }: { outcome: TestOutcome }) {
  const text = words.value.channels
  const works = 'result' in outcome && outcome.result.delivered
  return (
    <TestReport
      title={text.testTitle}
      works={works}
      said={works ? text.testOk : text.testFailed}
      reason={
        'failure' in outcome ? (
          <FailureWords failure={outcome.failure} />
        ) : (
          <ReasonWords reason={outcome.result.reason} plain />
        )
      }
    />
  )
}

export function ChannelForm(props: {
  stored: WireChannel | undefined
  events: ChannelList['events']
  submitWords: string
  onSaved: () => void
}) {
  const { stored } = props
  const text = words.value.channels
  const type = useSignal<ChannelBody['type']>(stored?.type ?? 'webhook')
  const name = useSignal(stored?.name ?? '')
  const address = useSignal(stored?.type === 'bot' ? stored.place : '')
  const headerName = useSignal(stored?.header_name ?? '')
  const headerValue = useSignal('')
  const token = useSignal('')
  const chat = useSignal(stored?.chat_id ?? '')
  const enabled = useSignal(stored?.enabled ?? true)
  const events = useSignal<ChannelBody['events']>(stored?.events ?? props.events.map((event) => event.type))
  const tried = useSignal(false)
  const busy = useSignal<'save' | 'test' | undefined>(undefined)
  const failure = useSignal<ApiFailure | undefined>(undefined)
  const outcome = useSignal<TestOutcome | undefined>(undefined)

  const isBot = type.value === 'bot'
  const isNew = stored === undefined
  const written = address.value.trim()
  const addressWrong = written === '' ? isNew && !isBot : !/^https?:\/\/[^/\s]/i.test(written)
  const tokenMissing = isBot && isNew && token.value === ''
  const chatMissing = isBot && chat.value.trim() === ''
  const placeWrong = addressWrong || tokenMissing || chatMissing
  const nameMissing = name.value.trim() === ''

  /** Secrets are write-only: an empty box means that the stored one stays. */
  function placeParts() {
    return isBot
      ? {
          type: type.value,
          address: written,
          chat_id: chat.value.trim(),
          ...(token.value === '' ? {} : { token: token.value }),
        }
      : {
          type: type.value,
          ...(written === '' ? {} : { address: written }),
          header_name: headerName.value.trim(),
          ...(headerValue.value === '' || headerName.value.trim() === '' ? {} : { header_value: headerValue.value }),
        }
  }

  async function test(): Promise<void> {
    tried.value = true
    if (placeWrong || busy.value !== undefined) return
    busy.value = 'test'
    const answer = await testChannel({ ...placeParts(), ...(stored === undefined ? {} : { id: stored.id }) })
    outcome.value = answer.ok ? { result: answer.value } : { failure: answer.failure }
    busy.value = undefined
  }

  async function save(event: Event): Promise<void> {
    event.preventDefault()
    tried.value = true
    if (nameMissing || placeWrong || events.value.length === 0 || busy.value !== undefined) return
    busy.value = 'save'
    failure.value = undefined
    const body: ChannelBody = {
      name: name.value.trim(),
      enabled: enabled.value,
      events: events.value,
      ...placeParts(),
    }
    const answer = stored === undefined ? await addChannel(body) : await changeChannel(stored.id, body)
    busy.value = undefined
    if (answer.ok) props.onSaved()
    else failure.value = answer.failure
  }

  const wrong = (isWrong: boolean, said: string) => (tried.value && isWrong ? said : undefined)
  return (
    <form class="su-form" autocomplete="off" onSubmit={(event) => void save(event)}>
      {isNew ? (
        <Choice
          legend={text.type}
          name="type"
          value={type.value}
          options={(['webhook', 'bot'] as const).map((kind) => ({
            value: kind,
            label: text.kinds[kind],
            hint: text.kindHints[kind],
          }))}
          onChoose={(kind) => {
            type.value = kind
            outcome.value = undefined
          }}
        />
      ) : null}
      <div class="two-f">
        <TextField
          label={text.name}
          {...typed(name)}
          maxLength={channelNameCharactersMax}
          error={wrong(nameMissing, text.nameNeeded)}
        />
        <TextField
          label={isBot ? text.botAddress : text.address}
          address
          {...typed(address)}
          maxLength={channelAddressCharactersMax}
          hint={
            isBot ? text.botAddressHint : stored === undefined ? text.addressHint : text.addressStored(stored.place)
          }
          error={wrong(addressWrong, text.addressNeeded)}
        />
      </div>
      {isBot ? (
        <div class="two-f">
          <TextField
            label={text.token}
            secret
            autocomplete="new-password"
            {...typed(token)}
            maxLength={channelSecretCharactersMax}
            hint={isNew ? undefined : text.stored}
            error={wrong(tokenMissing, text.tokenNeeded)}
          />
          <TextField
            label={text.chat}
            {...typed(chat)}
            maxLength={channelChatCharactersMax}
            hint={text.chatHint}
            error={wrong(chatMissing, text.chatNeeded)}
          />
        </div>
      ) : (
        <div class="two-f">
          <TextField
            label={text.headerName}
            {...typed(headerName)}
            maxLength={channelHeaderCharactersMax}
            hint={text.headerNameHint}
          />
          <TextField
            label={text.headerValue}
            secret
            autocomplete="new-password"
            {...typed(headerValue)}
            maxLength={channelSecretCharactersMax}
            hint={stored?.header_name === undefined ? undefined : text.stored}
          />
        </div>
      )}
      <fieldset>
        <legend class="label">{text.events}</legend>
        <div class="ticks events">
          {props.events.map((event) => (
            <Tick
              key={event.type}
              checked={events.value.includes(event.type)}
              onChange={(on) => {
                events.value = on ? [...events.value, event.type] : events.value.filter((one) => one !== event.type)
              }}
            >
              {words.value.templates.eventName(event.type, event.name)}
            </Tick>
          ))}
        </div>
        {tried.value && events.value.length === 0 ? <span class="hint bad">{text.eventsNeeded}</span> : null}
      </fieldset>
      <Tick {...ticked(enabled)}>{text.enabled}</Tick>
      {outcome.value === undefined ? null : <ChannelTestReport outcome={outcome.value} />}
      {failure.value === undefined ? null : <FailureNote failure={failure.value} />}
      <div class="su-act">
        <button class="btn" type="button" disabled={busy.value !== undefined} onClick={() => void test()}>
          {text.test}
        </button>
        <button class="btn primary" type="submit" disabled={busy.value !== undefined}>
          {props.submitWords}
        </button>
      </div>
    </form>
  )
}
