import { DurableObject } from 'cloudflare:workers'
import { constantTimeEqual } from '#shared/http/constant-time-equal.ts'
import type { Result } from '#shared/kernel/result.ts'
import type { BotApi, BotFault, BotSettings } from '../adapters/chat/bot-api.ts'
import type { ChatMemory, Outcome, WaitingMessage, WaitingUpdate } from '../adapters/chat/chat-memory.ts'
import type { HeardBot } from '../adapters/d1/chats.ts'
import { fromHex, toHex } from '../core/bytes.ts'
import type { ChatUpdate } from '../core/chat/chat-update.ts'
import { secondsToRetry } from '../core/chat/retry.ts'
import { channelReason } from '../core/reason/of-fault.ts'
import type { Reason } from '../core/reason/reason.ts'
import {
  chatAttemptsMax,
  chatPollMs,
  chatQuietSeconds,
  chatRetrySeconds,
  chatUpdatesWaitingMax,
  runWatchMs,
} from '../limits.ts'
import type { HookOutcome } from '../ports/chats.ts'
import { answerUpdate, type ChatParts } from '../services/chat/answer-update.ts'
import { followTalk } from '../services/chat/follow-talk.ts'

const retryBounds = { attemptsMax: chatAttemptsMax, pauses: chatRetrySeconds }

export interface ChatHostParts extends ChatParts {
  /** In the object's own database. */
  open(storage: DurableObjectStorage): ChatMemory
  connect(settings: BotSettings): BotApi
  digest(text: string): Uint8Array
  wait(ms: number): Promise<void>
  numberOf(update: unknown): number | undefined
  read(update: unknown): ChatUpdate | undefined
  /** Where the platform sends updates of a channel. */
  hookAddress(publicUrl: string, channelId: number): string
}

/**
 * One bot, and the only door to it: what is written to it is taken, worked on and answered in its order. Its alarm asks for
 * updates, or sees to it that the platform sends them, and brings what was left over by a life that ended.
 */
export abstract class ChatHost extends DurableObject<Cloudflare.Env> {
  readonly #parts = this.compose()
  readonly #memory = this.#parts.open(this.ctx.storage)
  /** What is written is worked on one after another. */
  #turn: Promise<unknown> = Promise.resolve()
  /** The same for what is said: two at once could change places. */
  #saying: Promise<unknown> = Promise.resolve()
  /** Conversations. */
  readonly #following = new Set<string>()
  #isSayingSoon = false
  #held = new AbortController()
  #failures = 0
  /** What the row says of it, as far as this life knows. */
  #noted: string | undefined

  protected abstract compose(): ChatHostParts

  /** Settings may have changed: a question that is held is let go. */
  async wake(channelId: number): Promise<void> {
    this.#memory.belong(channelId)
    this.#noted = undefined
    this.#held.abort()
    this.#held = new AbortController()
    await this.ctx.storage.setAlarm(this.#nowMs())
  }

  /** Its channel is removed. What the platform does not take now it tells nobody: its next update is refused. */
  async leave(channelId: number): Promise<void> {
    this.#held.abort()
    const bot = await this.#parts.store.bot(channelId)
    if (bot?.settings.ok === true && this.#memory.hook().address !== '')
      await this.#parts.connect(bot.settings.value).removeHook()
    this.#memory.setHook('', '')
    await this.ctx.storage.deleteAlarm()
  }

  /** Looks after one that may have lost its alarm. */
  async watch(channelId: number): Promise<void> {
    if ((await this.ctx.storage.getAlarm()) === null) await this.wake(channelId)
  }

  async hear(channelId: number, secret: string, update: unknown): Promise<HookOutcome> {
    const bot = await this.#parts.store.bot(channelId)
    if (bot?.way !== 'webhook' || !bot.settings.ok) return 'refused'
    const { hash } = this.#memory.hook()
    if (hash === '' || !constantTimeEqual(this.#parts.digest(secret), fromHex(hash))) return 'refused'
    if (this.#memory.waiting() >= chatUpdatesWaitingMax) return 'later'
    const id = this.#parts.numberOf(update)
    if (id === undefined) return 'taken'
    this.#memory.take([{ id, body: update }], this.#nowMs())
    await this.ctx.storage.setAlarm(this.#nowMs() + runWatchMs)
    this.#inBackground(this.#work(channelId, bot, this.#parts.connect(bot.settings.value), true))
    return 'taken'
  }

  override async alarm(): Promise<void> {
    // Set first: whatever happens to this call, there is another one.
    await this.ctx.storage.setAlarm(this.#nowMs() + chatPollMs + runWatchMs)
    const { signal } = this.#held
    let nextMs: number | undefined = runWatchMs
    try {
      nextMs = await this.#listen(signal)
    } catch (cause) {
      this.#parts.logger.error('chat_failed', { cause })
    }
    if (signal.aborted) await this.ctx.storage.setAlarm(this.#nowMs())
    else if (nextMs === undefined) await this.ctx.storage.deleteAlarm()
    else await this.ctx.storage.setAlarm(this.#nowMs() + nextMs)
  }

  /** Gives back after how long there is something to do again. */
  async #listen(signal: AbortSignal): Promise<number | undefined> {
    const channelId = this.#memory.channelId()
    const bot = channelId === undefined ? undefined : await this.#parts.store.bot(channelId)
    if (channelId === undefined || bot === undefined) return undefined
    if (!bot.settings.ok) {
      await this.#note(channelId, { kind: 'channel.secrets', state: bot.settings.failure })
      return runWatchMs
    }
    const { token } = bot.settings.value
    this.#memory.begin(toHex(this.#parts.digest(token)))
    const api = this.#parts.connect(bot.settings.value)
    if (bot.way !== 'webhook' && this.#memory.hook().address !== '') {
      const removed = await api.removeHook()
      if (!removed.ok) return this.#failed(channelId, removed.failure)
      this.#memory.setHook('', '')
    }
    if (bot.way === 'off') return undefined
    this.#followAll(channelId, api)
    return bot.way === 'webhook' ? this.#beSent(channelId, bot, api) : this.#ask(channelId, bot, api, signal)
  }

  async #beSent(channelId: number, bot: HeardBot, api: BotApi): Promise<number | undefined> {
    const address = this.#parts.hookAddress(bot.publicUrl, channelId)
    if (this.#memory.hook().address !== address) {
      const secret = this.#parts.identifiers.secret()
      // Known before the platform is told, so that its first update is taken.
      this.#memory.setHook('', toHex(this.#parts.digest(secret)))
      const set = await api.setHook(address, secret)
      if (!set.ok) return this.#failed(channelId, set.failure)
      this.#memory.setHook(address, this.#memory.hook().hash)
    }
    await this.#work(channelId, bot, api, false)
    return this.#memory.isAnyLeft() ? runWatchMs : undefined
  }

  async #ask(channelId: number, bot: HeardBot, api: BotApi, signal: AbortSignal): Promise<number> {
    await this.#work(channelId, bot, api, false)
    const offset = this.#memory.offset(this.#nowMs(), chatQuietSeconds * 1000)
    const came = await api.updates(offset, signal)
    if (signal.aborted) return 0
    if (!came.ok) {
      const { fault } = came.failure
      // Somebody set a webhook for this bot; it is the owner's, who wants it asked.
      if (fault.kind === 'status' && fault.status === 409) await api.removeHook()
      return this.#failed(channelId, came.failure)
    }
    const updates = came.value.flatMap((body) => {
      const id = this.#parts.numberOf(body)
      return id === undefined ? [] : [{ id, body }]
    })
    this.#memory.take(updates, this.#nowMs())
    await this.#work(channelId, bot, api, updates.length > 0)
    return 0
  }

  async #failed(channelId: number, { fault, retryAfterSeconds = 0 }: BotFault): Promise<number> {
    const seconds = chatRetrySeconds[Math.min(this.#failures, chatRetrySeconds.length - 1)] ?? 0
    this.#failures += 1
    await this.#note(channelId, channelReason(fault))
    return Math.max(seconds, retryAfterSeconds) * 1000
  }

  async #note(channelId: number, reason: Reason | undefined, hasHeard = false): Promise<void> {
    const state = reason === undefined ? '' : JSON.stringify(reason)
    if (state === this.#noted && !hasHeard) return
    await this.#parts.store.noteState(channelId, reason, hasHeard)
    this.#noted = state
  }

  /** All that waits, in its order, and what is to be said of it. */
  async #work(channelId: number, bot: HeardBot, api: BotApi, hasHeard: boolean): Promise<void> {
    const mine = this.#turn.then(async () => {
      for (let next = this.#memory.next(); next !== undefined; next = this.#memory.next()) {
        await this.#handle(channelId, bot, next)
        await this.#say(api)
        this.#followAll(channelId, api)
      }
      await this.#say(api)
      this.#failures = 0
      await this.#note(channelId, undefined, hasHeard)
    })
    this.#turn = mine.catch(() => undefined)
    await mine
  }

  async #handle(channelId: number, { commands }: HeardBot, { id, body, wasCutOff }: WaitingUpdate): Promise<void> {
    const update = this.#parts.read(body)
    let outcome: Outcome = { messages: [] }
    try {
      if (update !== undefined)
        outcome = await answerUpdate(this.#parts, this.#memory, { channelId, commands, update, wasCutOff })
    } catch (cause) {
      this.#parts.logger.error('chat_update_failed', { cause })
      const text = await this.#parts.texts.write('reply.failed', { reason: { kind: 'internal' } })
      outcome = { messages: [{ kind: 'say', text }] }
    }
    this.#memory.done(id, update?.chat ?? '', outcome, this.#nowMs())
  }

  #followAll(channelId: number, api: BotApi): void {
    for (const { chat, conversationId } of this.#memory.running()) {
      if (this.#following.has(conversationId)) continue
      this.#following.add(conversationId)
      this.#inBackground(
        this.#follow(channelId, chat, conversationId, api).finally(() => this.#following.delete(conversationId)),
      )
    }
  }

  /** Until it is answered, or the chat has another one. */
  async #follow(channelId: number, chat: string, conversationId: string, api: BotApi): Promise<void> {
    for (let goesOn = true; goesOn; ) {
      const talk = this.#memory.talk(chat)
      if (talk?.isRunning !== true || talk.conversationId !== conversationId) return
      goesOn = await followTalk(this.#parts, this.#memory, channelId, talk)
      await this.#say(api)
    }
  }

  async #say(api: BotApi): Promise<void> {
    const mine = this.#saying.then(async () => {
      for (;;) {
        const due = this.#memory.due().filter(({ dueAtMs }) => dueAtMs <= this.#nowMs())
        if (due.length === 0) return
        for (const one of due) this.#settle(one, await api.send(one.chat, one.message))
      }
    })
    this.#saying = mine.catch(() => undefined)
    await mine
    this.#saySoon(api)
  }

  /** What was put off does not wait for the next thing that is written. A life that ends leaves it to the alarm. */
  #saySoon(api: BotApi): void {
    const [next] = this.#memory.due().toSorted((one, other) => one.dueAtMs - other.dueAtMs)
    if (next === undefined || this.#isSayingSoon) return
    this.#isSayingSoon = true
    const later = this.#parts.wait(Math.max(0, next.dueAtMs - this.#nowMs())).then(() => {
      this.#isSayingSoon = false
      return this.#say(api)
    })
    this.#inBackground(later)
  }

  #settle({ number, attempts }: WaitingMessage, sent: Result<void, BotFault>): void {
    if (sent.ok) {
      this.#memory.sent(number)
      return
    }
    const { fault, retryAfterSeconds = 0 } = sent.failure
    const seconds = secondsToRetry(attempts, fault.kind, retryAfterSeconds, retryBounds)
    if (seconds === undefined) {
      this.#parts.logger.info('chat_message_given_up', { reason: fault.kind, attempts: attempts + 1 })
      this.#memory.sent(number)
      return
    }
    this.#memory.putOff(number, this.#nowMs() + seconds * 1000)
  }

  #inBackground(work: Promise<unknown>): void {
    this.ctx.waitUntil(work.catch((cause) => this.#parts.logger.error('chat_failed', { cause })))
  }

  #nowMs(): number {
    return this.#parts.clock.nowMs()
  }
}
