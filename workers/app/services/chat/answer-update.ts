/** What comes of something that was written to the bot. */
import type { Clock } from '#shared/kernel/clock.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { ChatMemory, Outcome } from '../../adapters/chat/chat-memory.ts'
import type { ChatStore } from '../../adapters/d1/chats.ts'
import type { ChatMessage, ChatUpdate } from '../../core/chat/chat-update.ts'
import { readWritten } from '../../core/chat/command.ts'
import { chatWords } from '../../core/chat/words.ts'
import { mayUse, type Principal } from '../../core/principal.ts'
import type { Reason } from '../../core/reason/reason.ts'
import { sayIn } from '../../core/reason/say.ts'
import type { ChatCommand } from '../../core/vocabulary.ts'
import {
  chatButtonSeconds,
  chatCommandCharactersMax,
  chatMessageCharactersMax,
  chatStrangerSeconds,
} from '../../limits.ts'
import type { AssistantNotices } from '../../ports/assistant.ts'
import type { AuditLog } from '../../ports/audit-log.ts'
import type { BrushTasks } from '../../ports/brush.ts'
import type { ChatApp } from '../../ports/chats.ts'
import type { Identifiers, Logger } from '../../ports/runtime.ts'
import type { OwnerLocaleReader } from '../../ports/settings.ts'
import type { SiteStore } from '../../ports/sites.ts'
import { act } from './chat-actions.ts'
import { brushReply, type Listed, searchReply, sitesReply, statusReply, torrentsReply } from './chat-lists.ts'

export interface ChatParts {
  readonly clock: Clock
  readonly identifiers: Identifiers
  readonly logger: Logger
  readonly store: ChatStore
  readonly app: ChatApp
  /** The owner's words for what is said. */
  readonly texts: AssistantNotices
  readonly locale: OwnerLocaleReader
  readonly brush: BrushTasks
  readonly sites: Pick<SiteStore, 'find'>
  readonly audit: AuditLog
  readonly version: string
}

export interface Heard {
  readonly channelId: number
  readonly commands: readonly ChatCommand[]
  readonly update: ChatUpdate
  /** It was begun before, in a life that ended. */
  readonly wasCutOff: boolean
}

/** Buttons beside one another. */
const buttonsInRow = 4

export async function answerUpdate(parts: ChatParts, memory: ChatMemory, heard: Heard): Promise<Outcome> {
  const caller = await parts.store.speaker(heard.channelId, heard.update.chat)
  if (caller === undefined) return answerStranger(parts, memory, heard)
  return new Answer(parts, memory, heard, caller).make()
}

async function answerStranger(parts: ChatParts, memory: ChatMemory, { channelId, update }: Heard): Promise<Outcome> {
  const written = readWritten((update.text ?? '').slice(0, chatCommandCharactersMax))
  if (written.kind === 'pair' && (await parts.store.pair(channelId, written.code, update.chat, update.name)))
    return { messages: [{ kind: 'say', text: await parts.texts.write('reply.paired') }] }
  return memory.meetStranger(update.chat, parts.clock.nowMs(), chatStrangerSeconds * 1000)
    ? { messages: [{ kind: 'say', text: await parts.texts.write('reply.stranger') }] }
    : { messages: [] }
}

class Answer {
  readonly #parts: ChatParts
  readonly #memory: ChatMemory
  readonly #heard: Heard
  readonly #caller: Principal

  constructor(parts: ChatParts, memory: ChatMemory, heard: Heard, caller: Principal) {
    this.#parts = parts
    this.#memory = memory
    this.#heard = heard
    this.#caller = caller
  }

  async make(): Promise<Outcome> {
    const { update, wasCutOff } = this.#heard
    if (wasCutOff) return this.#failed({ kind: 'chat.cut_off' })
    if (update.press !== undefined) return this.#press(update.press)
    return this.#write(update.text ?? '')
  }

  async #write(text: string): Promise<Outcome> {
    const written = readWritten(text)
    switch (written.kind) {
      case 'help':
      case 'unknown':
        return this.#help()
      case 'pair':
        // A new code may give another permission; who is paired already stays so without one.
        await this.#parts.store.pair(
          this.#heard.channelId,
          written.code,
          this.#heard.update.chat,
          this.#heard.update.name,
        )
        return { messages: [{ kind: 'say', text: await this.#parts.texts.write('reply.paired') }] }
      case 'new':
        return { messages: [{ kind: 'say', text: (await this.#words()).newTalk }], talk: 'none' }
      case 'resume':
        return this.#list('pause', written.words, 'resume')
      case 'command':
        return this.#list(written.command, written.words)
      case 'text':
        return this.#mayUse('assistant') ? this.#ask(written.text) : this.#help()
    }
  }

  async #list(command: Exclude<ChatCommand, 'push' | 'assistant'>, given: string, only?: 'resume'): Promise<Outcome> {
    if (!this.#mayUse(command)) return this.#failed({ kind: 'chat.not_allowed' })
    const { app, brush, version } = this.#parts
    const words = given.slice(0, chatCommandCharactersMax)
    const deps = { app, caller: this.#caller, words: await this.#words() }
    const mayChange = this.#mayUse('pause') && mayUse(this.#caller, 'app:write')
    switch (command) {
      case 'status':
        return this.#say(await statusReply(deps, version))
      case 'sites':
        return this.#say(await sitesReply(deps))
      case 'torrents':
        return this.#say(await torrentsReply(deps, words, 'all', mayChange))
      case 'pause':
        return this.#say(await torrentsReply(deps, words, only ?? 'pause', mayChange))
      case 'search':
        return this.#say(await searchReply(deps, words, this.#mayUse('push') && mayUse(this.#caller, 'app:write')))
      case 'brush':
        return this.#say(await brushReply(deps, brush, mayUse(this.#caller, 'app:write')))
    }
  }

  async #press(press: NonNullable<ChatUpdate['press']>): Promise<Outcome> {
    const { language } = await this.#parts.locale.read()
    const say = sayIn(language)
    const words = chatWords[language]
    const answer = (text: string): ChatMessage => ({ kind: 'answer', press: press.id, text })
    const { id, chat } = this.#heard.update
    const action = this.#memory.press(id, press.data, chat, this.#parts.clock.nowMs())
    if (action === undefined) return { messages: [answer(say({ kind: 'chat.button_over' }))] }
    if (action.kind === 'decide') {
      const { confirmationId, approve } = action
      const decided = await this.#parts.app.ask(
        this.#caller,
        'POST',
        `/assistant/confirmations/${encodeURIComponent(confirmationId)}`,
        { approve },
      )
      const over: ChatMessage[] =
        press.messageId === undefined ? [] : [{ kind: 'take_buttons', messageId: press.messageId }]
      const text = decided.ok ? (approve ? words.confirmed : words.rejected) : say(decided.failure)
      return { messages: [answer(text), ...over] }
    }
    const command = action.kind === 'torrent' ? 'pause' : action.kind
    const { app, brush, sites, audit, identifiers, clock, logger } = this.#parts
    const caller = this.#caller
    const outcome = this.#mayUse(command)
      ? await act({ app, caller, words, brush, sites, audit, identifiers, clock, logger }, action)
      : failWith({ kind: 'chat.not_allowed' } as const)
    const said = await this.#say(outcome)
    return { ...said, messages: [answer(''), ...said.messages] }
  }

  /** In the conversation of this chat, or in a new one. */
  async #ask(text: string): Promise<Outcome> {
    const { app } = this.#parts
    const { id, chat } = this.#heard.update
    this.#memory.acting(id)
    const talk = this.#memory.talk(chat)
    if (talk !== undefined) {
      const { conversationId, told } = talk
      const path = `/assistant/conversations/${encodeURIComponent(conversationId)}/messages`
      const sent = await app.ask(this.#caller, 'POST', path, { text })
      if (sent.ok) return { messages: [], talk: { conversationId, told, isRunning: true } }
      const isGone = sent.failure.kind === 'none' && sent.failure.what === 'conversation'
      if (!isGone) return this.#failed(sent.failure)
    }
    const made = await app.ask<{ id: string }>(this.#caller, 'POST', '/assistant/conversations', { message: text })
    if (!made.ok) return this.#failed(made.failure)
    return { messages: [], talk: { conversationId: made.value.id, told: 0, isRunning: true } }
  }

  async #help(): Promise<Outcome> {
    const { meanings } = await this.#words()
    const items = (Object.keys(meanings) as (keyof typeof meanings)[])
      .filter((command) => this.#mayUse(command === 'resume' ? 'pause' : command))
      .map((command) => ({ command: `/${command}`, meaning: meanings[command] }))
    return this.#say(
      succeed({ type: 'reply.help', facts: { items, assistant: this.#mayUse('assistant') } } satisfies Listed),
    )
  }

  async #say(listed: Result<Listed, Reason>): Promise<Outcome> {
    if (!listed.ok) return this.#failed(listed.failure)
    const { type, facts, buttons = [] } = listed.value
    const { clock, identifiers, texts } = this.#parts
    const untilMs = clock.nowMs() + chatButtonSeconds * 1000
    const made = buttons.map(({ label, action }) => {
      const token = identifiers.secret()
      return { label, token, together: token, action, untilMs }
    })
    const rows = made.flatMap((_, at) => (at % buttonsInRow === 0 ? [made.slice(at, at + buttonsInRow)] : []))
    const text = (await texts.write(type, facts)).slice(0, chatMessageCharactersMax)
    return {
      messages: [
        {
          kind: 'say',
          text,
          ...(rows.length === 0
            ? {}
            : { buttons: rows.map((row) => row.map(({ label, token }) => ({ label, token }))) }),
        },
      ],
      buttons: made,
    }
  }

  async #failed(reason: Reason): Promise<Outcome> {
    return { messages: [{ kind: 'say', text: await this.#parts.texts.write('reply.failed', { reason }) }] }
  }

  async #words() {
    return chatWords[(await this.#parts.locale.read()).language]
  }

  #mayUse(command: ChatCommand): boolean {
    return this.#heard.commands.includes(command)
  }
}
