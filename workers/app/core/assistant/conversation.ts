/** What a conversation with the assistant is made of. */

import type { Reason } from '../reason/reason.ts'
import type { ConfirmationStatus, ConversationEntry, RunOutcome } from '../vocabulary.ts'
import type { ProposedAction } from './proposed-action.ts'

export interface ToolCall {
  /** Ours, one of a kind. */
  readonly id: string
  /** As the model named it, which is how it wants to be answered. */
  readonly modelId: string
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly write: boolean
  /** The arguments were no JSON object. */
  readonly isBroken: boolean
}

interface ToolResult {
  readonly toolName: string
  readonly toolCallId: string
  readonly isError: boolean
}

export type MessagePart =
  | { readonly role: 'user' | 'notice'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly toolCalls: readonly ToolCall[] }
  | ({ readonly role: 'tool'; readonly content: string } & ToolResult)

export type Message = MessagePart & { readonly id: string; readonly runId: string; readonly createdAtMs: number }

/** An action as it was asked for: what runs is this, whatever was said since. */
export interface ActionRequest {
  readonly runId: string
  readonly toolCallId: string
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
  /** SHA-256 of the canonical arguments. */
  readonly digest: string
  /** One sentence, written by us. */
  readonly summary: string
  /** The facts of that sentence. Absent for what was asked when only the sentence was kept. */
  readonly proposed?: ProposedAction
  readonly expiresAtMs: number
}

export interface Confirmation extends ActionRequest {
  readonly id: string
  readonly status: ConfirmationStatus
  readonly createdAtMs: number
  /** Only where somebody decided. */
  readonly decidedBy?: string
  readonly decidedAtMs?: number
}

interface Conversation {
  readonly id: string
  readonly title: string
  readonly entry: ConversationEntry
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

export interface ConversationSummary extends Conversation {
  /** Undefined while nothing is being answered. */
  readonly runId?: string
}

export interface ConversationDetail extends ConversationSummary {
  readonly messages: readonly Message[]
  readonly confirmations: readonly Confirmation[]
  readonly partial: string
  readonly lastSeq: number
}

export interface StartedRun {
  readonly runId: string
  readonly message: Message
}

export type ConversationEvent =
  | { readonly type: 'run_started'; readonly runId: string }
  | { readonly type: 'delta'; readonly text: string; readonly replace: boolean }
  | { readonly type: 'message'; readonly message: Message }
  | { readonly type: 'tool_started'; readonly tool: ToolCall }
  | { readonly type: 'confirmation'; readonly confirmation: Confirmation }
  | { readonly type: 'run_finished'; readonly status: RunOutcome; readonly reason?: Reason }

/** What a conversation is called that nobody named: the beginning of its first message. */
export function titleFrom(text: string, charactersMax: number): string {
  const line = text
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .replace(/\s+/g, ' ')
  const characters = [...line]
  return characters.length <= charactersMax ? line : `${characters.slice(0, charactersMax - 1).join('')}…`
}
