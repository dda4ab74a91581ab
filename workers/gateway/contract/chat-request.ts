import * as z from '#shared/schema/deferred.ts'
import { reasoningEfforts } from '../core/to-provider/reasoning-fields.ts'
import { choicesMax, messagesMax, toolsMax } from '../limits.ts'

// Members the gateway does not know are ignored: clients send new ones long before any gateway reads them.

/** Everything up to here is to be cached, in the words of either of two clients. */
const cacheMarks = {
  cache_control: z.object({ type: z.literal('ephemeral'), ttl: z.enum(['5m', '1h']).nullish() }).nullish(),
  prompt_cache_breakpoint: z.looseObject({ ttl: z.string().nullish() }).nullish(),
}
const textPart = z.object({ type: z.literal('text'), text: z.string(), ...cacheMarks })
const imagePart = z.object({
  type: z.literal('image_url'),
  image_url: z.object({ url: z.string().min(1) }),
  ...cacheMarks,
})
const filePart = z.object({
  type: z.literal('file'),
  file: z.object({ file_data: z.string().nullish(), file_id: z.string().nullish(), filename: z.string().nullish() }),
  ...cacheMarks,
})
const audioPart = z.object({
  type: z.literal('input_audio'),
  input_audio: z.object({ data: z.string().min(1), format: z.string().min(1) }),
})
const videoPart = z.object({ type: z.literal('video_url'), video_url: z.object({ url: z.string().min(1) }) })
const refusalPart = z.object({ type: z.literal('refusal'), refusal: z.string() })

const textContent = z.union([z.string(), z.array(textPart)])
const richParts = z.discriminatedUnion('type', [textPart, imagePart, filePart, audioPart, videoPart])
const richContent = z.union([z.string(), z.array(richParts)])
const assistantContent = z.union([z.string(), z.array(z.discriminatedUnion('type', [textPart, refusalPart]))])

const calledFunction = z.object({ name: z.string().min(1), arguments: z.string() })
const toolCall = z.union([
  z.object({ id: z.string().min(1), type: z.literal('function').optional(), function: calledFunction }),
  z.object({
    id: z.string().min(1),
    type: z.literal('custom'),
    custom: z.object({ name: z.string().min(1), input: z.string() }),
  }),
])

const message = z.discriminatedUnion('role', [
  z.object({ role: z.literal('system'), content: textContent }),
  z.object({ role: z.literal('developer'), content: textContent }),
  z.object({ role: z.literal('user'), content: richContent }),
  z.object({
    role: z.literal('assistant'),
    content: assistantContent.nullish(),
    refusal: z.string().nullish(),
    tool_calls: z.array(toolCall).nullish(),
    function_call: calledFunction.nullish(),
  }),
  z.object({ role: z.literal('function'), name: z.string().min(1), content: z.string().nullish() }),
  z.object({ role: z.literal('tool'), content: richContent, tool_call_id: z.string().min(1) }),
])

const toolName = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/)
const offeredFunction = z.object({
  name: toolName,
  description: z.string().nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
  strict: z.boolean().nullish(),
})
const tool = z.discriminatedUnion('type', [
  z.object({ type: z.literal('function'), function: offeredFunction, ...cacheMarks }),
  z.object({
    type: z.literal('custom'),
    custom: z.object({
      name: toolName,
      description: z.string().nullish(),
      format: z
        .discriminatedUnion('type', [
          z.object({ type: z.literal('text') }),
          z.object({
            type: z.literal('grammar'),
            grammar: z.object({ definition: z.string(), syntax: z.enum(['lark', 'regex']) }),
          }),
        ])
        .nullish(),
    }),
    ...cacheMarks,
  }),
])

const namedTool = z.union([
  z.object({ type: z.literal('function'), function: z.object({ name: z.string().min(1) }) }),
  z.object({ type: z.literal('custom'), custom: z.object({ name: z.string().min(1) }) }),
])
const toolChoice = z.union([
  z.enum(['auto', 'none', 'required']),
  namedTool,
  z.object({
    type: z.literal('allowed_tools'),
    allowed_tools: z.object({ mode: z.enum(['auto', 'required']), tools: z.array(namedTool).min(1) }),
  }),
])

const responseFormat = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text') }),
  z.object({ type: z.literal('json_object') }),
  z.object({
    type: z.literal('json_schema'),
    json_schema: z.object({
      name: z.string().nullish(),
      description: z.string().nullish(),
      schema: z.record(z.string(), z.unknown()).nullish(),
      // An answer follows its schema or is none, whether a client insists on it or not.
      strict: z.boolean().nullish(),
    }),
  }),
])

export const promptCaching = z.object({
  system: z.boolean().nullish(),
  messages: z.boolean().nullish(),
  ttl: z.enum(['5m', '1h']).nullish(),
})

export const outputLimit = z.number().int().min(1)
export const temperature = z.number().min(0).max(2)
export const topP = z.number().min(0).max(1)
export const stop = z.union([z.string(), z.array(z.string())])
export const modelName = z.string().min(1)

export const chatRequest = z.object({
  model: modelName.nullish(),
  messages: z.array(message).min(1).max(messagesMax),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  max_completion_tokens: outputLimit.nullish(),
  max_tokens: outputLimit.nullish(),
  temperature: temperature.nullish(),
  top_p: topP.nullish(),
  stop: stop.nullish(),
  n: z.number().int().min(1).max(choicesMax).nullish(),
  tools: z.array(tool).max(toolsMax).nullish(),
  tool_choice: toolChoice.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  functions: z.array(offeredFunction).min(1).max(toolsMax).nullish(),
  function_call: z.union([z.enum(['auto', 'none']), z.object({ name: z.string().min(1) })]).nullish(),
  response_format: responseFormat.nullish(),
  reasoning_effort: z.enum(reasoningEfforts).nullish(),
  extra_body: z.looseObject({ prompt_caching: promptCaching.nullish() }).nullish(),
  thinking: z.unknown().optional(),
  output_config: z.unknown().optional(),
  anthropic_beta: z.unknown().optional(),
})
export type ChatRequest = z.infer<typeof chatRequest>

/** Image references of the request, in order; the caller refuses more than the limit. */
export function imageReferences(request: ChatRequest): readonly string[] {
  return request.messages.flatMap((entry) =>
    (entry.role === 'user' || entry.role === 'tool') && typeof entry.content !== 'string'
      ? entry.content.flatMap((part) => (part.type === 'image_url' ? [part.image_url.url] : []))
      : [],
  )
}
