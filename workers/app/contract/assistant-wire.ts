/** Conversations as they are written on the wire. Events are stored as they are written, so that they never change. */

import type {
  Confirmation,
  ConversationDetail,
  ConversationEvent,
  ConversationSummary,
  Message,
  StartedRun,
  ToolCall,
} from '../core/assistant/conversation.ts'
import { inChinese } from '../core/reason/chinese.ts'
import type {
  WireConfirmation,
  WireConversation,
  WireConversationDetail,
  WireEvent,
  WireMessage,
  WireRun,
  WireToolCall,
} from './assistant.ts'

const untitled = '新对话'

function instant(ms: number): string {
  return new Date(ms).toISOString()
}

function toWireToolCall({ id, name, arguments: given, write }: ToolCall): WireToolCall {
  return { id, name, arguments: { ...given }, write }
}

function toWireMessage(message: Message): WireMessage {
  return {
    id: message.id,
    run_id: message.runId,
    role: message.role,
    content: message.content,
    created_at: instant(message.createdAtMs),
    ...(message.role === 'assistant' ? { tool_calls: message.toolCalls.map(toWireToolCall) } : {}),
    ...(message.role === 'tool'
      ? { tool_name: message.toolName, tool_call_id: message.toolCallId, is_error: message.isError }
      : {}),
  }
}

export function toWireConfirmation(confirmation: Confirmation): WireConfirmation {
  return {
    id: confirmation.id,
    run_id: confirmation.runId,
    tool_call_id: confirmation.toolCallId,
    tool: confirmation.tool,
    summary: confirmation.summary,
    ...(confirmation.proposed === undefined ? {} : { change: confirmation.proposed }),
    arguments: { ...confirmation.arguments },
    status: confirmation.status,
    ...(confirmation.decidedBy === undefined ? {} : { decided_by: confirmation.decidedBy }),
    ...(confirmation.decidedAtMs === undefined ? {} : { decided_at: instant(confirmation.decidedAtMs) }),
    expires_at: instant(confirmation.expiresAtMs),
    created_at: instant(confirmation.createdAtMs),
  }
}

export function toWireConversation(conversation: ConversationSummary): WireConversation {
  return {
    id: conversation.id,
    title: conversation.title === '' ? untitled : conversation.title,
    entry: conversation.entry,
    running: conversation.runId !== undefined,
    created_at: instant(conversation.createdAtMs),
    updated_at: instant(conversation.updatedAtMs),
  }
}

export function toWireConversationDetail(detail: ConversationDetail): WireConversationDetail {
  return {
    ...toWireConversation(detail),
    messages: detail.messages.map(toWireMessage),
    confirmations: detail.confirmations.map(toWireConfirmation),
    ...(detail.runId === undefined ? {} : { run_id: detail.runId }),
    partial: detail.partial,
    last_seq: detail.lastSeq,
  }
}

export function toWireRun({ runId, message }: StartedRun): WireRun {
  return { run_id: runId, message: toWireMessage(message) }
}

type Unnumbered<E> = E extends unknown ? Omit<E, 'seq'> : never

/** All of an event but its number, as JSON text. */
export function writeEvent(event: ConversationEvent, atMs: number): string {
  return JSON.stringify(toWireEvent(event, instant(atMs)))
}

/** Numbers of the log begin at 0, those on the wire at 1, so that 0 stands before all of them. */
export function numberEvent(seq: number, written: string): string {
  return `{"seq":${seq},${written.slice(1)}`
}

function toWireEvent(event: ConversationEvent, at: string): Unnumbered<WireEvent> {
  switch (event.type) {
    case 'run_started':
      return { type: event.type, at, run_id: event.runId }
    case 'delta':
      return { type: event.type, at, text: event.text, ...(event.replace ? { replace: true } : {}) }
    case 'message':
      return { type: event.type, at, message: toWireMessage(event.message) }
    case 'tool_started':
      return { type: event.type, at, tool: toWireToolCall(event.tool) }
    case 'confirmation':
      return { type: event.type, at, confirmation: toWireConfirmation(event.confirmation) }
    case 'run_finished':
      return {
        type: event.type,
        at,
        status: event.status,
        ...(event.reason === undefined ? {} : { error: inChinese(event.reason), reason: event.reason }),
      }
  }
}
