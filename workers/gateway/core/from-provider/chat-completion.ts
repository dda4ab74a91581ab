import { recordOf, textOf } from '#shared/kernel/json-record.ts'
import { type Result, succeed } from '#shared/kernel/result.ts'
import type { Failure } from '../failure.ts'
import { type Keyring, type Mac, sealCapsule } from '../reasoning-capsule.ts'
import { type ClientTool, type ClientTools, noClientTools } from '../responses/client-tools.ts'
import { toolOf } from '../responses/output-items.ts'
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

export type ChatToolCallWire = { readonly id: string } & (
  | { readonly type: 'function'; readonly function: { readonly name: string; readonly arguments: string } }
  | { readonly type: 'custom'; readonly custom: { readonly name: string; readonly input: string } }
)

/** How the client offered its tools, which is how it gets their calls back. */
export interface ChatToolForm {
  readonly clientTools: ClientTools
  /** As functions, the way before there were tools: one call, without an id. */
  readonly asFunctions: boolean
}

export interface ChatCompletion {
  readonly id: string
  readonly object: 'chat.completion'
  readonly created: number
  readonly model: string
  readonly choices: readonly {
    readonly index: number
    readonly message: {
      readonly role: 'assistant'
      readonly content: string | null
      readonly refusal: null
      readonly tool_calls?: readonly ChatToolCallWire[]
      readonly function_call?: { readonly name: string; readonly arguments: string }
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
  form: ChatToolForm = { clientTools: noClientTools, asFunctions: false },
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
    toolCalls.push({ id, ...callWire(toolOf(form.clientTools, block.name), block.name, block.input) })
  }
  const [first] = toolCalls
  const asFunction = form.asFunctions && first?.type === 'function' ? first.function : undefined
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
          ...(asFunction !== undefined
            ? { function_call: asFunction }
            : toolCalls.length === 0
              ? {}
              : { tool_calls: toolCalls }),
        },
        logprobs: null,
        finish_reason: finishReason.value === 'tool_calls' && form.asFunctions ? 'function_call' : finishReason.value,
      },
    ],
    usage: chatUsage(answer.usage, estimateTokens(reasoningText.length)),
  })
}

function callWire(tool: ClientTool | undefined, providerName: string, input: unknown) {
  const name = tool?.name ?? providerName
  if (tool?.kind !== 'custom') {
    return { type: 'function', function: { name, arguments: JSON.stringify(input) } } as const
  }
  return { type: 'custom', custom: { name, input: textOf(recordOf(input)?.['input']) ?? '' } } as const
}

/**
 * The id the client sees: a capsule where there is reasoning to bring back, a key to seal it and room for it, else the
 * plain id. Reasoning that its model did not sign is not asked for again.
 */
export async function toolCallId(
  id: string,
  reasoning: readonly ReasoningBlock[],
  maker: CapsuleMaker,
): Promise<string> {
  if (maker.keyring.activeKeyId === undefined || reasoning.length === 0 || !reasoning.every(isSigned)) return id
  const capsule = { toolUseId: id, modelId: maker.modelId, blocks: reasoning }
  return (await sealCapsule(capsule, maker.keyring, maker.mac)) ?? id
}

function isSigned({ reasoningContent }: ReasoningBlock): boolean {
  return 'redactedContent' in reasoningContent || reasoningContent.reasoningText.signature !== undefined
}
