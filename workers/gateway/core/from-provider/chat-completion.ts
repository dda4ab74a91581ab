import { type Result, succeed } from '#shared/kernel/result.ts'
import type { Failure } from '../failure.ts'
import { type Keyring, type Mac, sealCapsule } from '../reasoning-capsule.ts'
import { type ConverseAnswer, readableReasoning } from '../wire/converse-answer.ts'
import type { ReasoningBlock } from '../wire/converse-request.ts'
import { type ChatUsage, chatUsage, estimateTokens } from './chat-usage.ts'
import { type FinishReason, finishReasonOf } from './finish-reason.ts'

export interface AnswerIdentity {
  readonly id: string
  readonly createdUnix: number
  /** The model as the client named it. */
  readonly model: string
}

export interface CapsuleMaker {
  readonly keyring: Keyring
  readonly mac: Mac
  /** The foundation model whose reasoning is sealed. */
  readonly modelId: string
}

export interface ChatToolCallWire {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

export interface ChatCompletion {
  readonly id: string
  readonly object: 'chat.completion'
  readonly created: number
  readonly model: string
  readonly choices: readonly {
    readonly index: 0
    readonly message: {
      readonly role: 'assistant'
      readonly content: string | null
      readonly refusal: null
      readonly tool_calls?: readonly ChatToolCallWire[]
    }
    readonly logprobs: null
    readonly finish_reason: FinishReason
  }[]
  readonly usage: ChatUsage
}

/** Writes a whole answer of the provider as a chat completion. */
export async function chatCompletion(
  answer: ConverseAnswer,
  identity: AnswerIdentity,
  capsules: CapsuleMaker,
): Promise<Result<ChatCompletion, Failure>> {
  const finishReason = finishReasonOf(answer.stopReason)
  if (!finishReason.ok) return finishReason
  const text = answer.blocks.map((block) => (block.kind === 'text' ? block.text : '')).join('')
  const reasoning: ReasoningBlock[] = []
  const toolCalls: ChatToolCallWire[] = []
  for (const block of answer.blocks) {
    if (block.kind === 'reasoning') reasoning.push(block.block)
    if (block.kind !== 'toolUse') continue
    // Only what lies in front of a call comes back in front of it.
    const id = await toolCallId(block.id, reasoning, capsules)
    if (!id.ok) return id
    toolCalls.push({
      id: id.value,
      type: 'function',
      function: { name: block.name, arguments: JSON.stringify(block.input) },
    })
  }
  const reasoningText = reasoning.map(readableReasoning).join('')
  const content = reasoningText === '' ? text : `<think>${reasoningText}</think>${text}`
  return succeed({
    id: identity.id,
    object: 'chat.completion',
    created: identity.createdUnix,
    model: identity.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: content === '' && toolCalls.length > 0 ? null : content,
          refusal: null,
          ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
        },
        logprobs: null,
        finish_reason: finishReason.value,
      },
    ],
    usage: chatUsage(answer.usage, estimateTokens(reasoningText.length)),
  })
}

/** The id the client sees: a capsule where there is reasoning to bring back and a key to seal it, else the plain id. */
export async function toolCallId(
  id: string,
  reasoning: readonly ReasoningBlock[],
  capsules: CapsuleMaker,
): Promise<Result<string, Failure>> {
  if (reasoning.length === 0 || capsules.keyring.activeKeyId === undefined) return succeed(id)
  return sealCapsule({ toolUseId: id, modelId: capsules.modelId, blocks: reasoning }, capsules.keyring, capsules.mac)
}
