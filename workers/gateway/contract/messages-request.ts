import * as z from '#shared/schema/deferred.ts'
import { messagesMax, toolsMax } from '../limits.ts'
import { modelName, outputLimit, topP } from './chat-request.ts'

// Blocks and tools come in many kinds: their kinds are told apart where they are translated.
const block = z.looseObject({ type: z.string() })
const content = z.union([z.string(), z.array(block)])
const cacheControl = z.object({ type: z.literal('ephemeral'), ttl: z.enum(['5m', '1h']).nullish() })

const counted = {
  model: modelName,
  messages: z
    .array(z.object({ role: z.enum(['user', 'assistant', 'system']), content }))
    .min(1)
    .max(messagesMax),
  system: content.nullish(),
  tools: z.array(z.record(z.string(), z.unknown())).max(toolsMax).nullish(),
  tool_choice: z
    .object({
      type: z.enum(['auto', 'any', 'tool', 'none']),
      name: z.string().nullish(),
      disable_parallel_tool_use: z.boolean().nullish(),
    })
    .nullish(),
  thinking: z.looseObject({ type: z.string() }).nullish(),
  output_config: z
    .looseObject({
      effort: z.string().nullish(),
      format: z.object({ type: z.literal('json_schema'), schema: z.record(z.string(), z.unknown()) }).nullish(),
    })
    .nullish(),
  cache_control: cacheControl.nullish(),
}

export const countTokensRequest = z.object(counted)

export const messagesRequest = z.object({
  ...counted,
  max_tokens: outputLimit,
  stream: z.boolean().nullish(),
  stop_sequences: z.array(z.string()).nullish(),
  temperature: z.number().min(0).max(1).nullish(),
  top_p: topP.nullish(),
  top_k: z.number().int().min(0).nullish(),
})
