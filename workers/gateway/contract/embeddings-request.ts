import * as z from '#shared/schema/deferred.ts'
import { embeddingInputsMax, embeddingTokensMax } from '../limits.ts'
import { modelName } from './chat-request.ts'

const token = z.number().int().min(0)
const tokens = z.array(token).min(1).max(embeddingTokensMax)

export const embeddingsRequest = z.object({
  model: modelName.nullish(),
  input: z.union(
    [
      z.string().min(1),
      z.array(z.string().min(1)).min(1).max(embeddingInputsMax),
      tokens,
      z.array(tokens).min(1).max(embeddingInputsMax),
    ],
    { error: 'must be a text, a list of texts, a list of tokens or a list of token lists' },
  ),
  encoding_format: z.enum(['float', 'base64']).nullish(),
  dimensions: z.number().int().min(1).nullish(),
})
export type EmbeddingsRequest = z.infer<typeof embeddingsRequest>
