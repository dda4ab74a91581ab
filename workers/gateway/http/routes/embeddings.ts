import type { JsonRecord } from '#shared/kernel/json-record.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { type EmbeddingsRequest, embeddingsRequest } from '../../contract/embeddings-request.ts'
import { base64FromBytes } from '../../core/base64.ts'
import { floatBytes, planEmbedding, readVectors, tokensInBody } from '../../core/embeddings/embedding-plan.ts'
import type { EmbeddingModel, EmbeddingRegistry } from '../../core/embeddings/embedding-registry.ts'
import { type Failure, failure } from '../../core/failure.ts'
import { estimateTokens } from '../../core/from-provider/chat-usage.ts'
import { dialects } from '../../core/providers/dialects.ts'
import type { ProviderList } from '../../core/providers/provider-list.ts'
import { embeddingInputsMax, embeddingTokensMax, familyATextsPerCall, geminiTextsPerCall } from '../../limits.ts'
import type { ModelDirectory, Provider, TokenText } from '../../ports.ts'
import { callContext, type ExchangeContext, failureResponse, jsonResponse } from '../exchange.ts'
import { nothingToDefaultTo, refusedModel } from '../generate.ts'
import { noteIgnored } from '../ignored-fields.ts'
import { type BodyRules, parseBody, withBody } from '../request-body.ts'

export interface EmbeddingsDeps {
  readonly directory: ModelDirectory
  readonly embeddingRegistry: EmbeddingRegistry
  readonly provider: Provider
  readonly providers: ProviderList
  readonly tokenText: TokenText
  readonly bodyRules: BodyRules
}

export function embeddings(deps: EmbeddingsDeps) {
  return function embeddingsRoute(c: ExchangeContext): Promise<Response> {
    return withBody(c, deps.bodyRules, (body) => answer(c, deps, body))
  }
}

async function answer(c: ExchangeContext, deps: EmbeddingsDeps, body: JsonRecord): Promise<Response> {
  const request = parseBody(embeddingsRequest, body)
  if (!request.ok) return failureResponse(c, request.failure)
  const name = request.value.model ?? (await deps.directory.current()).defaultEmbeddingModel
  if (name === undefined) return failureResponse(c, nothingToDefaultTo('DEFAULT_EMBEDDING_MODEL'))
  const model = deps.embeddingRegistry.byName.get(name) ?? externalEmbedding(name, deps.providers)
  if (model === undefined) {
    return failureResponse(
      c,
      failure('bad_request', `model ${name.slice(0, 100)} is not a registered embedding model`, { param: 'model' }),
    )
  }
  const refused = refusedModel(c.get('grant'), [name, model.modelId])
  if (refused !== undefined) return failureResponse(c, refused)
  const texts = await textsOf(request.value.input, deps.tokenText)
  if (!texts.ok) return failureResponse(c, texts.failure)
  const embedded = await embed(c, deps, model, texts.value, request.value.dimensions ?? undefined)
  if (!embedded.ok) return failureResponse(c, embedded.failure)
  const { vectors, tokens } = embedded.value
  const { dimensions } = request.value
  const isSized = model.dimensions.length > 0 || ['chat', 'gemini'].includes(model.family)
  const passedOver = dimensions == null || isSized ? [] : ['dimensions']
  noteIgnored(c, { sent: body, read: request.value, ignored: [], names: {}, passedOver })
  return jsonResponse(
    c,
    {
      object: 'list',
      data: vectors.map((vector, index) => ({
        object: 'embedding',
        index,
        embedding: request.value.encoding_format === 'base64' ? base64FromBytes(floatBytes(vector)) : vector,
      })),
      model: name,
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    },
    { 'openai-model': model.modelId },
  )
}

/** A model of a provider beside the account's, which judges itself whether it embeds. */
function externalEmbedding(name: string, { providers }: ProviderList): EmbeddingModel | undefined {
  const slash = name.indexOf('/')
  const provider = slash < 0 ? undefined : providers.get(name.slice(0, slash))
  if (provider === undefined) return undefined
  const { family } = dialects[provider.dialect].embedding ?? {}
  return family === undefined ? undefined : { modelId: name, family, dimensions: [], defaultDimensions: undefined }
}

/** The inputs as texts. A list of tokens is one input, a list of such lists is several. */
async function textsOf(
  input: EmbeddingsRequest['input'],
  tokenText: TokenText,
): Promise<Result<readonly string[], Failure>> {
  if (typeof input === 'string') return succeed([input])
  const isTokens = input.every((part) => typeof part === 'number')
  const inputs: readonly (string | readonly number[])[] = isTokens
    ? [input]
    : input.filter((part) => typeof part !== 'number')
  const texts: string[] = []
  let tokens = 0
  for (const part of inputs) {
    if (typeof part === 'string') {
      texts.push(part)
      continue
    }
    tokens += part.length
    if (tokens > embeddingTokensMax) {
      return failWith(
        failure('bad_request', `a request holds at most ${embeddingTokensMax} tokens`, { param: 'input' }),
      )
    }
    const text = await tokenText.decode(part)
    if (text === undefined || text === '') {
      return failWith(failure('bad_request', 'input holds a token that cl100k_base does not have', { param: 'input' }))
    }
    texts.push(text)
  }
  return succeed(texts)
}

async function embed(
  c: ExchangeContext,
  deps: EmbeddingsDeps,
  model: EmbeddingModel,
  texts: readonly string[],
  dimensions: number | undefined,
): Promise<Result<{ readonly vectors: readonly (readonly number[])[]; readonly tokens: number }, Failure>> {
  const textsPerCall = { A: familyATextsPerCall, gemini: geminiTextsPerCall, chat: embeddingInputsMax, B: 1, C: 1 }
  const calls = planEmbedding(model, texts, dimensions, textsPerCall[model.family])
  if (!calls.ok) return calls
  const vectors: (readonly number[])[] = []
  let tokens = 0
  let isCounted = true
  for (const call of calls.value) {
    const answered = await deps.provider.embed(call, callContext(c))
    if (!answered.ok) return answered
    const read = readVectors(model, answered.value.body)
    if (read === undefined)
      return failWith(failure('upstream_error', 'the provider sent an answer that cannot be read'))
    vectors.push(...read)
    const counted = answered.value.inputTokens ?? tokensInBody(answered.value.body)
    if (counted === undefined) isCounted = false
    else tokens += counted
  }
  if (vectors.length !== texts.length) {
    return failWith(failure('upstream_error', 'the provider sent another number of embeddings than texts'))
  }
  return succeed({ vectors, tokens: isCounted ? tokens : estimateTokens(texts.join(' ').length) })
}
