/** What a tool is, and what it is given. */
import type { z } from '@hono/zod-openapi'
import type { Result } from '#shared/kernel/result.ts'
import type { PermissionResource } from '../core/permission.ts'
import type { QuestionItem } from '../core/session/event.ts'
import type { JsonObject, ToolContent } from '../core/session/message.ts'
import type { WebSearchSettings } from '../core/web-search.ts'

export interface ToolOutput {
  readonly structured: JsonObject
  readonly content: readonly ToolContent[]
  readonly outputPaths?: readonly string[]
}

/** How much of a text output the model is shown. */
export interface OutputLimits {
  readonly linesMax: number
  readonly bytesMax: number
}

/** What the owner's configuration says about the model's commands. */
export interface SandboxSettings {
  readonly isOff: boolean
  readonly variables: readonly string[]
}

/** What follows an edit: the owner may turn off either. */
export interface EditSettings {
  readonly formats: boolean
  readonly diagnoses: boolean
}

export interface ToolProblem {
  readonly message: string
  readonly reason: 'tool' | 'refused' | 'interrupted'
  /** The owner refused without a word: the turn ends here. */
  readonly endsTurn?: boolean
  /** The call was settled together with what caused it, in one transaction. */
  readonly isSettled?: boolean
}

export interface PermissionAsk {
  readonly action: string
  readonly resources: readonly PermissionResource[]
  /** Patterns that `always` would store. */
  readonly save: readonly string[]
  readonly metadata?: JsonObject
  /** Nothing is changed by it. */
  readonly isLook?: boolean
  /** No rule may answer this one. */
  readonly isProtected?: boolean
  /** Rules that deny this broader action deny it as well; where the rules allow the narrower one, they judge it. */
  readonly within?: string
}

export interface ToolCall {
  readonly sessionId: string
  readonly messageId: string
  readonly callId: string
  readonly directory: string
  readonly signal: AbortSignal
  readonly outputLimits: OutputLimits
  readonly sandbox: SandboxSettings
  readonly edits: EditSettings
  readonly webSearch: WebSearchSettings | undefined
  /** Shows the newest of what it says to whoever looks on. */
  progress?(output: string): void
  permit(ask: PermissionAsk): Promise<Result<void, ToolProblem>>
  /** Whether the rules allow it as they are: nobody is asked. */
  isAllowed(action: string, resource: string): boolean
  /** Another text once the rules would answer otherwise. */
  rulesKey(): string
  /** Asks the owner while the call goes on; undefined where he does not answer. */
  answers(questions: readonly QuestionItem[]): Promise<readonly (readonly string[])[] | undefined>
  /** Asks the owner. The answer and the outcome of this call are stored together. */
  question(questions: readonly QuestionItem[]): Promise<ToolProblem>
}

/** What is known of a call while the model still writes it. */
export type ForeseenCall = Pick<ToolCall, 'sessionId' | 'directory' | 'sandbox' | 'isAllowed' | 'rulesKey'>

export interface Tool<S extends z.ZodObject = z.ZodObject> {
  readonly name: string
  readonly description: string
  readonly input: S
  /** JSON Schema of the input, where it is not made from `input`. */
  readonly parameters?: JsonObject
  /** Leaves everything as it was, so several may run at once. */
  readonly isReadOnly: boolean
  /** Whether neighbouring calls that say so too may run beside this one although it has effects. */
  runsBeside?(input: JsonObject): boolean
  /** Brings in text of strangers: of a session that has read it nothing is kept for later ones. */
  readonly isForeign?: boolean
  /** Gets ready what the call will want. It may come otherwise, or not at all. */
  foresee?(call: ForeseenCall): void
  run(input: z.output<S>, call: ToolCall): Promise<Result<ToolOutput, ToolProblem>>
}

export function declareTool<S extends z.ZodObject>(tool: Tool<S>): Tool {
  return tool as unknown as Tool
}

export function textOutput(
  text: string,
  structured: JsonObject = {},
): { readonly ok: true; readonly value: ToolOutput } {
  return { ok: true, value: { structured, content: [{ type: 'text', text }] } }
}

export function toolProblem(message: string): { readonly ok: false; readonly failure: ToolProblem } {
  return { ok: false, failure: { message, reason: 'tool' } }
}
