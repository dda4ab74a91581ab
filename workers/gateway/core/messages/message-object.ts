import type { JsonRecord } from '#shared/kernel/json-record.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { type Failure, failure } from '../failure.ts'
import type { AnswerIdentity } from '../from-provider/chat-completion.ts'
import type { ClientTools } from '../responses/client-tools.ts'
import { toolOf } from '../responses/output-items.ts'
import type { AnswerBlock, ConverseAnswer, ProviderUsage } from '../wire/converse-answer.ts'
import type { ReasoningBlock } from '../wire/converse-request.ts'

const known = ['end_turn', 'max_tokens', 'stop_sequence', 'tool_use', 'model_context_window_exceeded', 'refusal']

/** The provider's word for the end of an answer in this dialect. Malformed output is a failure of the model. */
export function stopReasonOf(stopReason: string): Result<string, Failure> {
  if (stopReason.startsWith('malformed_')) {
    return failWith(failure('upstream_error', 'the model produced malformed output'))
  }
  if (stopReason === 'content_filtered' || stopReason === 'guardrail_intervened') return succeed('refusal')
  return succeed(known.includes(stopReason) ? stopReason : 'end_turn')
}

/** What a message has cost, as the end of a stream tells it. */
export function messageCounts(usage: ProviderUsage): JsonRecord {
  return {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cache_creation_input_tokens: usage.cacheWriteTokens,
    cache_read_input_tokens: usage.cacheReadTokens,
    output_tokens_details: null,
    server_tool_use: null,
  }
}

function messageUsage(usage: ProviderUsage): JsonRecord {
  return {
    ...messageCounts(usage),
    cache_creation: null,
    service_tier: 'standard',
    inference_geo: null,
    speed: null,
  }
}

export function messageObject(
  identity: AnswerIdentity,
  content: readonly JsonRecord[],
  stopReason: string | null,
  usage: ProviderUsage,
): JsonRecord {
  return {
    id: identity.id,
    type: 'message',
    role: 'assistant',
    model: identity.model,
    content,
    stop_reason: stopReason,
    stop_sequence: null,
    stop_details: null,
    container: null,
    diagnostics: null,
    usage: messageUsage(usage),
  }
}

export function toolUseBlock(id: string, providerName: string, input: unknown, clientTools: ClientTools): JsonRecord {
  const name = toolOf(clientTools, providerName)?.name ?? providerName
  return { type: 'tool_use', id, name, input, caller: { type: 'direct' } }
}

/** Writes a whole answer as a message. */
export function wholeMessage(
  answer: ConverseAnswer,
  identity: AnswerIdentity,
  clientTools: ClientTools,
): Result<JsonRecord, Failure> {
  const stopReason = stopReasonOf(answer.stopReason)
  if (!stopReason.ok) return stopReason
  const last = answer.blocks.at(-1)
  // Clients take the last block for what was said: a signature without words is none.
  const said = last?.kind === 'reasoning' && isWordless(last.block) ? answer.blocks.slice(0, -1) : answer.blocks
  const content = said.map((block) => blockOf(block, clientTools))
  return succeed(messageObject(identity, content, stopReason.value, answer.usage))
}

function isWordless({ reasoningContent }: ReasoningBlock): boolean {
  return 'reasoningText' in reasoningContent && reasoningContent.reasoningText.text === ''
}

function blockOf(block: AnswerBlock, clientTools: ClientTools): JsonRecord {
  if (block.kind === 'text') return { type: 'text', text: block.text }
  if (block.kind === 'toolUse') return toolUseBlock(block.id, block.name, block.input, clientTools)
  const { reasoningContent } = block.block
  if ('redactedContent' in reasoningContent)
    return { type: 'redacted_thinking', data: reasoningContent.redactedContent }
  const { text, signature = '' } = reasoningContent.reasoningText
  return { type: 'thinking', thinking: text, signature }
}
