import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import {
  cancelRun,
  createConversation,
  decideConfirmation,
  deleteConversation,
  followConversation,
  getAssistantStatus,
  getConversation,
  listConversations,
  sendMessage,
  type WireAssistantStatus,
} from '../../contract/assistant.ts'
import {
  toWireConfirmation,
  toWireConversation,
  toWireConversationDetail,
  toWireRun,
} from '../../contract/assistant-wire.ts'
import { type Failure, failure } from '../../core/failure.ts'
import { mayUse } from '../../core/principal.ts'
import { runsMax, unknownConversationsPauseMs, unknownConversationsWaitingMax } from '../../limits.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind, FinishedJson } from '../bind.ts'

const noConversation = failure('not_found', { kind: 'none', what: 'conversation' })
const noConfirmation = failure('not_found', { kind: 'none', what: 'confirmation' })

const faults = {
  not_found: noConversation,
  unread: failure('unavailable', { kind: 'assistant.unread' }),
  in_vain: {
    ...failure('unavailable', { kind: 'assistant.asked_in_vain' }),
    retryAfterSeconds: Math.ceil((unknownConversationsPauseMs * unknownConversationsWaitingMax) / 1000),
  },
  busy: failure('busy_conflict', { kind: 'assistant.busy' }),
  too_many: failure('too_many', { kind: 'assistant.too_many', limit: runsMax }),
  unavailable: failure('unavailable', { kind: 'assistant.unavailable' }),
  disabled: failure('assistant_disabled', { kind: 'assistant.disabled' }),
} as const

const decisionFaults = {
  not_found: noConfirmation,
  decided: failure('decided', { kind: 'assistant.decided' }),
  audit: failure('unavailable', { kind: 'assistant.not_audited' }),
} as const

const done = succeed({ body: { ok: true as const } })

export function assistantRoutes(deps: Pick<AppDeps, 'assistant' | 'chats' | 'settings'>): BoundRoute[] {
  const { assistant } = deps

  async function model(): Promise<string | undefined> {
    const { value } = await deps.settings.read('assistant')
    const hasEndpoint = value.endpoint === 'own' || value.address !== ''
    return value.enabled && hasEndpoint && value.model !== '' ? value.model : undefined
  }

  async function refuseDisabled(): Promise<Result<undefined, Failure>> {
    return (await model()) === undefined ? failWith(faults.disabled) : succeed(undefined)
  }

  return [
    bind(getAssistantStatus, async ({ principal }) => {
      const present = await model()
      const status: WireAssistantStatus = {
        enabled: present !== undefined,
        model: present ?? '',
        can_confirm: mayUse(principal, 'app:write'),
        chatops: await deps.chats.isAnyHeard(),
      }
      return succeed({ body: status })
    }),
    bind(listConversations, async ({ principal }) =>
      succeed({ body: { items: (await assistant.list(principal)).map(toWireConversation) } }),
    ),
    bind(createConversation, async ({ body, principal }) => {
      const enabled = await refuseDisabled()
      if (!enabled.ok) return enabled
      const { title = '', message } = body
      const created = await assistant.create(principal, { title, ...(message ? { message } : {}) })
      if (!created.ok) return failWith(faults[created.failure])
      const conversation = toWireConversation(created.value.conversation)
      return created.value.run === undefined
        ? succeed({ status: 201, body: conversation })
        : succeed({ status: 202, body: { ...conversation, run: toWireRun(created.value.run) } })
    }),
    bind(getConversation, async ({ params, principal }) => {
      const detail = await assistant.read(principal, params.id)
      return detail.ok ? succeed({ body: toWireConversationDetail(detail.value) }) : failWith(faults[detail.failure])
    }),
    bind(deleteConversation, async ({ params, principal }) => {
      const removed = await assistant.remove(principal, params.id)
      return removed.ok ? done : failWith(faults[removed.failure])
    }),
    bind(sendMessage, async ({ params, body, principal }) => {
      const enabled = await refuseDisabled()
      if (!enabled.ok) return enabled
      const sent = await assistant.send(principal, params.id, body.text)
      return sent.ok ? succeed({ body: toWireRun(sent.value) }) : failWith(faults[sent.failure])
    }),
    bind(cancelRun, async ({ params, principal }) => {
      const cancelled = await assistant.cancel(principal, params.id)
      return cancelled.ok ? done : failWith(faults[cancelled.failure])
    }),
    bind(followConversation, async ({ params, query, principal }) => {
      const page = await assistant.follow(principal, params.id, query.after, query.wait * 1000)
      return page.ok ? succeed({ body: new FinishedJson([page.value]) }) : failWith(faults[page.failure])
    }),
    bind(decideConfirmation, async ({ params, body, principal, requestId }) => {
      const decided = await assistant.decide(principal, params.id, body.approve, requestId)
      return decided.ok
        ? succeed({ body: toWireConfirmation(decided.value) })
        : failWith(decisionFaults[decided.failure])
    }),
  ]
}
