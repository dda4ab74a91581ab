import { entryOf } from '#shared/kernel/json-record.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { type Failure, failure } from '../failure.ts'

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'function_call'

const finishReasons: Readonly<Record<string, FinishReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  complete: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  content_filtered: 'content_filter',
  guardrail_intervened: 'content_filter',
  refusal: 'content_filter',
}

/** The provider's word for the end of an answer in the reference's words. Malformed output is a failure of the model. */
export function finishReasonOf(stopReason: string): Result<FinishReason, Failure> {
  if (stopReason.startsWith('malformed_')) {
    return failWith(failure('upstream_error', 'the model produced malformed output'))
  }
  return succeed(entryOf(finishReasons, stopReason) ?? 'stop')
}
