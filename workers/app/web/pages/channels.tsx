import type { ChannelBody, WireChannel } from '../../contract/console-channels.ts'
import { type ChannelList, changeChannel, fetchChannels, removeChannel } from '../api/messages.ts'
import { ChannelForm } from '../components/channel-form.tsx'
import { ChatBot } from '../components/chat-bot.tsx'
import { Moment } from '../components/figure.tsx'
import { FormScreen } from '../components/form-screen.tsx'
import { ListScreen } from '../components/list-screen.tsx'
import { ReasonWords } from '../components/reason.tsx'
import { RowButtons } from '../components/row-buttons.tsx'
import { RunMark, type RunState, runState } from '../components/run-row.tsx'
import { words } from '../locales/words.ts'
import { language } from '../preferences.ts'
import { useResource } from '../resource.ts'
import { useActions } from '../use-actions.ts'

const everyMs = 5000

/** With nothing of its place: what is stored stays. */
function bodyOf({ name, type, events }: WireChannel, enabled: boolean): ChannelBody {
  return { name, type, events, enabled }
}

function Outcome({ channel }: { channel: WireChannel }) {
  const text = words.value.channels
  if (channel.last_ok === undefined) return <span class="faint small">{text.nothingSent}</span>
  return (
    <span class="small">
      {channel.last_ok ? (
        text.lastOk
      ) : (
        <span class="bad">
          {text.lastFailed}
          {channel.reason === undefined ? null : (
            <>
              {': '}
              <ReasonWords reason={channel.reason} plain />
            </>
          )}
        </span>
      )}{' '}
      <span class="faint">
        <Moment seconds={channel.last_at} />
      </span>
    </span>
  )
}

function stateOf({ enabled, last_ok }: WireChannel): RunState {
  return runState({ isOn: enabled, hasRun: last_ok !== undefined, failed: last_ok === false })
}

function Row(props: { channel: WireChannel; of: ChannelList; onSwitch: () => void; onRemove: () => void }) {
  const { channel } = props
  const text = words.value.channels
  const state = stateOf(channel)
  const service = props.of.services.find(({ type }) => type === channel.type)
  const shown = [channel.place, channel.chat_id, ...Object.values(channel.fields ?? {})]
  return (
    <li class={channel.enabled ? 'dl' : 'dl off'}>
      <div class="dl-h">
        <RunMark state={state} names={text.states} />
        <b>{channel.name}</b>
        <span class="faint">
          {service === undefined ? text.kinds[channel.type as keyof typeof text.kinds] : service.name[language.value]}
        </span>
        {channel.enabled ? null : <span class="tag guess">{text.offTag}</span>}
        {channel.waiting === 0 ? null : <span class="tag">{text.waiting(String(channel.waiting))}</span>}
        {channel.lost === 0 ? null : <span class="tag bad">{text.lost(String(channel.lost))}</span>}
      </div>
      <div class="dl-b">
        <span class="small faint cut">
          <span class="mono">{[...new Set(shown)].filter(Boolean).join(' ')}</span> ·{' '}
          {text.eventsOf(String(channel.events.length), String(props.of.events.length))}
        </span>
        <Outcome channel={channel} />
      </div>
      <RowButtons
        isOfFile={channel.from_file}
        name={channel.name}
        text={text}
        editHash={`#/channels/${channel.id}`}
        onSwitch={{ isOn: channel.enabled, act: props.onSwitch }}
        onRemove={props.onRemove}
      />
    </li>
  )
}

export function ChannelsPage({ form }: { readonly form?: 'new' | number }) {
  const text = words.value.channels
  const channels = useResource('channels', fetchChannels, form === undefined ? everyMs : undefined)
  const actions = useActions<WireChannel>(channels)

  if (form !== undefined) {
    return (
      <FormScreen
        screen="channels"
        form={form}
        of={channels}
        listHash="#/channels"
        text={text}
        goneBody={text.emptyBody}
      >
        {({ data, ...row }) => (
          <div class="form-column stack">
            <ChannelForm {...row} events={data.events} services={data.services} />
            {row.stored?.type === 'bot' ? <ChatBot id={row.stored.id} /> : null}
          </div>
        )}
      </FormScreen>
    )
  }
  return (
    <ListScreen
      screen="channels"
      of={channels}
      text={text}
      more={
        <a class="link" href="#/templates">
          {text.templates}
        </a>
      }
      add="#/channels/new"
      actions={actions}
      remove={removeChannel}
    >
      {(list) => (
        <ul class="dls channels">
          {list.items.map((channel) => (
            <Row
              key={channel.id}
              channel={channel}
              of={list}
              onSwitch={() => void changeChannel(channel.id, bodyOf(channel, !channel.enabled)).then(actions.after)}
              onRemove={() => {
                actions.removing.value = channel
              }}
            />
          ))}
        </ul>
      )}
    </ListScreen>
  )
}
