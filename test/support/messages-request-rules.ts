/** What requests of the messages dialect may say; `messages-stand-in.ts` names the source. */
import { createHmac } from 'node:crypto'
import { z } from 'zod'

const cacheControl = z.strictObject({ type: z.literal('ephemeral'), ttl: z.enum(['5m', '1h']).optional() }).nullish()
const citations = z.strictObject({ enabled: z.boolean().optional() }).nullish()
const base64 = z.base64().min(1)
const text = z.strictObject({
  type: z.literal('text'),
  text: z.string().regex(/\S/, 'text content blocks must contain non-whitespace text'),
  cache_control: cacheControl,
  citations: z.array(z.unknown()).nullish(),
})
const image = z.strictObject({
  type: z.literal('image'),
  source: z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('base64'),
      media_type: z.enum(['image/jpeg', 'image/png', 'image/gif', 'image/webp']),
      data: base64,
    }),
    z.strictObject({ type: z.literal('url'), url: z.url() }),
  ]),
  cache_control: cacheControl,
})
const document = z.strictObject({
  type: z.literal('document'),
  source: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('base64'), media_type: z.literal('application/pdf'), data: base64 }),
    z.strictObject({ type: z.literal('text'), media_type: z.literal('text/plain'), data: z.string().min(1) }),
    z.strictObject({ type: z.literal('content'), content: z.union([z.string(), z.array(z.union([text, image]))]) }),
    z.strictObject({ type: z.literal('url'), url: z.url() }),
  ]),
  title: z.string().min(1).max(500).nullish(),
  context: z.string().min(1).nullish(),
  citations,
  cache_control: cacheControl,
})
const searchResult = z.strictObject({
  type: z.literal('search_result'),
  content: z.array(text),
  source: z.string(),
  title: z.string(),
  citations,
  cache_control: cacheControl,
})
const toolId = z.string().regex(/^[a-zA-Z0-9_-]+$/)
const toolUse = z.strictObject({
  type: z.literal('tool_use'),
  id: toolId,
  name: z.string().min(1).max(200),
  input: z.record(z.string(), z.unknown()),
  caller: z.strictObject({ type: z.literal('direct') }).optional(),
  cache_control: cacheControl,
})
const toolResult = z.strictObject({
  type: z.literal('tool_result'),
  tool_use_id: toolId,
  content: z
    .union([z.string(), z.array(z.discriminatedUnion('type', [text, image, document, searchResult]))])
    .optional(),
  is_error: z.boolean().optional(),
  cache_control: cacheControl,
})
const thinking = z.strictObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string().min(1) })
const redacted = z.strictObject({ type: z.literal('redacted_thinking'), data: z.string().min(1) })
const message = z.discriminatedUnion('role', [
  z.strictObject({
    role: z.literal('user'),
    content: z.union([
      z.string().min(1),
      z.array(z.discriminatedUnion('type', [text, image, document, searchResult, toolResult])).min(1),
    ]),
  }),
  z.strictObject({
    role: z.literal('assistant'),
    content: z.union([
      z.string().min(1),
      z.array(z.discriminatedUnion('type', [text, thinking, redacted, toolUse])).min(1),
    ]),
  }),
])
const tool = z.strictObject({
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/),
  input_schema: z.looseObject({ type: z.literal('object') }),
  description: z.string().optional(),
  type: z.literal('custom').nullish(),
  strict: z.boolean().optional(),
  cache_control: cacheControl,
  eager_input_streaming: z.boolean().nullish(),
})
const parallel = { disable_parallel_tool_use: z.boolean().optional() }
const display = z.enum(['summarized', 'omitted']).nullish()
const counted = {
  model: z.string().min(1),
  messages: z.array(message).min(1).max(100_000),
  system: z.union([z.string(), z.array(text)]).optional(),
  tools: z.array(tool).optional(),
  tool_choice: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('auto'), ...parallel }),
      z.strictObject({ type: z.literal('any'), ...parallel }),
      z.strictObject({ type: z.literal('tool'), name: z.string(), ...parallel }),
      z.strictObject({ type: z.literal('none') }),
    ])
    .optional(),
  thinking: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('enabled'), budget_tokens: z.int().min(1_024), display }),
      z.strictObject({ type: z.literal('adaptive'), display }),
      z.strictObject({ type: z.literal('disabled') }),
      z.strictObject({ type: z.literal('between_tools') }),
    ])
    .optional(),
  output_config: z
    .strictObject({
      effort: z.enum(['low', 'medium', 'high', 'xhigh', 'max']).nullish(),
      format: z.strictObject({ type: z.literal('json_schema'), schema: z.record(z.string(), z.unknown()) }).nullish(),
    })
    .optional(),
  cache_control: cacheControl,
}
export const messagesCountBody = z.strictObject(counted)
export const messagesBody = z.strictObject({
  ...counted,
  max_tokens: z.int().min(0),
  metadata: z.strictObject({ user_id: z.string().max(256).nullish() }).optional(),
  service_tier: z.enum(['auto', 'standard_only']).optional(),
  stop_sequences: z.array(z.string().regex(/\S/, 'each stop sequence must contain non-whitespace')).optional(),
  stream: z.boolean().optional(),
  temperature: z.number().min(0).max(1).optional(),
  top_p: z.number().min(0).max(1).optional(),
  top_k: z.int().min(0).optional(),
})
export type CountBody = z.infer<typeof messagesCountBody>
export type Body = z.infer<typeof messagesBody>

/** What the stand-in serves: one that thinks within a budget, and one that decides itself. */
export const messagesModels = { budget: 'claude-sonnet-4-5-20250929', adaptive: 'claude-opus-4-8' } as const
export const outputTokensMax: Readonly<Record<string, number>> = {
  [messagesModels.budget]: 64_000,
  [messagesModels.adaptive]: 128_000,
}

/** What is wrong with a request beyond the shape of its members; undefined: nothing. */
export function messagesFaultOf(asked: CountBody, whole: Body | undefined): string | undefined {
  return conversationFault(asked) ?? (whole === undefined ? undefined : limitFault(whole))
}

type Block = Exclude<Body['messages'][number]['content'], string>[number]

function blocksOf({ content }: Body['messages'][number]): readonly Block[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

/** Turns of one role in a row are one turn. */
export function turnsOf({
  messages,
}: CountBody): readonly { readonly role: string; readonly blocks: readonly Block[] }[] {
  const turns: { role: string; blocks: Block[] }[] = []
  for (const one of messages) {
    const last = turns.at(-1)
    if (last?.role === one.role) last.blocks.push(...blocksOf(one))
    else turns.push({ role: one.role, blocks: [...blocksOf(one)] })
  }
  return turns
}

function conversationFault(asked: CountBody): string | undefined {
  const turns = turnsOf(asked)
  if (turns[0]?.role !== 'user') return 'messages: first message must use the "user" role'
  let open: string[] = []
  for (const [index, { blocks }] of turns.entries()) {
    const results = blocks.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []))
    const missing = open.filter((id) => !results.includes(id))
    if (missing.length > 0)
      return `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`
    const stray = results.find((id) => !open.includes(id))
    if (stray !== undefined)
      return `messages.${index}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${stray}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`
    if (new Set(results).size < results.length) return `messages.${index}: each tool_use must have a single result`
    open = blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []))
    if (new Set(open).size < open.length) return `messages.${index}: \`tool_use\` ids must be unique`
    const forged = blocks.find((block) => block.type === 'thinking' && block.signature !== signatureOf(block.thinking))
    if (forged !== undefined) return `messages.${index}: Invalid \`signature\` in \`thinking\` block`
  }
  if (open.length > 0) return `messages.${turns.length - 1}: \`tool_use\` ids were found without \`tool_result\` blocks`
  const last = turns.at(-1)
  const end = last?.blocks.at(-1)
  if (last?.role === 'assistant') {
    if (asked.model === messagesModels.adaptive) return 'This model does not support assistant message prefill.'
    if (end?.type === 'text' && end.text !== end.text.trimEnd())
      return 'messages: final assistant content cannot end with trailing whitespace'
    if (end?.type === 'thinking') return 'messages: the final block in an assistant message cannot be `thinking`'
  }
  const marks = JSON.stringify(asked).split('"cache_control":{').length - 1
  if (marks > 4) return `A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`
  const names = asked.tools?.map(({ name }) => name) ?? []
  if (new Set(names).size < names.length) return 'tools: Tool names must be unique.'
  if (asked.tool_choice !== undefined && names.length === 0)
    return 'tool_choice may only be specified while providing tools.'
  if (asked.tool_choice?.type === 'tool' && !names.includes(asked.tool_choice.name))
    return `Tool '${asked.tool_choice.name}' not found in provided tools`
  return thinkingFault(asked, turns)
}

function thinkingFault(asked: CountBody, turns: ReturnType<typeof turnsOf>): string | undefined {
  const { thinking: wish, tool_choice: choice, model } = asked
  if (wish?.type === 'enabled' && model === messagesModels.adaptive)
    return '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive".'
  if ((wish?.type === 'adaptive' || asked.output_config?.effort != null) && model === messagesModels.budget)
    return 'adaptive thinking is not supported on this model'
  if (wish?.type !== 'enabled' && wish?.type !== 'adaptive') return undefined
  if (choice?.type === 'any' || choice?.type === 'tool')
    return 'Thinking may not be enabled when tool_choice forces tool use.'
  const before = turns.at(-2)?.blocks
  const continues = turns.at(-1)?.blocks.some(({ type }) => type === 'tool_result') === true
  const first = before?.[0]?.type
  if (wish.type === 'enabled' && continues && first !== 'thinking' && first !== 'redacted_thinking')
    return `messages.${turns.length - 2}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block.`
  return undefined
}

function limitFault(asked: Body): string | undefined {
  const most = outputTokensMax[asked.model] ?? 0
  if (asked.max_tokens > most)
    return `max_tokens: ${asked.max_tokens} > ${most}, which is the maximum allowed number of output tokens for ${asked.model}`
  const isSampled = asked.temperature !== undefined || asked.top_p !== undefined || asked.top_k !== undefined
  if (asked.model === messagesModels.adaptive && isSampled) return 'sampling parameters are not supported on this model'
  if (asked.temperature !== undefined && asked.top_p !== undefined)
    return '`temperature` and `top_p` cannot both be specified for this model. Please use only one.'
  if (asked.thinking?.type === 'enabled') {
    if (asked.thinking.budget_tokens >= asked.max_tokens)
      return '`max_tokens` must be greater than `thinking.budget_tokens`.'
    if ((asked.temperature ?? 1) !== 1) return '`temperature` may only be set to 1 when thinking is enabled.'
  }
  const tokens = countOf(asked)
  return tokens > 200_000 ? `prompt is too long: ${tokens} tokens > 200000 maximum` : undefined
}

/** Holds for these words alone, and only the stand-in makes it. */
export function signatureOf(words: string): string {
  return createHmac('sha256', 'of the stand-in').update(words).digest('base64')
}

export function countOf(asked: CountBody): number {
  return Math.ceil(JSON.stringify([asked.system, asked.messages, asked.tools]).length / 4)
}
