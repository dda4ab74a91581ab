/** What a step runs with, resolved from the record at its boundary. */
import type { ModelRef, TokenCounts } from '../core/session/message.ts'
import type { StepFault } from '../core/step-fault.ts'
import type { Selection } from './memories.ts'
import type { ModelEndpoint } from './model-port.ts'
import type { EditSettings, OutputLimits, SandboxSettings, Tool, ToolCall } from './tool-port.ts'

/** Who writes the summary of a session. */
export interface Summariser {
  readonly endpoint: ModelEndpoint
  readonly system: string
  readonly temperature: number | undefined
  readonly topP: number | undefined
  costOf(tokens: TokenCounts): number
}

export interface StepSetup {
  readonly agent: string
  readonly model: ModelRef
  readonly endpoint: ModelEndpoint | undefined
  /** Why there is no endpoint. */
  readonly problem?: StepFault
  readonly summariser: Summariser | undefined
  readonly system: string
  /** The notes that the instructions hold, where they are not those of the step before. */
  readonly retrieved?: NonNullable<Selection['event']>
  readonly tools: readonly Tool[]
  readonly temperature: number | undefined
  readonly topP: number | undefined
  readonly outputLimits: OutputLimits
  readonly sandbox: SandboxSettings
  readonly edits: EditSettings
  readonly webSearch: ToolCall['webSearch']
  readonly stepsMax: number
  /** Files are recorded before and after a step that may change them, so that it can be taken back. */
  readonly takesSnapshots: boolean
  /** How many other models the owner named for one that is overloaded. */
  readonly fallbacks: number
  /** Tokens at which the context is summarised first; undefined turns that off. */
  readonly contextTokensMax: number | undefined
  costOf(tokens: TokenCounts): number
  isAllowed: ToolCall['isAllowed']
  rulesKey: ToolCall['rulesKey']
  permit(
    call: Omit<
      ToolCall,
      'permit' | 'isAllowed' | 'rulesKey' | 'question' | 'answers' | 'outputLimits' | 'sandbox' | 'edits' | 'webSearch'
    >,
    ask: Parameters<ToolCall['permit']>[0],
  ): ReturnType<ToolCall['permit']>
}
