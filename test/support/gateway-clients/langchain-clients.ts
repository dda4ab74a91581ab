import { type AIMessageChunk, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { ChatOpenAI } from '@langchain/openai'
import {
  answerSchema,
  baseURL,
  clientKey,
  documentBase64,
  type GatewayClient,
  isForced,
  pictureUrl,
  usesTools,
  type Wish,
  weather,
  weatherIn,
} from './client.ts'

function userMessage({ feature }: Wish, text: string): HumanMessage {
  const said = { type: 'text' as const, text }
  if (feature === 'picture')
    return new HumanMessage({ content: [{ type: 'image_url', image_url: { url: pictureUrl } }, said] })
  if (feature === 'document') {
    const file = {
      type: 'file' as const,
      source_type: 'base64',
      mime_type: 'application/pdf',
      data: documentBase64,
      metadata: { filename: 'a.pdf' },
    }
    return new HumanMessage({ content: [file, said] })
  }
  return new HumanMessage(text)
}

const effort = { effort: 'low', summary: 'auto' }

function converseBy(useResponsesApi: boolean): GatewayClient['converse'] {
  return async (wish, fetch) => {
    const chat = new ChatOpenAI({
      apiKey: clientKey,
      model: wish.model,
      useResponsesApi,
      maxRetries: 0,
      configuration: { baseURL, fetch },
      // Its own option goes to models with names that it knows.
      ...(wish.feature === 'thinking'
        ? { modelKwargs: useResponsesApi ? { reasoning: effort } : { reasoning_effort: 'low' } }
        : {}),
    })
    const look = tool(async ({ place }: { place: string }) => weatherIn(place), {
      name: weather.name,
      description: weather.description,
      schema: { ...weather.parameters, required: [...weather.parameters.required] },
    })
    if (wish.feature === 'json') {
      const structured = chat.withStructuredOutput(
        { title: 'answer', ...answerSchema, required: [...answerSchema.required] },
        { method: 'jsonSchema', strict: true },
      )
      return JSON.stringify(await structured.invoke(wish.turns[0] ?? ''))
    }
    const messages: BaseMessage[] = []
    let text = ''
    for (const turn of wish.turns) {
      messages.push(userMessage(wish, turn))
      for (let isOver = false, step = 0; !isOver; step += 1) {
        const forced = isForced(wish, step) ? { tool_choice: 'required' } : {}
        const model = usesTools(wish.feature) ? chat.bindTools([look], forced) : chat
        let message: AIMessageChunk | undefined
        if (wish.stream)
          for await (const piece of await model.stream(messages)) message = message?.concat(piece) ?? piece
        else message = await model.invoke(messages)
        if (message === undefined) throw new Error('there is no message')
        messages.push(message)
        const calls = message.tool_calls ?? []
        for (const call of calls) {
          const { place } = call.args as { readonly place: string }
          messages.push(new ToolMessage({ content: weatherIn(place), tool_call_id: call.id ?? '' }))
        }
        text = message.text
        isOver = calls.length === 0
      }
    }
    return text
  }
}

export const langchainChat: GatewayClient = {
  name: '@langchain/openai, chat',
  dialect: 'chat',
  lacks: ['cache marks'],
  converse: converseBy(false),
}

export const langchainResponses: GatewayClient = {
  name: '@langchain/openai, responses',
  dialect: 'responses',
  // It sends its wish for some tool on chat alone.
  lacks: ['cache marks', 'forced tool'],
  converse: converseBy(true),
}
