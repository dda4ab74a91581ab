// The provider's stand-in: Amazon Bedrock's control plane and runtime as far as the gateway calls them. The source of fields
// are the published service models (API 2023-04-20 and 2023-09-30, see account.ts and service-model.ts), of models and
// profiles the model cards, of refusals the error tables of the operations and the words that the service's users report.
// What is stricter here than there says so where it is. What it does not have: guardrails, prompts, routers, provisioned
// throughput, batches.
import { recordOf } from '#shared/kernel/json-record.ts'
import { type Account, findModel, listingAnswer, refusal } from './account.ts'
import type { ConverseCall } from './converse-call.ts'
import { converseFault } from './converse-faults.ts'
import { embeddingFault } from './embedding-faults.ts'
import type { ModelCard } from './model-cards.ts'
import { type IsIssued, isCacheDenied, modelFault } from './model-faults.ts'
import { unknownOperation } from './provider-shapes.ts'
import type { Answer, ProviderCall } from './provider-wire.ts'
import { sandboxAnswer } from './sandbox-model.ts'
import { shapeFault } from './shape-fault.ts'

export interface StandInOptions {
  readonly account: () => Account
  /** Answers a call that the provider would take; undefined: the stand-in's own model does. */
  readonly script?: (call: ProviderCall) => Answer | undefined
  /** Knows signatures of scripted reasoning. */
  readonly isIssued?: IsIssued
  /** Takes a place among the account's requests of this minute. False: throttled. */
  readonly admit?: () => boolean
}

const shapesOf: Readonly<Record<string, string>> = {
  converse: 'ConverseRequest',
  'converse-stream': 'ConverseStreamRequest',
  'count-tokens': 'CountTokensRequest',
}

const runtimeOperations = ['converse', 'converse-stream', 'count-tokens', 'invoke']

/** Answers one authenticated call as the provider would. */
export function standInAnswer(call: ProviderCall, options: StandInOptions): Answer {
  const account = options.account()
  const listing = listingAnswer(account, call.target)
  if (listing !== undefined) return listing
  if (!runtimeOperations.includes(call.operation)) return unknownOperation
  const shape = shapesOf[call.operation]
  const fault = shape === undefined ? undefined : shapeFault(shape, call.body)
  if (fault !== undefined) return refusal(400, fault.error, fault.message)
  const found = findModel(account, call.modelId, call.operation)
  if (!('card' in found)) return found
  if (options.admit?.() === false) {
    return refusal(429, 'ThrottlingException', 'Too many requests, please wait before trying again.')
  }
  return (
    refusalOf(call, found.card, options.isIssued ?? (() => false)) ??
    options.script?.(call) ??
    sandboxAnswer(call, found.card)
  )
}

function refusalOf(call: ProviderCall, card: ModelCard, isIssued: IsIssued): Answer | undefined {
  if (call.operation === 'invoke') {
    const fault = embeddingFault(card, call.body)
    return fault === undefined ? undefined : refusal(400, 'ValidationException', fault)
  }
  if (card.output !== 'TEXT') {
    const words =
      "This action doesn't support the model that you provided. Try again with a supported text or chat model."
    return refusal(400, 'ValidationException', words)
  }
  if (call.operation === 'count-tokens') return countRefusal(call, card, isIssued)
  return converseRefusal(call.body, card, isIssued)
}

function converseRefusal(call: ConverseCall, card: ModelCard, isIssued: IsIssued): Answer | undefined {
  if (isCacheDenied(call, card)) {
    const words =
      'You invoked an unsupported model or your request did not allow prompt caching. See the documentation for more information.'
    return refusal(403, 'AccessDeniedException', words)
  }
  const fault = converseFault(call, card) ?? modelFault(call, card, isIssued)
  return fault === undefined ? undefined : refusal(400, 'ValidationException', fault)
}

function countRefusal(call: ProviderCall, card: ModelCard, isIssued: IsIssued): Answer | undefined {
  // The operation counts for foundation models; a profile leads to none.
  if (!card.abilities.has('count_tokens') || call.modelId !== card.id) {
    return refusal(400, 'ValidationException', "The provided model doesn't support counting tokens.")
  }
  const converse = recordOf(recordOf(call.body['input'])?.['converse'])
  return converse === undefined ? undefined : converseRefusal(converse, card, isIssued)
}
