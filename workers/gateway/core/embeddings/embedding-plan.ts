import { listOf, numberOf, recordOf } from '#shared/kernel/json-record.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { type Failure, failure } from '../failure.ts'
import { chatEmbeddingBody, chatVectors } from '../providers/chat/chat-embedding.ts'
import { geminiEmbeddingBody, geminiVectors } from '../providers/gemini/gemini-embedding.ts'
import type { EmbeddingCall } from './embedding-call.ts'
import type { EmbeddingModel } from './embedding-registry.ts'

/** The provider calls that embed these texts, in order. */
export function planEmbedding(
  model: EmbeddingModel,
  texts: readonly string[],
  dimensions: number | undefined,
  textsPerCall: number,
): Result<readonly EmbeddingCall[], Failure> {
  if (model.family === 'chat' || model.family === 'gemini') {
    return succeed(externalCalls(model.modelId, model.family, texts, dimensions, textsPerCall))
  }
  if (model.family !== 'A' && texts.length > 1) {
    return failWith(failure('bad_request', `model ${model.modelId} embeds one input a request`, { param: 'input' }))
  }
  if (dimensions !== undefined && model.dimensions.length > 0 && !model.dimensions.includes(dimensions)) {
    const sizes = model.dimensions.join(', ')
    return failWith(failure('bad_request', `dimensions must be one of ${sizes}`, { param: 'dimensions' }))
  }
  const size = model.dimensions.length === 0 ? undefined : (dimensions ?? model.defaultDimensions)
  if (model.family === 'A') {
    const calls: EmbeddingCall[] = []
    for (let start = 0; start < texts.length; start += textsPerCall) {
      const piece = texts.slice(start, start + textsPerCall)
      calls.push({ modelId: model.modelId, body: { texts: piece, input_type: 'search_document', truncate: 'END' } })
    }
    return succeed(calls)
  }
  const [text = ''] = texts
  const body = model.family === 'B' ? familyB(text, size) : familyC(text, size)
  return succeed([{ modelId: model.modelId, body }])
}

/** A model of a provider beside the account's is called by the provider's name and its own. */
function externalCalls(
  modelId: string,
  family: 'chat' | 'gemini',
  texts: readonly string[],
  dimensions: number | undefined,
  textsPerCall: number,
): readonly EmbeddingCall[] {
  const write = family === 'chat' ? chatEmbeddingBody : geminiEmbeddingBody
  const name = modelId.slice(modelId.indexOf('/') + 1)
  const calls: EmbeddingCall[] = []
  for (let start = 0; start < texts.length; start += textsPerCall) {
    calls.push({ modelId, body: write(name, texts.slice(start, start + textsPerCall), dimensions) })
  }
  return calls
}

function familyB(text: string, size: number | undefined): EmbeddingCall['body'] {
  return { inputText: text, ...(size === undefined ? {} : { dimensions: size }) }
}

function familyC(text: string, size: number | undefined): EmbeddingCall['body'] {
  return {
    schemaVersion: 'nova-multimodal-embed-v1',
    taskType: 'SINGLE_EMBEDDING',
    singleEmbeddingParams: {
      embeddingPurpose: 'GENERIC_INDEX',
      ...(size === undefined ? {} : { embeddingDimension: size }),
      text: { truncationMode: 'END', value: text },
    },
  }
}

/** The vectors of one answer; undefined when it has not the shape of the family. */
export function readVectors(model: EmbeddingModel, body: unknown): readonly (readonly number[])[] | undefined {
  const answer = recordOf(body)
  const embeddings = answer?.['embeddings']
  if (model.family === 'chat') return vectorsOf(chatVectors(body))
  if (model.family === 'gemini') return vectorsOf(geminiVectors(body))
  if (model.family === 'A') return vectorsOf(recordOf(embeddings)?.['float'] ?? embeddings)
  if (model.family === 'B') return vectorsOf([answer?.['embedding']])
  return vectorsOf(listOf(embeddings).map((item) => recordOf(item)?.['embedding']))
}

/** Family B counts tokens in the body. */
export function tokensInBody(body: unknown): number | undefined {
  return numberOf(recordOf(body)?.['inputTextTokenCount'])
}

function vectorsOf(value: unknown): readonly (readonly number[])[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined
  const isVector = (vector: unknown): vector is number[] =>
    Array.isArray(vector) && vector.length > 0 && vector.every((part) => typeof part === 'number')
  return value.every(isVector) ? value : undefined
}

/** Little-endian 32-bit floats, the form the official client asks for. */
export function floatBytes(vector: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(vector.length * 4)
  const view = new DataView(bytes.buffer)
  vector.forEach((part, index) => {
    view.setFloat32(index * 4, part, true)
  })
  return bytes
}
