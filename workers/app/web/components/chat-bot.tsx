/** What a bot hears and who may write to it, below the settings of its channel. */
import { useSignal } from '@preact/signals'
import { Note } from '#shared/pages/note.tsx'
import type { WireChatBot } from '../../contract/console-chats.ts'
import { type ChatCommand, type ChatWay, chatCommands, chatWays, devicePermissions } from '../../core/vocabulary.ts'
import { changeChatBot, fetchChatBot, makeChatCode, removeChat } from '../api/messages.ts'
import { words } from '../locales/words.ts'
import { exactMoment } from '../model/moments.ts'
import { language } from '../preferences.ts'
import { useResource } from '../resource.ts'
import { useForm } from '../use-form.ts'
import { Options, Ticks } from './field.tsx'
import { Moment } from './figure.tsx'
import { FormFrame } from './form-frame.tsx'
import { Loaded } from './loaded.tsx'
import { ReasonWords } from './reason.tsx'
import { ShownOnce } from './shown-once.tsx'
import { type Column, Table } from './table.tsx'

/** While it hears, a chat that was paired shows soon. */
const everyMs = 3000

type Chat = WireChatBot['chats'][number]

function HeardForm({ id, bot, onSaved }: { id: number; bot: WireChatBot; onSaved: () => void }) {
  const text = words.value.chats
  const form = useForm({ way: bot.way as ChatWay, commands: bot.commands as ChatCommand[] }, { asks: false })
  const { way, commands } = form.values
  return (
    <FormFrame
      form={form}
      isRight
      send={() => changeChatBot(id, { way, commands })}
      onSaved={onSaved}
      submitWords={text.apply}
    >
      <Options
        legend={text.way}
        {...form.chosen('way')}
        options={chatWays.map((value) => ({ value, label: text.ways[value], hint: text.wayHints[value] }))}
      />
      {way === 'off' ? null : (
        <Ticks
          legend={text.commands}
          look="events"
          {...form.chosen('commands')}
          options={chatCommands.map((value) => ({ value, label: text.commandNames[value] }))}
        />
      )}
    </FormFrame>
  )
}

function Pairing({ id, onMade }: { id: number; onMade: () => void }) {
  const text = words.value.chats
  const form = useForm({ permission: 'read' as (typeof devicePermissions)[number] }, { asks: false })
  const fresh = useSignal<{ readonly code: string; readonly expiresAt: number } | undefined>(undefined)
  const { permission } = form.values
  const code = fresh.value
  if (code !== undefined)
    return (
      <ShownOnce
        lead={text.codeLead(exactMoment(code.expiresAt, language.value))}
        label={text.code}
        secret={`/pair ${code.code}`}
        done={words.value.common.close}
        onDone={() => {
          fresh.value = undefined
        }}
      />
    )
  return (
    <FormFrame
      form={form}
      isRight
      send={() => makeChatCode(id, { permission })}
      onSaved={({ code, expires_at }) => {
        fresh.value = { code, expiresAt: expires_at }
        onMade()
      }}
      submitWords={text.makeCode}
    >
      <Options
        legend={text.permission}
        {...form.chosen('permission')}
        options={devicePermissions.map((value) => ({ value, label: text.permissions[value] }))}
      />
    </FormFrame>
  )
}

export function ChatBot({ id }: { readonly id: number }) {
  const text = words.value.chats
  const bot = useResource(`chat:${id}`, (signal) => fetchChatBot(id, signal), everyMs)
  const columns: readonly Column<Chat>[] = [
    { head: text.chat, td: 'name', cell: ({ name }) => <b>{name === '' ? text.unnamed : name}</b> },
    {
      head: text.permission,
      td: 'scopes',
      cell: ({ permission }) => <span class="tag">{text.permissions[permission]}</span>,
    },
    { head: text.heard, td: 'nowrap', cell: (chat) => <Moment seconds={chat.last_used_at ?? chat.paired_at} /> },
    {
      head: text.remove,
      isSpoken: true,
      td: 'end',
      cell: (chat) => (
        <button
          class="btn quiet"
          type="button"
          aria-label={`${text.remove} ${chat.name}`}
          onClick={() => void removeChat(id, chat.id).then(() => bot.reload())}
        >
          {text.remove}
        </button>
      ),
    },
  ]
  return (
    <section>
      <h2>{text.title}</h2>
      <p class="faint">{text.lead}</p>
      <Loaded of={bot}>
        {(data) => (
          <>
            {data.reason === undefined ? null : (
              <Note tone="bad">
                <ReasonWords reason={data.reason} />
              </Note>
            )}
            <HeardForm key={`${data.way} ${data.commands}`} id={id} bot={data} onSaved={() => void bot.reload()} />
            {data.way === 'off' ? null : (
              <>
                {data.chats.length === 0 ? (
                  <p class="faint">{text.noChats}</p>
                ) : (
                  <Table class="tokens" columns={columns} rows={data.chats} keyOf={(chat) => chat.id} />
                )}
                <Pairing id={id} onMade={() => void bot.reload()} />
              </>
            )}
          </>
        )}
      </Loaded>
    </section>
  )
}
