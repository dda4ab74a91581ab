import * as z from '#shared/schema/deferred.ts'
import { modelName, outputLimit, stop, temperature, topP } from './chat-request.ts'

export const completionsRequest = z.object({
  model: modelName.nullish(),
  prompt: z.union([z.string(), z.array(z.string()).min(1)], { error: 'must be a text or a list of texts' }),
  echo: z.boolean().nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  max_tokens: outputLimit.nullish(),
  temperature: temperature.nullish(),
  top_p: topP.nullish(),
  stop: stop.nullish(),
})
export type CompletionsRequest = z.infer<typeof completionsRequest>
