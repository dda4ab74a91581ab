/**
 * What the reference takes as a request of its chat dialect. Members and roles are those that the request types of the
 * package `openai` 7.59.0 declare (`ChatCompletionCreateParams`, generated from the provider's published OpenAPI document);
 * pairing of tools follows the provider's error reference.
 */
import { z } from 'zod'
import { failWith, type Result, succeed } from '../../shared/kernel/result.ts'

const cacheBreakpoint = { prompt_cache_breakpoint: z.strictObject({ mode: z.literal('explicit') }).optional() }
const text = z.strictObject({ type: z.literal('text'), text: z.string(), ...cacheBreakpoint })
const image = z.strictObject({
  ...cacheBreakpoint,
  type: z.literal('image_url'),
  image_url: z.strictObject({
    url: z.string().regex(/^(https:|data:image\/)/),
    detail: z.enum(['auto', 'low', 'high', 'original']).optional(),
  }),
})
const audio = z.strictObject({
  ...cacheBreakpoint,
  type: z.literal('input_audio'),
  input_audio: z.strictObject({ data: z.string(), format: z.enum(['wav', 'mp3']) }),
})
const file = z.strictObject({
  ...cacheBreakpoint,
  type: z.literal('file'),
  file: z.strictObject({
    file_data: z.string().optional(),
    file_id: z.string().optional(),
    filename: z.string().optional(),
  }),
})
/** Clients send an answer back as it came, with members that only answers have. */
const saidText = text.extend({
  role: z.string().optional(),
  refusal: z.null().optional(),
  annotations: z.array(z.unknown()).optional(),
})
const refusal = z.strictObject({ type: z.literal('refusal'), refusal: z.string() })
const toolName = z.string().regex(/^[\w-]{1,64}$/)
const functionCall = z.strictObject({ name: toolName, arguments: z.string() })
const callId = z.string().min(1).max(40)
const toolCall = z.discriminatedUnion('type', [
  z.strictObject({ id: callId, type: z.literal('function'), function: functionCall }),
  z.strictObject({
    id: callId,
    type: z.literal('custom'),
    custom: z.strictObject({ name: toolName, input: z.string() }),
  }),
])
const message = z.discriminatedUnion('role', [
  z.strictObject({
    role: z.enum(['system', 'developer']),
    content: z.union([z.string(), z.array(text).min(1)]),
    name: z.string().optional(),
  }),
  z.strictObject({
    role: z.literal('user'),
    content: z.union([z.string(), z.array(z.discriminatedUnion('type', [text, image, audio, file])).min(1)]),
    name: z.string().optional(),
  }),
  z.strictObject({
    role: z.literal('assistant'),
    content: z.union([z.string(), z.array(z.discriminatedUnion('type', [saidText, refusal]))]).nullish(),
    refusal: z.string().nullish(),
    annotations: z.array(z.unknown()).optional(),
    audio: z.strictObject({ id: z.string() }).nullish(),
    function_call: functionCall.nullish(),
    name: z.string().optional(),
    tool_calls: z.array(toolCall).min(1).optional(),
  }),
  z.strictObject({
    role: z.literal('tool'),
    content: z.union([z.string(), z.array(text).min(1)]),
    tool_call_id: z.string(),
  }),
  z.strictObject({ role: z.literal('function'), content: z.string().nullable(), name: toolName }),
])
const describedFunction = z.strictObject({
  name: toolName,
  description: z.string().optional(),
  parameters: z.record(z.string(), z.unknown()).optional(),
})
const tool = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('function'),
    function: describedFunction.extend({ strict: z.boolean().nullish() }),
  }),
  z.strictObject({
    type: z.literal('custom'),
    custom: z.strictObject({
      name: toolName,
      description: z.string().optional(),
      format: z
        .discriminatedUnion('type', [
          z.strictObject({ type: z.literal('text') }),
          z.strictObject({
            type: z.literal('grammar'),
            grammar: z.strictObject({ definition: z.string(), syntax: z.enum(['lark', 'regex']) }),
          }),
        ])
        .optional(),
    }),
  }),
])
const toolChoice = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('function'), function: z.strictObject({ name: toolName }) }),
  z.strictObject({ type: z.literal('custom'), custom: z.strictObject({ name: toolName }) }),
  z.strictObject({
    type: z.literal('allowed_tools'),
    allowed_tools: z.strictObject({
      mode: z.enum(['auto', 'required']),
      tools: z.array(z.record(z.string(), z.unknown())),
    }),
  }),
])
const penalty = z.number().min(-2).max(2).nullish()
const moderated = z.strictObject({ mode: z.enum(['score', 'block']) }).nullish()
const body = z.strictObject({
  model: z.string(),
  messages: z.array(message).min(1),
  max_tokens: z.int().min(1).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  audio: z
    .strictObject({
      format: z.enum(['wav', 'aac', 'mp3', 'flac', 'opus', 'pcm16']),
      voice: z.union([z.string(), z.strictObject({ id: z.string() })]),
    })
    .nullish(),
  modalities: z.array(z.enum(['text', 'audio'])).nullish(),
  frequency_penalty: penalty,
  presence_penalty: penalty,
  logit_bias: z.record(z.string(), z.number().min(-100).max(100)).nullish(),
  logprobs: z.boolean().nullish(),
  top_logprobs: z.int().min(0).max(20).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  stop: z.union([z.string(), z.array(z.string()).max(4)]).nullish(),
  n: z.int().min(1).max(128).nullish(),
  stream: z.boolean().nullish(),
  stream_options: z
    .strictObject({ include_usage: z.boolean().optional(), include_obfuscation: z.boolean().optional() })
    .nullish(),
  reasoning_effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']).nullish(),
  verbosity: z.enum(['low', 'medium', 'high']).nullish(),
  tools: z.array(tool).min(1).max(128).optional(),
  tool_choice: z.union([z.enum(['auto', 'none', 'required']), toolChoice]).optional(),
  functions: z.array(describedFunction).min(1).max(128).optional(),
  function_call: z.union([z.enum(['none', 'auto']), z.strictObject({ name: toolName })]).optional(),
  parallel_tool_calls: z.boolean().optional(),
  response_format: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('text') }),
      z.strictObject({ type: z.literal('json_object') }),
      z.strictObject({
        type: z.literal('json_schema'),
        json_schema: z.strictObject({
          name: z.string().regex(/^[\w-]{1,64}$/),
          description: z.string().optional(),
          schema: z.record(z.string(), z.unknown()).optional(),
          strict: z.boolean().nullish(),
        }),
      }),
    ])
    .optional(),
  prediction: z.strictObject({ type: z.literal('content'), content: z.union([z.string(), z.array(text)]) }).nullish(),
  web_search_options: z
    .strictObject({
      search_context_size: z.enum(['low', 'medium', 'high']).optional(),
      user_location: z
        .strictObject({
          type: z.literal('approximate'),
          approximate: z.partialRecord(z.enum(['city', 'country', 'region', 'timezone']), z.string()),
        })
        .nullish(),
    })
    .optional(),
  moderation: z
    .strictObject({ model: z.string(), policy: z.strictObject({ input: moderated, output: moderated }).nullish() })
    .nullish(),
  prompt_cache_key: z.string().nullish(),
  prompt_cache_options: z
    .strictObject({ mode: z.enum(['implicit', 'explicit']).optional(), ttl: z.literal('30m').optional() })
    .optional(),
  prompt_cache_retention: z.enum(['in_memory', '24h']).nullish(),
  safety_identifier: z.string().nullish(),
  service_tier: z.enum(['auto', 'default', 'flex', 'scale', 'priority', 'fast']).nullish(),
  store: z.boolean().nullish(),
  seed: z.int().nullish(),
  user: z.string().optional(),
  metadata: z.record(z.string(), z.string()).nullish(),
})
export type ChatRequest = z.infer<typeof body>

/** The request, or what the reference says is wrong with it. */
export function readChatRequest(value: unknown): Result<ChatRequest, string> {
  const read = body.safeParse(value)
  if (!read.success) return failWith(z.prettifyError(read.error))
  const wrong = pairingFault(read.data)
  return wrong === undefined ? succeed(read.data) : failWith(wrong)
}

/** Every call of a tool is answered by the messages right after it, and nothing else is. */
function pairingFault({ messages, stream, stream_options: options }: ChatRequest): string | undefined {
  if (options != null && stream !== true)
    return "The 'stream_options' parameter is only allowed when 'stream' is enabled."
  let open = new Set<string>()
  for (const one of messages) {
    if (one.role === 'tool') {
      if (!open.delete(one.tool_call_id))
        return "messages with role 'tool' must be a response to a preceding message with 'tool_calls'."
      continue
    }
    if (open.size > 0)
      return "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'."
    if (one.role === 'assistant') open = new Set(one.tool_calls?.map((call) => call.id))
  }
  return open.size > 0 ? 'tool_call_ids did not have response messages' : undefined
}
