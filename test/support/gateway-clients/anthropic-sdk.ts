import Anthropic from '@anthropic-ai/sdk'
import {
  answerSchema,
  baseURL,
  clientKey,
  documentBase64,
  type GatewayClient,
  isForced,
  keptText,
  picture,
  usesTools,
  type Wish,
  weather,
  weatherOf,
} from './client.ts'

function contentOf({ feature }: Wish, text: string): Anthropic.MessageParam['content'] {
  const said = { type: 'text' as const, text }
  const source = { type: 'base64' as const }
  if (feature === 'picture')
    return [{ type: 'image', source: { ...source, media_type: 'image/png', data: picture } }, said]
  if (feature === 'document')
    return [{ type: 'document', source: { ...source, media_type: 'application/pdf', data: documentBase64 } }, said]
  if (feature === 'cache marks') return [{ type: 'text', text: keptText, cache_control: { type: 'ephemeral' } }, said]
  return text
}

export const anthropicSdk: GatewayClient = {
  name: '@anthropic-ai/sdk',
  dialect: 'messages',
  async converse(wish, fetch) {
    const client = new Anthropic({ apiKey: clientKey, baseURL, maxRetries: 0, fetch })
    const { parameters, ...named } = weather
    const messages: Anthropic.MessageParam[] = []
    let text = ''
    for (const turn of wish.turns) {
      messages.push({ role: 'user', content: contentOf(wish, turn) })
      for (let isOver = false, step = 0; !isOver; step += 1) {
        const asked: Anthropic.MessageCreateParamsNonStreaming = {
          model: wish.model,
          max_tokens: 4_096,
          messages,
          ...(usesTools(wish.feature)
            ? { tools: [{ ...named, input_schema: { ...parameters, required: [...parameters.required] } }] }
            : {}),
          ...(isForced(wish, step) ? { tool_choice: { type: 'any' } } : {}),
          ...(wish.feature === 'thinking' ? { thinking: { type: 'enabled', budget_tokens: 1_024 } } : {}),
          ...(wish.feature === 'json'
            ? { output_config: { format: { type: 'json_schema', schema: answerSchema } } }
            : {}),
        }
        const message = wish.stream
          ? await client.messages.stream(asked).finalMessage()
          : await client.messages.create(asked)
        messages.push({ role: 'assistant', content: message.content })
        const results = message.content.flatMap((block) =>
          block.type === 'tool_use'
            ? [
                {
                  type: 'tool_result' as const,
                  tool_use_id: block.id,
                  content: weatherOf(JSON.stringify(block.input)),
                },
              ]
            : [],
        )
        if (results.length > 0) messages.push({ role: 'user', content: results })
        text = message.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('')
        isOver = results.length === 0
      }
    }
    return text
  },
}
