import { type JsonRecord, listOf, recordOf, textOf } from '#shared/kernel/json-record.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { type Failure, failure } from '../failure.ts'
import { isCapsule, type Keyring, type Mac, openItemsCapsule } from '../reasoning-capsule.ts'
import { assistantText, type ChatInput, withoutThinking } from '../to-provider/chat-generation.ts'
import { toolInputSchema } from '../to-provider/tool-input-schema.ts'
import { summaryTexts } from './responses-as-chat.ts'

export interface AdaptContext {
  readonly modelId: string
  readonly keyring: Keyring
  readonly mac: Mac
  readonly isStream: boolean
}

/**
 * Writes a chat request as a responses request, for models that have only those. What a responses request cannot say
 * (stop sequences) is left out; reasoning items sealed into tool call ids go back in front of their calls, once each.
 */
export async function chatAsResponses(input: ChatInput, context: AdaptContext): Promise<Result<JsonRecord, Failure>> {
  if (input.functions != null || input.messages.some(isOfOldKind)) {
    return failWith(
      failure('unsupported', 'functions are not served for this model: use tools', { param: 'functions' }),
    )
  }
  const items: JsonRecord[] = []
  const seen = new Map<string, string>()
  for (const message of input.messages) {
    if (message.role === 'assistant') {
      const taken = await takeAssistant(items, seen, message, context)
      if (!taken.ok) return taken
    } else if (message.role === 'tool') {
      const callId = await plainCallId(message.tool_call_id, context)
      if (!callId.ok) return callId
      const isCustom = items.some((item) => item['type'] === 'custom_tool_call' && item['call_id'] === callId.value)
      const type = isCustom ? 'custom_tool_call_output' : 'function_call_output'
      items.push({ type, call_id: callId.value, output: userContent(message.content) })
    } else if (message.role !== 'function') {
      const role = message.role === 'system' ? 'developer' : message.role
      items.push({ type: 'message', role, content: userContent(message.content) })
    }
  }
  const maxTokens = input.max_completion_tokens ?? input.max_tokens
  const seals = context.keyring.activeKeyId !== undefined
  const effort = input.reasoning_effort
  return succeed({
    model: context.modelId,
    input: items,
    stream: context.isStream,
    store: false,
    ...(seals ? { include: ['reasoning.encrypted_content'] } : {}),
    ...(maxTokens == null ? {} : { max_output_tokens: maxTokens }),
    ...(input.temperature == null ? {} : { temperature: input.temperature }),
    ...(input.top_p == null ? {} : { top_p: input.top_p }),
    reasoning: { ...(effort == null ? {} : { effort }), summary: 'auto' },
    ...(input.tools == null || input.tools.length === 0
      ? {}
      : {
          tools: input.tools.map(toolOf),
        }),
    ...(input.tool_choice == null ? {} : { tool_choice: choiceOf(input.tool_choice) }),
    ...(input.parallel_tool_calls == null ? {} : { parallel_tool_calls: input.parallel_tool_calls }),
    ...(input.response_format == null ? {} : { text: { format: formatOf(input.response_format) } }),
  })
}

function isOfOldKind(message: ChatInput['messages'][number]): boolean {
  return message.role === 'function' || (message.role === 'assistant' && message.function_call != null)
}

function toolOf(tool: NonNullable<ChatInput['tools']>[number]): JsonRecord {
  if (tool.type === 'custom') {
    const { name, description, format } = tool.custom
    const grammar = format?.type === 'grammar' ? { format: { type: 'grammar', ...format.grammar } } : {}
    return { type: 'custom', name, ...(description == null ? {} : { description }), ...grammar }
  }
  const { name, description, parameters, strict } = tool.function
  return {
    type: 'function',
    name,
    description: description ?? null,
    parameters: toolInputSchema(parameters),
    strict: strict ?? false,
  }
}

function choiceOf(choice: NonNullable<ChatInput['tool_choice']>): unknown {
  if (typeof choice === 'string') return choice
  if (choice.type !== 'allowed_tools') return namedTool(choice)
  const { mode, tools } = choice.allowed_tools
  return { type: 'allowed_tools', mode, tools: tools.map(namedTool) }
}

type Named = Extract<NonNullable<ChatInput['tool_choice']>, { type: 'function' | 'custom' }>

function namedTool(tool: Named): JsonRecord {
  return { type: tool.type, name: tool.type === 'function' ? tool.function.name : tool.custom.name }
}

function formatOf(format: NonNullable<ChatInput['response_format']>): unknown {
  return 'json_schema' in format ? { type: 'json_schema', ...format.json_schema } : { type: format.type }
}

type Assistant = Extract<ChatInput['messages'][number], { role: 'assistant' }>

async function takeAssistant(
  items: JsonRecord[],
  seen: Map<string, string>,
  message: Assistant,
  context: AdaptContext,
): Promise<Result<undefined, Failure>> {
  const calls: { readonly reasoning: readonly unknown[]; readonly item: JsonRecord }[] = []
  for (const call of message.tool_calls ?? []) {
    let callId = call.id
    let reasoning: readonly unknown[] = []
    if (isCapsule(call.id)) {
      const capsule = await openItemsCapsule(call.id, context.keyring, context.mac)
      if (!capsule.ok) return capsule
      callId = capsule.value.callId
      if (capsule.value.modelId === context.modelId) reasoning = capsule.value.items
    }
    const item: JsonRecord =
      'custom' in call
        ? { type: 'custom_tool_call', call_id: callId, ...call.custom }
        : { type: 'function_call', call_id: callId, ...call.function }
    calls.push({ reasoning, item })
  }
  const text = withoutThinking(
    assistantText(message),
    calls.flatMap((call) => call.reasoning.flatMap((item) => summaryTexts(recordOf(item) ?? {}))),
  )
  // A plain text: the endpoint refuses lists of parts in an assistant turn.
  const said = text === '' ? [] : [{ type: 'message', role: 'assistant', content: text }]
  if (calls.length === 0) items.push(...said)
  // What was reasoned goes in front of what it led to, words or calls.
  for (const [index, { reasoning, item }] of calls.entries()) {
    const taken = takeReasoning(items, seen, reasoning)
    if (!taken.ok) return taken
    if (index === 0) items.push(...said)
    items.push(item)
  }
  return succeed(undefined)
}

/** Parallel calls carry the same items; the endpoint refuses an id that comes twice. */
function takeReasoning(
  items: JsonRecord[],
  seen: Map<string, string>,
  found: readonly unknown[],
): Result<undefined, Failure> {
  for (const entry of found) {
    const item = recordOf(entry)
    const id = textOf(item?.['id'])
    if (item === undefined || id === undefined) continue
    const content = JSON.stringify(item)
    const known = seen.get(id)
    if (known !== undefined && known !== content) {
      return failWith(failure('bad_request', 'two tool calls carry different reasoning under one id'))
    }
    if (known === undefined) items.push(item)
    seen.set(id, content)
  }
  return succeed(undefined)
}

async function plainCallId(id: string, context: AdaptContext): Promise<Result<string, Failure>> {
  if (!isCapsule(id)) return succeed(id)
  const capsule = await openItemsCapsule(id, context.keyring, context.mac)
  return capsule.ok ? succeed(capsule.value.callId) : capsule
}

function userContent(
  content: string | readonly (JsonRecord & { readonly type: string })[] | readonly object[],
): unknown {
  if (typeof content === 'string') return content
  return listOf(content).map((part) => {
    const record = recordOf(part) ?? {}
    const url = textOf(recordOf(record['image_url'])?.['url'])
    const file = recordOf(record['file'])
    if (file !== undefined) return { type: 'input_file', ...file }
    if (record['type'] === 'input_audio') return record
    return url === undefined
      ? { type: 'input_text', text: textOf(record['text']) ?? '' }
      : { type: 'input_image', image_url: url }
  })
}
