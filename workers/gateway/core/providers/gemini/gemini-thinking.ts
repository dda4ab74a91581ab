import type { JsonRecord } from '#shared/kernel/json-record.ts'
import type { ContentBlock, ConverseRequest, ReasoningBlock } from '../../wire/converse-request.ts'

/** Of names of the family's models: the number of their generation. */
function generationOf(model: string): number | undefined {
  const found = /^gemini-(\d+)(?:\.(\d+))?/.exec(model)
  return found === null ? undefined : Number(`${found[1]}.${found[2] ?? 0}`)
}

/** Whether a model thinks at all; names that stand for the newest do. */
export function thinks(model: string): boolean {
  const generation = generationOf(model)
  return generation === undefined ? /^gemini-.*-latest$/.test(model) : generation >= 2.5
}

/** Models of this generation and later refuse a call of a tool that does not come back signed. */
const firstSignedGeneration = 3

export function demandsSignatures(model: string): boolean {
  const generation = generationOf(model)
  return generation === undefined ? model.startsWith('gemini-') : generation >= firstSignedGeneration
}

/** Budgets of the generation before levels, as the provider's own compatible interface has them. */
const budgets: Readonly<Record<string, number>> = { low: 1_024, medium: 8_192, high: 24_576 }
/** Thinking is part of the limit: never more than this share of it is thought away. */
const budgetShareMax = 0.8

export function thinkingConfig(
  model: string,
  effort: string | undefined,
  maxTokens: number | undefined,
): JsonRecord | undefined {
  if (effort === undefined || !thinks(model)) return undefined
  if (demandsSignatures(model)) return { includeThoughts: true, thinkingLevel: effort.toUpperCase() }
  const budget = budgets[effort] ?? -1
  const most = maxTokens === undefined ? budget : Math.floor(maxTokens * budgetShareMax)
  return { includeThoughts: true, thinkingBudget: Math.min(budget, most) }
}

/** What the provider itself takes for a call that it did not make, another provider's for instance. */
export const unsignedCall = 'skip_thought_signature_validator'

/** Nobody else can read the provider's signatures: they are known by what stands before them. */
const prefix = 'gemini.'

export function markedSignature(signature: string): string {
  return `${prefix}${signature}`
}

/** The provider's signature of a block; undefined: it has none, or another's. */
export function ownSignature({ reasoningContent }: ReasoningBlock): string | undefined {
  const signature = 'reasoningText' in reasoningContent ? reasoningContent.reasoningText.signature : undefined
  return signature?.startsWith(prefix) === true ? signature.slice(prefix.length) : undefined
}

/** A request for somebody else: what this provider signed would be refused there. */
export function withoutOwnThoughts<T extends Pick<ConverseRequest, 'messages'>>(request: T): T {
  const isOwn = (block: ContentBlock) => 'reasoningContent' in block && ownSignature(block) !== undefined
  if (!request.messages.some(({ content }) => content.some(isOwn))) return request
  const messages = request.messages.map((turn) => ({
    ...turn,
    content: turn.content.filter((block) => !isOwn(block)),
  }))
  return { ...request, messages }
}
