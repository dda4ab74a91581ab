/** What a run does next. Everything it needs to know is stored, so it goes on where it was whoever asks, and when. */
import type { Confirmation, ToolCall } from './conversation.ts'

/** A run as it is stored. */
export interface RunState {
  readonly id: string
  /** Answers that the model gave in it. */
  readonly steps: number
  /** Tool calls of its last answer; undefined before the first one. */
  readonly calls?: readonly ToolCall[]
  /** Ids of the calls that have their result. */
  readonly answered: ReadonlySet<string>
  /** Actions of its last answer, by tool call. */
  readonly actions: ReadonlyMap<string, Pick<Confirmation, 'id' | 'status'> & { readonly isStarted: boolean }>
}

export type NextStep =
  | { readonly kind: 'ask' }
  | { readonly kind: 'call'; readonly call: ToolCall }
  | { readonly kind: 'act'; readonly call: ToolCall; readonly confirmationId: string }
  /** For somebody's decision. */
  | { readonly kind: 'wait' }
  | { readonly kind: 'end'; readonly reason: 'answered' | 'steps' }

export function nextStep(run: RunState, stepsMax: number): NextStep {
  if (run.calls === undefined) return { kind: 'ask' }
  if (run.calls.length === 0) return { kind: 'end', reason: 'answered' }
  const open = run.calls.filter(({ id }) => !run.answered.has(id))
  if (open.length > 0 && run.steps >= stepsMax) return { kind: 'end', reason: 'steps' }
  for (const call of open) {
    const action = run.actions.get(call.id)
    if (action === undefined) return { kind: 'call', call }
    if (action.status === 'approved') return { kind: 'act', call, confirmationId: action.id }
  }
  return open.length > 0 ? { kind: 'wait' } : { kind: 'ask' }
}

/**
 * Whether a run outlives the object that drove it. One that waits does, and so does a yes that was not acted on yet. An
 * answer that was being written, a look-up and an action that had begun are lost with their process.
 */
export function isCutByRestart(run: RunState, stepsMax: number): boolean {
  if ([...run.actions.entries()].some(([call, { isStarted }]) => isStarted && !run.answered.has(call))) return true
  const next = nextStep(run, stepsMax)
  return next.kind !== 'wait' && next.kind !== 'act'
}
