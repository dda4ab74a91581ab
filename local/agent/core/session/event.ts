/** The durable events of a session, as they are stored and sent. Every state of a session follows from them. */
import type { PolicyChanged } from '../memory.ts'
import type { Delivery, PermissionReply } from '../vocabulary.ts'
import type {
  ChangeCounts,
  JsonObject,
  ModelRef,
  Prompt,
  RevertState,
  SessionError,
  SessionRecord,
  TokenCounts,
  ToolContent,
} from './message.ts'

export interface PermissionRequest {
  readonly id: string
  readonly sessionID: string
  readonly action: string
  readonly resources: readonly string[]
  readonly save?: readonly string[] | undefined
  readonly metadata?: JsonObject | undefined
  readonly source?: { readonly type: 'tool'; readonly messageID: string; readonly callID: string } | undefined
}

export interface QuestionItem {
  readonly question: string
  readonly header: string
  readonly options: readonly { readonly label: string; readonly description: string }[]
  readonly multiple?: boolean | undefined
  readonly custom?: boolean | undefined
}

export interface QuestionRequest {
  readonly id: string
  readonly sessionID: string
  readonly questions: readonly QuestionItem[]
  readonly tool?: { readonly messageID: string; readonly callID: string } | undefined
}

interface Payloads {
  'session.created': { readonly info: SessionRecord }
  'session.next.prompt.admitted': { readonly messageID: string; readonly prompt: Prompt; readonly delivery: Delivery }
  'session.next.prompted': { readonly messageID: string; readonly prompt: Prompt; readonly delivery: Delivery }
  /** It was taken back before it was taken in, and never is. */
  'session.next.prompt.withdrawn': { readonly messageID: string }
  /** What naming it took, where its provider counted. */
  'session.next.titled': {
    readonly title: string
    readonly cost?: number | undefined
    readonly tokens?: TokenCounts | undefined
  }
  'session.next.changed': { readonly changes: ChangeCounts }
  'session.next.archived': { readonly archived: number }
  'session.next.agent.switched': { readonly messageID: string; readonly agent: string }
  'session.next.model.switched': { readonly messageID: string; readonly model: ModelRef }
  'session.next.context.updated': { readonly messageID: string; readonly text: string }
  'session.next.synthetic': { readonly messageID: string; readonly text: string }
  'session.next.step.started': {
    readonly assistantMessageID: string
    readonly agent: string
    readonly model: ModelRef
    readonly snapshot?: string | undefined
  }
  'session.next.step.ended': {
    readonly assistantMessageID: string
    readonly finish: string
    readonly cost: number
    readonly tokens: TokenCounts
    readonly snapshot?: string | undefined
    readonly files?: readonly string[] | undefined
  }
  'session.next.step.failed': { readonly assistantMessageID: string; readonly error: SessionError }
  'session.next.text.started': { readonly assistantMessageID: string; readonly textID: string }
  'session.next.text.delta': { readonly assistantMessageID: string; readonly textID: string; readonly delta: string }
  'session.next.text.ended': { readonly assistantMessageID: string; readonly textID: string; readonly text: string }
  'session.next.reasoning.started': { readonly assistantMessageID: string; readonly reasoningID: string }
  'session.next.reasoning.delta': {
    readonly assistantMessageID: string
    readonly reasoningID: string
    readonly delta: string
  }
  'session.next.reasoning.ended': {
    readonly assistantMessageID: string
    readonly reasoningID: string
    readonly text: string
    readonly provider?: { readonly metadata: JsonObject } | undefined
  }
  'session.next.tool.input.started': {
    readonly assistantMessageID: string
    readonly callID: string
    readonly name: string
  }
  'session.next.tool.input.ended': {
    readonly assistantMessageID: string
    readonly callID: string
    readonly text: string
  }
  'session.next.tool.called': {
    readonly assistantMessageID: string
    readonly callID: string
    readonly tool: string
    readonly input: JsonObject
    readonly provider: { readonly executed: boolean; readonly metadata?: JsonObject | undefined }
  }
  /** `workedMs`: how long the call took by itself, without its turn and its owner, for whom it may have waited. */
  'session.next.tool.success': {
    readonly assistantMessageID: string
    readonly callID: string
    readonly structured: JsonObject
    readonly content: readonly ToolContent[]
    readonly outputPaths?: readonly string[] | undefined
    readonly provider: { readonly executed: boolean }
    readonly workedMs?: number | undefined
  }
  'session.next.tool.failed': {
    readonly assistantMessageID: string
    readonly callID: string
    readonly error: SessionError
    readonly provider: { readonly executed: boolean }
    readonly workedMs?: number | undefined
  }
  'session.next.retried': {
    readonly assistantMessageID: string
    readonly attempt: number
    readonly error: {
      readonly message: string
      readonly isRetryable: boolean
      readonly statusCode?: number | undefined
    }
  }
  'session.next.compaction.started': { readonly messageID: string; readonly reason: 'auto' | 'manual' }
  'session.next.compaction.ended': {
    readonly messageID: string
    readonly reason: 'auto' | 'manual'
    readonly text: string
    readonly recent: string
    readonly cost?: number | undefined
    readonly tokens?: TokenCounts | undefined
  }
  'session.next.revert.staged': { readonly revert: RevertState }
  'session.next.revert.cleared': Readonly<Record<string, never>>
  'session.next.revert.committed': { readonly messageID: string }
  'session.memory.policy.changed': PolicyChanged
  'session.memory.learned': {
    readonly memoryID: string
    readonly text: string
    readonly messageID: string
    readonly callID: string
  }
  'session.memory.forgotten': { readonly memoryID: string }
  'session.memory.retrieved': { readonly selectedIDs: readonly string[]; readonly candidateCount: number }
  'permission.v2.asked': PermissionRequest
  'permission.v2.replied': {
    readonly requestID: string
    readonly reply: PermissionReply
    readonly message?: string | undefined
  }
  'question.v2.asked': QuestionRequest
  'question.v2.replied': { readonly requestID: string; readonly answers: readonly (readonly string[])[] }
  'question.v2.rejected': { readonly requestID: string }
}

export type SessionEventType = keyof Payloads

/** An event before it is stored; time and session are added when it is. */
export type SessionEvent = {
  [T in SessionEventType]: { readonly type: T; readonly data: Payloads[T] }
}[SessionEventType]

export type StampedEvent = SessionEvent & { readonly timestamp: number; readonly sessionID: string }

/** Version of an event's payload. Two kinds carry a second version on the wire this follows. */
export function eventVersion(type: SessionEventType): number {
  return type === 'session.next.step.ended' || type === 'session.next.step.failed' ? 2 : 1
}
