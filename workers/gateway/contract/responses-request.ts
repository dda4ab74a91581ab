import * as z from '#shared/schema/deferred.ts'
import { reasoningEfforts } from '../core/to-provider/reasoning-fields.ts'
import { messagesMax, toolsMax } from '../limits.ts'
import { modelName, outputLimit, promptCaching, temperature, topP } from './chat-request.ts'

// Items and tools come in many kinds, and new ones every month: their kinds are told apart where they are translated.
const item = z.record(z.string(), z.unknown())

const textFormat = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text') }),
  z.object({ type: z.literal('json_object') }),
  z.object({
    type: z.literal('json_schema'),
    name: z.string().nullish(),
    description: z.string().nullish(),
    schema: z.record(z.string(), z.unknown()),
    strict: z.boolean().nullish(),
  }),
])

export const responsesRequest = z.object({
  model: modelName.nullish(),
  input: z.union([z.string(), z.array(item).max(messagesMax)], { error: 'must be a text or a list of items' }),
  instructions: z.union([z.string(), z.array(item)]).nullish(),
  tools: z.array(item).max(toolsMax).nullish(),
  tool_choice: z.union([z.enum(['auto', 'none', 'required']), item]).nullish(),
  stream: z.boolean().nullish(),
  max_output_tokens: outputLimit.nullish(),
  temperature: temperature.nullish(),
  top_p: topP.nullish(),
  reasoning: z.object({ effort: z.enum(reasoningEfforts).nullish(), summary: z.unknown().optional() }).nullish(),
  text: z.object({ format: textFormat.nullish() }).nullish(),
  include: z.array(z.string()).nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  store: z.boolean().nullish(),
  previous_response_id: z.string().min(1).nullish(),
  conversation: z.union([z.string(), z.looseObject({ id: z.string() })]).nullish(),
  extra_body: z.looseObject({ prompt_caching: promptCaching.nullish() }).nullish(),
})
export type ResponsesRequest = z.infer<typeof responsesRequest>
