import OpenAI from 'openai'
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import type { ResponseInput } from 'openai/resources/responses/responses'
import {
  answerSchema,
  baseURL,
  clientKey,
  documentUrl,
  type GatewayClient,
  isForced,
  keptText,
  pictureUrl,
  usesTools,
  type Wish,
  weather,
  weatherOf,
} from './client.ts'

export function openaiOver(fetch: typeof globalThis.fetch): OpenAI {
  return new OpenAI({ apiKey: clientKey, baseURL, maxRetries: 0, fetch })
}

function chatContent({ feature }: Wish, text: string) {
  const said = { type: 'text' as const, text }
  if (feature === 'picture') return [{ type: 'image_url' as const, image_url: { url: pictureUrl } }, said]
  if (feature === 'document')
    return [{ type: 'file' as const, file: { file_data: documentUrl, filename: 'a.pdf' } }, said]
  if (feature === 'cache marks')
    return [{ type: 'text' as const, text: keptText, prompt_cache_breakpoint: { mode: 'explicit' as const } }, said]
  return text
}

export const openaiChat: GatewayClient = {
  name: 'openai, chat',
  dialect: 'chat',
  async converse(wish, fetch) {
    const client = openaiOver(fetch)
    const messages: ChatCompletionMessageParam[] = []
    for (const turn of wish.turns) {
      messages.push({ role: 'user', content: chatContent(wish, turn) })
      for (let isOver = false, step = 0; !isOver; step += 1) {
        const asked = {
          model: wish.model,
          messages,
          ...(usesTools(wish.feature) ? { tools: [{ type: 'function' as const, function: weather }] } : {}),
          ...(isForced(wish, step) ? { tool_choice: 'required' as const } : {}),
          ...(wish.feature === 'thinking' ? { reasoning_effort: 'low' as const } : {}),
          ...(wish.feature === 'json'
            ? {
                response_format: {
                  type: 'json_schema' as const,
                  json_schema: { name: 'answer', strict: true, schema: answerSchema },
                },
              }
            : {}),
        }
        const { choices } = wish.stream
          ? await client.chat.completions.stream(asked).finalChatCompletion()
          : await client.chat.completions.create(asked)
        const message = choices[0]?.message
        if (message === undefined) throw new Error('there is no choice')
        messages.push(message)
        for (const call of message.tool_calls ?? []) {
          if (call.type !== 'function') throw new Error(`an unknown call: ${call.type}`)
          messages.push({ role: 'tool', tool_call_id: call.id, content: weatherOf(call.function.arguments) })
        }
        isOver = (message.tool_calls ?? []).length === 0
      }
    }
    const last = messages.at(-1)?.content
    return typeof last === 'string' ? last : ''
  },
}

function responseContent({ feature }: Wish, text: string) {
  const said = { type: 'input_text' as const, text }
  if (feature === 'picture')
    return [{ type: 'input_image' as const, image_url: pictureUrl, detail: 'auto' as const }, said]
  if (feature === 'document') return [{ type: 'input_file' as const, file_data: documentUrl, filename: 'a.pdf' }, said]
  if (feature === 'cache marks')
    return [
      { type: 'input_text' as const, text: keptText, prompt_cache_breakpoint: { mode: 'explicit' as const } },
      said,
    ]
  return text
}

/** Streamed, the client sends the whole conversation each time; else it goes on from the answer before. */
export const openaiResponses: GatewayClient = {
  name: 'openai, responses',
  dialect: 'responses',
  async converse(wish, fetch) {
    const client = openaiOver(fetch)
    let previous: string | undefined
    let input: ResponseInput = []
    let text = ''
    for (const turn of wish.turns) {
      input.push({ role: 'user', content: responseContent(wish, turn) })
      for (let isOver = false, step = 0; !isOver; step += 1) {
        const asked = {
          model: wish.model,
          input,
          ...(wish.stream
            ? { store: false, include: ['reasoning.encrypted_content' as const] }
            : previous === undefined
              ? {}
              : { previous_response_id: previous }),
          ...(usesTools(wish.feature) ? { tools: [{ type: 'function' as const, strict: true, ...weather }] } : {}),
          ...(isForced(wish, step) ? { tool_choice: 'required' as const } : {}),
          ...(wish.feature === 'thinking' ? { reasoning: { effort: 'low' as const, summary: 'auto' as const } } : {}),
          ...(wish.feature === 'json'
            ? { text: { format: { type: 'json_schema' as const, name: 'answer', strict: true, schema: answerSchema } } }
            : {}),
        }
        const response = wish.stream
          ? await client.responses.stream(asked).finalResponse()
          : await client.responses.create(asked)
        const results = response.output.flatMap((item) =>
          item.type === 'function_call'
            ? [{ type: 'function_call_output' as const, call_id: item.call_id, output: weatherOf(item.arguments) }]
            : [],
        )
        input = wish.stream ? [...input, ...(response.output as ResponseInput), ...results] : results
        previous = response.id
        text = response.output_text
        isOver = results.length === 0
      }
    }
    return text
  },
}
