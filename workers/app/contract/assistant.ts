/** The assistant: conversations, their messages, events and the actions that wait for a yes. Times are RFC 3339 here. */

import * as z from '#shared/schema/deferred.ts'
import { torrentChanges } from '../core/assistant/proposed-action.ts'
import { confirmationStatuses, conversationEntries, messageRoles, runOutcomes } from '../core/vocabulary.ts'
import {
  assistantIdCharactersMax,
  assistantMessageCharactersMax,
  conversationTitleCharactersMax,
  eventsWaitSeconds,
} from '../limits.ts'
import { wholeNumber } from './paging.ts'
import { withReason } from './reason.ts'
import { declareRoute, emptyBody } from './route.ts'
import { ask } from './rule.ts'

const instant = z.iso.datetime()

const wireAssistantStatus = z.object({
  enabled: z.boolean(),
  model: z.string(),
  can_confirm: z.boolean(),
  chatops: z.boolean(),
})
export type WireAssistantStatus = z.infer<typeof wireAssistantStatus>

/** As the model wrote them, whatever they are. */
const toolArguments = z.record(z.string(), z.unknown()).meta({ type: 'object', additionalProperties: true })

const wireToolCall = z
  .object({ id: z.string(), name: z.string(), arguments: toolArguments, write: z.boolean() })
  .meta({ id: 'AssistantToolCall' })
export type WireToolCall = z.infer<typeof wireToolCall>

const wireMessage = z
  .object({
    id: z.string(),
    run_id: z.string(),
    role: z.enum(messageRoles),
    content: z.string(),
    created_at: instant,
    /** Of an assistant message. */
    tool_calls: z.array(wireToolCall).optional(),
    /** Of a tool's result. */
    tool_name: z.string().optional(),
    tool_call_id: z.string().optional(),
    is_error: z.boolean().optional(),
  })
  .meta({ id: 'AssistantMessage' })
export type WireMessage = z.infer<typeof wireMessage>

const wireTorrentTarget = z.object({ title: z.string(), downloader: z.string(), info_hash: z.string() })
const wirePushTarget = z.object({
  site: z.string(),
  site_title: z.string(),
  torrent_id: z.string(),
  title: z.string().optional(),
  downloader: z.string(),
  category: z.string().optional(),
  tags: z.string().optional(),
})
const wireSubscriptionTarget = z.object({
  title: z.string(),
  tmdb_id: z.int(),
  year: z.int().optional(),
  /** 0 for a film. */
  season: z.int().min(0),
  upgrade: z.boolean(),
})

const wireSitePlanTarget = z.object({
  site: z.string(),
  site_title: z.string(),
  level: z.string(),
  plan_id: z.int(),
  seeds: z.int(),
  pushes: z.int(),
  /** Of what is downloaded. */
  size: z.int(),
})

/** What is done, and to what. */
const wireChange = z
  .discriminatedUnion('action', [
    z.object({ action: z.enum(torrentChanges), targets: z.array(wireTorrentTarget) }),
    z.object({ action: z.enum(['category', 'tags']), value: z.string(), targets: z.array(wireTorrentTarget) }),
    /** Bytes a second; 0 for none. */
    z.object({
      action: z.literal('limits'),
      upload_limit: z.int(),
      download_limit: z.int(),
      targets: z.array(wireTorrentTarget),
    }),
    z.object({ action: z.literal('push'), targets: z.tuple([wirePushTarget]) }),
    z.object({ action: z.literal('subscribe'), targets: z.tuple([wireSubscriptionTarget]) }),
    z.object({ action: z.literal('site_plan'), targets: z.tuple([wireSitePlanTarget]) }),
  ])
  .meta({ id: 'AssistantChange' })

const wireConfirmation = z
  .object({
    id: z.string(),
    run_id: z.string(),
    tool_call_id: z.string(),
    tool: z.string(),
    summary: z.string(),
    /** The facts of the sentence, for whoever shows them in another language. Absent in older ones. */
    change: wireChange.optional(),
    arguments: toolArguments,
    status: z.enum(confirmationStatuses),
    decided_by: z.string().optional(),
    decided_at: instant.optional(),
    expires_at: instant,
    created_at: instant,
  })
  .meta({ id: 'AssistantConfirmation' })
export type WireConfirmation = z.infer<typeof wireConfirmation>

const conversationFields = {
  id: z.string(),
  title: z.string(),
  entry: z.enum(conversationEntries),
  running: z.boolean(),
  created_at: instant,
  updated_at: instant,
}

const wireConversation = z.object(conversationFields).meta({ id: 'AssistantConversation' })
export type WireConversation = z.infer<typeof wireConversation>

const wireConversationDetail = z
  .object({
    ...conversationFields,
    /** The latest 200, oldest first. */
    messages: z.array(wireMessage),
    /** Those that wait for a decision. */
    confirmations: z.array(wireConfirmation),
    /** The run that is under way. */
    run_id: z.string().optional(),
    /** What was said so far of the message that is being written. */
    partial: z.string(),
    last_seq: z.int().min(0),
  })
  .meta({ id: 'AssistantConversationDetail' })
export type WireConversationDetail = z.infer<typeof wireConversationDetail>

const wireRun = z.object({ run_id: z.string(), message: wireMessage })
export type WireRun = z.infer<typeof wireRun>

const eventFields = { seq: z.int().min(1), at: instant }

/** What an event carries besides its number and its time. */
const wireEvent = z
  .discriminatedUnion('type', [
    z.object({ ...eventFields, type: z.literal('run_started'), run_id: z.string() }),
    /** With `replace` the text is the whole of the message so far. */
    z.object({ ...eventFields, type: z.literal('delta'), text: z.string(), replace: z.boolean().optional() }),
    z.object({ ...eventFields, type: z.literal('message'), message: wireMessage }),
    z.object({ ...eventFields, type: z.literal('tool_started'), tool: wireToolCall }),
    z.object({ ...eventFields, type: z.literal('confirmation'), confirmation: wireConfirmation }),
    z.object({
      ...eventFields,
      type: z.literal('run_finished'),
      status: z.enum(runOutcomes),
      /** Why it failed. */
      error: z.string().optional(),
      ...withReason,
    }),
  ])
  .meta({ id: 'AssistantEvent' })
export type WireEvent = z.infer<typeof wireEvent>

const wireEventPage = z.object({
  events: z.array(wireEvent),
  reset: z.boolean(),
  last: z.int().min(0),
  running: z.boolean(),
})
export type WireEventPage = z.infer<typeof wireEventPage>

const conversationParams = z.object({ id: z.string().min(1).max(assistantIdCharactersMax) })

const characters = (text: string) => [...text].length

/** Counted in characters as people count them; nothing but blanks is no message. */
const messageText = z
  .string()
  .refine((text) => text.trim() !== '', ask({ kind: 'rule.not_empty' }))
  .refine(
    (text) => characters(text) <= assistantMessageCharactersMax,
    ask({ kind: 'rule.at_most', limit: assistantMessageCharactersMax, unit: 'characters' }),
  )
  .meta({ type: 'string', minLength: 1, maxLength: assistantMessageCharactersMax })

const done = z.object({ ok: z.literal(true) })

export const getAssistantStatus = declareRoute('read', 'get', '/assistant/status', {
  operationId: 'getAssistantStatus',
  feature: 'assistant',
  summary: 'Whether the assistant can be asked',
  description: 'With the model that answers, and whether the caller may agree to actions.',
  answers: { 200: wireAssistantStatus },
})

export const listConversations = declareRoute('read', 'get', '/assistant/conversations', {
  operationId: 'listConversations',
  feature: 'assistant',
  summary: 'Conversations of the caller',
  description: 'At most 100, last changed first. Conversations belong to the token or session that began them.',
  answers: { 200: z.object({ items: z.array(wireConversation) }) },
})

export const createConversation = declareRoute('read', 'post', '/assistant/conversations', {
  operationId: 'createConversation',
  feature: 'assistant',
  summary: 'Begin a conversation',
  description:
    'With a first message the assistant starts to answer and the status is 202; without one the conversation is empty and the status is 201.',
  body: z.strictObject({
    title: z
      .string()
      .regex(/^[^\p{Cc}]*$/u)
      .transform((text) => text.trim())
      .refine(
        (text) => characters(text) <= conversationTitleCharactersMax,
        ask({ kind: 'rule.at_most', limit: conversationTitleCharactersMax, unit: 'characters' }),
      )
      .meta({ type: 'string', maxLength: conversationTitleCharactersMax })
      .optional(),
    message: messageText.optional(),
  }),
  answers: { 201: wireConversation, 202: wireConversation.extend({ run: wireRun }) },
  failures: ['assistant_disabled', 'too_many'],
})

export const getConversation = declareRoute('read', 'get', '/assistant/conversations/{id}', {
  operationId: 'getConversation',
  feature: 'assistant',
  summary: 'One conversation with its messages',
  description:
    'The latest messages, what waits for a decision, and what has been written so far of the answer that is under way. Follow the events after `last_seq` for the rest.',
  params: conversationParams,
  answers: { 200: wireConversationDetail },
  failures: ['not_found'],
})

export const deleteConversation = declareRoute('read', 'delete', '/assistant/conversations/{id}', {
  operationId: 'deleteConversation',
  feature: 'assistant',
  summary: 'Delete a conversation',
  description: 'With its messages and its events.',
  params: conversationParams,
  body: emptyBody,
  answers: { 200: done },
  failures: ['not_found'],
})

export const sendMessage = declareRoute('read', 'post', '/assistant/conversations/{id}/messages', {
  operationId: 'sendMessage',
  feature: 'assistant',
  summary: 'Send a message',
  description:
    'The answer is written in the background: follow the events of the conversation. Answers `busy` while a run is under way.',
  params: conversationParams,
  body: z.strictObject({ text: messageText }),
  answers: { 202: wireRun },
  failures: ['not_found', 'busy_conflict', 'assistant_disabled', 'too_many'],
})

export const cancelRun = declareRoute('read', 'post', '/assistant/conversations/{id}/cancel', {
  operationId: 'cancelRun',
  feature: 'assistant',
  summary: 'Stop the answer that is being written',
  description: 'Actions that wait for a decision are void afterwards.',
  params: conversationParams,
  body: emptyBody,
  answers: { 200: done },
  failures: ['not_found'],
})

export const followConversation = declareRoute('read', 'get', '/assistant/conversations/{id}/events', {
  operationId: 'followConversation',
  feature: 'assistant',
  summary: 'Events of a conversation, by long polling',
  description:
    'Answers at once when there are events after `after`, and otherwise waits for the next one, at most `wait` seconds. `reset` says that events were dropped: read the conversation again.',
  params: conversationParams,
  query: z.object({
    after: wholeNumber(0, Number.MAX_SAFE_INTEGER).prefault('0'),
    wait: wholeNumber(0, eventsWaitSeconds).prefault(String(eventsWaitSeconds)),
  }),
  answers: { 200: wireEventPage },
  failures: ['not_found'],
})

export const decideConfirmation = declareRoute('operate', 'post', '/assistant/confirmations/{id}', {
  operationId: 'decideConfirmation',
  feature: 'assistant',
  summary: 'Agree to an action of the assistant, or refuse it',
  description: 'Each action is decided once; a second decision is answered `decided`.',
  params: z.object({ id: z.string().min(1).max(assistantIdCharactersMax) }),
  body: z.strictObject({ approve: z.boolean() }),
  answers: { 200: wireConfirmation },
  failures: ['not_found', 'decided'],
})
