import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import {
  generateText,
  jsonSchema,
  type LanguageModel,
  type ModelMessage,
  Output,
  stepCountIs,
  streamText,
  tool,
} from 'ai'
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
  weatherIn,
} from './client.ts'

// It says on the console that it does not know the names of these models.
globalThis.AI_SDK_LOG_WARNINGS = false

type ModelOver = (id: string, fetch: typeof globalThis.fetch) => LanguageModel
type Options = NonNullable<Parameters<typeof generateText>[0]['providerOptions']>

function userMessage({ feature }: Wish, text: string): ModelMessage {
  const said = { type: 'text' as const, text }
  if (feature === 'picture')
    return { role: 'user', content: [{ type: 'file', mediaType: 'image/png', data: picture }, said] }
  if (feature === 'document')
    return {
      role: 'user',
      content: [{ type: 'file', mediaType: 'application/pdf', data: documentBase64, filename: 'a.pdf' }, said],
    }
  if (feature === 'cache marks') {
    const providerOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } }
    return { role: 'user', content: [{ type: 'text', text: keptText, providerOptions }, said] }
  }
  return { role: 'user', content: text }
}

function converseBy(modelOver: ModelOver, thinking: Options): GatewayClient['converse'] {
  return async (wish, fetch) => {
    const model = modelOver(wish.model, fetch)
    const messages: ModelMessage[] = []
    let text = ''
    const tools = {
      weather: tool({
        description: weather.description,
        inputSchema: jsonSchema<{ place: string }>({
          ...weather.parameters,
          required: [...weather.parameters.required],
        }),
        execute: async ({ place }) => weatherIn(place),
      }),
    }
    for (const turn of wish.turns) {
      messages.push(userMessage(wish, turn))
      const asked = {
        model,
        messages,
        maxRetries: 0,
        stopWhen: stepCountIs(4),
        ...(usesTools(wish.feature) ? { tools } : {}),
        prepareStep: ({ stepNumber }: { readonly stepNumber: number }) =>
          isForced(wish, stepNumber) ? { toolChoice: 'required' as const } : {},
        ...(wish.feature === 'thinking' ? { providerOptions: thinking } : {}),
        ...(wish.feature === 'json'
          ? {
              output: Output.object({
                schema: jsonSchema<{ answer: string }>({ ...answerSchema, required: [...answerSchema.required] }),
              }),
            }
          : {}),
      }
      const result = wish.stream ? streamText({ ...asked, onError: () => {} }) : await generateText(asked)
      text = await result.text
      messages.push(...(await result.responseMessages))
      if (wish.feature === 'json') text = JSON.stringify(await result.output)
    }
    return text
  }
}

const effort: Options = { openai: { reasoningEffort: 'low', forceReasoning: true } }
const openai = (fetch: typeof globalThis.fetch) => createOpenAI({ apiKey: clientKey, baseURL, fetch })

export const aiResponses: GatewayClient = {
  name: 'ai, responses',
  dialect: 'responses',
  lacks: ['cache marks'],
  converse: converseBy((id, fetch) => openai(fetch)(id), effort),
}

export const aiChat: GatewayClient = {
  name: 'ai, chat',
  dialect: 'chat',
  lacks: ['cache marks'],
  converse: converseBy((id, fetch) => openai(fetch).chat(id), effort),
}

export const aiMessages: GatewayClient = {
  name: 'ai, messages',
  dialect: 'messages',
  converse: converseBy((id, fetch) => createAnthropic({ apiKey: clientKey, baseURL, fetch })(id), {
    anthropic: { thinking: { type: 'enabled', budgetTokens: 1_024 } },
  }),
}
