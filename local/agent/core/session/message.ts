/** What a session consists of for its readers: the record and its messages. */
import type { MemoryGeneration, MemorySource, StepFaultKind } from '../vocabulary.ts'

export interface ModelRef {
  readonly id: string
  readonly providerID: string
  readonly variant?: string | undefined
}

export interface TokenCounts {
  readonly input: number
  readonly output: number
  readonly reasoning: number
  readonly cache: { readonly read: number; readonly write: number }
}

export const noTokens: TokenCounts = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }

export function addTokens(left: TokenCounts, right: TokenCounts): TokenCounts {
  return {
    input: left.input + right.input,
    output: left.output + right.output,
    reasoning: left.reasoning + right.reasoning,
    cache: { read: left.cache.read + right.cache.read, write: left.cache.write + right.cache.write },
  }
}

export interface LocationRef {
  readonly directory: string
  readonly workspaceID?: string | undefined
}

interface TextSpan {
  readonly start: number
  readonly end: number
  readonly text: string
}

export interface PromptFile {
  readonly uri: string
  readonly mime: string
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly source?: TextSpan | undefined
}

export interface AgentMention {
  readonly name: string
  readonly source?: TextSpan | undefined
}

export interface Prompt {
  readonly text: string
  readonly files?: readonly PromptFile[] | undefined
  readonly agents?: readonly AgentMention[] | undefined
}

export interface FileDiff {
  readonly path: string
  readonly status: 'added' | 'modified' | 'deleted'
  readonly additions: number
  readonly deletions: number
  readonly patch: string
}

/** How much the steps of a session changed, all of them together. */
export interface ChangeCounts {
  readonly files: number
  /** Left out of a change of very many files: nobody counted them. */
  readonly additions?: number | undefined
  readonly deletions?: number | undefined
}

export interface RevertState {
  readonly messageID: string
  readonly partID?: string | undefined
  readonly snapshot?: string | undefined
  /** What the files were taken back to: whoever changes them from then on has changed it. */
  readonly tree?: string | undefined
  readonly diff?: string | undefined
  readonly files?: readonly FileDiff[] | undefined
}

export interface MemoryPolicy {
  /** Whether the model is given the notes of earlier sessions. */
  readonly useMemories: boolean
  /** Whether it may write notes. `excluded` is the server's own decision, and final. */
  readonly generation: MemoryGeneration
  readonly reason: string
  readonly source: MemorySource
  readonly time: number
  /** Moves by one with every change; 0 for a session that follows the configuration. */
  readonly revision: number
}

export interface SessionRecord {
  readonly id: string
  readonly parentID?: string | undefined
  readonly projectID: string
  readonly agent?: string | undefined
  readonly model?: ModelRef | undefined
  readonly cost: number
  readonly tokens: TokenCounts
  readonly time: { readonly created: number; readonly updated: number; readonly archived?: number | undefined }
  readonly title: string
  readonly location: LocationRef
  readonly subpath?: string | undefined
  readonly revert?: RevertState | undefined
  /** As of the last step, or of what was taken back since. */
  readonly changes?: ChangeCounts | undefined
  /** Absent while the session follows the configuration. */
  readonly memory?: MemoryPolicy | undefined
}

/** Why something ended: `reason` tells apart what the fixed `type` cannot. */
export interface SessionError {
  readonly type: 'unknown'
  readonly message: string
  readonly reason?: 'interrupted' | 'uncertain' | 'refused' | 'provider' | 'tool' | undefined
  /** What `message` says, of a step that failed. */
  readonly fault?: StepFacts | undefined
}

/** A `StepFault` of any kind, as it is stored. */
export interface StepFacts {
  readonly kind: StepFaultKind
  readonly status?: number | undefined
  readonly said?: string | undefined
  readonly bytes?: number | undefined
  readonly model?: string | undefined
  readonly variant?: string | undefined
  readonly known?: readonly string[] | undefined
}

export type ToolContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'file'; readonly uri: string; readonly mime: string; readonly name?: string | undefined }

export type JsonObject = { readonly [key: string]: unknown }

type ToolState =
  | { readonly status: 'pending'; readonly input: string }
  | {
      readonly status: 'running'
      readonly input: JsonObject
      readonly structured: JsonObject
      readonly content: readonly ToolContent[]
    }
  | {
      readonly status: 'completed'
      readonly input: JsonObject
      readonly structured: JsonObject
      readonly content: readonly ToolContent[]
      readonly outputPaths?: readonly string[] | undefined
    }
  | {
      readonly status: 'error'
      readonly input: JsonObject
      readonly structured: JsonObject
      readonly content: readonly ToolContent[]
      readonly error: SessionError
    }

interface TextPart {
  readonly type: 'text'
  readonly id: string
  readonly text: string
}

interface ReasoningPart {
  readonly type: 'reasoning'
  readonly id: string
  readonly text: string
  /** What the provider wants to see again with it, such as a signature. */
  readonly provider?: { readonly metadata: JsonObject } | undefined
  readonly time?: { readonly created: number; readonly completed?: number | undefined } | undefined
}

export interface ToolPart {
  readonly type: 'tool'
  /** The provider's call id: unique within the session. */
  readonly id: string
  readonly name: string
  readonly provider?: { readonly executed: boolean; readonly metadata?: JsonObject | undefined } | undefined
  readonly state: ToolState
  readonly time: {
    readonly created: number
    readonly ran?: number | undefined
    readonly completed?: number | undefined
    readonly pruned?: number | undefined
  }
}

export type AssistantPart = TextPart | ReasoningPart | ToolPart

interface Common {
  readonly id: string
  readonly metadata?: JsonObject | undefined
  readonly time: { readonly created: number; readonly completed?: number | undefined }
}

export interface AssistantMessage extends Common {
  readonly type: 'assistant'
  readonly agent: string
  readonly model: ModelRef
  readonly content: readonly AssistantPart[]
  readonly snapshot?:
    | {
        readonly start?: string | undefined
        readonly end?: string | undefined
        readonly files?: readonly string[] | undefined
      }
    | undefined
  readonly finish?: string | undefined
  readonly cost?: number | undefined
  readonly tokens?: TokenCounts | undefined
  readonly error?: SessionError | undefined
}

interface UserMessage extends Common, Prompt {
  readonly type: 'user'
}

interface CompactionMessage extends Common {
  readonly type: 'compaction'
  readonly reason: 'auto' | 'manual'
  readonly summary: string
  /** The newest turns as they were, kept beside the summary. */
  readonly recent: string
}

export type Message =
  | UserMessage
  | AssistantMessage
  | CompactionMessage
  | (Common & { readonly type: 'synthetic'; readonly sessionID: string; readonly text: string })
  | (Common & { readonly type: 'system'; readonly text: string })
  | (Common & { readonly type: 'agent-switched'; readonly agent: string })
  | (Common & { readonly type: 'model-switched'; readonly model: ModelRef })
