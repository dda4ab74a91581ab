/**
 * The assistant as the console sees it, with conversations in memory and no model behind them: the test says what is
 * written, called, asked and decided, one event after another. Its source is our own contract, which types what it says.
 */

import type {
  WireAssistantStatus,
  WireConfirmation,
  WireConversation,
  WireConversationDetail,
  WireEvent,
  WireEventPage,
  WireMessage,
} from '../../workers/app/contract/assistant.ts'
import type { AssistantSettingsBody, WireAssistantSettings } from '../../workers/app/contract/console-settings.ts'
import { actionInChinese } from '../../workers/app/core/assistant/action-chinese.ts'
import type { ProposedAction } from '../../workers/app/core/assistant/proposed-action.ts'
import type { Reason } from '../../workers/app/core/reason/reason.ts'
import { saying } from './said.ts'

/** Without what every event has. */
type Untold<E = WireEvent> = E extends WireEvent ? Omit<E, 'seq' | 'at'> : never

export interface AssistantState {
  conversations: WireConversationDetail[]
  settings: WireAssistantSettings
  canConfirm: boolean
}

interface Call {
  readonly params: readonly string[]
  readonly query: Readonly<Record<string, unknown>>
  // biome-ignore lint/suspicious/noExplicitAny: each body was parsed by the contract of its own route
  readonly body: any
  readonly closed: AbortSignal
}

type Outcome =
  | { readonly answer: unknown; readonly status?: number }
  | { readonly refusal: { readonly status: number; readonly error: string; readonly reason: Reason } }

const refuse = (status: number, error: string, words: string): Outcome => ({
  refusal: { status, error, reason: saying(words) },
})
const unknown = () => refuse(404, 'not_found', '没有这个对话')

export const noAssistant: AssistantState = {
  conversations: [],
  settings: { enabled: false, endpoint: 'own', address: '', model: '', has_api_key: false },
  canConfirm: true,
}

export class StandInAssistant {
  readonly state: AssistantState
  readonly #events = new Map<string, WireEvent[]>()
  readonly #waiting = new Set<() => void>()
  /** Conversations whose events are lost: the next page says so. */
  readonly #lost = new Set<string>()
  #made = 0

  constructor(state: AssistantState) {
    this.state = structuredClone(state)
  }

  /** How many wait for events. */
  get waitingCount(): number {
    return this.#waiting.size
  }

  #find(id: string | undefined): WireConversationDetail | undefined {
    return this.state.conversations.find((one) => one.id === id)
  }
  #need(id: string): WireConversationDetail {
    const found = this.#find(id)
    if (found === undefined) throw new Error(`no conversation ${id}`)
    return found
  }
  #wake(): void {
    for (const go of this.#waiting) go()
  }

  /** What happens in a conversation, as the real one keeps it and tells of it. */
  tell(id: string, event: Untold): void {
    const one = this.#need(id)
    one.last_seq += 1
    const told: WireEvent = { ...event, seq: one.last_seq, at: new Date().toISOString() }
    if (told.type === 'run_started') Object.assign(one, { running: true, run_id: told.run_id, partial: '' })
    else if (told.type === 'delta') one.partial = told.replace === true ? told.text : one.partial + told.text
    else if (told.type === 'message') {
      one.messages.push(told.message)
      if (told.message.role === 'assistant') one.partial = ''
    } else if (told.type === 'confirmation') {
      one.confirmations = one.confirmations.filter((known) => known.id !== told.confirmation.id)
      if (told.confirmation.status === 'pending') one.confirmations.push(told.confirmation)
    } else if (told.type === 'run_finished') {
      Object.assign(one, { running: false, partial: '' })
      delete one.run_id
    }
    this.#events.set(id, [...(this.#events.get(id) ?? []), told])
    this.#wake()
  }

  message(id: string, part: Pick<WireMessage, 'role' | 'content'> & Partial<WireMessage>): WireMessage {
    const { run_id, messages } = this.#need(id)
    this.#made += 1
    return {
      id: `s${this.#made}`,
      run_id: run_id ?? messages.at(-1)?.run_id ?? 'r',
      created_at: new Date().toISOString(),
      ...part,
    }
  }

  /** The run wants a write: the call is stored and waits for its owner. */
  ask(
    id: string,
    tool: string,
    given: Readonly<Record<string, unknown>>,
    /** A sentence alone is what older ones have. */
    asked: ProposedAction | string,
  ): WireConfirmation {
    this.#made += 1
    const call = { id: `c${this.#made}`, name: tool, arguments: { ...given }, write: true }
    const message = this.message(id, { role: 'assistant', content: this.#need(id).partial, tool_calls: [call] })
    this.tell(id, { type: 'message', message })
    const confirmation: WireConfirmation = {
      id: `q${this.#made}`,
      run_id: message.run_id,
      tool_call_id: call.id,
      tool,
      ...(typeof asked === 'string' ? { summary: asked } : { summary: actionInChinese(asked), change: asked }),
      arguments: call.arguments,
      status: 'pending',
      created_at: new Date().toISOString(),
      expires_at: new Date(Date.now() + 300_000).toISOString(),
    }
    this.tell(id, { type: 'confirmation', confirmation })
    return confirmation
  }

  decide(id: string, status: 'approved' | 'denied' | 'expired', by?: string): WireConfirmation {
    const one = this.state.conversations.find(({ confirmations }) => confirmations.some((known) => known.id === id))
    const waiting = one?.confirmations.find((known) => known.id === id)
    if (one === undefined || waiting === undefined) throw new Error(`nothing waits as ${id}`)
    const decided: WireConfirmation = {
      ...waiting,
      status,
      ...(by === undefined ? {} : { decided_by: by, decided_at: new Date().toISOString() }),
    }
    this.tell(one.id, { type: 'confirmation', confirmation: decided })
    const { tool_call_id, tool } = waiting
    const said = { approved: '{"succeeded":1,"failed":0}', denied: '用户拒绝了这个操作', expired: '没有及时得到确认' }
    const result = { role: 'tool' as const, content: said[status], tool_name: tool, tool_call_id }
    this.tell(one.id, {
      type: 'message',
      message: this.message(one.id, { ...result, is_error: status !== 'approved' }),
    })
    return decided
  }

  finish(id: string, status: 'done' | 'canceled' | 'failed', notice?: string): void {
    const one = this.#need(id)
    if (one.partial !== '')
      this.tell(id, { type: 'message', message: this.message(id, { role: 'assistant', content: one.partial }) })
    if (notice !== undefined)
      this.tell(id, { type: 'message', message: this.message(id, { role: 'notice', content: notice }) })
    this.tell(id, { type: 'run_finished', status })
  }

  /** As after a restart: what was told so far is not to be had again. */
  lose(id: string): void {
    this.#events.delete(id)
    this.#lost.add(id)
    this.#wake()
  }

  #begin(one: WireConversationDetail, text: string): { run_id: string; message: WireMessage } {
    this.#made += 1
    const run_id = `r${this.#made}`
    this.tell(one.id, { type: 'run_started', run_id })
    const message = this.message(one.id, { role: 'user', content: text })
    this.tell(one.id, { type: 'message', message })
    return { run_id, message }
  }

  get #isOn(): boolean {
    return this.state.settings.enabled && this.state.settings.model !== ''
  }

  #summary({
    messages: _,
    confirmations: __,
    partial: ___,
    last_seq: ____,
    run_id: _____,
    ...rest
  }: WireConversationDetail): WireConversation {
    return rest
  }

  /** Resolves with the next thing that is told, and when the asker leaves. */
  #news(closed: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.add(resolve)
    closed.addEventListener('abort', () => resolve(), { once: true })
    return promise.finally(() => this.#waiting.delete(resolve))
  }

  async #page(id: string, after: number, closed: AbortSignal): Promise<Outcome> {
    for (;;) {
      const one = this.#find(id)
      if (one === undefined) return unknown()
      const isLost = this.#lost.delete(id)
      const events = (this.#events.get(id) ?? []).filter(({ seq }) => seq > after)
      if (isLost || events.length > 0 || closed.aborted) {
        const page: WireEventPage = { events, reset: isLost, last: one.last_seq, running: one.running }
        return { answer: page }
      }
      await this.#news(closed)
    }
  }

  readonly handlers: Readonly<Record<string, (call: Call) => Outcome | Promise<Outcome>>> = {
    getAssistantStatus: () => ({
      answer: {
        enabled: this.#isOn,
        model: this.state.settings.model,
        can_confirm: this.state.canConfirm,
        chatops: false,
      } satisfies WireAssistantStatus,
    }),
    listConversations: () => ({
      answer: {
        items: this.state.conversations
          .map((one) => this.#summary(one))
          .toSorted((a, b) => Date.parse(b.updated_at) - Date.parse(a.updated_at)),
      },
    }),
    createConversation: ({ body }) => {
      if (!this.#isOn) return refuse(409, 'assistant_disabled', '助手没有开启')
      this.#made += 1
      const at = new Date().toISOString()
      const one: WireConversationDetail = {
        id: `n${this.#made}`,
        title: body.title ?? body.message ?? '',
        entry: 'web',
        running: false,
        created_at: at,
        updated_at: at,
        messages: [],
        confirmations: [],
        partial: '',
        last_seq: 0,
      }
      this.state.conversations.push(one)
      if (body.message === undefined) return { answer: this.#summary(one), status: 201 }
      const run = this.#begin(one, body.message)
      return { answer: { ...this.#summary(one), run }, status: 202 }
    },
    getConversation: ({ params }) => {
      const one = this.#find(params[0])
      return one === undefined ? unknown() : { answer: structuredClone(one) }
    },
    deleteConversation: ({ params }) => {
      if (this.#find(params[0]) === undefined) return unknown()
      this.state.conversations = this.state.conversations.filter(({ id }) => id !== params[0])
      this.#wake()
      return { answer: { ok: true } }
    },
    sendMessage: ({ params, body }) => {
      const one = this.#find(params[0])
      if (one === undefined) return unknown()
      if (!this.#isOn) return refuse(409, 'assistant_disabled', '助手没有开启')
      if (one.running) return refuse(409, 'busy', '正在回答')
      return { answer: this.#begin(one, body.text), status: 202 }
    },
    cancelRun: ({ params }) => {
      const one = this.#find(params[0])
      if (one === undefined) return unknown()
      if (one.running) {
        for (const { id } of [...one.confirmations]) this.decide(id, 'expired')
        this.finish(one.id, 'canceled', '已停止。')
      }
      return { answer: { ok: true } }
    },
    followConversation: ({ params, query, closed }) => this.#page(params[0] ?? '', Number(query['after']), closed),
    decideConfirmation: ({ params, body }) => {
      const id = params[0] ?? ''
      const waits = this.state.conversations.some(({ confirmations }) => confirmations.some((one) => one.id === id))
      if (!waits) return refuse(409, 'decided', '这个操作已有决定')
      return { answer: this.decide(id, body.approve ? 'approved' : 'denied', 'session') }
    },
    getAssistantSettings: () => ({ answer: this.state.settings }),
    changeAssistantSettings: ({ body }: { body: AssistantSettingsBody }) => {
      const { api_key, address = '', ...rest } = body
      const before = this.state.settings
      const has_api_key = api_key === undefined ? before.has_api_key && before.address === address : api_key !== ''
      this.state.settings = { ...rest, address, has_api_key }
      return { answer: this.state.settings }
    },
    testAssistant: ({ body }) =>
      body.model === '' || body.model === 'silent'
        ? {
            answer:
              body.model === ''
                ? {
                    works: false,
                    error: '缺少字段 model',
                    reason: { kind: 'field.missing', field: 'model', part: 'field' },
                    models:
                      body.endpoint === 'own' ? ['default', 'maker.model-v1'] : ['listed-1', 'listed-2', 'talker'],
                  }
                : {
                    works: false,
                    error: '模型服务没有这个地址或模型',
                    reason: { kind: 'model.refused', status: 404 },
                  },
          }
        : { answer: { works: true, calls_tools: body.model !== 'talker' } },
  }
}
